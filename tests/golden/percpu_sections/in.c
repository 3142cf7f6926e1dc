/* in an object the sections that the linker will merge into .data..percpu count as that; pahole 1.31 leaves them out */
__attribute__((section(".data..percpu"))) int counter;
__attribute__((section(".data..percpu..read_mostly"))) long limit;
__attribute__((section(".data..percpu..shared_aligned"))) char line[64];
__attribute__((section(".data.percpu"))) int other;
