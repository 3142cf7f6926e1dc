/*
 * An optimized copy is known by its address. In a linked file it is found, and left out; the addresses
 * of an object are made up by who reads it, so there the same function is described: see
 * functions_optimized.
 */
volatile int sink;
__attribute__((noinline)) static int constant_param(int a, int always)
{
	sink = a;
	return a << always;
}
int f(int x)
{
	return constant_param(x, 3) + constant_param(x + 1, 3);
}
