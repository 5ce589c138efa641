"""rlscan.load("my.rls"): an estimator of one's own as a function.

Compiled once by rlscan-compile, the program that `pip install rlscan[compiler]`
brings, and kept on disk under the hash of all that goes into it. An entry is a
folder that is made elsewhere and then renamed, so that any number of processes may
load, and nobody sees half of one. It has the digests of its files, and what does
not agree with them is not used: it is made anew beside it.
"""

import atexit
import functools
import hashlib
import json
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import warnings

from rlscan import _core, _registry, _route
from rlscan._signature import function_source, read_signature

_loaded = {}

# The file of an entry with the digests of the others; the last one written.
_DIGESTS = "digests"
_MOST_DAMAGED = 8


class CompileError(ValueError):
    """What is wrong with a recipe, as the compiler says it, with the place."""


def find_compiler():
    """$RLSCAN_COMPILE, that of rlscan-compiler, or one in PATH; None."""
    named = os.environ.get("RLSCAN_COMPILE")
    if named:
        return named
    try:
        import rlscan_compiler
        return rlscan_compiler.path()
    except ImportError:
        return shutil.which("rlscan-compile")


def cache_folder():
    """$RLSCAN_CACHE_DIR, or rlscan in the user's cache folder."""
    named = os.environ.get("RLSCAN_CACHE_DIR")
    if named:
        return pathlib.Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "rlscan"


def _is_private(folder):
    """Whether it is a folder of the user's, no link, that nobody else can write to: what
    it has is executed."""
    status = os.lstat(folder)
    return (stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
            and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _own_folder(why, depth):
    """A folder for this process alone."""
    warnings.warn(f"{why}; what is compiled is kept for this process alone", stacklevel=depth)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rlscan-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _private_cache():
    """The cache, or a folder for this process alone where others could write to it or
    there can be none. It may be one that can be read alone."""
    try:
        folder = cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # no home is a RuntimeError
        return _own_folder(f"there is no cache: {error}", depth=5)
    if _is_private(folder):
        return folder
    return _own_folder(f"{folder} is not used: others could write to it, or it is another's; "
                       "expected a folder of yours with mode 0700", depth=5)


def _can_write(folder):
    try:
        os.rmdir(tempfile.mkdtemp(dir=folder, prefix=".making-"))
    except OSError:
        return False
    return True


def _digest(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


@functools.lru_cache
def _digest_of_program(path, *when):
    return _digest(path)


def _version_of(compiler):
    """Changes whenever the program does, whatever its time and size are."""
    path = os.path.realpath(compiler)
    status = os.stat(path)
    return _digest_of_program(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _digests_of(entry):
    return {file.name: _digest(file) for file in entry.iterdir() if file.name != _DIGESTS}


def _is_whole(entry):
    """Whether the entry has what was put into it, and is the user's."""
    try:
        return (_is_private(entry)
                and json.loads((entry / _DIGESTS).read_text()) == _digests_of(entry))
    except (OSError, ValueError):
        return False


def _options(targets, io, present, rows, arrays):
    named = [f"--arrays={','.join(f'{name}:{kind}' for name, kind in sorted(arrays.items()))}"]
    return [f"--target={','.join(targets)}", f"--io={','.join(io)}",
            f"--present={','.join(present)}", f"--rows={','.join(rows)}",
            *(named if arrays else []), "--prefix=rlscan", "--emit=shared,manifest"]


def _run(compiler, path, options, folder):
    command = [compiler, str(path), *options, "-o", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 1:
        raise CompileError(done.stderr.rstrip())
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.rstrip()}")


def _check_recipe(path, text, made):
    """Whether the compiler has read what the entry is called by."""
    expected = hashlib.sha256(text.encode()).hexdigest()
    for manifest in made.glob("*.json"):
        if json.loads(manifest.read_text())["recipe_sha256"] != expected:
            raise RuntimeError(f"{path} changed while it was compiled: load it again")


def _make(entry, compiler, path, text, options):
    """Makes the entry, unless another process is first: its is the same."""
    made = pathlib.Path(tempfile.mkdtemp(dir=entry.parent, prefix=".making-"))
    try:
        _run(compiler, path, options, made)
        _check_recipe(path, text, made)
        (made / "recipe.rls").write_text(text)
        (made / _DIGESTS).write_text(json.dumps(_digests_of(made)))
        os.rename(made, entry)
    except OSError:
        if not entry.is_dir():
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _compile(compiler, path, text, options):
    """The folder of the cache that has the recipe's libraries. One that is damaged stays
    where it is: a process may have it open."""
    parts = [_core.version, _version_of(compiler), *options, text]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    name = f"{pathlib.Path(path).stem}-{key[:32]}"
    cache = _private_cache()
    for damaged in range(_MOST_DAMAGED):
        entry = cache / (f"{name}-{damaged}" if damaged else name)
        if not os.path.lexists(entry):
            if not _can_write(cache):
                cache = _own_folder(f"{cache} cannot be written to", depth=4)
                entry = cache / name
            _make(entry, compiler, path, text, options)
        if _is_whole(entry):
            return entry
    raise RuntimeError(f"{cache}: {name} and {_MOST_DAMAGED - 1} more are not as they were "
                       "written; remove them")


def _estimator_of(folder, name):
    """The name of the estimator that is wanted, and its manifest."""
    manifests = {json.loads(file.read_text())["estimator"]: file
                 for file in sorted(folder.glob("*.json"))}
    if name is None and len(manifests) == 1:
        name = next(iter(manifests))
    if name not in manifests:
        raise ValueError(f"expected one of the estimators {', '.join(manifests)}, got "
                         f"{name!r}: rlscan.load(path, name=...)")
    return name, manifests[name]


def _function(folder, name):
    name, manifest = _estimator_of(folder, name)
    signature = read_signature(manifest.read_text(), (folder / "recipe.rls").read_text())
    if signature.name in _route.registry:
        # The operators of PyTorch and JAX go by the name.
        count = sum(known.split("__")[0] == name for known in _route.registry)
        signature = signature.renamed(f"{name}__{count}")
    library = str(folder / f"librlscan_{name}.so")
    symbol = f"rlscan_{name}"
    has_devices = any(v["target"] != "cpu" for v in json.loads(manifest.read_text())["variants"])
    libraries = [(library, symbol, False)] + [(library, symbol, True)] * has_devices
    estimator = _registry.register(signature, libraries)
    from typing import Any, Optional, Tuple
    scope = {"_core": _core, "_route": _route, "Array": Any, "Optional": Optional, "Tuple": Tuple}
    exec(function_source(signature, estimator.slot), scope)  # as rlscan/_recipes.py is made
    return scope[signature.name]


def load(path, name=None, targets=("cpu", "cuda:ptx"), io=("f32", "bf16", "f64"), present=("all",),
         rows=("full",), arrays=()):
    """The estimator of a recipe as a function like rlscan.gae.

    path: the recipe, docs/language.md
    name: of the estimator, where the recipe has several
    targets, io, present, rows: what it is compiled for, as `rlscan-compile --help` has
        it; with rows=["full", "lengths", "packed"] the function takes lengths and
        cu_seqlens too, with one of these words alone it needs them
    arrays: params that are arrays, with the names of the recipe: {"lambda": "row"}, one
        value a row, or {"gamma": "step"}, one a row and step

    Compiled when it is first asked for, in any process; then read from disk
    ($RLSCAN_CACHE_DIR, ~/.cache/rlscan). Raises rlscan.CompileError with the place
    in the recipe where something is wrong.
    """
    path = pathlib.Path(path)
    text = path.read_text()
    options = _options(targets, io, present, rows, dict(arrays))
    compiler = find_compiler()
    if compiler is None:
        raise RuntimeError(f"{path}: loading a recipe needs the compiler: "
                           "pip install rlscan[compiler], or set RLSCAN_COMPILE")
    key = (str(path.resolve()), text, name, tuple(options))
    if key not in _loaded:
        _loaded[key] = _function(_compile(compiler, path, text, options), name)
    return _loaded[key]
