#!/usr/bin/env python3
"""Lines and branches that the tests reach: coverage.py BUILD.

Of the runtime and of the reader of recipes, by clang's source coverage. Their sources are
compiled once more, as BUILD/compile_commands.json says, and linked into the programs that
their tests run; the rest is BUILD's. Prints a line a folder, and the files with the most
branches that no test takes; BUILD/coverage/report.txt has them all.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

SOURCES = ("runtime/core", "runtime/cpu", "runtime/device", "runtime/cuda", "runtime/hip",
           "lib/RecipeToRecurrence")
PROGRAMS = ("host-test", "device-test", "fault-test", "scarce-test", "inflate-test", "driver-test",
            "recipe-replay", "image-replay", "rlscan-translate", "rlscan-run")
TESTS = " (runtime|unit|fuzz|RecipeToRecurrence|recipes)/| tools/rlscan-run"
FLAGS = ["-fprofile-instr-generate", "-fcoverage-mapping"]

source = pathlib.Path(__file__).resolve().parents[1]
build = pathlib.Path(sys.argv[1]).resolve()
out = build / "coverage"


def run(words, **options):
    return subprocess.run(words, check=True, **options)


def compile_sources():
    """What is instrumented, by the library that it is in."""
    libraries = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        folder = pathlib.Path(entry["file"]).parent.relative_to(source).as_posix()
        words = shlex.split(entry["command"])
        made = words[words.index("-o") + 1]
        library = re.search(r"CMakeFiles/(\w+)\.dir/", made)
        # Libraries alone: the thread sanitizer's copies are programs of the tests.
        if folder not in SOURCES or not library or not library[1].startswith("RLScan"):
            continue
        compiled = out / made.replace("/", "_")
        words[0] = "clang++-22"
        words[words.index("-o") + 1] = str(compiled)
        words = [word for word in words if word != "-Wno-maybe-uninitialized"]
        run(words + FLAGS + ["-w"], cwd=entry["directory"])
        libraries.setdefault(f"lib{library[1]}.a", []).append(str(compiled))
    # The runtime's two libraries are one for its users.
    libraries["librlscan.a"] = libraries["libRLScanRuntimeCore.a"] + libraries["libRLScanDevice.a"]
    return libraries


def link(program, libraries, tree):
    commands = run(["ninja", "-C", build, "-t", "commands", program], stdout=subprocess.PIPE,
                   text=True).stdout.splitlines()
    words = shlex.split(commands[-1].removeprefix(": && ").removesuffix(" && :"))
    words[0] = "clang++-22"
    words[words.index("-o") + 1] = str(tree / "bin" / program)
    linked = []
    for word in words:
        name = os.path.basename(word)
        if name in libraries:
            linked += [x for x in libraries[name] if x not in linked]
        else:
            linked.append(word)
    run(linked + FLAGS[:1], cwd=build)


def plant_tree():
    """BUILD again, of links; what is instrumented replaces some."""
    tree = out / "tree"
    run(["rm", "-rf", tree])
    (tree / "bin").mkdir(parents=True)
    (tree / "test").mkdir()
    for entry in build.iterdir():
        if entry.name not in ("bin", "test", "coverage"):
            (tree / entry.name).symlink_to(entry)
    for entry in (build / "bin").iterdir():
        if entry.name not in PROGRAMS:
            (tree / "bin" / entry.name).symlink_to(entry)
    site = (build / "test" / "lit.site.cfg.py").read_text()
    (tree / "test" / "lit.site.cfg.py").write_text(site.replace(str(build), str(tree)))
    return tree


def report(tree):
    profile = out / "all.profdata"
    run(["llvm-profdata-22", "merge", "--sparse", "-o", profile, *out.glob("*.profraw")])
    programs = [x for name in PROGRAMS for x in ("-object", tree / "bin" / name)]
    exported = run(["llvm-cov-22", "export", "--summary-only", f"--instr-profile={profile}",
                    *programs[1:]], stdout=subprocess.PIPE, text=True).stdout
    files = {}
    for file in json.loads(exported)["data"][0]["files"]:
        path = pathlib.Path(file["filename"]).resolve()
        if path.is_relative_to(source) and path.parent.relative_to(source).as_posix() in SOURCES:
            files[path.relative_to(source)] = file["summary"]
    lines = []
    for folder in SOURCES:
        inside = [x for path, x in files.items() if path.parent.as_posix() == folder]
        lines.append(line_of(folder, inside))
    lines.append(line_of("all", list(files.values())))
    missing = {path: x["branches"]["notcovered"] for path, x in files.items()}
    worst = sorted(files, key=lambda path: -missing[path])
    each = [line_of(path, [files[path]]) for path in worst]
    (out / "report.txt").write_text("\n".join(lines + each) + "\n")
    print("\n".join(lines + each[:10]))


def line_of(name, summaries):
    parts = []
    for kind in ("lines", "branches"):
        count = sum(x[kind]["count"] for x in summaries)
        covered = sum(x[kind]["covered"] for x in summaries)
        parts.append(f"{kind} {covered} of {count}, {100 * covered / max(count, 1):.1f} %")
    return f"{name}: " + "; ".join(parts)


out.mkdir(exist_ok=True)
tree = plant_tree()
libraries = compile_sources()
for program in PROGRAMS:
    link(program, libraries, tree)
for old in out.glob("*.profraw"):
    old.unlink()
lit = re.search(r"RLSCAN_LIT:FILEPATH=(.*)", (build / "CMakeCache.txt").read_text())[1]
subprocess.run([lit, "-sq", "--filter", TESTS, tree / "test"],
               env={**os.environ, "LLVM_PROFILE_FILE": str(out / "%4m.profraw")}, check=False)
report(tree)
