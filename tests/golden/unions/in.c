/* unions, with names and without, inside and outside of structs */
union u {
	int i;
	float f;
	char c[4];
} u;
struct s {
	int tag;
	union {
		long l;
		double d;
	};
	union u named;
} s;
union {
	int a;
} nameless;
union self {
	union self *p;
} self;
