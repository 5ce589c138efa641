"""python -m rlscan doctor, rlscan.explain and rlscan.prepare."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import rlscan


def doctor(*arguments, **environment):
    return subprocess.run([sys.executable, "-m", "rlscan", "doctor", *arguments],
                          capture_output=True, text=True, env={**os.environ, **environment})


def test_doctor(device):
    done = doctor("--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    states = {name: check["state"] for name, check in found["checks"].items()}
    assert states["numpy"] == "works"
    assert "broken" not in states.values()
    if device == "cuda":
        assert states["torch, cuda"] == "works" and found["cuda"]["devices"]
    assert "gae" in found["estimators"] and found["libraries"]["bytes"] > 0


def test_doctor_in_words():
    done = doctor()
    assert done.returncode == 0
    assert "numpy: works, self-check passed" in done.stdout


def test_doctor_without_a_gpu():
    found = json.loads(doctor("--json", RLSCAN_CUDA_DRIVER="/nowhere.so").stdout)
    assert found["cuda"]["driver"] is None and "nowhere" in found["cuda"]["detail"]


def test_doctor_finds_what_is_broken(tmp_path):
    """A PyTorch that cannot be loaded."""
    (tmp_path / "torch.py").write_text("raise OSError('libtorch is gone')\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = doctor(PYTHONPATH=path)
    assert done.returncode == 1
    assert "torch, cpu: broken, OSError: libtorch is gone" in done.stdout


def test_usage():
    done = subprocess.run([sys.executable, "-m", "rlscan", "cure"], capture_output=True, text=True)
    assert done.returncode == 1 and "usage: python -m rlscan doctor [--json]" in done.stderr


def test_explain():
    x = np.zeros((40, 12), np.float32)
    found = rlscan.explain(rlscan.gae, x, x, x > 0, last_value=x[:, 0].copy())
    assert found["variant"].startswith("rlscan_gae_f32_nt_last_value_cpu")
    assert (found["layout"], found["rows"], found["steps"]) == ("nt", 40, 12)
    assert (found["launches"], found["copies"], found["reasons"]) == (1, 0, [])
    # reward, value, two results; flags; last_value.
    assert found["bytes"] == 4 * 4 * 480 + 480 + 4 * 40
    found = rlscan.explain("gae", x.T, x.T, x.T > 0, time_dim=0)
    assert found["layout"] == "nt" and "last_value" in found["reasons"][0]
    found = rlscan.explain("gae", x[::2, ::2], x[::2, ::2], x[::2, ::2] > 0, gamma=0.5)
    assert found["layout"] == "strided" and "any strides" in found["reasons"][0]
    y = np.zeros((3, 12, 5), np.float32)
    found = rlscan.explain("linear_scan_forward", y, y, time_dim=1)
    assert found["launches"] == 3 and "3 launches" in " ".join(found["reasons"])


def test_explain_mistakes():
    x = np.zeros((4, 5), np.float32)
    with pytest.raises(ValueError, match="no estimator 'gea'; there are .*discounted_return, "):
        rlscan.explain("gea", x)
    with pytest.raises(TypeError, match="gae: no input 'values'"):
        rlscan.explain("gae", x, x, x > 0, values=x)
    with pytest.raises(ValueError, match="value: dim 1"):
        rlscan.explain("gae", x, x[:, 1:], x > 0)


@pytest.mark.cuda
def test_prepare():
    rlscan.prepare(0, [rlscan.gae])
    with pytest.raises(RuntimeError, match="no GPU 99"):
        rlscan.prepare(99)
