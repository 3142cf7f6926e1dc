/*
 * Of a variable that is declared first and defined later gcc gives the declaration the name and
 * the type, and the definition the place and a more complete type. pahole takes the first, an array without a length,
 * which has no size, so it leaves the variable out. clang says all of it at the definition.
 */
extern int late[];
extern long known[2];
int use(int i)
{
	return late[i] + (int)known[i];
}
int late[10] = { 1 };
long known[2] = { 1 };
