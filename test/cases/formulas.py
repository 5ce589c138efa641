"""The recipes of the wider catalogue in float64, as the libraries write them: loops over
the steps of one row, with arithmetic on the steps that count and none on the others.

Shares nothing with the compiler. A function has a recipe's name and takes its inputs by
name: arrays [T] (axes: [T, A]), flags as booleans, row inputs and params as numbers. It
returns the recipe's results in order. `formula` does this for arrays [N, T].
"""

import numpy as np

import off_policy
import on_policy
import returns
import traces

FUNCTIONS = {name: function for module in (on_policy, returns, off_policy, traces)
             for name, function in vars(module).items()
             if callable(function) and not name.startswith("_")
             and function.__module__ == module.__name__}


def formula(name, params, inputs):
    """Results [N, T] in the order of the recipe; `inputs` has arrays [N, ...] of every
    input, `params` numbers, or arrays [N]."""
    rows = len(next(iter(inputs.values())))
    results = []
    for i in range(rows):
        row = {key: x[i] for key, x in inputs.items()}
        numbers = {"lam" if key == "lambda" else key: x if np.ndim(x) == 0 else np.asarray(x)[i]
                   for key, x in params.items()}
        # What is behind a boundary may be anything: the numbers where it is read count.
        with np.errstate(all="ignore"):
            found = FUNCTIONS[name](**row, **numbers)
        results.append(found if isinstance(found, tuple) else (found,))
    return [np.stack([found[k] for found in results]) for k in range(len(results[0]))]
