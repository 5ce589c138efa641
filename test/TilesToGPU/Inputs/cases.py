"""Recipes in both widths of storage and both layouts, compiled for a device."""

import concurrent.futures
import os
import re
import subprocess

STORAGES = ("f32", "bf16")


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

    def __init__(self, recipe, scans, storage, layout, words):
        self.recipe, self.scans, self.storage, self.layout = recipe, scans, storage, layout
        self.words = words

    def __str__(self):
        return f"{self.recipe} {self.storage} {self.layout}"

    def entries(self):
        return [f"{self.recipe}_{words}" for words in self.words]

    def lower(self, **target):
        """The functions of a device whose traits are options of rlscan-to-gpu."""
        traits = " ".join(f"{name.replace('_', '-')}={value}" for name, value in target.items())
        return run(
            "rlscan-opt", "-",
            f"--rlscan-to-sweeps=bindings={bindings(self.scans, self.storage, self.layout)}",
            f"--rlscan-to-tiles=schedules={','.join(self.words)}", f"--rlscan-to-gpu={traits}",
            text=self.scans)


def all_cases(recipes, schedules, is_brief=False):
    """`schedules` has a layout's. A brief list has f32 and one loop of 4 steps a thread,
    which every recipe can have: kernels of several sweeps do not look back, and 8 steps of
    some do not fit the registers."""
    storages = STORAGES[:1] if is_brief else STORAGES
    if is_brief:
        schedules = {layout: [next("v4" + word[2:] for word in words if "_loop_" in word)]
                     for layout, words in schedules.items()}
    cases = []
    for recipe in recipes:
        level1 = run("rlscan-translate", "--import-recipe", str(recipe))
        scans = run("rlscan-opt", "-", "--rlscan-to-scans", text=level1)
        cases += [Case(recipe.stem, scans, storage, layout, words)
                  for storage in storages for layout, words in schedules.items()]
    return cases


def threads(words):
    lanes, groups, rows = map(int, re.search(r"_l(\d+)_g(\d+)_r(\d+)_", words).groups())
    return lanes * groups * rows


def report(cases, compile_case, chips, table):
    """Compiles all side by side and prints what was found; whether that is a fault.
    `compile_case` gives (what, fault or nothing) for each kernel and chip."""
    def guarded(case):
        try:
            return compile_case(case)
        except RuntimeError as error:
            return [(str(case), str(error))]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        lines = sum(pool.map(guarded, cases), [])
    faults = [line for line in lines if line[1]]
    for what, fault in lines if faults or table else ():
        print(what, f"    <-- {fault}" if fault else "")
    kernels = sum(len(case.words) for case in cases)
    print(f"{kernels} kernels for {len(chips)} chips, {len(lines)} assembled, {len(faults)} faults")
    return bool(faults)
