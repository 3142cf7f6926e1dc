/* what two units say alike is there once */
struct shared {
	int x;
	struct private_here *p;
};
struct private_here {
	long here;
};
typedef struct shared shared_t;
shared_t *a;
int f(struct shared *s)
{
	return s->x;
}
struct only_declared_here *odh;
enum common { ONE, TWO } c;
