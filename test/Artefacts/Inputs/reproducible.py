"""Compiles recipes twice, in every way unlike but for the recipe itself, and compares
the files byte for byte.

usage: reproducible.py WORK-FOLDER TARGETS RECIPE.rls...
"""

import os
import pathlib
import shutil
import subprocess
import sys

EMITTED = "header,obj,static,shared,manifest"


def compile_in(folder, targets, recipes, *, absolute, umask, locale, zone, seconds, reverse):
    """What rlscan-compile writes for copies of the recipes in the folder, by name."""
    source, temporary = folder / "source", folder / "temporary"
    for made in (source, temporary):
        made.mkdir(parents=True)
    made = {}
    for recipe in sorted(recipes, reverse=reverse):
        copy = source / recipe.name
        shutil.copyfile(recipe, copy)
        os.utime(copy, (seconds, seconds))
        output = folder / f"made-{recipe.stem}"
        environment = {"PATH": os.environ["PATH"], "LC_ALL": locale, "TZ": zone,
                       "TMPDIR": str(temporary), "HOME": str(folder)}
        if "ASAN_OPTIONS" in os.environ:
            environment["ASAN_OPTIONS"] = os.environ["ASAN_OPTIONS"]
        subprocess.run(["rlscan-compile", str(copy) if absolute else recipe.name,
                        f"--target={targets}", f"--emit={EMITTED}", "--io=f32", "--layout=nt,tn", "--present=none",
                        "--shape=4096x128,16x65536",
                        f"--ptxas={os.environ.get('RLSCAN_PTXAS', 'none')}",
                        "-o", str(output)],
                       cwd=source, env=environment, umask=umask, check=True)
        for file in output.iterdir():
            made[file.name] = file.read_bytes()
    return made


def main():
    work, targets = pathlib.Path(sys.argv[1]), sys.argv[2]
    recipes = [pathlib.Path(path) for path in sys.argv[3:]]
    once = compile_in(work / "a", targets, recipes, absolute=False, umask=0o022,
                      locale="C", zone="UTC", seconds=10**9, reverse=False)
    again = compile_in(work / "another folder, with a longer name", targets, recipes,
                       absolute=True, umask=0o077, locale="tr_TR.UTF-8",
                       zone="Asia/Kathmandu", seconds=1.7e9, reverse=True)
    different = sorted(name for name in once.keys() | again.keys()
                       if once.get(name) != again.get(name))
    for name in different:
        print(f"FAIL: {name}")
    print(f"{len(once)} files, {len(different)} differences")
    return len(different) > 0


if __name__ == "__main__":
    sys.exit(main())
