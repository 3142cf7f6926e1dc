#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""operators.py - do the tests detect a small mistake in the source?

	operators.py --build BUILD --out LIST [--seed N] [--number N] [--only N,N...] [--slowest SECONDS] [--labels LABEL,...]

Changes one operator of the C source at random: a comparison, && or ||, + or -, an added 1, a negated
condition, a returned constant. Then it builds btfenc and unit_tests and runs the tests, the fast ones
first, until one fails. It appends one line to LIST for each change:

	number	file:line	change	verdict	source line

The verdict is the name of the test that failed, "same code" (the compiler generates the same object
file), or "SURVIVED". Numbers that LIST already has are not run again, so the same command continues
after an interruption; --only with the survivors of a run with --slowest gives these to all tests. The places depend on the seed and on the source alone: the program divides the
source into as many parts of equal length as there are changes and chooses one place in each. It visits
the parts in random order, so that the first lines of LIST are a sample of the whole source, too.

It edits the working tree that BUILD belongs to, which must not have uncommitted changes, and restores
each file. BUILD should use the sanitizers (preset asan, -DBTFENC_WERROR=OFF), since some mistakes only
show as a bad memory access. It does not run as root: a changed btfenc may replace /dev/null, to which
tests write. To compile the inputs of the tests once instead of once for each change:

	PATH=/usr/lib/ccache:$PATH CCACHE_NOHASHDIR=1 nice tests/mutate/operators.py ...
"""
import argparse
import copy
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys

FOLDERS = ["base", "btf", "dedup", "loader", "encoder", "show", "cmd"]
LABELS = ["unit", "golden", "bad", "cli", "fuzz", "diff"]

TOKEN = re.compile(r"""
	(?P<skip>/\*.*?\*/ | //[^\n]* | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*')
	| (?P<word>[A-Za-z_]\w*)
	| (?P<number>(?:0x[0-9a-fA-F]+|\d+)[uUlL]*)
	| (?P<op><<=|>>=|->|\+\+|--|&&|\|\||[<>=!+\-*/%&|^]=|<<|>>|[-+<>!&|^*/%=?:;,.()\[\]{}~])
	""", re.VERBOSE | re.DOTALL)
BINARY = {
	"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
	"&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "+=": ["-="], "-=": ["+="], "&": ["|"], "|": ["&"],
	"<<": [">>"], ">>": ["<<"],
}
RETURNS = {"true": "false", "false": "true", "0": "1", "1": "0"}


def blank_directives(text):
	"""Replaces preprocessor directives by blanks of the same length."""
	return re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda m: re.sub(r"[^\n]", " ", m[0]), text,
		      flags=re.MULTILINE)


def matching(tokens, i):
	"""The index of the parenthesis that closes the one at i."""
	depth = 0
	for j in range(i, len(tokens)):
		depth += (tokens[j][0] == "(") - (tokens[j][0] == ")")
		if not depth:
			return j
	return None


def changes_of(text):
	"""Yields (start, end, replacement) for every change of a file."""
	tokens = [(m[0], m.start(), m.end(), m.lastgroup) for m in TOKEN.finditer(blank_directives(text))
		  if m.lastgroup != "skip"]
	for i, (token, start, end, kind) in enumerate(tokens[:-1]):
		before = tokens[i - 1][0] if i else ""
		after = tokens[i + 1]
		# clang-format puts blanks around binary operators only
		binary = text[start - 1] in " \n\t" and text[end:end + 1] in (" ", "\n")
		if kind == "op" and binary and token in BINARY:
			for other in BINARY[token]:
				yield start, end, other
			if token in "+-" and after[0] == "1" and tokens[i + 2][0] in ") ; , ]".split():
				yield start, after[2], ""
		elif token == "!" and not binary:
			yield start, end, ""
		elif token in ("if", "while") and after[0] == "(":
			close = matching(tokens, i + 1)
			if close and tokens[close - 1][0] != "(":
				yield after[1], tokens[close][2], "(!" + text[after[1]:tokens[close][2]] + ")"
		elif token == "return" and after[0] in RETURNS and tokens[i + 2][0] == ";":
			yield after[1], after[2], RETURNS[after[0]]
		elif kind == "number" and before in ("<", "<=", ">", ">=", "==", "!=", "-", "+", "%", "="):
			yield start, end, token + " + 1"


def choose_places(root, number, seed):
	"""Returns a list of (file, changes of one line), one for each of the parts of the source."""
	rnd = random.Random(seed)
	files = subprocess.run(["git", "ls-files", "--"] + [f"{f}/*.c" for f in FOLDERS], cwd=root, check=True,
			       capture_output=True, text=True).stdout.split()
	lines = []
	for name in sorted(files):
		text = open(os.path.join(root, name)).read()
		by_line = {}
		for change in changes_of(text):
			by_line.setdefault(text.count("\n", 0, change[0]) + 1, []).append(change)
		for nr in range(1, text.count("\n") + 1):
			lines.append((name, nr, by_line.get(nr)))
	places = []
	for part in range(number):
		i = rnd.randrange(part * len(lines) // number, (part + 1) * len(lines) // number)
		while not lines[i][2]:
			i = (i + 1) % len(lines)
		choices = lines[i][2][:]
		rnd.shuffle(choices)
		places.append((lines[i][0], lines[i][1], choices))
	order = list(range(number))
	rnd.shuffle(order)
	return [places[i] for i in order]


def prepare():
	"""In the process of a test."""
	resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
	for number in (signal.SIGINT, signal.SIGQUIT): # a shell lets its background jobs ignore them
		signal.signal(number, signal.SIG_DFL)


class Test:
	def __init__(self, entry):
		properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
		self.name = entry["name"]
		self.command = entry.get("command")
		self.label = properties["LABELS"][0]
		self.environment = dict(v.split("=", 1) for v in properties["ENVIRONMENT"])
		self.folder = properties["WORKING_DIRECTORY"]
		self.seconds = 0.0
		self.detected = 0

	def run(self, scratch, limit):
		"""Returns the exit status; -1 after so many seconds. Sets the CPU time."""
		env = dict(os.environ, **self.environment, TMPDIR=scratch)
		# A change can make a loop endless: it must not take the machine's memory or disk.
		env["ASAN_OPTIONS"] += ":hard_rss_limit_mb=3000:max_allocation_size_mb=3000"
		child = subprocess.Popen(self.command, cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
					 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
					 start_new_session=True, preexec_fn=prepare)
		start = resource.getrusage(resource.RUSAGE_CHILDREN)
		try:
			return child.wait(limit)
		except subprocess.TimeoutExpired:
			return -1
		finally:
			used = resource.getrusage(resource.RUSAGE_CHILDREN)
			self.seconds = self.seconds or max(used.ru_utime + used.ru_stime - start.ru_utime - start.ru_stime, 0.01)
			try:
				os.killpg(child.pid, signal.SIGKILL)
			except ProcessLookupError:
				pass
			child.wait()
			shutil.rmtree(scratch, ignore_errors=True)
			os.makedirs(scratch)


class Project:
	def __init__(self, build):
		self.build = os.path.abspath(build)
		self.scratch = os.path.join(self.build, "operators")
		self.objects = {}
		os.makedirs(self.scratch, exist_ok=True)
		cache = open(os.path.join(self.build, "CMakeCache.txt")).read()
		self.root = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)", cache, re.MULTILINE)[1]
		if self.git("status", "--porcelain", "--untracked-files=no"):
			sys.exit(f"operators.py: {self.root} has uncommitted changes")

	def git(self, *command):
		return subprocess.run(("git",) + command, cwd=self.root, check=True, capture_output=True,
				      text=True).stdout

	def make(self, *targets):
		return subprocess.run(["ninja", "-C", self.build, *targets], stdout=subprocess.DEVNULL,
				      stderr=subprocess.DEVNULL).returncode == 0

	def object_file(self, name):
		"""The object file of a source file."""
		for folder, _, files in os.walk(os.path.join(self.build, "CMakeFiles")):
			path = os.path.join(folder, os.path.basename(name) + ".o")
			if os.path.basename(path) in files and path.endswith("/" + name + ".o"):
				return path
		sys.exit(f"operators.py: no object file of {name}")

	def tests(self, labels, slowest):
		"""The tests that pass on the unchanged source: of the unit tests all, of others those within @slowest
		seconds."""
		if not self.make():
			sys.exit("operators.py: the unchanged source does not build")
		listed = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], check=True,
					capture_output=True, text=True).stdout
		tests = [Test(t) for t in json.loads(listed)["tests"]]
		# not the rules about source text, which are scripts with the label unit
		tests = [t for t in tests if t.label in labels and (t.label != "unit" or "/" in t.name)]
		memory = os.path.join(self.build, "operators.json")
		known = json.load(open(memory)) if os.path.exists(memory) else {}
		for t in tests:
			if t.name not in known:
				status = t.run(self.scratch, 20 * slowest if t.label != "unit" else 600)
				known[t.name] = None if status > 0 else 1e6 if status < 0 else t.seconds
				if status > 0:
					print(f"{t.name}: status {status}, left out", file=sys.stderr)
				with open(memory, "w") as out:
					json.dump(known, out, indent=1)
			t.seconds = known[t.name]
		tests = [t for t in tests if t.seconds is not None and (t.label == "unit" or t.seconds <= slowest)]
		# for the tests of other files one process is enough
		for t in [t for t in tests if t.label == "unit"][:1]:
			everything = copy.copy(t)
			everything.name, everything.command, everything.seconds = "unit", t.command[:1], 60
			tests.append(everything)
		return tests


def in_order(root, tests, name):
	"""First the unit tests that include the header of the changed file, then all, then the scripts."""
	header = f'"{name[:-2]}.h"'
	near = [t for t in tests if t.name.startswith("unit/") and
		header in open(os.path.join(root, "tests", t.name + ".c")).read()]
	rest = [t for t in tests if not t.name.startswith("unit/")]
	return near + sorted(rest, key=lambda t: (LABELS.index(t.label), t.seconds / (1 + t.detected)))


def verdict_of(project, tests, name):
	built = {"unit"}
	for t in in_order(project.root, tests, name):
		if t.label not in built:
			fuzzers = {os.path.basename(f.command[0]) for f in tests if f.label == "fuzz"}
			project.make("btfenc", *(fuzzers if t.label == "fuzz" else ()))
			built.add(t.label)
		status = t.run(project.scratch, 60 + 20 * t.seconds)
		if status not in (0, 77):
			t.detected += 1
			return t.name + (" (timeout)" if status == -1 else "")
	return "SURVIVED"


def try_changes(project, tests, place):
	"""Returns (change, verdict) for the first change of a place that compiles."""
	name, _, choices = place
	path = os.path.join(project.root, name)
	text = open(path).read()
	# the object file of the unchanged source; a later change of this file finds that of this one
	object_file = project.object_file(name)
	before = project.objects.setdefault(name, open(object_file, "rb").read())
	try:
		for start, end, new in choices:
			with open(path, "w") as out:
				out.write(text[:start] + new + text[end:])
			change = f"{text[start:end].strip()} -> {new.strip() or 'nothing'}".replace("\n", " ")
			change += f" (column {start - text.rfind(chr(10), 0, start)})"
			if not project.make(os.path.relpath(object_file, project.build), "unit_tests"):
				continue
			if open(object_file, "rb").read() == before:
				return change, "same code"
			return change, verdict_of(project, tests, name)
		return "none", "does not compile"
	finally:
		with open(path, "w") as out:
			out.write(text)


def main():
	parser = argparse.ArgumentParser(description="Do the tests detect a small mistake in the source?")
	parser.add_argument("--build", required=True)
	parser.add_argument("--out", required=True)
	parser.add_argument("--seed", type=int, default=1)
	parser.add_argument("--number", type=int, default=300)
	parser.add_argument("--part", default="1/1", help="of N runs at once, each in a tree of its own: I/N")
	parser.add_argument("--only", help="try these numbers again, even if LIST has them")
	parser.add_argument("--labels", default=",".join(LABELS), help="of the tests to run")
	parser.add_argument("--slowest", type=float, default=60, help="leave out tests, other than unit tests, that take more CPU time")
	args = parser.parse_args()

	if os.geteuid() == 0:
		sys.exit("operators.py: not as root: a changed btfenc may replace /dev/null")
	project = Project(args.build)
	places = choose_places(project.root, args.number, args.seed)
	done = set()
	if os.path.exists(args.out):
		done = {int(line.split("\t")[0]) for line in open(args.out) if line[0].isdigit()}
	part, parts = map(int, args.part.split("/"))
	wanted = [n for n in range(part, len(places) + 1, parts) if n not in done]
	if args.only:
		wanted = [int(n) for n in args.only.split(",")]
	tests = project.tests(args.labels.split(","), args.slowest)
	signal.signal(signal.SIGTERM, lambda *_: sys.exit(1)) # restores the file
	for n in wanted:
		name, line, _ = places[n - 1]
		change, verdict = try_changes(project, tests, places[n - 1])
		source = open(os.path.join(project.root, name)).read().split("\n")[line - 1].strip()
		with open(args.out, "a") as out:
			out.write(f"{n}\t{name}:{line}\t{change}\t{verdict}\t{source}\n")


if __name__ == "__main__":
	main()
