#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the figures of README.md and docs/benchmarks.md, and the charts.

    chart.py                from the newest docs/bench/*.tsv, which tests/e2e/bench.sh has recorded
    chart.py --check        fails if a file differs from what this command writes
    chart.py --print FILE   prints the table of that file

In README.md and docs/benchmarks.md the text between the lines "<!-- bench: begin ... -->" and
"<!-- bench: end -->" is replaced. Figures are medians, with minimum and maximum.
"""
import argparse
import difflib
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]
BEGIN = "<!-- bench: begin; docs/bench/chart.py writes this -->"
END = "<!-- bench: end -->"

# The jobs of bench.sh in the order of the table: title, and seconds or milliseconds for an encoding
JOBS = {
    "vmlinux": ("{name}, {mb:.0f} MB", "s"),
    "in_place": ("the same, in place", "s"),
    "large": ("{input} over its base, {mb:.0f} MB", "s"),
    "small": ("{input} over its base, {mb:.1f} MB", "ms"),
    "archive": ("archive of {mb:.0f} MB, against libbpf", "s"),
    "objects": ("object in place, mean of {encodings}", "ms"),
    "clang": ("{name} of clang, {mb:.0f} MB", "s"),
}
# Which runs a measure takes, in the order of preference: an object has nothing to divide between threads.
MEASURES = {
    "CPU": ("user CPU", "user_s", [1]),
    "wall": ("elapsed", "wall_s", [2]),
    "memory": ("peak memory", "peak_kb", [2, 1]),
}


def number(x):
    """Three digits."""
    return f"{x:.2f}" if x < 9.995 else f"{x:.1f}" if x < 99.95 else f"{x:.0f}"


class Figure:
    """The values of one tool: median, minimum and maximum."""

    def __init__(self, values):
        self.n = len(values)
        self.median, self.low, self.high = statistics.median(values), min(values), max(values)

    def __str__(self):
        return f"{number(self.median)} ({number(self.low)}-{number(self.high)})"


class Row:
    """One measure of one job, by btfenc and by its peer."""

    def __init__(self, job, measure, threads, unit, ours, peer):
        self.job, self.measure, self.threads, self.unit = job, measure, threads, unit
        self.ours, self.peer = ours, peer
        self.ratio = ours.median / peer.median


class Results:
    """What bench.sh has recorded in a file."""

    def __init__(self, path):
        self.facts, self.samples, self.inputs, self.equal = {}, defaultdict(list), {}, defaultdict(set)
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
        job, tool = run["job"], "btfenc" if run["tool"] == "btfenc" else "peer"
        encodings = int(run["encodings"])
        self.inputs[job] = {
            "input": run["input"],
            "name": run["input"].split("-")[0],
            "mb": int(run["bytes"]) / 1e6,
            "encodings": encodings,
        }
        self.equal[job].add(run["equal"])
        scale = {"s": 1, "ms": 1000}[JOBS[job][1]] / encodings
        for column, factor in ("user_s", scale), ("wall_s", scale), ("peak_kb", 1 / 1000):
            self.samples[job, tool, int(run["threads"]), column].append(float(run[column]) * factor)

    def rows_of(self, job):
        for measure, (_, column, preferred) in MEASURES.items():
            for threads in preferred:
                if (job, "btfenc", threads, column) in self.samples:
                    ours, peer = (Figure(self.samples[job, tool, threads, column]) for tool in ("btfenc", "peer"))
                    yield Row(job, measure, threads, "MB" if column == "peak_kb" else JOBS[job][1], ours, peer)
                    break

    def title(self, job):
        return JOBS[job][0].format(**self.inputs[job])

    def bytes_of(self, job):
        return {"yes": "equal", "-": ""}.get("".join(self.equal[job]), "differ")

    def row(self, job, measure):
        return next((r for r in self.rows if r.job == job and r.measure == measure), None)

    def table(self):
        lines = [
            f"| | | btfenc | pahole {self.facts['pahole']} | ratio | bytes |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        last = None
        for r in self.rows:
            first = r.job != last
            last = r.job
            lines.append(
                f"| {self.title(r.job) if first else ''} | {MEASURES[r.measure][0]}, `-j{r.threads}`, {r.unit} "
                f"| {r.ours} | {r.peer} | {r.ratio:.3f} | {self.bytes_of(r.job) if first else ''} |"
            )
        return "\n".join(lines)

    def origin(self):
        f = self.facts
        return (
            f"{self.runs} runs on {f['date']}: btfenc {f['btfenc']} (commit {f['commit']}) and pahole {f['pahole']} in turn, "
            f"{f['machine']}, {f['kernel']}, load {f['load before']} before the first run"
        )


# --- the chart ----------------------------------------------------------------------------

THEMES = {
    "light": {"text": "#1f2328", "faint": "#59636e", "btfenc": "#0969da", "pahole": "#afb8c1", "spread": "#1f2328"},
    "dark": {"text": "#f0f6fc", "faint": "#9198a1", "btfenc": "#4493f8", "pahole": "#656c76", "spread": "#f0f6fc"},
}
CHART_JOBS = ["vmlinux", "large", "small", "objects"]
BAR, GAP, LEFT, FULL, PANEL = 15, 3, 210, 200, 320


def chart(results, theme):
    """Bars of CPU time and memory for each job, each pair scaled by its largest value."""
    color = THEMES[theme]
    jobs = [job for job in CHART_JOBS if results.row(job, "CPU")]
    pair = 2 * BAR + GAP + 16
    width, height = LEFT + 2 * PANEL, 56 + len(jobs) * pair + 24
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="-apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="13">'
    ]

    def text(x, y, what, fill="text", anchor="start", more=""):
        out.append(f'<text x="{x}" y="{y}" fill="{color[fill]}" text-anchor="{anchor}"{more}>{escape(what)}</text>')

    def bar(x, y, tool, figure, largest, unit):
        length = round(figure.median / largest * FULL, 1)
        out.append(f'<rect x="{x}" y="{y}" width="{length}" height="{BAR}" fill="{color[tool]}"/>')
        low, high = (round(x + v / largest * FULL, 1) for v in (figure.low, figure.high))
        middle = y + BAR / 2
        out.append(f'<path d="M{low} {middle}H{high}M{low} {middle - 3}v6M{high} {middle - 3}v6" stroke="{color["spread"]}"/>')
        text(max(x + length, high) + 6, y + 12, f"{number(figure.median)} {unit}")

    text(8, 18, f"btfenc {results.facts['btfenc']}", "btfenc", more=' font-weight="bold"')
    text(8, 36, f"pahole {results.facts['pahole']}", "faint", more=' font-weight="bold"')
    text(LEFT, 28, "user CPU time, one thread", more=' font-weight="bold"')
    text(LEFT + PANEL, 28, "peak memory", more=' font-weight="bold"')
    for nr, job in enumerate(jobs):
        y = 56 + nr * pair
        text(LEFT - 12, y + BAR + 6, results.title(job).replace(" over its base", ""), anchor="end")
        for panel, measure in enumerate(["CPU", "memory"]):
            row, x = results.row(job, measure), LEFT + panel * PANEL
            largest = max(row.ours.high, row.peer.high)
            bar(x, y, "btfenc", row.ours, largest, row.unit)
            bar(x, y + BAR + GAP, "pahole", row.peer, largest, row.unit)
    text(8, height - 8, f"Medians of {results.runs} runs on {results.facts['date']}; the lines are minimum and maximum.", "faint")
    out.append("</svg>\n")
    return "\n".join(out)


# --- the files ----------------------------------------------------------------------------


def readme(results):
    cpu, memory = results.row("vmlinux", "CPU"), results.row("vmlinux", "memory")
    alt = (
        f"vmlinux: {number(cpu.ours.median)} s of CPU time and {number(memory.ours.median)} MB with btfenc, "
        f"{number(cpu.peer.median)} s and {number(memory.peer.median)} MB with pahole"
    )
    return (
        '<picture><source media="(prefers-color-scheme: dark)" srcset="docs/bench/chart-dark.svg">'
        f'<img src="docs/bench/chart-light.svg" alt="{alt}"></picture>\n'
    )


def benchmarks(results):
    return f"{results.table()}\n\nMedians of {results.origin()}. In brackets: minimum and maximum.\n"


def between_marks(path, text):
    """The content of path with text between its marks."""
    head, begin, rest = path.read_text().partition(BEGIN + "\n")
    _, end, tail = rest.partition(END + "\n")
    if not begin or not end:
        sys.exit(f"{path}: the lines '{BEGIN}' and '{END}' are missing")
    return head + begin + text + end + tail


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--print", metavar="FILE", type=Path, help="print the table of FILE")
    parser.add_argument("--root", type=Path, default=ROOT, help="the source tree")
    args = parser.parse_args()
    if args.print:
        results = Results(args.print)
        print(results.table(), results.origin(), sep="\n\n")
        return 0

    bench = args.root / "docs/bench"
    files = sorted(bench.glob("*.tsv"))
    if not files:
        sys.exit(f"{bench} has no results")
    results = Results(files[-1])
    wanted = {
        args.root / "README.md": between_marks(args.root / "README.md", readme(results)),
        args.root / "docs/benchmarks.md": between_marks(args.root / "docs/benchmarks.md", benchmarks(results)),
        **{bench / f"chart-{theme}.svg": chart(results, theme) for theme in THEMES},
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
