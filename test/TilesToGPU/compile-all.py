"""Compiles every recipe for NVIDIA's chips, in both widths of storage and with
schedules of all kinds, and has ptxas, where there is one, assemble what comes out:
no kernel may need more registers than there are.

usage: compile-all.py RECIPE-FOLDER [--ptxas=PATH] [--table]
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
from ptx import ptx_of  # noqa: E402

CHIPS = ("sm_80", "sm_90", "sm_100", "sm_120")
STORAGES = ("f32", "bf16")
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


def run(*command, text=None):
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)}:\n{result.stderr}")
    return result.stdout + result.stderr


def arguments(scans, attribute):
    """(type, name, kind) of an estimator's inputs, or (type, name, '') of its results."""
    pattern = (r"(!rlscan\.along<[^>]*>|\w+) \{rlscan\." + attribute +
               r" = #rlscan\." + attribute + r'<"(\w+)"(?:, (\w+))?')
    return re.findall(pattern, scans)


def bindings(scans, storage, layout):
    """Every input is there, reals are stored in `storage`, flags in bytes."""
    stored = {"f32": storage, "i1": "i8", "index": "i32"}
    found = []
    for kind, name, rank in arguments(scans, "input"):
        if rank == "param":
            continue
        along = kind.startswith("!rlscan.along")
        where = "rows" if rank == "row" else "strided" if along else layout
        found.append(f"{name}:{stored.get(kind, storage)}:{where}")
    for kind, name, _ in arguments(scans, "output"):
        found.append(f"{name}:{stored[kind]}:{layout}")
    return ",".join(found)


class Case:
    """One recipe, storage and layout, with all schedules in one module."""

    def __init__(self, recipe, scans, storage, layout):
        self.recipe, self.scans, self.storage, self.layout = recipe, scans, storage, layout
        self.words = SCHEDULES[layout]

    def lower(self):
        self.module = run(
            "rlscan-opt", "-",
            f"--rlscan-to-sweeps=bindings={bindings(self.scans, self.storage, self.layout)}",
            f"--rlscan-to-tiles=schedules={','.join(self.words)}", "--rlscan-to-gpu",
            text=self.scans)

    def ptx(self, chip):
        text = ptx_of(run("rlscan-opt", "-", f"--rlscan-to-ptx=chip={chip}", text=self.module))
        entries = re.findall(r"\.entry (\w+)\(", text)
        wanted = [f"{self.recipe}_{words}" for words in self.words]
        if sorted(entries) != sorted(wanted):
            raise RuntimeError(f"expected the entries {wanted}, got {entries}")
        return text


def threads(words):
    lanes, groups, rows = map(int, re.search(r"_l(\d+)_g(\d+)_r(\d+)_", words).groups())
    each = re.search(r"_q(\d+)$", words)
    return lanes * groups * rows // int(each[1] if each else 1)


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


def compile_case(case, ptxas, folder):
    lines = []
    try:
        case.lower()
        for chip in CHIPS:
            text = case.ptx(chip)
            kernels = assemble(ptxas, chip, text, folder) if ptxas else {}
            spills = any(spilled for _, spilled in kernels.values())
            free = assemble(ptxas, chip, without_choice(text), folder) if spills else {}
            lines += [(f"{chip} {case.storage} {said}", fault)
                      for said, fault in judge(kernels, free)]
    except RuntimeError as error:
        lines.append((f"{case.recipe} {case.storage} {case.layout}", str(error)))
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recipes", type=pathlib.Path)
    parser.add_argument("--ptxas")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    cases = []
    for recipe in sorted(options.recipes.glob("*.rls")):
        level1 = run("rlscan-translate", "--import-recipe", str(recipe))
        scans = run("rlscan-opt", "-", "--rlscan-to-scans", text=level1)
        cases += [Case(recipe.stem, scans, storage, layout)
                  for storage in STORAGES for layout in SCHEDULES]
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        lines = sum(pool.map(lambda case: compile_case(case, options.ptxas, folder), cases), [])
    faults = [line for line in lines if line[1]]
    for what, fault in lines if faults or options.table else ():
        print(what, f"    <-- {fault}" if fault else "")
    kernels = sum(len(case.words) for case in cases)
    print(f"{kernels} kernels for {len(CHIPS)} chips, {len(lines)} assembled, {len(faults)} faults")
    sys.exit(bool(faults))


main()
