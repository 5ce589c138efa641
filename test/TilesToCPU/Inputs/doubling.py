"""Writes a recipe with 40 names, each of which is used twice by the next: what takes
a time or makes code in proportion to the paths through it never ends.

usage: doubling.py params|rows|steps|flags|states > FILE
"""

import sys

STEPS = """\
  y[t] = x + {last} * y[t+1 | 0]
  return y, z = {last} * y
"""
CASES = {
    "params": ("  param p\n  step x\n", "p", "{0} + {0} * p", STEPS),
    "rows": ("  row r\n  step x\n", "r", "{0} + {0} * r", """\
  y[t] = x + 0.5 * y[t+1 | {last}]
  return y, z = x[t+1 | {last}]
"""),
    "steps": ("  step x\n", "x", "{0} + {0} * x", STEPS),
    "flags": ("  step f : flag\n  step x\n", "f",
              "({0} & x > 1) | (x < 0 & !{0})", STEPS),
    "states": ("  step x\n  y[t] = x + 0.5 * y[t+1 | 0]\n", "y", "{0} + {0} * x",
               "  return y, z = {last}[t+1 | 0]\n"),
}

inputs, first, step, end = CASES[sys.argv[1]]
print("estimator doubling {\n" + inputs, end="")
name = first
for i in range(40):
    print(f"  a{i} = " + step.format(name))
    name = f"a{i}"
print(end.format(last=name) + "}")
