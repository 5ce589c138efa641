"""Checks that every program that uses MLIR has it from libMLIR.so alone.

A program linked to the shared library and to a static part of MLIR starts without
complaint and then has two of everything that is registered.

usage: one_mlir.py FOLDER
"""

import pathlib
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def faults(program):
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", program))
    mlir = [name for name in needed if name.startswith("libMLIR")]
    symbols = run("nm", "-C", program)
    uses = re.search(r" U mlir::", symbols)
    defines = re.search(r" [TtVWw] mlir::MLIRContext::MLIRContext\(", symbols)
    if defines:
        yield "has a static copy of MLIR"
    if uses and len(mlir) != 1:
        yield f"needs one libMLIR, has {mlir}"
    for name in mlir:
        if not re.fullmatch(r"libMLIR\.so\.22(\.\d+)?", name):
            yield f"needs {name} instead of libMLIR.so.22"


programs = sorted(p for p in pathlib.Path(sys.argv[1]).iterdir() if p.is_file())
found = [f"{p.name}: {fault}" for p in programs for fault in faults(p)]
print("\n".join(found) or f"{len(programs)} programs")
sys.exit(bool(found))
