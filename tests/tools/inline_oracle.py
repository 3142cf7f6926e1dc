#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""inline_oracle.py [--inline FILE] [--base FILE] [--units N/M] ELF [BTF] - check inline BTF against the DWARF of a file

BTF is raw BTF or a file with .BTF, by default ELF. With --inline, the sites are in FILE, split BTF over BTF. With --base,
BTF is split BTF over FILE. Both may be raw BTF or ELF files (--inline: with .BTF.inline). --units N/M checks the
sites of each M-th unit only, from N on, and --count reads no BTF.

The tool finds each inlined function that has a name and an address, evaluates the location of each parameter at this
address, and compares the result with the LOCSEC. It shares no code with btfenc and does not know its patterns of
expressions: lib/dwarfplace.py evaluates an expression with symbols for the registers. It prints the numbers of
sites and places, the first 20 differences and, with --shapes, the expressions that the format cannot describe. The exit status
is 1 if there is a difference, and 77 if the reader of DWARF does not support the file.
"""
import argparse
import collections
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import dwarfread as dw  # noqa: E402
from dwarfplace import Machine  # noqa: E402
from elfread import ET_REL, SHF_EXECINSTR, Elf, Unsupported, uleb  # noqa: E402

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
FUNC, FUNC_PROTO, LOC_PARAM, LOC_PROTO, LOCSEC = 12, 13, 20, 21, 22
SIGNED, CONST, ADDR, REG, DEREF, OFFSET = 1, 2, 4, 8, 0x10, 0x20
CFA = 0xffffffff
MAX_CHAIN = 16


# BTF

class Btf:
    """Raw BTF, maybe over a base: the kinds that sites need."""

    WORDS = {1: 1, 3: 3, 14: 1, 17: 1, LOC_PARAM: 1}
    EACH = {4: 3, 5: 3, 6: 2, 19: 3, FUNC_PROTO: 2, 15: 3, LOC_PARAM: 1, LOC_PROTO: 1, LOCSEC: 3}

    def __init__(self, data, base=None):
        self.base, self.order = base, "<" if data[:2] == b"\x9f\xeb" else ">"
        header, types, types_len, strings, strings_len = struct.unpack_from(self.order + "5I", data, 4)
        self.own_strings = data[header + strings:header + strings + strings_len]
        self.strings_before = base.nr_strings if base else 0
        self.nr_strings = self.strings_before + strings_len
        words = struct.unpack_from(f"{self.order}{types_len // 4}I", data, header + types)
        self.first, self.records, at = (base.first + len(base.records) if base else 1), [], 0
        while at < len(words):
            info = words[at + 1]
            kind, vlen = info >> 24 & 0x7f, info & 0xffffff
            end = at + 3 + self.WORDS.get(kind, 0) + self.EACH.get(kind, 0) * vlen
            self.records.append((kind, words[at:end]))
            at = end

    def record(self, index):
        """(kind, words) of a type."""
        if index == 0:
            return 0, ()
        if index < self.first:
            return self.base.record(index)
        return self.records[index - self.first]

    def text(self, offset):
        if offset < self.strings_before:
            return self.base.text(offset)
        at = offset - self.strings_before
        return self.own_strings[at:self.own_strings.index(b"\0", at)].decode("latin-1")

    def locsecs(self):
        """(section name, [(func, loc_proto, offset)]) of each LOCSEC."""
        for kind, words in self.records:
            if kind == LOCSEC:
                yield self.text(words[0]), list(zip(words[3::3], words[4::3], words[5::3]))


class BtfSites:
    """Names of parameters and places of each site, by (section, offset, function)."""

    def __init__(self, btf):
        self.btf, self.errors, self.protos, self.places = btf, [], {}, {}
        self.sites = collections.defaultdict(list)
        for name, entries in btf.locsecs():
            if not name.startswith("inline"):
                self.errors.append(f"LOCSEC '{name}': no prefix")
            if [entry[2] for entry in entries] != sorted(entry[2] for entry in entries):
                self.errors.append(f"LOCSEC '{name}': not in the order of offsets")
            for func, proto, offset in entries:
                self.add(name[len("inline"):], func, proto, offset)

    def add(self, section, func, proto, offset):
        kind, words = self.btf.record(func)
        if kind != FUNC:
            self.errors.append(f"{section}+{offset:#x}: type {func} is no FUNC")
            return
        name = self.btf.text(words[0])
        if words[1] & 0xffffff:
            self.errors.append(f"{section}+{offset:#x} {name}: the FUNC is not static")
        self.sites[section, offset, name].append((self.prototype(words[2]), self.slots(proto)))

    def prototype(self, index):
        """The names of parameters; "..." is None."""
        if index not in self.protos:
            kind, words = self.btf.record(index)
            if kind != FUNC_PROTO:
                self.errors.append(f"type {index} is no FUNC_PROTO")
            self.protos[index] = tuple(self.btf.text(name) if name or param else None
                                       for name, param in zip(words[3::2], words[4::2]))
        return self.protos[index]

    def slots(self, index):
        if index not in self.places:
            kind, words = self.btf.record(index)
            if kind != LOC_PROTO or words[0] or words[1] >> 31 or words[2]:
                self.errors.append(f"type {index} is no valid LOC_PROTO")
            self.places[index] = tuple(self.place(i) for i in words[3:])
        return self.places[index]

    def place(self, index):
        """(size, signed, place) of a LOC_PARAM. Its flags and words must be valid, and as short as possible."""
        if index == 0:
            return None
        if index in self.places:
            return self.places[index]
        kind, words = self.btf.record(index)
        size, flags, values = (*words[2:4], words[4:]) if kind == LOC_PARAM else (0, 0, ())
        place = self.decode(size, flags & ~SIGNED, flags & SIGNED, values)
        if kind != LOC_PARAM or words[0] or words[1] >> 31 or not 1 <= size <= 16 or place is None:
            self.errors.append(f"type {index} is no valid LOC_PARAM: {words}")
        self.places[index] = size, flags & SIGNED, place
        return self.places[index]

    @staticmethod
    def decode(size, flags, signed, values):
        if flags in (CONST, CONST | ADDR) and size <= 8 and len(values) == (2 if size > 4 else 1):
            value, bits = values[0] | (values[1] << 32 if size > 4 else 0), 64 if size > 4 else 32
            number = value & (1 << 8 * size) - 1
            extended = number - (1 << 8 * size) if signed and number >> (8 * size - 1) else number
            if extended & (1 << bits) - 1 != value:
                return None
            return "addr" if flags & ADDR else "const", number
        if flags == REG and not signed and len(values) in (1, 2):
            return ("reg", *values)
        if flags == REG | DEREF and not signed and len(values) == 1:
            return "mem", values[0], 0
        if flags in (REG | OFFSET, REG | DEREF | OFFSET) and len(values) == 2:
            offset = values[1] - (1 << 32 if signed and values[1] >> 31 else 0)
            if offset:
                return "mem" if flags & DEREF else "val", values[0], offset
        return None


def read_btf(path, section, base=None):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"\x7fELF":
        found = Elf(path).find(section)
        if not found:
            sys.exit(f"inline_oracle.py: '{path}' has no {section}")
        data = found.data
    return Btf(data, base)


# DWARF

class Origin:
    """The function that was inlined: its name, the names of its parameters, and their indexes by offset."""

    def __init__(self, dwarf, die):
        self.name, self.params, self.index, self.variadic, chain = None, [], {}, False, []
        declared = False
        while die and len(chain) < MAX_CHAIN:
            chain.append((die, declared))
            origin = dwarf.refers(die, dw.ABSTRACT_ORIGIN)
            declared |= not origin
            die = origin or dwarf.refers(die, dw.SPECIFICATION)
        for die, declared in chain:
            self.name = self.name or dwarf.string(die, dw.NAME)
            # Rust may declare a parameter that the function does not have
            if not self.params and not self.variadic and not declared:
                for child in dwarf.children(die):
                    if child.tag == dw.PARAMETER:
                        self.index[child.offset] = len(self.params)
                        self.params.append(child)
                    elif child.tag == dw.UNSPECIFIED_PARAMETERS:
                        self.variadic = True
        self.names = tuple(parameter_name(dwarf, param) for param in self.params) + (None,) * self.variadic


def parameter_name(dwarf, die):
    for _ in range(MAX_CHAIN):
        name = dwarf.string(die, dw.NAME)
        die = dwarf.refers(die, dw.ABSTRACT_ORIGIN)
        if name or not die:
            return name or ""
    return ""


class Types:
    """Size and sign of types."""

    def __init__(self, dwarf):
        self.dwarf, self.known = dwarf, {}

    def of_parameter(self, die):
        for _ in range(MAX_CHAIN):
            found = self.dwarf.refers(die, dw.TYPE)
            if found:
                return self.of(found)
            die = self.dwarf.refers(die, dw.ABSTRACT_ORIGIN)
            if not die:
                break
        return 0, 0

    def of(self, die):
        if die.offset not in self.known:
            self.known[die.offset] = 0, 0  # a type may refer to itself
            self.known[die.offset] = self.compute(die)
        return self.known[die.offset]

    def compute(self, die):
        size, inner = die.number(dw.BYTE_SIZE), self.dwarf.refers(die, dw.TYPE)
        if die.tag == dw.BASE_TYPE:
            return size or 0, int(die.number(dw.ENCODING) in (5, 6, 0xd))
        if die.tag in (dw.POINTER, dw.REFERENCE, dw.RVALUE_REFERENCE):
            return (die.unit.address_size if size is None else size), 0
        if die.tag == dw.ENUMERATION:
            inner_size, sign = self.of(inner) if inner else (0, None)
            if sign is None:
                sign = int(any(self.negative(child) for child in self.dwarf.children(die)))
            return size or inner_size, sign
        if die.tag in (dw.STRUCTURE, dw.UNION, dw.CLASS):
            return size or 0, 0
        if die.tag == dw.ARRAY:
            return size or self.array(die, inner), 0
        if inner:
            inner_size, sign = self.of(inner)
            return size or inner_size, sign
        return size or 0, 0

    @staticmethod
    def negative(die):
        found = die.get(dw.CONST_VALUE)
        return found and found[0] in (dw.SDATA, dw.IMPLICIT_CONST) and found[1] < 0

    def array(self, die, inner):
        size = self.of(inner)[0] if inner else 0
        for child in self.dwarf.children(die):
            if child.tag == dw.SUBRANGE:
                count, upper = child.number(dw.COUNT), child.number(dw.UPPER_BOUND)
                size *= count if count is not None else upper + 1 if upper is not None else 0
        return size


class Site:
    def __init__(self, die, function):
        self.die, self.function, self.params = die, function, []


LEAF, DESCEND, SKIP, FUNCTION, INLINED, PARAMETER, BLOCK = range(7)
SKIPPED_TREES = (dw.ENUMERATION, dw.ARRAY, dw.SUBROUTINE_TYPE, dw.CALL_SITE, dw.GNU_CALL_SITE)
SKIPPED_IN_C = (dw.STRUCTURE, dw.UNION)


def actions_of(unit):
    """By code of an abbreviation: what the walk does, how it skips the entry, and where the sibling is."""
    found = {}
    for code, (abbrev, skip) in unit.abbrevs.items():
        sibling = at = 0
        for attribute, form, _ in abbrev.attributes:
            size = unit.dwarf.fixed(form, unit)
            if attribute == dw.SIBLING and form == dw.REF4:
                sibling = at + 1
            if size is None:
                break
            at += size
        action = DESCEND if abbrev.children else LEAF
        if abbrev.tag in (dw.SUBPROGRAM, dw.INLINED, dw.PARAMETER, dw.LEXICAL_BLOCK):
            action = {dw.SUBPROGRAM: FUNCTION, dw.INLINED: INLINED, dw.PARAMETER: PARAMETER, dw.LEXICAL_BLOCK: BLOCK}[abbrev.tag]
            action = LEAF if action in (FUNCTION, BLOCK) and not abbrev.children else action
        elif abbrev.children and sibling and (
                abbrev.tag in SKIPPED_TREES or abbrev.tag in SKIPPED_IN_C and unit.is_c()):
            action = SKIP
        found[code] = action, skip, abbrev.children, sibling - 1
    return found


def sites_of(dwarf, unit, stats):
    """Each inlined function of a unit, with the entries of its parameters."""
    data, at, end = dwarf.data, unit.first, unit.end
    actions, stack, found = actions_of(unit), [], []
    function = site = None
    inside = False  # in a block of the site
    while at < end:
        start = at
        code = data[at]
        at += 1
        if code > 127:
            code, at = uleb(data, start)
        if not code:
            if not stack:
                break
            function, site, inside = stack.pop()
            continue
        action, skip, children, sibling = actions[code]
        if action == SKIP:
            at = unit.offset + dwarf.number(data, at + sibling, 4)
            continue
        if action == PARAMETER and site:
            site.params.append(dwarf.die(start, unit))
            stats["parameters in a block"] += inside
        at = at + skip if skip.__class__ is int else skip(data, at)
        if action == INLINED:
            found.append(Site(dwarf.die(start, unit), function))
            if children:
                stack.append((function, site, inside))
                site, inside = found[-1], False
        elif children:
            stack.append((function, site, inside))
            if action == FUNCTION:
                function, site, inside = dwarf.die(start, unit), None, False
            elif action == BLOCK:
                inside = True
            else:
                site = None
    return found


def address_of(dwarf, die, stats):
    """The address where the inlined code is entered, or None."""
    entry = die.get(dw.ENTRY_PC)
    spans, low = dwarf.ranges(die), dwarf.address_of(die, dw.LOW_PC)
    filled = [start for start, end in spans if start[1] < end[1]]
    if spans and not filled:
        stats["all ranges empty"] += 1
    elif spans and spans[0][0] != filled[0]:
        stats["first range empty"] += 1
    if entry:
        address = dwarf.address_of(die, dw.ENTRY_PC)
        if not address and entry[0] in dw.CONSTANTS:
            of, start = low or (spans[0][0] if spans else (None, 0))
            address = of, start + entry[1]
            stats["entry_pc is an offset"] += 1
        stats["by entry_pc"] += 1
        return address
    if low:
        stats["by low_pc"] += 1
        return low
    if filled:
        stats["by ranges"] += 1
        return filled[0]
    stats["no address"] += 1
    return None


# places

class Expected:
    """The places of parameters that DWARF gives."""

    def __init__(self, dwarf):
        self.dwarf, self.elf = dwarf, dwarf.elf
        text = self.elf.symbol_address(b"_text")
        self.base = None if self.elf.type == ET_REL else self.elf.lowest_load if text is None else text
        self.little = self.elf.order == "<"

    def parameter(self, die, size, site, address, stats):
        """(place or None, whether it may be missing, shape of the expression)"""
        constant = die.get(dw.CONST_VALUE)
        word = self.elf.word
        if constant and not die.get(dw.LOCATION):
            location, shape = self.constant(constant, die), "const_value"
        elif die.get(dw.LOCATION):
            found = self.dwarf.expression_at(die, dw.LOCATION, address)
            if not found:
                return None, True, "(not at the address)"
            word = die.unit.address_size
            machine = Machine(self.dwarf, die.unit, site.function, address)
            location = machine.location(*found)
            shape = " ".join(machine.words) or "(empty)"
        else:
            return None, True, "(no location)"
        if not 1 <= size <= 16:
            return None, True, "(size 0)" if size == 0 else "(size > 16)"
        place, optional = self.of_location(location, size, word)
        return place, optional, shape

    def constant(self, found, die):
        form, value, at = found
        data = self.dwarf.data
        if form in (dw.BLOCK, dw.BLOCK1, dw.BLOCK2, dw.BLOCK4, dw.EXPRLOC):
            return "bytes", data[value[0]:value[0] + value[1]]
        if form == dw.DATA16:
            return "bytes", data[at:at + 16]
        if form in dw.CONSTANTS:
            return "is", ("const", value)
        if form in (dw.ADDR, dw.ADDRX):
            return "is", ("addr", self.dwarf.address_of(die, dw.CONST_VALUE), 0)
        return "none", f"const_value of form {form:#x}"

    def of_location(self, location, size, word):
        kind, value = location[:2]
        if kind == "in":
            return ("reg", value), False
        if kind == "at":
            return self.memory(value), False
        if kind == "is":
            return self.value(value, size, word)
        if kind == "bytes":
            if len(value) != size or size > 8:
                return None, True
            return ("const", int.from_bytes(value, "little" if self.little else "big")), False
        if kind == "pieces" and len(value) == 1 and value[0][1] >= size:
            place, optional = self.of_location(value[0][0], size, word)
            return place, optional or value[0][0][0] != "in"
        if kind == "pieces" and len(value) == 2 and value[0][0][0] == value[1][0][0] == "in":
            (first, first_size), (second, second_size) = value
            if first_size == word and second_size <= word and first_size + second_size == size:
                return ("reg", first[1], second[1]), False
        return None, True

    @staticmethod
    def register(value):
        """Register number and offset of a value that is one, or None."""
        if value[0] not in ("reg", "cfa") or not -1 << 31 <= value[-1] < 1 << 31:
            return None
        return (CFA if value[0] == "cfa" else value[1]), value[-1]

    def memory(self, value):
        found = self.register(value)
        return ("mem", *found) if found else None

    def value(self, value, size, word):
        mask = (1 << 8 * size) - 1
        if value[0] == "const":
            return (("const", value[1] & mask) if size <= 8 else None), size > word
        if value[0] == "addr":
            return self.address(value, mask) if size <= 8 else None, size > word
        if value[0] == "load" and (value[2] == size or value[2] > size and self.little):
            return self.memory(value[1]), value[2] != size
        if value[0] == "low" and value[2] >= 8 * size:
            return self.value(value[1], size, word)[0], True
        found = self.register(value)
        if found:
            return (("val", *found) if found[1] else ("reg", found[0])), size > word
        return None, True

    def address(self, value, mask):
        (of, start), offset = value[1:]
        if self.base is None or of is None:
            return None
        at = start + offset
        return ("addr", at - self.base & mask) if at >= self.base else ("const", at & mask)


class Check:
    def __init__(self, dwarf, btf, shapes):
        self.dwarf, self.types, self.expected, self.btf = dwarf, Types(dwarf), Expected(dwarf), btf
        self.origins, self.stats, self.shapes = {}, collections.Counter(), shapes
        self.differences, self.nr_differences, self.kinds = [], 0, collections.Counter()
        self.sites = collections.defaultdict(list)
        self.lost, self.spared = collections.Counter(), collections.Counter()

    def differ(self, text):
        self.nr_differences += 1
        self.kinds[re.sub(r".*BTF has (None|.).*\(", r"\1 (", text)] += 1
        if len(self.differences) < 20:
            self.differences.append(text)

    def origin(self, die):
        first = self.dwarf.refers(die, dw.ABSTRACT_ORIGIN)
        key = first.offset if first else None
        if key not in self.origins:
            self.origins[key] = Origin(self.dwarf, first)
        return self.origins[key]

    def add_unit(self, unit):
        for site in sites_of(self.dwarf, unit, self.stats):
            self.stats["entries"] += 1
            origin = self.origin(site.die)
            if not origin.name:
                self.stats["no name"] += 1
                continue
            if not IDENTIFIER.match(origin.name):
                self.stats["name is no identifier"] += 1
                continue
            if "" in origin.names:
                self.stats["parameter without a name"] += 1
                continue
            address = address_of(self.dwarf, site.die, self.stats)
            place = address and self.dwarf.elf.place(address)
            if not place or not place[0].flags & SHF_EXECINSTR:
                self.stats["address in no executable section"] += bool(address)
                continue
            section, offset = place
            self.stats["sites"] += 1
            self.sites[section.name, offset, origin.name].append((origin.names, self.places(site, origin, address), site.die))

    def places(self, site, origin, address):
        """(size, signed, place, whether it may be missing, shape) of each parameter."""
        found = [(0, 0, None, True, "(not there)")] * len(origin.names)
        for die in site.params:
            index = self.index(die, origin)
            if index is None:
                self.stats["parameters of no origin"] += 1
                continue
            if found[index][4] != "(not there)":
                self.stats["parameters twice"] += 1
                if found[index][2]:
                    continue
            size, signed = self.types.of_parameter(die)
            found[index] = size, signed, *self.expected.parameter(die, size, site, address, self.stats)
        self.count(found[:len(origin.params)])
        return found

    def index(self, die, origin):
        for _ in range(MAX_CHAIN):
            if not die or die.offset in origin.index:
                break
            die = self.dwarf.refers(die, dw.ABSTRACT_ORIGIN)
        return origin.index.get(die.offset) if die else None

    def count(self, found):
        nr = sum(place is not None for _, _, place, _, _ in found)
        word = "no parameters" if not found else "complete" if nr == len(found) else "partial" if nr else "none"
        self.stats["sites: " + word] += 1
        for _, _, place, optional, shape in found:
            if place:
                form = place[0] + ("2" if place[0] == "reg" and len(place) == 3 else "") + (
                    " (cfa)" if place[0] in ("mem", "val", "reg") and place[1] == CFA else "")
                self.stats["places: " + form] += 1
                if optional:
                    self.spared[shape] += 1
            else:
                self.stats["places: unknown"] += 1
                self.lost[shape] += 1

    def compare(self, whole):
        """Compare with the sites of BTF; if not whole, BTF may have more."""
        for text in self.btf.errors[:20]:
            self.differ(text)
        for key, wanted in self.sites.items():
            there = list(self.btf.sites.get(key, ()))
            where = f"{key[0]}+{key[1]:#x} {key[2]}"
            if len(there) < len(wanted) or whole and len(there) != len(wanted):
                self.differ(f"{where}: {len(wanted)} sites in DWARF, {len(there)} in BTF")
            for names, places, die in wanted:
                problems = [self.problem(names, places, site) for site in there]
                if None in problems:
                    there.pop(problems.index(None))
                elif there:
                    self.differ(f"{where} <{die.offset:x}>: {problems[0]}")
        for key in self.btf.sites if whole else ():
            if key not in self.sites:
                self.differ(f"{key[0]}+{key[1]:#x} {key[2]}: no such site in DWARF")

    def problem(self, names, places, site):
        """How a site differs from one of BTF, or None."""
        if names != site[0]:
            return f"parameters {names}, BTF has {site[0]}"
        if len(places) != len(site[1]):
            return f"{len(places)} slots, BTF has {len(site[1])}"
        for name, (size, signed, place, optional, shape), slot in zip(names, places, site[1]):
            if slot is None and (place is None or optional):
                self.stats["optional places not in BTF"] += place is not None
                continue
            if slot is None or place is None:
                return f"'{name}' of {size} bytes: {place}, BTF has {slot} ({shape})"
            if slot[0] != size or slot[2] != place or signed != (slot[1] if place[0] in ("const", "addr") else signed):
                return f"'{name}': {(size, signed, place)}, BTF has {slot} ({shape})"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--inline")
    parser.add_argument("--base")
    parser.add_argument("--units", default="0/1")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--shapes", type=int, default=0, metavar="N")
    parser.add_argument("elf")
    parser.add_argument("btf", nargs="?")
    args = parser.parse_args()
    first, every = map(int, args.units.split("/"))
    btf = None
    if not args.count:
        base = read_btf(args.base, ".BTF") if args.base else None
        btf = read_btf(args.btf or args.elf, ".BTF", base)
        if args.inline:
            if any(True for _ in btf.locsecs()):
                sys.exit("inline_oracle.py: the main BTF has sites")
            btf = read_btf(args.inline, ".BTF.inline", btf)
        btf = BtfSites(btf)
    dwarf = dw.Dwarf(Elf(args.elf))
    check = Check(dwarf, btf, args.shapes)
    for nr in range(first, len(dwarf.units), every):
        check.add_unit(dwarf.unit(nr))
    if btf:
        check.compare(every == 1)
    for what, nr in sorted(check.stats.items()):
        print(f"{nr:9} {what}")
    for title, shapes in (("not in the format", check.lost), ("optional", check.spared)):
        for shape, nr in shapes.most_common(args.shapes):
            print(f"{nr:9} {title}: {shape}")
    for kind, nr in check.kinds.most_common(args.shapes):
        print(f"{nr:9} different: {kind}")
    for text in check.differences:
        print(text)
    if check.nr_differences:
        print(f"{check.nr_differences} differences")
    sys.exit(bool(check.nr_differences))


if __name__ == "__main__":
    try:
        main()
    except Unsupported as unsupported:
        print(f"inline_oracle.py: {unsupported}")
        sys.exit(77)
