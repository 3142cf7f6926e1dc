/* bit fields of all widths, over storage units, in unions and packed structs */
struct bits {
	int a : 1;
	unsigned int b : 31;
	long c : 40;
	int : 5;
	char d : 3;
	_Bool e : 1;
	int f;
	int g : 7;
} bits;
struct mixed {
	char before;
	int x : 3;
	int : 0;
	int y : 29;
	enum color { RED, GREEN } z : 2;
} mixed;
union in_union {
	int x : 4;
	unsigned long y : 60;
} in_union;
struct __attribute__((packed)) dense {
	int a : 7;
	int b : 18;
	long c : 33;
	char rest;
} dense;
