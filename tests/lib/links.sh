# SPDX-License-Identifier: GPL-2.0-only
#
# links.sh - encode objects, link them in many ways, compare the BTF of the archive with that of DWARF
#
#	begin_build NAME	a folder for the objects; NAME begins the names of their rows
#	compile CC FLAG...	the sources of diff/archive_links, as objects in the current folder
#	all_rows		link and compare these objects in all ways but "few" and "pic"
#	some_rows NAME...	the rows of write_tables() of these names
#	finish			print the number of rows; status 1 if one failed
#
# Rows run if $ROWS, a pattern of the shell, matches their names. A row that fails does not end the
# script: it prints the command that repeats it. KEEP=1 keeps the files.
#
# Variables:
#	repeat_with	begins the command that repeats a row
#	machine		the prefix of GNU tools: riscv64-linux-gnu-
#	linker		bfd, gold, lld, mold, or a command
#	joiner		the command that joins each group of objects; empty: $linker -r
#	entry		options of every link but -r: where --gc-sections begins
#	final, partial	options of the last link, and of links with -r
#	late		1: encode what -r wrote of each group, by the options of the folder
#	lists		sets of features to ask for: all_lists in the main rows, few_lists in others
#	checks		--skip_encoding_btf_check, or empty
#	warnings	no; may: the BTF is equal, whether there is a warning or not; excuse: a warning that
#			names a member excuses other BTF

LINKS=$SRCDIR/tests/diff/archive_links
ROWS=${ROWS:-*}
features=default,global_var,inline
all_lists="default,global_var,inline default,true_signature default default,inline.extra"
few_lists=default,global_var,inline
entry="-e main"
lists=$few_lists linker=bfd joiner='' final=$entry partial='' late=0 warnings=no checks=''
machine='' repeat_with='' nr_rows=0 nr_unlinked=0 nr_failed=0 nr_compared=0

# begin_row NAME: fails if $ROWS leaves it out
begin_row()
{
	row=$1 row_failed=0
	# shellcheck disable=SC2254
	case $row in
	$ROWS) nr_rows=$((nr_rows + 1)) ;;
	*) return 1 ;;
	esac
}

row_fails()
{
	[ "$row_failed" = 1 ] || {
		echo "FAILS: $row"
		echo "    repeat: ${repeat_with}ROWS='$row' KEEP=1 sh $TESTDIR/${0##*/}"
		row_failed=1 nr_failed=$((nr_failed + 1))
	}
	echo "    $*"
}

# not_compared REASON: the linker refuses this link or writes what no program can read
not_compared()
{
	nr_unlinked=$((nr_unlinked + 1))
	if [ "${row##* }" = plain ]; then
		row_fails "$*"
	else
		echo "$row: $*"
	fi
}

finish()
{
	echo "$nr_rows rows, $nr_compared comparisons, $nr_unlinked not possible, $nr_failed rows failed"
	[ $nr_rows != 0 ] || fail "no row is '$ROWS'"
	[ $nr_failed = 0 ] || exit 1
}

# begin_build NAME: its files are in a folder of this name
begin_build()
{
	build=$1
	mkdir -p "$SCRATCH/$build/out" && cd "$SCRATCH/$build" || exit 1
}

# compile CC FLAG...: fails if there is no such compiler. Without that of C++, C alone.
compile()
{
	cc=$1
	shift
	case $cc in
	*gcc*) cxx=${cc%gcc*}g++${cc##*gcc} ;;
	*) cxx=clang++${cc#clang} ;;
	esac
	"$cc" "$@" -x c -c -o probe.o /dev/null 2>out/cc || { echo "not tried: $cc $*: $(head -n 1 out/cc)" && return 1; }
	GROUP1="unit1.o unit2.o" GROUP2="unit3.o unit4.o" GROUP3="names.o cxx1.o cxx2.o" GROUP4=main.o
	command -v "$cxx" >out/path || {
		echo "without C++: no $cxx"
		GROUP3="names.o"
		set -- "$@" -DWITHOUT_CXX
	}
	OBJECTS="$GROUP1 $GROUP2 $GROUP3 $GROUP4"
	for object in $OBJECTS; do
		file=${object%.o}
		number=${file##*[a-z]} in=$file.c compiler=$cc std=-std=gnu11
		case $file in
		cxx*)
			in=$file.cc compiler=$cxx
			std="-std=gnu++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics"
			;;
		esac
		cp "$LINKS/${file%"$number"}.${in#*.}" "$in"
		"$compiler" -g "$@" $std -I"$LINKS" -DUNIT="$number" -c "$in" 2>out/cc ||
			fail "$compiler $* failed on $in: $(head -n 5 out/cc)"
	done
}

# add_rust: one more object; fails without rustc
add_rust()
{
	command -v rustc >out/path || { echo "not tried: no rustc" && return 1; }
	rustc --crate-type=lib --emit=obj -g -C opt-level=2 -C panic=abort -C codegen-units=1 \
		-C relocation-model=static -o crate.o "$LINKS/crate.rs" 2>out/cc || fail "rustc failed: $(cat out/cc)"
	GROUP2="$GROUP2 crate.o"
	OBJECTS="$OBJECTS crate.o"
}

# copy FOLDER OPTION...: copies of the objects, and these options for a later encoding
copy()
{
	folder=$1
	shift
	mkdir "$folder"
	cp $OBJECTS "$folder"
	echo "$*" >"$folder/options"
}

# encode FOLDER OPTION...: copies, each encoded with these options
encode()
{
	copy "$@"
	shift
	for object in $OBJECTS; do
		run_silent btfenc -J "$@" "$folder/$object"
	done
}

linker_path()
{
	case $1 in
	bfd | gold) echo "${machine}ld.$1" ;;
	lld) echo ld.lld ;;
	*) echo "$1" ;;
	esac
}

# link OUT OPTION... OBJECT...
link()
{
	output=$1
	shift
	{ $(linker_path "$linker") "$@" -o "$output"; } >linker.out 2>&1
}

# join OUT OBJECT...: with -r; encodes the result, if $late
join()
{
	joined=$1
	shift
	if [ -n "$joiner" ]; then
		$joiner -o "$joined" "$@" >linker.out 2>&1 || return 1
	else
		link "$joined" -r $partial "$@" || return 1
	fi
	[ $late = 0 ] || btfenc -J $checks $(cat options) "$joined" >linker.out 2>&1
}

groups()
{
	join 1.o $GROUP1 && join 2.o $GROUP2 && join 3.o $GROUP3 && join 4.o $GROUP4
}

# link_stage STAGE: the objects of the current folder become "linked"
link_stage()
{
	case $1 in
	final) link linked $final $OBJECTS ;;
	r) link linked -r $partial $OBJECTS ;;
	r-final) groups && link linked $final 1.o 2.o 3.o 4.o ;;
	r-r) groups && link linked -r $partial 1.o 2.o 3.o 4.o ;;
	rr-final) groups && link 12.o -r $partial 1.o 2.o && link linked $final 12.o 3.o 4.o ;;
	rrr)
		groups && link 12.o -r $partial 1.o 2.o && link 123.o -r $partial 12.o 3.o &&
			link linked -r $partial 123.o 4.o
		;;
	all-final) join all.o $OBJECTS && link linked $final all.o ;;
	all-r) join all.o $OBJECTS && link linked -r $partial all.o ;;
	*) fail "no stage $1" ;;
	esac
}

# btf_of OUT OPTION... FILE: no OUT if there is nothing to write; standard error in OUT.err. With inline.extra, OUT.sites
btf_of()
{
	result=$1
	shift
	case $* in
	*inline.extra*) set -- --btf_inline_detached="$result.sites" "$@" ;;
	esac
	btfenc --btf_encode_detached="$result" $checks "$@" >out/stdout 2>"$result.err"
}

# equal A B: or is there neither?
equal()
{
	if [ -e "$1" ] || [ -e "$2" ]; then
		cmp -s "$1" "$2"
	fi
}

# compare WITH_DWARF ARCHIVE LIST
compare()
{
	nr_compared=$((nr_compared + 1))
	rm -f dwarf.btf dwarf.btf.sites archive.btf archive.btf.sites
	if ! btf_of dwarf.btf --btf_features="$3" -F dwarf "$1"; then
		not_compared "$3: from DWARF: $(head -n 1 dwarf.btf.err)"
	elif ! btf_of archive.btf --btf_features="$3" -F btf "$2"; then
		row_fails "$3: from the archive: $(head -n 1 archive.btf.err)"
	elif ! equal dwarf.btf archive.btf || ! equal dwarf.btf.sites archive.btf.sites; then
		[ $warnings = excuse ] && grep -q "warning: .*\(: member '\|(member [0-9]\)" archive.btf.err && return
		btfenc --btf_diff dwarf.btf archive.btf >out/diff 2>&1
		row_fails "$3: other BTF: $(sed '1,/^ *total/d' out/diff | head -n 4 | tr -s '\n\t ' ';  ') $(head -n 1 archive.btf.err)"
	elif [ $warnings = no ] && [ -s archive.btf.err ] && grep -qv "the kernel will not load this BTF" archive.btf.err; then
		row_fails "$3: equal, but a warning: $(head -n 1 archive.btf.err)"
	fi
}

# link_row NAME FOLDER STAGE [WITH_DWARF]: the archive of FOLDER, and the DWARF of the same link in WITH_DWARF
link_row()
{
	begin_row "$1" || return 0
	for folder in "$2" ${4:-}; do
		if ! (cd "$folder" && rm -f linked && link_stage "$3"); then
			not_compared "not linked: $(grep -v 'in function' "$folder/linker.out" | head -n 1)"
			return
		fi
	done
	for list in $lists; do
		compare "${4:-$2}/linked" "$2/linked" "$list"
	done
}

# write_tables: the files options and edits, and the scripts for linkers that they name.
# The programs are never started. Per-CPU variables begin at address 0, as in kernels up to 6.14.
write_tables()
{
	cat >discard.lds <<-'END'
	PHDRS { text PT_LOAD; percpu PT_LOAD; data PT_LOAD; tls PT_TLS; }
	SECTIONS
	{
		. = 0x400000;
		.text : { *(.text .text.[a-ce-z_]*) } :text
		.rodata : { *(.rodata .rodata.*) } :text
		.data..percpu 0 : { *(.data..percpu*) } :percpu
		. = 0x600000;
		.data : { *(.data .data.[a-ce-z_]*) } :data
		.bss : { *(.bss .bss.* COMMON) } :data
		.tdata : { *(.tdata .tdata.*) } :data :tls
		.tbss : { *(.tbss .tbss.*) } :data :tls
		/DISCARD/ : { *(.text.dropped .data.dropped .comment .note* .eh_frame*) }
	}
	END
	echo 'SECTIONS { /DISCARD/ : { *(.text.dropped .data.dropped) } }' >discard-r.lds
	echo '{ global: main; use*; weak_func; strong_var; local: *; };' >version

	# Name, linkers, stages (link_stage), options. With -r, lld and gold refuse --gc-sections.
	cat >options <<-END
	plain     bfd,gold,lld,mold final,r,rr-final,rrr
	few       bfd,lld           final,rr-final
	pic       bfd,gold,lld,mold final                   -pie
	pic       bfd,gold,lld,mold final,r-final           -shared
	gc        bfd,gold,lld,mold final,rr-final          --gc-sections
	gc-r      bfd               r                       --gc-sections -u main
	icf       gold,lld,mold     final                   --icf=all
	icf-gc    gold,lld,mold     final,rr-final             --icf=all --gc-sections
	discard   bfd,gold,lld      final                   -T $PWD/discard.lds
	discard-r bfd,lld           r,rrr                   -T $PWD/discard-r.lds
	version   bfd,gold,lld,mold final                   --version-script=$PWD/version
	x         bfd,gold,lld      final,r,rr-final        -x
	x         mold              final                   -x
	X         bfd,gold,lld,mold final,r                 -X
	relocs    bfd,gold,lld,mold final                   --emit-relocs
	compress  bfd,gold,mold     final,r                 --compress-debug-sections=zlib
	compress  lld               final                   --compress-debug-sections=zlib
	END

	# What objcopy does with each object between encoding and link
	cat >edits <<-'END'
	redefine --redefine-sym use1=used --redefine-sym counter=renamed --redefine-sym weak_var=weaker --redefine-sym static_cold=warm
	prefix   --prefix-symbols=pre_
	localize --localize-symbol=hidden_func1 --localize-symbol=plain_var2 --localize-symbol=weak_cold
	weaken   --weaken
	END
}

# installed LINKER...: those that are, and that know the machine
installed()
{
	for linker; do
		case " $linkers_found " in
		*" $linker "*) echo "$linker" ;;
		esac
	done
}

find_linkers()
{
	linkers_found=
	for linker in bfd gold lld mold; do
		if link probe $entry $OBJECTS; then
			linkers_found="$linkers_found $linker"
		else
			echo "$build: not tried: $linker: $(head -n 1 linker.out)"
		fi
	done
}

# link_options FOLDER WITH_DWARF NAME...: the rows of these names, or all rows
link_options()
{
	from=$1 with_dwarf=$2
	shift 2
	while read -r name linkers stages arguments; do
		case " $*:$name " in
		" :few " | " :pic ") continue ;;
		" :"*) ;;
		*" $name "* | *" $name:"*) ;;
		*) continue ;;
		esac
		for linker in $(installed $(echo "$linkers" | tr , ' ')); do
			for stage in $(echo "$stages" | tr , ' '); do
				# -r of mold 1 damages references to strings that it merges
				case $build:$linker:$stage in
				gcc-unmerged:* | *:mold:final | *:[!m]*:*) ;;
				*) continue ;;
				esac
				# it also damages the names of units, so that these seem to have no members
				case $build:$linker in
				gcc-unmerged:mold) warnings=may ;;
				gcc-unmerged:*) warnings=no ;;
				esac
				final="$entry $arguments" partial='' lists=$few_lists
				case $name in
				*-r | x | X | compress) partial=$arguments ;;
				esac
				[ "$from $name" != "keep plain" ] || lists=$all_lists
				link_row "$build $from $linker $stage $name" "$from" "$stage" "$with_dwarf"
			done
		done
	done <options
	final=$entry partial='' lists=$few_lists
}

# edit: with objects that objcopy changed before the link
edit()
{
	while read -r name arguments; do
		cp -r keep "edited-$name"
		for object in $OBJECTS; do
			"${machine}objcopy" $arguments edited-$name/$object 2>out/objcopy || fail "objcopy $arguments failed"
		done
		for linker in $(installed bfd lld); do
			for stage in final rr-final; do
				link_row "$build edited $linker $stage $name" "edited-$name" $stage
			done
		done
	done <edits
}

# other_features: members made with one set, asked for another
other_features()
{
	linker=bfd warnings=excuse lists=$all_lists
	for set in default default,true_signature encode_force,var; do
		encode made-$set --btf_features=$set
		for stage in final r; do
			link_row "$build made $linker $stage $set" made-$set $stage
		done
	done
	warnings=no lists=$few_lists
}

# late_encoding: encoded after ld -r, as objects of several units
late_encoding()
{
	late=1
	copy late --btf_features=$features
	copy late-stripped --btf_features=$features --strip_dwarf
	copy late-for-link --btf_features=$features --btf_for_link --strip_dwarf
	for linker in $(installed bfd gold lld); do
		for stage in r-final r-r rr-final; do
			lists=$all_lists
			link_row "$build late $linker $stage plain" late $stage
			lists=$few_lists
			link_row "$build late-stripped $linker $stage plain" late-stripped $stage late
			link_row "$build late-for-link $linker $stage plain" late-for-link $stage late
		done
	done
	# combined in place in a relocatable file
	linker=bfd
	encode combined --btf_features=$features
	encode combined-for-link --btf_features=$features --btf_for_link
	for stage in r-final r-r; do
		link_row "$build combined $linker $stage plain" combined $stage
		link_row "$build combined-for-link $linker $stage plain" combined-for-link $stage
	done
	late=0
}

# in_place: what -J puts into the linked file is the same, and the sections of its members disappear
in_place()
{
	for linker in $(installed bfd gold lld mold); do
		for folder in keep for-link; do
			begin_row "$build in-place $linker final $folder" || continue
			(cd $folder && link_stage final) || { not_compared "not linked" && continue; }
			rm -f detached.btf
			btf_of detached.btf --btf_features=$features -F btf $folder/linked ||
				row_fails "$(cat detached.btf.err)"
			run_ok btfenc -J --btf_features=$features $folder/linked
			"${machine}objcopy" --dump-section .BTF=in-place.btf $folder/linked copy 2>out/objcopy ||
				row_fails "no .BTF"
			equal detached.btf in-place.btf || row_fails "other BTF than detached"
			! readelf -SW $folder/linked | grep -F .debug.btf >out/found || row_fails "left: $(cat out/found)"
		done
	done
}

prepare()
{
	find_linkers
	write_tables
	encode keep --btf_features=$features
	encode stripped --btf_features=$features --strip_dwarf
	encode for-link --btf_features=$features --btf_for_link
	encode for-link-stripped --btf_features=$features --btf_for_link --strip_dwarf
}

# some_rows NAME...
some_rows()
{
	prepare
	link_options keep keep "$@"
	link_options stripped keep few
	link_options for-link-stripped keep few
}

all_rows()
{
	prepare
	link_options keep keep
	link_options stripped keep plain gc icf
	link_options for-link for-link plain compress
	link_options for-link-stripped keep
	edit
	other_features
	late_encoding
	in_place
}
