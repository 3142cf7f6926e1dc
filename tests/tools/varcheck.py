#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""varcheck.py SYMBOLS BTF REPORT [BASE] - is each variable in the BTF, or in the report?

SYMBOLS is the output of varsymbols, BTF is raw BTF with global_var, BASE that which it is based on. Prints each symbol
that has debug information, is not described at its address and has no true reason in the report, and the number of
symbols in each class. The exit status is 1 if there is such a symbol.
"""
import collections
import json
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import btfdump  # noqa: E402

MACROS = ("__UNIQUE_ID", "__tpstrtab_", "__exitcall_", "__func_stack_frame_non_standard_", "__gendwarfksyms_ptr_")


def variables(path, base):
    """The names of the variables by section and offset, with their sizes."""
    with open(path, "rb") as file:
        data = file.read()
    below = None
    if base:
        with open(base, "rb") as file:
            below = btfdump.Btf(file.read())
    btf, first = SplitBtf(data, below), len(below.records) - 1 if below else 0
    found = collections.defaultdict(list)
    for record in btf.records[1:]:
        if record.kind == "DATASEC":
            for variable, offset, size in record.each:
                found[btf.name(record.name), offset].append((btf.name(btf.records[variable - first].name), size))
    return found


class SplitBtf(btfdump.Btf):
    """BTF whose strings begin behind those of its base."""

    def __init__(self, data, base):
        self.base = base
        super().__init__(data)

    def string(self, offset):
        return offset  # until it is asked for

    def name(self, offset):
        before = len(self.base.strings) if self.base else 0
        return self.base.string(offset) if offset < before else super().string(offset - before)


def read_report(path):
    """The rules that the report has for each name, and the number of variables of macros."""
    rules, units, of_macro = collections.defaultdict(set), {}, 0
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            entry = json.loads(line)
            if entry.get("rule") == "vars_of_macro":
                of_macro += entry["count"]
            elif entry.get("subject") == "var":
                rules[entry["name"]].add((entry["rule"], entry.get("function")))
            elif entry.get("subject") == "unit":
                units[entry["name"]] = entry["rule"]
    return rules, units, of_macro


def class_of(symbol, dies, described, rules, units):
    """How the symbol is described or reported; None if it is neither."""
    names = {name for _, _, name, _ in dies}
    own = symbol.split(".")[0]
    if not dies:
        return "no debug information"
    if any(name in names for name, _ in described):
        aliased = own not in names and not any(scope == "function" for scope, *_ in dies)
        return "described under another name" if aliased else "described"
    reasons = set()
    for scope, _, name, unit in dies:
        found = {rule for rule, _ in rules.get(name, ())}
        if unit in units:
            reasons.add(units[unit])
        elif scope == "function":
            reasons |= found & {"var_in_function", "var_no_section"}
        elif name.startswith(MACROS):
            reasons |= found or {"vars_of_macro"}
        else:
            reasons |= found - {"var_in_function"}
    return "reported: " + ", ".join(sorted(reasons)) if reasons else None


def main():
    symbols, btf, report, *base = sys.argv[1:]
    described = variables(btf, base[0] if base else None)
    rules, units, of_macro = read_report(report)
    classes, bad, macros = collections.Counter(), 0, set()
    with open(symbols, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            symbol, section, offset, size, *dies = line.rstrip("\n").split("\t")
            dies = [(scope, int(lang), name, unit) for scope, lang, name, unit in
                    (die.split(":", 3) if die.count(":") >= 3 else ("", "0", "", "") for die in dies)]
            found = class_of(symbol, dies, described.get((section, int(offset)), ()), rules, units)
            classes[found or "LOST"] += 1
            if found is None:
                bad += 1
                print(f"lost: {symbol} in {section}+{offset}, {size} bytes: {dies}")
            elif found == "reported: vars_of_macro":
                macros.add((section, offset))
    if len(macros) > of_macro:
        bad += 1
        print(f"{len(macros)} variables of macros, the report has {of_macro}")
    for name, count in sorted(classes.items()):
        print(f"{count:7} {name}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
