#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""messages.py FOLDER... - print the formats of all errors and warnings in the C files, sorted

A message is the first string in a call of err_new(), err_sys(), diag_add() or warn(). Macros for
integer formats become <PRIu32> and the like.
"""
import pathlib
import re
import sys

CALL = re.compile(r"\b(?:err_new|err_sys|diag_add|warn)\(")
LITERAL = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(PRI\w+))')


def literal_at(text, at):
    """The string literal at this position, its parts joined; empty if there is none."""
    parts = []
    while m := LITERAL.match(text, at):
        parts.append(f"<{m[2]}>" if m[2] else m[1])
        at = m.end()
    return "".join(parts), at


def arguments_end(text, at):
    depth = 1
    while depth and at < len(text):
        if text[at] == '"':
            at = LITERAL.match(text, at).end()
            continue
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    return at


def messages(text):
    """All literals with a space: a call may choose between two with "?:"."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    for call in CALL.finditer(text):
        at, end = call.end(), arguments_end(text, call.end())
        while at < end:
            if text[at] != '"':
                at += 1
                continue
            literal, at = literal_at(text, at)
            if " " in literal:
                yield literal


found = set()
for folder in sys.argv[1:]:
    for file in pathlib.Path(folder).rglob("*.c"):
        found |= {f"{folder}: {m}" for m in messages(file.read_text())}
print("\n".join(sorted(found)))
