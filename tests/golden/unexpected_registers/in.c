/*
 * For pahole no parameter is expected in a register for floating point numbers: with optimization it leaves out a
 * function that takes one, unless there is a struct among its parameters; and a function whose result
 * goes to memory, since the address of the result takes the first register. By default all of them are described.
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
