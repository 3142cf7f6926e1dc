# SPDX-License-Identifier: GPL-2.0-only
"""A reader of DWARF 4 and 5 for scripts that check btfenc: entries, ranges and location lists. It shares no code with btfenc.

It reads .debug_info of one file, without split units, type units and supplementary files. A kernel has ten million
entries, so the walk compiles one function for each shape of an abbreviation that skips an entry.
"""
import bisect
import struct

from elfread import ET_REL, LINKED, Unsupported, sleb, uleb

# tags
ARRAY, CLASS, ENUMERATION, PARAMETER, LEXICAL_BLOCK, POINTER, REFERENCE = 0x01, 0x02, 0x04, 0x05, 0x0b, 0x0f, 0x10
STRUCTURE, SUBROUTINE_TYPE, TYPEDEF, UNION, UNSPECIFIED_PARAMETERS, INLINED, SUBRANGE = 0x13, 0x15, 0x16, 0x17, 0x18, 0x1d, 0x21
BASE_TYPE, ENUMERATOR, SUBPROGRAM, RVALUE_REFERENCE, CALL_SITE, GNU_CALL_SITE = 0x24, 0x28, 0x2e, 0x42, 0x48, 0x4109

# attributes
SIBLING, LOCATION, NAME, BYTE_SIZE, LOW_PC, HIGH_PC, LANGUAGE, CONST_VALUE = 0x01, 0x02, 0x03, 0x0b, 0x11, 0x12, 0x13, 0x1c
UPPER_BOUND, ABSTRACT_ORIGIN, COUNT, ENCODING, FRAME_BASE, SPECIFICATION, TYPE = 0x2f, 0x31, 0x37, 0x3e, 0x40, 0x47, 0x49
ENTRY_PC, RANGES, STR_OFFSETS_BASE, ADDR_BASE, RNGLISTS_BASE, LOCLISTS_BASE = 0x52, 0x55, 0x72, 0x73, 0x74, 0x8c

# forms
ADDR, BLOCK2, BLOCK4, DATA2, DATA4, DATA8, STRING, BLOCK, BLOCK1, DATA1, FLAG, SDATA, STRP, UDATA, REF_ADDR = (
    0x01, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10)
REF1, REF2, REF4, REF8, REF_UDATA, INDIRECT, SEC_OFFSET, EXPRLOC, FLAG_PRESENT, STRX, ADDRX = range(0x11, 0x1c)
REF_SUP4, STRP_SUP, DATA16, LINE_STRP, REF_SIG8, IMPLICIT_CONST, LOCLISTX, RNGLISTX = range(0x1c, 0x24)
STRX1, STRX2, STRX3, STRX4, ADDRX1, ADDRX2, ADDRX3, ADDRX4 = range(0x25, 0x2d)
FIXED = {DATA1: 1, REF1: 1, FLAG: 1, STRX1: 1, ADDRX1: 1, DATA2: 2, REF2: 2, STRX2: 2, ADDRX2: 2, STRX3: 3, ADDRX3: 3, DATA4: 4,
         REF4: 4, STRX4: 4, ADDRX4: 4, REF_SUP4: 4, DATA8: 8, REF8: 8, REF_SIG8: 8, DATA16: 16, FLAG_PRESENT: 0,
         IMPLICIT_CONST: 0}
OFFSETS = (STRP, LINE_STRP, SEC_OFFSET, STRP_SUP)
LEB = (SDATA, UDATA, REF_UDATA, STRX, ADDRX, LOCLISTX, RNGLISTX)
BLOCKS = {BLOCK1: 1, BLOCK2: 2, BLOCK4: 4}
REFERENCES = (REF1, REF2, REF4, REF8, REF_UDATA)
CONSTANTS = (DATA1, DATA2, DATA4, DATA8, UDATA, SDATA, IMPLICIT_CONST, DATA16)


class Abbrev:
    def __init__(self, tag, children, attributes):
        self.tag, self.children, self.attributes = tag, children, attributes


class Die:
    """An entry that was read: its tag, and for each attribute (form, value, offset of the value in .debug_info)."""

    def __init__(self, unit, offset, tag, children, attributes, end):
        self.unit, self.offset, self.tag, self.children = unit, offset, tag, children
        self.attributes, self.end = attributes, end

    def get(self, attribute):
        return self.attributes.get(attribute)

    def number(self, attribute):
        found = self.attributes.get(attribute)
        return found[1] if found and found[0] in CONSTANTS else None


class Unit:
    def __init__(self, dwarf, offset, first, end, version, wide, address_size, abbrevs):
        self.dwarf, self.offset, self.first, self.end, self.version = dwarf, offset, first, end, version
        self.offset_size, self.address_size, self.abbrev_offset = 8 if wide else 4, address_size, abbrevs
        self.abbrevs = dwarf.abbrevs(abbrevs, self)
        self.language = self.low = None
        header = 16 if wide else 8
        self.bases = {STR_OFFSETS_BASE: header, ADDR_BASE: header, RNGLISTS_BASE: header + 4, LOCLISTS_BASE: header + 4}
        top = dwarf.die(first, self)
        for attribute in self.bases:
            if top.get(attribute):
                self.bases[attribute] = top.get(attribute)[1]
        self.language = top.number(LANGUAGE)
        self.low = dwarf.address_of(top, LOW_PC)
        self.top = top

    def is_c(self):
        return self.language in (0x01, 0x02, 0x0c, 0x1d, 0x2c)


class Dwarf:
    def __init__(self, elf):
        self.elf = elf
        self.sections = {name: elf.find(".debug_" + name) for name in (
            "info", "abbrev", "str", "line_str", "str_offsets", "addr", "rnglists", "loclists", "ranges", "loc")}
        self.data = self.sections["info"].data if self.sections["info"] else b""
        self.formats = {size: struct.Struct(elf.order + letter) for size, letter in ((1, "B"), (2, "H"), (4, "I"), (8, "Q"))}
        self.tables, self.skips, self.dies = {}, {}, {}
        self.units, self.unit_starts = [], []
        self.read_units()

    def number(self, data, at, size):
        if size == 3:
            return int.from_bytes(data[at:at + 3], "little" if self.elf.order == "<" else "big")
        if size == 16:
            return int.from_bytes(data[at:at + 16], "little" if self.elf.order == "<" else "big")
        return self.formats[size].unpack_from(data, at)[0]

    def read_units(self):
        at = 0
        while at < len(self.data):
            length, wide, start = self.number(self.data, at, 4), False, at + 4
            if length == 0xffffffff:
                length, wide, start = self.number(self.data, at + 4, 8), True, at + 12
            size, end = 8 if wide else 4, start + length
            version = self.number(self.data, start, 2)
            if version >= 5:
                kind, address_size = self.data[start + 2], self.data[start + 3]
                abbrevs, first = self.number(self.data, start + 4, size), start + 4 + size
                first += {4: 8, 5: 8, 2: 8 + size, 6: 8 + size}.get(kind, 0)
            else:
                abbrevs, address_size, first = self.number(self.data, start + 2, size), self.data[start + 2 + size], start + 3 + size
            self.unit_starts.append(at)
            self.units.append((at, first, end, version, wide, address_size, abbrevs))
            at = end

    def unit(self, nr):
        if isinstance(self.units[nr], tuple):
            self.units[nr] = Unit(self, *self.units[nr])
        return self.units[nr]

    def unit_of(self, offset):
        return self.unit(bisect.bisect_right(self.unit_starts, offset) - 1)

    def abbrevs(self, offset, unit):
        """The abbreviations at an offset: (abbreviation, function that skips, or the size) by code."""
        key = offset, unit.offset_size, unit.address_size, unit.version > 2
        if key in self.tables:
            return self.tables[key]
        data, at, table = self.sections["abbrev"].data, offset, {}
        while True:
            code, at = uleb(data, at)
            if not code:
                break
            tag, at = uleb(data, at)
            children, attributes = data[at] != 0, []
            at += 1
            while True:
                attribute, at = uleb(data, at)
                form, at = uleb(data, at)
                value = None
                if form == IMPLICIT_CONST:
                    value, at = sleb(data, at)
                if not attribute and not form:
                    break
                attributes.append((attribute, form, value))
            table[code] = Abbrev(tag, children, attributes), self.skip_of([form for _, form, _ in attributes], unit)
        self.tables[key] = table
        return table

    def fixed(self, form, unit):
        if form == ADDR:
            return unit.address_size
        if form in OFFSETS or form == REF_ADDR:
            return unit.offset_size
        return FIXED.get(form)

    def skip_of(self, forms, unit):
        """The size of an entry of these forms, or a function (data, at) -> end."""
        key = tuple(forms), unit.address_size, unit.offset_size
        if key in self.skips:
            return self.skips[key]
        lines, size, simple = [], 0, True
        for form in forms:
            fixed = self.fixed(form, unit)
            if fixed is not None:
                size += fixed
                continue
            simple = False
            if size:
                lines.append(f" p += {size}")
            size = 0
            if form in LEB:
                lines += [" while d[p] > 127: p += 1", " p += 1"]
            elif form == STRING:
                lines += [" p = d.index(0, p) + 1"]
            elif form in BLOCKS:
                lines += [f" p += {BLOCKS[form]} + number(d, p, {BLOCKS[form]})"]
            elif form in (EXPRLOC, BLOCK):
                lines += [" n = d[p]", " p += 1", " if n > 127: n, p = uleb(d, p - 1)", " p += n"]
            else:
                raise Unsupported(f"form {form:#x} is not known")
        if simple:
            result = size
        else:
            scope = {"uleb": uleb, "number": self.number}
            exec("def skip(d, p):\n" + "\n".join(lines) + f"\n return p + {size}\n", scope)  # pylint: disable=exec-used
            result = scope["skip"]
        self.skips[key] = result
        return result

    def value(self, form, at, unit):
        """(value, end); the value of a string is its text, of a block (start, length)."""
        data = self.data
        fixed = self.fixed(form, unit)
        if form == FLAG_PRESENT:
            return True, at
        if fixed is not None:
            return self.number(data, at, fixed), at + fixed
        if form == SDATA:
            return sleb(data, at)
        if form in LEB:
            return uleb(data, at)
        if form == STRING:
            end = data.index(b"\0", at)
            return at, end + 1
        if form in BLOCKS:
            size = BLOCKS[form]
            length = self.number(data, at, size)
            return (at + size, length), at + size + length
        if form in (EXPRLOC, BLOCK):
            length, at = uleb(data, at)
            return (at, length), at + length
        raise Unsupported(f"form {form:#x} is not known")

    def die(self, offset, unit=None):
        """Read the entry at an offset."""
        unit = unit or self.unit_of(offset)
        code, at = uleb(self.data, offset)
        abbrev, attributes = unit.abbrevs[code][0], {}
        for attribute, form, implicit in abbrev.attributes:
            start = at
            if form == IMPLICIT_CONST:
                value = implicit
            else:
                value, at = self.value(form, at, unit)
                if form in REFERENCES:
                    value += unit.offset
            attributes[attribute] = form, value, start
        return Die(unit, offset, abbrev.tag, abbrev.children, attributes, at)

    def cached(self, offset):
        die = self.dies.get(offset)
        if die is None:
            die = self.dies[offset] = self.die(offset)
        return die

    def refers(self, die, attribute):
        """The entry that an attribute refers to, or None."""
        found = die.get(attribute)
        if not found or found[0] not in REFERENCES and found[0] != REF_ADDR:
            return None
        return self.cached(found[1])

    def children(self, die):
        """The direct children of an entry, which are cached."""
        at, depth = die.end, 0
        if not die.children:
            return
        unit, data = die.unit, self.data
        while True:
            code, next_at = uleb(data, at)
            if not code:
                if not depth:
                    return
                depth -= 1
                at = next_at
                continue
            abbrev, skip = unit.abbrevs[code]
            if depth:
                at = next_at + skip if isinstance(skip, int) else skip(data, next_at)
                depth += abbrev.children
                continue
            child = self.cached(at)
            yield child
            sibling = child.get(SIBLING)
            if child.children and sibling:
                at = sibling[1]
            else:
                at = child.end
                depth += child.children

    def string(self, die, attribute):
        found = die.get(attribute)
        if not found:
            return None
        form, value, _ = found
        if form == STRING:
            return self.elf.text(self.data, value)
        if form in (STRX, STRX1, STRX2, STRX3, STRX4):
            size = die.unit.offset_size
            value = self.number(self.sections["str_offsets"].data, die.unit.bases[STR_OFFSETS_BASE] + size * value, size)
            form = STRP
        section = self.sections[{STRP: "str", LINE_STRP: "line_str"}.get(form, "none")]
        return self.elf.text(section.data, value)

    # addresses

    def relocated(self, section, at, value):
        """The address that a section has at an offset."""
        if self.elf.type == ET_REL:
            return section.targets.get(at), value
        return LINKED, value

    def indexed(self, unit, index):
        section, at = self.sections["addr"], unit.bases[ADDR_BASE] + index * unit.address_size
        return self.relocated(section, at, self.number(section.data, at, unit.address_size))

    def address_of(self, die, attribute):
        """The address that an attribute is, or None if it has another class."""
        found = die.get(attribute)
        if not found:
            return None
        form, value, at = found
        if form == ADDR:
            return self.relocated(self.sections["info"], at, value)
        if form in (ADDRX, ADDRX1, ADDRX2, ADDRX3, ADDRX4):
            return self.indexed(die.unit, value)
        return None

    def ranges(self, die):
        """(start, end) of each range of an entry, empty ones too."""
        found = die.get(RANGES)
        if not found:
            return []
        form, value, _ = found
        if die.unit.version < 5:
            return [(start, end) for start, end, _ in self.old_list(self.sections["ranges"], value, die.unit, False)]
        section = self.sections["rnglists"]
        if form == RNGLISTX:
            value = self.list_offset(section, die.unit, RNGLISTS_BASE, value)
        return [(start, end) for start, end, _ in self.new_list(section, value, die.unit, False)]

    def list_offset(self, section, unit, base, index):
        at = unit.bases[base]
        return at + self.number(section.data, at + index * unit.offset_size, unit.offset_size)

    def old_list(self, section, at, unit, locations):
        """Entries of .debug_ranges or .debug_loc: (start, end, expression)."""
        size, data, base, found = unit.address_size, section.data, unit.low, []
        highest = (1 << 8 * size) - 1
        while True:
            first, second = self.number(data, at, size), self.number(data, at + size, size)
            plain = at not in section.targets and at + size not in section.targets
            place, after = at, at + 2 * size
            at = after
            if not first and not second and plain:
                return found
            if first == highest:
                base = self.relocated(section, place + size, second)
                continue
            expression = None
            if locations:
                length = self.number(data, at, 2)
                expression = section, at + 2, length
                at += 2 + length
            if place in section.targets:
                span = self.relocated(section, place, first), self.relocated(section, place + size, second)
            else:
                of, start = base or (LINKED if self.elf.type != ET_REL else None, 0)
                span = (of, start + first & highest), (of, start + second & highest)
            found.append((*span, expression))

    def new_list(self, section, at, unit, locations):
        """Entries of .debug_rnglists or .debug_loclists: (start, end, expression). A default entry has no start."""
        size, data, base, found = unit.address_size, section.data, unit.low, []
        highest = (1 << 8 * size) - 1
        # the kinds of .debug_rnglists as those of .debug_loclists, which has one more
        kinds = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) if locations else (0, 1, 2, 3, 4, 6, 7, 8)
        while True:
            kind, at = kinds[data[at]], at + 1
            span = None
            if kind == 0:
                return found
            if kind == 1:
                index, at = uleb(data, at)
                base = self.indexed(unit, index)
                continue
            if kind in (2, 3):
                first, at = uleb(data, at)
                second, at = uleb(data, at)
                start = self.indexed(unit, first)
                span = start, (self.indexed(unit, second) if kind == 2 else (start[0], start[1] + second))
            elif kind == 4:
                first, at = uleb(data, at)
                second, at = uleb(data, at)
                of, start = base or (LINKED if self.elf.type != ET_REL else None, 0)
                span = (of, start + first & highest), (of, start + second & highest)
            elif kind == 5:
                span = None, None
            elif kind == 6:
                base = self.relocated(section, at, self.number(data, at, size))
                at += size
                continue
            elif kind in (7, 8):
                start = self.relocated(section, at, self.number(data, at, size))
                at += size
                if kind == 7:
                    end = self.relocated(section, at, self.number(data, at, size))
                    at += size
                else:
                    length, at = uleb(data, at)
                    end = start[0], start[1] + length
                span = start, end
            else:  # 9, a pair of views
                _, at = uleb(data, at)
                _, at = uleb(data, at)
                continue
            expression = None
            if locations:
                length, at = uleb(data, at)
                expression = section, at, length
                at += length
            found.append((*span, expression))

    def expression_at(self, die, attribute, address):
        """The expression of an attribute at an address: (section, start, length), or None. DWARF has views of one address,
        which the format and debuggers do not."""
        found = die.get(attribute)
        if not found:
            return None
        form, value, _ = found
        if form in (EXPRLOC, BLOCK, BLOCK1, BLOCK2, BLOCK4):
            return self.sections["info"], *value
        if form not in (SEC_OFFSET, LOCLISTX, DATA4, DATA8):
            return None
        unit, otherwise = die.unit, None
        if unit.version < 5:
            entries = self.old_list(self.sections["loc"], value, unit, True)
        else:
            section = self.sections["loclists"]
            if form == LOCLISTX:
                value = self.list_offset(section, unit, LOCLISTS_BASE, value)
            entries = self.new_list(section, value, unit, True)
        for start, end, expression in entries:
            if start is None:
                otherwise = otherwise or expression
            elif start[0] == address[0] and start[1] <= address[1] < end[1]:
                return expression
        return otherwise
