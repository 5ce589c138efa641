"""Programs of every version of the C interface, with today's runtime: those of this
version give the bits that they gave then, others a message with both versions. The
header of this version has all that it had when it was frozen.

usage: frozen.py FROZEN-FOLDER RUNTIME.h RUNTIME.a FAKE-DRIVER.so WORK-FOLDER
A folder VERSION has what rlscan-compile made then (the library, its header, the
recipe), the runtime's header, and expected.txt, what the program printed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys


def run(folder, client, runtime, driver, work):
    """What the program prints, compiled with the headers of the folder alone."""
    program = work / f"client-{folder.name}"
    compiled = program.with_suffix(".o")
    headers = work / f"headers-{folder.name}"
    (headers / "rlscan").mkdir(parents=True)
    shutil.copyfile(folder / "runtime.h", headers / "rlscan" / "runtime.h")
    subprocess.run(["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror",
                    f"-I{folder}", f"-I{headers}", "-c", str(client), "-o", str(compiled)], check=True)
    subprocess.run(["c++", str(compiled), str(folder / "librlscan_gae.a"), str(runtime),
                    "-lm", "-o", str(program)], check=True)
    environment = {**os.environ, "RLSCAN_CUDA_DRIVER": str(driver)}
    return subprocess.run([program], env=environment, capture_output=True, text=True,
                          check=False).stdout


def declarations(path):
    """What a header declares and defines, member by member, without its comments."""
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.DOTALL)
    macros = {" ".join(line.split()) for line in re.sub(r"\\\n", " ", text).splitlines()
              if line.startswith("#define") and "RLSCAN_VERSION" not in line}
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    # An enumeration may have more members than it had, a struct may not.
    lists = re.compile(r"enum\s*(\w*)\s*\{([^}]*)\}")
    members = {f"enum {name}: {' '.join(member.split())}" for name, body in lists.findall(text)
               for member in body.split(",") if member.strip()}
    text = lists.sub("enum ", text)
    parts = re.split(r"[;}](?=\s*\n(?:\S|\s*\n))", text)
    return macros | members | {" ".join(part.split()) for part in parts if part.strip()}


def lost(folder, header):
    """What the version's header had that today's has not, or otherwise."""
    return sorted(declarations(folder / "runtime.h") - declarations(header))


def main():
    frozen, header, runtime, driver, work = map(pathlib.Path, sys.argv[1:6])
    today = int(re.search(r"RLSCAN_ABI_VERSION (\d+)", header.read_text())[1])
    folders = sorted(path for path in frozen.iterdir() if path.is_dir())
    failures = 0
    for folder in folders:
        version = int(folder.name)
        expected = (folder / "expected.txt").read_text()
        if version != today:
            expected = (f"launch: 9 rlscan_gae was compiled for version {version} of the "
                        f"interface, the runtime has {today}: compile it again with this "
                        "version's rlscan-compile\n")
        printed = run(folder, frozen / "client.c", runtime, driver, work)
        if printed != expected:
            print(f"FAIL: version {version}: expected\n{expected}got\n{printed}")
            failures += 1
        gone = lost(folder, header) if version == today else []
        for text in gone:
            print(f"FAIL: version {version} had: {text}")
        failures += bool(gone)
    is_frozen = any(int(folder.name) == today for folder in folders)
    if not is_frozen:
        print(f"FAIL: nothing is frozen of version {today}")
    print(f"{len(folders)} versions, {failures + (not is_frozen)} failures")
    return failures > 0 or not is_frozen


if __name__ == "__main__":
    sys.exit(main())
