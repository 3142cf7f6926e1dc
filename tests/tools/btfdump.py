#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""btfdump.py FILE - print raw BTF as text that does not depend on ids or their order

The output has a sorted entry for each record that has a name, and for each without a name that nothing refers to. A
type without a name is written where a reference leads to it. Equal records give equal entries, so the output shows
types that should have been merged. It shares no code with btfenc.
"""
import struct
import sys

KINDS = ("VOID INT PTR ARRAY STRUCT UNION ENUM FWD TYPEDEF VOLATILE CONST RESTRICT FUNC FUNC_PROTO VAR DATASEC FLOAT "
         "DECL_TAG TYPE_TAG ENUM64 LOC_PARAM LOC_PROTO LOCSEC").split()
WORDS = dict(INT=1, ARRAY=3, VAR=1, DECL_TAG=1, LOC_PARAM=1)  # behind the three words of a record
WORDS_EACH = dict(STRUCT=3, UNION=3, ENUM=2, ENUM64=3, FUNC_PROTO=2, DATASEC=3, LOC_PARAM=1, LOC_PROTO=1,
                  LOCSEC=3)
MODIFIERS = dict(PTR="*", CONST="const ", VOLATILE="volatile ", RESTRICT="restrict ")
LINKAGES = ("static", "global", "extern")
MAX_DEPTH = 32


class Record:
    def __init__(self, name, info, size_or_type, words):
        self.name, self.kind, self.vlen, self.kflag = name, KINDS[info >> 24 & 0x7f], info & 0xffffff, info >> 31
        self.size = self.type = size_or_type
        # one tuple for each member, enumerator, parameter, variable, word, place or site
        nr = WORDS_EACH.get(self.kind)
        self.each = [tuple(words[i:i + nr]) for i in range(0, len(words), nr)] if nr else []
        self.words = words

    def references(self):
        if self.kind in ("STRUCT", "UNION"):
            return [member[1] for member in self.each]
        if self.kind == "FUNC_PROTO":
            return [self.type, *(param[1] for param in self.each)]
        if self.kind == "DATASEC":
            return [variable[0] for variable in self.each]
        if self.kind == "ARRAY":
            return self.words[:2]
        if self.kind == "LOC_PROTO":
            return self.words
        if self.kind == "LOCSEC":
            return [id_ for site in self.each for id_ in site[:2]]
        return [] if self.kind in ("INT", "FLOAT", "ENUM", "ENUM64", "FWD", "LOC_PARAM") else [self.type]


class Btf:
    def __init__(self, data):
        order = "<" if data[:2] == b"\x9f\xeb" else ">"
        header, types, types_len, strings, strings_len = struct.unpack_from(order + "5I", data, 4)
        self.strings = data[header + strings:header + strings + strings_len]
        words = struct.unpack_from(f"{order}{types_len // 4}I", data, header + types)
        self.records, at = [None], 0
        while at < len(words):
            name, info, size_or_type = words[at:at + 3]
            kind, vlen = KINDS[info >> 24 & 0x7f], info & 0xffffff
            end = at + 3 + WORDS.get(kind, 0) + WORDS_EACH.get(kind, 0) * vlen
            self.records.append(Record(self.string(name), info, size_or_type, words[at + 3:end]))
            at = end

    def string(self, offset):
        return self.strings[offset:self.strings.index(b"\0", offset)].decode("latin-1")

    def body(self, size, lines, depth):
        """Lines in braces, or in one line inside of another type."""
        if depth:
            return f"{size} {{" + "".join(f" {line};" for line in lines) + " }"
        return f"{size} {{" + "".join(f"\n\t{line};" for line in lines) + "\n}"

    def members(self, rec, depth):
        lines = []
        for name, type_, offset in rec.each:
            bit, bits = (offset & 0xffffff, offset >> 24) if rec.kflag else (offset, 0)
            at = f"{bit // 8}.{bit % 8}" if bit % 8 else f"{bit // 8}"
            width = f":{bits}" if bits else ""
            lines.append(f"{at} {self.string(name) if name else '(anon)'}{width} {self.type(type_, depth + 1)}")
        return self.body(f" size {rec.size}", lines, depth)

    def values(self, rec, depth):
        bits = 64 if rec.kind == "ENUM64" else 32
        lines = []
        for name, *words in rec.each:
            value = sum(word << 32 * i for i, word in enumerate(words))
            lines.append(f"{self.string(name)} {value - (value >> bits - 1 << bits) * rec.kflag}")
        return self.body(f" {'signed' if rec.kflag else 'unsigned'} size {rec.size}", lines, depth)

    def prototype(self, rec, depth):
        params = [(self.string(name) + " " if name else "") + self.type(type_, depth + 1) for name, type_ in rec.each]
        if rec.each and rec.each[-1] == (0, 0):
            params[-1] = "..."
        return f"({', '.join(params)}) -> {self.type(rec.type, depth + 1)}"

    def type(self, id_, depth):
        """How a reference to @id_ is written."""
        if not id_:
            return "void"
        if depth > MAX_DEPTH:
            return "..."
        rec = self.records[id_]
        space_name = " " + rec.name if rec.name else ""
        if rec.kind in ("STRUCT", "UNION"):
            return rec.kind.lower() + space_name + ("" if rec.name else self.members(rec, depth + 1))
        if rec.kind == "FWD":
            return ("union" if rec.kflag else "struct") + " " + rec.name
        if rec.kind in ("ENUM", "ENUM64"):
            return "enum" + space_name + ("" if rec.name else self.values(rec, depth + 1))
        if rec.kind == "ARRAY":
            return f"[{rec.words[2]}]" + self.type(rec.words[0], depth + 1)
        if rec.kind == "TYPE_TAG":
            return f"tag({rec.name}) " + self.type(rec.type, depth + 1)
        if rec.kind == "FUNC_PROTO":
            return self.prototype(rec, depth)
        if rec.kind == "LOC_PARAM":
            return f"size {rec.size} flags {rec.words[0]:#x} " + " ".join(f"{word:#x}" for word in rec.words[1:])
        if rec.kind == "LOC_PROTO":
            return "(" + ", ".join(self.type(place, depth + 1) if place else "?" for place in rec.words) + ")"
        if rec.kind in MODIFIERS:
            return MODIFIERS[rec.kind] + self.type(rec.type, depth + 1)
        return rec.name or "(anon)"

    def entry(self, rec):
        """The whole record."""
        kind = rec.kind.lower()
        if kind == "int":
            encoding = rec.words[0] >> 24
            flags = [flag for bit, flag in ((1, " signed"), (2, " char"), (4, " bool")) if encoding & bit]
            return f"int {rec.name} size {rec.size} bits {rec.words[0] & 0xff}" + "".join(flags)
        if kind == "float":
            return f"float {rec.name} size {rec.size}"
        if kind in ("struct", "union"):
            return f"{kind} {rec.name}" + self.members(rec, 0)
        if kind in ("enum", "enum64"):
            return f"{kind} {rec.name}" + self.values(rec, 0)
        if kind == "fwd":
            return f"fwd {'union' if rec.kflag else 'struct'} {rec.name}"
        if kind == "typedef":
            return f"typedef {rec.name} " + self.type(rec.type, 1)
        if kind == "func":
            return f"func {LINKAGES[rec.vlen]} {rec.name}" + self.type(rec.type, 1)
        if kind == "var":
            return f"var {LINKAGES[rec.words[0]]} {rec.name} " + self.type(rec.type, 1)
        if kind == "datasec":
            lines = "".join(f"\n\t{self.records[var].name} size {size}" for var, _, size in rec.each)
            return f"datasec {rec.name} size {rec.size} {{{lines}\n}}"
        if kind == "locsec":
            lines = "".join(f"\n\t{offset:#x} {self.records[func].name} {self.type(places, 1)}"
                            for func, places, offset in rec.each)
            return f"locsec {rec.name} {{{lines}\n}}"
        if kind == "decl_tag":
            of = self.records[rec.type]
            component = "" if rec.words[0] >> 31 else f", component {rec.words[0]}"
            return f"decl_tag '{rec.name}' of {of.kind} {of.name}{component}"
        return f"{rec.kind} {rec.name}"  # a kind that should not have a name

    def entries(self):
        referred = {id_ for rec in self.records[1:] for id_ in rec.references()}
        for id_, rec in enumerate(self.records[1:], 1):
            if rec.name and rec.kind != "TYPE_TAG":
                yield self.entry(rec)
            elif id_ not in referred:
                yield "nameless " + self.type(id_, 0)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: btfdump.py FILE")
    with open(sys.argv[1], "rb") as f:
        btf = Btf(f.read())
    text = "".join(entry + "\n" for entry in sorted(btf.entries()))
    sys.stdout.buffer.write(text.encode("latin-1"))


if __name__ == "__main__":
    main()
