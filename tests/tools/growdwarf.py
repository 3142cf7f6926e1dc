#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""growdwarf.py SHAPE N OUT - an ELF file with N of something in its DWARF, whose cost must grow with N alone

A function for each shape fills @d, a Dwarf of lib/growing.py.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
from dwarf import text, u32, u64
from growing import DATASEC, ET_REL, VAR, Addr, Btf, Dwarf, Global, Later, List, Sig

FEW = 16


# --- many of a kind in one unit

def structs(d, n):
    """N structs of three members."""
    i = d.unit()
    for k in range(n):
        d.ptr(d.struct(f"s{k}", ("a", i), (f"b{k % 97}", i)))


def structs_of_files(d, n):
    """N structs, each of which the last of N files declares."""
    i = d.unit(stmt_list=List(0))
    d.lines(n)
    for k in range(n):
        d.die("struct", True, name=f"s{k}", byte_size=4, decl_file=n, decl_line=k)
        d.die("member", name="a", type=i, data_member_location=0)
        d.end()


def members(d, n):
    """A struct of N members, each of another type."""
    i = d.unit()
    types = [d.ptr(d.struct(f"s{k}", ("a", i))) for k in range(n)]
    d.struct("big", *((f"m{k}", t) for k, t in enumerate(types)))


def one_member_name(d, n):
    """A struct of N members of one name."""
    i = d.unit()
    d.struct("big", *(("m", i) for _ in range(n)))


def enums(d, n):
    """N enums without a name, with the same first enumerator."""
    d.unit()
    for k in range(n):
        d.enum("", "FIRST", f"E{k}")


def typedefs_of_one(d, n):
    """N typedefs of one struct."""
    t = d.struct("s", ("a", d.unit()))
    for k in range(n):
        d.typedef(f"t{k}", t)


def one_name(d, n):
    """N different structs of one name."""
    i = d.unit()
    for k in range(n):
        d.struct("same", (f"m{k}", i))


def one_typedef_name(d, n):
    """N different structs without a name, with typedefs of one name."""
    i = d.unit()
    for k in range(n):
        d.typedef("same", d.struct("", (f"m{k}", i)))


def params(d, n):
    """A function with N parameters, each at another address."""
    i = d.unit()
    d.func("f", *((f"p{k}", i) for k in range(n)))


def funcs(d, n):
    """N functions with one prototype, whose names begin with the same 200 bytes."""
    i = d.unit()
    for k in range(n):
        d.func("p" * 200 + str(k), ("a", i), slot=k)


def funcs_of_one_name(d, n):
    """N static functions of one name with different prototypes."""
    i = d.unit()
    for k in range(n):
        d.func("f", (f"a{k}", i), slot=k, external=False)


def funcs_at_one_address(d, n):
    i = d.unit()
    for k in range(n):
        d.func(f"f{k}", (f"a{k}", i))


def funcs_without_symbol(d, n):
    """N functions that are inlined everywhere: omissions for the report."""
    i = d.unit()
    d.func("kept", ("a", i))
    for k in range(n):
        d.func(f"f{k}", ("a", i), slot=1 + k, external=False, symbol=False)


def funcs_in_sections(d, n):
    """The same in an object, where each function has a section."""
    i = d.unit()
    d.type = ET_REL
    d.sections.clear()
    for k in range(n):
        d.section(f".text.f{k}", flags=6, size=16)
    # btfenc lays out the sections one after the other from the address 0x10000
    for k in range(n):
        d.die("subprogram", name=f"f{k}", prototyped=True, low_pc=Addr(0x10000 + 16 * k), high_pc=16, type=i)


def inlined(d, n):
    """N inlined copies of one function in another."""
    i = d.unit()
    origin = d.die("subprogram", True, name="inner", prototyped=True, inline=3, type=i)
    param = d.die("param", name="a", type=i)
    d.end()
    d.die("subprogram", True, external=True, name="outer", low_pc=Addr(0x400000), high_pc=16, type=i)
    for _ in range(n):
        d.die("inlined", True, abstract_origin=origin, low_pc=Addr(0x400000), high_pc=4)
        d.die("param", abstract_origin=param)
        d.end()
    d.end()
    d.symbol("outer", 2, ".text", 0x400000, 16)


def copies(d, n):
    """N out-of-line copies of one function, which a compiler renamed."""
    i = d.unit()
    origin = d.die("subprogram", True, name="f", prototyped=True, type=i)
    param = d.die("param", name="a", type=i)
    d.end()
    for k in range(n):
        d.die("subprogram", True, abstract_origin=origin, low_pc=Addr(0x400000 + 16 * k), high_pc=16)
        d.die("param", abstract_origin=param, location=b"\x55")
        d.end()
        d.symbol(f"f.constprop.{k}", 2, ".text", 0x400000 + 16 * k, 16, False)


def location_lists(d, n):
    """N functions, whose parameters have a list of locations each."""
    d.unit()
    offset_pair = b"\4\0\4\1\x55\4\4\x10\3\xa3\1\x55\0"     # in DW_OP_reg5, then the value at entry of that
    for k in range(n):
        addr = 0x400000 + 16 * k
        d.die("subprogram", True, external=True, name=f"f{k}", low_pc=Addr(addr), high_pc=16, type=d.int)
        d.die("param", name="a", type=d.int, location=List(12 + len(offset_pair) * k))
        d.end()
        d.symbol(f"f{k}", 2, ".text", addr, 16)
    d.section(".debug_loclists", u32(8 + len(offset_pair) * n) + b"\5\0\x08\0\0\0\0\0" + offset_pair * n)


def variables(d, n):
    i = d.unit()
    for k in range(n):
        d.var(f"v{k}", i, k)


def variables_of_one_name(d, n):
    i = d.unit()
    for k in range(n):
        d.var("v", i, k, external=False)


def variables_at_one_address(d, n):
    i = d.unit()
    for k in range(n):
        d.var(f"v{k}", i)


def variable_sections(d, n):
    """N sections of one variable each."""
    i = d.unit()
    for k in range(n):
        d.section(f".data.v{k}", addr=0x90000000 + 0x1000 * k)
        d.ADDRESSES[f".data.v{k}"] = 0x90000000 + 0x1000 * k
        d.var(f"v{k}", i, section=f".data.v{k}")


def variables_declared(d, n):
    """N variables that are declared, and defined by a DIE that refers to the declaration."""
    i = d.unit()
    for k in range(n):
        at = d.die("variable", name=f"v{k}", type=i, external=True, declaration=True)
        d.die("variable", specification=at, location=b"\3" + u64(0x80000000 + 8 * k))
        d.symbol(f"v{k}", 1, ".data..percpu", 0x80000000 + 8 * k, 4)


def member_tags(d, n):
    """N declaration tags on one member, and N on one struct."""
    i = d.unit()
    tag = 0
    for k in range(n):
        more = {"gnu_annotation": tag} if tag else {}
        tag = d.die("gnu_annotation", name="btf_decl_tag", const_value=f"tag{k}", **more)
    d.die("struct", True, name="s", byte_size=8, gnu_annotation=tag)
    d.die("member", name="m", type=i, data_member_location=0, gnu_annotation=tag)
    d.end()


def siblings(d, n):
    """N structs, each with a reference to the first one as its sibling."""
    i = d.unit()
    first = d.at()
    for k in range(n):
        d.die("struct", True, sibling=first, name=f"s{k}", byte_size=4)
        d.die("member", name="a", type=i, data_member_location=0)
        d.end()


def kfuncs(d, n):
    """N kfuncs in one set."""
    i = d.unit()
    for k in range(n):
        d.func(f"f{k}", ("a", i), slot=k)
    d.section(".BTF_ids", u32(n) + u32(1) + u64(0) * n, type=1, flags=2, addr=0xa0000000)
    d.symbol("__BTF_ID__set8__kfuncs", 1, ".BTF_ids", 0xa0000000, 8 + 8 * n, False)
    for k in range(n):
        d.symbol(f"__BTF_ID__func__f{k}__{k}", 1, ".BTF_ids", 0xa0000008 + 8 * k, 4, False)


# --- chains

def ahead(n):
    """References to N types, and to the one after them."""
    return [Later() for _ in range(n + 1)]


def pointers(d, n):
    t = d.unit()
    for _ in range(n):
        t = d.ptr(t)
    d.func("f", ("a", t))


def pointers_ahead(d, n):
    """Each refers to the next one."""
    i = d.unit()
    nexts = ahead(n)
    for k in range(n):
        nexts[k].at = d.ptr(nexts[k + 1])
    nexts[n].at = i


def pointers_that_end_differently(d, n):
    for u in range(2):
        t = d.unit(f"u{u}.c")
        if u:
            t = d.die("base", name="long", byte_size=8, encoding=5)
        for _ in range(n):
            t = d.ptr(t)


def arrays(d, n):
    t = d.unit()
    for _ in range(n):
        t = d.array(t, 1)


def protos(d, n):
    """Functions that take an int and return a pointer to the next one."""
    i = t = d.unit()
    for _ in range(n):
        t = d.ptr(d.proto(t, i))
    d.struct("top", ("f", t))


def nested(d, n):
    """Structs without a name in one another; the innermost is the first."""
    t = d.unit()
    for k in range(n):
        t = d.struct("", ("" if k else "x", t))
    d.struct("top", ("", t))


def inside(d, n):
    """Structs whose DIEs are in one another."""
    i = d.unit()
    for k in range(n):
        d.die("struct", True, name=f"s{k}", byte_size=4)
    d.die("member", name="x", type=i, data_member_location=0)
    for k in range(n):
        d.end()


def origins(d, n):
    """N functions, each with the one before as its abstract origin."""
    i = d.unit()
    at = d.die("subprogram", True, external=True, name="f", type=i)
    d.end()
    for _ in range(n):
        at = d.die("subprogram", True, abstract_origin=at)
        d.end()
    d.die("subprogram", abstract_origin=at, low_pc=Addr(0x400000), high_pc=16)
    d.symbol("f", 2, ".text", 0x400000, 16)


def specifications(d, n):
    """The same with specifications of a variable."""
    i = d.unit()
    at = d.die("variable", name="v", type=i, external=True, declaration=True)
    for k in range(n):
        at = d.die("variable", specification=at, location=b"\3" + u64(0x80000000 + 8 * k))
    d.symbol("v", 1, ".data..percpu", 0x80000000, 4)


# --- graphs

def ring(d, names, members):
    """Structs with these @names and a first member of @members each, which points to the next struct, the last one to the first."""
    nexts = ahead(len(names))
    for k, (name, member) in enumerate(zip(names, members)):
        at = d.struct(name, (member[0], nexts[k + 1]), *member[1:])
        if k == 0:
            first = at
        nexts[k].at = d.ptr(at)
    nexts[len(names)].at = nexts[0].at
    return first


def cycles(d, n):
    """Four units with a ring of N structs of one name, one of which differs."""
    for u in range(4):
        d.unit(f"u{u}.c")
        ring(d, ["same"] * n, [["next"]] * (n - 1) + [[f"next{u}"]])


def cycles_without_names(d, n):
    for u in range(4):
        d.unit(f"u{u}.c")
        d.typedef(f"t{u}", ring(d, [""] * n, [["next"]] * (n - 1) + [[f"next{u}"]]))


def chains_that_end_differently(d, n, units=FEW):
    """Each unit has a chain of N structs; the last one differs."""
    for u in range(units):
        end = d.unit(f"u{u}.c")
        nexts = ahead(n)
        for k in range(n):
            nexts[k].at = d.ptr(d.struct(f"s{k}", ("next", nexts[k + 1])))
        nexts[n].at = d.ptr(d.struct("end", (f"m{u}", end)))


def units_of_chains(d, n):
    """The same with chains of 16 in N units."""
    chains_that_end_differently(d, FEW, n)


def fans(d, n):
    """Two units with N levels of structs without a name, each of which has two members that point to the next."""
    for u in range(2):
        t = d.unit(f"u{u}.c")
        for k in range(n):
            t = d.ptr(d.struct("", ("l" if k or not u else "L", t), ("r", t)))
        d.typedef("top", t)


def fans_of_copies(d, n):
    """The same with two copies of each level."""
    for u in range(2):
        i = d.unit(f"u{u}.c")
        two = [i, i]
        for k in range(n):
            two = [d.ptr(d.struct("", ("l", two[0]), ("r" if k or not u else "R", two[1]))) for _ in range(2)]
        d.struct("top", ("x", two[0]), ("y", two[1]))


def proto_fans(d, n, units=1):
    """N levels of prototypes, each of which has the next as its result and its two parameters."""
    for u in range(units):
        t = d.unit(f"u{u}.c")
        if u & 1:
            t = d.die("base", name="long", byte_size=8, encoding=5)
        for _ in range(n):
            t = d.ptr(d.proto(t, t, t))
        d.struct(f"top{u}", ("f", t))
        d.func("f", ("a", t), slot=u, external=False)


# --- many units

def units_of_one_struct(d, n):
    for k in range(n):
        d.struct("s", ("a", d.unit(f"u{k}.c")))


def units_of_one_function(d, n):
    """N units with a function each, alike but for their names."""
    for k in range(n):
        d.func(f"f{k}", ("a", d.unit(f"u{k}.c")), slot=k)


def units_of_one_function_name(d, n):
    """N units with a static function of one name, whose parameter differs in a thousand ways."""
    for k in range(n):
        i = d.unit(f"u{k}.c")
        d.func("f", ("a", d.ptr(d.struct(f"s{k % 1000}", ("m", i)))), slot=k, external=False)


def units_of_one_variable_name(d, n):
    for k in range(n):
        i = d.unit(f"u{k}.c")
        d.var("v", d.struct(f"s{k % 1000}", ("m", i)), k, external=False, size=8)


def units_of_one_name(d, n):
    """N units that define one struct differently."""
    for k in range(n):
        i = d.unit(f"u{k}.c")
        p = d.ptr(d.struct("same", (f"m{k}", i)))
        d.struct(f"user{k % 50}", ("p", p))


def units_of_one_list_name(d, n):
    """The same; the struct points to itself."""
    for k in range(n):
        i = d.unit(f"u{k}.c")
        ring(d, ["same"], [["next", (f"m{k}", i)]])


def units_of_declared_name(d, n):
    """The same; half of the units only declare it."""
    for k in range(n):
        i = d.unit(f"u{k}.c")
        d.struct("user", ("p", d.ptr(d.struct("same", (f"m{k}", i)) if k & 1 else d.declared("same"))))


def units_of_enum(d, n):
    """N units with an enum of one name and another enumerator."""
    for k in range(n):
        d.unit(f"u{k}.c")
        d.enum("e", f"E{k}")


def units_of_declarations(d, n):
    """A unit that declares N structs, and N that define one of them and declare another."""
    d.unit("u.c")
    for k in range(n):
        d.struct(f"h{k}", ("p", d.ptr(d.declared(f"s{k}"))))
    for k in range(n):
        d.unit(f"u{k}.c")
        d.struct(f"s{k}", ("p", d.ptr(d.declared(f"s{(k + 1) % n}"))))


def units_of_cycle(d, n):
    """N units with a cycle of eight structs, of which each has two versions."""
    for k in range(n):
        i = d.unit(f"u{k}.c")
        ring(d, [f"c{m}" for m in range(8)], [["next", (f"v{k >> m & 1}", i)] for m in range(8)])


def units_of_const(d, n):
    """N units with a struct that only differs in a qualifier of its member's target."""
    for k in range(n):
        i = d.unit(f"u{k}.c")
        t = d.die("const", type=i) if k & 1 else i
        d.struct(f"user{k % 100}", ("p", d.ptr(d.struct(f"s{k % 100}", ("m", t)))))


def imported_units(d, n):
    """N partial units, each of which imports the one before, and a unit that imports the last."""
    before = None
    for k in range(n):
        at = d.begin()
        top = d.die("partial_unit", True, language=0x1d)
        if k:
            d.die("imported_unit", import_=before)
        d.struct(f"s{k}", ("a", d.die("base", name="int", byte_size=4, encoding=5)))
        before = Global(at + top)
    d.unit()
    d.die("imported_unit", import_=before)


def type_units_of_one_name(d, n):
    """N type units of one signature."""
    for k in range(n):
        d.type_unit(1000)
        i = d.die("base", name="int", byte_size=4, encoding=5)
        d.type_at = d.struct(f"s{k}", ("a", i))
    d.unit()
    d.var("v", Sig(1000), size=8)


def type_units_in_a_row(d, n):
    """N type units, each of which needs the next, and a variable of the first."""
    linked_type_units(d, n)
    d.unit()
    d.var("v", Sig(1000), size=8)


def units_of_type_units(d, n):
    """The same with N units, each of which has a variable of another of these types."""
    linked_type_units(d, n)
    for k in range(n):
        d.unit(f"u{k}.c")
        d.var(f"v{k}", Sig(1000 + k), k, size=8)


def linked_type_units(d, n):
    for k in range(n):
        d.type_unit(1000 + k)
        p = d.ptr(Sig(1000 + (k + 1) % n))
        d.type_at = d.struct(f"s{k}", ("p", p))


# --- archives of BTF without facts, and no DWARF

def archive(d, members):
    """Members are (struct, function, static variable)."""
    data = bytearray()
    for k, (struct_, func, variable) in enumerate(members):
        b = Btf()
        b.func(func, b.proto(b.int, ("a", b.struct(struct_, (f"m{k}", b.int)))))
        b.add(DATASEC, ".data..percpu", 4, b.add(VAR, variable, b.int, 0), 0, 4, vlen=1)
        data += b.bytes()
        d.symbol(func, 2, ".text", 0x400000 + 16 * k, 16, False)
        d.symbol(variable, 1, ".data..percpu", 0x80000000 + 8 * k, 4, False)
    d.section(".BTF", bytes(data), type=1, align=4)


def members_of_other_names(d, n):
    """N members without a name in common."""
    archive(d, ((f"s{k}", f"f{k}", f"v{k}") for k in range(n)))


def members_of_one_name(d, n):
    """N members with static variables of one name, and functions with other prototypes of one name."""
    archive(d, (("s", "f", "v") for k in range(n)))


def main():
    shapes = {name: f for name, f in globals().items() if getattr(f, "__module__", "") == "__main__"}
    if len(sys.argv) != 4 or sys.argv[1] not in shapes:
        sys.exit("usage: growdwarf.py SHAPE N OUT")
    d = Dwarf()
    shapes[sys.argv[1]](d, int(sys.argv[2]))
    with open(sys.argv[3], "wb") as f:
        f.write(d.bytes())


main()
