#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""growbtf.py SHAPE N OUT [OTHER] - BTF with N of something, whose cost must grow with N alone

OTHER is another BTF of the shape: the second one of a comparison, or of a module over OUT. A function for each
shape fills @b, a Btf of lib/growing.py. @v is "" or, for OTHER, "v".
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
from growing import (CONST, DATASEC, DECL_TAG, FWD, LOC_PARAM, LOC_PROTO, LOCSEC, PTR, TYPEDEF, TYPE_TAG, VAR, VOLATILE,
                     Btf)


# --- many of a kind

def structs(b, n, v):
    for k in range(n):
        b.struct(f"s{v}{k}", ("a", b.int), ("b", b.int))


def one_name(b, n, v):
    """N different structs of one name."""
    for k in range(n):
        b.struct("same", (f"m{v}{k}", b.int))


def one_name_same(b, n, v):
    """N equal structs of one name."""
    for k in range(n):
        b.struct("same", (f"m{v}", b.int))


def one_typedef_name(b, n, v):
    for k in range(n):
        b.add(TYPEDEF, "same", b.struct("", (f"m{v}{k}", b.int)))


def one_declared_name(b, n, v):
    """N declarations of a name, then N definitions."""
    for k in range(n):
        b.add(FWD, "same")
    one_name(b, n, v)


def one_function_name(b, n, v):
    """N different functions of one name."""
    for k in range(n):
        b.func("f", b.proto(b.int, (f"a{v}{k}", b.int)))


def enumerators(b, n, v):
    b.enum("e", *(f"E{v}{k}" for k in range(n)))


def enums(b, n, v):
    """N enums without a name, with the same first enumerator."""
    for k in range(n):
        b.enum("", "FIRST", f"E{v}{k}")


def enums_of_declared_name(b, n, v):
    """A declaration of an enum, then N definitions."""
    b.enum("e")
    for k in range(n):
        b.enum("e", f"E{v}{k}")


def members(b, n, v):
    """A struct of N members, each of another type."""
    types = [b.add(PTR, "", b.struct(f"s{k}", ("a", b.int))) for k in range(n)]
    b.struct("big", *((f"m{v}{k}", t) for k, t in enumerate(types)))


def one_member_name(b, n, v):
    """A struct of N members of one name."""
    b.struct("big", *((f"m{v}", b.int) for k in range(n)))


def params(b, n, v):
    b.func("f", b.proto(b.int, *((f"p{v}{k}", b.int) for k in range(n))))


def variables(b, n, v):
    """N variables in one section."""
    ids = [b.add(VAR, f"v{v}{k}", b.int, 1) for k in range(n)]
    b.add(DATASEC, ".data", 4 * n, *(w for k, i in enumerate(ids) for w in (i, 4 * k, 4)), vlen=n)


def sections(b, n, v):
    """N variables in a section each."""
    for k in range(n):
        b.add(DATASEC, f".data.{k}", 4, b.add(VAR, f"v{v}{k}", b.int, 1), 0, 4, vlen=1)


def sites(b, n, v):
    """N functions that are inlined once, each with another place of its parameter."""
    words = []
    for k in range(n):
        words += [b.func(f"f{v}{k}", b.proto(b.int, ("a", b.int))),
                  b.add(LOC_PROTO, "", 0, b.add(LOC_PARAM, "", 4, 2, k, vlen=1), vlen=1), 4 * k + len(v)]
    b.add(LOCSEC, "inline.text", 0, *words, vlen=n)


def long_places(b, n, v):
    """N sites of a function that has N parameters, and N sections with a site."""
    f = b.func("f", b.proto(b.int, *(("a", b.int) for k in range(n))))
    places = b.add(LOC_PROTO, "", 0, *[0] * n, vlen=n)
    b.add(LOCSEC, "inline.text", 0, *(w for k in range(n) for w in (f, places, 4 * k + len(v))), vlen=n)
    for k in range(n):
        b.add(LOCSEC, f"inline.text.{k}", 0, f, places, len(v), vlen=1)


def typedefs_of_one(b, n, v):
    """N typedefs of one struct."""
    t = b.struct("s", ("a", b.int))
    for k in range(n):
        b.add(TYPEDEF, f"t{v}{k}", t)


def tags_of_one(b, n, v):
    """N declaration tags on one struct, and on its member."""
    t = b.struct("s", ("a", b.int))
    for k in range(n):
        b.add(DECL_TAG, f"tag{v}{k}", t, 0xffffffff)
        b.add(DECL_TAG, f"tag{v}{k}", t, 0)


def long_names(b, n, v):
    """N structs whose names have 500 bytes, the last of which differ."""
    for k in range(n):
        b.struct("n" * 490 + f"{v}{k}", ("a", b.int))


def renamed(b, n, v):
    """N different structs, which have other names in the other BTF, and a user of each."""
    for k in range(n):
        b.struct(f"user{k}", ("p", b.add(PTR, "", b.struct(f"s{v}{k}", (f"m{k}", b.int)))))


def changed(b, n, v):
    """N structs of one name, each with a pointer to a struct that differs in the other BTF."""
    far = b.struct("far", (f"m{v}", b.int))
    for k in range(n):
        b.struct("same", (f"m{k}", b.add(PTR, "", far)))


# --- chains and graphs

def pointers(b, n, v):
    t = b.add(VOLATILE, "", b.int) if v else b.int
    for k in range(n):
        t = b.add(PTR, "", t)


def pointers_ahead(b, n, v):
    """Each refers to the next one, which comes later."""
    for k in range(n):
        b.add(PTR, "", b.next(1))
    b.struct("end", ("a", b.int))


def modifiers(b, n, v):
    """A chain of const, volatile, type tags, pointers and typedefs."""
    t = b.int
    for k in range(n):
        t = b.add((CONST, VOLATILE, TYPE_TAG, PTR, TYPEDEF)[k % 5], ("", "", f"tag{v}", "", f"t{k}")[k % 5], t)


def chain(b, n, v):
    """N structs, each with a pointer to the next; the last differs in the other BTF."""
    for k in range(n):
        t = b.add(PTR, "", b.next(2))
        b.struct(f"s{k}", ("next", t))
    b.struct("end", (f"m{v}", b.int))


def chain_of_one_name(b, n, v):
    for k in range(n):
        t = b.add(PTR, "", b.next(2))
        b.struct("same", ("next", t))
    b.add(PTR, "", b.struct("same", (f"end{v}", b.int)))


def cycle_of_one_name(b, n, v):
    """A ring of structs of one name, one of which differs, another one in the other BTF."""
    first = b.next()
    for k in range(n):
        t = b.add(PTR, "", b.next(2) if k + 1 < n else first + 1)
        b.struct("same", ("other" if k == len(v) else "next", t))


def nested(b, n, v):
    """Structs without a name in one another."""
    t = b.int
    for k in range(n):
        t = b.struct("", ("" if k else f"x{v}", t))
    b.struct("top", ("", t))


def protos(b, n, v):
    """Pointers to functions that return the next one."""
    t = b.int
    for k in range(n):
        t = b.add(PTR, "", b.proto(t, ("", b.int)))
    b.struct("top", (f"f{v}", t))


def fans(b, n, v):
    """N structs, each with two pointers to the next."""
    t = b.int
    for k in range(n):
        t = b.add(PTR, "", b.struct(f"s{v}{k}", ("l", t), ("r", t)))


def fans_without_names(b, n, v):
    t = b.struct("")
    for k in range(n):
        t = b.struct("", (f"l{v}", t), ("r", t))
    b.struct("top", ("x", t))


def proto_fans(b, n, v):
    """N prototypes, each with the next as its result and its two parameters."""
    t = b.int
    for k in range(n):
        t = b.add(PTR, "", b.proto(t, ("", t), ("", t)))
    b.struct("top", (f"f{v}", t))


def main():
    shapes = {name: f for name, f in globals().items() if getattr(f, "__module__", "") == "__main__"}
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in shapes:
        sys.exit("usage: growbtf.py SHAPE N OUT [OTHER]")
    for out, v in zip(sys.argv[3:], ("", "v")):
        b = Btf()
        shapes[sys.argv[1]](b, int(sys.argv[2]), v)
        with open(out, "wb") as f:
            f.write(b.bytes())


main()
