"""Programs of every version of the C interface, with today's runtime: those of this
version give the bits that they gave then, others a message with both versions.

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
    is_frozen = any(int(folder.name) == today for folder in folders)
    if not is_frozen:
        print(f"FAIL: nothing is frozen of version {today}")
    print(f"{len(folders)} versions, {failures + (not is_frozen)} failures")
    return failures > 0 or not is_frozen


if __name__ == "__main__":
    sys.exit(main())
