"""What a call would run, and why."""

from rlscan import _core, _route


def _call_of(function, arguments, keywords):
    """The estimator of a call, its time_dim, and its inputs in recipe order."""
    name = function if isinstance(function, str) else function.__name__
    if name not in _route.registry:
        raise ValueError(f"no estimator {name!r}; there are {', '.join(_route.registry)}")
    estimator = _route.registry[name]
    signature = estimator.signature
    arrays = [a.name for a in signature.arrays]
    if len(arguments) > len(arrays):
        raise TypeError(f"{name}: {len(arguments)} arrays, it takes {len(arrays)}")
    given = {a.name: a.default for a in signature.params}
    given.update(zip(arrays, arguments))
    time_dim = keywords.pop("time_dim", -1)
    for key, value in keywords.items():
        if key not in signature.names:
            raise TypeError(f"{name}: no input {key!r}")
        given[key] = value
    return estimator, time_dim, [given.get(a.name) for a in signature.inputs]


def _reasons(chosen):
    reasons = []
    if chosen["layout"] == "strided":
        reasons.append("neither the steps nor the rows of all arrays are neighbours in "
                       "memory: code for any strides")
    if chosen["launches"] > 1:
        reasons.append(f"the dimensions of rows are not one dimension in memory: "
                       f"{chosen['launches']} launches")
    if chosen["filled"]:
        reasons.append(f"left out, but read as zeros: {', '.join(chosen['filled'])}")
    return reasons


def explain(function, *arguments, **keywords):
    """What a call would run: explain(rlscan.gae, reward, value, terminated).

    A dictionary: the variant (and kernel of a GPU), the memory order it is for,
    rows and steps, launches, bytes that are read and written once, workspace,
    copies (always 0) and reasons, a text for each thing that makes it slower
    than it could be.
    """
    estimator, time_dim, inputs = _call_of(function, arguments, keywords)
    chosen = _core.choose(estimator.slot, time_dim, None, *inputs)
    if chosen is NotImplemented:
        raise TypeError("explain takes arrays of NumPy, or detached ones of PyTorch")
    chosen["copies"] = 0
    chosen["reasons"] = _reasons(chosen)
    return chosen


def prepare(device=0, functions=None):
    """Loads the code of all estimators, or of some functions, to a GPU: its number,
    or a torch.device. The first call of each does that as well."""
    index = getattr(device, "index", device)
    names = [f if isinstance(f, str) else f.__name__ for f in functions or _route.registry]
    for name in names:
        _core.prepare(_route.registry[name].slot, 0 if index is None else index)
