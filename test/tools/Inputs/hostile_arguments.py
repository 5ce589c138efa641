"""100,000 brackets, and other words that nobody would write, as each option and file
of the tools: refused with a message, within 10 s.

usage: hostile_arguments.py RECIPE WORK
"""

import pathlib
import subprocess
import sys

recipe, work = sys.argv[1], pathlib.Path(sys.argv[2])
work.mkdir(parents=True, exist_ok=True)
WORDS = ["[" * 100000, "(" * 100000, "{" * 100000, "v1_" * 30000, "f32," * 30000 + "x",
         "9" * 100000, "-" * 100000, "\n" * 100000, "=:+" * 30000, "%s" * 1000]
OPTIONS = {
    "rlscan-run": ["schedule", "target", "dtype", "layout", "param", "inputs", "input"],
    "rlscan-compile": ["target", "io", "layout", "present", "rows", "shape", "schedule", "emit",
                       "prefix"],
}
# A call that a schedule is for, and that is compiled soon.
USUAL = {"rlscan-run": [], "rlscan-compile": ["--target=cuda:ptx", "--io=f32", "--layout=nt",
                                              "--present=none", "-o"]}

runs = failures = 0


def check(command, what):
    global runs, failures
    runs += 1
    try:
        done = subprocess.run(command, capture_output=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        done = None
    if done and done.returncode in (1, 2) and done.stderr:
        return
    failures += 1
    print(f"FAIL: {command[0]} {what}: {done and done.returncode}")


for program, options in OPTIONS.items():
    for option in options:
        for word in WORDS:
            usual = [other for other in USUAL[program] if not other.startswith(f"--{option}=")]
            usual += [str(work / "out")] * ("-o" in usual)
            check([program, recipe, *usual, f"--{option}={word}"], f"--{option}={word[:6]}...")
for word in WORDS:
    for name in ("hostile.rls", "hostile.npz", "hostile.npy"):
        (work / name).write_text(word)
    check(["rlscan-run", str(work / "hostile.rls")], f"{word[:6]}... as a recipe")
    check(["rlscan-compile", str(work / "hostile.rls"), "-o", str(work / "out")],
          f"{word[:6]}... as a recipe")
    check(["rlscan-run", recipe, f"--inputs={work / 'hostile.npz'}"], f"{word[:6]}... as arrays")
    check(["rlscan-run", recipe, f"--input=reward={work / 'hostile.npy'}"],
          f"{word[:6]}... as an array")
    # As the header of an array, which is Python's text.
    header = (word.strip() or "x")[:60000].encode() + b"\n"
    (work / "header.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
                                      + header)
    check(["rlscan-run", recipe, f"--input=reward={work / 'header.npy'}"],
          f"{word[:6]}... as a header")
print(f"{runs} runs, {failures} failures")
sys.exit(failures != 0)
