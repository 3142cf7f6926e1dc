/* an enum of one name may have 32 bits in one unit and 64 in another: then prototypes differ */
enum wide { WIDE = 1 };
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
