# SPDX-License-Identifier: GPL-2.0-only
"""model.py - a random C program of several translation units, before it is text: numbers, and types

Types, functions and variables belong to the program, and each has masks of the units that define or declare it: units
see the definition of a struct, another one of the same name, or its declaration alone, as with headers and #ifdef.
Bit u of a mask stands for unit u.
"""
from dataclasses import dataclass, field

MAX_UNITS, MAX_PARAMS, MAX_NAMED, MAX_FUNCS, MAX_VARS = 4, 9, 48, 24, 24
MAX_SIZE = 16 << 10  # a few nested arrays of arrays would fill the memory
MAX_DEPTH = 4
CONST, VOLATILE, RESTRICT = 1, 2, 4
FLEXIBLE = -1  # length of an array


class Rnd:
    """Numbers that follow from a seed, by splitmix64: the same as in tests/lib/rand.h. Each part of a program has its
    own stream."""

    def __init__(self, seed, part):
        self.state = seed * 0x100000001b3 + part
        self.state = self.next()

    def next(self):
        mask = (1 << 64) - 1
        z = self.state = self.state + 0x9e3779b97f4a7c15 & mask
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & mask
        z = (z ^ z >> 27) * 0x94d049bb133111eb & mask
        return z ^ z >> 31

    def below(self, n):
        return (self.next() >> 32) % n

    def one_in(self, n):
        return self.below(n) == 0

    def pick(self, items):
        return items[self.below(len(items))]


@dataclass
class Type:
    kind: str  # base, named, pointer, array, function
    quals: int = 0
    base: int = 0  # index of BASES
    named: 'Named' = None
    to: 'Type' = None  # pointee, element, what is returned
    len: int = 0
    tag: int = 0  # of a pointer: its btf_type_tag, 0 for none
    params: list = field(default_factory=list)
    variadic: bool = False
    old_style: bool = False  # of a definition: names first, then their types


@dataclass
class Member:
    name: str  # None: it has none
    type: Type
    bits: int = 0
    is_bits: bool = False
    align: int = 0
    packed: bool = False
    nr_tags: int = 0


@dataclass
class Enumerator:
    name: str
    value: str = None  # None: the next one


@dataclass
class Named:
    kind: str  # struct, union, enum, typedef
    name: str  # None: anonymous
    index: int  # in Program.named; the parts that must be complete have smaller ones
    inner: bool = False  # defined by the one member or typedef that uses it
    members: list = field(default_factory=list)
    values: list = field(default_factory=list)
    type: Type = None  # of a typedef
    vector: int = 0  # bytes, of a typedef of a vector
    packed: bool = False
    align: int = 0
    nr_tags: int = 0
    displaced: bool = False  # a member of a packed struct is one, perhaps off its alignment
    size: int = 0  # at most, on any machine
    pointed_in: int = 0  # mask: units with a variable that points to it
    complete_in: int = 0  # mask: units where a pointer brings the definition
    other: 'Named' = None  # None, or one of the same name, which units in other_in see
    other_in: int = 0

    def seen_in(self, unit):
        return self.other if self.other and has(self.other_in, unit) else self


@dataclass
class Func:
    kind: str  # global, static, inline, weak, gnu_inline, alias
    index: int
    name: str = None
    type: Type = None
    other: Type = None  # None, or the type in the units of other_in
    other_in: int = 0
    defined_in: int = 0
    declared_in: int = 0
    params: list = None  # names
    used: int = 0  # mask of parameters that the body looks at
    constant: int = -1  # parameter that callers give the same value
    attrs: str = ''
    label: str = None  # another name in the symbol table
    never_returns: bool = False
    nr_tags: int = 0
    param_tags: int = 0  # mask
    target: 'Func' = None  # of an alias

    def type_in(self, unit):
        return self.other if self.other and has(self.other_in, unit) else self.type


@dataclass
class Var:
    kind: str  # global, static, extern
    name: str
    type: Type
    other: Type = None
    other_in: int = 0
    defined_in: int = 0
    declared_in: int = 0
    section: str = None
    attrs: str = ''
    zeroed: bool = False  # no initializer
    open: bool = False  # declared as an array without a length first
    nr_tags: int = 0

    type_in = Func.type_in


@dataclass
class Program:
    seed: int
    wishes: set  # atomic, complex, overlap, percpu_parts: what not every encoder can do
    nr_units: int = 0
    named: list = field(default_factory=list)
    nr_inner: int = 0
    funcs: list = field(default_factory=list)
    vars: list = field(default_factory=list)

    def one_unit(self, r):
        return 1 << r.below(self.nr_units)

    def some_units(self, r):
        return r.below(1 << self.nr_units)


def has(mask, bit):
    return mask >> bit & 1


# Name, bits that a bit field of it has at most on every machine, class
BASES = (
    ('void', 0, 'void'),
    ('int', 32, 'int'),
    ('_Bool', 1, 'int'),
    ('char', 8, 'int'),
    ('signed char', 8, 'int'),
    ('unsigned char', 8, 'int'),
    ('short', 16, 'int'),
    ('unsigned short', 16, 'int'),
    ('unsigned int', 32, 'int'),
    ('long', 32, 'int'),
    ('unsigned long', 32, 'int'),
    ('long long', 64, 'int'),
    ('unsigned long long', 64, 'int'),
    ('__WCHAR_TYPE__', 16, 'int'),
    ('INT128', 0, 'int'),
    ('unsigned INT128', 0, 'int'),
    ('float', 0, 'float'),
    ('double', 0, 'float'),
    ('long double', 0, 'float'),
    # not every encoder can do these
    ('_Complex double', 0, 'float'),
    ('_Atomic int', 0, 'int'),
    ('_Atomic(char *)', 0, 'pointer'),
)
VOID, INT, CHAR, NR_INTS, COMPLEX, ATOMIC = 0, 1, 3, 12, 19, 20


def base_type(number):
    return Type('base', base=number)


def pointer_to(t):
    return Type('pointer', to=t)


def type_class(t):
    """What can be done with a value of type t, typedefs looked through: void, int, float, pointer, memory, array or
    function"""
    if t.kind == 'base':
        return BASES[t.base][2]
    if t.kind != 'named':
        return t.kind
    if t.named.kind == 'enum':
        return 'int'
    if t.named.kind == 'typedef' and not t.named.vector:
        return type_class(t.named.type)
    return 'memory'


def type_bits(t):
    if t.kind == 'base':
        return BASES[t.base][1]
    if t.kind != 'named':
        return 0
    if t.named.kind == 'enum':
        return 8  # packed ones have no more
    if t.named.kind == 'typedef' and not t.named.vector:
        bits = type_bits(t.named.type)
        return min(bits, type_bits(t.named.other.type)) if t.named.other else bits
    return 0


def type_size(t):
    if t.kind == 'array':
        return 0 if t.len == FLEXIBLE else type_size(t.to) * t.len
    return t.named.size if t.kind == 'named' else 32


# --- random types, made of those that exist --------------------------------------------------------------------------
#
# A type that must be complete must have been made before; a pointer may lead to any, so that graphs of structs have
# cycles. "before" is the index of the first named type that is not made yet.

def random_base(p, r):
    if 'complex' in p.wishes and r.one_in(12):
        return base_type(COMPLEX)
    if 'atomic' in p.wishes and r.one_in(12):
        return base_type(ATOMIC + r.below(2))
    if r.one_in(4):
        return base_type(INT)
    return base_type(1 + r.below(COMPLEX - 1))


def random_named(p, r, before):
    """A type that objects can be of, or None"""
    if not before:
        return None
    t = Type('named', named=p.named[r.below(before)])
    return None if type_class(t) in ('function', 'void') or type_size(t) > MAX_SIZE else t


def qualify(r, t):
    if r.one_in(6):
        t.quals |= CONST
    if r.one_in(14):
        t.quals |= VOLATILE
    if t.kind == 'pointer' and t.to.kind != 'function' and r.one_in(14) and type_class(t.to) != 'function':
        t.quals |= RESTRICT


def random_pointee(p, r, before, depth):
    """Any type: one that is not made yet is declared only"""
    what = r.below(8)
    if what == 0:
        t = base_type(VOID)
    elif what == 1:
        return function_type(p, r, before) if depth else base_type(CHAR)
    elif what == 2:
        return random_value(p, r, before, max(depth - 1, 0))
    elif what == 3:
        t = random_base(p, r)
    elif not p.named:
        return base_type(CHAR)
    else:
        n = r.pick(p.named)
        # only structs and unions can be named before they are defined
        if n.index >= before and n.kind not in ('struct', 'union'):
            return base_type(VOID)
        t = Type('named', named=n)
    if type_class(t) not in ('function', 'array'):
        qualify(r, t)
    return t


def random_value(p, r, before, depth):
    what = r.below(10)
    t = None
    if what < 3 and depth:
        t = pointer_to(random_pointee(p, r, before, depth - 1))
        if t.to.kind not in ('function', 'array') and r.one_in(5):
            t.tag = 1 + r.below(4)
        qualify(r, t)
        return t
    if what < 6:
        t = random_named(p, r, before)
    if not t or type_class(t) == 'array':
        t = random_base(p, r)
    qualify(r, t)
    return t


def value_type(p, r, before):
    return random_value(p, r, before, MAX_DEPTH)


def object_type(p, r, before):
    of = None
    if r.one_in(8):
        of = random_named(p, r, before)  # of arrays, too
    if not of:
        of = value_type(p, r, before)
    for _ in range(1 + r.below(3) if r.one_in(4) else 0):
        t = Type('array', to=of, len=0 if r.one_in(12) else 1 + r.below(7))
        if type_size(t) > MAX_SIZE:
            break
        of = t
    return of


def passed(t):
    """pahole 1.31 takes a struct for packed from the moment it has seen it off its alignment (tests/diff/known.txt,
    packed-by-others): a function gets a pointer to such a one."""
    displaced = t.kind == 'named' and t.named.kind == 'struct' and t.named.displaced
    return pointer_to(t) if displaced else t


def passed_type(p, r):
    return passed(value_type(p, r, len(p.named)))


def function_type(p, r, before):
    nr = r.below(4)
    if r.one_in(4):
        nr = r.below(MAX_PARAMS)
    t = Type('function')
    t.to = base_type(VOID) if r.one_in(3) else random_value(p, r, before, 2)
    t.params = [passed(random_value(p, r, before, 2)) for _ in range(nr)]
    # parameters on the stack
    if nr > 5 and r.one_in(2):
        last = random_named(p, r, before)
        if last and type_class(last) != 'array':
            t.params[-1] = passed(last)
    t.variadic = nr > 0 and r.one_in(12)
    return t


# --- types as C writes them ------------------------------------------------------------------------------------------

def tags(what, nr):
    """nr btf_decl_tags that name what they belong to"""
    return ''.join(f' DTAG("{what}{i}")' for i in range(nr))


def attributes(packed, align):
    return (' __attribute__((packed))' if packed else '') + (f' __attribute__((aligned({align})))' if align else '')


def spell_member(m):
    name = m.name or ''
    if m.is_bits:
        name += f' : {m.bits}'
    return declare(m.type, name) + attributes(m.packed, m.align) + (tags(m.name, m.nr_tags) if m.name else '')


def spell_definition(n):
    """The definition of a struct, union or enum without the semicolon"""
    parts = [f' {spell_member(m)};' for m in n.members]
    parts += [f' {e.name} = {e.value},' if e.value else f' {e.name},' for e in n.values]
    return (n.kind + (f' {n.name}' if n.name else '') + ' {' + ''.join(parts) + ' }' + attributes(n.packed, n.align) +
            (tags(n.name, n.nr_tags) if n.name else ''))


def spell_named(n):
    if n.inner:
        return spell_definition(n)
    return n.name if n.kind == 'typedef' else f'{n.kind} {n.name}'


def spell_params(t):
    if not t.params:
        return '' if t.old_style else 'void'
    return ', '.join(declare(param, '') for param in t.params) + (', ...' if t.variadic else '')


def declare(t, inner):
    """The declaration of inner with type t. A declarator is built from the inside: the name first, then "*" and "[3]"
    around it, and on with the type that these lead to."""
    quals = ''.join(word for bit, word in ((CONST, 'const '), (VOLATILE, 'volatile '), (RESTRICT, 'restrict '))
                    if t.quals & bit)
    if t.kind in ('base', 'named'):
        name = BASES[t.base][0] if t.kind == 'base' else spell_named(t.named)
        return quals + name + (' ' + inner if inner else '')
    if t.kind == 'array':
        return declare(t.to, inner + ('[]' if t.len == FLEXIBLE else f'[{t.len}]'))
    if t.kind == 'function':
        return declare(t.to, f'{inner}({spell_params(t)})')
    inner = '*' + quals + inner
    if t.tag:
        inner = f'TTAG("t{t.tag}") {inner}'
    if t.to.kind in ('array', 'function'):
        inner = f'({inner})'
    return declare(t.to, inner)


def define(n):
    """The definition of a named type"""
    if n.kind == 'typedef':
        vector = f' __attribute__((vector_size({n.vector})))' if n.vector else ''
        return f'typedef {declare(n.type, n.name)}{vector}{tags(n.name, n.nr_tags)};\n'
    return spell_definition(n) + ';\n'
