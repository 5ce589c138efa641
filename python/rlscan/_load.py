"""rlscan.load("my.rls"): an estimator of one's own as a function.

Compiled once by rlscan-compile, the program that `pip install rlscan[compiler]`
brings, and kept on disk under the hash of all that goes into it (_cache.py). An entry
that is not as it was written is not used: it is made anew beside it.
"""

import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

from rlscan import _cache, _core, _registry, _route
from rlscan._signature import function_source, read_signature

_loaded = {}

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


@functools.lru_cache
def _digest_of(path, *when):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _objects_of(program):
    """The shared objects that a program loads, as the dynamic linker says instead of
    running it; of a script those of its interpreter."""
    environment = {**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}
    said = subprocess.run([program, "--version"], env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False).stdout
    return re.findall(r"^\s*(?:\S+ => )?(/.+) \(0x[0-9a-f]+\)$", said, re.MULTILINE)


def _content_of(program):
    """Changes whenever a program or what it loads does, whatever time and size are."""
    digests = []
    for file in [program, *_objects_of(program)]:
        path = os.path.realpath(file)
        status = os.stat(path)
        digests.append(_digest_of(path, status.st_ino, status.st_size, status.st_mtime_ns,
                                  status.st_ctime_ns))
    return digests


def _linker():
    """The programs that link: cc, and what it says that it calls."""
    cc = shutil.which("cc")
    if cc is None:
        return []
    said = subprocess.run([cc, "-print-prog-name=ld"], capture_output=True, text=True, check=False)
    return [cc, *filter(None, [shutil.which(said.stdout.strip() or "ld")])]


def _programs(compiler, targets):
    """All that have a part in what is made."""
    yield compiler
    yield from _linker()
    ptxas = shutil.which("ptxas")
    if ptxas and "cuda:sm" in ",".join(targets):
        yield ptxas  # which the compiler finds in the same way


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


def _compile(compiler, path, text, targets, options):
    """The files that the compiler makes of a recipe, by their names. An entry of the cache
    that is damaged stays where it is: a process may have it open."""
    def fill(folder):
        _run(compiler, path, options, folder)
        _check_recipe(path, text, folder)
        (folder / "recipe.rls").write_text(text)

    contents = ["+".join(_content_of(program)) for program in _programs(compiler, targets)]
    parts = [_core.version, *contents, *options, text]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    name = f"{pathlib.Path(path).stem}-{key[:32]}"
    cache = _cache.private_cache()
    for damaged in range(_MOST_DAMAGED):
        entry = f"{name}-{damaged}" if damaged else name
        if not os.path.lexists(cache / entry):
            if not _cache.can_write(cache):
                cache = _cache.own_folder(f"{cache} cannot be written to", depth=4)
                entry = name
            _cache.make_entry(cache, entry, fill)
        files = _cache.read_entry(cache, entry)
        if files is not None:
            return files
    raise RuntimeError(f"{cache}: {name} and {_MOST_DAMAGED - 1} more are not as they were "
                       "written; remove them")


def _estimator_of(files, name):
    """The name of the estimator that is wanted, and its manifest."""
    manifests = {json.loads(text)["estimator"]: text.decode()
                 for file, text in sorted(files.items()) if file.endswith(".json")}
    if name is None and len(manifests) == 1:
        name = next(iter(manifests))
    if name not in manifests:
        raise ValueError(f"expected one of the estimators {', '.join(manifests)}, got "
                         f"{name!r}: rlscan.load(path, name=...)")
    return name, manifests[name]


def _function(files, name):
    name, manifest = _estimator_of(files, name)
    signature = read_signature(manifest, files["recipe.rls"].decode())
    if signature.name in _route.registry:
        # The operators of PyTorch and JAX go by the name.
        count = sum(known.split("__")[0] == name for known in _route.registry)
        signature = signature.renamed(f"{name}__{count}")
    library = f"librlscan_{name}.so"
    library = _cache.path_of_library(library, files[library])
    symbol = f"rlscan_{name}"
    has_devices = any(v["target"] != "cpu" for v in json.loads(manifest)["variants"])
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
        _loaded[key] = _function(_compile(compiler, path, text, targets, options), name)
    return _loaded[key]
