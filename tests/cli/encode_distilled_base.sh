#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# distilled_base puts .BTF.base beside .BTF, and a run without it takes it away again

. "${0%/*}/../lib/testlib.sh"

need readelf objcopy
gcc_c base.o <<\END
struct other { long l; };
struct shared { int x; struct other *o; };
typedef struct shared shared_t;
shared_t *used;
struct { int a[3]; } anonymous;
int f(struct shared *s) { return s->x; }
END
gcc_c module.o <<\END
struct other { long l; };
struct shared { int x; struct other *o; };
typedef struct shared shared_t;
struct mine { shared_t *s; int count; };
int g(struct mine *m) { return m->count; }
END

# part FILE SECTION TO: what FILE has as SECTION
part()
{
	has_section "$1" "$2" || fail "$1 has no $2"
	objcopy -O binary --only-section="$2" --set-section-flags "$2"=alloc "$1" "$3"
}

run_ok btfenc --btf_encode_detached=base.btf --btf_features=default,global_var base.o
run_ok btfenc --btf_encode_detached=plain.btf --btf_features=default --btf_base=base.btf module.o
cp module.o plain.o
run_ok btfenc -J --btf_features=default --btf_base=base.btf plain.o

run_silent btfenc -J --btf_features=default,distilled_base --btf_base=base.btf module.o
part module.o .BTF split
part module.o .BTF.base base
cmp -s split plain.btf && fail "the split still stands on the whole base"
# in files of their own, the sections are no worse
run_silent btfenc --btf_check module.o
run_silent btfenc --btf_check base
run_silent btfenc --btf_check --btf_base=base split

# int and struct shared, whose member is not there: 16 and 12 bytes of records
[ "$(u32 base 12)" = 28 ] || fail "the base has $(u32 base 12) bytes of records"
[ "$(tr '\0' , <base | tail -c 12)" = ",shared,int," ] ||
[ "$(tr '\0' , <base | tail -c 12)" = ",int,shared," ] || fail "the base has other strings"
tr '\0' ',' <split | grep -q 'count,' || fail "a name of the module is missing"
tr '\0' ',' <split | grep -q 'shared_t,' || fail "a name that was the base's is missing"
tr '\0' ',' <split | grep -q 'other' && fail "what is behind a named struct came along"

cp -p module.o before
run_ok btfenc -J --btf_features=default,distilled_base --btf_base=base.btf module.o
cmp before module.o || fail "the second run gives other bytes"

run_silent btfenc -J --btf_features=default --btf_base=base.btf module.o
has_section module.o .BTF.base && fail "the base of the run before is still there"
cmp plain.o module.o || fail "the run before has left a trace"

# a file of its own has no second section
run_ok btfenc --btf_encode_detached=again.btf --btf_features=default,distilled_base \
	--btf_base=base.btf module.o
expect_no_stdout
expect_stderr <<\END
btfenc: warning: --btf_features=distilled_base has no effect on 'again.btf': only BTF in an ELF file can have a .BTF.base
END
cmp plain.btf again.btf || fail "detached, the split is another one"

# without a base: an error wherever the name stands, and whatever else is asked for
cp module.o unchanged
every=$(btfenc --supported_btf_features)
for list in distilled_base +distilled_base default,distilled_base all,distilled_base distilled_base,all \
	+all,distilled_base "$every" "$every,all"; do
	for option in --btf_features --btf_features_strict; do
		run btfenc -J $option="$list" module.o
		expect_usage_error "--btf_features=distilled_base: there is no --btf_base to distil"
		cmp -s module.o unchanged || fail "$list: the file was changed"
		for other in --btf_features=all --btf_features=default --btf_gen_all; do
			run btfenc -J $other $option="$list" module.o
			expect_usage_error "--btf_features=distilled_base: there is no --btf_base to distil"
			run btfenc -J $option="$list" $other module.o
			expect_usage_error "--btf_features=distilled_base: there is no --btf_base to distil"
		done
		run_ok btfenc $option="$list" --btf_base=base.btf --btf_encode_detached=out.btf module.o
		expect_in stderr "^btfenc: warning: --btf_features=distilled_base has no effect on 'out.btf'"
	done
done
# a set asks for what is possible
for list in all +all all,default default,all; do
	cp module.o all.o
	run_silent btfenc -J --btf_features="$list" all.o
	! has_section all.o .BTF.base || fail "$list: a distilled base of nothing"
done

# --- only something without a name is needed: the base keeps one type, or the kernel refuses it
gcc_c procedures.o <<\END
long counter;
void one(void) {}
END
gcc_c more.o <<\END
void two(void) {}
END
run_ok btfenc --btf_encode_detached=procedures.btf --btf_features=default,global_var procedures.o
run_ok btfenc -J --btf_features=default,distilled_base --btf_base=procedures.btf more.o
part more.o .BTF split
part more.o .BTF.base base
[ "$(u32 base 12)" = 16 ] || fail "the base has $(u32 base 12) bytes of records"
tr '\0' , <base | grep -q ',long int,' || fail "the base has other strings"
# FUNC "two" and its FUNC_PROTO without parameters, 12 bytes each; the one refers to the other
[ "$(u32 split 12)" = 24 ] || fail "the split has $(u32 split 12) bytes of records"
[ "$(u32 split 32)" = 3 ] || fail "the function is of type $(u32 split 32), not 3"
run_ok btfenc --btf_check more.o
run_ok btfenc --btf_check=6.11 more.o
run_status 1 btfenc --btf_check=6.10 more.o
expect_in stdout '^more.o: error: \.BTF\.base+0x0: Linux before 6.11 does not read it, '

# --- nothing in the base has a name ---
gcc_c nameless.o <<\END
void one(void) {}
END
run_ok btfenc --btf_encode_detached=nameless.btf --btf_features=default nameless.o
gcc_c again.o <<\END
void two(void) {}
END
cp -p again.o before
run_status 1 btfenc -J --btf_features=default,distilled_base --btf_base=nameless.btf again.o
expect_stderr <<\END
btfenc: error: 'again.o': 'nameless.btf': nothing in the base has a name, and a .BTF.base without types is refused
END
cmp before again.o || fail "the object is another one"
