/* without the feature enum64, values are cut to 32 bits */
enum wide { W = 1ULL << 40, V = 1 } wide;
enum negative { M = -5 } negative;
