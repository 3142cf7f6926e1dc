/* without the feature float, floating point is an integer of its size */
float f;
double d;
long double ld;
