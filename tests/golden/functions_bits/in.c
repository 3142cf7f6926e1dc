/* what is passed on the stack must not be packed; which structs are, bit fields tell, too */
#define ON_STACK(name, type)                                             \
	int name(long a, long b, long c, long d, long e, long f, type s) \
	{                                                                \
		return a;                                                \
	}
struct __attribute__((packed)) tight {
	int a : 3;
	char b;
	short c;
	int d : 17;
	long e;
};
struct fits {
	int a : 5;
	int : 0;
	int b : 6;
	char c;
};
struct crossing {
	char x;
	int a : 7;
	unsigned int b : 20;
};
struct wide {
	short a;
	char b;
	int c : 9;
	long d : 40;
};
struct inner {
	int i;
};
struct __attribute__((packed)) shifted {
	char c;
	struct inner in;
};
struct all_one {
	long a : 10;
	long b : 44;
	long c : 10;
};
struct holes {
	char a;
	int b : 3;
	long c;
};
ON_STACK(with_tight, struct tight)
ON_STACK(with_fits, struct fits)
ON_STACK(with_crossing, struct crossing)
ON_STACK(with_wide, struct wide)
ON_STACK(with_shifted, struct shifted)
ON_STACK(with_all_one, struct all_one)
ON_STACK(with_holes, struct holes)
