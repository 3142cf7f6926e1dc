#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""levels.py PAHOLE DEFAULT DIFF - explain each difference between the default and a level of pahole

PAHOLE and DEFAULT are the reports (--btf_report) of the same file, encoded at a level of pahole and by default. DIFF is
the output of --json --btf_diff of both results, that of pahole first. Prints for each function and variable that only
the default has the rule by which the level of pahole omits it, or by which the default keeps it, then the name; for
each that only the level has, "lost:" and the rule by which the default omits it. Of several definitions of a function,
the two may describe different ones: "other_definition" is a function of which only names of parameters differ.
Whatever else differs is printed as "unexplained"; the status is then 1.
"""
import json
import re
import sys

OTHER_NAMES = re.compile(r"parameter (\d+) '.*', was parameter \1 '.*'$")
KEPT = ("func_kfunc", "func_kfunc_no_symbol")


def lines(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return [json.loads(line) for line in f]


def rules(path, wanted):
    """By subject and name: the first rule for which wanted() is true."""
    found = {}
    for line in lines(path):
        if "rule" in line and wanted(line):
            found.setdefault((line["subject"], line["name"]), line["rule"])
    return found


def main():
    pahole, default, diff = sys.argv[1:]
    omitted = rules(pahole, lambda line: line["result"] == "left_out")
    lost = rules(default, lambda line: line["result"] == "left_out")
    kept = rules(default, lambda line: line["rule"] in KEPT)
    explained, others = [], []
    for line in lines(diff):
        if "difference" not in line:
            continue
        what = line.get("type") or line["at"]
        subject, name = what.split(None, 1)
        rule = None
        if subject == "section":
            continue  # it grows with its variables
        if line["difference"] == "only_b":
            rule = kept.get((subject, name)) or omitted.get((subject, name))
        elif line["difference"] == "only_a" and (subject, name) in lost:
            rule = "lost:" + lost[(subject, name)]
        elif subject == "func" and OTHER_NAMES.match(line.get("change", "")):
            rule = "other_definition"
        if rule:
            explained.append((rule, what))
        else:
            others.append(("unexplained", json.dumps(line)))
    for rule, what in sorted(explained) + sorted(others):
        print(rule, what)
    sys.exit(bool(others))


main()
