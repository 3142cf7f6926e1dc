/* const, volatile and restrict in any order, on both sides of a pointer */
const int ci = 1;
volatile int vi;
const volatile int cvi;
int *const pc = 0;
const int *cp;
const volatile void *const volatile cvp = 0;
int *restrict rp;
const int cia[3] = { 1 };
