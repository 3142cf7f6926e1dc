/* the optimizer of gcc writes a unit of DWARF 5, with locations that are so, beside those of DWARF 4 */
int twice(int a, double unexpected);
__attribute__((noinline, used)) int plain(int a)
{
	return twice(a, 2.0) + 1;
}
