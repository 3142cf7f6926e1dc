#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# make_seeds.py BTFENC FOLDER - write the first inputs of the fuzz targets to FOLDER/TARGET/
#
# Compiles a few lines with gcc and clang, those that are installed, as DWARF 4 and 5, and cuts the
# objects into the inputs of the targets. The folder corpus/ has the inputs that fuzzing found.

import os
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCES = {
    "types": """
        typedef unsigned long ulong_t; enum e { A, B = -1 }; enum big { C = 1ULL << 40 };
        union u; struct s { int x : 3, y : 5; const char *n; struct s *next; union u *u;
        struct { ulong_t in; enum e e; }; double d[2][3]; enum big b; int flex[]; } s = { 1 };
        int f(struct s *p, int (*cb)(volatile void *, ...)) { return p->x + cb(p); }
        """,
    "params": """
        struct two { long a, b; } v; struct __attribute__((packed)) odd { char c; long l; } o;
        static __attribute__((noinline)) int g(int a, int unused, struct two t)
        { return a + (int)t.b; }
        int f(int a, struct odd p) { return g(a, 3, v) + p.c; }
        int main(int argc, char **argv) { return f(argc, o) + argv[0][0]; }
        """,
    "tags": """
        #if __has_attribute(btf_type_tag)
        #define user __attribute__((btf_type_tag("user")))
        #define tag(x) __attribute__((btf_decl_tag(x)))
        #else
        #define user
        #define tag(x)
        #endif
        struct s { int a tag("a"); } tag("s"); int v tag("v");
        int f(struct s user *p, int x tag("x")) tag("f");
        int f(struct s user *p, int x) { return p->a + x + v; }
        """,
}
# two units that agree on some things and not on others, with the names of fuzz_combine.c
MEMBERS = {
    "one": """
        struct shared { int a; struct other *o; char name[6]; }; enum e { E0, E1 = 7 };
        int count = 3; static volatile int here = 5;
        __attribute__((section(".data..percpu"))) int cpu_one;
        __attribute__((weak)) int weak(int first) { return first; }
        static __attribute__((noinline)) int same(int a) { return a + here; }
        static __attribute__((noinline)) int clash(char *text) { return *text; }
        static inline int helper(struct shared *s, int *counted) { return s->a > 3 ? *counted + here : 7; }
        int one(struct shared *s, enum e e) { return e + same(s->a) + clash(s->name) + helper(s, &count); }
        """,
    "two": """
        struct shared { int a; struct other *o; char name[6]; }; struct other { struct shared s[2]; };
        struct other instance; static volatile int here = 6; long *pointer;
        int weak(int second) { return second + 1; }
        static __attribute__((noinline)) int clash(int number) { return number + here; }
        int two(struct other *o) { return clash(o->s->a); }
        """,
}
COMPILERS = [cc for cc in ("gcc", "clang") if shutil.which(cc)]
SECTIONS = ("abbrev", "str", "line_str", "str_offsets", "addr", "loc", "loclists", "info")


def sections_of(path):
    data = open(path, "rb").read()
    shoff, = struct.unpack_from("<Q", data, 40)
    shnum, shstr = struct.unpack_from("<HH", data, 60)
    heads = [struct.unpack_from("<IIQQQQ", data, shoff + 64 * i) for i in range(shnum)]
    names = data[heads[shstr][4]:]
    found = {}
    for name, kind, _, _, offset, size in heads:
        text = names[name:names.index(b"\0", name)].decode()
        if kind != 8 and text.startswith(".debug_"):
            found[text[7:]] = data[offset:offset + size]
    return [found.get(s, b"") for s in SECTIONS]


def section_bytes(path, name):
    out = path + name
    subprocess.check_call(["objcopy", "-O", "binary", "--only-section=" + name,
                           "--set-section-flags", name + "=alloc", path, out])
    return open(out, "rb").read()


# As in fuzz_combine.c.
NAMES = ["one", "two", "main", "weak", "same", "clash", "helper", "count", "here", "hidden", "cpu_one",
         "local", "cpu_two", "shown", "pointer", "instance", "one.c", "two.c", "same.isra.0", ""]
LOADED = [None, ".text", ".data", ".bss", ".data..percpu", ".rodata"]


def symbols_of(path, offset=0):
    """The symbols of a file as those of a linked file; those of an object are at an offset in each section."""
    found = []
    for line in subprocess.check_output(["objdump", "-t", path], text=True).splitlines():
        kind, fields = line[17:24], line[24:].split()
        if len(fields) != 3 or fields[2] not in NAMES:
            continue
        name = NAMES.index(fields[2])
        if "f" in kind:
            found.append(struct.pack("<BBBH", name, 2, 0, 0))
        elif fields[0] in LOADED:
            bind = 8 if "w" in kind else 4 if "g" in kind else 0
            size = (int(fields[1], 16) + 7) // 8
            found.append(struct.pack("<BBBH", name, ("F" in kind) | bind | min(size, 15) << 4,
                                     LOADED.index(fields[0]), (int(line[:16], 16) & 0xfff) + offset))
    return found


def compile_members(flags, command):
    """Compile both units and encode them, unless the compiler does it."""
    for name, text in MEMBERS.items():
        with open(name + ".c", "w") as f:
            f.write(text)
        subprocess.check_call(["gcc", "-O2", *flags, "-c", "-fno-asynchronous-unwind-tables",
                               "-fdebug-prefix-map=" + os.getcwd() + "=.", name + ".c"])
        if command:
            subprocess.check_call(command + [name + ".o"])
    return [name + ".o" for name in MEMBERS]


def archive_seeds(maker, objects, put):
    """Archives without facts; each has first bytes for a raw and a linked file."""
    # gcc's names the folder
    here = os.getcwd().encode()
    members = [section_bytes(o, ".BTF").replace(here, b"/" * len(here)) for o in objects]
    symbols = [s for i, o in enumerate(objects) for s in symbols_of(o, 0x200 * i)]
    archive = b"".join(members)
    put("combine", maker + "-raw", bytes([2, 0]) + archive)
    put("combine", maker + "-linked", bytes([1 | 2, len(symbols)]) + b"".join(symbols) + archive)
    put("combine", maker + "-one", bytes([16, 0]) + members[0])
    put("combine", maker + "-relocatable",
        bytes([1 | 32, len(symbols)]) + b"".join(symbols) + archive)


def facts_seed(name, flags, objects, put, alone=False):
    """The archive and the facts of objects that are linked at the addresses of fuzz_combine.c."""
    subprocess.check_call(["ld", "-e", "one", "-z", "norelro", "-o", "linked", *objects]
                          + [f"--section-start={section}={0x400000 + 0x1000 * i:#x}"
                             for i, section in enumerate(LOADED) if section])
    facts, symbols = section_bytes("linked", ".debug.btf"), symbols_of("linked")
    put("combine", name, bytes([1 | 64 | flags, len(symbols)]) + struct.pack("<H", len(facts))
        + b"".join(symbols) + facts + (b"" if alone else section_bytes("linked", ".BTF")))


def combine_seeds(btfenc, put):
    encode = [btfenc, "-J", "--btf_features=default,global_var"]
    objects = compile_members(["-gdwarf-5"], None)
    # one object of both units: its blocks have BTF
    subprocess.check_call(["ld", "-r", "-o", "both.o", *objects])
    subprocess.check_call(encode + ["both.o"])
    facts_seed("facts-units", 2, ["both.o"], put)
    objects = compile_members(["-gdwarf-5"], encode)
    facts_seed("facts-linked", 2, objects, put)
    facts_seed("facts-relocatable", 2 | 32, objects, put)
    facts_seed("facts-signature", 16, objects, put)
    archive_seeds("plain", objects, put)
    objects = compile_members(["-gdwarf-5", "-fno-pie"], encode[:2] + [encode[2] + ",inline"])
    facts_seed("sites-linked", 2 | 128, objects, put)
    facts_seed("sites-apart", 2 | 16 | 128, objects, put)
    facts_seed("sites-relocatable", 2 | 32 | 128, objects, put)
    alone = encode[:2] + [encode[2] + ",inline", "--btf_for_link"]
    objects = compile_members(["-gdwarf-5", "-fno-pie"], alone)
    facts_seed("alone-linked", 2 | 128, objects, put, True)
    facts_seed("alone-relocatable", 2 | 32 | 128, objects, put, True)
    archive_seeds("gcc", compile_members(["-gbtf"], None), put)


# As in gen_tags of lib/dwarfgen_tables.h: the sorts of DIE, and what they are followed by.
TAGS = """base pointer struct member typedef bits old_bits union struct_decl union_decl class enum_decl
    enum enumerator array bound count proto type_param param origin_param dots func inlined defined
    var var_spec const volatile restrict atomic reference ptr_to_member unspecified annotation
    gnu_annotation block inlined_at inherits namespace import string unknown end unit""".split()


def ref(to):
    return [to & 0xff, to >> 8]


def die(tag, *values, odd=0):
    return [TAGS.index(tag), odd, *values]


def dwarf_gen_seeds(put):
    """What the target dwarf_gen takes, small; DIEs count from the unit's, which is 0."""
    end, unit = [TAGS.index("end")], [TAGS.index("unit")]
    number = die("base", 0, 4, 5)  # "int", signed; number 1
    shapes = {
        "int": number,
        "list": number + die("struct", 2, 16) + die("member", 3, *ref(5), 0) +
                die("member", 4, *ref(1), 8) + end + die("pointer", *ref(2), 8),
        "bits": number + die("struct", 2, 8) + die("bits", 4, *ref(1), 3, 0) +
                die("bits", 5, *ref(1), 5, 3) + die("old_bits", 9, *ref(1), 4, 5, 22, 6) + end,
        "cycle": die("typedef", 13, *ref(2)) + die("typedef", 13, *ref(1)),
        "itself": die("struct", 2, 8) + die("member", 4, *ref(1), 0) + end,
        "nowhere": die("pointer", *ref(0xff00), 8) + die("const", *ref(0xff90)) +
                   die("typedef", 13, *ref(0)),
        "enum": number + die("enum", 7, 4, *ref(1)) + die("enumerator", 4, 0xf9) +
                die("enumerator", 5, 0xff) + end,
        "array": number + die("array", *ref(1)) + die("bound", *ref(1), 0xf8) + die("count", 3) + end,
        "proto": number + die("pointer", *ref(3), 8) + die("proto", *ref(1)) +
                 die("type_param", *ref(2)) + die("dots") + end,
        "func": number + die("func", 10, *ref(1), 2) + die("param", 4, *ref(1), 0x2a) +
                die("param", 5, *ref(1), 0x22) + end,
        "inlined": number + die("inlined", *ref(3), 1, 0) + die("origin_param", *ref(4), 2) + end +
                   die("func", 9, *ref(1), 2) + die("param", 4, *ref(1), 0x2a) + end,
        "vars": number + die("var", 12, *ref(1), 1) + die("var", 11, *ref(1), 0) +
                die("var_spec", *ref(2), 9),
        "tags": number + die("struct", 11, 2, 4, *ref(4), odd=8) + die("member", 4, *ref(1), 0) +
                end + die("gnu_annotation", 0, 2, *ref(5)) + die("gnu_annotation", 1, 3, *ref(4)) +
                die("pointer", *ref(1), 8, odd=4) + die("annotation", 1, 2) + end,
        "forms": die("base", 3, 0, 5, 4, 0, 5, odd=2) + die("pointer", 2, *ref(1), 3, 0xf4, odd=2) +
                 die("typedef", 4, 2, 1, *ref(1), odd=2),
        "two": number + unit + [0, 0] + die("typedef", 13, 1, *ref(1), odd=2) + number,
    }
    for i, (name, dies) in enumerate(shapes.items()):
        # flags, then what the unit is: every second of DWARF 4, some with wide offsets
        put("dwarf_gen", name, bytes([8 * (i & 1), (i & 1) | (i & 4), 0] + dies))


def ar_file_seeds(put):
    """Small archives in each format; their members are no objects."""
    def member(name, data, size=None):
        header = "%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (name, 0, 0, 0, 0o644, size or len(data))
        return header.encode() + data + b"\n" * (len(data) & 1)

    names = member("//", b"a_long_name_of_an_object.o/\nfolder/b.o/\n")
    put("ar_file", "gnu", b"!<arch>\n" + member("/", b"\0\0\0\0") + names + member("/0", b"one") +
        member("b.o/", b"\x7fELF"))
    put("ar_file", "bsd", b"!<arch>\n" + member("#1/12", b"__.SYMDEF\0\0\0sym") + member("#1/8", b"name.o\0\0data") +
        member("a b.o", b"data"))
    put("ar_file", "thin", b"!<thin>\n" + names + member("/0", b"", 100) + member("/28:68", b"", 20) +
        member("c.o/", b"", 7))
    put("ar_file", "same-name", b"!<arch>\n" + member("//", b"x" * 1000 + b"/\n") + member("/0", b"") * 20)


def btf_image(strings, *records):
    words = [word for record in records for word in record]
    types = struct.pack("<%dI" % len(words), *words)
    return struct.pack("<HBBIIIII", 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(strings)) + types + strings


def inline_seeds(put):
    """Sites of inlined functions and places of parameters, alone and over a base."""
    def site_list(name, *sites):
        return [name, 22 << 24 | len(sites), 0, *(word for site in sites for word in site)]

    strings = b"\0int\0f\0a\0inline.text\0"
    types = [[1, 1 << 24, 4, 0x01000020], [0, 13 << 24 | 2, 1, 7, 1, 0, 0], [5, 12 << 24, 2]]
    # 4 to 13: (size, flags, words)
    places = [[0, 20 << 24 | len(words), size, flags, *words] for size, flags, *words in (
        (4, 2, 7), (4, 3, 0xffffffff), (8, 6, 0x1000, 0), (8, 7, 0, 1), (8, 8, 5), (16, 8, 0, 1), (4, 24, 7),
        (8, 41, 7, 0xfffffff8), (4, 57, 0xffffffff, 0xffffffe0), (4, 56, 6, 0, 1))]
    tuples = [[0, 21 << 24 | 2, 0, place, 0] for place in range(4, 14)]
    sites = site_list(9, *((3, 14 + i, 4 * i) for i in range(10)))
    alone = btf_image(strings, *types, *places, *tuples, sites)
    put("btf_view", "inline", alone)
    put("btf_check", "inline-alone", b"\x18" + alone)
    put("show", "inline", b"\x13" + alone)
    put("compare", "inline-changed", bytes([2, 200, 1, 7, 90, 1, 1]) + alone)
    put("compare", "inline-both", b"\0" + alone +
        btf_image(strings, *types, *places, *tuples[::2], site_list(9, (3, 14, 0), (3, 16, 8), (3, 15, 0))))
    put("distill", "inline", btf_image(strings, *types, *places, *tuples) + btf_image(b"", sites))
    put("dedup", "inline", bytes([40, 5]) + bytes(x for i in range(20) for x in (0xd0 + i, 3, 1, 2, 3)))


def make_all(btfenc, put):
    both = {}
    for name, text in SOURCES.items():
        open(name + ".c", "w").write(text)
        for cc in COMPILERS:
            for version in 4, 5:
                seed = f"{name}-{cc}-{version}"
                flags = [f"-gdwarf-{version}", "-O2", "-fdebug-prefix-map=" + os.getcwd() + "=.",
                         "-fno-asynchronous-unwind-tables"]
                subprocess.check_call([cc, *flags, "-c", name + ".c"])
                if version == 5:
                    put("object", seed, open(name + ".o", "rb").read())
                subprocess.check_call([cc, *flags, "-nostdlib", "-static", "-Wl,-e,f",
                                       "-Wl,--build-id=none", "-o", name, name + ".o"])
                parts = sections_of(name)
                lens = struct.pack("<HHBBBBB", *(min(len(p), 255 if i > 1 else 65535)
                                                 for i, p in enumerate(parts[:-1])))
                put("unit", seed, b"\0" + lens + b"".join(
                    p[:255] if 2 <= i < 7 else p for i, p in enumerate(parts)))
                put("abbrev", seed, bytes([version - 2, 0]) + parts[0])
                locs = parts[6] if version == 5 else parts[5]
                if locs:
                    head = bytes([version - 2, 2, 0, 12 if version == 5 else 0, 0, 8])
                    lens = [0, 0, 0, 0, 0, 0, 0]
                    lens[6 if version == 5 else 5] = min(len(locs), 255)
                    put("expr", seed, head + struct.pack("<HHBBBBB", *lens) + locs[:255])
                if subprocess.call([btfenc, "--btf_features=default,global_var,layout",
                                    "--btf_encode_detached=out.btf", name + ".o"]) == 0:
                    btf = open("out.btf", "rb").read()
                    put("btf_view", seed, btf)
                    if version == 5:
                        put("compare", name + "-both", b"\0" + both.pop(name, b"") + btf)
                        both[name] = btf
                        put("compare", seed + "-changed", bytes([2, 40, 0, 7, 90, 0, 1]) + btf)
                    # how to print it, then what
                    put("show", seed, b"\x13" + btf)
    # expressions that stand alone: a register, an address plus a constant, pieces, an entry value
    for name, expr in {"reg": b"\x55", "addr": b"\x03" + bytes(8) + b"\x23\x08",
                       "pieces": b"\x55\x93\x08\x54\x93\x08", "entry": b"\xa3\x01\x55\x9f",
                       "fbreg": b"\x91\x70"}.items():
        put("expr", name, bytes([3, 0, 0, 12, 0, 8]) + bytes(9) + expr)
    put("dedup", "zeros", bytes(64))
    put("dedup", "count", bytes(range(256)))
    put("dedup", "chain", bytes([60]) + bytes([x for i in range(60) for x in (4 + 16, 1, 1, i, 1, i + 1)]))
    for name in "types", "params":
        with open(name + ".o", "rb") as f:
            put("section_out", name + "-o", f.read())
        subprocess.check_call(["gcc", "-nostdlib", "-static", "-Wl,-e,f", "-Wl,--build-id=none", "-s",
                               "-Wl,-z,noseparate-code", "-o", name, name + ".o"])
        with open(name, "rb") as f:
            put("section_out", name, f.read())
    inline_seeds(put)
    combine_seeds(btfenc, put)
    dwarf_gen_seeds(put)
    ar_file_seeds(put)


def main():
    btfenc, folder = (os.path.abspath(arg) for arg in sys.argv[1:])

    def put(target, name, data):
        os.makedirs(os.path.join(folder, target), exist_ok=True)
        with open(os.path.join(folder, target, name), "wb") as f:
            f.write(data)

    if "gcc" not in COMPILERS or sys.byteorder != "little" or struct.calcsize("P") != 8:
        print("make_seeds.py: skipped: needs gcc for 64 bits, little-endian")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        make_all(btfenc, put)
        os.chdir(folder)


main()
