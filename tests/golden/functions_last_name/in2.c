static __attribute__((noinline)) int aaa(int a)
{
	volatile int v = a;
	return v + 2;
}
static __attribute__((noinline)) int zzz(int a)
{
	volatile int v = a;
	return v * 2;
}
int use2(int a)
{
	return aaa(a) + zzz(a);
}
