/* DWARF 2 says where members are by expressions */
struct plain {
	char c;
	int i;
	struct plain *next;
	double d[2];
	char last;
};
union either {
	int i;
	float f;
	struct {
		short low, high;
	};
};
struct bits {
	int a : 3;
	unsigned int b : 7;
	long c : 33;
	char d : 4;
	int after;
} __attribute__((packed));
struct plain p;
union either e;
struct bits b;
int read(struct plain *s, union either *u, struct bits *v)
{
	return s->i + u->i + v->b;
}
