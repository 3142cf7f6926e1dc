/*
 * No parameter is expected in a register for floating point numbers: with optimization a function
 * that takes one is left out, unless there is a struct among its parameters. As pahole 1.31 has it.
 */
struct pair {
	int a, b;
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
