/* functions that stay as they are written are described, static or not */
struct s {
	int x;
};
__attribute__((noinline)) static int local(int a, char *b)
{
	return a + *b;
}
int global(int a, char *b)
{
	return local(a, b) + 1;
}
void nothing(void)
{
}
int many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	return a + b + c + d + e + f + g + h;
}
int by_value(struct s s)
{
	return s.x;
}
int dots(const char *fmt, ...)
{
	return *fmt;
}
extern int elsewhere(int);
int calls(int x)
{
	return elsewhere(x);
}
static inline int inlined(int x)
{
	return x * 2;
}
int uses(int x)
{
	return inlined(x);
}
__attribute__((alias("global"))) int other_name(int a, char *b);
