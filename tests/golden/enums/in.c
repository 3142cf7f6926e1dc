/* signed and unsigned, without a name, of one byte, only declared */
enum plain { A, B, C = 10 } plain;
enum negative { M = -5, N } negative;
enum { NAMELESS = 3 } nameless;
enum __attribute__((packed)) small { S1, S2 } small;
enum top { TOP = 0xffffffff } top;
enum later;
enum later *later;
