"""The cache of rlscan.load: what is looked at is what is loaded; what entries are called by;
processes that are killed."""

import errno
import os
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
from test_load import RECIPE, cache, entries, recipe  # noqa: F401 fixtures

import rlscan
from rlscan import _cache, _load

FOR = {"targets": ["cpu:x86-64"], "io": ["f32"]}


def result_of(function):
    return function(np.ones((1, 2), np.float32)).tolist()


@pytest.fixture
def other(cache, recipe, tmp_path):  # noqa: F811
    """A library with the same name that gives twice as much."""
    path = tmp_path / "elsewhere" / "halving.rls"
    path.parent.mkdir()
    path.write_text(RECIPE.replace("= scale", "= 2 * scale"))
    assert result_of(rlscan.load(path, **FOR)) == [[3.0, 2.0]]
    entry, = entries(cache)
    library = tmp_path / "other.so"
    library.write_bytes((cache / entry / "librlscan_halving.so").read_bytes())
    shutil.rmtree(cache / entry)
    return library


def put(library, entry, how):
    """Another library in the place of an entry's."""
    if how == "over it":
        (entry / "librlscan_halving.so").write_bytes(library.read_bytes())
    elif how == "for it":
        shutil.copyfile(library, entry.parent / "new.so")
        os.replace(entry.parent / "new.so", entry / "librlscan_halving.so")
    else:
        entry.rename(entry.parent / "old")
        shutil.copytree(entry.parent / "old", entry)
        (entry / "librlscan_halving.so").write_bytes(library.read_bytes())


@pytest.mark.parametrize("how", ["over it", "for it", "with its folder"])
def test_swapped_after_it_was_looked_at(cache, recipe, other, monkeypatch, how):  # noqa: F811
    read = _cache.read_entry

    def read_and_swap(folder, name):
        files = read(folder, name)
        put(other, folder / name, how)
        return files

    monkeypatch.setattr(_cache, "read_entry", read_and_swap)
    assert result_of(rlscan.load(recipe, **FOR)) == [[1.5, 1.0]]


def test_swapped_by_a_thread(cache, recipe, other):  # noqa: F811
    """Whenever it is: an entry is read as it was written, or not at all."""
    rlscan.load(recipe, **FOR)
    entry, = entries(cache)
    library, bad = cache / entry / "librlscan_halving.so", other.read_bytes()
    good, done = library.read_bytes(), threading.Event()

    def swap():
        while not done.is_set():
            for data in (bad, good):
                (cache / "new.so").write_bytes(data)
                (cache / "new.so").chmod(0o600)
                os.replace(cache / "new.so", library)

    thread = threading.Thread(target=swap)
    thread.start()
    found = [_cache.read_entry(cache, entry) for _ in range(400)]
    done.set()
    thread.join()
    whole = [files for files in found if files]
    assert all(files["librlscan_halving.so"] == good for files in whole)
    assert 0 < len(whole) < len(found), "the thread was never in the way, or always"


def test_a_loaded_library_cannot_be_changed(cache, recipe):  # noqa: F811
    descriptor = _cache._in_memory("some", b"bytes")
    for change in (lambda: os.pwrite(descriptor, b"B", 0), lambda: os.ftruncate(descriptor, 1),
                   lambda: os.ftruncate(descriptor, 9)):
        with pytest.raises(PermissionError):
            change()
    os.close(descriptor)


def test_libraries_of_one_descriptor(tmp_path, cache, recipe):  # noqa: F811
    """Who closes all descriptors, as daemons do, has the next library in the same one."""
    program = f"""
import os, pathlib, numpy as np, rlscan
recipe = pathlib.Path({str(recipe)!r})
text = recipe.read_text()
for factor in (1, 2, 3):
    recipe.write_text(text.replace("= scale", f"= {{factor}} * scale"))
    halving = rlscan.load(recipe, targets=["cpu:x86-64"], io=["f32"])
    assert halving(np.ones((1, 2), np.float32))[0, 1] == factor
    os.closerange(3, 100)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("refuse", [errno.ENOSYS, errno.EACCES])
def test_without_files_in_memory(cache, recipe, monkeypatch, refuse):  # noqa: F811
    def refused(*arguments):
        raise OSError(refuse, "refused")

    monkeypatch.setattr(os, "memfd_create", refused)
    assert result_of(rlscan.load(recipe, **FOR)) == [[1.5, 1.0]]


@pytest.mark.parametrize("why", [errno.EBUSY, errno.ESTALE, errno.ENOTEMPTY])
def test_another_process_is_first(cache, recipe, monkeypatch, why):  # noqa: F811
    """And the file system says so in its own way."""
    rename = os.rename

    def rename_late(source, target):
        rename(source, target)
        raise OSError(why, os.strerror(why))

    monkeypatch.setattr(os, "rename", rename_late)
    assert result_of(rlscan.load(recipe, **FOR)) == [[1.5, 1.0]]
    assert len(entries(cache)) == 1


def test_a_file_that_cannot_be_read(cache, recipe, monkeypatch):  # noqa: F811
    """It counts as damaged, whatever the file system says."""
    def stale(name, folder):
        raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))

    rlscan.load(recipe, **FOR)
    entry, = entries(cache)
    monkeypatch.setattr(_cache, "_read", stale)
    assert _cache.read_entry(cache, entry) is None


# What an entry is called by ---------------------------------------------------

PROGRAM = """
#include <unistd.h>
int counts(void);
int main(int count, char **words) {
  return count < counts() ? 1 : execv("%s", words);
}
"""


def build(source, output, *options):
    subprocess.run(["cc", "-x", "c", "-", "-o", str(output), *options], input=source, text=True,
                   check=True)
    os.utime(output, (0, 0))


def test_shared_objects_of_the_compiler_count(cache, recipe, tmp_path, monkeypatch):  # noqa: F811
    """By their content, as the compiler itself."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        build("int counts(void) { return %d; }" % (name == "second"),
              tmp_path / name / "libcounts.so", "-shared")
    build(PROGRAM % _load.find_compiler(), tmp_path / "compiler", f"-L{tmp_path / 'first'}",
          "-lcounts")
    monkeypatch.setenv("RLSCAN_COMPILE", str(tmp_path / "compiler"))
    for folder, count in (("first", 1), ("second", 2), ("first", 2)):
        monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path / folder))
        _load._loaded.clear()
        rlscan.load(recipe, **FOR)
        assert len(entries(cache)) == count
    first, second = (tmp_path / name / "libcounts.so" for name in ("first", "second"))
    assert first.stat().st_size == second.stat().st_size
    second.rename(first)
    _load._loaded.clear()
    rlscan.load(recipe, **FOR)
    assert len(entries(cache)) == 2, "the one of the second folder, in the first's place"


def wrap(folder, name, program, last):
    """Of the same size whatever is last."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f'#!/bin/sh\nexec {program} "$@"\n# {last}\n')
    (folder / name).chmod(0o755)


@pytest.mark.parametrize("name, target, counts", [
    ("cc", "cpu:x86-64", True), ("ld", "cpu:x86-64", True),
    ("ptxas", "cuda:sm_90", True), ("ptxas", "cuda:ptx", False), ("ptxas", "cpu:x86-64", False)])
def test_what_the_compiler_calls_counts(cache, recipe, tmp_path, monkeypatch, name, target,  # noqa: F811
                                        counts):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name}")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    targets = sorted({"cpu:x86-64", target})
    for last, count in (("1", 1), ("2", 1 + counts), ("1", 1 + counts)):
        wrap(tmp_path / "bin", name, found, last)
        _load._loaded.clear()
        rlscan.load(recipe, targets=targets, io=["f32"], present=["none"])
        assert len(entries(cache)) == count


# Processes that are killed ----------------------------------------------------

KILLED = """
import os, pathlib, random, signal, sys, time
import rlscan
from rlscan import _cache, _load

folder, chance = pathlib.Path(sys.argv[1]), random.Random(7)
compiler = pathlib.Path(os.environ["RLSCAN_COMPILE"])
first = compiler.read_text()
list(map(_load._content_of, _load._programs(str(compiler), [])))  # digested once for all


def load():
    return rlscan.load(folder / "halving.rls", targets=["cpu:x86-64"], io=["f32"])


def start():
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        load()
        os._exit(0)
    try:
        os.setpgid(child, child)
    except OSError:
        pass  # it has done so itself
    return child


def kill(child):
    # Every other time with the compiler that it has started.
    (os.killpg if chance.random() < 0.5 else os.kill)(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


killed = 0
for number in range(25):
    compiler.write_text(first + f"# {number}")  # a new entry
    begin = time.monotonic()
    children = [(chance.uniform(0.0, 0.4), start()) for _ in range(8)]
    for when, child in sorted(children):
        time.sleep(max(0.0, begin + when - time.monotonic()))
        killed += kill(child)
    for entry in (folder / "cache").iterdir():
        assert entry.name.startswith(".making-") or _cache.read_entry(folder / "cache", entry.name)
whole = [x for x in (folder / "cache").iterdir() if not x.name.startswith(".making-")]
print(killed, len(whole))
load()
"""


def test_processes_that_are_killed(cache, recipe, tmp_path, monkeypatch):  # noqa: F811
    """8 at once, 25 times: an entry is whole or not there. The compiler is one that has made
    its files before, and copies them slowly."""
    (tmp_path / "made").mkdir()
    subprocess.run([_load.find_compiler(), recipe, *_load._options(
        FOR["targets"], FOR["io"], ["all"], ["full"], {}), "-o", tmp_path / "made"], check=True)
    compiler = tmp_path / "compiler"
    compiler.write_text(f"""#!/bin/sh
while [ $# -gt 1 ]; do shift; done
for file in {tmp_path}/made/*; do
  head -c 3000 "$file" > "$1/${{file##*/}}"; sleep 0.03; cp "$file" "$1"; sleep 0.03
done
""")
    compiler.chmod(0o755)
    monkeypatch.setenv("RLSCAN_COMPILE", str(compiler))
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    killed, whole = map(int, done.stdout.split())
    assert 50 < killed <= 200 and 0 < whole <= 25, "none came in between, or all"
