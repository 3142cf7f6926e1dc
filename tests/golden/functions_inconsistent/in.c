/* a name with two prototypes, or at two addresses, is not described: it is uncertain which one is meant */
static __attribute__((noinline)) int twice(int a)
{
	return a + 1;
}
static __attribute__((noinline)) int same(const char *s)
{
	return *s;
}
int first(int x, char *s)
{
	return twice(x) + same(s);
}
