static __attribute__((noinline)) long twice(long a, long b)
{
	return a + b;
}
static __attribute__((noinline)) int same(char *s)
{
	return *s + 1;
}
long second(long x, char *s)
{
	return twice(x, x) + same(s);
}
