/* declarations alone, and beside their definition */
struct only_declared;
union only_declared_union;
struct defined_later;
struct only_declared *p;
union only_declared_union *q;
struct defined_later *d;
struct holder {
	struct defined_later *p;
	struct hidden *h;
} holder;
struct defined_later {
	int x;
};
