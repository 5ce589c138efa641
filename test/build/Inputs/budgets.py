"""Checks how long source files and paths are and how deep folders nest.

usage: budgets.py SOURCE-FOLDER
"""

import pathlib
import sys

MAX_LINES, MAX_PATH, MAX_DEPTH = 450, 60, 4
FOLDERS = ("cmake", "dialects", "docs", "examples", "include", "lib", "python",
           "recipes", "runtime", "scripts", "test", "tools")
CODE = (".c", ".cpp", ".h", ".py", ".sh", ".td")

root = pathlib.Path(sys.argv[1])
over = 0


def report(path, what):
    global over
    print(f"{path}: {what}")
    over += 1


for folder in FOLDERS:
    for file in sorted((root / folder).rglob("*")):
        if not file.is_file() or "__pycache__" in file.parts:
            continue
        path = file.relative_to(root)
        if len(str(path)) > MAX_PATH:
            report(path, f"{len(str(path))} characters, at most {MAX_PATH}")
        if len(path.parts) > MAX_DEPTH:
            report(path, f"{len(path.parts)} levels deep, at most {MAX_DEPTH}")
        if file.suffix in CODE:
            lines = len(file.read_text().splitlines())
            if lines > MAX_LINES:
                report(path, f"{lines} lines, at most {MAX_LINES}")
sys.exit(over != 0)
