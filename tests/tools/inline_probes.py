#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""inline_probes.py make|check FOLDER VMLINUX MODULE - kprobes at inlined functions whose arguments are known

"make" reads FOLDER/sites, which "btfenc --inline_sites --json" wrote for VMLINUX and MODULE, and writes what the booted
kernel needs (e2e/inline_guest.c):

	probes	lines for kprobe_events, one for each site
	places	an address constant and its symbol a line
	plan	for "check": the event, the site, and what each parameter must be

"check" reads FOLDER/plan and FOLDER/booted, the console, and prints the numbers of sites and arguments by the sort of their
place. The exit status is 1 if an argument is not right, or if fewer than 20 sites of the kernel were executed, or none of
the module.

What is known does not come from BTF. The guest makes each system call with the same six arguments, and a function
__do_sys_NAME, __se_sys_NAME or ksys_NAME has them in this order, as a file descriptor has the first. The module passes
the same values to all parameters of one name (e2e/inline_module.c).
"""
import json
import os
import re
import subprocess
import sys

SIGNED, CONST, ADDR, REG, DEREF, OFFSET = 1, 2, 4, 8, 0x10, 0x20
REGS = ["ax", "dx", "cx", "bx", "si", "di", "bp", "sp"] + [f"r{n}" for n in range(8, 16)]
MASK = (1 << 64) - 1
WANTED = 20

# inline_guest.c has them, too
SYSCALL = [0x7f010203, 0x1234567890010101, 0x0fedcba987010102, 0x1111111122010103, 0x2222222233010104,
           0x3333333344010105]
OF_SYSCALL = re.compile(r"(__do_sys_|__se_sys_|ksys_)\w+\Z")
# other functions that get the first argument of a system call, or a constant of the kernel's source
OTHERS = {
    "fdget": {"fd": SYSCALL[0]},
    "fdget_pos": {"fd": SYSCALL[0]},
    "fdget_raw": {"fd": SYSCALL[0]},
    "class_fd_constructor": {"fd": SYSCALL[0]},
    "class_fd_pos_constructor": {"fd": SYSCALL[0]},
    "class_fd_raw_constructor": {"fd": SYSCALL[0]},
    "files_lookup_fd_raw": {"fd": SYSCALL[0]},
    "__fget_light": {"fd": SYSCALL[0]},
}
MODULE = {
    "word": 0x11223344,
    "negative": -0x123456789abcdef,
    "byte": 0x5a,
    "object": ["probed_object", 0],
    "member": ["probed_object", 8],
    "minus_five": -5,
    "wide": 0x8182838485868788,
    "yes": 1,
    "big_negative": -(1 << 40),
    "in_object": 0x51525354,
    "long_in_object": -0x6162636465666768,
    "byte_in_object": 0x71,
    "word64": 0x3132333435363738,
}


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def expected(site, index, is_module):
    """The value of a parameter, its symbol and offset, or None."""
    name, param = site["function"], site["parameters"][index]
    if is_module:
        return MODULE.get(param["name"])
    if OF_SYSCALL.match(name):
        return SYSCALL[index] if index < 6 else None
    return OTHERS.get(name, {}).get(param["name"])


def fetch(param):
    """(sort of the place, what kprobe_events gets or None, what to add to its value) for a parameter; None: no probe can read it."""
    flags, values, bits = param["flags"], param["values"], 8 * param["size"]
    if flags & CONST:
        value = sum(word << 32 * i for i, word in enumerate(values))
        return ("constant address" if flags & ADDR else "constant"), None, value
    if values[0] >= len(REGS) or len(values) == 2 and not flags & OFFSET:
        return None  # the frame base, or two registers
    register, offset = REGS[values[0]], 0
    if flags & OFFSET:
        offset = sum(word << 32 * i for i, word in enumerate(values[1:]))
        offset = signed(offset, 32 * (len(values) - 1)) if flags & SIGNED else offset
    if flags & DEREF:
        return "memory", f"{offset:+d}(%{register}):x{bits}", 0
    if flags & OFFSET:
        return "sum", f"%{register}:x64", offset
    return "register", f"%{register}:x{bits}", 0


def make(folder, vmlinux, module):
    symbols, by_name = {}, {}
    for line in subprocess.run(["nm", vmlinux], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        address, _, name = line.split()
        symbols.setdefault(int(address, 16), name)
        by_name[name] = int(address, 16)
    plan, places, probes, functions = [], {}, [], {}
    with open(os.path.join(folder, "sites"), encoding="utf-8") as file:
        sites = [site for site in map(json.loads, file) if "function" in site]
    module_name = os.path.basename(module)[:-3]
    for site in sites:
        is_module = site["file"].split(",")[0] == module
        for param in site["parameters"]:
            if not is_module and param.get("flags", 0) & ADDR:
                value = sum(v << 32 * i for i, v in enumerate(param["values"]))
                symbol = symbols.get(by_name["_text"] + value)
                if symbol and len(places) < 1000:
                    places[value] = symbol
        if "container" not in site or site["section"].startswith(".init"):
            continue
        known, args, added = {}, [], {}
        for i, param in enumerate(site["parameters"]):
            value = expected(site, i, is_module)
            if "place" not in param or value is None:
                continue
            place = fetch(param)
            if not place:
                continue
            sort, text, add = place
            known[f"p{i}"] = [param["name"], sort, param["size"], value, add]
            if text:
                args.append(f"p{i}={text}")
        functions[site["function"]] = functions.get(site["function"], 0) + 1
        if not known or functions[site["function"]] > 40:
            continue
        event = f"{'m' if is_module else 'v'}{len(plan)}"
        where = f"{module_name + ':' if is_module else ''}{site['container']}+{site['container_offset']}"
        plan.append({"event": event, "where": where, "function": site["function"], "known": known})
        probes.append(f"p:inline/{event} {where} {' '.join(args)}".rstrip())
    with open(os.path.join(folder, "probes"), "w", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in probes))
    with open(os.path.join(folder, "places"), "w", encoding="utf-8") as file:
        file.write("".join(f"{value:x} {symbol}\n" for value, symbol in places.items()))
    with open(os.path.join(folder, "plan"), "w", encoding="utf-8") as file:
        json.dump({"text": by_name["_text"], "events": plan}, file)
    print(f"{len(probes)} probes, {len(places)} address constants")


def check(folder):
    with open(os.path.join(folder, "plan"), encoding="utf-8") as file:
        plan = json.load(file)
    with open(os.path.join(folder, "booted"), encoding="utf-8", errors="replace") as file:
        booted = file.read()
    text = int(re.search(r"guest: _text: ([0-9a-f]+)", booted)[1], 16)
    symbols = dict(re.findall(r"guest: symbol (\S+) ([0-9a-f]+)", booted))
    hits, wrong, seen, refused = {}, [], {}, len(re.findall("^guest: refused ", booted, re.M))
    for line in re.findall(r"^.*probed-\d+.*$", booted, re.M):
        hit = re.search(r": ([vm]\d+): \((\S+)", line)
        if hit:
            hits.setdefault(hit[1], []).append(dict(re.findall(r"(p\d)=(0x[0-9a-f]+)", line)))
    executed = {"v": 0, "m": 0}
    for event in plan["events"]:
        for values in hits.get(event["event"], []):
            for key, (name, sort, size, value, add) in event["known"].items():
                if isinstance(value, list):
                    value = int(symbols[value[0]], 16) + value[1]
                got = int(values[key], 16) + add if key in values else add
                if sort == "constant address":
                    got += text
                seen[event["event"][0], sort] = seen.get((event["event"][0], sort), set()) | {(event["event"], name)}
                if (got ^ value) & ((1 << 8 * size) - 1):
                    wrong.append(f"{event['where']} {event['function']}: {name} ({sort}) is {got & MASK:#x}, not {value & MASK:#x}")
        executed[event["event"][0]] += event["event"] in hits
    moved = text - plan["text"]
    addresses = re.search(r"guest: places: (\d+) right, (\d+) wrong", booted)
    print(f"the kernel is at {text:#x}, {moved:+#x}; {refused} of {len(plan['events'])} probes refused")
    print(f"sites executed: {executed['v']} of vmlinux, {executed['m']} of the module")
    for (which, sort), places in sorted(seen.items()):
        print(f"  {'vmlinux' if which == 'v' else 'module'}: {len(places)} arguments in: {sort}")
    print(f"address constants: {addresses[0][15:]}" if addresses else "address constants were not checked")
    for line in sorted(set(wrong))[:20]:
        print(f"wrong: {line}")
    good = not wrong and moved and executed["v"] >= WANTED and executed["m"] and addresses and addresses[2] == "0"
    return 0 if good else 1


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "make":
        make(*sys.argv[2:])
        return 0
    if len(sys.argv) == 3 and sys.argv[1] == "check":
        return check(sys.argv[2])
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
