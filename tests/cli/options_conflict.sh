#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# options that contradict each other are an error of usage, in either order, and nothing is written

. "${0%/*}/../lib/testlib.sh"

gcc_c a.o <<\END
struct foo { int x; } foo;
END
btfenc --btf_encode_detached=a.btf a.o || fail "cannot encode"
ls >files

# refused MESSAGE ARGS...
refused()
{
	message=$1
	shift
	usage_error "$message" "$@"
	ls | diff files - >&2 || fail "$*: there is another file"
}

# as in pahole, -T counts the definitions of all types
for option in -C -i -f; do
	refused "'-T' and '$option' cannot be combined" -T $option foo a.o
done

# one job
refused "'--btf_check' and '--btf_diff' cannot be combined" --btf_check --btf_diff a.btf a.btf
refused "'--btf_check' and '--btf_diff' cannot be combined" --btf_diff --btf_check=6.15 a.btf a.btf
refused "'--btf_check' and '--launch' cannot be combined" --launch --btf_check -- true
refused "'--btf_diff' and '--launch' cannot be combined" --btf_diff --launch true
for order in '--btf_stats --btf_check' '--btf_check --btf_stats'; do
	refused "'--btf_check' and '--btf_stats' cannot be combined" $order a.btf
done
refused "'--btf_diff' and '--btf_stats' cannot be combined" --btf_stats --btf_diff a.btf a.btf
run_ok btfenc --btf_check --btf_check=6.15 a.btf

for other in --btf_check --btf_diff --launch; do
	case $other in --launch) pair="'--inline_sites' and '$other'" ;; *) pair="'$other' and '--inline_sites'" ;; esac
	refused "$pair cannot be combined" --inline_sites $other a.btf a.btf
done
refused "'--inline_sites' and '--btf_stats' cannot be combined" --btf_stats --inline_sites a.btf
refused "'-s' and '--inline_sites' cannot be combined" -s --inline_sites a.btf

# jobs that write nothing
for job in --btf_check --btf_stats --inline_sites '--btf_diff a.btf'; do
	option=${job%% *}
	for output in -J --btf_encode_detached --btf_vars_detached --btf_inline_detached --btf_archive --strip_dwarf --dedup_btf; do
		case $output in *_detached | *_archive) value==out ;; *) value= ;; esac
		[ "$option$output" != --btf_stats-J ] || continue # where the bytes of what is encoded go
		[ "$option$output" != --btf_stats--btf_encode_detached ] || continue
		refused "'$option' and '$output' cannot be combined" $job $output$value a.btf
	done
	refused "'$option' and '-F dwarf' cannot be combined" $job -F dwarf a.btf
	[ $option = --inline_sites ] || run_ok btfenc -F btf $job a.btf
done

# a header has all types in one form
for option in --sizes --structs --exclude=x --holes=1 --compile --hex --expand_types --skip_missing; do
	refused "'--btf_header' and '${option%=*}' cannot be combined" --btf_header $option a.btf
	refused "'--btf_header' and '${option%=*}' cannot be combined" $option --btf_header a.btf
done
exit 0
