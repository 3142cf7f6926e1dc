#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# make.py - write the files that this folder's tests read, good-* and bad-*
#
# Each is an ELF file of a few hundred bytes with one unit of DWARF, right but for what its
# name says (README). They are kept in the tree; this is how they came about.

import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
from dwarf import abbrev, text, unit

ABBREVS = (abbrev(1, "compile_unit", "name:string language:data1", True),
           abbrev(2, "base", "name:string byte_size:data1 encoding:data1"),
           abbrev(3, "pointer", "byte_size:data1 type:ref4"),
           abbrev(4, "struct", "name:string byte_size:data1", True),
           abbrev(5, "member", "name:string type:ref4 data_member_location:data1"),
           abbrev(6, "typedef", "name:string type:ref4"),
           abbrev(7, "array", "type:ref4", True),
           abbrev(8, "subrange", "upper_bound:data4"),
           abbrev(9, "base", "name:strp byte_size:data1 encoding:data1"),
           abbrev(10, "const", "type:ref4"))
ABBREV = b"".join(ABBREVS) + b"\0"
# a struct with the offset of its sibling, and a name whose form is stored before its value
SIBLING = b"".join(ABBREVS) + abbrev(11, "struct", "sibling:ref4 name:string byte_size:data1", True) + b"\0"
NESTED = b"".join(ABBREVS) + abbrev(11, "base", "name:indirect") + b"\0"
HEADER = 12  # of a unit of DWARF 5: offsets count from its start
TOP = b"\1" + text("u.c") + b"\x1d"
INT = b"\2" + text("int") + b"\4\5"
AT_INT = HEADER + len(TOP)


def elf(sections, ident=b"\x7fELF\2\1\1", machine=62, outside=None, **head):
    """With a symbol table that has no symbols, because without any there is a warning."""
    names, offset = b"\0", 64
    table, body = [bytes(64)], b""
    kinds = {".symtab": 2, ".strtab": 3, ".shstrtab": 3}
    for name, data in [(".strtab", b"\0"), (".symtab", bytes(24)), *sections, (".shstrtab", None)]:
        at = len(names)
        names += text(name)
        if data is None:
            data = names
        table.append(struct.pack("<IIQQQQIIQQ", at, kinds.get(name, 1), 0, 0,
                                 1 << 33 if name == outside else offset + len(body), len(data),
                                 name == ".symtab", name == ".symtab", 1,
                                 24 if name == ".symtab" else 0))
        body += data
    h = {"type": 2, "shoff": offset + len(body), "shentsize": 64, "shnum": len(table),
         "shstrndx": len(table) - 1}
    h.update(head)
    return ident.ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", h["type"], machine, 1, 0, 0, h["shoff"], 0, 64, 56, 0, h["shentsize"],
        h["shnum"], h["shstrndx"]) + body + b"".join(table)


def dwarf(dies, abbrevs=ABBREV, strings=b"\0", claim=0, **kw):
    if claim:  # so many bytes in a compressed .zdebug_info
        return elf([(".zdebug_info", b"ZLIB" + struct.pack(">Q", claim) + bytes(40)),
                    (".debug_abbrev", abbrevs)])
    return elf([(".debug_info", unit(TOP + dies, **kw)), (".debug_abbrev", abbrevs),
                (".debug_str", strings)])


def chain(n):
    """Typedefs, each of the next, the last of int."""
    one = len(b"\6" + text("t") + bytes(4))
    out = INT
    for i in range(n):
        target = AT_INT if i == n - 1 else AT_INT + len(INT) + one * (i + 1)
        out += b"\6" + text("t") + struct.pack("<I", target)
    return out + b"\0"


def ref(code, offset, name=None):
    return bytes([code]) + (text(name) if name else b"") + struct.pack("<I", offset)


AFTER = AT_INT + len(INT)
POINT = b"\4" + text("point") + b"\x10" + b"\5" + text("x") + struct.pack("<I", AT_INT) + b"\0\0"

FILES = {
    "good-int": dwarf(INT + b"\0"),
    "good-struct": dwarf(INT + POINT + b"\0"),
    "good-version-2": elf([(".debug_info", unit(TOP + INT + b"\0", version=2)),
                           (".debug_abbrev", ABBREV)]),
    "good-no-end-of-children": dwarf(INT + POINT),
    "good-typedefs-in-a-row": dwarf(chain(30)),
    "good-reference-to-nothing": dwarf(INT + ref(6, 9999, "t") + b"\0"),
    "good-reference-into-a-die": dwarf(INT + ref(6, AT_INT + 1, "t") + b"\0"),
    "bad-typedef-of-itself": dwarf(INT + ref(6, AFTER, "t") + b"\0"),
    "bad-struct-in-itself": dwarf(INT + b"\4" + text("s") + b"\4\5" + text("m") +
                                   struct.pack("<I", AFTER) + b"\0\0\0"),
    "bad-array-of-itself": dwarf(INT + ref(7, AFTER) + b"\x08\3\0\0\0\0\0"),
    "good-string-outside": dwarf(b"\x09" + struct.pack("<I", 77) + b"\4\5\0", strings=b"x\0"),
    "good-string-not-ended": dwarf(b"\x09" + struct.pack("<I", 0) + b"\4\5\0", strings=b"endless"),
    "good-sibling-backwards": dwarf(INT + b"\x0b" + struct.pack("<I", AT_INT) + text("s") +
                                    b"\4\5" + text("m") + struct.pack("<I", AT_INT) + b"\0\0\0",
                                    abbrevs=SIBLING),
    "good-number-of-30-bytes": dwarf(b"\x82" + b"\x80" * 28 + b"\0" + INT[1:] + b"\0"),
    "good-two-debug-info": elf([(".debug_info", unit(TOP + INT + b"\0")),
                                (".debug_info", unit(TOP + POINT + b"\0")),
                                (".debug_abbrev", ABBREV)]),
    "bad-form-of-a-form": dwarf(b"\x0b" + b"\x16" * 200 + b"\0", abbrevs=NESTED),
    "bad-section-table-in-header": elf([], shoff=8),
    "bad-section-of-terabytes": dwarf(INT + b"\0", claim=1 << 41),
    "bad-magic": elf([], ident=b"\x7fELG\2\1\1"),
    "bad-class": elf([], ident=b"\x7fELF\7\1\1"),
    "bad-byte-order": elf([], ident=b"\x7fELF\2\3\1"),
    "bad-header-cut": elf([])[:40],
    "bad-section-table-outside": elf([], shoff=1 << 40),
    "bad-section-table-overflow": elf([], shoff=(1 << 64) - 64),
    "bad-section-entry-size": elf([], shentsize=60),
    "bad-section-names-index": elf([], shstrndx=9),
    "bad-section-outside": elf([(".debug_info", b"x")], outside=".debug_info"),
    "bad-unit-length": dwarf(INT + b"\0", length=5000),
    "bad-unit-length-reserved": dwarf(INT + b"\0", length=0xfffffff5),
    "bad-unit-length-short": dwarf(INT + b"\0", length=3),
    "bad-unit-version": dwarf(INT + b"\0", version=6),
    "bad-unit-address-size": dwarf(INT + b"\0", addr_size=3),
    "bad-unit-starts-with-int": elf([(".debug_info", unit(INT)), (".debug_abbrev", ABBREV)]),
    "bad-abbrev-table-outside": dwarf(INT + b"\0", table=4000),
    "bad-abbrev-no-end": dwarf(INT + b"\0", abbrevs=b"".join(ABBREVS)[:-1]),
    "bad-abbrev-unknown-form": dwarf(INT + b"\0", abbrevs=ABBREVS[0] + abbrev(
        2, "base", "name:string byte_size:unknown encoding:data1") + b"\0"),
    "bad-abbrev-uleb-no-end": dwarf(INT + b"\0", abbrevs=ABBREVS[0] + b"\x82" + b"\x80" * 20),
    "bad-code-unknown": dwarf(INT + b"\x63\0"),
    "bad-code-huge": dwarf(INT + b"\xff\xff\xff\xff\x0f\0"),
    "bad-die-leaves-unit": dwarf(INT + b"\2" + b"int"),
    "bad-die-cut": dwarf(INT + b"\6" + text("t") + b"\1\0"),
    "bad-no-abbrevs": elf([(".debug_info", unit(TOP + INT + b"\0"))]),
    "bad-second-unit": elf([(".debug_info", unit(TOP + INT + b"\0") + unit(TOP + INT, length=999)),
                            (".debug_abbrev", ABBREV)]),
}


def main():
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for name, data in FILES.items():
        with open(name, "wb") as f:
            f.write(data)


main()
