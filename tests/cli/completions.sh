#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# the completions for shells: they have the options of --help, shells take them, and they complete

. "${0%/*}/../lib/testlib.sh"

made=$BUILDDIR/completions
[ -d "$made" ] || skip "this build has none"
btfenc --help=all >help
sed -nE 's/^  (-.,|   ) --([a-z0-9_]+).*/\2/p' help | sort >options
sed -nE 's/^  -(.), --.*/\1/p' help | sort >keys
[ "$(wc -l <options)" -ge 60 ] || fail "--help has few options"

# same WANTED WHAT: the lines of "found"
same()
{
	sort -u found | diff "$1" - >&2 || fail "$2"
}

sed -nE "s/.*-W '( --btf_encode .*)' -- .*/\1/p" "$made/btfenc" | tr ' ' '\n' >words
sed -nE 's/^--([a-z0-9_]+)=?$/\1/p' words >found
same options "bash: other options"
sed -nE 's/^-([^-])$/\1/p' words >found
same keys "bash: other keys"
sed -nE "s/^\t'\*--([a-z0-9_]+).*/\1/p" "$made/_btfenc" >found
same options "zsh: other options"
sed -nE "s/^\t'\*-([^-]).*/\1/p" "$made/_btfenc" >found
same keys "zsh: other keys"
sed -nE 's/^complete -c btfenc -l ([a-z0-9_]+).*/\1/p' "$made/btfenc.fish" >found
same options "fish: other options"
sed -nE "s/^complete -c btfenc -l [a-z0-9_]+ -s '(.)'.*/\1/p" "$made/btfenc.fish" >found
same keys "fish: other keys"

touch vmlinux 'a b.o'
if command -v bash >/dev/null 2>&1; then
	cat >complete.bash <<\END
. "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
compopt() { :; }
_btfenc
printf '%s\n' "${COMPREPLY[@]}"
END
	# becomes WANTED WORDS...: what bash makes of the last one, a line for each
	becomes()
	{
		wanted=$1
		shift
		run_ok bash complete.bash "$made/btfenc" "$@"
		expect_no_stderr
		sort out/stdout >sorted
		mv sorted out/stdout
		echo "$wanted" >wanted
		expect_stdout <wanted
	}
	run_silent bash -n "$made/btfenc"
	becomes --btf_stats btfenc --btf_st
	becomes --btf_base= btfenc -J --btf_b
	becomes vmlinux btfenc -J --btf_base = vm
	becomes vmlinux btfenc -J --btf_base vm
	becomes 'a b.o' btfenc -J a
	becomes type_tag btfenc --btf_features = ty
	becomes var_overlaps,kfunc_lost btfenc --fatal = var_overlaps,kf
	becomes 'var,global_var
var,global_var.extra' btfenc --btf_features = var,gl
	becomes btf,dwarf btfenc -F btf,d
	becomes '' btfenc -C vm
	becomes "$(bash -c 'compgen -c -- slee' | sort)" btfenc --launch --strip_dwarf slee
	becomes "$(bash -c 'compgen -c -- slee' | sort)" btfenc --launch -- slee
	becomes --btf_stats btfenc --launch --btf_st
fi
if command -v zsh >/dev/null 2>&1; then
	run_silent zsh -n "$made/_btfenc"
fi
if command -v fish >/dev/null 2>&1; then
	export HOME="$SCRATCH"
	# becomes WANTED LINE: what fish completes the last word of LINE to. Descriptions do not count. fish 4 also offers words that do
	# not begin with it; they do not count.
	becomes()
	{
		wanted=$1
		run_ok fish --no-config -c "source '$made/btfenc.fish'; complete -C '$2'"
		expect_no_stderr
		cut -f 1 out/stdout | grep -e "^${2##* }" | sort >first
		mv first out/stdout
		echo "$wanted" >wanted
		expect_stdout <wanted
	}
	run_ok fish --no-config -n "$made/btfenc.fish"
	becomes --btf_stats 'btfenc --btf_st'
	becomes --btf_base=vmlinux 'btfenc -J --btf_base=vm'
	becomes vmlinux 'btfenc -J --btf_base vm'
	becomes --btf_features=type_tag 'btfenc --btf_features=ty'
	becomes 'var,global_var
var,global_var.extra' 'btfenc --btf_features var,gl'
fi
exit 0
