#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""btfgen.py [--atomic] [--complex] [--overlap] [--percpu_parts] SEED FOLDER - write a random C program of several units

Writes FOLDER/u0.c, u1.c, ... One seed gives one text. The options add what pahole 1.31 is known to encode wrong
(tests/diff/known.txt), for comparisons with other encoders.
"""
import argparse
import os
import sys

from body import entry, function_body
from content import make_funcs, make_named, make_vars
from model import (FLEXIBLE, MAX_FUNCS, MAX_UNITS, Program, Rnd, Type, declare, define, has, tags, type_class)

PRELUDE = '''\
#ifdef __has_attribute
#if __has_attribute(btf_type_tag)
#define TTAG(x) __attribute__((btf_type_tag(x)))
#endif
#if __has_attribute(btf_decl_tag)
#define DTAG(x) __attribute__((btf_decl_tag(x)))
#endif
#endif
#ifndef TTAG
#define TTAG(x)
#endif
#ifndef DTAG
#define DTAG(x)
#endif
#ifdef __SIZEOF_INT128__
#define INT128 __int128
#else
#define INT128 long long
#endif
#ifdef __clang__
#define NOCLONE
#else
#define NOCLONE __attribute__((noclone))
#endif
#define NOINLINE __attribute__((noinline))
#define ALWAYS_INLINE __attribute__((always_inline))
#define GNU_INLINE __attribute__((gnu_inline))
#define COLD __attribute__((cold))
#define HOT __attribute__((hot))
#define USED __attribute__((used))
#define WEAK __attribute__((weak))
#define HIDDEN __attribute__((visibility("hidden")))
#define SECTION(x) __attribute__((section(x)))
void touch(void *);
__attribute__((cold, noreturn)) void fatal(void *);
extern char buffer[];

'''


class Needs:
    """The types that a unit must declare ("name") and define ("definition"), by index.

    A type behind a pointer is defined in the units that its mask gives, so that one unit has a graph of types and
    another one a few ends of it."""

    def __init__(self, program, unit):
        self.unit = unit
        self.of = {}
        for n in program.named:
            if has(n.pointed_in, unit):
                self.add_named(n, 'name')
        for item in program.funcs + program.vars:
            if has(item.defined_in | item.declared_in, unit):
                self.add_type(item.type_in(unit), 'definition')

    def add_parts(self, n, need):
        for m in n.members:
            self.add_type(m.type, 'definition')
        if n.kind == 'typedef':
            self.add_type(n.type, need)

    def add_named(self, n, need):
        if n.inner:
            self.add_parts(n, need)
            return
        # an enum is never without its values, and a vector has elements
        if n.kind == 'enum' or n.vector or has(n.complete_in, self.unit):
            need = 'definition'
        if self.of.get(n.index) in (need, 'definition'):
            return
        self.of[n.index] = need
        # the name of a typedef brings that of its type
        if need == 'definition' or n.kind == 'typedef':
            self.add_parts(n.seen_in(self.unit), need)

    def add_type(self, t, need):
        if t.kind == 'named':
            self.add_named(t.named, need)
        elif t.kind == 'pointer':
            self.add_type(t.to, 'name')
        elif t.kind == 'array':
            self.add_type(t.to, 'definition')
        elif t.kind == 'function':
            # the kernel needs the size of each parameter and result
            for part in [t.to] + t.params:
                self.add_type(part, 'definition')


# --- one unit: everything is declared before it is used and defined after; attributes are in the declarations, where
# all compilers accept them

def types(p, unit, needs):
    text = ''
    for n in p.named:
        if n.index in needs and n.kind in ('struct', 'union'):
            text += f'{n.kind} {n.name};\n'
    for n in p.named:
        if needs.get(n.index) == 'definition' or n.index in needs and n.kind == 'typedef':
            text += define(n.seen_in(unit))
    return text + '\n'


def storage(f, defined):
    if f.kind == 'weak':
        return 'WEAK ' if defined else ''
    return {'static': 'static ', 'inline': 'static inline ', 'gnu_inline': 'extern inline GNU_INLINE '}.get(f.kind, '')


def parameters(f, t):
    """Names and types of the parameters, or the names alone"""
    if not t.params:
        return '' if t.old_style else 'void'
    if t.old_style:
        return ', '.join(name or 'none' for name in f.params[:len(t.params)])
    words = [declare(param, name) + (tags(name, 1) if has(f.param_tags, i) else '')
             for i, (param, name) in enumerate(zip(t.params, f.params))]
    return ', '.join(words) + (', ...' if t.variadic else '')


def declaration(unit, f):
    t = f.type_in(unit)
    return ''.join((
        '__attribute__((noreturn)) ' if f.never_returns else '',
        storage(f, has(f.defined_in, unit)),
        f.attrs + ' ' if f.attrs else '',
        declare(t.to, f"{f.name}({'' if t.old_style else parameters(f, t)})"),
        f' __asm__("{f.label}")' if f.label else '',
        f' __attribute__((alias("{f.target.name}")))' if f.target else '',
        tags(f.name, f.nr_tags),
        ';\n'))


def definition(p, unit, needs, f):
    t = f.type_in(unit)
    text = storage(f, True) + declare(t.to, f'{f.name}({parameters(f, t)})') + '\n'
    if t.old_style:
        text += ''.join(declare(param, name or 'none') + ';\n' for param, name in zip(t.params, f.params))
    return text + function_body(p, unit, needs, f)


def variable(unit, v):
    t = v.type_in(unit)
    attrs = v.attrs + ' ' if v.attrs else ''
    text = ''
    if has(v.declared_in, unit):
        is_open = v.open and t.kind == 'array'
        shown = Type('array', quals=t.quals, to=t.to, len=FLEXIBLE) if is_open else t
        text += f'extern {attrs}{declare(shown, v.name)};\n'
    if has(v.defined_in, unit):
        value = {'int': ' = 1', 'float': ' = 1', 'pointer': ' = (void *)buffer'}.get(type_class(t), '')
        text += ''.join((
            'static ' if v.kind == 'static' else '',
            attrs, declare(t, v.name),
            f' SECTION("{v.section}")' if v.section else '',
            tags(v.name, v.nr_tags),
            '' if v.zeroed else value,
            ';\n'))
    return text


def kfuncs(p):
    """Functions that the kernel would offer to BPF programs, listed in .BTF_ids as the kernel's BTF_KFUNCS_START() and
    BTF_ID_FLAGS() do it: a set with its number of members and its flags, then for each member room for an id, and flags
    of its own"""
    fastcall, arena_ret, arena_first = 1 << 12, 1 << 13, 1 << 14
    r = Rnd(p.seed, 5)
    nr_sets = r.below(3) + 1
    if not r.one_in(4):
        return ''

    def symbol(name):
        return f'\t".type {name},%object\\n.local {name}\\n{name}:\\n"\n'

    def plain_pointer(t):  # only a pointer can stand for memory of an arena
        return t.kind == 'pointer' and not t.quals

    def member_flags(f):
        flags = fastcall if r.one_in(3) else 0
        # compilers leave the parameters of the others out
        if f.kind == 'global' and not f.other:
            if r.one_in(2) and plain_pointer(f.type.to):
                flags |= arena_ret
            if r.one_in(2) and f.type.params and plain_pointer(f.type.params[0]):
                flags |= arena_first
        return flags

    text = '__asm__(".pushsection .BTF_ids,\\"a\\"\\n"\n'
    for i in range(nr_sets):
        name = f'__BTF_ID__set8__set{i}'
        text += symbol(name) + f'\t".long 0\\n.long {int(not r.one_in(4))}\\n"\n'
        for k, f in enumerate(p.funcs):
            if r.one_in(3) and f.kind != 'alias':
                member = f'__BTF_ID__func__{f.name}__{i * MAX_FUNCS + k}'
                text += symbol(member) + f'\t".long 0\\n.size {member}, 4\\n.long {member_flags(f)}\\n"\n'
        text += f'\t".size {name}, .-{name}\\n"\n'
    return text + '\t".popsection\\n");\n'


def unit_text(p, unit):
    needs = Needs(p, unit).of
    text = f'/* unit {unit} of seed {p.seed} */\n{PRELUDE}' + types(p, unit, needs)
    for f in p.funcs:
        if has(f.defined_in | f.declared_in, unit):
            text += declaration(unit, f)
    for v in p.vars:
        text += variable(unit, v)
    for n in p.named:
        if has(n.pointed_in, unit):  # a variable that points to it, so that compilers describe it
            text += declare(Type('pointer', to=Type('named', named=n)), f'to{unit}_{n.index}') + ';\n'
    text += '\n'
    for f in p.funcs:
        if has(f.defined_in, unit) and f.kind != 'alias':
            text += definition(p, unit, needs, f)
    return text + entry(p, unit, needs) + (kfuncs(p) if unit == 0 else '')


def make_program(seed, wishes):
    p = Program(seed, wishes)
    r = Rnd(seed, 1)
    p.nr_units = 1 + r.below(3)
    if r.one_in(8):
        p.nr_units = MAX_UNITS
    make_named(p, Rnd(seed, 2))
    make_funcs(p, Rnd(seed, 3))
    make_vars(p, Rnd(seed, 4))
    return p


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    wishes = ('atomic', 'complex', 'overlap', 'percpu_parts')
    for wish in wishes:
        parser.add_argument('--' + wish, action='store_true')
    parser.add_argument('seed', type=int)
    parser.add_argument('folder')
    args = parser.parse_args()
    program = make_program(args.seed, {wish for wish in wishes if getattr(args, wish)})
    for unit in range(program.nr_units):
        with open(os.path.join(args.folder, f'u{unit}.c'), 'w', encoding='ascii') as file:
            file.write(unit_text(program, unit))
    return 0


if __name__ == '__main__':
    sys.exit(main())
