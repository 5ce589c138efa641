"""Checks that FileCheck looks at every line that is written for it.

usage: check_lines.py TEST-FOLDER
"""

import pathlib
import re
import sys

# Words with a colon that mean something to lit.
OTHERS = {"RUN", "DEFINE", "REDEFINE", "REQUIRES", "UNSUPPORTED", "XFAIL", "END"}
SUFFIX = r"(?:-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-[0-9]+))?"
LINE = re.compile(rf"^\s*(?:#|//)\s*([A-Z][A-Z0-9_-]*?){SUFFIX}:", re.MULTILINE)
COMMAND = re.compile(r"^\s*(?:#|//) (?:RUN|DEFINE|REDEFINE):(.*)$", re.MULTILINE)


def prefixes(text):
    """What the commands of a test have FileCheck look for."""
    commands = "\n".join(COMMAND.findall(text)).replace("\\\n", " ")
    found = set()
    for call in re.findall(r"FileCheck[^|&\n]*", commands):
        named = re.findall(r"--check-prefix(?:es)?=(\S+)", call)
        found.update(",".join(named or ["CHECK"]).split(","))
    # A prefix may be the value of a substitution.
    found.update(re.findall(r"%\{prefix\} = (\S+)", commands))
    return found


root = pathlib.Path(sys.argv[1])
unread = 0
for test in sorted(root.rglob("*")):
    if test.suffix not in (".mlir", ".rls", ".test") or "Inputs" in test.parts:
        continue
    text = test.read_text()
    known = prefixes(text) | OTHERS
    for match in LINE.finditer(text):
        if match[1] not in known:
            line = text.count("\n", 0, match.start(1)) + 1
            print(f"{test}:{line}: nothing looks for {match[1]}")
            unread += 1
sys.exit(unread != 0)
