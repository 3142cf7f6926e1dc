#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""dwarfsome.py FILE EVERY - reduce the DWARF of a file to each EVERY-th unit

Moves these units to the start of .debug_info, and ends the section there. All else stays: units refer to other
sections, and to entries of their own, so that the remaining ones are valid (not with -flto, dwz or type units). FILE
is 64-bit ELF, little-endian, and the section not compressed. It is changed in place.
"""
import mmap
import struct
import sys


def header_of(file, wanted):
    """The offset of a section's header."""
    table, = struct.unpack_from("<Q", file, 40)
    nr, names = struct.unpack_from("<HH", file, 60)
    strings, = struct.unpack_from("<Q", file, table + 64 * names + 24)
    for header in range(table, table + 64 * nr, 64):
        name = strings + struct.unpack_from("<I", file, header)[0]
        if file[name:name + len(wanted) + 1] == wanted + b"\0":
            return header
    sys.exit(f"dwarfsome.py: '{sys.argv[1]}': no {wanted.decode()}")


def main():
    path, every = sys.argv[1], int(sys.argv[2])
    with open(path, "r+b") as f, mmap.mmap(f.fileno(), 0) as file:
        header = header_of(file, b".debug_info")
        flags, _, start, size = struct.unpack_from("<QQQQ", file, header + 8)
        if file[:7] != b"\x7fELF\2\1\1" or flags & 0x800:
            sys.exit(f"dwarfsome.py: '{path}': .debug_info cannot be changed")
        to = at = start
        nr = kept = 0
        while at < start + size:
            length = 4 + struct.unpack_from("<I", file, at)[0]
            if nr % every == 0:
                file.move(to, at, length)
                to += length
                kept += 1
            nr += 1
            at += length
        struct.pack_into("<Q", file, header + 32, to - start)
    print(f"{kept} of {nr} units, {to - start} bytes")


main()
