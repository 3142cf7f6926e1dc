#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""inlinegen.py SEED - write a random C program with many inlined functions

The program needs no library, so that it runs under an emulator wherever a compiler for the machine is. It calls each
function with several values. One seed gives one text.
"""
import random
import sys

PRELUDE = '''\
typedef __SIZE_TYPE__ size_t;
enum color { RED, GREEN, BLUE = 70 };
enum sign { BELOW = -1, EQUAL, ABOVE };
struct pair { long a, b; };
struct small { int a; short b; };
struct mixed { int *p; unsigned char c; };
struct big { long a[4]; int b; };
typedef long (*function)(long);

void *memcpy(void *to, const void *from, size_t n)
{
	for (char *t = to, *end = t + n; t < end;)
		*t++ = *(const char *)from, from = (const char *)from + 1;
	return to;
}

void *memset(void *to, int c, size_t n)
{
	for (char *t = to, *end = t + n; t < end;)
		*t++ = c;
	return to;
}

volatile long seen;
int numbers[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
char text[] = "text of the program";
struct pair pairs[3] = { { 1, 2 }, { -3, 4 }, { 5, -6 } };
struct big bigs[2] = { { { 1, 2, 3, 4 }, 5 }, { { -1, -2, -3, -4 }, -5 } };
double reals[2] = { 1.5, -2.25 };

#define NOINLINE __attribute__((noinline))

NOINLINE long opaque(long x)
{
	__asm__ volatile("" : "+r"(x) : : "memory");
	seen += x;
	return x;
}

NOINLINE long opaque_pointer(const void *p)
{
	__asm__ volatile("" : "+r"(p) : : "memory");
	seen += p != 0;
	return (long)p & 7;
}

NOINLINE long add(long x) { return opaque(x) + 1; }
NOINLINE long sub(long x) { return opaque(x) - 1; }
'''

START = '''
__attribute__((used)) static void start(void)
{
	run();
#if defined(__x86_64__)
	__asm__ volatile("syscall" : : "a"(231), "D"(0));
#elif defined(__aarch64__)
	register long number __asm__("x8") = 94, status __asm__("x0") = 0;
	__asm__ volatile("svc 0" : : "r"(number), "r"(status));
#elif defined(__riscv)
	register long number __asm__("a7") = 94, status __asm__("a0") = 0;
	__asm__ volatile("ecall" : : "r"(number), "r"(status));
#endif
	__builtin_unreachable();
}

#if defined(__x86_64__)
__asm__(".globl _start\\n_start: xor %ebp, %ebp\\nand $-16, %rsp\\ncall start\\n");
#elif defined(__aarch64__)
__asm__(".globl _start\\n_start: mov x29, 0\\nmov x30, 0\\nbl start\\n");
#elif defined(__riscv)
__asm__(".globl _start\\n_start:\\n.option push\\n.option norelax\\nla gp, __global_pointer$\\n.option pop\\n"
	"andi sp, sp, -16\\njal start\\n");
#endif
'''

INTEGERS = ["int", "unsigned int", "long", "unsigned long", "short", "unsigned short", "signed char", "unsigned char", "_Bool",
            "enum color", "enum sign"]
POINTERS = {"int *": "numbers", "const char *": "text", "struct pair *": "pairs", "const struct big *": "bigs",
            "void *": "numbers", "double *": "reals"}
STRUCTS = {"struct pair": "pairs[{}]", "struct big": "bigs[{}]", "struct small": "(struct small){{ {}, 2 }}",
           "struct mixed": "(struct mixed){{ numbers + {}, 7 }}"}
FLOATS = ["float", "double"]
USES = {"int *": "opaque(*{0}) + opaque_pointer({0})", "const char *": "opaque({0}[1]) + opaque_pointer({0})",
        "struct pair *": "opaque({0}->a) + opaque({0}->b)", "const struct big *": "opaque({0}->a[2]) + opaque({0}->b)",
        "void *": "opaque_pointer({0})", "double *": "opaque((long)*{0})", "struct pair": "opaque({0}.a) + opaque({0}.b)",
        "struct big": "opaque({0}.a[1]) + opaque({0}.b)", "struct small": "opaque({0}.a) + opaque({0}.b)",
        "struct mixed": "opaque_pointer({0}.p) + opaque({0}.c)", "function": "{0}(3)"}


class Writer:
    def __init__(self, seed):
        self.rnd, self.lines, self.funcs = random.Random(seed), [PRELUDE], []

    def type(self):
        kind = self.rnd.random()
        if kind < .5:
            return self.rnd.choice(INTEGERS)
        if kind < .77:
            return self.rnd.choice(sorted(POINTERS))
        if kind < .91:
            return self.rnd.choice(sorted(STRUCTS))
        return self.rnd.choice(FLOATS + ["function"])

    def value(self, kind, scope):
        """An expression of a type, from the variables in scope: (name, type)."""
        rnd, same = self.rnd, [name for name, of in scope if of == kind]
        if same and rnd.random() < .8:
            name = rnd.choice(same)
            if kind in ("int", "long", "unsigned int", "unsigned long") and rnd.random() < .3:
                return f"{name} {rnd.choice('+-^')} {rnd.choice(['1', '12', '3000', '70000'])}"
            return name
        if kind in INTEGERS:
            numbers = [name for name, of in scope if of in INTEGERS]
            if numbers and rnd.random() < .65:
                text = f"({rnd.choice(numbers)} {rnd.choice('+-*&|')} {rnd.randint(1, 9)})"
                return f"({kind}){text}"
            if rnd.random() < .6:
                return f"({kind})numbers[{rnd.randint(0, 7)}]"
            return f"({kind}){rnd.choice(['0', '1', '-1', '7', '100', '65536', '-70000', '0x123456789abcL', '-5'])}"
        if kind in POINTERS:
            local = [name for name, of in scope if of + " *" == kind and name.startswith("l")]
            if local and rnd.random() < .5:
                return f"&{rnd.choice(local)}"
            member = [name for name, of in scope if of == "const struct big *"]
            if member and rnd.random() < .2:
                return f"({kind}){rnd.choice(member)}"
            return f"{POINTERS[kind]} + {rnd.choice(['0', '1', '(seen & 1)'])}"
        if kind in STRUCTS:
            return STRUCTS[kind].format(rnd.choice(["0", "1", "(seen & 1)"]))
        if kind == "function":
            return rnd.choice(["add", "sub"])
        return f"({kind}){rnd.choice(['1.5', '0', '-3', 'reals[1]', 'reals[0] * 3', 'seen'])}"

    def use(self, name, kind):
        return USES.get(kind, "opaque((long){0})").format(name)

    def call(self, function, scope):
        name, params = function
        return f"{name}({', '.join(self.value(kind, scope) for _, kind in params)})"

    def body(self, params, callees):
        rnd, scope, lines = self.rnd, list(params), ["long r = 0;"]
        for i in range(rnd.randint(0, 2)):
            kind = rnd.choice(["int", "long", "struct pair"])
            lines.append(f"{kind} l{i} = {self.value(kind, scope)};")
            scope.append((f"l{i}", kind))
        steps = [f"r += {self.use(name, kind)};" for name, kind in params if rnd.random() < .8]
        steps += [f"r += {self.call(function, scope)};" for function in callees]
        rnd.shuffle(steps)
        for name, kind in params:
            if rnd.random() < .35:
                steps.append(f"r += {self.use(name, kind)};")
            if kind in ("int", "long") and rnd.random() < .15:
                steps.insert(rnd.randrange(len(steps) + 1), f"{name} += {rnd.randint(1, 9)};")
        for step in steps:
            kind = rnd.random()
            if kind < .12:
                step = f"if (r & {rnd.choice([1, 2, 4])})\n\t\t{step}\n\telse\n\t\tr += opaque(r);"
            elif kind < .18:
                step = f"for (int i = 0; i < numbers[{rnd.randint(0, 3)}] % 3; i++)\n\t\t{step}"
            lines.append(step)
        return "".join(f"\t{line}\n" for line in lines + ["return r;"])

    def function(self, name, how, callees):
        params = [(f"p{i}", self.type()) for i in range(self.rnd.randint(0, 5))]
        text = ", ".join(kind + ("" if kind[-1] == "*" else " ") + of for of, kind in params) or "void"
        self.lines.append(f"{how} long {name}({text})\n{{\n{self.body(params, callees)}}}\n")
        return name, params

    def program(self):
        rnd, levels = self.rnd, []
        for level in range(4):
            below, made = levels[-1] if levels else [], []
            for i in range(9):
                how = rnd.choice(["static inline", *["static inline __attribute__((always_inline))"] * 3])
                callees = rnd.sample(below, rnd.randint(1, 2)) if below else []
                made.append(self.function(f"f{level}_{i}", how, callees))
            levels.append(made)
        roots = [self.function(f"root{i}", "NOINLINE", rnd.sample(levels[-1] + levels[-2], 3)) for i in range(10)]
        self.lines.append("static NOINLINE void run(void)\n{\n\tlong r = 0;\n\n\tfor (int i = 0; i < 3; i++) {\n\t\tr = seen + i;\n")
        for root in roots:
            self.lines.append(f"\t\tr += {self.call(root, [('i', 'int'), ('r', 'long')])};\n")
        self.lines.append("\t\topaque(r);\n\t}\n}\n" + START)
        return "\n".join(self.lines)


print(Writer(int(sys.argv[1])).program())
