"""Checks that every message of the compiler occurs in a test.

A message is made of string literals and of names. Each literal with words in
it must stand in some test of the folder: in a CHECK line, an expected-error or
expected-note. A literal for printf is as many as there are between its %s.

usage: messages.py [--errors] SOURCE-FOLDER TEST-FOLDER...

With --errors only what is in a call that makes an error counts: the sources write
other texts, too.
"""

import pathlib
import re
import sys

# What may stand in front of text: comments, characters and what no user sees.
SKIPPED = (r'//[^\n]*|#include[^\n]*|\'(?:\\.|[^\'\\\n])\'|assert\s*\([^;]*;|'
           r'llvm_unreachable\([^;]*;')
LITERAL = r'"(?:\\.|[^"\\\n])*"'
TOKEN = re.compile(rf"(?P<skipped>{SKIPPED})|(?P<text>{LITERAL}(?:\s*{LITERAL})*)")


def calls_of_errors(text):
    """Where calls that make an error begin and end."""
    spans = []
    for match in re.finditer(r"(createStringError|usage)\(", text):
        depth, end = 1, match.end()
        for token in re.finditer(rf"{LITERAL}|[()]", text[match.end():]):
            depth += {"(": 1, ")": -1}.get(token[0], 0)
            if depth == 0:
                end = match.end() + token.start()
                break
        spans.append((match.end(), end))
    return spans


def messages(source):
    """The literals with a space between words, with their lines."""
    text = source.read_text()
    spans = calls_of_errors(text) if only_errors else [(0, len(text))]
    for match in TOKEN.finditer(text):
        if not match["text"] or not any(a <= match.start() < b for a, b in spans):
            continue
        parts = re.findall(LITERAL, match["text"])
        literal = "".join(part[1:-1] for part in parts)
        literal = re.sub(r"\\(.)", r"\1", literal)
        for piece in re.split(r"%(?:z?[dsup]|lld|$)", literal):
            piece = piece.strip()
            if re.search(r"[a-z]{2,}'? '?[a-z0-9(]|'? [a-z]{2,}", piece):
                yield text.count("\n", 0, match.start()) + 1, piece


only_errors = sys.argv[1] == "--errors"
folder, *tests = map(pathlib.Path, sys.argv[1 + only_errors:])
tested = "\n".join(f.read_text() for test in tests for f in test.iterdir()
                   if f.suffix in (".mlir", ".rls", ".test"))
missing = 0
for source in sorted(folder.glob("*.cpp")):
    for line, literal in messages(source):
        if literal not in tested:
            print(f"{source}:{line}: no test has '{literal}'")
            missing += 1
sys.exit(missing != 0)
