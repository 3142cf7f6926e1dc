/* pointers to everything, also to what is not there */
struct unknown;
void *v;
int **pp;
struct unknown *u;
int (*f)(void);
void (*g)(int *, struct unknown **);
int (*row)[7];
