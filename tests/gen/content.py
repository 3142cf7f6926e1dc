# SPDX-License-Identifier: GPL-2.0-only
"""content.py - random named types, functions and variables

Many functions are there to be optimized: static, with a parameter that the body ignores or that is always the same.
Others share a name and not the prototype, as static functions may.
"""
import copy

from model import (CONST, FLEXIBLE, INT, MAX_FUNCS, MAX_NAMED, MAX_PARAMS, MAX_VARS, NR_INTS, VOID, Enumerator,
                   Func, Member, Named, Type, Var, base_type, function_type, object_type, passed_type, pointer_to,
                   type_bits, type_class, type_size, value_type)

MAX_MEMBERS, MAX_VALUES, MAX_INNER = 40, 6, 3

# Names that many structs have.
USUAL_NAMES = ('next', 'prev', 'list', 'len', 'flags', 'ops', 'priv')
USUAL_VALUES = ('0', '1', '-1', '5', '-128', '0x7f', '0xff', '0x7fffffff', '0x80000000', '0xffffffff',
                '(-0x7fffffff - 1)')
# These make a 64-bit enum; signs are not to be mixed beyond what one type can hold.
WIDE_VALUES = ('0x100000000', '0x7fffffffffffffff', '0x123456789ab')
TOP_VALUES = ('0xffffffffffffffff', '0x8000000000000000')


def few_tags(r, n):
    return 1 + r.below(2) if r.one_in(n) else 0


def some_alignment(r):
    return 1 << r.below(6) if r.one_in(14) else 0


# --- named types -----------------------------------------------------------------------------------------------------
#
# A second version is the first with one thing changed, since that is what is hard to tell apart. All of them exist
# before the first gets its members, so that pointers can lead anywhere.

def fill_enum(r, n, prefix):
    kind = r.below(8)
    nr = 1 + r.below(MAX_VALUES)
    n.packed = kind == 7
    n.size = 8
    for i in range(nr):
        small = r.below(6)
        e = Enumerator(f'{prefix}_V{i}')
        if n.packed:
            e.value = USUAL_VALUES[small] if r.one_in(2) else None
        elif kind == 0 and i == 0:
            e.value = r.pick(WIDE_VALUES)
        elif kind == 1:
            e.value = None if i else '-0x100000000'
        elif kind == 2:
            e.value = None if i else r.pick(TOP_VALUES)
        elif kind != 0 and (i == 0 or n.values[-1].value or r.one_in(2)):
            e.value = r.pick(USUAL_VALUES)
        n.values.append(e)
    # the number behind the largest of a type does not exist
    if kind in (0, 2) or 3 < kind < 7:
        for i, e in enumerate(n.values):
            if i and not e.value:
                e.value = str(i)


def inner_type(p, r, before, prefix, depth):
    """A struct, union or enum that is defined in the member which uses it, and whether the member has a name"""
    kind = ('struct', 'union', 'enum')[r.below(5) // 2]
    named = kind != 'enum' and r.one_in(3)
    n = Named(kind, None, before, inner=True)
    if named and r.one_in(3):
        n.name = f'in{p.nr_inner}'
        p.nr_inner += 1
    if kind == 'enum':
        p.nr_inner += 1
        fill_enum(r, n, f'I{p.nr_inner - 1}')
    else:
        fill_members(p, r, n, prefix, depth - 1)
    return Type('named', named=n), named or kind == 'enum'


def fill_bits(r, m):
    bits = type_bits(m.type)
    if m.type.kind == 'base' and m.type.quals:
        m.type = base_type(m.type.base)
    if not bits:
        m.type = base_type(1 + r.below(NR_INTS))
        bits = type_bits(m.type)
    m.is_bits = True
    m.align = 0
    nameless = r.one_in(10)  # of width 0: the next one begins a new unit
    if not nameless:
        m.bits = 1 + r.below(bits)
        if r.one_in(8):
            m.bits = bits
        nameless = r.one_in(12)
    if nameless:
        m.name = None
        m.nr_tags = 0


def displace(t):
    while t.kind == 'array' or t.kind == 'named' and t.named.kind == 'typedef':
        t = t.to if t.kind == 'array' else t.named.type
    if t.kind == 'named':
        t.named.displaced = True


def make_member(p, r, before, name, depth, may_be_bits):
    named = True
    if not depth or r.one_in(8) or not r.one_in(6):
        m = Member(name, object_type(p, r, before))
    else:
        t, named = inner_type(p, r, before, name, depth)
        m = Member(name, t)
    m.nr_tags = few_tags(r, 10)
    m.align = some_alignment(r)
    m.packed = r.one_in(24)
    if not named:
        m.name = None
        m.packed = False
        m.nr_tags = 0
    elif may_be_bits and r.one_in(2):
        fill_bits(r, m)
    return m


def fill_members(p, r, n, prefix, depth):
    nr = r.below(7)
    bits = r.one_in(3)
    if r.one_in(20):
        nr = r.below(MAX_MEMBERS)
    n.size = 64
    for i in range(nr):
        n.members.append(make_member(p, r, n.index, f'{prefix}_{i}', depth, bits))
        n.size += type_size(n.members[-1].type) + 64
    # one usual name at most, for they must differ
    if nr and depth == MAX_INNER and r.one_in(3):
        m = r.pick(n.members)
        name = r.pick(USUAL_NAMES)
        if m.name:
            m.name = name
    if nr > 1 and n.kind == 'struct' and r.one_in(8):
        n.members[-1] = Member(f'{prefix}_flex', Type('array', to=value_type(p, r, n.index), len=FLEXIBLE))
        first = n.members[0]
        first.name = f'{prefix}_0'
        if first.is_bits or first.type.kind != 'base':
            n.members[0] = Member(first.name, base_type(INT))
    n.packed = r.one_in(8)
    n.align = some_alignment(r)
    n.nr_tags = few_tags(r, 10)
    for m in n.members:
        if n.packed or m.packed:
            displace(m.type)
            # clang 14 takes a field as wide as its type for none, and puts it at a byte
            if m.bits > 1 and m.bits == type_bits(m.type):
                m.bits -= 1


def fill_typedef(p, r, n):
    what = r.below(10)
    if what == 0:
        n.type = base_type(r.pick((1, 5, 8, 11, 16, 17)))
        n.vector = 8 << r.below(3)
    elif what == 1:
        n.type = function_type(p, r, n.index)
    elif what == 2:
        n.type = base_type(VOID)
    elif what < 5:
        n.type, _ = inner_type(p, r, n.index, n.name, 2)
    else:
        n.type = object_type(p, r, n.index)
    n.size = 32 if n.vector else type_size(n.type)
    n.nr_tags = few_tags(r, 10)


def change_member(p, r, o):
    if not o.members:
        o.members.append(Member('added', base_type(INT)))
        return
    at = r.below(len(o.members))
    m = o.members[at]
    what = r.below(4)
    if what == 0:
        o.members.pop()
    elif what == 1:
        if m.name:
            m.name += '_other'
    elif what == 2:  # the same size and offset, likely
        o.members[at] = Member(m.name or 'other', pointer_to(value_type(p, r, o.index)))
    else:
        o.members[at] = Member(m.name or 'other', object_type(p, r, o.index))
        if o.packed:
            displace(o.members[at].type)


def make_other(p, r, n):
    """Another one of the name of n; as long as n at most, for types that have n as a part rely on it"""
    o = copy.copy(n)
    o.members = [copy.copy(m) for m in n.members]
    o.values = [copy.copy(e) for e in n.values]
    if n.kind in ('struct', 'union'):
        change_member(p, r, o)
    elif n.kind == 'enum':
        if len(o.values) > 1 and r.one_in(2):
            o.values.pop()
        else:
            o.values[0].name += '_other'
    else:
        if n.vector or not type_bits(n.type):
            return
        o.type = base_type(1 + r.below(NR_INTS))
    n.other = o
    n.other_in = p.some_units(r)


def make_named(p, r):
    kinds = ('struct', 'struct', 'struct', 'union', 'enum', 'typedef', 'typedef')
    nr = 3 + r.below(13)
    if r.one_in(6):
        nr = 8 + r.below(MAX_NAMED - 8)
    for i in range(nr):
        kind = r.pick(kinds)
        n = Named(kind, f'{kind[0]}{i}', i)
        # typedefs have a name space of their own
        if kind == 'typedef' and i and r.one_in(3) and p.named[-1].kind != 'typedef':
            n.name = p.named[-1].name
        n.complete_in = p.some_units(r)
        n.pointed_in = p.some_units(r)
        p.named.append(n)
    for n in p.named:
        if n.kind == 'enum':
            fill_enum(r, n, f'E{n.index}')
        elif n.kind == 'typedef':
            fill_typedef(p, r, n)
        else:
            fill_members(p, r, n, 'm', MAX_INNER)
        if r.one_in(5):
            make_other(p, r, n)


# --- functions -------------------------------------------------------------------------------------------------------

def random_attributes(r, kind):
    if kind == 'inline':
        return 'ALWAYS_INLINE' if r.one_in(4) else ''
    if kind == 'gnu_inline':
        return ''
    if kind == 'static' and r.one_in(2):
        return 'NOINLINE'
    return r.pick(('', '', 'NOINLINE', 'NOINLINE', 'NOINLINE', 'NOINLINE NOCLONE', 'COLD', 'HOT', 'HIDDEN',
                   'NOINLINE USED', 'SECTION(".text.other")', 'NOINLINE SECTION(".init.text")'))


def place(p, r, f):
    f.defined_in = p.one_unit(r)
    if f.kind == 'global':
        f.declared_in = p.some_units(r)
    elif f.kind == 'weak':
        f.defined_in |= p.some_units(r)
        f.declared_in = p.some_units(r)
    elif f.kind != 'static' or not r.one_in(3):
        f.defined_in |= p.some_units(r)
        f.defined_in |= p.some_units(r)


def other_type(p, r, t):
    """The prototype with one thing changed"""
    o = copy.copy(t)
    o.params = t.params[:]
    which = r.below(len(t.params)) if t.params else 0
    if r.one_in(4):
        o.to = value_type(p, r, len(p.named))
    elif o.params and r.one_in(3):
        o.params.pop()
    elif o.params:
        o.params[which] = passed_type(p, r)
    else:
        o.params.append(base_type(INT))
    o.variadic = o.variadic and len(o.params) > 0
    return o


def make_func(p, r):
    kinds = 3 * ('global',) + 4 * ('static',) + 2 * ('inline',) + ('weak', 'gnu_inline')
    names = ('a', 'b', 'ctx', 'skb', 'len', 'flags', 'p', 'data')
    # names with a dot stand for what compilers make of functions; the last one sorts behind all
    labels = ('%s.part.7', '%s.other', 'elsewhere_%s', 'zz_%s')
    t = function_type(p, r, len(p.named))
    f = Func(r.pick(kinds), len(p.funcs), type=t)
    f.name = ('a' if r.one_in(3) else 'k') + f'_f{f.index}'
    t.old_style = not t.variadic and r.one_in(25)
    f.params = [f'{r.pick(names)}{i}' for i in range(MAX_PARAMS)]
    if r.one_in(40):
        f.params[r.below(MAX_PARAMS)] = ''
    place(p, r, f)
    f.attrs = random_attributes(r, f.kind)
    if t.variadic and f.kind == 'inline':
        f.attrs = ''  # no compiler can inline these
    f.used = r.below(1 << MAX_PARAMS) if r.one_in(2) else -1
    if t.params and f.kind == 'static' and r.one_in(2):
        f.constant = r.below(len(t.params))
    if f.kind in ('static', 'weak') and not t.old_style and r.one_in(3):
        f.other = other_type(p, r, t)
        f.other_in = p.some_units(r)
    if r.one_in(12):
        f.other_in = p.some_units(r)
    f.never_returns = type_class(t.to) == 'void' and r.one_in(12)
    if f.kind == 'global' and r.one_in(30):
        f.label = r.pick(labels) % f.name
    f.nr_tags = few_tags(r, 8)
    f.param_tags = r.below(1 << MAX_PARAMS) if r.one_in(8) else 0
    p.funcs.append(f)


def make_alias(p, r):
    target = r.pick(p.funcs)
    if target.kind == 'global' and not target.label:
        p.funcs.append(Func('alias', len(p.funcs), target.name + '_alias', target.type, target=target,
                            params=MAX_PARAMS * [''], defined_in=target.defined_in,
                            attrs='WEAK' if r.one_in(2) else ''))


def make_funcs(p, r):
    nr = 2 + r.below(7)
    if r.one_in(6):
        nr = 6 + r.below(MAX_FUNCS - 8)
    for _ in range(nr):
        make_func(p, r)
    if r.one_in(3):
        make_alias(p, r)


# --- variables -------------------------------------------------------------------------------------------------------

# The kernel refuses variables that overlap; more than one weak one of a name would.
SECTIONS = (4 * (None,) + 3 * ('.data..percpu',) +
            ('.data..read_mostly', '.init.data', '.data.other', 'my_section'))
PERCPU_PARTS = ('.data..percpu..read_mostly', '.data..percpu..shared_aligned')


def var_name(p, r):
    if r.one_in(24):
        return f"{r.pick(('__UNIQUE_ID_', '__tpstrtab_', '__exitcall_'))}v{len(p.vars)}"
    return f"{'value' if r.one_in(3) else 'v'}{len(p.vars)}"


def is_const(t):
    """It goes to a section that cannot be written to, and so not to one that can be"""
    while t.kind == 'array' or t.kind == 'named' and t.named.kind == 'typedef':
        if t.quals & CONST:
            return True
        t = t.to if t.kind == 'array' else t.named.type
    return t.quals & CONST


def make_var(p, r):
    kind = r.pick(3 * ('global',) + 2 * ('static',) + ('extern',))
    name = var_name(p, r)
    v = Var(kind, name, object_type(p, r, len(p.named)))
    if 'percpu_parts' in p.wishes and r.one_in(6):
        v.section = r.pick(PERCPU_PARTS)
    else:
        v.section = r.pick(SECTIONS)
    v.attrs = r.pick(('', '', '', '', 'HIDDEN', 'WEAK', '__thread', 'USED'))
    if v.attrs in ('__thread', 'WEAK'):
        v.section = None
    if kind == 'static' and v.attrs != '__thread':
        v.attrs = 'USED' if r.one_in(2) else ''
    v.zeroed = r.one_in(2)
    v.nr_tags = few_tags(r, 8)
    if is_const(v.type):
        v.section = None
    if kind == 'global':
        v.defined_in = p.one_unit(r)
        if v.attrs == 'WEAK' and 'overlap' in p.wishes:
            v.defined_in |= p.some_units(r)
        v.declared_in = p.some_units(r)
        v.open = r.one_in(4)
    elif kind == 'static':
        v.defined_in = p.one_unit(r)
        if r.one_in(2):
            v.defined_in |= p.some_units(r)
        if r.one_in(3):
            v.other = object_type(p, r, len(p.named))
            if is_const(v.other):
                v.section = None
            v.other_in = p.some_units(r)
    else:
        v.section = None
        v.attrs = ''
        v.declared_in = p.one_unit(r)
        v.declared_in |= p.some_units(r)
    p.vars.append(v)


def make_vars(p, r):
    nr = 1 + r.below(8)
    if r.one_in(6):
        nr = 6 + r.below(MAX_VARS - 6)
    for _ in range(nr):
        make_var(p, r)
