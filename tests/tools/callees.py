#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""callees.py SEED COUNT [INT128] - write COUNT random C functions with external linkage

Each takes its arguments as the ABI of the machine requires, whatever the optimizer does inside. Their parameters have
many types, and their bodies move parameters to other registers at once: they pass them on in another order.
"""
import random
import sys

SCALARS = ["char", "signed char", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long",
           "unsigned long long", "_Bool", "enum color", "void *", "const char *", "struct big *", "word_t", "callback_t"]
OTHERS = ["float", "double", "long double", "struct one", "struct two", "struct three", "struct big", "struct real",
          "struct mixed", "struct tiny", "union both", "struct odd", "struct wide"]
PRELUDE = """\
enum color { RED, GREEN };
typedef unsigned long word_t;
typedef int (*callback_t)(int);
struct one { long a; };
struct two { long a, b; };
struct three { long a, b, c; };
struct big { long a[9]; };
struct real { float a, b; };
struct mixed { double a; long b; };
struct tiny { char a; };
union both { long a; double b; };
struct odd { char a[3]; };
struct wide { long long a; } __attribute__((aligned(16)));
extern long sink0(void), sink1(long), sink2(long, long), sink3(long, long, long), sink6(long, long, long, long, long, long);
extern long counter;
extern void take(const void *);
"""


def value(type_, name):
    """An integer that depends on the parameter."""
    if type_.startswith("struct") and not type_.endswith("*"):
        return f"(long){name}.a" if type_ not in ("struct big", "struct odd") else f"(long){name}.a[1]"
    if type_ == "union both":
        return f"{name}.a"
    return f"(long){name}"


def body(rnd, params):
    values = [value(*param) for param in params] or ["7"]
    lines = []
    for _ in range(rnd.randint(1, 4)):
        v = [rnd.choice(values) for _ in range(6)]
        lines.append(rnd.choice([
            f"r += sink2({v[0]}, {v[1]});",
            f"r ^= sink3({v[0]} + 1, {v[1]}, {v[2]});",
            f"r += sink6({', '.join(v)});",
            f"if ({v[0]}) r += sink1({v[1]}); else r -= sink0() + {v[2]};",
            f"while (counter < {v[0]}) counter += {v[1]} + sink1({v[2]});",
            f"r += {v[0]} * {v[1]};",
            f"for (long i = 0; i < {v[0]}; i++) r += sink2(i, {v[1]});",
            "r += sink0();",
        ]))
    if params and rnd.random() < 0.2:
        lines.append(f"take(&{rnd.choice(params)[1]});")
    rnd.shuffle(lines)
    return lines


def function(rnd, nr, types):
    scalars = rnd.random() < 0.4
    params = []
    for i in range(rnd.choice([0, 1, 2, 3, 4, 5, 6, 8, 10])):
        params.append((rnd.choice(SCALARS if scalars or rnd.random() < 0.6 else types), f"p{i}"))
    result = rnd.choice(["long", "long", "int", "void", "double", "struct one", "struct two", "struct big", "struct mixed"])
    text = ", ".join(f"{type_} {name}" for type_, name in params) or "void"
    lines = ["long r = 0;"] + body(rnd, params)
    if result.startswith("struct"):
        member = "x.a[0]" if result == "struct big" else "x.a"
        lines += [f"{result} x = {{ 0 }};", f"{member} = r;", "return x;"]
    elif result == "void":
        lines.append("counter = r;")
    else:
        lines.append(f"return ({result})r;")
    inside = "\n\t".join(lines)
    return f"{result} callee{nr}({text})\n{{\n\t{inside}\n}}\n"


def main():
    seed, count, *more = sys.argv[1:]
    rnd = random.Random(int(seed))
    types = OTHERS + (["__int128"] if more else [])
    print(PRELUDE + "\n".join(function(rnd, nr, types) for nr in range(int(count))))


main()
