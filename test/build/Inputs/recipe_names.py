"""Checks that no string of the compiler or of a tool is the name of a recipe: what
is true of one estimator is written in its recipe.

usage: recipe_names.py RECIPE-FOLDER SOURCE-FOLDER...
"""

import pathlib
import re
import sys

names = [recipe.stem for recipe in pathlib.Path(sys.argv[1]).glob("*.rls")]
mention = re.compile(r"(?<![a-z0-9_])(" + "|".join(names) + r")(?![a-z0-9_])")
literal = re.compile(r'//[^\n]*|"((?:\\.|[^"\\\n])*)"')
found = 0
for folder in map(pathlib.Path, sys.argv[2:]):
    for source in sorted(folder.rglob("*")):
        if source.suffix not in (".cpp", ".h", ".c", ".td"):
            continue
        text = source.read_text()
        for match in literal.finditer(text):
            if match[1] and mention.search(match[1]):
                line = text.count("\n", 0, match.start()) + 1
                print(f'{source}:{line}: "{match[1]}" names a recipe')
                found += 1
print(f"{len(names)} recipes")
sys.exit(found != 0)
