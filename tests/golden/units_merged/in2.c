struct shared {
	int x;
	struct private_here *p;
};
struct private_here {
	char there;
};
typedef struct shared shared_t;
shared_t *b;
int g(struct shared *s, struct private_here *p)
{
	return s->x + p->there;
}
struct only_declared_here {
	int no_longer;
} defined;
enum common { ONE, TWO } d;
