"""Writes recipes.md, a page of every recipe, and recipe-index.md, by library and by paper.

usage: catalogue.py OUT [RLSCAN-RUN]

All of it is in the recipes: a title, where it was published, its conventions, and who
uses it in the comment above; inputs with their comments; equations. The compiler says
alpha and beta. test/cases/libraries.json has the functions whose answers are tests.
"""

import json
import pathlib
import re
import subprocess
import sys
import textwrap

SOURCE = pathlib.Path(__file__).resolve().parents[1]
MARK = "<!-- Made by docs/catalogue.py: do not edit, run make docs. -->\n"
SHAPES = {"param": "a number", "row": "[N]", "step": "[N, T]", "step+1": "[N, T+1]"}


class Recipe:
    def __init__(self, path):
        self.name, self.path = path.stem, path
        above, body = re.split(r"^estimator \w+ {\n", path.read_text(), maxsplit=1, flags=re.M)
        comment = re.sub(r"^# ?", "", above.strip(), flags=re.M)
        comment, _, users = comment.partition("Used by: ")
        self.title, _, rest = comment.strip().partition("\n")
        if rest.startswith("\n"):  # no publication, only what it does
            self.source, self.notes = "", rest.strip()
        else:
            self.source, _, self.notes = (part.strip() for part in rest.partition("\n\n"))
        self.users = dict(re.findall(r"([\w][^,(]*?)(?: \(([^)]*)\))?(?:, |$)",
                                     " ".join(users.split()).rstrip(".;")))
        declarations, self.equations = self.split(body[:body.rindex("}")])
        self.inputs = list(self.read_inputs(declarations))

    @staticmethod
    def split(body):
        """Declarations, and the equations with the return."""
        lines = textwrap.dedent(body).splitlines()
        first = next(i for i, line in enumerate(lines)
                     if re.match(r"\w+(\[t(, \d+)?\])?\s*=|return\b", line))
        while lines[first - 1].startswith("#"):
            first -= 1
        return lines[:first], "\n".join(lines[first:]).strip()

    @staticmethod
    def read_inputs(lines):
        """(name, kind, shape, default, comment) in order."""
        for line in lines:
            code, _, comment = line.partition("#")
            kind, _, names = code.strip().partition(" ")
            if kind not in SHAPES:
                continue
            names, _, type_ = (part.strip() for part in names.partition(":"))
            for name, axis, default in re.findall(r"(\w+)(?:\[(\w+)\])?(?: = ([\w.]+))?", names):
                is_flag = type_ == "flag" or default in ("true", "false")
                kind_of = f"{kind}, flag" if is_flag else f"{kind}, index" if type_ else kind
                shape = SHAPES[kind] if not axis else f"[N, T, {axis.upper()}]"
                yield name, kind_of, shape, default, comment.strip()

    def coefficients(self, run):
        command = [run, self.path, "--print-coefficients"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def page(self, run):
        table = [f"| `{name}`{f' = {default}' if default else ''} | {kind} | {shape} | {comment} |"
                 for name, kind, shape, default, comment in self.inputs]
        parts = [f"## {self.name}", self.title]
        parts += [text for text in (self.source, self.notes) if text]
        parts += ["\n".join(["| input | kind | shape | |", "|---|---|---|---|", *table]),
                  f"```text\n{self.equations}\n```",
                  f"```text\n{self.coefficients(run).strip()}\n```"]
        if self.users:
            names = [f"{user} (`{'`, `'.join(functions.split(', '))}`)" if functions else user
                     for user, functions in self.users.items()]
            parts.append("Used by " + ", ".join(names) + ".")
        return "\n\n".join(parts)


def plain(library):
    """A library's name as its package and the recipes both have it."""
    return re.sub("[- ]", "", library).lower()


def recorded():
    """{(library, recipe): functions} whose own answers are test cases."""
    found = {}
    for case in json.loads((SOURCE / "test" / "cases" / "libraries.json").read_text()):
        library, function = case["note"].split(", ")
        found.setdefault((plain(library.split()[0]), case["recipe"]), []).append(function)
    return found


def link(name):
    return f"[{name}](recipes.md#{name})"


def index(recipes):
    checked = recorded()
    libraries = {}
    for recipe in recipes:
        for user, functions in recipe.users.items():
            libraries.setdefault(user, []).append((recipe.name, functions))
    lines = ["# Recipes by library", "",
             "Coming from a library: what its functions are here. A check mark says that answers of",
             "the library's own function are among the tests (test/cases/libraries.json).", ""]
    for library, uses in sorted(libraries.items(), key=lambda entry: entry[0].lower()):
        said = []
        for name, functions in uses:
            is_checked = (plain(library), name) in checked
            said.append(link(name) + (f" ({functions})" if functions else "")
                        + (" ✓" if is_checked else ""))
        lines.append(f"- **{library}**: " + ", ".join(said))
    lines += ["", "# Recipes by publication", ""]
    sourced = [recipe for recipe in recipes if recipe.source]
    for recipe in sorted(sourced, key=lambda recipe: recipe.source.lower()):
        lines.append(f"- {' '.join(recipe.source.split())} {link(recipe.name)}")
    return "\n".join(lines) + "\n"


def main(out, run="rlscan-run"):
    recipes = [Recipe(path) for path in sorted((SOURCE / "recipes").glob("*.rls"))]
    names = ", ".join(f"[{recipe.name}](#{recipe.name})" for recipe in recipes)
    head = ["# Every recipe", "",
            "N is the number of rows, T of steps, A of actions. A param may also be an array [N] or",
            "[N, T]. An input with a default may be left out. What",
            "[recipes.md](../recipes.md#conventions-of-all-of-them) says of all holds for all.", "",
            *textwrap.wrap(names, 99, break_long_words=False, break_on_hyphens=False), ""]
    pages = [recipe.page(run) for recipe in recipes]
    folder = pathlib.Path(out)
    (folder / "recipes.md").write_text(MARK + "\n" + "\n".join(head) + "\n"
                                       + "\n\n".join(pages) + "\n")
    (folder / "recipe-index.md").write_text(MARK + "\n" + index(recipes))


main(*sys.argv[1:])
