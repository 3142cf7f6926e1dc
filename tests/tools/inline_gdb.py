# SPDX-License-Identifier: GPL-2.0-only
"""Compare the places of inline BTF with the values that gdb prints: gdb -batch -x inline_gdb.py FILE

Runs FILE, or connects to the emulator that listens on the socket $INLINE_SOCKET, and stops at each site of .BTF, or of
.BTF.inline if $INLINE_SECTION says so. At the first stop, it reads each parameter from its place and compares it with gdb's value
of the parameter, in the block of the site's function. It prints the numbers, and each difference.
"""
import collections
import os
import struct
import sys

import gdb

sys.path.insert(0, os.environ["INLINE_TOOLS"])
import inline_oracle as oracle  # noqa: E402
from elfread import Elf  # noqa: E402

X86 = ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", *(f"r{i}" for i in range(8, 16))]
REGISTERS = {62: {**dict(enumerate(X86)), **{17 + i: f"xmm{i}" for i in range(16)}},
             183: {**{i: f"x{i}" for i in range(31)}, 31: "sp", **{64 + i: f"v{i}" for i in range(32)}},
             243: {**{i: f"x{i}" for i in range(32)}, **{32 + i: f"f{i}" for i in range(32)}}}


class Unknown(Exception):
    """gdb has no value."""


def bytes_of(value):
    """The bytes of a value and a mask of the bits that are known."""
    kind = value.type.strip_typedefs()
    size = kind.sizeof
    if value.is_optimized_out:
        raise Unknown
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        data, mask = bytearray(size), bytearray(size)
        for field in kind.fields():
            try:
                part, known = bytes_of(value[field])
            except Unknown:
                continue
            at = field.bitpos // 8
            data[at:at + len(part)], mask[at:at + len(part)] = part, known
        if not any(mask):
            raise Unknown
        return bytes(data), bytes(mask)
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        parts = [bytes_of(value[i]) for i in range(low, high + 1)]
        return b"".join(part for part, _ in parts), b"".join(mask for _, mask in parts)
    if kind.code == gdb.TYPE_CODE_FLT:
        return struct.pack({4: "<f", 8: "<d"}[size], float(value)), b"\xff" * size
    return (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little"), b"\xff" * size


class Places:
    def __init__(self, elf):
        self.names, self.base = REGISTERS[elf.machine], elf.symbol_address(b"_text")
        self.base = elf.lowest_load if self.base is None else self.base

    @staticmethod
    def memory(address, size):
        return bytes(gdb.selected_inferior().read_memory(address & (1 << 64) - 1, size))

    def register(self, number, frame):
        """16 bytes of a register."""
        if number == oracle.CFA:
            return canonical_frame_address(frame).to_bytes(16, "little")
        value = frame.read_register(self.names[number])
        for part in ("v2_int64", "d", "double"):  # of xmm0, of v0 on arm64, of f0 on riscv64
            if value.type.code in (gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_STRUCT) and part in value.type:
                value = value[part]
                value = value["u"] if part == "d" else value
        return bytes_of(value)[0].ljust(16, b"\0")

    def read(self, size, place, frame):
        """The bytes of a parameter."""
        kind = place[0]
        if kind == "const":
            return place[1].to_bytes(size, "little")
        if kind == "addr":
            return (place[1] + self.base & (1 << 8 * size) - 1).to_bytes(size, "little")
        if kind == "reg" and len(place) == 3:
            return (self.register(place[1], frame)[:8] + self.register(place[2], frame)[:8])[:size]
        content = self.register(place[1], frame)
        if kind == "reg":
            return content[:size]
        at = int.from_bytes(content[:8], "little") + place[2] & (1 << 64) - 1
        return self.memory(at, size) if kind == "mem" else at.to_bytes(8, "little")[:size]


def canonical_frame_address(frame):
    """gdb gives this address of a frame only in a text."""
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    frame.select()
    text = gdb.execute("info frame", to_string=True)
    gdb.newest_frame().select()
    return int(text.split("frame at ", 1)[1].split(":", 1)[0].split(",", 1)[0], 16)


def block_of(pc, function):
    """The innermost block of an inlined function at an address, or None."""
    block = gdb.block_for_pc(pc)
    while block and not block.is_static and not block.is_global:
        if block.function and block.function.name == function:
            return block
        block = block.superblock
    return None


class Sites:
    def __init__(self):
        path = gdb.current_progspace().filename
        elf = Elf(path)
        btf, inline = oracle.read_btf(path, ".BTF"), os.environ.get("INLINE_SECTION")
        if inline:
            btf = oracle.read_btf(path, inline, btf)
        self.places, self.counts, self.by_address = Places(elf), collections.Counter(), collections.defaultdict(list)
        self.wrong = []
        starts = {section.name: section.addr for section in elf.sections}
        for (section, offset, name), sites in oracle.BtfSites(btf).sites.items():
            self.counts["sites"] += len(sites)
            self.by_address[starts[section] + offset] += [(name, *site) for site in sites]

    def run(self):
        points = {}
        for address in self.by_address:
            points[address] = gdb.Breakpoint(f"*{address:#x}", internal=True)
            points[address].silent = True
        if os.environ.get("INLINE_SOCKET"):
            gdb.execute("target remote " + os.environ["INLINE_SOCKET"], to_string=True)
            gdb.execute("continue", to_string=True)
        else:
            gdb.execute("run", to_string=True)
        while gdb.selected_inferior().pid:
            pc = gdb.newest_frame().pc()
            if pc not in points:
                raise SystemExit(f"stopped at {pc:#x}")
            points.pop(pc).delete()
            for site in self.by_address[pc]:
                self.compare(pc, *site)
            gdb.execute("continue", to_string=True)

    def compare(self, pc, function, names, slots):
        self.counts["sites hit"] += 1
        block = block_of(pc, function)
        if not block:
            self.counts["sites hit of which gdb has no block"] += 1
        symbols = {symbol.name: symbol for symbol in block or () if symbol.is_argument}
        for name, slot in zip(names, slots):
            symbol, frame = symbols.get(name), gdb.newest_frame()
            try:
                if not symbol:
                    raise Unknown
                wanted, mask = bytes_of(symbol.value(frame))
            except (Unknown, gdb.error):
                self.counts["places, gdb has no value" if slot else "no place, gdb has no value"] += 1
                continue
            if slot is None:
                self.counts["no place, gdb has a value"] += 1
                continue
            self.counts["places compared"] += 1
            size, _, place = slot
            found = self.places.read(size, place, frame)
            form = "2 registers" if place[0] == "reg" and len(place) == 3 else place[0]
            form += " (cfa)" if place[0] in ("reg", "mem", "val") and place[1] == oracle.CFA else ""
            if len(wanted) == size and all((a ^ b) & m == 0 for a, b, m in zip(found, wanted, mask)):
                self.counts["places equal"] += 1
                self.counts["places equal: " + form] += 1
            else:
                self.counts["places different"] += 1
                self.wrong.append(f"{pc:#x} {function}: '{name}' is {found.hex()} by {slot}, gdb has {wanted.hex()}")


for setting in ("pagination off", "confirm off", "debuginfod enabled off", "print entry-values no"):
    gdb.execute("set " + setting, to_string=True)
all_sites = Sites()
all_sites.run()
for what, nr in sorted(all_sites.counts.items()):
    print(f"{nr:7} {what}")
for line in all_sites.wrong[:20]:
    print(line)
gdb.execute(f"quit {int(bool(all_sites.wrong))}")
