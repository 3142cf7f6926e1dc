/*
 * No parameter is expected in a register for floating point numbers: with optimization a function
 * that takes one is left out, unless there is a struct among its parameters. So is a function whose result
 * goes to memory: the address of the result takes the first register. As pahole 1.31 has it.
 */
struct pair {
	int a, b;
};
struct large {
	long a, b, c;
};
int takes_double(double d, int x)
{
	return x;
}
int takes_float_last(int x, float f)
{
	return x;
}
long takes_none(long x)
{
	return x;
}
int double_and_struct(double d, struct pair p)
{
	return p.b;
}
double gives_double(int x)
{
	return x;
}
struct pair gives_pair(int x)
{
	return (struct pair){ x, 1 };
}
struct large gives_large(int x)
{
	return (struct large){ x };
}
struct large gives_large_of_nothing(void)
{
	return (struct large){ 1 };
}
