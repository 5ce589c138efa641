#!/usr/bin/env python3
"""Faults in the compiler's own passes: are they noticed?

Puts one fault at a time into a C++ file of lib/ (a comparison turned round, a sum for a
difference, a condition left out), builds the tools, and runs tests until one fails.
What no test notices is printed with its place. Without a fault all of these tests have
to pass, or each fault would seem to be noticed. The tree has to be clean: files are put
back as they were.

usage: mutate-passes.py BUILD [--count=N] [--seed=N] [--seconds=N]
                        [--folder=lib/RecurrenceToTiles] [--tests=REGULAR-EXPRESSION]
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import time

# What is looked for in code, and what takes its place.
FAULTS = [
    (r"(?<![=!<>+\-*/])==(?!=)", "!="), (r"!=", "=="), (r" < ", " <= "), (r" > ", " < "),
    (r" && ", " || "), (r" \|\| ", " && "), (r" \+ 1\b", ""), (r" - 1\b", ""),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\bif \(!", "if ("),
    (r"AddFOp", "SubFOp"), (r"SubFOp", "AddFOp"), (r"MulFOp", "AddFOp"),
    (r"AddIOp", "SubIOp"), (r"SubIOp", "AddIOp"), (r"\bisLast\b", "isFirst"),
    (r"Predicate::slt", "Predicate::sle"), (r"Predicate::eq", "Predicate::ne"),
    (r"getAlpha\(\)", "getBeta()"), (r"getBeta\(\)", "getAlpha()"),
    (r"Direction::Backward", "Direction::Forward"), (r"\bcontinue;", ";"),
    (r"Kind::Step", "Kind::Row"), (r"Layout::Steps", "Layout::Rows"),
]
TOOLS = ["rlscan-opt", "rlscan-translate", "rlscan-run", "ring-test", "random-test",
         "mutant-test", "field-test", "property-test"]
QUICK = [["ring-test", "--count=3", "--seed=1000"],
         ["random-test", "--target=every", "--count=2", "--seed=2201"],
         ["mutant-test", "--count=300"],
         ["property-test", "--target=sim", "--only=packed rows are rows", "recipes/gae.rls"]]
NOT_BUILT = "not built"
# The tests of a folder, which take seconds and no program but TOOLS.
TESTS = {
    "lib/RecurrenceToTiles": "RecurrenceToTiles/|Pipelines/|dialects/",
    "lib/TilesToGPU": "TilesToGPU/(?!compile|line-table)|Pipelines/",
    "lib/RecipeToRecurrence": "RecipeToRecurrence/|dialects/|RecurrenceToTiles/mutants|"
                              "tools/rlscan-run-coefficients",
}


def places_in(path):
    """(file, start, end, replacement) for each fault that the file's code has room for."""
    text = path.read_text()
    found = []
    position = 0
    for line in text.splitlines(keepends=True):
        code = line.split("//")[0]
        is_code = not line.lstrip().startswith(("#", "//", "*")) and "assert" not in line
        for pattern, replacement in FAULTS if is_code else []:
            for match in re.finditer(pattern, code):
                if '"' not in code[:match.start()]:
                    found.append((path, position + match.start(), position + match.end(),
                                  replacement))
        position += len(line)
    return found


def is_built(build, *tools):
    done = subprocess.run(["ninja", "-C", build, *tools], capture_output=True, check=False)
    return done.returncode == 0


def noticed_by(build, tests):
    """The first test that fails, or None. What a test takes is linked when it is its turn."""
    for command in QUICK:
        if not is_built(build, command[0]):
            return NOT_BUILT
        program = str(pathlib.Path(build) / "bin" / command[0])
        try:
            if subprocess.run([program, *command[1:]], capture_output=True, check=False,
                              timeout=300).returncode:
                return " ".join(command)
        except subprocess.TimeoutExpired:
            return " ".join(command) + " (time)"
    if not is_built(build, *TOOLS):
        return NOT_BUILT
    cache = (pathlib.Path(build) / "CMakeCache.txt").read_text()
    lit = re.search(r"^RLSCAN_LIT:FILEPATH=(.*)$", cache, re.MULTILINE)[1]
    done = subprocess.run(["timeout", "300", lit, "-q", "--max-failures=1", f"{build}/test",
                           "--filter", tests], capture_output=True, text=True, check=False)
    if done.returncode == 124:
        return f"{tests} (time)"
    failed = re.search(r"rlscan :: (\S+)", done.stdout)
    if done.returncode and not failed:
        sys.exit(f"expected tests that run, got:\n{done.stdout}{done.stderr}")
    return failed[1] if failed else None


def try_fault(build, tests, place):
    """What became of a fault: not built, noticed by a test, or nothing."""
    path, start, end, replacement = place
    text = path.read_text()
    line = text.count("\n", 0, start) + 1
    path.write_text(text[:start] + replacement + text[end:])
    try:
        outcome = noticed_by(build, tests)
    finally:
        path.write_text(text)
    print(f"{path}:{line}: '{text[start:end].strip()}' -> '{replacement.strip()}': "
          f"{outcome or 'NOT NOTICED'}", flush=True)
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--folder", default="lib/RecurrenceToTiles")
    parser.add_argument("--tests")
    options = parser.parse_args()
    tests = options.tests or TESTS[options.folder]
    changed = subprocess.run(["git", "status", "--porcelain", options.folder],
                             capture_output=True, text=True, check=True).stdout
    if changed:
        sys.exit(f"expected a clean {options.folder}, found changes:\n{changed}")
    noticed = noticed_by(options.build, tests)
    if noticed:
        sys.exit(f"expected a tree that builds and passes without a fault: {noticed}")
    places = [place for path in sorted(pathlib.Path(options.folder).glob("*.cpp"))
              for place in places_in(path)]
    random.Random(options.seed).shuffle(places)
    begin, outcomes = time.monotonic(), []
    for place in places:
        tried = sum(outcome != NOT_BUILT for outcome in outcomes)
        if tried == options.count or time.monotonic() - begin > options.seconds:
            break
        outcomes.append(try_fault(options.build, tests, place))
    is_built(options.build, *TOOLS)
    tried = [outcome for outcome in outcomes if outcome != NOT_BUILT]
    missed = sum(outcome is None for outcome in tried)
    print(f"{len(tried)} faults, {missed} not noticed, "
          f"{len(outcomes) - len(tried)} more did not compile")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
