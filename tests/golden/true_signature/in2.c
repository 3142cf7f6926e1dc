/* other units say other things of functions with the same names */
extern volatile int sink;
struct other {
	int x;
};

static __attribute__((noinline, used)) int copied(struct other *o)
{
	return o->x + sink;
}
int use(struct other *o)
{
	return copied(o);
}
/* sorts as "last", though "last.a" would come behind "last_but_one" */
int last_but_one(int a)
{
	return a + sink;
}
int last(int a)
{
	return a - sink;
}
__asm__(".globl last.a\n.type last.a, @function\n.set last.a, last");
