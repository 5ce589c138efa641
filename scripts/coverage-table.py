"""Prints what llvm-cov exported: a line a folder, and the branches missed.

usage: coverage-table.py SOURCE EXPORTED [--missed]
"""

import json
import os
import sys

source, exported, *options = sys.argv[1:]
with open(exported) as file:
    files = json.load(file)["data"][0]["files"]

measured = ("core", "cpu", "cuda", "device", "hip")
folders = {}
missed = {}
for file in files:
    name = os.path.relpath(file["filename"], source)
    folder = os.path.dirname(name)
    if os.path.basename(name).startswith("Np"):
        folder = "lib/Execution/Np*"
    elif folder != "lib/RecipeToRecurrence" and name.split("/")[1] not in measured:
        continue
    lines = file["summary"]["lines"]
    counts = folders.setdefault(folder, [0, 0, 0, 0])
    # Of every template's instances the ways that any of them went.
    ways = {}
    for line, column, *_, true, false, _, _, _ in file["branches"]:
        way = ways.setdefault((line, column), [0, 0])
        way[0] += true
        way[1] += false
    reached = sum((true > 0) + (false > 0) for true, false in ways.values())
    for i, count in enumerate((lines["covered"], lines["count"], reached, 2 * len(ways))):
        counts[i] += count
    missed[name] = [(*place, *way) for place, way in sorted(ways.items()) if 0 in way]


def percent(part, whole):
    return f"{100 * part / whole:5.1f} %" if whole else "      -"


for folder, (covered, lines, reached, branches) in sorted(folders.items()):
    print(
        f"{folder:25} lines {percent(covered, lines)} of {lines:5}"
        f"   branches {percent(reached, branches)} of {branches:5}"
    )
if "--missed" in options:
    for name, ways in sorted(missed.items()):
        for line, column, true, false in ways:
            print(f"{name}:{line}:{column}: {true} true, {false} false")
