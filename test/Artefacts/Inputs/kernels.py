"""Checks the kernels of manifests: kernels.py FOLDER"""

import json
import pathlib
import sys

WIDEST = {"f32": 4, "f64": 2}
faults = variants = 0
manifests = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
for path in manifests:
    for variant in json.loads(path.read_text())["variants"]:
        variants += 1
        kernels = variant["kernels"]
        names = [kernel["name"] for kernel in kernels]
        takes_all = any(k["chain"] == "loop" and k["access"] == 1 for k in kernels)
        widest = WIDEST[variant["computed_in"]] if variant["layout"] == "nt" else 1
        is_wide = max(k["access"] for k in kernels) == widest
        if not takes_all or not is_wide or len(set(names)) < len(names):
            print(f"{variant['name']}: {takes_all} {is_wide} {names}")
            faults += 1
print(f"{len(manifests)} estimators, {variants} variants, {faults} faults")
sys.exit(faults != 0)
