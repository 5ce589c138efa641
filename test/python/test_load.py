"""rlscan.load: a recipe of one's own, the cache, mistakes."""

import os
import pathlib
import pwd
import subprocess
import sys
import warnings

import numpy as np
import pytest

import rlscan
from rlscan import _cache, _load

RECIPE = """# Rewards to go, halved at each step.
estimator halving {
  param factor = 0.5
  step  reward                 # what is added
  step  scale = 1
  row   start = 0

  total[t] = scale * reward + factor * total[t+1 | start]

  return total
}
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    if _load.find_compiler() is None:
        pytest.skip("no rlscan-compile")
    monkeypatch.setenv("RLSCAN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(_load, "_loaded", {})
    return tmp_path / "cache"


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "halving.rls"
    path.write_text(RECIPE)
    return path


def entries(cache):
    return sorted(p.name for p in cache.iterdir())


def test_function(cache, recipe):
    halving = rlscan.load(recipe)
    assert "Rewards to go, halved" in halving.__doc__ and "reward: [N, T]" in halving.__doc__
    assert "What is added." in halving.__doc__
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(halving(x), [[1.75, 1.5, 1.0]] * 2)
    np.testing.assert_array_equal(halving(x, 2 * x, start=x[:, 0], factor=0.0), [[2.0] * 3] * 2)
    assert rlscan.load(recipe) is halving


def test_operator(cache, recipe):
    torch = pytest.importorskip("torch")
    halving = rlscan.load(recipe)
    x = torch.ones(2, 3)
    step = torch.compile(lambda x: halving(x) + 1, fullgraph=True, backend="aot_eager")
    assert step(x).tolist() == [[2.75, 2.5, 2.0]] * 2


def test_only_rows_with_lengths(cache, recipe):
    """What rows a function was compiled for is said, whatever was left out."""
    halving = rlscan.load(recipe, rows=["lengths", "packed"], present=["lengths", "cu_seqlens"])
    x = np.ones((1, 3), np.float32)
    assert halving(x, lengths=np.array([2])).tolist()[0][:2] == [1.5, 1.0]
    with pytest.raises(TypeError, match=r"no code for rows without lengths on CPUs; .*=\['full'\]"):
        halving(x)


def test_content_is_what_counts(cache, recipe):
    rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    assert len(entries(cache)) == 1
    recipe.write_text(RECIPE.replace("0.5", "0.25"))
    changed = rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    assert len(entries(cache)) == 2
    assert changed(np.ones((1, 2), np.float32)).tolist() == [[1.25, 1.0]]
    recipe.write_text(RECIPE)
    again = rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    assert len(entries(cache)) == 2
    assert again(np.ones((1, 2), np.float32)).tolist() == [[1.5, 1.0]]


def test_many_processes(cache, recipe):
    program = f"""
import numpy as np, rlscan
halving = rlscan.load({str(recipe)!r}, targets=["cpu:x86-64"], io=["f32"])
assert halving(np.ones((1, 2), np.float32)).tolist() == [[1.5, 1.0]]
"""
    processes = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(12)]
    assert [process.wait() for process in processes] == [0] * 12
    assert len(entries(cache)) == 1, "one entry, and nothing half made"


def test_what_was_left_by_a_killed_process(cache, recipe):
    cache.mkdir()
    (cache / ".making-x").mkdir()
    assert rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"]) is not None


@pytest.mark.parametrize("mode", [0o777, 0o775])
def test_others_can_write_to_the_cache(cache, recipe, mode):
    rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    planted = next(cache.iterdir()) / "librlscan_halving.so"
    planted.unlink()  # this process has it mapped
    planted.write_bytes(b"planted")
    cache.chmod(mode)
    _load._loaded.clear()
    with pytest.warns(UserWarning, match="others could write to it"):
        halving = rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    assert halving(np.ones((1, 2), np.float32)).tolist() == [[1.5, 1.0]]
    assert planted.read_bytes() == b"planted"


def test_a_cache_that_is_a_link(cache, recipe, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    cache.symlink_to(tmp_path / "elsewhere")
    with pytest.warns(UserWarning, match="or it is another's"):
        assert rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"]) is not None
    assert not entries(cache)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.touch()])
def test_a_cache_that_is_no_folder(cache, recipe, make):
    make(cache)
    with pytest.warns(UserWarning, match="there is no cache: "):
        assert rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"]) is not None


def test_a_cache_that_is_anothers(cache, recipe):
    rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    _give(cache)
    _load._loaded.clear()
    with pytest.warns(UserWarning, match="or it is another's"):
        assert rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"]) is not None


def test_cache_is_private_whatever_the_umask(cache, recipe):
    before = os.umask(0)
    try:
        rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    finally:
        os.umask(before)
    assert cache.stat().st_mode & 0o777 == 0o700
    entry = next(cache.iterdir())
    assert entry.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in entry.iterdir()} == {0o600}


def test_the_compiler_counts_by_its_content(cache, recipe, tmp_path, monkeypatch):
    def use(name, last):
        wrapper = tmp_path / name
        wrapper.write_text(f'#!/bin/sh\nexec {compiler} "$@"\n# {last}\n')
        wrapper.chmod(0o755)
        os.utime(wrapper, (0, 0))
        monkeypatch.setenv("RLSCAN_COMPILE", str(wrapper))
        _load._loaded.clear()
        rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
        return len(entries(cache))

    compiler = _load.find_compiler()
    assert use("one", "1") == 1
    assert use("elsewhere", "1") == 1
    assert use("one", "2") == 2, "another program of the same name, size and time"


def test_what_it_is_compiled_for_counts(cache, recipe):
    calls = [{}, {"io": ["f64"]}, {"present": ["none"]}, {"rows": ["lengths"]}]
    for count, options in enumerate(calls, start=1):
        rlscan.load(recipe, **{"targets": ["cpu:x86-64"], "io": ["f32"], **options})
        assert len(entries(cache)) == count


def _cut(library):
    library.write_bytes(library.read_bytes()[:-1000])


def _link(library):
    entry = library.parent
    entry.rename(entry.parent.parent / "elsewhere")
    entry.symlink_to(entry.parent.parent / "elsewhere")


def _link_to_file(library):
    library.rename(library.parent.parent.parent / "same.so")
    library.symlink_to(library.parent.parent.parent / "same.so")


def _hard_link(library):
    os.link(library, library.parent.parent.parent / "other.so")


def _pipe(file):
    """Nobody writes into it: who waits for that waits for ever."""
    file.unlink()
    os.mkfifo(file, 0o600)


def _give(path):
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(path, 12345, 12345)


def _foreign_file(library):
    _give(library)


def _foreign_entry(library):
    _give(library.parent)


@pytest.mark.parametrize("damage", [
    _cut, _link, _link_to_file, _hard_link, _pipe, _foreign_file, _foreign_entry,
    lambda library: library.write_bytes(b"planted"),
    lambda library: library.unlink(),
    lambda library: library.chmod(0o620),
    lambda library: library.parent.chmod(0o702),
    lambda library: _pipe(library.parent / "digests"),
    lambda library: (library.parent / "digests").write_text("{"),
    lambda library: (library.parent / "digests").unlink(),
    lambda library: (library.parent / "more.json").write_text("{}")])
def test_a_damaged_entry_is_made_anew(cache, recipe, damage):
    program = f"""
import numpy as np, rlscan
halving = rlscan.load({str(recipe)!r}, targets=["cpu:x86-64"], io=["f32"])
assert halving(np.ones((1, 2), np.float32)).tolist() == [[1.5, 1.0]]
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    first, = entries(cache)
    assert _cache.read_entry(cache, first) is not None
    damage(cache / first / "librlscan_halving.so")
    for _ in range(2):
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
        assert entries(cache) == [first, f"{first}-1"]


def test_where_nothing_can_be_written(recipe, monkeypatch):
    monkeypatch.setattr(_load, "_loaded", {})
    monkeypatch.setenv("RLSCAN_CACHE_DIR", "/proc/rlscan")
    with pytest.warns(UserWarning, match="there is no cache: .*/proc/rlscan"):
        halving = rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    assert halving(np.ones((1, 2), np.float32)).tolist() == [[1.5, 1.0]]


def test_a_cache_that_can_only_be_read(cache, recipe, monkeypatch):
    rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    known = entries(cache)
    monkeypatch.setattr(_cache, "can_write", lambda folder: False)
    _load._loaded.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    recipe.write_text(RECIPE.replace("0.5", "0.25"))
    with pytest.warns(UserWarning, match="cannot be written to"):
        changed = rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    assert changed(np.ones((1, 2), np.float32)).tolist() == [[1.25, 1.0]]
    assert entries(cache) == known


def test_a_recipe_that_changes_while_it_is_compiled(cache, recipe, monkeypatch):
    run = _load._run

    def run_another(*arguments):
        recipe.write_text(RECIPE.replace("0.5", "0.25"))
        run(*arguments)

    monkeypatch.setattr(_load, "_run", run_another)
    with pytest.raises(RuntimeError, match="changed while it was compiled"):
        rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    assert entries(cache) == []


def test_without_a_home(recipe, monkeypatch):
    def unknown(user):
        raise KeyError(user)

    monkeypatch.setattr(_load, "_loaded", {})
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("RLSCAN_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    with pytest.warns(UserWarning, match="there is no cache: .*home"):
        halving = rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    assert halving(np.ones((1, 2), np.float32)).tolist() == [[1.5, 1.0]]


def test_a_full_disk(cache, recipe):
    program = f"""
import resource, rlscan
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    rlscan.load({str(recipe)!r}, targets=["cpu:x86-64"], io=["f32"])
except (OSError, RuntimeError) as error:
    print("refused:", error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.startswith("refused:"), done
    assert entries(cache) == []
    assert rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"]) is not None


RECIPES = pathlib.Path(__file__).parents[2] / "recipes"


@pytest.mark.parametrize("kind, shape", [("row", (3, 1)), ("step", (3, 5))])
def test_params_that_are_arrays(cache, kind, shape):
    draw = np.random.default_rng(1)
    reward, following = draw.normal(size=(2, 3, 5)).astype(np.float32)
    ends = draw.random((3, 5)) < 0.3
    lam = draw.uniform(0.5, 1.0, size=shape).astype(np.float32)
    by_array = rlscan.load(RECIPES / "td_lambda.rls", targets=["cpu:x86-64"], io=["f32"],
                           present=["none", "lambda"], arrays={"lambda": kind})
    found = by_array(reward, following, ends, lam=lam[:, 0] if kind == "row" else lam, gamma=0.9)
    expected, ahead = np.zeros((3, 5)), np.zeros(3)
    for t in reversed(range(5)):
        weight = np.broadcast_to(lam, (3, 5))[:, t]
        ahead = reward[:, t] + 0.9 * ~ends[:, t] * ((1 - weight) * following[:, t]
                                                    + weight * ahead)
        expected[:, t] = ahead
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(by_array(reward, following, ends, gamma=0.9),
                               rlscan.td_lambda(reward, following, ends, gamma=0.9), rtol=1e-6)


def test_mistake_has_a_place(cache, tmp_path):
    path = tmp_path / "square.rls"
    path.write_text("estimator square {\n  step x\n"
                    "  y[t] = x + y[t+1 | 0] * y[t+1 | 0]\n  return y\n}\n")
    with pytest.raises(rlscan.CompileError) as error:
        rlscan.load(path)
    text = str(error.value)
    assert "square.rls:3:" in text and "^" in text and "y[t+1 | 0] * y[t+1 | 0]" in text
    assert entries(cache) == []


def test_several_estimators(cache, tmp_path):
    path = tmp_path / "two.rls"
    path.write_text(RECIPE + RECIPE.replace("halving", "other").replace("0.5", "0.0"))
    with pytest.raises(ValueError, match="expected one of the estimators halving, other, got None"):
        rlscan.load(path, targets=["cpu:x86-64"], io=["f32"])
    other = rlscan.load(path, "other", targets=["cpu:x86-64"], io=["f32"])
    assert other(np.ones((1, 2), np.float32)).tolist() == [[1.0, 1.0]]


def test_a_name_that_is_taken(cache, tmp_path):
    path = tmp_path / "gae.rls"
    path.write_text(RECIPE.replace("halving", "gae"))
    mine = rlscan.load(path, targets=["cpu:x86-64"], io=["f32"])
    assert mine.__name__ == "gae__1"
    assert rlscan.gae.__name__ == "gae" and "arXiv:1506.02438" in rlscan.gae.__doc__
    assert mine(np.ones((1, 2), np.float32)).tolist() == [[1.5, 1.0]]


def test_without_a_compiler(recipe, monkeypatch):
    monkeypatch.delenv("RLSCAN_COMPILE", raising=False)
    monkeypatch.setenv("PATH", os.devnull)
    monkeypatch.setitem(sys.modules, "rlscan_compiler", None)
    with pytest.raises(RuntimeError, match=r"pip install rlscan\[compiler\]"):
        rlscan.load(recipe)
