/* a symbol with a suffix names the function at its address */
#define COPY(name, suffix)                                                                       \
	__asm__(".globl " #name suffix "\n.type " #name suffix ", @function\n.set " #name suffix \
		", " #name)
struct pair {
	long a, b;
};
volatile int sink;

int plain(int a)
{
	return a + sink;
}
int copied(struct pair *p, int n)
{
	return n + (int)p->a + sink;
}
COPY(copied, ".isra.0");
/* the first suffix counts, but for those of parts of a function */
int several(int a)
{
	return a * sink;
}
COPY(several, ".cold");
COPY(several, ".part.0");
COPY(several, ".constprop.1");
/* two addresses, and it is the one without a suffix */
int ambiguous(int a)
{
	return a - sink;
}
__asm__(".globl ambiguous.constprop.0\n.type ambiguous.constprop.0, @function\n.set ambiguous.constprop.0, plain");
/* for pahole a parameter at an unexpected place: not by this name either */
double moved(double d, int n)
{
	return d + n;
}
COPY(moved, ".isra.0");
