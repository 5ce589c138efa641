"""Prints the PTX of a module after rlscan-to-ptx: ptx.py < MODULE.mlir."""

import re
import sys


def ptx_of(module):
    """The text of its `gpu.binary`, which the IR has as a string literal."""
    literal = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', module)
    if not literal:
        raise SystemExit("the module has no PTX")
    return re.sub(r"\\([0-9A-Fa-f]{2}|.)", unescape, literal[1])


def unescape(match):
    code = match[1]
    return chr(int(code, 16)) if len(code) == 2 else code


if __name__ == "__main__":
    print(ptx_of(sys.stdin.read()))
