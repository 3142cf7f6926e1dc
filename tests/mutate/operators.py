#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""operators.py - do the tests detect a small mistake in the source?

	operators.py --build BUILD --coverage BUILD --out LIST [--seed N] [--number N] [--since REV]
		[--only N,N...] [--labels LABEL,...] [--slowest SECONDS] [--budget SECONDS]

Changes one operator of the C source at random: a comparison, && or ||, + or -, an added 1, a negated
condition, a returned constant. Then it builds the programs and runs the tests that execute the changed
line, the fastest first, until one fails twice. It appends one line to LIST for each change:

	number	file:line	change	verdict	source line

The verdict is the name of the test that failed, or

	same code	the compiler generates the same program
	not executed	no test executes the line
	SURVIVED	no test fails; with --budget, of the tests that fit in so much CPU time

At the end it prints how many changes each label detected, and the survivors of LIST. The reader of a survivor
decides: it is equivalent (it cannot alter a result, only the time or the memory), or a test is missing.

Numbers that LIST already has are not run again, so the same command continues after an interruption;
--only runs some again, for example the survivors of a run with --labels=unit,fuzz, whose tests take a
second, or with --slowest or --budget. The places
depend on the seed and on the source alone: the program divides the source into as many parts of equal
length as there are changes and chooses one place in each. It visits the parts in random order, so that
the first lines of LIST are a sample of the whole source, too. With --since, the source consists of the
lines that revision REV does not have.

A verdict does not depend on the load of the machine. A test ends early only if it uses ten times the
CPU time that it uses without the change (it fails), or if all its processes sleep for a minute (it
fails), or after a very long time (it does not fail). The environment variable TEST_SECONDS switches
off the time limits that tests have themselves.

Which test executes which line comes from the build --coverage (preset coverage): each test runs there
once, alone. The result is in operators.json of that build, for one commit.

It edits the working tree that both builds belong to, which must not have uncommitted changes, and
restores each file. BUILD should use the sanitizers (preset asan, -DBTFENC_WERROR=OFF), since some
mistakes only show as a bad memory access. It does not run as root: a changed btfenc may replace
/dev/null, to which tests write. Do not set CCACHE_NOHASHDIR: the inputs of tests would then come from ccache
with the name of another folder in their DWARF, and some tests fail with such inputs, whatever the change.
"""
import argparse
import collections
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

FOLDERS = ["base", "btf", "dedup", "check", "loader", "encoder", "show", "cmd"]
LABELS = ["unit", "golden", "bad", "cli", "fuzz", "diff"]
ASLEEP, LONG = 60, 1200 # seconds
TICKS = os.sysconf("SC_CLK_TCK")

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


def added_lines(root, since):
	"""Returns the set of (file, line) that a revision does not have."""
	diff = subprocess.run(["git", "diff", "--no-color", "-M", "-U0", since, "--"] + FOLDERS, cwd=root,
			      check=True, capture_output=True, text=True).stdout
	added, name = set(), None
	for line in diff.split("\n"):
		hunk = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
		if line.startswith("+++ "):
			name = line.removeprefix("+++ b/")
		elif hunk:
			first = int(hunk[1])
			added |= {(name, nr) for nr in range(first, first + int(hunk[2] or 1))}
	return added


def choose_places(root, number, seed, since):
	"""Returns a list of (file, changes of one line), one for each of the parts of the source."""
	rnd = random.Random(seed)
	files = subprocess.run(["git", "ls-files", "--"] + [f"{f}/*.c" for f in FOLDERS], cwd=root, check=True,
			       capture_output=True, text=True).stdout.split()
	lines = []
	added = added_lines(root, since) if since else None
	for name in sorted(files):
		text = open(os.path.join(root, name)).read()
		by_line = {}
		for change in changes_of(text):
			by_line.setdefault(text.count("\n", 0, change[0]) + 1, []).append(change)
		for nr in range(1, text.count("\n") + 1):
			if added is None or (name, nr) in added:
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
	# a shell lets its background jobs ignore two of them, and nohup the third
	for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
		signal.signal(number, signal.SIG_DFL)


def processes_of(session):
	"""Returns the CPU seconds of the processes of a session, and whether one of them can run."""
	seconds, runs = 0, False
	for pid in filter(str.isdigit, os.listdir("/proc")):
		try:
			fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
		except OSError: # it has ended
			continue
		if int(fields[3]) == session:
			seconds += sum(map(int, fields[11:15])) / TICKS # own and those of children that ended
			runs |= fields[0] in "RD"
	return seconds, runs


class Test:
	def __init__(self, entry, build):
		properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
		self.name = entry["name"]
		self.command = entry.get("command")
		self.label = properties["LABELS"][0]
		self.is_setup = "FIXTURES_SETUP" in properties
		self.environment = dict(v.split("=", 1) for v in properties["ENVIRONMENT"])
		self.folder = properties["WORKING_DIRECTORY"]
		program = self.command[0]
		self.target = os.path.basename(program) if program.startswith(build) else "btfenc"
		self.scratch = os.path.join(build, "operators")

	def wait(self, child, limit):
		"""Returns the exit status, or why the test ended early: "CPU", "asleep", or None."""
		start = moved = time.monotonic()
		last = None
		while True:
			try:
				return child.wait(1)
			except subprocess.TimeoutExpired:
				pass
			now = time.monotonic()
			state = processes_of(child.pid)
			if state[0] > limit:
				return "CPU"
			if state != last or state[1]:
				last, moved = state, now
			if now - moved > ASLEEP:
				return "asleep"
			if now - start > LONG:
				return None

	def run(self, limit):
		"""Returns the result of wait() and the CPU seconds."""
		os.makedirs(self.scratch, exist_ok=True)
		env = dict(os.environ, **self.environment, TMPDIR=self.scratch, TEST_SECONDS="0")
		# A change can make a loop endless: it must not take the machine's memory or disk.
		env["ASAN_OPTIONS"] += ":hard_rss_limit_mb=3000:max_allocation_size_mb=3000"
		before = resource.getrusage(resource.RUSAGE_CHILDREN)
		child = subprocess.Popen(self.command, cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
					 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
					 start_new_session=True, preexec_fn=prepare)
		try:
			status = self.wait(child, limit)
		finally:
			try:
				os.killpg(child.pid, signal.SIGKILL)
			except ProcessLookupError:
				pass
			child.wait()
			shutil.rmtree(self.scratch, ignore_errors=True)
		after = resource.getrusage(resource.RUSAGE_CHILDREN)
		return status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

	def fails(self, seconds):
		"""Does the test fail twice, when it takes so many CPU seconds on the unchanged source?"""
		return all(self.run(5 + 10 * seconds)[0] not in (0, 77, None) for _ in range(2))


class Build:
	def __init__(self, folder):
		self.folder = os.path.abspath(folder)
		cache = open(os.path.join(self.folder, "CMakeCache.txt")).read()
		self.root = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)", cache, re.MULTILINE)[1]
		if self.git("status", "--porcelain", "--untracked-files=no"):
			sys.exit(f"operators.py: {self.root} has uncommitted changes")
		if not self.make():
			sys.exit(f"operators.py: the unchanged source does not build in {folder}")

	def git(self, *command):
		return subprocess.run(("git",) + command, cwd=self.root, check=True, capture_output=True,
				      text=True).stdout

	def make(self, *targets):
		return subprocess.run(["ninja", "-C", self.folder, *targets], stdout=subprocess.DEVNULL,
				      stderr=subprocess.DEVNULL).returncode == 0

	def tests(self, labels):
		"""Returns the tests by name: not those of the source text, which are scripts with the label unit."""
		listed = subprocess.run(["ctest", "--test-dir", self.folder, "--show-only=json-v1"], check=True,
					capture_output=True, text=True).stdout
		tests = [Test(t, self.folder) for t in json.loads(listed)["tests"]]
		return {t.name: t for t in tests if t.label in labels and (t.label != "unit" or "/" in t.name)}

	def program(self):
		return open(os.path.join(self.folder, "btfenc"), "rb").read()

	def counters(self):
		return [os.path.join(folder, f) for folder, _, files in os.walk(self.folder)
			for f in files if f.endswith(".gcda")]

	def take_coverage(self):
		"""Yields (file, lines with code, lines executed) and removes the counters."""
		data = [path for path in self.counters() if "/btfenc" in path]
		out = subprocess.run(["gcov", "--json-format", "--stdout"] + data, capture_output=True,
				     check=True).stdout if data else b""
		for path in self.counters():
			os.unlink(path)
		for line in out.splitlines():
			for file in json.loads(line)["files"]:
				name = os.path.relpath(os.path.join(self.root, file["file"]), self.root)
				if name.split("/")[0] in FOLDERS:
					counts = [(c["line_number"], c["count"]) for c in file["lines"]]
					yield name, {n for n, _ in counts}, {n for n, count in counts if count}


class Map:
	"""For each test its CPU seconds, and the lines that it executes; for each file its lines with code."""

	def __init__(self, tests, counted, slowest):
		self.tests = tests
		self.path = os.path.join(counted.folder, "operators.json")
		self.known = {"commit": counted.git("rev-parse", "HEAD"), "seconds": {}, "executes": {}, "code": {}}
		if os.path.exists(self.path):
			known = json.load(open(self.path))
			if known["commit"] == self.known["commit"]:
				self.known = known
		for path in counted.counters():
			os.unlink(path)
		counting = counted.tests(LABELS)
		for t in tests.values():
			seconds = self.known["seconds"].get(t.name, 0)
			if not seconds or (self.known["executes"][t.name] is None and seconds < slowest):
				self.add(t, counting[t.name], counted, slowest)

	def add(self, test, counting, counted, slowest):
		"""Runs a test in both builds, unless it takes more than @slowest seconds in the first."""
		status, seconds = test.run(slowest)
		executes = {}
		if status == 0:
			counting.run(1000)
			for name, code, lines in counted.take_coverage():
				executes[name] = sorted(lines.union(executes.get(name, [])))
				self.known["code"][name] = sorted(code.union(self.known["code"].get(name, [])))
		else:
			print(f"{test.name}: {status} after {seconds:.1f} s, left out", file=sys.stderr)
		self.known["executes"][test.name] = None if status == "CPU" else {} if test.is_setup else executes
		self.known["seconds"][test.name] = seconds
		with open(self.path, "w") as out:
			json.dump(self.known, out)

	def tests_of(self, name, text, line):
		"""Returns [(seconds, name)] of the tests that execute a line, the fastest first.

		A line without code of its own belongs to the statement above; if it has none, as in a table, any
		line of the file counts. A file without code is for all tests. Processes that end by _exit() or a
		signal leave no counters, so the unit tests that are named after the file always run."""
		code = set(self.known["code"].get(name, []))
		own = "unit/t_" + os.path.basename(name).removesuffix(".c")
		lines = text.split("\n")
		while line not in code and line > 1 and lines[line - 2].rstrip()[-1:] not in ("", ";", "{", "}", "/"):
			line -= 1
		return sorted((self.known["seconds"][t], t) for t, executes in self.known["executes"].items()
			      if t in self.tests and executes and (not code or t == own or
							       line in executes.get(name, []) or
							       (line not in code and executes.get(name))))


def verdict_of(build, tests, candidates, budget):
	"""Runs those of [(seconds, name)] that fit in a budget of seconds."""
	verdict = "SURVIVED" if candidates else "not executed"
	built = set()
	for seconds, name in candidates:
		t = tests[name]
		budget -= seconds
		if budget < 0:
			break
		if t.target not in built:
			build.make(t.target)
			built.add(t.target)
		if t.fails(seconds):
			return name
	return verdict


def try_changes(build, tests, lines, place, budget):
	"""Returns (change, verdict) for the first change of a place that compiles."""
	name, line, choices = place
	path = os.path.join(build.root, name)
	text = open(path).read()
	build.make("btfenc")
	before = build.program()
	try:
		for start, end, new in choices:
			with open(path, "w") as out:
				out.write(text[:start] + new + text[end:])
			change = f"{text[start:end].strip()} -> {new.strip() or 'nothing'}".replace("\n", " ")
			change += f" (column {start - text.rfind(chr(10), 0, start)})"
			if not build.make("btfenc"):
				continue
			if build.program() == before:
				return change, "same code"
			return change, verdict_of(build, tests, lines.tests_of(name, text, line), budget)
		return "none", "does not compile"
	finally:
		with open(path, "w") as out:
			out.write(text)


def summarize(path):
	"""Prints the number of changes of each verdict, or label of the test, and the survivors."""
	last = {} # a number that was tried again has several lines
	for line in open(path):
		number, place, change, verdict, source = line.rstrip("\n").split("\t")
		last[int(number)] = place, change, verdict, source
	counts = collections.Counter(verdict.split("/")[0] for _, _, verdict, _ in last.values())
	print(f"tried {len(last)}: " + ", ".join(f"{label} {n}" for label, n in counts.most_common()))
	for place, change, verdict, source in sorted(last.values()):
		if verdict == "SURVIVED":
			print(f"{place}\t{change}\t{source}")


def main():
	parser = argparse.ArgumentParser(description="Do the tests detect a small mistake in the source?")
	parser.add_argument("--build", required=True)
	parser.add_argument("--coverage", required=True)
	parser.add_argument("--out", required=True)
	parser.add_argument("--seed", type=int, default=1)
	parser.add_argument("--number", type=int, default=300)
	parser.add_argument("--since", metavar="REV", help="change only lines that this revision does not have")
	parser.add_argument("--only", help="try these numbers again, even if LIST has them")
	parser.add_argument("--labels", default=",".join(LABELS), help="of the tests to run")
	parser.add_argument("--slowest", type=float, default=60, help="leave out tests that take more CPU time")
	parser.add_argument("--budget", type=float, default=1e6, help="CPU time of the tests of one change")
	args = parser.parse_args()

	if os.geteuid() == 0:
		sys.exit("operators.py: not as root: a changed btfenc may replace /dev/null")
	signal.signal(signal.SIGTERM, lambda *_: sys.exit(1)) # restores the file
	build = Build(args.build)
	tests = build.tests(args.labels.split(","))
	lines = Map(tests, Build(args.coverage), args.slowest)
	places = choose_places(build.root, args.number, args.seed, args.since)
	done = set()
	if os.path.exists(args.out):
		done = {int(line.split("\t")[0]) for line in open(args.out) if line[0].isdigit()}
	wanted = [n for n in range(1, len(places) + 1) if n not in done]
	if args.only:
		wanted = [int(n) for n in args.only.split(",")]
	for n in wanted:
		name, line, _ = places[n - 1]
		change, verdict = try_changes(build, tests, lines, places[n - 1], args.budget)
		source = open(os.path.join(build.root, name)).read().split("\n")[line - 1].strip()
		with open(args.out, "a") as out:
			out.write(f"{n}\t{name}:{line}\t{change}\t{verdict}\t{source}\n")
	summarize(args.out)


if __name__ == "__main__":
	main()
