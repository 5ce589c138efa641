"""The examples of README.md and docs/python.md run."""

import os
import pathlib
import re

import pytest

SOURCE = pathlib.Path(__file__).parents[2]


def blocks(file):
    return re.findall(r"^```python\n(.*?)^```", (SOURCE / file).read_text(), re.S | re.M)


def test_guide(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    pytest.importorskip("jax")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RLSCAN_CACHE_DIR", str(tmp_path / "cache"))
    if "RLSCAN_COMPILE" not in os.environ:
        pytest.skip("no rlscan-compile")
    scope = {}
    for block in blocks("docs/python.md"):
        exec(block, scope)
    assert scope["advantage"].shape == (4096, 128)


def test_readme():
    pytest.importorskip("torch")
    scope = {}
    found = [block for block in blocks("README.md") if "rlscan.gae" in block]
    assert len(found) == 1 and len(found[0].strip().splitlines()) == 6
    exec(found[0], scope)
    assert scope["advantage"].shape == scope["target"].shape
