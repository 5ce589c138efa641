"""The inputs of a recipe, read from its text."""

import collections
import pathlib
import re

RECIPES = pathlib.Path(__file__).parents[2] / "recipes"
Input = collections.namedtuple("Input", "kind name type axis default")


def read(name):
    """The inputs in order; a default is its text, or None. The kind is param, row, step,
    or step+1 where a row has an entry more than it has steps."""
    text = re.sub(r"#.*", "", (RECIPES / f"{name}.rls").read_text())
    inputs = []
    for kind, names, declared in re.findall(
            r"^\s*(param|row|step(?:\+1)?)\s+([^:\n]+?)\s*(?::\s*(\w+)[^\n]*)?$", text, re.M):
        for one in names.split(","):
            target, _, default = (part.strip() for part in one.partition("="))
            axis = re.search(r"\[(\w+)\]", target)
            implied = "flag" if default in ("true", "false") else "real"
            inputs.append(Input(kind, target.split("[")[0], declared or implied,
                                axis and axis[1], default or None))
    return inputs


def results(name):
    """The names of the results in order."""
    text = re.sub(r"#.*", "", (RECIPES / f"{name}.rls").read_text())
    listed = text[text.rindex("return") + len("return"):text.rindex("}")]
    depth, names, start = 0, [], 0
    for at, character in enumerate(listed + ","):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            names.append(listed[start:at].split("=")[0].strip())
            start = at + 1
    return names
