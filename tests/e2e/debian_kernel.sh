#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The vmlinux of a distribution: Debian's 6.12 cloud kernel, 210 MB of .debug_info.
#
# In three sets of features and with three numbers of threads the result has the bytes that
# debian-6.12.117.sha256 stands for. Those of kbuild and plain were made by pahole 1.31; those
# of global_var are what pahole 1.31 makes less 50 overridden weak variables, whose entries
# overlap others and make the kernel refuse pahole's (encoder/select/var_select.h). In place the
# result is the same, and the file grows by it alone. Printed from kbuild's BTF, it is the text of
# pahole 1.31 (listing). The functions that its report says are left out are those of pahole 1.31 -V,
# each for the same reason (skipped). The kernel we run on, if it lets us, and
# bpftool, if it is there, read the result.
#
# Over it, 19 of its modules have the BTF that pahole 1.31 makes (debian-6.12.117-modules.sha256),
# in a process each and in one run: large ones, those in which most names mean something else than
# in the kernel, and the smallest.
#
#	BTFENC_E2E_DIR=...      where vmlinux and the modules (706 MB) of the package (318 MB) are kept; default: in the build folder
#	BTFENC_E2E_PACKAGE=...  another package with /usr/lib/debug/boot/vmlinux-*
#	PEER=...                a pahole 1.31 to compare global_var with
#
# If the archive does not have that version, as on other releases and machines, the test takes the newest
# cloud kernel and compares types with those that Debian's pahole generates.

. "${0%/*}/../lib/testlib.sh"

# the hashes are of pahole 1.31
btfenc()
{
	command btfenc --compat=1.31 "$@"
}

wanted=linux-image-6.12.117+deb12-cloud-amd64-dbg
package=${BTFENC_E2E_PACKAGE:-$wanted}
kbuild=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs
cache=${BTFENC_E2E_DIR:-${BUILDDIR:-$SRCDIR/build}/tests/e2e-cache}
mkdir -p "$cache" || skip "no folder to keep the package in: $cache"
cache=$(cd "$cache" && pwd)

# --- the vmlinux -------------------------------------------------------------------------

known()
{
	apt-cache show "$1" 2>/dev/null | grep -q '^Package:'
}

# Not those without a third number: they only refer to others.
newest()
{
	apt-cache search --names-only "^linux-image-[0-9]+\.[0-9]+\.[0-9].*-cloud-$(dpkg --print-architecture)-dbg\$" |
		cut -d ' ' -f 1 | sort -V | tail -n 1
}

# Into the cache under its final name only when it is whole.
fetch()
{
	need apt-get apt-cache dpkg-deb dpkg
	if ! known "$package"; then
		apt-get update -q >update.log 2>&1 || sudo -n apt-get update -q >>update.log 2>&1
	fi
	if ! known "$package"; then
		[ "$package" = "$wanted" ] || skip "the archive has no $package"
		package=$(newest)
		[ -n "$package" ] || skip "the archive has no $wanted and nothing like it, or there is no network"
	fi
	[ ! -e "$cache/$package.vmlinux" ] || return 0
	echo "fetching $package"
	timeout 300 apt-get download -q "$package" >download.log 2>&1 || {
		tail -n 3 download.log >&2
		skip "$package cannot be fetched: no network?"
	}
	set -- ./"$package"_*.deb
	modules=
	[ "$package" != "$wanted" ] || modules=$(sed 's,^[0-9a-f]*  ,*/,' "$TESTDIR/debian-6.12.117-modules.sha256")
	# in one pass: it takes half a minute
	mkdir unpacked || exit 1
	dpkg-deb --fsys-tarfile "$1" | tar xf - -C unpacked --wildcards '*/vmlinux*' $modules || fail "$package cannot be unpacked, or lacks modules"
	# since 7.0 what is in /boot is a link
	name=$(find unpacked -type f -path '*/boot/vmlinux-*' -o -type f -path '*/lib/modules/*/vmlinux' | head -n 1)
	[ -n "$name" ] || fail "$package has no vmlinux"
	rm -rf "$cache/$package.modules" && mkdir "$cache/$package.modules" && mv "$name" "$cache/$package.part" || exit 1
	find unpacked -name '*.ko' -exec mv {} "$cache/$package.modules" \;
	mv "$cache/$package.part" "$cache/$package.vmlinux"
	rm -rf "$1" unpacked
}

[ -e "$cache/$package.vmlinux" ] || fetch
vmlinux=$cache/$package.vmlinux
exact=true
if [ "$package" != "$wanted" ]; then
	exact=false
	export PAHOLE_LANG_EXCLUDE=rust # as kernels of 7.0 and later do
	echo "NOTE: $wanted is not used: this is $package, compared with Debian's pahole, not by bytes" >&2
fi

# --- the same bytes whatever the number of threads ------------------------------------------

features_of()
{
	case $1 in
	kbuild) echo "--btf_features=$kbuild" ;;
	global_var) echo "--btf_features=$kbuild,global_var" ;;
	esac
}

expected_of()
{
	sed -n "s/^\([0-9a-f]*\)  $1\$/\1/p" "$TESTDIR/debian-6.12.117.sha256"
}

for set in kbuild plain global_var; do
	for threads in 1 2 8 16; do
		run_silent btfenc -j$threads $(features_of $set) --btf_encode_detached=$set-$threads.btf "$vmlinux"
		cmp $set-1.btf $set-$threads.btf || fail "$set: -j1 and -j$threads differ"
		[ $threads = 1 ] || rm $set-$threads.btf
	done
	mv $set-1.btf $set.btf
	got=$(sha256sum <$set.btf) want=$(expected_of $set)
	[ -n "$want" ] || fail "no hash for $set"
	! $exact || [ "${got%% *}" = "$want" ] || fail "$set: sha256 ${got%% *}, expected $want"
	echo "$set: $(wc -c <$set.btf) bytes, the same with 1, 2 and 8 threads$($exact && echo ', as expected')"
done

# --- what is printed of it --------------------------------------------------------------------

if $exact; then
	btfenc -c 64 -F btf kbuild.btf >listing || fail "cannot be printed"
	got=$(sha256sum <listing)
	[ "${got%% *}" = "$(expected_of listing)" ] || fail "the listing is not pahole's"
	echo "printed: $(wc -l <listing) lines, as expected"
fi
btfenc --compile -F btf kbuild.btf >kbuild.h || fail "cannot be printed to be compiled"
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	$compiler -std=gnu11 -w -fsyntax-only -x c kbuild.h || fail "$compiler does not take what --compile prints"
done
rm -f listing kbuild.h

# --- what is left out of it ---------------------------------------------------------------------

# The report's functions in the words of "pahole -V", without those about what differs.
skipped()
{
	sed -n 's/^{"file":"[^"]*","rule":"func_\([a-z_]*\)","subject":"func","result":"left_out","name":"\([^"]*\)".*/\2 \1/p' "$1" |
		sed -n "s/ unexpected_register\$/&:unexpected register usage for parameter/
			s/ inconsistent_prototype\$/&:inconsistet prototype/
			s/ uncertain_location\$/&:uncertain parameter location/
			s/ reordered_parameters\$/&:reordered parameters/
			s/ optimized_parameters\$/&:optimized parameters/
			s/ ambiguous_address\$/&:ambiguous address/
			s/ .*:/ : skipping BTF encoding of function due to /p" | sort
}

for threads in 1 8; do
	run_silent btfenc -j$threads "$(features_of kbuild)" --btf_report=report.$threads "$vmlinux"
done
cmp report.1 report.8 || fail "the report depends on the number of threads"
tail -n 1 report.1 | grep -q '^{"end":true,.*"kfuncs_lost":0}$' || fail "$(tail -n 1 report.1)"
skipped report.1 >left_out
got=$(sha256sum <left_out)
! $exact || [ "${got%% *}" = "$(expected_of skipped)" ] || fail "other functions are left out than by pahole"
echo "report: $(wc -l <left_out) functions left out$($exact && echo ', as expected')"
rm -f report.1 report.8 left_out

# --- modules --------------------------------------------------------------------------------

# each_module COMMAND...: with the hash that its BTF must have and its path
each_module()
{
	while read -r hash name; do
		"$@" "$hash" "$cache/$package.modules/${name##*/}"
	done <"$TESTDIR/debian-6.12.117-modules.sha256"
}

by_itself()
{
	run_ok btfenc "$(features_of kbuild)" --btf_base=kbuild.btf --btf_encode_detached=module.btf "$2"
	got=$(sha256sum <module.btf)
	[ "${got%% *}" = "$1" ] || fail "${2##*/}: sha256 ${got%% *}, expected $1"
}

in_one_run()
{
	objcopy --dump-section .BTF=module.btf "batch/${2##*/}" out/copy || fail "${2##*/}: no .BTF"
	got=$(sha256sum <module.btf)
	[ "${got%% *}" = "$1" ] || fail "${2##*/}, of many: sha256 ${got%% *}, expected $1"
}

if $exact && [ -e "$cache/$package.modules" ]; then
	need objcopy
	each_module by_itself
	mkdir batch && cp "$cache/$package.modules"/*.ko batch || exit 1
	run_ok btfenc -j8 -J "$(features_of kbuild)" --btf_base=kbuild.btf batch/*.ko
	each_module in_one_run
	rm -rf batch
	echo "modules: $(wc -l <"$TESTDIR/debian-6.12.117-modules.sha256") as expected, by themselves and in one run"
	modules=$(echo "$cache/$package.modules"/*.ko)
else
	modules=
	echo "NOTE: modules are not compared" >&2
fi

# --- each variable is described, or the report says why not: by default, not at a level of pahole ----

sh "$TESTDIR/kernel_variables.sh" "$vmlinux" $modules
status=$?
[ $status = 0 ] || [ $status = 77 ] || fail "variables are lost"

# --- in place -------------------------------------------------------------------------------

need objcopy
cp "$vmlinux" vmlinux
# since 7.0 there is a loaded .BTF, whose room the result fills with zeros
$exact || ! has_section vmlinux .BTF || objcopy -R .BTF vmlinux || fail "objcopy removes no .BTF"
before=$(wc -c <vmlinux)
run_ok btfenc -J "$(features_of kbuild)" vmlinux
expect_no_stdout
objcopy --dump-section .BTF=inplace.btf vmlinux out/copy || fail "objcopy finds no .BTF"
rm -f out/copy
cmp kbuild.btf inplace.btf || fail "in place it is another BTF than detached"
# the section, a section header table, and what aligns them
grown=$(($(wc -c <vmlinux) - before - $(wc -c <kbuild.btf)))
[ $grown -le 65536 ] || fail "$grown bytes more than the BTF came in"
run_ok btfenc -J "$(features_of kbuild)" vmlinux
objcopy --dump-section .BTF=inplace.btf vmlinux out/copy || fail "objcopy finds no .BTF the second time"
cmp kbuild.btf inplace.btf || fail "encoded again it is another BTF"
rm -f out/copy
echo "in place: the same, twice; $grown bytes around it"

# --- who reads it ----------------------------------------------------------------------------

run_silent btfenc --btf_check kbuild.btf plain.btf global_var.btf
if [ -n "${BTFCHECK:-}" ]; then
	"$BTFCHECK" kbuild.btf plain.btf global_var.btf || fail "not every result is accepted"
fi

if command -v bpftool >/dev/null; then
	bpftool btf dump file vmlinux >dump || fail "bpftool does not read it"
	for type in "STRUCT 'task_struct'" "FUNC 'vfs_read'" "DATASEC '.data..percpu'" "DECL_TAG 'bpf_kfunc'"; do
		grep -q "^\[[0-9]*\] $type" dump || fail "bpftool finds no $type"
	done
	bpftool btf dump file kbuild.btf format c >vmlinux.h || fail "bpftool makes no header"
	if command -v gcc >/dev/null; then
		echo '#include "vmlinux.h"' | gcc -std=gnu11 -w -fsyntax-only -x c -I. - || fail "gcc does not take the header"
	fi
	echo "bpftool: reads it, and gcc its header"
else
	echo "no bpftool to read it"
fi
rm -f vmlinux

# --- against another encoder ------------------------------------------------------------------

# Name, offset and size of each variable by section, from bpftool's dump
variables()
{
	bpftool btf dump file "$1" | awk '
		/^\[/ { section = $2 == "DATASEC" ? $3 : "" }
		section && /^\t/ { sub("offset=", "", $2); sub("size=", "", $3); print section, $2, $3, $5 }'
}

# The lines of --btf_diff without those that pahole 1.32 explains: T[2][3] is an array of arrays there, and
# one T[6] here.
without_dimensions()
{
	awk '
	function elements(type, nr) {
		for (nr = 1; match(type, /\[[0-9]+\]/); type = substr(type, RSTART + RLENGTH))
			nr *= substr(type, RSTART + 1, RLENGTH - 2)
		return nr
	}
	function element(type) {
		gsub(/\[[0-9]+\]/, "", type)
		return type
	}
	/^only in [AB]: .*\[[0-9]+\]/ { next }
	split($0, side, /: |, was /) == 3 && side[2] ~ /\]\[/ && element(side[2]) == element(side[3]) &&
		elements(side[2]) == elements(side[3]) { next }
	!/^differ only because/ { print }'
}

if [ -n "${PEER:-}" ]; then
	[ "$("$PEER" --version)" = v1.31 ] || fail "PEER: '$PEER' is not 1.31"
	need bpftool
	for set in kbuild plain global_var; do
		"$PEER" -j2 $(features_of $set) --btf_encode_detached=peer-$set.btf "$vmlinux" || fail "$PEER failed"
	done
	cmp kbuild.btf peer-kbuild.btf || fail "kbuild differs from $PEER's"
	cmp plain.btf peer-plain.btf || fail "plain differs from $PEER's"
	variables peer-global_var.btf >theirs
	variables global_var.btf >ours
	# every entry of theirs that does not begin behind the one before is an overlap
	awk '$1 != section { section = $1; end = 0 } $2 >= end { print; end = $2 + $3 }' theirs >apart
	diff ours apart >difference || {
		head difference >&2
		fail "global_var: more than the overlapping entries is gone"
	}
	gone=$(($(wc -l <theirs) - $(wc -l <ours)))
	size=$(($(wc -c <peer-global_var.btf) - $(wc -c <global_var.btf)))
	# a VAR is 16 bytes, its entry 12
	[ $size = $((gone * 28)) ] || fail "global_var: $gone entries less are $size bytes less"
	echo "$PEER: the same, but for $gone overlapping variables"
elif ! $exact; then
	command -v pahole >/dev/null || skip "no pahole to compare with"
	version=$(pahole --version)
	case $version in
	v1.2[0-9])
		cp "$vmlinux" theirs.elf
		pahole -J -j2 --btf_gen_floats theirs.elf || fail "pahole failed"
		objcopy --dump-section .BTF=theirs.btf theirs.elf out/copy 2>out/stderr || fail "pahole made no .BTF"
		rm -f theirs.elf out/copy
		;;
	*) pahole -j2 "$(features_of kbuild)" --btf_encode_detached=theirs.btf "$vmlinux" || fail "pahole failed" ;;
	esac
	btfenc --btf_diff kbuild.btf theirs.btf >difference
	[ $? -le 1 ] || fail "cannot compare with pahole's"
	sed '1,/^$/d' difference >types
	case $version in
	v1.2[0-9] | v1.30) # it chooses other functions, and 1.24 leaves variables at offset 0 out
		sed -i -E '/^(only in [AB]: )?(func|function|var|section)( |$)|^because of/d' types
		;;
	v1.31) ;;
	*) without_dimensions <types >rest && mv rest types ;;
	esac
	! [ -s types ] || {
		head types >&2
		fail "pahole $version sees other types"
	}
	echo "pahole $version: the same types"
fi
