"""Writes rlscan/_recipes.py: one function a recipe.

usage: generate.py OUTPUT RECIPES-FOLDER LIBRARY...

A library is what rlscan-compile made, libPREFIX_NAME.so. Those for GPUs have a prefix
with gpu in it; beside one for the CPU is its manifest, PREFIX_NAME.json. A function has
the arguments of the library that has most.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "rlscan"))
import _signature  # noqa: E402 without the package, which needs what is made here

HEAD = '''"""The functions of the recipes. Made by python/generate.py; do not edit."""

from typing import Any, Optional, Tuple

from rlscan import _core, _route
from rlscan._registry import register
from rlscan._signature import Argument, Signature

Array = Any
'''


def libraries_of(name, libraries):
    """{prefix: library} of a recipe, in the order they are given."""
    found = [(re.fullmatch(rf"lib(rlscan(?:_gpu)?(?:_hip|_other|_lengths|_packed)?)_{name}", path.stem), path)
             for path in libraries]
    return {match[1]: path for match, path in found if match}


def main(output, recipes, *libraries):
    libraries = [pathlib.Path(path) for path in libraries]
    parts, names = [HEAD], []
    for recipe in sorted(pathlib.Path(recipes).glob("*.rls")):
        name = recipe.stem
        made = libraries_of(name, libraries)
        manifests = [path.with_name(f"{prefix}_{name}.json").read_text()
                     for prefix, path in made.items() if "gpu" not in prefix]
        signature = max((_signature.read_signature(manifest, recipe.read_text())
                         for manifest in manifests), key=lambda made: len(made.arguments))
        files = [(path.name, f"{prefix}_{name}", "gpu" in prefix)
                 for prefix, path in made.items()]
        parts.append(f"register({signature!r}, {files!r})")
        parts.append("\n" + _signature.function_source(signature, len(names)))
        names.append(name)
    parts.insert(1, f"__all__ = {names!r}\n")
    pathlib.Path(output).write_text("\n".join(parts))


main(*sys.argv[1:])
