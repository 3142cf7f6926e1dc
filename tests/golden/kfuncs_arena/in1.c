/*
 * With the feature "attributes", what a kfunc's flags call a pointer into the arena of BPF programs
 * is one: bit 13 speaks of what it returns, 14 and 15 of its first two parameters. A tag with the
 * kind flag stands between the pointer and what it points to.
 */
struct page;
__attribute__((noinline, used)) void *kf_alloc(void *place, const struct page *page, int n)
{
	return n ? place : (void *)page;
}
__attribute__((noinline, used)) int kf_second(int n, struct page *page)
{
	return n + !page;
}
__attribute__((noinline, used)) void *kf_none(void *place)
{
	return place;
}
asm(".pushsection .BTF_ids,\"a\"\n.type __BTF_ID__set8__some,@object\n.local __BTF_ID__set8__some\n__BTF_ID__set8__some:\n.long 3\n.long 1\n"
    ".type __BTF_ID__func__kf_alloc__1,@object\n.local __BTF_ID__func__kf_alloc__1\n__BTF_ID__func__kf_alloc__1:\n.long 0\n.size __BTF_ID__func__kf_alloc__1, 4\n.long 0xf000\n"
    ".type __BTF_ID__func__kf_second__2,@object\n.local __BTF_ID__func__kf_second__2\n__BTF_ID__func__kf_second__2:\n.long 0\n.size __BTF_ID__func__kf_second__2, 4\n.long 0x8000\n"
    ".type __BTF_ID__func__kf_none__3,@object\n.local __BTF_ID__func__kf_none__3\n__BTF_ID__func__kf_none__3:\n.long 0\n.size __BTF_ID__func__kf_none__3, 4\n.long 0\n"
    ".size __BTF_ID__set8__some, .-__BTF_ID__set8__some\n.popsection\n");
