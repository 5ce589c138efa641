"""The layouts that python/src declares are those of PyTorch's and XLA's headers."""

import pathlib
import subprocess

import pytest


def test_same_layouts(tmp_path):
    torch = pytest.importorskip("torch")
    jax = pytest.importorskip("jax")
    source = pathlib.Path(__file__).parents[2]
    folders = [pathlib.Path(torch.__file__).parent / "include", jax.ffi.include_dir(),
               source / "python" / "src", source / "runtime" / "include"]
    done = subprocess.run(
        ["c++", "-std=c++20", "-Wno-invalid-offsetof", *(f"-I{folder}" for folder in folders),
         "-c", str(pathlib.Path(__file__).parent / "Inputs" / "same-layouts.cpp"),
         "-o", str(tmp_path / "same.o")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_core_needs_no_array_library():
    """Neither PyTorch, JAX, LLVM nor CUDA: one module for all of their versions."""
    import rlscan
    core = pathlib.Path(rlscan.__file__).parent / "_core.abi3.so"
    needed = subprocess.run(["readelf", "-d", str(core)], capture_output=True, text=True).stdout
    names = [line.split("[")[1].rstrip("]") for line in needed.splitlines() if "(NEEDED)" in line]
    assert {name.split(".so")[0] for name in names} <= {
        "librlscan", "libstdc++", "libm", "libgcc_s", "libc", "ld-linux-x86-64"}
    undefined = subprocess.run(["nm", "-D", "--undefined-only", str(core)], capture_output=True,
                               text=True).stdout
    assert "PyObject_" in undefined
    for word in ("c10", "aoti", "torch", "XLA", "llvm", " cu"):
        assert word not in undefined
