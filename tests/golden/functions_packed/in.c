/* the place of a packed struct beyond the registers is uncertain */
struct __attribute__((packed)) odd {
	char c;
	long l;
};
struct __attribute__((packed)) odd_union {
	int i;
	union {
		char c;
		long l;
	} u;
};
struct even {
	long a, b, c;
};
int uncertain(int a, int b, int c, int d, int e, int f, struct odd o)
{
	return a + b + c + d + e + f + o.c;
}
int certain(int a, int b, int c, int d, int e, int f, struct even o)
{
	return a + b + c + d + e + f + (int)o.a;
}
int early(struct odd o)
{
	return o.c;
}
int uncertain_union(int a, int b, int c, int d, int e, int f, struct odd_union o)
{
	return a + b + c + d + e + f + o.u.c;
}
