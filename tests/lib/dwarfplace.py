# SPDX-License-Identifier: GPL-2.0-only
"""Evaluates a DWARF location expression with symbols for registers and memory.

A value on the stack is one of these tuples:

    ("const", n)            a number, modulo 2^64 or the size of an address
    ("reg", r, k)           register r plus k
    ("cfa", k)              canonical frame address plus k
    ("addr", address, k)    an address of the file plus k
    ("load", value, n)      n bytes of memory at an address, zero-extended
    ("low", value, n)       a value of which only the lowest n bits are as they were
    ("shl", value, n)       a value shifted to the left
    ("other", word)         what has no such form; word says why

The result of an expression is a location:

    ("in", r)               in register r
    ("at", value)           in memory
    ("is", value)           not stored; this is the value
    ("bytes", b)            not stored; these are the bytes
    ("pieces", [(location, size), ...])
    ("none", word)          no location; word says why
"""
from dwarfread import BYTE_SIZE, ENCODING, FRAME_BASE, SUBPROGRAM
from elfread import sleb, uleb

NAMES = {0x06: "deref", 0x12: "dup", 0x13: "drop", 0x14: "over", 0x15: "pick", 0x16: "swap", 0x17: "rot", 0x18: "xderef",
         0x19: "abs", 0x1a: "and", 0x1b: "div", 0x1c: "minus", 0x1d: "mod", 0x1e: "mul", 0x1f: "neg", 0x20: "not", 0x21: "or",
         0x22: "plus", 0x23: "plus_uconst", 0x24: "shl", 0x25: "shr", 0x26: "shra", 0x27: "xor", 0x28: "bra", 0x29: "eq",
         0x2a: "ge", 0x2b: "gt", 0x2c: "le", 0x2d: "lt", 0x2e: "ne", 0x2f: "skip", 0x94: "deref_size", 0x96: "nop",
         0x97: "push_object_address", 0x98: "call2", 0x99: "call4", 0x9a: "call_ref", 0x9b: "form_tls_address",
         0x9c: "call_frame_cfa", 0xa0: "implicit_pointer", 0xa3: "entry_value", 0xa4: "const_type", 0xa5: "regval_type",
         0xa6: "deref_type", 0xa8: "convert", 0xa9: "reinterpret", 0xe0: "push_tls_address", 0xf2: "implicit_pointer",
         0xf3: "entry_value", 0xf4: "const_type", 0xf5: "regval_type", 0xf6: "deref_type", 0xf7: "convert", 0xf9: "reinterpret",
         0xf8: "reinterpret", 0xfa: "parameter_ref", 0xfd: "variable_value", 0xf0: "uninit", 0x03: "addr", 0x9e: "implicit_value",
         0x9f: "stack_value", 0x93: "piece", 0x9d: "bit_piece", 0x91: "fbreg", 0x90: "regx", 0x92: "bregx", 0xa1: "addrx",
         0xa2: "constx", 0xfb: "addrx", 0xfc: "constx"}
NAMES |= {0x08 + i: f"const{size}{sign}" for i, (size, sign) in enumerate((s, c) for s in (1, 2, 4, 8) for c in "us")}
NAMES |= {0x10: "constu", 0x11: "consts"}
BINARY = ("and", "div", "minus", "mod", "mul", "or", "plus", "shl", "shr", "shra", "xor", "eq", "ge", "gt", "le", "lt", "ne")


def name_of(op):
    if 0x30 <= op < 0x50:
        return "lit"
    if 0x50 <= op < 0x70:
        return "reg"
    if 0x70 <= op < 0x90:
        return "breg"
    return NAMES.get(op, f"op_{op:#x}")


class Other(Exception):
    """The rest of the expression cannot be evaluated with symbols."""


class Machine:
    """Evaluates one expression: bytes from start on of a section, in a unit, at an address, in a function."""

    def __init__(self, dwarf, unit, function, address):
        self.dwarf, self.unit, self.function, self.address = dwarf, unit, function, address
        self.bits = 8 * unit.address_size
        self.words = []  # the operators, for statistics

    def wrap(self, n):
        return n & (1 << self.bits) - 1

    def signed(self, n):
        return n - (1 << self.bits) if n >> (self.bits - 1) else n

    def location(self, section, start, length):
        """The location that an expression gives."""
        self.words = []
        try:
            return self.run(section, start, length)
        except Other as other:
            return "none", str(other)
        except IndexError:
            return "none", "stack"

    def run(self, section, start, length):
        stack, pieces, result = [], [], None
        at, end, data, number = start, start + length, section.data, self.dwarf.number
        size = self.unit.address_size
        while at < end:
            op = data[at]
            at += 1
            name = name_of(op)
            self.words.append(name)
            if result and name not in ("piece", "bit_piece", "uninit"):
                raise Other("location, then " + name)
            if name == "lit":
                stack.append(("const", op - 0x30))
            elif name == "reg":
                result = "in", op - 0x50
            elif name == "regx":
                register, at = uleb(data, at)
                result = "in", register
            elif name == "breg":
                offset, at = sleb(data, at)
                stack.append(("reg", op - 0x70, offset))
            elif name == "bregx":
                register, at = uleb(data, at)
                offset, at = sleb(data, at)
                stack.append(("reg", register, offset))
            elif name == "fbreg":
                offset, at = sleb(data, at)
                stack.append(self.add(self.frame_base(), offset))
            elif name == "call_frame_cfa":
                stack.append(("cfa", 0))
            elif name == "addr":
                stack.append(("addr", self.dwarf.relocated(section, at, number(data, at, size)), 0))
                at += size
            elif name == "addrx":
                index, at = uleb(data, at)
                stack.append(("addr", self.dwarf.indexed(self.unit, index), 0))
            elif name in ("constu", "consts"):
                value, at = (uleb if name == "constu" else sleb)(data, at)
                stack.append(("const", self.wrap(value)))
            elif name[:5] == "const" and name[5:6].isdigit():
                width = int(name[5])
                value = number(data, at, width)
                if at in section.targets:
                    raise Other("relocated constant")
                if name[6] == "s" and value >> (8 * width - 1):
                    value -= 1 << 8 * width
                stack.append(("const", self.wrap(value)))
                at += width
            elif name == "plus_uconst":
                value, at = uleb(data, at)
                stack.append(self.add(stack.pop(), value))
            elif name in ("deref", "deref_size"):
                width = data[at] if name == "deref_size" else size
                at += name == "deref_size"
                stack.append(("load", stack.pop(), width))
            elif name in BINARY:
                second, first = stack.pop(), stack.pop()
                stack.append(self.binary(name, first, second))
            elif name in ("neg", "not", "abs"):
                stack.append(self.unary(name, stack.pop()))
            elif name in ("dup", "over", "pick", "swap", "rot", "drop"):
                depth = {"dup": 0, "over": 1}.get(name, 0)
                if name == "pick":
                    depth, at = data[at], at + 1
                self.shuffle(name, stack, depth)
            elif name in ("convert", "reinterpret"):
                kind, at = uleb(data, at)
                stack.append(self.convert(stack.pop(), kind))
            elif name == "nop":
                pass
            elif name == "stack_value":
                result = "is", stack.pop()
            elif name == "implicit_value":
                length, at = uleb(data, at)
                result = "bytes", data[at:at + length]
                if any(i in section.targets for i in range(at, at + length)):
                    raise Other("relocated constant")
                at += length
            elif name == "piece":
                width, at = uleb(data, at)
                if result is None:
                    result = ("at", stack.pop()) if stack else ("none", "empty piece")
                pieces.append((result, width))
                result, stack = None, []
            else:
                raise Other(name)
        if pieces:
            return ("pieces", pieces) if result is None and not stack else ("none", "location behind pieces")
        return result or (("at", stack.pop()) if stack else ("none", "empty"))

    @staticmethod
    def shuffle(name, stack, depth):
        if name in ("dup", "over", "pick"):
            stack.append(stack[-1 - depth])
        elif name == "drop":
            stack.pop()
        elif name == "swap":
            stack[-1], stack[-2] = stack[-2], stack[-1]
        else:
            stack[-3:] = [stack[-1], stack[-3], stack[-2]]

    def frame_base(self):
        """The value of the frame base: a location in a register is that register's content."""
        function = self.function
        if function is None or function.tag != SUBPROGRAM or not function.get(FRAME_BASE):
            raise Other("fbreg without frame base")
        found = self.dwarf.expression_at(function, FRAME_BASE, self.address)
        if not found:
            raise Other("fbreg without frame base")
        inner = Machine(self.dwarf, function.unit, None, self.address)
        kind, *value = inner.location(*found)
        if kind == "in":
            return "reg", value[0], 0
        if kind in ("at", "is"):
            return value[0]
        raise Other("frame base " + kind)

    def convert(self, value, kind):
        """A value as a base type, which an offset in the unit gives, or as a number of the size of an address."""
        bits = self.bits
        if kind:
            die = self.dwarf.cached(self.unit.offset + kind)
            if die.number(ENCODING) not in (2, 5, 6, 7, 8):  # bool, signed and unsigned numbers
                raise Other("convert")
            bits = 8 * (die.number(BYTE_SIZE) or 0)
        return value if bits >= self.bits else ("low", value, bits)

    def add(self, value, n):
        if value[0] == "const":
            return "const", self.wrap(value[1] + n)
        if value[0] in ("reg", "cfa", "addr"):
            return (*value[:-1], self.signed(self.wrap(value[-1] + n)))
        if value[0] == "low":
            return "low", self.add(value[1], n), value[2]
        return ("other", self.words[-1]) if n else value

    def binary(self, name, first, second):
        if first[0] == "const" and second[0] == "const":
            return self.fold(name, first[1], second[1])
        if name == "plus" and second[0] == "const":
            return self.add(first, second[1])
        if name == "plus" and first[0] == "const":
            return self.add(second, first[1])
        if name == "minus" and second[0] == "const":
            return self.add(first, -second[1])
        if name == "and" and "const" in (first[0], second[0]):
            mask, value = (first[1], second) if first[0] == "const" else (second[1], first)
            ones = (~mask & mask + 1).bit_length() - 1  # how many of the lowest bits are set
            if ones >= 8:
                return "low", value, ones
        if name == "shl" and second[0] == "const":
            return "shl", first, second[1]
        if name in ("shr", "shra") and first[0] == "shl" and second == ("const", first[2]) and self.bits - first[2] >= 8:
            return "low", first[1], self.bits - first[2]
        return "other", name

    def fold(self, name, a, b):
        sa, sb = self.signed(a), self.signed(b)
        if name in ("div", "mod") and not b or name in ("shl", "shr", "shra") and b >= self.bits:
            return "other", name
        value = {"and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b, "plus": lambda: a + b, "minus": lambda: a - b,
                 "mul": lambda: a * b, "shl": lambda: a << b, "shr": lambda: a >> b, "shra": lambda: sa >> b,
                 "div": lambda: int(abs(sa) // abs(sb)) * (1 if (sa < 0) == (sb < 0) else -1), "mod": lambda: a % b,
                 "eq": lambda: sa == sb, "ne": lambda: sa != sb, "lt": lambda: sa < sb, "le": lambda: sa <= sb,
                 "gt": lambda: sa > sb, "ge": lambda: sa >= sb}[name]()
        return "const", self.wrap(int(value))

    def unary(self, name, value):
        if value[0] != "const":
            return "other", name
        n = self.signed(value[1])
        return "const", self.wrap({"neg": -n, "not": ~n, "abs": abs(n)}[name])
