/* without the features, tags leave no trace */
struct s {
	int __attribute__((btf_type_tag("user"))) * p;
	int i __attribute__((btf_decl_tag("member")));
} s;
