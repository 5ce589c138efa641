"""The structs of calls as compilers of C and C++ and as ctypes see them: where each
member is, how large, and the bytes of a struct whose members were set one by one.

usage: layouts.py INCLUDE-FOLDER HEADER-FOLDER 'COMPILER OPTIONS'...
HEADER-FOLDER has the headers of estimators and their manifests.
"""

import ctypes
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).parents[2] / "Artefacts" / "Inputs"))
import libraries  # noqa: E402

PROLOGUE = """#include <stddef.h>
#include <stdio.h>
#include <string.h>
static unsigned long long sum;
static void add(const void *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i)
    sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}
#define SET(member, value)                                                     \\
  printf(#member " %d %d\\n", (int)((char *)&args.member - (char *)&args),      \\
         (int)sizeof args.member);                                             \\
  memset(&args.member, value, sizeof args.member);
"""


def program(manifests):
    lines = [f'#include "{manifest["symbol"]}.h"' for manifest in manifests] + [PROLOGUE]
    for manifest in manifests:
        symbol = manifest["symbol"]
        lines += [f"static void echo_{symbol}(void) {{", f"  {symbol}_args args;",
                  f"  {symbol}_args start = {symbol.upper()}_ARGS_INIT;",
                  "  memset(&args, 0, sizeof args);"]
        names = [name for name, _ in libraries.struct_of(manifest)._fields_]
        lines += [f"  SET({name}, {i % 255 + 1})" for i, name in enumerate(names)]
        lines += ["  sum = 0;", "  add(&args, sizeof args);",
                  f'  printf("{symbol} %d %d %llu\\n", (int)sizeof args, (int)start.size, sum);', "}"]
    calls = "".join(f"  echo_{manifest['symbol']}();\n" for manifest in manifests)
    return "\n".join(lines) + f"\nint main(void) {{\n{calls}  return 0;\n}}\n"


def seen_by_ctypes(manifests):
    text = ""
    for manifest in manifests:
        struct = libraries.struct_of(manifest)
        args = struct()
        for i, (name, kind) in enumerate(struct._fields_):
            member = getattr(struct, name)
            text += f"{name} {member.offset} {ctypes.sizeof(kind)}\n"
            ctypes.memset(ctypes.addressof(args) + member.offset, i % 255 + 1, ctypes.sizeof(kind))
        total = 0
        for byte in bytes(args):
            total = (total ^ byte) * 0x100000001b3 % 2 ** 64
        size = ctypes.sizeof(struct)
        text += f"{manifest['symbol']} {size} {size} {total}\n"
    return text


def seen_by(compiler, source, include, headers):
    program = headers / "echo"
    language = "c++" if "c++" in compiler else "c"
    subprocess.run([*compiler.split(), "-pedantic", "-Wall", "-Wextra", "-Werror", f"-I{include}", f"-I{headers}",
                    "-x", language, str(source), "-o", str(program)], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def main():
    include, headers, compilers = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    manifests = [json.loads(path.read_text()) for path in sorted(headers.glob("*.json"))]
    source = headers / "echo.c"
    source.write_text(program(manifests))
    expected = seen_by_ctypes(manifests)
    for compiler in compilers:
        seen = seen_by(compiler, source, include, headers)
        members = sum(len(line.split()) == 3 for line in seen.splitlines())
        print(f"{compiler}: {len(manifests)} structs, {members} members:",
              "alike" if seen == expected else "others")
        for got, wanted in zip(seen.splitlines(), expected.splitlines()):
            if got != wanted:
                print(f"  {got}, ctypes has {wanted}")


main()
