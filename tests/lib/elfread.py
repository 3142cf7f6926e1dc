# SPDX-License-Identifier: GPL-2.0-only
"""A reader of ELF files for scripts that check btfenc: sections, symbols, and relocated bytes. It shares no code with btfenc.

A file with something that the reader does not know raises Unsupported. An address is a pair (section, number). In a relocatable file, the number is an offset in that section. In a linked file,
the section is LINKED and the number is a virtual address.
"""
import bisect
import struct
import zlib

LINKED = -1
SHF_ALLOC, SHF_EXECINSTR, SHF_COMPRESSED = 2, 4, 0x800
SHT_SYMTAB, SHT_RELA, SHT_NOBITS, SHT_REL = 2, 4, 8, 9
ET_REL, PT_LOAD, SHN_LORESERVE, SHN_XINDEX = 1, 1, 0xff00, 0xffff

# What the relocations of debug sections do, by machine: a size to store, or an operation and a size. A name that begins
# with "u" is for a ULEB128. TLS relocations store an offset, which is no address: "tls".
RELOCATIONS = {
    3: {1: 4, 32: ("tls", 4), 36: ("tls", 4)},                                    # i386
    62: {1: 8, 10: 4, 11: 4, 17: ("tls", 8), 21: ("tls", 4), 14: 1, 12: 2},       # x86-64
    183: {257: 8, 258: 4, 259: 2, 1029: ("tls", 8)},                              # aarch64
    40: {2: 4, 38: 4, 106: ("tls", 4)},                                           # arm
    20: {1: 4, 78: ("tls", 4)},                                                   # powerpc
    21: {38: 8, 1: 4, 78: ("tls", 8)},                                            # powerpc64
    22: {22: 8, 4: 4, 54: ("tls", 4), 55: ("tls", 8)},                            # s390
    8: {2: 4, 18: 8, 39: ("tls", 4), 41: ("tls", 8)},                             # mips
    2: {3: 4, 23: 4, 78: ("tls", 4)},                                             # sparc
    43: {3: 4, 23: 4, 32: 8, 54: 8, 79: ("tls", 8)},                              # sparc v9
    4: {1: 4},                                                                    # m68k
    15: {1: 4, 41: 4, 80: 8},                                                     # hppa
    42: {1: 4},                                                                   # sh
    94: {1: 4, 17: None, 18: None, 19: None},                                     # xtensa
    164: {6: 4},                                                                  # hexagon
    195: {4: 4},                                                                  # arc
    252: {1: 4},                                                                  # csky
    0x9026: {1: 4, 2: 8},                                                         # alpha
    243: {1: 4, 2: 8, 8: ("tls", 4), 9: ("tls", 8), 33: ("add", 1), 34: ("add", 2), 35: ("add", 4), 36: ("add", 8),
          37: ("sub", 1), 38: ("sub", 2), 39: ("sub", 4), 40: ("sub", 8), 52: ("sub6", 1), 53: ("set6", 1), 54: ("set", 1),
          55: ("set", 2), 56: ("set", 4), 60: ("uset", 0), 61: ("usub", 0), 51: None, 0: None},           # riscv
    258: {1: 4, 2: 8, 8: ("tls", 4), 9: ("tls", 8), 47: ("add", 1), 48: ("add", 2), 50: ("add", 4), 51: ("add", 8),
          52: ("sub", 1), 53: ("sub", 2), 55: ("sub", 4), 56: ("sub", 8), 105: ("add6", 1), 106: ("sub6", 1),
          107: ("uadd", 0), 108: ("usub", 0), 100: None, 102: None, 0: None},                             # loongarch
}
EM_MIPS, EM_SPARCV9 = 8, 43


def uleb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def sleb(data, at):
    start = at
    value, at = uleb(data, at)
    bits = 7 * (at - start)
    return (value - (1 << bits) if data[at - 1] & 0x40 else value), at


class Unsupported(Exception):
    """The reader does not know a relocation, a compression or a form of DWARF."""


class Section:
    def __init__(self, index, fields):
        self.index = index
        (self.name_at, self.type, self.flags, self.addr, self.offset, self.size, self.link, self.info, _,
         self.entsize) = fields
        self.name = ""
        self.data = None      # relocated bytes
        self.targets = {}     # the section that the address at an offset of the data is in


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.file = file.read()
        if self.file[:4] != b"\x7fELF":
            raise ValueError("not an ELF file")
        self.wide, self.order = self.file[4] == 2, "<" if self.file[5] == 1 else ">"
        self.word = 8 if self.wide else 4
        number = "Q" if self.wide else "I"
        self.type, self.machine, _, _, phoff, shoff, _, _, phentsize, phnum, shentsize, shnum, names = self.unpack(
            f"HHI{number}{number}{number}IHHHHHH", 16)
        header = "IIQQQQIIQQ" if self.wide else "10I"
        first = Section(0, self.unpack(header, shoff))
        shnum, names = shnum or first.size, first.link if names == SHN_XINDEX else names
        self.sections = [Section(i, self.unpack(header, shoff + i * shentsize)) for i in range(shnum)]
        strings = self.sections[names]
        for section in self.sections:
            section.name = self.text(self.file, strings.offset + section.name_at)
        loads = []
        for i in range(phnum):
            at = phoff + i * phentsize
            kind, address = self.unpack("I4xQQ", at)[::2] if self.wide else self.unpack("I4xI", at)
            loads += [address] if kind == PT_LOAD else []
        self.lowest_load = min(loads, default=None)
        self.symbols = None
        spans = sorted((s.addr, s.size, s.index) for s in self.sections if s.flags & SHF_ALLOC and s.size and s.addr + s.size)
        self.spans = [span for span in spans if not self.sections[span[2]].flags & 0x400]  # SHF_TLS sections overlap others
        self.starts = [span[0] for span in self.spans]

    def unpack(self, form, at):
        return struct.unpack_from(self.order + form, self.file, at)

    @staticmethod
    def text(data, at):
        return data[at:data.index(b"\0", at)].decode("latin-1")

    def find(self, name):
        """The section of this name, with its bytes, or None."""
        for section in self.sections:
            if section.name == name:
                self.load(section)
                return section
        return None

    def load(self, section):
        if section.data is not None:
            return
        section.data = b"" if section.type == SHT_NOBITS else self.file[section.offset:section.offset + section.size]
        if section.flags & SHF_COMPRESSED:
            kind, = struct.unpack_from(self.order + "I", section.data)
            if kind != 1:
                raise Unsupported(f"{section.name}: compressed, but not with zlib")
            section.data = zlib.decompress(section.data[24 if self.wide else 12:])
        if self.type == ET_REL:
            for other in self.sections:
                if other.type in (SHT_RELA, SHT_REL) and other.info == section.index:
                    self.relocate(section, other)

    def read_symbols(self):
        """(value, section, name offset, type) of each symbol."""
        if self.symbols is not None:
            return
        self.symbols, self.symbol_strings = [], 0
        table = next((s for s in self.sections if s.type == SHT_SYMTAB), None)
        if not table:
            return
        self.symbol_strings = self.sections[table.link].offset
        extended = next((s for s in self.sections if s.type == 18 and s.link == table.index), None)  # SHT_SYMTAB_SHNDX
        data = self.file[table.offset:table.offset + table.size]
        form = struct.Struct(self.order + ("IBBHQQ" if self.wide else "IIIBBH"))
        for i, fields in enumerate(form.iter_unpack(data)):
            name, info, _, section, value, _ = fields if self.wide else (
                fields[0], fields[3], fields[4], fields[5], fields[1], fields[2])
            if section == SHN_XINDEX and extended:
                section, = self.unpack("I", extended.offset + 4 * i)
            elif section >= SHN_LORESERVE:
                section = 0
            self.symbols.append((value, section, name, info & 15))

    def symbol_address(self, wanted):
        self.read_symbols()
        for value, _, name, _ in self.symbols:
            at = self.symbol_strings + name
            if self.file[at:at + len(wanted) + 1] == wanted + b"\0":
                return value
        return None

    def relocate(self, section, relocations):
        """Apply relocations to a section, and note which section each address is in."""
        self.read_symbols()
        rela = relocations.type == SHT_RELA
        form = struct.Struct(self.order + ("Q" if self.wide else "I") * (3 if rela else 2))
        table = self.file[relocations.offset:relocations.offset + relocations.size]
        data, rules = bytearray(section.data), RELOCATIONS.get(self.machine)
        if rules is None:
            raise Unsupported(f"relocations of machine {self.machine} are not known")
        formats = {1: self.order + "B", 2: self.order + "H", 4: self.order + "I", 8: self.order + "Q"}
        for at, info, *addend in form.iter_unpack(table):
            symbol, kind = (info >> 32, info & 0xffffffff) if self.wide else (info >> 8, info & 0xff)
            if self.wide and self.machine == EM_MIPS and self.order == "<":
                symbol, kind = info & 0xffffffff, info >> 56
            elif self.machine == EM_SPARCV9 or self.machine == EM_MIPS:
                kind &= 0xff
            if kind not in rules:
                raise Unsupported(f"{section.name}+{at:#x}: relocation {kind} of machine {self.machine} is not known")
            rule = rules[kind]
            if rule is None:
                continue
            operation, size = rule if isinstance(rule, tuple) else ("", rule)
            value, of, _, _ = self.symbols[symbol]
            if addend:
                value += addend[0] - (1 << (64 if self.wide else 32) if addend[0] >> (63 if self.wide else 31) else 0)
            elif not operation or operation == "tls":
                value += struct.unpack_from(formats[size], data, at)[0]
            if operation in ("", "tls"):
                struct.pack_into(formats[size], data, at, value & (1 << 8 * size) - 1)
                section.targets[at] = None if operation else of
            elif operation[0] == "u":
                self.relocate_uleb(data, at, operation, value)
            else:
                self.combine(data, at, operation, value, formats[size], size)
        section.data = bytes(data)

    @staticmethod
    def combine(data, at, operation, value, form, size):
        old, = struct.unpack_from(form, data, at)
        new = {"add": old + value, "sub": old - value, "set": value}[operation.rstrip("6")]
        if operation[-1] == "6":
            new = old & 0xc0 | ({"add6": old + value, "sub6": old - value, "set6": value}[operation] & 0x3f)
        struct.pack_into(form, data, at, new & (1 << 8 * size) - 1)

    @staticmethod
    def relocate_uleb(data, at, operation, value):
        old, end = uleb(data, at)
        bits = 7 * (end - at)
        new = {"uset": value, "uadd": old + value, "usub": old - value}[operation] & (1 << bits) - 1
        for i in range(at, end):
            data[i] = new & 0x7f | (0x80 if i + 1 < end else 0)
            new >>= 7

    def place(self, address):
        """The section that an address is in, and its offset there: (Section, offset), or None."""
        section, number = address
        if section is None or section == 0:
            return None
        if section != LINKED:
            found = self.sections[section]
            return (found, number) if number < found.size else None
        start, size, index = self.spans[bisect.bisect_right(self.starts, number) - 1] if self.spans else (0, 0, 0)
        return (self.sections[index], number - start) if start <= number < start + size else None
