#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""levels.py PAHOLE DEFAULT DIFF - explain each difference between the default and a level of pahole

PAHOLE and DEFAULT are the reports (--btf_report) of the same file, encoded at a level of pahole and by default. DIFF is
the output of --json --btf_diff of both results, that of pahole first. Prints for each function and variable that only
the default has the rule by which the level of pahole omits it, or by which the default keeps it, then the name. Whatever
else differs is printed as "unexplained"; the status is then 1.
"""
import json
import sys

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
    kept = rules(default, lambda line: line["rule"] in KEPT)
    added, others = [], []
    for line in lines(diff):
        if line.get("difference") == "only_b" and line["type"].split()[0] in ("func", "var"):
            subject, name = line["type"].split(None, 1)
            rule = kept.get((subject, name)) or omitted.get((subject, name))
            (added if rule else others).append((rule or "unexplained", line["type"]))
        elif "difference" in line:
            # sections grow with their variables, and prototypes come with functions
            what = line.get("type") or line["at"]
            if what.split()[0] != "section":
                others.append(("unexplained", json.dumps(line)))
    for rule, what in sorted(added) + sorted(others):
        print(rule, what)
    sys.exit(bool(others))


main()
