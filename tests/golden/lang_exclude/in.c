/* units of a language that is left out say nothing */
int f(int x)
{
	return x;
}
