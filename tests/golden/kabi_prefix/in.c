/*
 * A name that begins with the prefix becomes the prefix, whatever it is the name of. So a function
 * has one that no symbol has, and is left out; so is a variable at the start of its section, where
 * only a symbol tells that it is there.
 */
struct __kabi_outer {
	int __kabi_reserved1;
	int kept;
	union {
		long __kabi_use;
		char not__kabi_;
	};
};
enum some {
	__KABI_OTHER,
	__kabi_one,
};
int first;
enum some __kabi_variable = __kabi_one;
int __kabi_function(int a)
{
	return a;
}
int function(struct __kabi_outer *o, int __kabi_param)
{
	return o->kept + __kabi_param + first + (int)__kabi_variable;
}
