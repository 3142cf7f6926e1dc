# SPDX-License-Identifier: GPL-2.0-only
"""Builders of BTF and DWARF, for the shapes of tools/growbtf.py and tools/growdwarf.py."""
import struct

from dwarf import abbrev, elf, text, u32, u64, uleb, unit

INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
ET_REL, ET_EXEC = 1, 2
FUNC, PROTO, VAR, DATASEC, DECL_TAG, TYPE_TAG, ENUM64 = 12, 13, 14, 15, 17, 18, 19
LOC_PARAM, LOC_PROTO, LOCSEC = 20, 21, 22


class Btf:
    """BTF whose type 1 is int. The methods return the id of the new type."""

    def __init__(self):
        self.types, self.strings, self.names, self.nr = bytearray(), bytearray(b"\0"), {"": 0}, 0
        self.int = self.add(INT, "int", 4, 0x01000020)

    def name(self, name):
        if name not in self.names:
            self.names[name] = len(self.strings)
            self.strings += text(name)
        return self.names[name]

    def add(self, kind, name="", size_or_type=0, *words, vlen=0):
        self.types += struct.pack(f"<{3 + len(words)}I", self.name(name), kind << 24 | vlen, size_or_type, *words)
        self.nr += 1
        return self.nr

    def struct(self, name, *members, kind=STRUCT):
        """@members are (name, type), 8 bytes each."""
        words = [w for i, (member, type_) in enumerate(members)
                 for w in (self.name(member), type_, 64 * i * (kind == STRUCT))]
        return self.add(kind, name, 8 * (len(members) if kind == STRUCT else 1), *words, vlen=len(members))

    def enum(self, name, *values):
        words = [w for i, value in enumerate(values) for w in (self.name(value), i)]
        return self.add(ENUM, name, 4, *words, vlen=len(values))

    def proto(self, returns, *params):
        words = [w for name, type_ in params for w in (self.name(name), type_)]
        return self.add(PROTO, "", returns, *words, vlen=len(params))

    def func(self, name, proto):
        return self.add(FUNC, name, proto, vlen=1)

    def next(self, ahead=0):
        """The id of the next type, or of one of those after it."""
        return self.nr + 1 + ahead

    def bytes(self):
        return struct.pack("<HBB5I", 0xeb9f, 1, 0, 24, 0, len(self.types), len(self.types),
                           len(self.strings)) + self.types + self.strings


class Addr(int):
    """An address, as the value of an attribute."""


class Sig(int):
    """The signature of a type unit."""


class Global(int):
    """An offset in .debug_info."""


class List(int):
    """An offset in a section of lists."""


class Later:
    """A reference to a DIE of the unit that does not exist yet; @at is its offset."""


def named(name):
    return {"name": name} if name else {}


class Dwarf:
    """An ELF file with DWARF 5. All units share one table of abbreviations. Methods for types return their offset in the unit."""

    ADDRESSES = {".text": 0x400000, ".data": 0x40000000, ".data..percpu": 0x80000000}
    REFERENCES = {"type", "abstract_origin", "specification", "import_", "sibling", "gnu_annotation"}

    def __init__(self):
        self.info, self.length, self.dies = [], 0, None
        self.strings, self.names, self.codes = bytearray(b"\0"), {}, {}
        self.symbols, self.symbol_names = ([], []), bytearray(b"\0")
        self.sections, self.index_of, self.type = [], {}, ET_EXEC
        for name, addr in self.ADDRESSES.items():
            self.section(name, addr=addr)

    # --- units

    def begin(self, kind=1, id_=None):
        """End the current unit and begin one. Returns the offset of its header in .debug_info."""
        self.finish()
        self.kind, self.id, self.dies, self.type_at, self.later = kind, id_, bytearray(), 0, []
        self.head = 12 if id_ is None else 24 if kind == 2 else 20
        return self.length

    def finish(self):
        if self.dies is None:
            return
        self.end()
        for at, reference in self.later:
            self.dies[at:at + 4] = u32(reference.at)
        # the header of a type unit has another field: the offset of the type
        data = unit((u32(self.type_at) if self.kind == 2 else b"") + self.dies, kind=self.kind, id_=self.id)
        self.info.append(data)
        self.length += len(data)
        self.dies = None

    def unit(self, name="a.c", **attributes):
        """Begin a unit of C. Returns its type int."""
        self.begin()
        self.die("compile_unit", True, name=name, language=0x1d, **attributes)
        self.int = self.die("base", name="int", byte_size=4, encoding=5)
        return self.int

    def type_unit(self, signature):
        self.begin(2, signature)
        self.die("type_unit", True, language=0x1d)

    def at(self):
        """The offset of the next DIE in its unit."""
        return self.head + len(self.dies)

    def name(self, name):
        if name not in self.names:
            self.names[name] = len(self.strings)
            self.strings += text(name)
        return self.names[name]

    def value(self, attribute, value):
        """The form and the bytes of a value."""
        if value is True:
            return "flag_present", b""
        if isinstance(value, str):
            return "strp", u32(self.name(value))
        if isinstance(value, bytes):
            return "exprloc", uleb(len(value)) + value
        if isinstance(value, Addr):
            return "addr", u64(value)
        if isinstance(value, Sig):
            return "ref_sig8", u64(value)
        if isinstance(value, Global):
            return "ref_addr", u32(value)
        if isinstance(value, Later):
            return "ref4", value
        if isinstance(value, List):
            return "sec_offset", u32(value)
        return "ref4" if attribute in self.REFERENCES else "data4", u32(value)

    def die(self, tag, children=False, **attributes):
        """Append a DIE. If it has @children, end() ends them."""
        at = self.at()
        values = [(name, *self.value(name, value)) for name, value in attributes.items()]
        key = tag, children, " ".join(f"{name}:{form}" for name, form, _ in values)
        self.dies += uleb(self.codes.setdefault(key, len(self.codes) + 1))
        for _, _, data in values:
            if isinstance(data, Later):
                self.later.append((len(self.dies), data))
                data = bytes(4)
            self.dies += data
        return at

    def end(self):
        self.dies += b"\0"

    # --- types, functions and variables

    def struct(self, name, *members, tag="struct"):
        """@members are (name, type), 8 bytes each. An empty name is none."""
        at = self.die(tag, True, **named(name), byte_size=8 * len(members))
        for i, (member, type_) in enumerate(members):
            self.die("member", **named(member), type=type_, data_member_location=8 * i * (tag == "struct"))
        self.end()
        return at

    def ptr(self, type_):
        return self.die("pointer", byte_size=8, type=type_)

    def typedef(self, name, type_):
        return self.die("typedef", name=name, type=type_)

    def declared(self, name):
        return self.die("struct", name=name, declaration=True)

    def array(self, type_, nr):
        at = self.die("array", True, type=type_)
        self.die("subrange", type=self.int, count=nr)
        self.end()
        return at

    def enum(self, name, *values):
        at = self.die("enum", True, **named(name), byte_size=4, type=self.int)
        for i, value in enumerate(values):
            self.die("enumerator", name=value, const_value=i)
        self.end()
        return at

    def proto(self, returns, *params):
        at = self.die("subroutine", True, prototyped=True, type=returns)
        for type_ in params:
            self.die("param", type=type_)
        self.end()
        return at

    def func(self, name, *params, slot=0, external=True, symbol=True, **more):
        """A function that returns int; @params are (name, type). Its code is at @slot * 16 in .text."""
        addr = self.ADDRESSES[".text"] + 16 * slot
        at = self.die("subprogram", True, **({"external": True} if external else {}), name=name, prototyped=True,
                      low_pc=Addr(addr), high_pc=16, type=self.int, **more)
        for param, type_ in params:
            self.die("param", name=param, type=type_)
        self.end()
        if symbol:
            self.symbol(name, 2, ".text", addr, 16, external)
        return at

    def var(self, name, type_, slot=0, section=".data..percpu", external=True, size=4):
        addr = self.ADDRESSES[section] + 8 * slot
        self.die("variable", name=name, type=type_, **({"external": True} if external else {}),
                 location=b"\3" + u64(addr))
        self.symbol(name, 1, section, addr, size, external)

    def symbol(self, name, type_, section, addr, size, external=True):
        self.symbols[external].append(struct.pack("<IBBHQQ", len(self.symbol_names), 16 * external + type_, 0,
                                                  self.index_of[section], addr, size))
        self.symbol_names += text(name)

    def section(self, name, data=b"", **fields):
        """Without @data, a section of zeros that is loaded."""
        self.sections.append((name, data, fields if data else {**dict(type=8, flags=3, size=0x1000000), **fields}))
        self.index_of[name] = len(self.sections)

    def lines(self, nr):
        """A line table of DWARF 4 with @nr files in one folder, at offset 0 of .debug_line."""
        files = b"".join(text(f"f{k}.h") + b"\1\0\0" for k in range(nr))
        rest = bytes(5) + b"\1" + text("/include") + b"\0" + files + b"\0"
        table = struct.pack("<HI", 4, len(rest)) + rest
        self.section(".debug_line", u32(len(table)) + table)

    def bytes(self):
        self.finish()
        if not self.symbols[True]:
            self.symbol("nothing", 2, ".text", self.ADDRESSES[".text"], 1)
        table = b"".join(abbrev(code, tag, attributes, children)
                         for (tag, children, attributes), code in self.codes.items())
        local = [bytes(24), *self.symbols[False]]
        sections = list(self.sections)
        if self.info:
            sections += [(".debug_info", b"".join(self.info)), (".debug_abbrev", table + b"\0"),
                         (".debug_str", bytes(self.strings))]
        sections += [(".strtab", bytes(self.symbol_names), dict(type=3)),
                     (".symtab", b"".join(local + self.symbols[True]),
                      dict(type=2, align=8, link=len(sections) + 1, info=len(local), entsize=24))]
        return elf(sections, self.type)
