"""Prints what the compiler made of a module for a device, as the IR of its
`gpu.binary` has it: binary.py < MODULE.mlir."""

import re
import sys


def binary_of(module):
    """The bytes of its one object: PTX, or a code object."""
    literal = re.search(r'(?:assembly|bin) = "((?:[^"\\]|\\.)*)"', module)
    if not literal:
        raise SystemExit("the module has no binary")
    return re.sub(rb"\\([0-9A-Fa-f]{2}|.)", unescape, literal[1].encode())


def unescape(match):
    code = match[1]
    return bytes([int(code, 16)]) if len(code) == 2 else code


if __name__ == "__main__":
    sys.stdout.buffer.write(binary_of(sys.stdin.read()))
