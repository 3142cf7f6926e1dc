/* with global_var, variables of every section, each section a DATASEC */
int zero;
int one = 1;
static int hidden = 2;
const int constant = 3;
extern int elsewhere;
int *use = &elsewhere;
__attribute__((section(".data.mine"))) int mine = 4;
__attribute__((section(".data..percpu"))) int percpu;
static __thread int tls;
int f(void)
{
	static int in_function = 5;
	tls++;
	return hidden++ + in_function++;
}
