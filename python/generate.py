"""Writes rlscan/_recipes.py: one function a recipe.

usage: generate.py OUTPUT RECIPES-FOLDER LIBRARY-FOLDER HOST-PREFIX [DEVICE-PREFIX...]

LIBRARY-FOLDER has what rlscan-compile made: libPREFIX_NAME.so for each prefix, and
HOST-PREFIX_NAME.json.
"""

import pathlib
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


def main(output, recipes, libraries, host, *devices):
    parts, names = [HEAD], []
    for recipe in sorted(pathlib.Path(recipes).glob("*.rls")):
        name = recipe.stem
        manifest = pathlib.Path(libraries, f"{host}_{name}.json").read_text()
        signature = _signature.read_signature(manifest, recipe.read_text())
        files = [(f"lib{prefix}_{name}.so", f"{prefix}_{name}", prefix != host)
                 for prefix in (host, *devices)]
        parts.append(f"register({signature!r}, {files!r})")
        parts.append("\n" + _signature.function_source(signature, len(names)))
        names.append(name)
    parts.insert(1, f"__all__ = {names!r}\n")
    pathlib.Path(output).write_text("\n".join(parts))


main(*sys.argv[1:])
