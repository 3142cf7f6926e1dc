#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# what BTF has no room for is refused, what a kernel has none for is told: both name the type

. "${0%/*}/../lib/testlib.sh"

need gcc awk objcopy

# many FORMAT SEPARATOR: 65,536 of something
many()
{
	awk -v format="$1" -v separator="$2" 'BEGIN {
		for (i = 0; i < 65536; i++)
			printf "%s" format, i ? separator : "", i
	}'
}

# refused MESSAGE: the file stays as it was
refused()
{
	cp a.o before
	error "'a.o': $1" -J --btf_features=default,global_var a.o
	cmp before a.o || fail "the file was changed"
}

gcc_c a.o <<END
struct big { $(many 'char m%d' ';'); } v;
END
refused "unit 'a.c': 'big' has 65536 members, values or parameters; BTF has room for 65535"
gcc_c a.o <<END
int big($(many 'int p%d' ',')) { return p0; }
END
refused "type 2 'big': 65536 elements in one FUNC_PROTO, BTF has room for 65535"
gcc_c a.o <<END
int $(many 'v%d = 1' ',');
END
refused "section '.data' has 65536 variables; BTF has room for 65535"

# With a layout, it is for a kernel that may know 24 bits for the number; the archive gives the same.
gcc_c a.o <<END
enum e { $(many 'E%d' ',') } e;
struct big { $(many 'char m%d' ';'); } v;
int (*f)($(many 'int p%d' ','));
END
run_ok btfenc --btf_features=default,layout --btf_encode_detached=a.btf a.o
expect_stderr <<END
btfenc: warning: 'a.o': type 1 has 65536 elements; Linux before 7.2 refuses more than 65535
END
run_silent btfenc --btf_check=7.2 a.btf
run_status 1 btfenc --btf_check=7.1 a.btf
expect_in stdout ': 65536 elements are more than 65535, the most before Linux 7.2 \[btf_check_meta\]'
cat a.btf a.btf >archive.btf
echo | gcc -c -o empty.o -xc - || fail "gcc failed"
objcopy --add-section .BTF=archive.btf empty.o b.o || fail "objcopy failed"
run_ok btfenc --btf_features=default,layout --btf_encode_detached=b.btf b.o
cmp a.btf b.btf || fail "the archive gives another result"

# 512 bytes of a name are taken by Linux, and 513 are not; programs may have any.
name=$(awk 'BEGIN { for (i = 0; i < 512; i++) printf "n" }')
gcc_c a.o <<END
struct s { int $name; } v;
END
run_silent btfenc -J a.o
gcc_c a.o <<END
struct s { int ${name}n; } v;
END
run_ok btfenc -J a.o
expect_no_stdout
expect_stderr <<\END
btfenc: warning: 'a.o': type 1: the name 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...' has 513 bytes; the kernel refuses more than 512
END
run_status 1 btfenc --btf_check a.o
gcc_c module.o <<END
struct t { int ${name}m; } v;
END
run_ok btfenc -J --btf_base=a.o module.o
expect_in stderr "'module.o': type [0-9]*: the name 'n*\.\.\.' has 513 bytes"

# Any number of jobs is one, and gives the same.
for jobs in 0 -1 100000 99999999999999999999; do
	gcc_c b.o <<-\END
		struct s { int x; } v;
	END
	run_silent btfenc "--jobs=$jobs" --btf_encode_detached=b$jobs.btf b.o
	cmp b0.btf "b$jobs.btf" || fail "--jobs=$jobs makes something else"
done
