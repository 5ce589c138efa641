"""Builds the example with find_package(rlscan), twice, and once more after its recipe
has changed.

usage: package.py INSTALLED EXAMPLE WORK
"""

import pathlib
import subprocess
import sys

installed, example, work = map(pathlib.Path, sys.argv[1:])


def run(*command):
    result = subprocess.run([str(word) for word in command], text=True,
                            capture_output=True, check=False)
    if result.returncode:
        sys.exit(f"{command}:\n{result.stdout}{result.stderr}")
    return result.stdout


def build():
    return run("cmake", "--build", work / "build")


# The example with a recipe of its own instead of the built-in one, and fewer variants.
source = work / "source"
source.mkdir(parents=True)
text = (example / "CMakeLists.txt").read_text()
text = text.replace("@gae", "gae.rls").replace("TARGETS cpu",
                                               "TARGETS cpu:x86-64 LAYOUTS tn PRESENT last_value")
(source / "CMakeLists.txt").write_text(text)
(source / "main.c").write_text((example / "main.c").read_text())
recipe = source / "gae.rls"
recipe.write_text((work.parent / "gae.rls").read_text())
run("cmake", "-G", "Ninja", "-S", source, "-B", work / "build",
    f"-DCMAKE_PREFIX_PATH={installed}")
build()
print(run(work / "build" / "trainer"), end="")
print("again:", "nothing to do" if "no work to do" in build() else "made anew")
recipe.write_text(recipe.read_text() + "\n# changed\n")
log = build()
print("changed:", "compiled," * ("Compiling the estimators" in log),
      "linked" * ("Linking" in log))
