"""Writes a recipe that no one would write.

usage: hostile.py CASE [N] > FILE
"""

import sys

BODY = b"estimator hostile {\n  step x\n  step f : flag\n%s  return y = %s + (f ? 0 : x)\n}\n"


def expression(text):
    return BODY % (b"", text)


def statements(lines):
    """Each line defines a0, a1, ...; the last is used."""
    return BODY % (b"".join(lines), b"a%d" % (len(lines) - 1))


NESTED = {
    "parentheses": lambda n: b"(" * n + b"x" + b")" * n,
    "open": lambda n: b"(" * n,
    "minus": lambda n: b"- " * n + b"x",
    "not": lambda n: b"(" + b"!" * n + b"f ? x : 0)",
    "choices": lambda n: b"(" + b"f ? x : " * n + b"x)",
    "sum": lambda n: b"x" + b" + x" * n,
    "calls": lambda n: b"exp(" * n + b"x" + b")" * n,
    "neighbours": lambda n: b"x" + b"[t+1 | 0]" * n,
    "else": lambda n: b"x[t+1 | " * n + b"0" + b"]" * n,
}


def make(case, n):
    if case in NESTED:
        return expression(NESTED[case](n))
    recipe = expression(b"x")
    return {
        "long-name": lambda: recipe.replace(b"x", b"x" * n),
        "unknown-long-name": lambda: expression(b"x" + b"y" * n),
        "long-number": lambda: expression(b"1" * n),
        "long-comment": lambda: recipe + b"#" * n,
        "statements": lambda: statements(
            [b"  a0 = x\n"] + [b"  a%d = a%d\n" % (i, i - 1)
                               for i in range(1, n)]),
        "doubling": lambda: statements(
            [b"  a0 = x\n"] + [b"  a%d = a%d + a%d\n" % (i, i - 1, i - 1)
                               for i in range(1, n)]),
        "nul": lambda: expression(b"x + \0 x"),
        "nul-in-name": lambda: expression(b"x\0x"),
        "bom": lambda: b"\xef\xbb\xbf" + recipe,
        "crlf": lambda: recipe.replace(b"\n", b"\r\n"),
        "crlf-error": lambda: expression(b"z").replace(b"\n", b"\r\n"),
        "cr": lambda: recipe.replace(b"\n", b"\r"),
        "bad-utf8": lambda: expression(b"\xff\xfe"),
        "utf8": lambda: expression("\u03b3".encode()),
        "utf8-comment": lambda: b"# \xce\xb3 \xff\n" + recipe,
        "huge": lambda: expression(b"1e999999"),
        "tiny": lambda: expression(b"1e-999999"),
        "empty": lambda: b"",
        "blank": lambda: b" \t\n\n",
        "comment": lambda: b"# nothing",
        "no-newline": lambda: recipe.rstrip(),
        "truncated": lambda: recipe[:n],
    }[case]()


if __name__ == "__main__":
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    sys.stdout.buffer.write(make(sys.argv[1], number))
