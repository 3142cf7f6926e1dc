/* values beyond 32 bits, of both signs */
enum wide { W = 1ULL << 40, V = 1 } wide;
enum deep { D = -(1LL << 40), E = 1 } deep;
enum { HUGE = 0xffffffffffffffff } nameless;
enum narrow { NARROW = 1 } narrow;
