"""Compiles recipes to code objects for AMD's chips, in both widths of storage and
with schedules of all kinds, and reads what came out: no kernel may keep registers in
memory or need more than there are, and accesses are as wide as the schedule allows.

usage: compile-amd.py [--brief] [--table] RECIPE...
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

# By threads of a subgroup.
CHIPS = {64: ("gfx90a", "gfx942"), 32: ("gfx1100", "gfx1201")}


def schedules(lanes):
    """By what is contiguous. Looking back with 8 steps a thread, Retrace needs more than
    the 256 registers that a thread of a subgroup of 32 has."""
    looking = lanes // 8
    return {
        "steps": ("v4_l8_g1_r16_once_a4", f"v4_l{lanes}_g1_r4_loop_a4",
                  f"v4_l{lanes}_g4_r1_once_a4", f"v8_l{lanes}_g4_r1_loop_a8_m2",
                  f"v{looking}_l{lanes}_g4_r1_look_back_a{looking}", f"v{64 // lanes}_l{lanes}_g4_r1_loop_a{64 // lanes}_e18"),
        "rows": ("v8_l1_g8_r32_loop_a1", "v4_l1_g8_r32_look_back_a1"),
    }


def registers_of(chip, words):
    """How many a thread may have so that as many workgroups as the schedule wants are
    on a multiprocessor, whose four register files serve a quarter of their subgroups."""
    lanes = next(lanes for lanes, chips in CHIPS.items() if chip in chips)
    resident = re.search(r"_m(\d+)", words)
    subgroups = int(resident[1] if resident else 1) * -(-threads(words) // lanes)
    file, most = (512, 512) if lanes == 64 else (1536, 256)
    return min(most, file // -(-subgroups // 4))


def metadata(path):
    """{kernel: {field: number}} of the code object's notes."""
    notes = run("llvm-readelf", "--notes", path)
    fields = ("private_segment_fixed_size", "sgpr_spill_count", "vgpr_spill_count", "vgpr_count",
              "wavefront_size")
    kernels = {}
    for part in notes.split("    .group_segment_fixed_size:")[1:]:
        name = re.search(r"\.name: +(\w+)", part)[1]
        kernels[name] = {field: int(re.search(rf"\.{field}: +(\d+)", part)[1])
                         for field in fields}
    return kernels


def wide_loads(path):
    """{kernel: its loads of 16 bytes}."""
    found, name = {}, None
    for line in run("llvm-objdump", "-d", path).splitlines():
        if label := re.match(r"[0-9a-f]+ <(\w+)>:", line):
            name = label[1]
            found[name] = 0
        elif re.search(r"global_load_(dwordx4|b128)", line):
            found[name] += 1
    return found


def judge(case, chip, entry, fields, wide):
    """What is wrong with a kernel, or nothing."""
    words = entry[len(case.recipe) + 1:]
    memory = [f"{field} {fields[field]}" for field in
              ("private_segment_fixed_size", "vgpr_spill_count") if fields[field]]
    most = registers_of(chip, words)
    bytes_moved = int(re.search(r"_a(\d+)", words)[1]) * (4 if case.storage == "f32" else 2)
    if memory:
        return ", ".join(memory)
    if fields["vgpr_count"] > most:
        return f"more than {most} registers"
    if bytes_moved >= 16 and not wide:
        return "no load of 16 bytes"
    if chip not in CHIPS[fields["wavefront_size"]]:
        return f"compiled for subgroups of {fields['wavefront_size']}"
    return ""


def compile_case(case, lanes, folder):
    lines = []
    module = case.lower(vendor="amd", subgroup_size=lanes, shared_bytes=65536,
                        async_copies="false")
    for chip in CHIPS[lanes]:
        with tempfile.NamedTemporaryFile(suffix=".hsaco", dir=folder) as file:
            file.write(binary_of(
                run("rlscan-opt", "-", f"--rlscan-to-hsaco=chip={chip}", text=module)))
            file.flush()
            kernels, loads = metadata(file.name), wide_loads(file.name)
        if sorted(kernels) != sorted(case.entries()):
            raise RuntimeError(f"expected the kernels {case.entries()}, got {list(kernels)}")
        for entry, fields in kernels.items():
            # What is one for the whole subgroup may go to lanes of other registers.
            lines.append((f"{chip} {case.storage} {entry}: {fields['vgpr_count']} registers, "
                          f"{fields['sgpr_spill_count']} scalars moved, "
                          f"{loads[entry]} wide loads",
                          judge(case, chip, entry, fields, loads[entry])))
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("recipes", type=pathlib.Path, nargs="+")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    cases = {case: lanes for lanes in CHIPS
             for case in all_cases(options.recipes, schedules(lanes), options.brief)}
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(report(cases, lambda case: compile_case(case, cases[case], folder),
                        sum(CHIPS.values(), ()), options.table))


main()
