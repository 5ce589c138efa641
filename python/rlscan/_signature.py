"""What an estimator takes and gives, from its manifest and its recipe.

The functions of rlscan, the operators of PyTorch and the handlers of JAX are all
made from this; nothing here knows an estimator by name.
"""

import dataclasses
import json
import keyword
import re
import textwrap


def python_name(name):
    """Of an argument: `lambda` is a word of Python's."""
    if name == "lambda":
        return "lam"
    return name + "_" if keyword.iskeyword(name) or name in ("time_dim", "out") else name


# What a call may say of its rows, of any recipe.
OF_ROWS = {
    "lengths": ("[N]", "how many steps each row has: nothing past them is read, results there are 0"),
    "cu_seqlens": ("[B+1]", "rows are packed, all arrays of steps [tokens] and of rows [B]: where "
                            "each row begins, and where the last one ends"),
}


@dataclasses.dataclass(frozen=True)
class Argument:
    name: str  # as Python has it
    kind: str  # param, row, step
    element: str  # real, flag, index
    axis: str
    is_result: bool
    is_optional: bool
    default: object  # where it is a number, else None
    note: str  # the recipe's comment beside it
    extra_steps: int = 0  # of a row, past its steps

    @property
    def is_param(self):
        return self.kind == "param"

    @property
    def is_of_rows(self):
        return self.name in OF_ROWS

    @property
    def shape(self):
        if self.is_of_rows:
            return OF_ROWS[self.name][0]
        if self.kind == "row":
            return "[N]"
        if self.extra_steps:
            return "[N, T+1]"
        return f"[N, T, {self.axis.upper()}]" if self.axis else "[N, T]"


@dataclasses.dataclass(frozen=True)
class Signature:
    name: str
    arguments: tuple  # the inputs in the order of the recipe, then the results
    title: str  # the comment above it
    equations: str

    def renamed(self, name):
        return dataclasses.replace(self, name=name)

    @property
    def inputs(self):
        return [a for a in self.arguments if not a.is_result]

    @property
    def results(self):
        return [a for a in self.arguments if a.is_result]

    @property
    def params(self):
        return [a for a in self.inputs if a.is_param]

    @property
    def arrays(self):
        """The inputs that are arrays, those that are needed first."""
        found = [a for a in self.inputs if not a.is_param]
        return sorted(found, key=lambda a: a.is_optional)

    @property
    def names(self):
        return tuple(a.name for a in self.arguments)

    @property
    def zero_if_absent(self):
        """A bit for each array that is all zeros where it is left out."""
        bits = 0
        for place, a in enumerate(self.arguments):
            if a.is_optional and not a.is_param and a.default is not None and not a.default:
                bits |= 1 << place
        return bits


# What is read from a recipe's text: comments and equations. ------------------


def _estimator_text(recipe, name):
    """The comment above an estimator, and the lines between its braces."""
    lines = recipe.splitlines()
    start = next(i for i, line in enumerate(lines)
                 if re.match(rf"\s*estimator\s+{name}\b", line))
    above = start
    while above > 0 and (lines[above - 1].startswith("#") or not lines[above - 1].strip()):
        above -= 1
    comment = [line.lstrip("#").strip() for line in lines[above:start]]
    end = next(i for i in range(start, len(lines)) if lines[i].startswith("}"))
    return "\n".join(comment).strip(), lines[start + 1:end]


def _notes(body):
    """The comments beside declarations of one name."""
    notes = {}
    for line in body:
        found = re.match(r"\s*(?:param|row|step)(?:\+1)?\s+(\w+)[^,#]*#\s*(.*)", line)
        if found:
            notes[found[1]] = found[2]
    return notes


def _equations(body):
    kept = [line for line in body
            if not re.match(r"\s*(param|row|step|axis)\b|\s*#", line)]
    return textwrap.dedent("\n".join(kept)).strip()


def shape_and_type(signature, given, time_dim):
    """What results are like: the array whose dimensions they have, their sizes, and
    the array of their type. Given: pairs of an input and its array."""
    steps = [(a, x) for a, x in given if a.kind == "step"]
    rows = next((x.shape[0] - 1 for a, x in given if a.name == "cu_seqlens"), 1)
    a, shaped = min(((a, x) for a, x in steps if not a.axis), key=lambda pair: pair[0].extra_steps)
    typed = next((x for a, x in steps if a.element == "real"), shaped)
    sizes = list(shaped.shape)
    if not -len(sizes) <= time_dim < len(sizes):
        raise ValueError(f"time_dim: {time_dim} is no dimension of shape {sizes}")
    sizes[time_dim] -= a.extra_steps * rows
    return shaped, sizes, typed


def read_signature(manifest, recipe):
    """From the text of a manifest and of the recipe that it is of."""
    manifest = json.loads(manifest)
    title, body = _estimator_text(recipe, manifest["estimator"])
    notes = _notes(body)
    arguments = tuple(
        Argument(name=python_name(a["name"]), kind=a["kind"], element=a["element"],
                 axis=a.get("axis", ""), is_result=a["is"] == "result",
                 is_optional=a.get("optional", False), default=a.get("default"),
                 note=OF_ROWS[a["name"]][1] if a["name"] in OF_ROWS
                 else notes.get(a["name"], ""), extra_steps=a.get("extra_steps", 0))
        for a in manifest["arguments"])
    return Signature(manifest["estimator"], arguments, title, _equations(body))


# What is made of it: functions, documentation, schemas. ----------------------

_STORED = {
    "real": "float32, float64, bfloat16 or float16",
    "flag": "bool, int8, uint8 or the type of the reals; set where not 0",
    "index": "int64",
}


def _line(a):
    if a.is_of_rows:
        stored = "int32 or int64" + "; optional" * a.is_optional
        return f"{a.name}: {a.shape}, {stored}. {a.note[0].upper()}{a.note[1:]}."
    words = "number" if a.element == "real" else "flag" if a.element == "flag" else "index"
    what = words if a.is_param else f"{a.shape}, {_STORED[a.element]}"
    if a.is_optional and a.default is not None:
        what += f"; default {a.default}"
    elif a.is_optional:
        what += "; optional"
    return f"{a.name}: {what}" + (f". {a.note[0].upper()}{a.note[1:]}." if a.note else "")


def docstring(signature):
    inputs = [_line(a) for a in signature.arrays + signature.params]
    results = [f"{a.name}: {a.shape}, the type of the first input of reals"
               for a in signature.results]
    equations = textwrap.indent(signature.equations, "    ")
    return "\n".join([
        signature.title, "", "Equations, t counts steps (recipe of rlscan):", "", equations, "",
        "Inputs: NumPy, PyTorch (CPU, CUDA) or JAX arrays, any strides.", "",
        *("    " + line for line in inputs),
        "    time_dim: the dimension that counts steps, the last by default; all others",
        "        are rows: [N, T], [B, N, T], with time_dim=0 [T, N], [T, N, 1]",
        "    out: arrays for the results, a tuple where there are several", "",
        "Results, which no gradient flows through:", "",
        *("    " + line for line in results)])


def _default(a):
    if a.default is None:
        return ""
    return f" = {float(a.default) if a.element == 'real' else a.default!r}"


def _parameters(signature):
    types = {"real": "float", "flag": "bool", "index": "int"}
    arrays = [a.name + (": Optional[Array] = None" if a.is_optional else ": Array")
              for a in signature.arrays]
    params = [f"{a.name}: {types[a.element]}{_default(a)}" for a in signature.params]
    return ", ".join(arrays + ["*"] + params + ["time_dim: int = -1", "out=None"])


def function_source(signature, slot):
    """The function of an estimator, which is a number to rlscan._core."""
    count = len(signature.results)
    gives = "Array" if count == 1 else f"Tuple[{', '.join(['Array'] * count)}]"
    in_order = ", ".join(a.name for a in signature.inputs)
    by_schema = ", ".join([a.name for a in signature.arrays]
                          + [f"{a.name}={a.name}" for a in signature.params]
                          + ["time_dim=time_dim"])
    outs = ", ".join(f"out_{a.name}=out{f'[{i}]' if count > 1 else ''}"
                     for i, a in enumerate(signature.results))
    text = docstring(signature).replace("\\", "\\\\").replace('"""', "'''")
    return f'''def {signature.name}({_parameters(signature)}) -> {gives}:
    """{textwrap.indent(text, "    ").strip()}
    """
    if _route.is_compiling():
        if out is None:
            return _route.torch.ops.rlscan.{signature.name}({by_schema})
        _route.torch.ops.rlscan.{signature.name}_out({by_schema}, {outs})
        return out
    result = _core.call({slot}, time_dim, out, {in_order})
    if result is NotImplemented:
        return _route.other({signature.name!r}, time_dim, out, {in_order})
    return result
'''


_SCHEMA_TYPES = {"real": "float", "flag": "bool", "index": "int"}


def schemas(signature):
    """Of PyTorch's operators: one that makes its results, one that fills arrays."""
    arrays = [f"Tensor{'? ' if a.is_optional else ' '}{a.name}{'=None' if a.is_optional else ''}"
              for a in signature.arrays]
    params = [f"{_SCHEMA_TYPES[a.element]} {a.name}{_default(a).replace(' ', '')}"
              for a in signature.params]
    inputs = ", ".join(arrays + ["*"] + params + ["int time_dim=-1"])
    results = ", ".join(["Tensor"] * len(signature.results))
    if len(signature.results) > 1:
        results = f"({results})"
    outs = ", ".join(f"Tensor({chr(97 + i)}!) out_{a.name}"
                     for i, a in enumerate(signature.results))
    return (f"{signature.name}({inputs}) -> {results}",
            f"{signature.name}_out({inputs}, {outs}) -> ()")
