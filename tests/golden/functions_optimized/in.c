/* a function whose parameters were dropped or moved is not described */
struct big {
	long a, b;
};
volatile int sink;
__attribute__((noinline)) static int unused_param(int a, int unused, int c)
{
	sink = a;
	return a * c;
}
#ifdef __clang__ /* which drops the parameter since version 19, and keeps it before */
static inline
#else
__attribute__((noinline)) static
#endif
	int
	constant_param(int a, int always)
{
	sink = a;
	return a << always;
}
__attribute__((noinline)) static int part_of_struct(struct big b, int c)
{
	sink = c;
	return (int)b.b;
}
__attribute__((noinline)) static long by_reference(struct big *b)
{
	sink = 1;
	return b->a;
}
int f(int x, struct big *b)
{
	return unused_param(x, 1, 3) + constant_param(x, 3) + constant_param(x + 1, 3) +
	       part_of_struct(*b, x) + part_of_struct(*b, 2) + unused_param(x + 2, 5, x) +
	       (int)by_reference(b);
}
int g(struct big *b)
{
	return (int)by_reference(b) + unused_param(1, 2, 3);
}
