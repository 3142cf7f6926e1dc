/* by default the variables of .data..percpu are described, and no others */
struct s {
	int x;
};
__attribute__((section(".data..percpu"))) int counter;
__attribute__((section(".data..percpu"))) struct s state;
int ordinary;
static long *pointer;
__attribute__((section(".data..percpu"), used)) static char __UNIQUE_ID_name;
long *use(void)
{
	return pointer;
}
