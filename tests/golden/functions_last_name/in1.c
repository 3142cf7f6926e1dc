/*
 * A name with two addresses may mean either function, so it is left out. The last name of the symbol
 * table is not looked at, by pahole 1.31 and so by us: "zzz" is described, "aaa" is not.
 */
static __attribute__((noinline)) int aaa(int a)
{
	volatile int v = a;
	return v + 1;
}
static __attribute__((noinline)) int zzz(int a)
{
	volatile int v = a;
	return v * 1;
}
int use1(int a)
{
	return aaa(a) + zzz(a);
}
