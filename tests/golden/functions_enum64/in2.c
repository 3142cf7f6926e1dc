enum wide { WIDE = 1ULL << 40 };
enum same { SAME = 1 };
__attribute__((weak)) int by_value(enum wide w)
{
	return w == WIDE;
}
__attribute__((weak)) int behind(enum wide *w)
{
	return *w == WIDE;
}
__attribute__((weak)) int agreed(enum same *s)
{
	return *s == SAME;
}
