#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# --json: --btf_check, --btf_diff and --btf_stats print an object of JSON on each line, with the keys of btfenc-report(5)

. "${0%/*}/../lib/testlib.sh"

need python3
gcc_c a.o <<\END
struct rq { long clock; int nr; };
struct gone { char c; struct rq *rq; };
struct gone g;
int f(struct rq *rq) { return rq->nr; }
END
gcc_c b.o <<\END
struct rq { long more, clock; int nr; };
struct fresh { char c; struct rq *rq; };
struct fresh g;
long f(struct rq *rq) { return rq->nr; }
END
for name in a b; do
	btfenc --btf_encode_detached=$name.btf --btf_features=default,global_var $name.o || fail "cannot encode"
	cp $name.o in_$name.o
	btfenc -J --btf_features=default,global_var in_$name.o || fail "cannot encode"
done
odd=$(printf 'odd\n"\\\377.btf')
cp a.btf "$odd"
: >empty.btf

# Damage: the size of struct rq, and a name with an escape character, a quote and a byte of no character
python3 - <<\END || fail "python3 failed"
data = bytearray(open('a.btf', 'rb').read())
at = data.index(b'\0rq\0')
data[at + 1:at + 3] = b'\xff"'
open('named.btf', 'wb').write(data)
END

# The schema: for each line what it must and may have.
cat >schema.py <<\END
import json, sys
N, T, B, L = int, str, bool, list
sums = {'types': N, 'bytes': N, 'string_bytes': N}
first = {'schema': T, 'version': N, 'tool': T, 'inputs': list}
check_end = {'end': B, 'errors': N, 'warnings': N, 'failures': N}
diff_end = {'end': B, 'equal': B, 'differences': N, 'through_a': N, 'through_b': N}
finding = {'file': T, 'result': T, 'message': T}
finding_may = {'section': T, 'type': N, 'kind': T, 'name': T, 'element': T, 'index': N, 'element_name': T,
               'offset': N, 'function': T}
kind = {'kind': T, 'a': N, 'b': N, 'only_a': N, 'only_b': N, 'changed': N}
copies = {'difference': T, 'type': T, 'copies_a': N, 'copies_b': N}
change = {**copies, 'what': T, 'at': T, 'change': T}
change_may = {'file': T, 'path': T, 'element': T, 'index': N, 'name': T, 'type_a': T, 'type_b': T, 'offset_a': N, 'offset_b': N,
              'width_a': N, 'width_b': N, 'value_a': N, 'value_b': N, 'size_a': N, 'size_b': N}
tree_end = {'files_equal': N, 'files_differ': N, 'files_only_a': N, 'files_only_b': N, 'failures': N}
numbers = {'bytes': N, 'header_bytes': N, 'type_bytes': N, 'string_bytes': N, 'kinds': dict, 'total': dict,
           'unused_string_bytes': N, 'repeated_string_bytes': N, 'copies': dict, 'copies_of_base': dict}
stats_may = {'inline_sites': dict}

def has(line, must, may={}):
    for key, sort in must.items():
        assert type(line[key]) is sort, (key, line)
    for key, value in line.items():
        sort = must.get(key) or may.get(key)
        assert sort and type(value) is sort, (key, line)

def check(line):
    if 'end' in line:
        return has(line, check_end)
    has(line, finding, finding_may)
    assert line['result'] in ('error', 'warning', 'failure'), line

def diff(line):
    if 'end' in line:
        return has(line, diff_end, tree_end)
    if 'kind' in line:
        return has(line, kind)
    if line['difference'] in ('changed', 'changed_in_base'):
        return has(line, change, change_may)
    if line['difference'] in ('file_only_a', 'file_only_b'):
        return has(line, {'difference': T, 'file': T})
    assert line['difference'] in ('only_a', 'only_b', 'copies'), line
    has(line, copies, {'file': T})

def stat(line):
    if 'end' in line:
        has(line, {**numbers, 'end': B, 'files': N, 'failures': N, 'largest_files': L}, stats_may)
        for file in line['largest_files']:
            has(file, {'file': T, 'types': N, 'bytes': N})
        for key in 'bytes', 'header_bytes', 'type_bytes', 'string_bytes', 'unused_string_bytes':
            assert line[key] == sum(one[key] for one in lines if 'section' in one), (key, lines)
    elif 'message' in line:
        return has(line, {'file': T, 'result': T, 'message': T})
    else:
        has(line, {**numbers, 'file': T, 'section': T, 'largest': L, 'prefixes': L, 'copied': L}, stats_may)
    for part in [*line['kinds'].values(), line['total'], line['copies'], line['copies_of_base']]:
        has(part, sums)
    for part in line.get('largest', []) + line.get('copied', []):
        has(part, {**sums, 'type': T})
    for part in line.get('prefixes', []):
        has(part, {**sums, 'prefix': T})
    assert line['bytes'] == line['header_bytes'] + line['type_bytes'] + line['string_bytes'], line
    for key in sums:
        assert sum(k[key] for k in line['kinds'].values()) == line['total'][key], line
    assert line['total']['bytes'] == line['type_bytes'], line

job = sys.argv[1]
lines = [json.loads(line) for line in open('out/stdout', encoding='utf-8')]
has(lines[0], first, {'base': T, 'first_base': T, 'linux': T})
assert lines[0]['schema'] == 'btfenc-' + job and lines[0]['version'] == 1, lines[0]
assert lines[-1]['end'] is True, lines[-1]
for line in lines[1:]:
    {'check': check, 'diff': diff, 'stats': stat}[job](line)
for condition in sys.argv[2:]:
    assert eval(condition), (condition, lines)
END

# json STATUS JOB CONDITIONS -- ARGS
json()
{
	status=$1 job=$2 conditions=$3
	shift 4
	run btfenc --json --btf_"$job" "$@"
	expect_status "$status"
	PYTHONIOENCODING=utf-8 python3 schema.py "$job" "$conditions" >out/schema 2>&1 || {
		show
		fail "$(cat out/schema)"
	}
}

json 0 check 'len(lines) == 2 and lines[0]["linux"] == "6.12"' -- a.btf
json 1 check 'lines[1]["name"].encode("utf-8", "surrogateescape") == b"\xff\""' -- named.btf
json 1 check 'lines[1]["file"].encode("utf-8", "surrogateescape") == b"odd\n\"\\\xff.none"' -- "${odd%.btf}.none"
json 1 check 'lines[-1] == {"end": True, "errors": 1, "warnings": 0, "failures": 2}' -- a.btf absent empty.btf a.o in_b.o
expect_stderr <<\END
btfenc: error: 'absent': No such file or directory
btfenc: error: 'a.o': there is no .BTF section, but DWARF: 'btfenc --btf_encode_detached=OUT' generates BTF from it
END
json 0 check 'lines[0]["base"] == "a.btf" and lines[1]["result"] == "warning"' -- -V --btf_base=a.btf a.btf

json 0 diff 'lines[-1]["equal"] is True and len(lines) > 3' -- a.btf in_a.o
expect_no_stderr
json 1 diff 'lines[-1]["equal"] is False and lines[-1]["differences"] == 8' -- a.btf b.btf
json 1 diff '{"difference": "only_b", "type": "struct fresh", "copies_a": 0, "copies_b": 1} in lines' -- a.btf b.btf
json 1 diff '[l["change"] for l in lines if l.get("at") == "func f: result"] == ["long int, was int"]' -- a.btf b.btf
# the keys of each change
gcc_c c.o <<\END
struct rq { long clock; struct { unsigned on : 1; } flags; };
enum state { IDLE, BUSY = -2 };
struct rq rq;
enum state state;
void f(struct rq *rq, int how) { (void)rq; (void)how; }
END
gcc_c d.o <<\END
struct rq { int nr; unsigned clock; struct { unsigned on : 2; char c; } flags; };
enum state { IDLE, BUSY = -3 };
struct rq rq;
enum state state;
int f(struct rq *rq, char *how) { return !rq || !how; }
END
for name in c d; do
	btfenc --btf_encode_detached=$name.btf --btf_features=default,global_var $name.o || fail "cannot encode"
done
run btfenc --json --btf_diff c.btf d.btf
sed -n '/:"changed"/{/section/!{s/,"at".*//;s/.*"changed",//;p;};}' out/stdout >out/changes
expect_same changes <<\END
"type":"enum state","what":"moved","path":"BUSY","element":"enumerator","index":1,"name":"BUSY","value_a":-2,"value_b":-3
"type":"struct rq","what":"retyped","path":"clock","element":"member","index":1,"name":"clock","type_a":"long int","type_b":"unsigned int","offset_a":0,"offset_b":32
"type":"struct rq","what":"moved","path":"flags.on","element":"member","index":0,"name":"on","offset_a":0,"width_a":1,"offset_b":0,"width_b":2
"type":"struct rq","what":"new","path":"nr","element":"member","index":0,"name":"nr","type_b":"int","offset_b":0
"type":"struct rq","what":"new","path":"flags.c","element":"member","index":1,"name":"c","type_b":"char","offset_b":8
"type":"struct rq","what":"size","size_a":16,"size_b":12
"type":"func f","what":"retyped","path":"result","element":"result","type_a":"void","type_b":"int"
"type":"func f","what":"retyped","path":"parameter 2 'how'","element":"parameter","index":1,"name":"how","type_a":"int","type_b":"char *"
END
# only some differences; trees
json 1 diff 'len(lines) == 3 and lines[1]["what"] == "moved"' -- -C 'stat*' c.btf d.btf
json 0 diff 'lines[-1]["equal"] is True and len(lines) == 2' -- -C rq --unions c.btf d.btf
mkdir -p old new/more
cp c.btf old/x.btf && cp d.btf new/x.btf && cp c.btf old/y.btf && cp c.btf new/y.btf && cp c.btf new/more/z.btf
json 1 diff '{"difference": "file_only_b", "file": "more/z.btf"} in lines' -- old new
json 1 diff '[lines[-1][k] for k in tree_end] == [1, 1, 0, 1, 0]' -- old new
json 1 diff '{l["file"] for l in lines if "what" in l} == {"x.btf"}' -- old new
json 0 diff 'lines[0]["inputs"][1].encode("utf-8", "surrogateescape") == b"odd\n\"\\\xff.btf"' -- a.btf "$odd"
run_status 2 btfenc --json --btf_diff a.btf absent
expect_no_stdout

json 0 stats 'len(lines) == 4 and lines[1]["file"] == "a.btf"' -- a.btf in_b.o
json 0 stats 'len(lines) == 3' -- "$odd"
json 0 stats 'len(lines) == 3' -- -V a.btf
json 1 stats 'lines[2]["result"] == "failure" and lines[-1]["failures"] == 1 and lines[-1]["files"] == 3' -- a.btf absent in_b.o
expect_stderr <<\END
btfenc: error: 'absent': No such file or directory
END
json 0 stats '[l["types"] for l in lines[-1]["largest_files"]] == [10, 10]' -- a.btf in_b.o

# the same numbers as the table
run btfenc --btf_stats a.btf
sed -n 's/^STRUCT *\([0-9]*\) *\([0-9]*\) .*/\1 \2/p' out/stdout >struct
json 0 stats 'lines[1]["kinds"]["STRUCT"]["types"] == int(open("struct").read().split()[0])' -- a.btf
json 0 stats 'lines[1]["kinds"]["STRUCT"]["bytes"] == int(open("struct").read().split()[1])' -- a.btf

# jobs without such a form
cp a.o before.o
for args in '-J a.o' '-J --btf_stats a.o' '--btf_report=- a.o' '--launch gcc' \
	'--btf_encode_detached=x a.o'; do
	run btfenc --json $args
	expect_usage_error "'--json' is for types, '--btf_check', '--btf_diff', '--explain', '--inline_sites' and '--btf_stats' of files that have BTF"
done
cmp a.o before.o || fail "the object is changed"
usage_error "'--json' and '-q' cannot be combined" --json -q --btf_diff a.btf b.btf
run_ok btfenc --json --numeric_version
exit 0
