#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""btfhard.py SHAPE N dwarf|btf OUT - types for which libbpf needs quadratic or exponential time, or recurses

Two units have the same types, so that there is something to compare, as DWARF or as the BTF of two members.

    enums     N enums without a name: no key distinguishes them
    unions    N unions without a name, alike but for the target of their first member
    chain     N structs, each of which points to the next one
    clash     the same, but the last one differs in the second unit, which a comparison of each of them
              finds out again: quadratic in libbpf
    pointers  N pointers to one another
    copies    N levels of structs, each of which has eight pointers to the next; one unit has all of it
              once, and the other twice
    types     N types of all kinds, in one unit
    blocks    N blocks in one another, with a type in the innermost (DWARF alone)
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
from dwarf import LANG_C11, abbrev, elf, symbol, symtab, text, u32, uleb, unit

INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, CONST = 1, 2, 3, 4, 5, 6, 7, 8, 10
FAN_OUT = 8


class Unit(list):
    """Records of BTF: lists of words. add() returns the id."""

    def add(self, name, kind, size_or_type=0, *elements, vlen=0):
        self.append([name, kind << 24 | vlen, size_or_type, *elements])
        return len(self)

    def struct(self, name, *members, kind=STRUCT):
        """Members are (name, type): pointers in a struct; all at the start of a union."""
        step = 64 * (kind == STRUCT)
        words = [w for i, (member, type_) in enumerate(members) for w in (member, type_, step * i)]
        return self.add(name, kind, 8 * len(members) if step else 8, *words, vlen=len(members))


class Strings(bytearray):
    def put(self, s):
        self.extend(text(s))
        return len(self) - len(s) - 1


# --- shapes: a function adds to both units

def enums(units, put, n):
    for i in range(n):
        value = put(f"value{i}")
        for t in units:
            t.add(0, ENUM, 4, value, i, vlen=1)


def unions(units, put, n):
    event, handler = put("event"), put("handler")
    for i in range(n):
        own = put(f"s{i}")
        for t in units:
            to = t.add(0, PTR, t.add(own, FWD))
            t.struct(0, (event, to), (handler, t.add(0, PTR)), kind=UNION)


def chain(units, put, n):
    next_ = put("next")
    for i in range(n):
        own = put(f"s{i}")
        for t in units:
            s = t.struct(own, (next_, len(t) + 2))
            t.add(0, PTR, s + 2 if i + 1 < n else 0)


def clash(units, put, n):
    last, member = put("last"), put("member")
    chain(units, put, n)
    for t in units:
        t[-1][2] = len(t) + 1
    units[0].struct(last, (member, len(units[0])))
    units[1].struct(last)


def pointers(units, put, n):
    s, member = put("s0"), put("member")
    for t in units:
        t.struct(s, (member, 2))
        for i in range(n):
            t.add(0, PTR, len(t) + 2 if i + 1 < n else 0)


def levels(t, put, n):
    below, member = 0, put("member")
    for level in reversed(range(n)):
        to = [(member, t.add(0, PTR, below)) for _ in range(FAN_OUT)]
        below = t.struct(put(f"level{level}"), *to)
    return below


def copies(units, put, n):
    a, b, root = put("a"), put("b"), put("root")
    for t in units:
        # the root comes first: it is compared before its members
        t.struct(root, (a, 0), (b, 0))
        one = t.add(0, PTR, levels(t, put, n))
        two = one if t is units[0] else t.add(0, PTR, levels(t, put, n))
        t[0][4], t[0][7] = one, two


def types(units, put, n):
    t, member = units[0], put("member")
    number = t.add(put("int"), INT, 4, 0x01000020)
    i = 0
    while len(t) + 1 < n:
        s = t.struct(put(f"s{i}"), (member, number))
        t.add(put(f"t{i}"), TYPEDEF, s)
        t.add(0, ARRAY, 0, t.add(0, PTR, t.add(0, CONST, s)), number, i + 1)
        i += 1


def blocks(units, put, _):
    chain(units, put, 1)


# --- as DWARF

DECLARATIONS = [
    ("compile_unit", "name:string language:data1", True), ("lexical_block", "", True),
    ("subprogram", "name:string", True), ("base", "name:strp byte_size:data1 encoding:data1", False),
    ("pointer", "type:ref4", False), ("pointer", "", False), ("struct", "name:strp byte_size:udata", True),
    ("union", "byte_size:udata", True), ("member", "name:strp type:ref4 data_member_location:udata", False),
    ("struct", "name:strp declaration:flag_present", False), ("enum", "byte_size:udata", True),
    ("enumerator", "name:strp const_value:udata", False), ("typedef", "name:strp type:ref4", False),
    ("const", "type:ref4", False), ("array", "type:ref4", True), ("subrange", "count:udata", False)]
(UNIT, BLOCK, FUNCTION, BASE, POINTER, POINTER_VOID, D_STRUCT, D_UNION, MEMBER, DECLARED, D_ENUM, VALUE, D_TYPEDEF,
 D_CONST, D_ARRAY, RANGE) = (bytes([i + 1]) for i in range(len(DECLARATIONS)))


def entry(rec):
    """The bytes and ids of an entry in turn: the references are put in when all offsets are known."""
    name, kind, vlen, target, elements = u32(rec[0]), rec[1] >> 24, rec[1] & 0xffff, rec[2], rec[3:]
    if kind == INT:
        return [BASE + name + b"\4\5"]
    if kind == PTR:
        return [POINTER, target] if target else [POINTER_VOID]
    if kind == CONST:
        return [D_CONST, target]
    if kind == TYPEDEF:
        return [D_TYPEDEF + name, target]
    if kind == FWD:
        return [DECLARED + name]
    if kind == ARRAY:
        return [D_ARRAY, elements[0], RANGE + uleb(elements[2]) + b"\0"]
    if kind == ENUM:
        return [D_ENUM + uleb(target) + VALUE + u32(elements[0]) + uleb(elements[1]) + b"\0"]
    out = [(D_STRUCT + name if kind == STRUCT else D_UNION) + uleb(target)]
    for i in range(0, 3 * vlen, 3):
        out += [MEMBER + u32(elements[i]), elements[i + 1], uleb(elements[i + 2] // 8)]
    return [*out, b"\0"]


def dwarf_unit(t, depth):
    top = UNIT + text("hard.c") + LANG_C11
    if depth:
        top += FUNCTION + text("f") + BLOCK * depth
    entries = [entry(rec) for rec in t]
    offsets, at = [0], 12 + len(top)
    for e in entries:
        offsets.append(at)
        at += sum(4 if isinstance(part, int) else len(part) for part in e)
    dies = b"".join(u32(offsets[part]) if isinstance(part, int) else part for e in entries for part in e)
    return unit(top + dies + bytes(depth + bool(depth) + 1))


def as_dwarf(units, strings, depth):
    abbrevs = b"".join(abbrev(i + 1, *declaration) for i, declaration in enumerate(DECLARATIONS))
    sections = [(".debug_info", b"".join(dwarf_unit(t, depth) for t in units if t)),
                (".debug_abbrev", abbrevs + b"\0"), (".debug_str", bytes(strings))]
    return elf(sections + symtab(symbol(1), b"\0f\0", len(sections) + 1))


def as_btf(units, strings):
    out = b""
    for t in filter(None, units):
        words = [w for rec in t for w in rec]
        records = struct.pack(f"<{len(words)}I", *words)
        out += struct.pack("<HBB7I", 0xeb9f, 1, 0, 32, 0, len(records), len(records), len(strings), 0, 0)
        out += records + strings
    return out


SHAPES = [enums, unions, chain, clash, pointers, copies, types, blocks]


def main():
    if len(sys.argv) != 5 or sys.argv[3] not in ("dwarf", "btf"):
        sys.exit("usage: btfhard.py SHAPE N dwarf|btf OUT")
    shape, n = sys.argv[1], int(sys.argv[2])
    units, strings = [Unit(), Unit()], Strings(b"\0")
    {f.__name__: f for f in SHAPES}[shape](units, strings.put, n)
    data = as_btf(units, strings) if sys.argv[3] == "btf" else as_dwarf(units, strings, n * (shape == "blocks"))
    with open(sys.argv[4], "wb") as f:
        f.write(data)


main()
