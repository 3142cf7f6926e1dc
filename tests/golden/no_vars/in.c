/* --skip_encoding_btf_vars: neither VAR nor DATASEC */
__attribute__((section(".data..percpu"))) int counter;
