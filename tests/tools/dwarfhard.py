#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""dwarfhard.py SHAPE N OUT - debug information for which a simple reader needs quadratic time or much memory

Each shape has some bytes for each of N things, and is well formed, or nearly. A function for each shape returns
what file() takes.
"""
import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
from dwarf import LANG_C11, abbrev, elf, symbol, symtab, text, u32, u64, uleb, unit

UNIT = abbrev(1, "compile_unit", "name:string language:data1", True)
TOP = b"\1" + text("hard.c") + LANG_C11
AT = 12 + len(TOP)  # where the first entry in whole() is


def whole(dies, version=5):
    return unit(TOP + dies + b"\0", version)


def chain(n, code, name=b"", at=AT):
    """N entries, each with a reference to the next."""
    size = len(code + name) + 4
    return b"".join(code + name + u32(at + (i + 1) * size) for i in range(n))


def file(info, abbrevs, strings=b"", more=(), symbols=b"", names=b"\0f\0", type_=2):
    """The contents of .debug_info, .debug_abbrev and .debug_str, other sections, and symbols with their names."""
    made = {section[0] for section in more}
    all_ = [*more, (".debug_abbrev", abbrevs + b"\0")]
    if ".debug_info" not in made:
        all_.append((".debug_info", info))
    if strings:
        all_.append((".debug_str", strings))
    if ".symtab" not in made:
        all_ += symtab(symbols or symbol(1), names, len(all_) + 1)
    return elf(all_, type_)


# --- abbreviations

def tables(n):
    """N units; the table of abbreviations of each is the rest of the one before."""
    one = abbrev(1, "compile_unit", "language:data1")
    return b"".join(unit(b"\1" + LANG_C11, table=len(one) * i) for i in range(n)), one * n


def turns(n):
    """N units that take turns with two long tables."""
    table = abbrev(1, "compile_unit", "language:data1") + b"".join(abbrev(2 + i, "const") for i in range(n)) + b"\0"
    return b"".join(unit(b"\1" + LANG_C11, table=len(table) * (i & 1)) for i in range(n)), 2 * table


def abbrevs(n):
    """N abbreviations, no two of them alike."""
    return whole(b""), UNIT + b"".join(abbrev(2 + i, 0x4090 + i) for i in range(n))


def specs(n):
    """An abbreviation with N attributes that take no bytes, N times."""
    implicit = uleb(0x1c) + uleb(0x21) + uleb(0x3fffffffff)  # DW_AT_const_value of more than 32 bits
    return (whole(b"\3" + b"\2" * n + b"\0"),
            UNIT + b"\2\x28\0" + implicit * n + b"\0\0" + abbrev(3, "enum", "", True))


# --- chains

def aliases(n):
    """N _Atomic types, each of the next, and as many const of the first."""
    return (whole(chain(n, b"\2") + (b"\3" + u32(AT)) * n),
            UNIT + abbrev(2, "atomic", "type:ref4") + abbrev(3, "const", "type:ref4"))


def typedefs(n):
    """N typedefs, each of the next, and a function with N parameters of the first."""
    return (whole(chain(n, b"\2", text("t")) + b"\3" + text("f") + (b"\4" + u32(AT)) * n + b"\0"),
            UNIT + abbrev(2, "typedef", "name:string type:ref4") + abbrev(3, "subprogram", "name:string", True) +
            abbrev(4, "param", "type:ref4"))


def bits(n):
    """The same with bit fields as DWARF 2 has them."""
    return (whole(chain(n, b"\2", text("t"), AT - 1) + b"\3" + (b"\4" + u32(AT - 1) + b"\1\1") * n + b"\0", version=2),
            UNIT + abbrev(2, "typedef", "name:string type:ref4") + abbrev(3, "struct", "", True) +
            abbrev(4, "member", "type:ref4 bit_size:data1 bit_offset:data1"))


def origins(n):
    """N functions, each a copy of the next, with parameters that are copies as well."""
    starts = range(AT + 11, AT + 11 * (n + 1), 11)
    return (whole(b"".join(b"\2" + u32(i) + b"\3" + u32(i + 5) + b"\0" for i in starts)),
            UNIT + abbrev(2, "subprogram", "abstract_origin:ref4", True) + abbrev(3, "param", "abstract_origin:ref4"))


def tags(n):
    """N annotations, each of the next, and as many types that begin with the first."""
    return (whole(chain(n, b"\2", bytes(8)) + (b"\3" + u32(AT)) * n),
            UNIT + abbrev(2, "gnu_annotation", "name:strp const_value:strp gnu_annotation:ref4") +
            abbrev(3, "struct", "gnu_annotation:ref4"), text("btf_decl_tag"))


# --- memory

def nested(n):
    """N structs, each in the one before."""
    return unit(TOP + b"\2" * n), UNIT + abbrev(2, "struct", "", True)


def bytes_(n, tag="const", parent=None):
    """N entries of one byte, const void if @tag is not another, in @parent; the unit does not end."""
    return (unit(TOP + (b"\3" + text("f") if parent else b"") + b"\2" * n),
            UNIT + abbrev(2, tag) + (abbrev(3, parent, "name:string", True) if parent else b""))


def members(n):
    return bytes_(n, "member", "struct")


def params(n):
    return bytes_(n, "param", "subprogram")


# --- strings and symbols

def names(n):
    """N types whose names have one end; each is longer than the next."""
    return (whole(b"".join(b"\2" + u32(i) for i in range(n))), UNIT + abbrev(2, "struct", "name:strp"),
            b"n" * n + b"\0")


def symbols(n):
    """N symbols with such names."""
    return *bytes_(n), b"", (), b"".join(symbol(1 + i) for i in range(n)), b"\0" + b"n" * n + b"\0"


def copies(n):
    """N symbols of one function, and as many entries for it."""
    name = text("f.isra.0")
    return (whole((b"\2" + u32(0) + u64(0x2000)) * n), UNIT + abbrev(2, "subprogram", "name:strp low_pc:addr"),
            text("f"), (), b"".join(symbol(1 + i * len(name)) for i in range(n)), b"\0" + name * n)


def starts(n):
    """N arrays of unknown length at the start of a section."""
    base = b"\2" + text("int") + b"\4\5"
    at = u64(0x10000)  # where btfenc puts the first section of a relocatable file
    strings = [text("v%d" % i) for i in range(n)]
    symbols_, pos = [], 1
    for s in strings:
        symbols_.append(struct.pack("<IBBHQQ", pos, 0x11, 0, 1, 0, 4))
        pos += len(s)
    return (whole(base + b"\3" + u32(AT) + b"".join(b"\4" + s + u32(AT + len(base)) + b"\x09\3" + at for s in strings) +
                  b"\0"),
            UNIT + abbrev(2, "base", "name:string byte_size:data1 encoding:data1") + abbrev(3, "array", "type:ref4") +
            abbrev(4, "variable", "name:string type:ref4 location:exprloc"), b"",
            [(".data", bytes(8), dict(flags=3)), *symtab(b"".join(symbols_), b"\0" + b"".join(strings), 2)], b"", b"", 1)


def lists(n):
    """N parameters with one list of N locations."""
    offset_pair = b"\4\0\1\1\x50"  # DW_LLE_offset_pair from 0 to 1, DW_OP_reg0
    return (whole(b"\2" + text("f") + (b"\3" + u32(0)) * n + b"\0"),
            UNIT + abbrev(2, "subprogram", "name:string", True) + abbrev(3, "param", "location:sec_offset"), b"",
            [(".debug_loclists", offset_pair * n)])


# --- several locations

def parts(n):
    """N units, each of which needs N others."""
    size = len(unit(bytes(7)))
    partial = b"".join(unit(b"\2\3" + u32((i + 1) % n * size + 13) + b"\0") for i in range(n))
    return (partial + whole(b"\3" + u32(13)) * n,
            UNIT + abbrev(2, "partial_unit", "", True) + abbrev(3, "const", "type:ref_addr"))


def skeletons(n):
    """N units whose content is in the file "skeletons", which has as many."""
    table = UNIT + abbrev(2, "skeleton_unit", "dwo_name:string")
    return (b"".join(unit(b"\2" + text("skeletons"), kind=4, id_=i) for i in range(n)), table, b"",
            [(".debug_info.dwo", b"".join(unit(TOP + b"\0", kind=5, id_=i) for i in range(n))),
             (".debug_abbrev.dwo", table + b"\0")])


def sections(n):
    """N sections of relocations that lie at one offset."""
    info, abbrevs = bytes_(n)
    header = dict(type=4, link=2, info=3, align=8, entsize=24)
    more = [*symtab(symbol(1, 0), b"\0" + text("f"), 1), (".debug_info", info),
            (".rela.debug_info", bytes(24 * n), header)]
    more += [(".rela.debug_info", b"", dict(header, offset=64 * (n + 8), size=24 * n))] * n
    return info, abbrevs, b"", more, b"", b"", 1


def inflated(n):
    """N zeros, compressed as far as they can be."""
    data = struct.pack("<IIQQ", 1, 0, n, 1) + zlib.compress(bytes(n), 9)
    return b"", b"", b"", [(".debug_info", data, dict(flags=0x800))]


SHAPES = [tables, turns, abbrevs, specs, aliases, typedefs, bits, origins, tags, nested, bytes_, members, params, names,
          symbols, copies, starts, lists, parts, skeletons, sections, inflated]


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: dwarfhard.py SHAPE N OUT")
    shape = {f.__name__.strip("_"): f for f in SHAPES}[sys.argv[1]]
    with open(sys.argv[3], "wb") as f:
        f.write(file(*shape(int(sys.argv[2]))))


main()
