/* btf_decl_tag on types, members, functions, parameters, variables and typedefs */
#define tag(x) __attribute__((btf_decl_tag(x)))
struct tagged {
	int a tag("member");
	int b tag("x") tag("y");
} tag("struct");
typedef int t tag("typedef");
int v tag("variable");
int f(struct tagged *p, t x tag("parameter")) tag("function");
union u {
	int i tag("in union");
} tag("union") u;
int f(struct tagged *p, t x tag("parameter"))
{
	return p->a + x + v;
}
