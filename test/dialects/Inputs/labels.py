"""Checks that every labelled constraint (estimator_c4, ...) that the
descriptions of the ops state is checked in a verifier and has a test.

usage: labels.py SOURCE-FOLDER TEST-FOLDER
"""

import pathlib
import re
import sys


def labels(text):
    return set(re.findall(r"\b[a-z]+_c[0-9]+\b", text))


def read(folder, pattern):
    return "".join(f.read_text() for f in sorted(folder.glob(pattern)))


folder, tests = map(pathlib.Path, sys.argv[1:])
places = {
    "described": labels(read(folder, "*.td")),
    "verified": labels(read(folder, "*.cpp")),
    "tested": labels(read(tests, "invalid*.mlir")),
}
missing = 0
for label in sorted(set.union(*places.values())):
    for place, found in places.items():
        if label not in found:
            print(f"{label} is not {place}")
            missing += 1
sys.exit(missing != 0)
