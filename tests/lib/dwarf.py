# SPDX-License-Identifier: GPL-2.0-only
"""DWARF and ELF by hand, for scripts that write files: 64 bits, little-endian, 32-bit DWARF."""
import struct

TAGS = dict(array=0x01, enum=0x04, param=0x05, lexical_block=0x0b, member=0x0d, pointer=0x0f, compile_unit=0x11,
            struct=0x13, subroutine=0x15, typedef=0x16, union=0x17, inlined=0x1d, subrange=0x21, base=0x24, const=0x26,
            enumerator=0x28, subprogram=0x2e, variable=0x34, volatile=0x35, partial_unit=0x3c, imported_unit=0x3d,
            type_unit=0x41, atomic=0x47, skeleton_unit=0x4a, gnu_annotation=0x6001)
ATTRIBUTES = dict(sibling=0x01, location=0x02, name=0x03, byte_size=0x0b, bit_offset=0x0c, bit_size=0x0d, low_pc=0x11, high_pc=0x12,
                  stmt_list=0x10, decl_file=0x3a, decl_line=0x3b,
                  language=0x13, import_=0x18, const_value=0x1c, inline=0x20, prototyped=0x27, abstract_origin=0x31,
                  upper_bound=0x2f, count=0x37, data_member_location=0x38, declaration=0x3c, encoding=0x3e, external=0x3f,
                  specification=0x47, type=0x49, ranges=0x55, dwo_name=0x76, gnu_annotation=0x2139)
FORMS = dict(addr=0x01, string=0x08, data4=0x06, data1=0x0b, strp=0x0e, udata=0x0f, ref_addr=0x10, ref4=0x13, sec_offset=0x17,
             exprloc=0x18, flag_present=0x19, ref_sig8=0x20, indirect=0x16, unknown=0x7e)
LANG_C11 = b"\x1d"
SHN_ABS = 0xfff1


def uleb(n):
    out = bytearray()
    while n > 0x7f:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def u32(n):
    return struct.pack("<I", n)


def u64(n):
    return struct.pack("<Q", n)


def text(s):
    return s.encode() + b"\0"


def abbrev(code, tag, attributes="", children=False):
    """A declaration; attributes and their forms: "name:string type:ref4"."""
    out = uleb(code) + uleb(TAGS.get(tag, tag)) + bytes([children])
    for pair in attributes.split():
        name, form = pair.split(":")
        out += uleb(ATTRIBUTES[name]) + uleb(FORMS[form])
    return out + b"\0\0"


def unit(dies, version=5, table=0, kind=1, id_=None, addr_size=8, length=None):
    """A unit, of which the header gives the offset of its abbreviations and, if it has one, its id."""
    if version >= 5:
        head = struct.pack("<HBBI", version, kind, addr_size, table) + (b"" if id_ is None else u64(id_))
    else:
        head = struct.pack("<HIB", version, table, addr_size)
    return u32(len(head + dies) if length is None else length) + head + dies


def symbol(name, value=0x1000):
    """A global function of one byte at an absolute address; @name is an offset in .strtab."""
    return struct.pack("<IBBHQQ", name, 0x12, 0, SHN_ABS, value, 1)


def symtab(symbols, strings, index):
    """.strtab, which becomes section @index, and .symtab."""
    return [(".strtab", strings, dict(type=3)),
            (".symtab", bytes(24) + symbols, dict(type=2, align=8, link=index, entsize=24))]


def elf(sections, type_=2):
    """A file of @sections: (name, content) or (name, content, fields of the header)."""
    names = b"\0"
    at = []
    for name, *_ in [*sections, (".shstrtab",)]:
        at.append(len(names))
        names += text(name)
    nr = len(sections) + 2
    offset = 64 + 64 * nr
    head = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", type_, 62, 1, 0, 0, 64, 0, 64, 0, 0, 64,
                                                           nr, nr - 1)
    out = [head, bytes(64)]
    next_ = offset + len(names)
    for name, (_, data, *more) in zip(at, sections):
        f = dict(type=1, flags=0, addr=0, offset=next_, size=len(data), link=0, info=0, align=1, entsize=0)
        f.update(*more)
        out.append(struct.pack("<IIQQQQIIQQ", name, f["type"], f["flags"], f["addr"], f["offset"], f["size"], f["link"],
                               f["info"], f["align"], f["entsize"]))
        next_ += len(data)
    out.append(struct.pack("<IIQQQQIIQQ", at[-1], 3, 0, 0, offset, len(names), 0, 0, 1, 0))
    return b"".join([*out, names, *(s[1] for s in sections)])
