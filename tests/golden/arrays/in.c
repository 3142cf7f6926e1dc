/* dimensions become one; a flexible array has no element */
int one[3];
int two[2][5];
int three[2][3][4];
extern int unknown_size[];
int *use = unknown_size;
struct flexible {
	int n;
	char tail[];
} flexible;
struct zero {
	int n;
	char tail[0];
} zero;
int none[0];
typedef int vector[4];
vector vectors[2];
const char *names[] = { 0, 0 }; /* clang describes literals as variables */
int vla(int n)
{
	int v[n];
	v[0] = 1;
	__builtin_memset(v, 1, sizeof(v));
	return v[n - 1];
}
