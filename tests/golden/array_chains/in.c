/* arrays of several dimensions: one ARRAY up to pahole 1.31, a chain from 1.32 on */
typedef int row[5];
typedef const int const_row[5];
typedef int nothing[0];
struct arrays {
	int three[2][3][4];
	char zero_inside[2][0], zero_outside[0][2];
	const int constant[2][2];
	const volatile char qualified[2][3];
	row rows[7];
	const_row constant_rows[7];
	const row rows_of_a_constant[6][2];
	nothing nothings[3];
	int (*pointer)[3][4];
	const int *pointers[2][2];
	struct arrays *links[2][2];
	row vector[2];
	int flexible[][5];
};
/* they share inner arrays with those above */
int same[3][4], other[4][3], deeper[6][2][3][4];
row row_again[7];
extern int unknown_size[][5];
int *use = unknown_size[1];
int vla(struct arrays *a, int n)
{
	int v[n][2];
	v[0][1] = 1;
	__builtin_memset(v, 1, sizeof(v));
	return v[n - 1][0] + a->three[1][1][1];
}
