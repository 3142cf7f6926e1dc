/* members, nesting, structs without names, structs that meet themselves */
struct empty {
} empty;
struct leaf {
	char c;
	long l;
};
struct list {
	struct list *next, **pprev;
};
struct tree {
	struct leaf leaf;
	struct {
		int in;
		struct {
			int deeper;
		};
	};
	struct tree *kids[2];
} tree;
struct outer {
	struct inner {
		int x;
	} a;
	struct inner *b;
} outer;
struct list list;
struct __attribute__((packed)) packed {
	char c;
	int i;
} packed;
struct __attribute__((aligned(64))) aligned {
	char c;
} aligned;
