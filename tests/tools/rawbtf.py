#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""rawbtf.py FILE - write BTF with the strings and the words of types that standard input lists in Python

    rawbtf.py int.btf <<\\END
    b'\\0int\\0',
    1, 1 << 24, 4, 0x01000020,      # [1] INT int
    END
"""
import struct
import sys

strings, *words = eval('(' + sys.stdin.read() + ')')
types = struct.pack('=%dI' % len(words), *words)
header = struct.pack('=HBBIIIII', 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(strings))
with open(sys.argv[1], 'wb') as file:
    file.write(header + types + strings)
