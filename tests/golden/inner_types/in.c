/* types inside of functions count; two of one name stay two */
int f(void)
{
	struct local {
		int a;
	} l = { 1 };
	enum in { IN = 2 } e = IN;
	return l.a + e;
}
long g(void)
{
	struct local {
		long a, b;
	} l = { 1, 2 };
	{
		typedef int deep;
		deep d = 3;
		return l.a + d;
	}
}
