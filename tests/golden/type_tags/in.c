/* btf_type_tag behind pointers, several of them, and in prototypes */
#define tag(x) __attribute__((btf_type_tag(x)))
struct s {
	int tag("user") * p;
	void tag("a") tag("b") * q;
	const char tag("rcu") * tag("percpu") * r;
} s;
int f(struct s tag("user") * p)
{
	return p->p != 0;
}
int (*g)(int *);
