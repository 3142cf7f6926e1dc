/* every base type, and what BTF says of its encoding */
typedef _Bool truth;
char c;
signed char sc;
unsigned char uc;
short s;
unsigned short us;
int i;
unsigned int u;
long l;
unsigned long ul;
long long ll;
unsigned long long ull;
__int128 i128;
unsigned __int128 u128;
truth b;
float f;
double d;
long double ld;
