/* members of a BTF_ID set of kind kfunc get the tag bpf_kfunc */
struct pair {
	unsigned int id, flags;
};
__attribute__((noinline, used)) int kfunc_one(int a)
{
	return a + 1;
}
__attribute__((noinline, used)) int kfunc_two(int a)
{
	return a + 2;
}
int no_kfunc(int a)
{
	return kfunc_one(a) + kfunc_two(a);
}
asm(".pushsection .BTF_ids,\"a\"\n.type __BTF_ID__set8__some,@object\n.local __BTF_ID__set8__some\n__BTF_ID__set8__some:\n.long 2\n.long 1\n"
    ".type __BTF_ID__func__kfunc_one__1,@object\n.local __BTF_ID__func__kfunc_one__1\n__BTF_ID__func__kfunc_one__1:\n.long 0\n.size __BTF_ID__func__kfunc_one__1, 4\n.long 0\n"
    ".type __BTF_ID__func__kfunc_two__2,@object\n.local __BTF_ID__func__kfunc_two__2\n__BTF_ID__func__kfunc_two__2:\n.long 0\n.size __BTF_ID__func__kfunc_two__2, 4\n.long 4096\n"
    ".size __BTF_ID__set8__some, .-__BTF_ID__set8__some\n.popsection\n");
