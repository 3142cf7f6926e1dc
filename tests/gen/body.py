# SPDX-License-Identifier: GPL-2.0-only
"""body.py - the statements of a function

They have no purpose: they add up the parameters, pass objects to touch(), which is nowhere defined, and call other
functions. Enough for compilers to inline, clone, split and drop. A value that is needed, and not there, is read from a
buffer.
"""
from model import (MAX_FUNCS, MAX_PARAMS, NR_INTS, Func, Rnd, base_type, declare, has, pointer_to, type_class)


class Body:
    def __init__(self, program, unit, needs, func, part):
        self.p, self.unit, self.needs, self.func = program, unit, needs, func
        self.type = func.type_in(unit)
        self.r = Rnd(program.seed, part)
        self.nr_locals = 0
        self.text = ''

    def line(self, text):
        self.text += f'\t{text}\n'

    def block(self, *lines):
        self.text += '\t{\n' + ''.join(f'\t\t{line}\n' for line in lines) + '\t}\n'

    def read_buffer(self, t):
        return f"*({declare(pointer_to(t), '')})buffer"

    def value(self, t):
        """An expression of type t"""
        number = self.r.below(9)
        kind = type_class(t)
        if kind == 'pointer':
            return '0' if number < 3 else '(void *)buffer'
        if kind not in ('int', 'float'):
            return self.read_buffer(t)
        if self.r.one_in(4):
            return str(number)
        return self.read_buffer(t) if self.r.one_in(4) else f'sum + {number}'

    def summand(self, t):
        """A member of arithmetic type that every version of the struct or union t as this unit sees it has, or None"""
        if t.kind != 'named' or t.named.kind not in ('struct', 'union'):
            return None
        n = t.named
        if n.inner or not self.is_defined(n):
            return None
        for m in n.seen_in(self.unit).members:
            if m.name and type_class(m.type) == 'int' and not self.r.one_in(3):
                return m.name
        return None

    def is_defined(self, n):
        return self.needs.get(n.index) == 'definition'

    def use_parameter(self, i):
        t, name = self.type.params[i], self.func.params[i]
        kind = type_class(t)
        if not name:
            return
        if kind in ('int', 'float'):
            self.line(f'sum += (long){name};')
        elif kind == 'pointer':
            member = self.summand(t.to) if t.kind == 'pointer' else None
            self.line(f'sum += (long){name}->{member};' if member else f'sum += (long){name};')
        elif kind == 'memory':
            member = self.summand(t)
            self.line(f'sum += (long){name}.{member};' if member else f'touch((void *)&{name});')

    def call(self, f):
        t = f.type_in(self.unit)
        args = []
        for i, param in enumerate(t.params):
            arg = self.value(param)
            if f.constant == i:
                arg = {'int': '1', 'pointer': '0'}.get(type_class(param), arg)
            args.append(arg)
        return f"{f.name}({', '.join(args)}{', 1, buffer' if t.variadic else ''})"

    def call_func(self, f):
        if not has(f.defined_in | f.declared_in, self.unit):
            return
        # what is inlined into itself is not compiled
        if f.kind in ('inline', 'gnu_inline') and f.index >= self.func.index:
            return
        # clang cannot compute with an atomic result
        adds = type_class(f.type_in(self.unit).to) == 'int' and 'atomic' not in self.p.wishes
        self.line(('sum += ' if adds else '') + self.call(f) + ';')

    def use_variable(self):
        v = self.r.pick(self.p.vars)
        if has(v.defined_in | v.declared_in, self.unit):
            self.line(f'touch((void *)&{v.name});')

    def whole_here(self, t):
        while t.kind == 'array':
            t = t.to
        if t.kind != 'named':
            return t.kind != 'pointer'
        return not t.named.inner and self.is_defined(t.named) and type_class(t) not in ('function', 'void')

    def local_type(self):
        params = self.r.pick(self.p.funcs).type.params
        which = self.r.below(MAX_PARAMS)
        if which < len(params) and self.whole_here(params[which]):
            return params[which]
        return base_type(1 + self.r.below(NR_INTS))

    def local_name(self):
        self.nr_locals += 1
        return f'l{self.nr_locals - 1}'

    def local(self):
        name = self.local_name()
        storage = self.r.pick(('', '', '', 'static ', 'static __thread '))
        t = self.local_type()
        # what is inline and extern may not have data of its own
        if self.func.kind == 'gnu_inline':
            storage = ''
        self.block(f'{storage}{declare(t, name)};', f'touch((void *)&{name});')

    def local_struct(self):
        name = self.local_name()
        shape = self.r.below(3)
        member = ('int x', 'long y : 5', 'void *z[2]')[shape]
        self.block(f'struct inside{shape} {{ {member}; struct inside{shape} *next; }} {name};',
                   f'touch((void *)&{name});')

    def local_shadow(self):
        """A type of the name of one outside, which is hidden from here on"""
        n = self.r.pick(self.p.named)
        name = self.local_name()
        if n.kind in ('struct', 'union'):
            self.block(f'{n.kind} {n.name} {{ char shadow; {n.kind} {n.name} *self; }} {name};',
                       f'touch((void *)&{name});')

    def local_names(self):
        name = self.local_name()
        if self.r.one_in(2):
            self.block(f'enum inside {{ INSIDE = 3 }} {name} = INSIDE;', f'touch((void *)&{name});')
        else:
            self.block('typedef struct { short q; } inside;', f'inside {name};', f'touch((void *)&{name});')

    def statement(self):
        number = self.r.below(50)
        what = self.r.below(12)
        if what < 4:
            self.call_func(self.r.pick(self.p.funcs))
        elif what == 4:
            self.use_variable()
        elif what == 5:
            self.local()
        elif what == 6:
            (self.local_struct if number < 30 else self.local_shadow if number < 40 else self.local_names)()
        elif what == 7:
            self.line(f'if (sum > {number})\n\t\tgoto out;')
        elif what == 8:
            self.line(f'for (int i = 0; i < {number}; i++)\n\t\ttouch(&sum);')
        elif what == 9:  # goes to a part of its own
            self.line(f'if (__builtin_expect(sum == {number}, 0)) {{\n\t\tfatal(&sum);\n\t}}')
        elif what == 10:
            self.block('char room[(sum & 15) + 1];', 'touch(room);')
        else:
            self.line(f'sum *= {number + 3};')

    def use_parameters(self):
        for i in range(len(self.type.params)):
            if has(self.func.used, i):
                self.use_parameter(i)
        if self.type.variadic and self.func.params[len(self.type.params) - 1]:
            self.line('__builtin_va_list list;')
            self.line(f'__builtin_va_start(list, {self.func.params[len(self.type.params) - 1]});')
            self.line('sum += __builtin_va_arg(list, int);')
            self.line('__builtin_va_end(list);')

    def end(self):
        self.text += 'out:\n'
        if self.func.never_returns:
            self.line('for (;;)\n\t\ttouch(&sum);')
        elif type_class(self.type.to) == 'void':
            self.line('touch(&sum);')
        else:
            self.line(f'return {self.value(self.type.to)};')


def entry(program, unit, needs):
    """A function that calls others, so that each may be called; the same for every program"""
    body = Body(program, unit, needs, Func('global', MAX_FUNCS), 100 + unit)
    for f in program.funcs:
        for _ in range(body.r.below(4) - 1):
            body.call_func(f)
    return f'long entry{unit}(long sum)\n{{\n{body.text}\treturn sum;\n}}\n'


def function_body(program, unit, needs, f):
    # a function in a header is the same wherever it can be
    shared = f.kind in ('inline', 'gnu_inline')
    body = Body(program, unit, needs, f, 1000 + f.index * 10 + (9 if shared else unit))
    body.line('long sum = 0;')
    # the function returns early, and compilers can make the rest another one
    if (body.r.one_in(4) and body.type.params and f.params[0] and
            type_class(body.type.params[0]) != 'memory'):
        body.line(f'if (!{f.params[0]})\n\t\tgoto out;')
    body.use_parameters()
    nr = body.r.below(3 if shared else 8)
    if body.r.one_in(4):
        nr = 0
    for _ in range(nr):
        body.statement()
    body.end()
    return f'{{\n{body.text}}}\n\n'
