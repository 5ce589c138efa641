"""Compiles recipes for NVIDIA's chips, in both widths of storage and with
schedules of all kinds, and has ptxas, where there is one, assemble what comes out:
no kernel may need more registers than there are.

usage: compile-nvidia.py [--brief] [--ptxas=PATH] [--table] RECIPE...
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
from binary import binary_of  # noqa: E402
from cases import all_cases, report, run, threads  # noqa: E402

CHIPS = ("sm_80", "sm_90", "sm_100", "sm_120")
# By what is contiguous.
SCHEDULES = {
    "steps": ("v4_l8_g1_r16_once_a4", "v4_l32_g1_r4_loop_a4", "v4_l32_g4_r1_once_a4",
              "v8_l32_g8_r1_loop_a8", "v8_l32_g8_r1_look_back_a8",
              "v2_l32_g4_r1_loop_a2_e18"),
    "rows": ("v8_l1_g8_r32_loop_a1", "v4_l1_g8_r32_look_back_a1"),
}
REGISTERS = 65536  # of a multiprocessor; a warp has them by 8 for each thread
# Left to itself, ptxas would rather keep a few values in memory than have one
# workgroup less at a time. That much is its choice, unless it is told not to.
CHOSEN_SPILL = 128


def assemble(ptxas, chip, text, folder):
    """{entry: (registers, bytes spilled)}; nothing where ptxas is older than the chip."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx", dir=folder) as file:
        file.write(text)
        file.flush()
        try:
            said = run(ptxas, "-v", "-arch", chip, file.name, "-o", "/dev/null")
        except RuntimeError as error:
            if re.search(r"not defined for option 'gpu-name'|Unsupported \.version", str(error)):
                return {}
            raise
    kernels = {}
    for part in said.split("Compiling entry function '")[1:]:
        registers = int(re.search(r"Used (\d+) registers", part)[1])
        kernels[part.split("'")[0]] = registers, sum(map(int, re.findall(r"(\d+) bytes spill", part)))
    return kernels


def without_choice(text):
    """The PTX that schedules with the word m1 have."""
    return re.sub(r"^(\.maxntid .*)$", r"\1\n.minnctapersm 1", text, flags=re.MULTILINE)


def judge(kernels, free):
    """What the table says of each, and what is wrong with it if anything is."""
    for entry, (registers, spilled) in kernels.items():
        count = threads(entry)
        needed = -(-registers // 8) * 8 * count
        fault = ""
        if needed > REGISTERS:
            fault = f"{count} threads do not fit"
        elif spilled > CHOSEN_SPILL or free.get(entry, (0, 0))[1]:
            fault = "too many bytes spilled"
        yield f"{entry}: {registers} registers, {spilled} bytes spilled", fault


def ptx_of(case, module, chip):
    text = binary_of(run("rlscan-opt", "-", f"--rlscan-to-ptx=chip={chip}", text=module)).decode()
    entries = re.findall(r"\.entry (\w+)\(", text)
    if sorted(entries) != sorted(case.entries()):
        raise RuntimeError(f"expected the entries {case.entries()}, got {entries}")
    return text


def compile_case(case, ptxas, folder):
    lines = []
    module = case.lower()
    for chip in CHIPS:
        text = ptx_of(case, module, chip)
        kernels = assemble(ptxas, chip, text, folder) if ptxas else {}
        spills = any(spilled for _, spilled in kernels.values())
        free = assemble(ptxas, chip, without_choice(text), folder) if spills else {}
        lines += [(f"{chip} {case.storage} {said}", fault)
                  for said, fault in judge(kernels, free)]
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recipes", type=pathlib.Path, nargs="+")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--ptxas")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(report(all_cases(options.recipes, SCHEDULES, options.brief),
                        lambda case: compile_case(case, options.ptxas, folder), CHIPS,
                        options.table))


main()
