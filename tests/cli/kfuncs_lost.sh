#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A kfunc that has no function in the BTF is told without being asked, once

. "${0%/*}/../lib/testlib.sh"

need gcc ld

# .BTF_ids as include/linux/btf_ids.h makes it: id KIND NAME [MORE], kfuncs NAME...
in_ids()
{
	printf 'asm(".pushsection .BTF_ids,\\"a\\"; %s; .popsection");\n' "$1"
}
id()
{
	nr=$((nr + 1))
	in_ids "__BTF_ID__$1__$2__$nr: .long 0; .size __BTF_ID__$1__$2__$nr, 4${3:-}"
}
kfuncs()
{
	in_ids '__BTF_ID__set8__some: .long 9; .long 1'
	for name; do
		id func "$name" '; .long 0'
	done
	in_ids '.size __BTF_ID__set8__some, .-__BTF_ID__set8__some'
}
nr=0

# a kfunc that is there, one that is left out because it has two addresses, and one that is nowhere; twice
{
	cat <<-\END
	#define N __attribute__((noinline, used))
	struct there { int x; } there;
	N int good(struct there *t) { return t->x; }
	static N int bad(int x) { return x; }
	int start(void) { return good(&there) + bad(2); }
	END
	kfuncs good bad nowhere bad
	id struct there
	id struct not_there
	id func start
	id func no_start
} | gcc_c kfuncs.o -O1
echo 'static __attribute__((noinline, used)) int bad(long x) { return x + 1; }' | gcc_c second.o -O1
ld -e start -o kfuncs kfuncs.o second.o || fail "ld failed"
run_ok btfenc --btf_features=default --btf_encode_detached=kfuncs.btf kfuncs
expect_no_stdout
expect_stderr <<\END
btfenc: warning: 'kfuncs': kfuncs without a function in the BTF: bad, nowhere (to see why, add '--explain=bad' to the options)
END
# the list does not select them
run_ok btfenc --btf_features=default --btf_functions=start --btf_encode_detached=kfuncs.btf kfuncs
expect_stderr <<\END
btfenc: warning: 'kfuncs': kfuncs without a function in the BTF: bad, good, nowhere ('--btf_functions' does not select them: give '--btf_functions=kfuncs', too)
END
run_ok btfenc --btf_features=default --btf_functions=start,kfuncs --btf_encode_detached=kfuncs.btf kfuncs
expect_in stderr "bad, nowhere (to see why, "
run_ok btfenc --btf_features=default --btf_report=report kfuncs
sed -n 's/^{"file":"kfuncs",\(.*"subject":"btf_id".*\)/{\1/p' report >out/ids
expect_same ids <<\END
{"rule":"kfunc_lost","subject":"btf_id","result":"lost","name":"bad","keyword":"func"}
{"rule":"btf_id_lost","subject":"btf_id","result":"lost","name":"no_start","keyword":"func"}
{"rule":"btf_id_lost","subject":"btf_id","result":"lost","name":"not_there","keyword":"struct"}
{"rule":"kfunc_lost","subject":"btf_id","result":"lost","name":"nowhere","keyword":"func"}
END
[ "$(tail -n 1 report)" = '{"end":true,"left_out":1,"changed":0,"lost":4,"several":0,"listed":5,"rules":{"func_ambiguous_address":1,"kfunc_lost":2,"btf_id_lost":2},"kfuncs_lost":2}' ] ||
	fail "$(tail -n 1 report)"

# the kernel needs them whatever the features are; pahole reads .BTF_ids only for the tags
run_ok btfenc --btf_features=var --btf_encode_detached=kfuncs.btf kfuncs
expect_in stderr 'kfuncs without a function in the BTF: bad, nowhere ('
run_silent btfenc --compat=1.32 --btf_features=var --btf_encode_detached=kfuncs.btf kfuncs

# --- an object loses what it defines; the rest may be in others
ld -r -o joined.o kfuncs.o second.o || fail "ld failed"
run_ok btfenc -J --btf_features=default joined.o
expect_no_stdout
expect_stderr <<\END
btfenc: warning: 'joined.o': kfuncs without a function in the BTF: bad (to see why, add '--explain=bad' to the options)
END

# --- and of an archive, the linked file as any other
for object in kfuncs.o second.o; do
	run_silent btfenc -J --btf_features=default $object
done
ld -e start -o archive kfuncs.o second.o || fail "ld failed"
run_ok btfenc -J --btf_features=default archive
expect_in stderr "^btfenc: warning: 'archive': kfuncs without a function in the BTF: bad, nowhere ("

# --- what the base has is not lost
{
	echo 'int own(int a) { return a; }'
	kfuncs own based nowhere
} | gcc_c module.o
echo 'int based(int a) { return a; }' | gcc_c base.o
run_ok btfenc --btf_encode_detached=base.btf base.o
run_ok btfenc -J --btf_base=base.btf --btf_features=default module.o
expect_stderr <<\END
btfenc: warning: 'module.o': kfuncs without a function in the BTF: nowhere (to see why, add '--explain=nowhere' to the options)
END

# --- only the first are named
{
	echo 'int start(void) { return 0; }'
	kfuncs $(seq -f 'lost_%.0f' 100 120)
} | gcc_c many.o
ld -e start -o many many.o || fail "ld failed"
run_ok btfenc -J --btf_features=default many
expect_in stderr "BTF: lost_100, .*, lost_107 and 13 more (to see why, add '--explain=lost_100' to"

# --- a header has kfuncs if the BTF has, which is encoded in memory from DWARF
run btfenc --btf_header kfuncs
grep -q "'--btf_header' needs libbpf 1" out/stderr && exit 0
for features in '' --btf_features=default --btf_features=decl_tag,decl_tag_kfuncs; do
	run_ok btfenc -F dwarf --btf_header $features kfuncs
	expect_in stdout '^extern int good(struct there \*t) __weak __ksym;$'
	expect_not_in stdout 'has no kfuncs'
done
without_kfuncs()
{
	run_ok btfenc "$@"
	expect_not_in stdout '__weak __ksym'
}
without_kfuncs -F dwarf --btf_header --btf_features=type_tag kfuncs
expect_no_stderr
cp kfuncs old
run_ok btfenc --compat=1.32 -J --btf_features=var old
without_kfuncs --btf_header old
expect_in stdout '^ \* The BTF has no kfuncs: no function has the tag bpf_kfunc\.$'
expect_stderr <<\END
btfenc: warning: 'old': the header has no kfuncs, because the BTF has no tags 'bpf_kfunc', although .BTF_ids lists 4: '-F dwarf' makes them
END
