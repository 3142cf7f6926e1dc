/*
 * That a struct beyond the registers is packed is seen only if the parameter is of the struct
 * itself, and that has a name. pahole does not look behind a typedef or const, or without a name.
 */
struct __attribute__((packed)) odd {
	char c;
	long l;
};
typedef struct odd odd_t;
typedef struct __attribute__((packed)) {
	char c;
	long l;
} nameless_t;
int seen(int a, int b, int c, int d, int e, int f, struct odd o)
{
	return a + b + c + d + e + f + o.c;
}
int behind_typedef(int a, int b, int c, int d, int e, int f, odd_t o)
{
	return a + b + c + d + e + f + o.c;
}
int behind_const(int a, int b, int c, int d, int e, int f, const struct odd o)
{
	return a + b + c + d + e + f + o.c;
}
int without_name(int a, int b, int c, int d, int e, int f, nameless_t o)
{
	return a + b + c + d + e + f + o.c;
}
