#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the figures of README.md and docs/benchmarks.md, and the charts.

    chart.py                from the newest docs/bench/*.tsv, which tests/e2e/bench.sh has recorded,
                            and the newest docs/bench/processors/*.tsv, which is entered by hand
    chart.py --check        fails if a file differs from what this command writes
    chart.py --print FILE   prints the tables of that file

In README.md and docs/benchmarks.md the text between the lines "<!-- bench: begin ... -->" and
"<!-- bench: end -->" is replaced, and in the latter also that between the marks "threads" and "processors". Figures
are medians, with minimum and maximum. A ratio is that of two runs in succession.
"""
import argparse
import difflib
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]

# The jobs of bench.sh in the order of the table: title, and seconds or milliseconds for an encoding
JOBS = {
    "vmlinux": ("{name}, {mb:.0f} MB", "s"),
    "in_place": ("the same, in place", "s"),
    "inline": ("the same, with inlined functions{without}", "s"),
    "clang": ("{name} of clang, {mb:.0f} MB", "s"),
    "large": ("{input} over its base, {mb:.0f} MB", "s"),
    "small": ("{input} over its base, {mb:.1f} MB", "ms"),
    "modules": ("{encodings} modules in one run", "s in all"),
    "archive": ("archive in an ELF file of {mb:.0f} MB{libbpf}", "s"),
    "archive_raw": ("the same as a raw file of {mb:.0f} MB", "s"),
    "objects": ("object in place, mean of {encodings}", "ms"),
    "objects_detached": ("object detached, mean of {encodings}", "ms"),
}
# The factor of the seconds of a run with N encodings
UNITS = {"s": lambda n: 1 / n, "ms": lambda n: 1000 / n, "s in all": lambda n: 1}
# Title, column, and the numbers of threads in the order of preference: an object has nothing to divide between threads
MEASURES = {
    "CPU": ("user CPU", "user_s", [1]),
    "wall": ("elapsed", "wall_s", [2, 1]),
    "memory": ("peak memory", "peak_kb", [2, 1]),
}
# The kernel divides the CPU time of a process between user and system by samples, one in 4 ms. For processes of 2 ms only the sum is
# exact.
ALL_CPU = ("user + system CPU", "cpu_s", [1])
# A job is called slower if the median of its ratios is above this, and further above 1 than the ratios are apart.
SLOWER = 1.05
# of the model
PROCESSORS = [1, 2, 4, 8, 16, 32, 64]


def number(x):
    """Three digits."""
    return f"{x:.2f}" if x < 9.995 else f"{x:.1f}" if x < 99.95 else f"{x:.0f}"


def ratio(figure):
    return f"{figure.median:.3f} ({figure.low:.3f}-{figure.high:.3f})"


class Figure:
    """The values of one tool: median, minimum and maximum."""

    def __init__(self, values, text=None):
        self.n = len(values)
        self.median, self.low, self.high = statistics.median(values), min(values), max(values)
        self.text = text or number(self.median)

    def __str__(self):
        return f"{number(self.median)} ({number(self.low)}-{number(self.high)})"


class Row:
    """One measure of one job, by btfenc and by its peer."""

    def __init__(self, job, measure, title, threads, unit, ours, peer):
        self.job, self.measure, self.title, self.threads, self.unit = job, measure, title, threads, unit
        self.ours, self.peer = Figure(ours), Figure(peer)
        self.ratio = Figure([a / b for a, b in zip(ours, peer, strict=True)])

    def is_slower(self):
        return self.ratio.median > SLOWER and self.ratio.median - 1 > self.ratio.high - self.ratio.low


class Results:
    """What bench.sh has recorded in a file."""

    def __init__(self, path):
        self.facts, self.samples, self.inputs, self.equal = {}, defaultdict(list), {}, {}
        self.phases = defaultdict(list)
        columns = None
        for line in path.read_text().splitlines():
            if line.startswith("# "):
                key, value = line[2:].split(": ", 1)
                self.facts[key] = value
            elif columns is None:
                columns = line.split("\t")
            else:
                self.add(dict(zip(columns, line.split("\t"), strict=True)))
        self.rows = [row for job in JOBS for row in self.rows_of(job)]
        self.runs = min(len(values) for values in self.samples.values())

    def add(self, run):
        job, tool, threads = run["job"], "btfenc" if run["tool"] == "btfenc" else "peer", int(run["threads"])
        encodings = int(run["encodings"])
        self.inputs[job] = {
            "input": run["input"],
            "name": run["input"].split("-")[0],
            "mb": int(run["bytes"]) / 1e6,
            "encodings": encodings,
            "libbpf": "" if "against" in self.facts else ", against libbpf",
            "without": "" if "against" in self.facts else ", which pahole leaves out",
        }
        self.equal[job] = run["equal"]
        seconds = {column: float(run[column]) for column in ("user_s", "wall_s")}
        if "sys_s" in run:
            seconds["cpu_s"] = seconds["user_s"] + float(run["sys_s"])
        factor = UNITS[JOBS[job][1]](encodings) if job in JOBS else 1
        for column, value in seconds.items():
            self.samples[job, tool, threads, column].append(value * factor)
        self.samples[job, tool, threads, "peak_kb"].append(int(run["peak_kb"]) / 1000)
        if run.get("phases", "-") != "-":
            times = (phase.split(":") for phase in run["phases"].split(","))
            self.phases[threads].append({name: (float(wall), float(cpu)) for name, wall, cpu in times})

    def rows_of(self, job):
        unit = JOBS[job][1].split()[0]
        for measure, (title, column, preferred) in MEASURES.items():
            if measure == "CPU" and (unit == "ms" or "against" in self.facts) and (job, "btfenc", 1, "cpu_s") in self.samples:
                title, column, preferred = ALL_CPU
            for threads in preferred:
                if (job, "btfenc", threads, column) in self.samples:
                    ours, peer = (self.samples[job, tool, threads, column] for tool in ("btfenc", "peer"))
                    yield Row(job, measure, title, threads, "MB" if measure == "memory" else unit, ours, peer)
                    break

    def title(self, job):
        return JOBS[job][0].format(**self.inputs[job])

    def bytes_of(self, job):
        equal = self.equal[job]
        return {"yes": "equal", "no": "differ", "-": ""}.get(equal, f"{equal} differ")

    def row(self, job, measure):
        return next((r for r in self.rows if r.job == job and r.measure == measure), None)

    def table(self):
        lines = [
            "| | | btfenc | other tool | ratio | bytes |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        last = None
        for r in self.rows:
            first = r.job != last
            last = r.job
            lines.append(
                f"| {self.title(r.job) if first else ''} | {r.title}, `-j{r.threads}`, {r.unit} "
                f"| {r.ours} | {r.peer} | {ratio(r.ratio)} | {self.bytes_of(r.job) if first else ''} |"
            )
        return "\n".join(lines)

    def ratios(self):
        """The ratios alone, one job in a line."""
        jobs = [job for job in JOBS if self.row(job, "CPU") or self.row(job, "wall")]
        lines = ["| ratio | CPU | elapsed | peak memory | bytes |", "| --- | --- | --- | --- | --- |"]
        for job in jobs:
            cells = [ratio(row.ratio) if row else "" for row in (self.row(job, measure) for measure in MEASURES)]
            lines.append(f"| {self.title(job)} | {' | '.join(cells)} | {self.bytes_of(job)} |")
        return "\n".join(lines)

    def slower(self):
        """A line for each job that is slower, or that needs more memory."""
        lines = [f"slower: {self.title(r.job)}: {r.title} {ratio(r.ratio)}" for r in self.rows if r.is_slower()]
        return "\n".join(lines or [f"no job is more than {SLOWER - 1:.0%} slower"])

    def threads(self):
        """CPU time by the number of threads, the phases of a run, and a model of more processors."""
        samples = self.samples
        names = [name for name in self.phases[1][0] if name != "total"]
        lines = [
            f"| threads | user CPU, s | ratio to `-j1` | elapsed, s | peak memory, MB | {', s | '.join(names)}, s | serial, s |",
            "| --- " * (6 + len(names)) + "|",
        ]
        serial = {}
        for n, runs in sorted(self.phases.items()):
            user, wall, peak = (samples["threads", "btfenc", n, column] for column in ("user_s", "wall_s", "peak_kb"))
            growth = Figure([a / b for a, b in zip(user, samples["threads", "btfenc", 1, "user_s"], strict=True)])
            # If other processes delay a phase, its CPU time is the better measure.
            times = {name: statistics.median(min(run[name]) for run in runs) for name in names}
            serial[n] = sum(times[name] for name in names if name != "read")
            cells = [str(Figure(user)), ratio(growth), str(Figure(wall)), number(Figure(peak).median)]
            cells += [f"{times[name]:.3f}" for name in names]
            lines.append(f"| {n} | {' | '.join(cells)} | {serial[n]:.3f} |")
        # From -j2: with more threads than processors, the CPU time is higher, and the model would exceed the measured time of -j2.
        alone, shared = serial[2], statistics.median(run["read"][1] for run in self.phases[2])
        times = {n: alone + shared / n for n in PROCESSORS}
        return "\n".join(
            [
                *lines,
                "",
                f"| processors | {' | '.join(map(str, times))} |",
                "| --- " * (1 + len(times)) + "|",
                f"| model: {alone:.3f} s + {shared:.3f} s / processors | {' | '.join(f'{t:.2f} s' for t in times.values())} |",
                f"| speed, relative to one | {' | '.join(f'{times[1] / t:.1f}' for t in times.values())} |",
            ]
        )

    def origin(self):
        f = self.facts
        peer = f"btfenc of {f['against']}" if "against" in f else f"pahole {f['pahole']}"
        return (
            f"{self.runs} runs on {f['date']}: btfenc {f['btfenc']} (commit {f['commit']}) and {peer} in turn, "
            f"{f['machine']}, {f['kernel']}, load {f['load before']} before the first run"
        )


class Processors:
    """Medians of runs with several numbers of threads on a machine with many processors."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        self.facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
        self.rows = defaultdict(dict)
        for line in [line for line in lines if not line.startswith("# ")][1:]:
            threads, tool, *values = line.split("\t")
            self.rows[int(threads)][tool] = values
        self.best = min(self.rows, key=lambda n: float(self.rows[n]["btfenc"][0]))

    def table(self):
        f = self.facts
        lines = [
            f"On {f['machine']}: {f['input']}. Medians of {f['runs']} runs of commit {f['commit']} ({f['date']}):",
            "",
            f"| threads | btfenc: elapsed, CPU, peak memory | pahole {f['pahole']}: elapsed, CPU, peak memory |",
            "| --- | --- | --- |",
        ]
        for threads, tools in self.rows.items():
            cells = ["{} s, {} s, {} MB".format(*tools[tool]) for tool in ("btfenc", "pahole")]
            lines.append(f"| {threads} | {' | '.join(cells)} |")
        return "\n".join(lines) + "\n"

    def pair(self):
        """The fastest run of btfenc, and pahole with as many threads."""
        tools = self.rows[self.best]

        def panel(column, unit):
            return *(Figure([float(tools[t][column])], tools[t][column]) for t in ("btfenc", "pahole")), unit

        return Pair(f"vmlinux, {self.best} processors", f"elapsed, {self.best} threads", "pahole", panel(0, "s"), panel(2, "MB"))

    def origin(self):
        return f"{self.best} processors: of {self.facts['runs']} runs on {self.facts['date']}"


# --- the chart ----------------------------------------------------------------------------

THEMES = {
    "light": {"text": "#1f2328", "faint": "#59636e", "btfenc": "#0969da", "pahole": "#afb8c1", "libbpf": "#d4a72c", "spread": "#1f2328"},
    "dark": {"text": "#f0f6fc", "faint": "#9198a1", "btfenc": "#4493f8", "pahole": "#656c76", "libbpf": "#9e6a03", "spread": "#f0f6fc"},
}
# The jobs of the chart: title, and the measure of their time
CHART_JOBS = {
    "vmlinux": ("vmlinux, {mb:.0f} MB", "user CPU, one thread"),
    "large": ("{input}, {mb:.0f} MB", "user CPU, one thread"),
    "small": ("{input}, {mb:.1f} MB", "user + system CPU"),
    "modules": ("{encodings} modules in one run", "user CPU, one thread"),
    "objects": ("an object, in place", "user + system CPU"),
    "objects_detached": ("an object, detached", "user + system CPU"),
    "archive": ("BTF archive, {mb:.0f} MB", "user CPU, one thread"),
}
BAR, GAP, LEFT, FULL, PANEL, TOP = 14, 3, 205, 210, 318, 64
# A longer title reaches the bars in a wide font, such as DejaVu Sans.
LONGEST_TITLE = 24


class Pair:
    """Two bars in each panel of the chart."""

    def __init__(self, title, measure, peer, time, memory):
        self.title, self.measure, self.peer = title, measure, peer
        self.panels = [time, memory]  # (Figure, Figure, unit)


def chart_pairs(results, processors):
    pairs = []
    for job, (title, measure) in CHART_JOBS.items():
        cpu, memory = results.row(job, "CPU"), results.row(job, "memory")
        if cpu:
            peer = "libbpf" if job == "archive" else "pahole"
            panels = [(row.ours, row.peer, row.unit) for row in (cpu, memory)]
            pairs.append(Pair(title.format(**results.inputs[job]), measure, peer, *panels))
        if job == "vmlinux":
            pairs.append(processors.pair())
    return pairs


def chart(results, processors, theme):
    """Bars of time and memory, each pair scaled by its largest value."""
    color = THEMES[theme]
    pairs = chart_pairs(results, processors)
    pitch = 2 * BAR + GAP + 15
    width, height = LEFT + 2 * PANEL, TOP + len(pairs) * pitch + 46
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="-apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="13">'
    ]

    def text(x, y, what, fill="text", anchor="start", more=""):
        out.append(f'<text x="{x}" y="{y}" fill="{color[fill]}" text-anchor="{anchor}"{more}>{escape(what)}</text>')

    def bar(x, y, tool, figure, largest, unit):
        length = round(figure.median / largest * FULL, 1)
        low, high = (round(x + v / largest * FULL, 1) for v in (figure.low, figure.high))
        middle = y + BAR / 2
        out.append(f'<rect x="{x}" y="{y}" width="{length}" height="{BAR}" fill="{color[tool]}"/>')
        if figure.n > 1:
            spread = f"M{low} {middle}H{high}M{low} {middle - 3}v6M{high} {middle - 3}v6"
            out.append(f'<path d="{spread}" stroke="{color["spread"]}"/>')
        text(max(x + length, high) + 6, y + 12, f"{figure.text} {unit}")

    tools = {"btfenc": results.facts["btfenc"], "pahole": results.facts["pahole"], "libbpf": results.facts["libbpf"]}
    for nr, (tool, version) in enumerate(tools.items()):
        out.append(f'<rect x="{8 + nr * 110}" y="9" width="11" height="11" fill="{color[tool]}"/>')
        text(25 + nr * 110, 19, f"{tool} {version}")
    text(LEFT, TOP - 14, "time", more=' font-weight="bold"')
    text(LEFT + PANEL, TOP - 14, "peak memory", more=' font-weight="bold"')
    for nr, pair in enumerate(pairs):
        y = TOP + nr * pitch
        if len(pair.title) > LONGEST_TITLE:
            sys.exit(f"the chart has no room for '{pair.title}'")
        text(8, y + 13, pair.title)
        text(8, y + 28, pair.measure, "faint", more=' font-size="11"')
        for panel, (ours, peer, unit) in enumerate(pair.panels):
            x, largest = LEFT + panel * PANEL, max(ours.high, peer.high)
            bar(x, y, "btfenc", ours, largest, unit)
            bar(x, y + BAR + GAP, pair.peer, peer, largest, unit)
    text(8, height - 26, "Shorter is better. Each pair of bars has its own scale.", "faint", more=' font-size="12"')
    note = f"Medians of {results.runs} runs on {results.facts['date']}, with minimum and maximum; {processors.origin()}."
    text(8, height - 9, note, "faint", more=' font-size="12"')
    out.append("</svg>\n")
    return "\n".join(out)


# --- the files ----------------------------------------------------------------------------


def readme(results, processors):
    cpu, memory = results.row("vmlinux", "CPU"), results.row("vmlinux", "memory")
    many = processors.rows[processors.best]
    alt = (
        f"vmlinux: {cpu.ours.text} s of CPU time and {memory.ours.text} MB with btfenc, "
        f"{cpu.peer.text} s and {memory.peer.text} MB with pahole; on {processors.best} processors "
        f"{many['btfenc'][0]} s with btfenc, {many['pahole'][0]} s with pahole"
    )
    return (
        '<picture><source media="(prefers-color-scheme: dark)" srcset="docs/bench/chart-dark.svg">'
        f'<img src="docs/bench/chart-light.svg" alt="{alt}"></picture>\n'
    )


def benchmarks(results, processors, content):
    table = f"{results.table()}\n\nMedians of {results.origin()}. In brackets: minimum and maximum.\n"
    content = between_marks(content, "bench", table)
    content = between_marks(content, "processors", processors.table())
    return between_marks(content, "threads", results.threads() + "\n") if results.phases else content


def between_marks(content, name, text):
    """content with text between the marks of this name."""
    marks = f"<!-- {name}: begin; docs/bench/chart.py writes this -->\n", f"<!-- {name}: end -->\n"
    head, begin, rest = content.partition(marks[0])
    _, end, tail = rest.partition(marks[1])
    if not begin or not end:
        sys.exit(f"the lines of {marks} are missing")
    return head + begin + text + end + tail


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--print", metavar="FILE", type=Path, help="print the tables of FILE")
    parser.add_argument("--root", type=Path, default=ROOT, help="the source tree")
    args = parser.parse_args()
    if args.print:
        results = Results(args.print)
        against = "against" in results.facts
        print(results.ratios() if against else f"{results.table()}\n\n{results.ratios()}", end="\n\n")
        if results.phases:
            print(results.threads(), end="\n\n")
        print(results.slower() + "\n\n" if against else "", results.origin(), sep="")
        return 0

    bench = args.root / "docs/bench"
    files = sorted(bench.glob("*.tsv"))
    if not files:
        sys.exit(f"{bench} has no results")
    results, processors = Results(files[-1]), Processors(max(bench.glob("processors/*.tsv")))
    wanted = {
        args.root / "README.md": between_marks((args.root / "README.md").read_text(), "bench", readme(results, processors)),
        args.root / "docs/benchmarks.md": benchmarks(results, processors, (args.root / "docs/benchmarks.md").read_text()),
        **{bench / f"chart-{theme}.svg": chart(results, processors, theme) for theme in THEMES},
    }
    stale = 0
    for path, text in wanted.items():
        have = path.read_text() if path.exists() else ""
        if not args.check:
            path.write_text(text)
        elif have != text:
            stale = 1
            sys.stderr.writelines(difflib.unified_diff(have.splitlines(True), text.splitlines(True), str(path), "chart.py"))
    return stale


if __name__ == "__main__":
    sys.exit(main())
