#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# make.py - write the files that this folder's tests read, good-* and bad-*
#
# Each is an ELF file of a few hundred bytes with one unit of DWARF, right but for what its
# name says (README). They are kept in the tree; this is how they came about.

import os
import struct

ADDR, DATA1, DATA2, DATA4, STRING, UDATA, REF4, STRP, IMPLICIT, EXPRLOC, FLAG_PRESENT, SECOFF, \
    REF_ADDR, INDIRECT, STRX1 = (1, 0xb, 5, 6, 8, 0xf, 0x13, 0xe, 0x21, 0x18, 0x19, 0x17, 0x10, 0x16,
                                 0x25)
NAME, TYPE, SIZE, ENC, LOC, BOUND, OFFSET, LOW, LANG, CONST, EXT = (
    0x3, 0x49, 0xb, 0x3e, 0x2, 0x2f, 0x38, 0x11, 0x13, 0x1c, 0x3f)
UNIT, BASE, PTR, STRUCT, MEMBER, TYPEDEF, ARRAY, SUBRANGE, VAR, FUNC, PARAM, CONSTT = (
    0x11, 0x24, 0x0f, 0x13, 0x0d, 0x16, 1, 0x21, 0x34, 0x2e, 5, 0x26)


def uleb(n):
    out = bytearray()
    while True:
        out.append(n & 0x7f | (0x80 if n > 0x7f else 0))
        n >>= 7
        if not n:
            return bytes(out)


def abbrev(code, tag, children, *attrs):
    out = uleb(code) + uleb(tag) + bytes([children])
    for a in attrs:
        out += uleb(a[0]) + uleb(a[1]) + (uleb(a[2]) if len(a) > 2 else b"")
    return out + b"\0\0"


def text(s):
    return s.encode() + b"\0"


ABBREVS = (abbrev(1, UNIT, 1, (NAME, STRING), (LANG, DATA1)),
           abbrev(2, BASE, 0, (NAME, STRING), (SIZE, DATA1), (ENC, DATA1)),
           abbrev(3, PTR, 0, (SIZE, DATA1), (TYPE, REF4)),
           abbrev(4, STRUCT, 1, (NAME, STRING), (SIZE, DATA1)),
           abbrev(5, MEMBER, 0, (NAME, STRING), (TYPE, REF4), (OFFSET, DATA1)),
           abbrev(6, TYPEDEF, 0, (NAME, STRING), (TYPE, REF4)),
           abbrev(7, ARRAY, 1, (TYPE, REF4)),
           abbrev(8, SUBRANGE, 0, (BOUND, DATA4)),
           abbrev(9, BASE, 0, (NAME, STRP), (SIZE, DATA1), (ENC, DATA1)),
           abbrev(10, CONSTT, 0, (TYPE, REF4)))
ABBREV = b"".join(ABBREVS) + b"\0"
# a struct that says where the next entry is, and a name whose form stands with its value
SIBLING = b"".join(ABBREVS) + abbrev(11, STRUCT, 1, (1, REF4), (NAME, STRING), (SIZE, DATA1)) + b"\0"
NESTED = b"".join(ABBREVS) + abbrev(11, BASE, 0, (NAME, INDIRECT)) + b"\0"
HEADER = 12  # of a unit of DWARF 5: offsets count from its start
TOP = b"\1" + text("u.c") + b"\x1d"
INT = b"\2" + text("int") + b"\4\5"
AT_INT = HEADER + len(TOP)


def unit(dies, version=5, length=None, table=0, addr_size=8, kind=1):
    body = struct.pack("<HBBI", version, kind, addr_size, table)
    if version < 5:
        body = struct.pack("<HIB", version, table, addr_size)
    body += dies
    return struct.pack("<I", len(body) if length is None else length) + body


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
        2, BASE, 0, (NAME, STRING), (SIZE, 0x7e), (ENC, DATA1)) + b"\0"),
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
