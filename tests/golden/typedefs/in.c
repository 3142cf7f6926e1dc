/* chains of names, names for what has none, one name in two scopes */
typedef int number;
typedef number count;
typedef count *counts;
typedef struct {
	number n;
} record;
typedef int (*callback)(record *, count);
typedef struct node node;
struct node {
	node *next;
};
counts c;
record r;
callback cb;
node n;
int f(void)
{
	typedef long number;
	number x = 1;
	return (int)x;
}
