// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline_module.c - a module of the kernel that kernel_inline.sh boots; its inlined functions have known arguments
 *
 * Writing to /sys/module/inline_module/parameters/run executes all sites. tools/inline_probes.py has the arguments, by
 * the names of the parameters.
 */
#include <linux/module.h>

struct probed {
	u32 in_object;
	s64 long_in_object;
	u8 byte_in_object;
};

struct probed probed_object = { 0x51525354, -0x6162636465666768, 0x71 };

/* The compiler does not know the value, but keeps it until here. */
#define HIDE(x) asm volatile("" : "+r"(x))
#define KEEP(x) asm volatile("" : : "r"(x))

static __always_inline void in_registers(u32 word, s64 negative, u8 byte, const void *object)
{
	asm volatile("nop");
	KEEP(word);
	KEEP(negative);
	KEEP((u32)byte);
	KEEP(object);
}

static __always_inline void constants(s32 minus_five, u64 wide, bool yes, s64 big_negative)
{
	asm volatile("nop");
	KEEP(minus_five);
	KEEP(wide);
	KEEP((u32)yes);
	KEEP(big_negative);
}

static __always_inline void in_memory(u32 in_object, s64 long_in_object, u8 byte_in_object)
{
	asm volatile("nop");
	KEEP(in_object);
	KEEP(long_in_object);
	KEEP((u32)byte_in_object);
}

static __always_inline void of_member(const s64 *member)
{
	asm volatile("nop");
	KEEP(*member);
}

static __always_inline void on_stack(struct probed *copy, u64 word64)
{
	asm volatile("nop" : : "r"(word64), "m"(*copy));
}

static noinline void call_in_registers(u32 word, s64 negative, u8 byte, const void *object)
{
	in_registers(word, negative, byte, object);
	in_registers(word, negative, byte, object);
}

static noinline void call_constants(void)
{
	constants(-5, 0x8182838485868788, true, -(1LL << 40));
}

/* Two levels: the same parameters in both. */
static __always_inline void outer(u32 word, s64 negative)
{
	u8 byte = 0x5a;

	in_registers(word, negative, byte, &probed_object);
}

static noinline void call_outer(u32 word, s64 negative)
{
	outer(word, negative);
}

static noinline void call_in_memory(const struct probed *p)
{
	in_memory(p->in_object, p->long_in_object, p->byte_in_object);
}

static noinline void call_of_member(const struct probed *p)
{
	of_member(&p->long_in_object);
}

/* More values than registers. */
static noinline void call_spilled(u32 word, s64 negative, const struct probed *p)
{
	u64 v[16];

	for (int i = 0; i < 16; i++) {
		v[i] = negative;
		HIDE(v[i]);
	}
	in_registers(word, negative, 0x5a, &probed_object);
	in_memory(p->in_object, p->long_in_object, p->byte_in_object);
	for (int i = 0; i < 16; i++)
		KEEP(v[i]);
}

static noinline void call_on_stack(u64 word64)
{
	struct probed copy = probed_object;

	on_stack(&copy, word64);
}

static int run(const char *value, const struct kernel_param *kp)
{
	u32 word = 0x11223344;
	s64 negative = -0x123456789abcdef;
	u8 byte = 0x5a;
	u64 word64 = 0x3132333435363738;
	struct probed *p = &probed_object;

	HIDE(word);
	HIDE(negative);
	HIDE(byte);
	HIDE(word64);
	HIDE(p);
	call_in_registers(word, negative, byte, p);
	call_constants();
	call_outer(word, negative);
	call_in_memory(p);
	call_of_member(p);
	call_spilled(word, negative, p);
	call_on_stack(word64);
	return 0;
}

static const struct kernel_param_ops ops = { .set = run };
module_param_cb(run, &ops, NULL, 0200);
MODULE_DESCRIPTION("inlined functions with known arguments");
MODULE_LICENSE("GPL");
