#!/bin/sh
# pip install of the package and of the compiler in a fresh virtual environment, the
# example of the README on NumPy's arrays, and a recipe: install.sh SOURCE FOLDER.
set -eu
source=$1
folder=$2
rm -rf "$folder"
python3 -m venv "$folder"
pip="$folder/bin/pip install -q --no-input --disable-pip-version-check"
# One level of the CPU: how all are compiled is the package's own test.
$pip numpy "$source" -Ccmake.define.RLSCAN_PYTHON_TARGETS=cpu:x86-64
$pip "$source/python/compiler"

cat >"$folder/mine.rls" <<'RECIPE'
estimator mine {
  step x
  y[t] = x + y[t-1 | 0]
  return y
}
RECIPE
cd "$folder"
unset RLSCAN_COMPILE PYTHONPATH
RLSCAN_CACHE_DIR=$folder/cache bin/python - <<'PROGRAM'
import numpy as np
import rlscan

reward = value = np.ones((2, 3), np.float32)
terminated = np.array([[False, True, False]] * 2)
advantage, target = rlscan.gae(reward, value, terminated, gamma=0.5, lam=1.0)
print("advantage", advantage[0].tolist())
mine = rlscan.load("mine.rls", targets=["cpu"], io=["f32"])
print("mine", mine(reward)[0].tolist(), rlscan.__file__.startswith(__import__("sys").prefix))
PROGRAM
bin/python -m rlscan doctor | grep numpy:
bin/rlscan-compile --list-recipes | sed -n 1p
