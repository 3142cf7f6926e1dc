#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# how options are read: abbreviations, arguments, unknown names, and what acts at once

. "${0%/*}/../lib/testlib.sh"

supported=$(btfenc --supported_btf_features)
own=base_typedefs,rust_variants,global_var.extra,default,all
own_inline=${own%,default,all},inline.extra,default,all
: >here
mkdir folder

table usage_error <<\END
# unknown, and the nearest known option, if it is near
-J a.o --bogus | unrecognized option '--bogus'
-J a.o --bogus=3 | unrecognized option '--bogus'
-Jk a.o | unrecognized option '-k'
--x a.o | unrecognized option '--x'
--btf-base=x a.o | unrecognized option '--btf-base'; did you mean '--btf_base'?
--btf_bsae=x a.o | unrecognized option '--btf_bsae'; did you mean '--btf_base'?
--btf-encode-detached=x a.o | unrecognized option '--btf-encode-detached'; did you mean '--btf_encode_detached'?
--skip-encoding-btf-inconsistent-proto a.o | unrecognized option '--skip-encoding-btf-inconsistent-proto'; did you mean '--skip_encoding_btf_inconsistent_proto'?
--strip_drawf a.o | unrecognized option '--strip_drawf'; did you mean '--strip_dwarf'?
--hlep a.o | unrecognized option '--hlep'; did you mean '--help'?
--btf_chekc=6.15 a.o | unrecognized option '--btf_chekc'; did you mean '--btf_check'?
# a long option with one dash
-verbose a.o | unrecognized option '-v'; did you mean '--verbose'?
-version | unrecognized option '-v'; did you mean '--version'?
-btf_features=default a.o | unrecognized option '-b'; did you mean '--btf_features'?
# the end of an option
--check a.o | unrecognized option '--check'; did you mean '--btf_check'?
--diff a.o b.o | unrecognized option '--diff'; did you mean '--btf_diff'?
# only an option that btfenc refuses is similar
--prettifi a.o | unrecognized option '--prettifi'

# an abbreviation that fits several, also options that only pahole has; all that match are named
--ver | option '--ver' is ambiguous: '--verbose', '--version'
--size | option '--size' is ambiguous: '--sizes', '--size_bytes'
--btf_gen_ a.o | option '--btf_gen_' is ambiguous: '--btf_gen_all', '--btf_gen_floats', '--btf_gen_optimized'
--l=c a.o | option '--l' is ambiguous: '--launch', '--lang', '--lang_exclude'
--la | option '--la' is ambiguous: '--launch', '--lang', '--lang_exclude'
# one that is unique: an option that pahole does not have is abbreviated only if it cannot be one of pahole's
--btf_d a.btf | '--btf_diff' takes two files, not 1
--btf_h a.btf b.btf | '--btf_header' takes one file
--lau | '--launch' needs a command
--btf_encode_d | option '--btf_encode_detached' needs an argument

# arguments
-J a.o --btf_base | option '--btf_base' needs an argument
-J a.o -X | option '-X' needs an argument
a.o --btf_encode_detached= | option '--btf_encode_detached' needs a file name
--btf_encode=yes a.o | option '--btf_encode' takes no argument
-J a.o -j4x | '4x' is not a number of jobs
-J a.o --jobs= | '' is not a number of jobs
--lang_exclude=c11,klingon --numeric_version | --lang_exclude: unknown language 'klingon'
--compat=1.30 --version | --compat: '1.30' is no level; known are none, 1.31 and 1.32
--compat | option '--compat' needs an argument
--features=default --compat=1.31 a.o | --compat=1.31: pahole 1.31 has no option '--features'
--compat=1.31 --devel_version | --compat=1.31: pahole 1.31 has no option '--devel_version'
--devel_version --compat=1.31 | --compat=1.31: pahole 1.31 has no option '--devel_version'
--devel_version --compat=1.30 | --compat: '1.30' is no level; known are none, 1.31 and 1.32
--numeric_version --lang=klingon | --lang: unknown language 'klingon'
-J a.o --format_path=stabs | -F: unknown format 'stabs': the formats are 'dwarf' and 'btf'
# an optional argument that is not attached, if it can be one and is no file
--explain main here | 'main': no such file; did you mean '--explain=main'?
--btf_check 5.15 here | '5.15': no such file; did you mean '--btf_check=5.15'?
-J -j 4 here | '4': no such file; did you mean '-j4'?
-J --jobs 4 here | '4': no such file; did you mean '--jobs=4'?
# options as they were written
-Jx a. here | '-x' and '-J' cannot be combined
--exclude=a. --btf_encode here | '--exclude' and '--btf_encode' cannot be combined

# no vmlinux is looked for, none is modified
| no input file
-J | no input file
--btf_report here | no input file: 'here' is the argument of '--btf_report'
-X here -J | no input file: 'here' is the argument of '-X'
-J -Xhere | no input file
# what comes first counts
--bogus --version | unrecognized option '--bogus'
END

table error <<END
--expl absent.o | 'absent.o': cannot open: No such file or directory
-J --strip_dwar absent.o | 'absent.o': cannot open: No such file or directory
--btf_c absent.btf | 'absent.btf': No such file or directory
--btf_check folder | 'folder' has no files '*.ko' or '*.btf'
--inline_sites folder | 'folder' is a directory: list its files with "find folder/ -name '*.ko*' >LIST", and give @LIST
-J -j absent.o here | 'absent.o': cannot open: No such file or directory
# "-j 4" is the option -j and the file 4, as in pahole
-J -j 4 | '4': cannot open: No such file or directory
# after "--" there are files only
-J -- --version | '--version': cannot open: No such file or directory
-J a.o --compat=1.31 --btf_features_strict=force_cu_merging | --btf_features_strict: feature 'force_cu_merging' is unknown; known are ${supported%,force_cu_merging,inline},$own
-J a.o -F ctf | -F: btfenc does not encode from 'ctf'
-J a.o --btf_features_strict=var,of_the_future | --btf_features_strict: feature 'of_the_future' is unknown; known are $supported,$own_inline
-J a.o --btf_features_strict=defualt | --btf_features_strict: feature 'defualt' is unknown; did you mean 'default'?
END

table prints <<END
--numeric_version | 132
--numeric_v | 132
# the rest is not read
--version --bogus | v1.32
--supported_btf_features | encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func,\
decl_tag_kfuncs,reproducible_build,distilled_base,global_var,attributes,true_signature,layout,force_cu_merging,inline
# another level of compatibility, also for options before it; the last one counts
--compat=1.31 --version | v1.31
--compat=1.31 --numeric_version | 131
--numeric_version --compat 1.31 | 131
--compat=1.31 --compat=1.32 --numeric_version | 132
--compat=1.31 --compat=none --numeric_version | 132
--version --compat=1.31 | v1.31
--version --compat=1.31 --compat=none --bogus | v1.32
--compat=1.31 --supported_btf_features | ${supported%,force_cu_merging,inline}
--compat=1.32 --supported_btf_features | ${supported%,inline}
--features=default,layout --numeric_version | 132
# pahole's languages, in any case and any number; formats that are not read are ignored if others are
--lang_exclude=rust,ASM,C++14,c89,c99,c11,go,d --lang=c11 --numeric_version | 132
-F dwarf --numeric_version | 132
-F dwarf,btf --numeric_version | 132
-F dwarf,ctf --numeric_version | 132
--btf_features_strict=$supported,all,default --numeric_version | 132
END

# a feature with an unknown name has no effect
run_ok btfenc --btf_features=default,of_the_future,flaot --numeric_version
expect_stderr <<\END
btfenc: warning: feature 'of_the_future' is unknown and has no effect
btfenc: warning: feature 'flaot' is unknown and has no effect; did you mean 'float'?
END
expect_stdout <<\END
132
END

# PAHOLE_LANG_EXCLUDE has an effect unless there is an option for languages. If it is empty pahole fails.
export PAHOLE_LANG_EXCLUDE=klingon
usage_error "PAHOLE_LANG_EXCLUDE: unknown language 'klingon'" --numeric_version
prints 132 --lang=c11 --numeric_version
PAHOLE_LANG_EXCLUDE=
prints 132 --numeric_version
unset PAHOLE_LANG_EXCLUDE

# with POSIXLY_CORRECT the first file ends the options
: >a.o
run btfenc -J a.o --version
expect_in stdout v1.32
run env POSIXLY_CORRECT=1 btfenc -J a.o --version
expect_not_in stdout v1.32
