#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# launch_ccache.sh - --launch before and behind ccache: the second build is all hits, and its BTF the same
#
#	What the manual says under "With ccache" is done here.

. "${0%/*}/../lib/testlib.sh"

need gcc ccache readelf cmp
unset CCACHE_PREFIX CCACHE_EXTRAFILES CCACHE_CONFIGPATH CCACHE_DISABLE CCACHE_RECACHE
for unit in a b c; do
	echo "struct $unit { int x; } $unit;" >$unit.c
done
cat >bin/btf-cc <<\END
#!/bin/sh
exec btfenc --launch --strip_dwarf -- "$@"
END
chmod +x bin/btf-cc

# build COMMAND...: all units, and keep what is made in the folder $into
build()
{
	rm -f ./*.o
	mkdir -p "$into"
	for unit in a b c; do
		run_silent "$@" -g -c $unit.c -o $unit.o -MD -MF $unit.d
		[ -e $unit.d ] || fail "no dependencies of $unit.c"
		cp $unit.o "$into/"
	done
}

# counted HITS MISSES: since the last time
counted()
{
	ccache --print-stats >counts
	hits=$(awk '/^(direct|preprocessed)_cache_hit\t/ { n += $2 } END { print n + 0 }' counts)
	misses=$(awk '$1 == "cache_miss" { print $2 }' counts)
	[ "$hits $misses" = "$1 $2" ] || fail "$hits hits and $misses misses, expected $1 and $2"
	ccache -z >/dev/null
}

same()
{
	for unit in a b c; do
		cmp "$1/$unit.o" "$2/$unit.o" || fail "$2/$unit.o is another"
	done
}

for hardlink in '' 1; do
	export CCACHE_DIR="$SCRATCH/before$hardlink"
	[ -z "$hardlink" ] || export CCACHE_HARDLINK=1
	into=first$hardlink build btfenc --launch -- ccache gcc
	counted 0 3
	into=second$hardlink build btfenc --launch -- ccache gcc
	counted 3 0
	same first$hardlink second$hardlink
	has_section second$hardlink/a.o .BTF || fail "no BTF behind the cache"
	# what is in the cache is gcc's, also where the object is another name of it
	into=theirs$hardlink build ccache gcc
	counted 3 0
	! has_section theirs$hardlink/a.o .BTF || fail "BTF got into the cache"
done
unset CCACHE_HARDLINK

export CCACHE_DIR="$SCRATCH/behind"
into=theirs build ccache gcc
counted 0 3
export CCACHE_PREFIX=btf-cc CCACHE_EXTRAFILES="$SCRATCH/bin/btf-cc:$BTFENC"
into=third build ccache gcc
counted 0 3
into=fourth build ccache gcc
counted 3 0
same third fourth
has_section fourth/a.o .BTF || fail "no BTF in the cache"
! has_section fourth/a.o .debug_info || fail "DWARF in the cache"
into=alone build btf-cc gcc
same third alone

# an object that cannot be encoded does not get into the cache
cat >bin/btf-cc <<\END
#!/bin/sh
exec btfenc --launch -- broken "$@"
END
printf '#!/bin/sh\n"$@" && case " $* " in *" -c "*) objcopy --update-section .debug_abbrev=damaged a.o; esac\n' >bin/broken
chmod +x bin/broken
printf '\001\021\001\003\177\000\000\000' >damaged
need objcopy
for again in 1 2; do
	rm -f a.o
	run_status 1 ccache gcc -g -c a.c -o a.o
	[ ! -e a.o ] || fail "$again: the object is left"
done
