"""Writes eleven recipes beside those that are given, and a C program that calls
all of them, as compiled with the prefixes one and two.

usage: twice.py WORK RECIPE...
"""

import pathlib
import re
import sys

work, *recipes = map(pathlib.Path, sys.argv[1:])
MORE = """estimator more{0} {{
  step x, beta
  y[t] = x + {0} * beta * y[t-1 | 0]
  return y
}}
"""
for number in range(11):
    (work / f"more{number}.rls").write_text(MORE.format(number))
for recipe in recipes:
    (work / recipe.name).write_text(recipe.read_text())

program = ['#include <stdio.h>']
calls = []
for recipe in sorted(work.glob("*.rls")):
    text = re.sub(r"#.*", "", recipe.read_text())
    for prefix in ("one", "two"):
        name = f"{prefix}_{recipe.stem}"
        program.append(f'#include "{name}.h"')
        # Nothing is given: each says which array it misses.
        calls.append(f"""
  {{
    {name}_args args = {name.upper()}_ARGS_INIT;
    ++count;
    failures += {name}_prepare(RLSCAN_DEVICE_CPU) != RLSCAN_OK;
    failures += {name}_launch(&args, 0) != RLSCAN_INVALID_ARGUMENT;
    failures += rlscan_last_error()[0] == 0;
  }}""")
program.append("int main(void) {\n  int count = 0, failures = 0;" + "".join(calls) + """
  printf("%d libraries, %d failures\\n", count, failures);
  return failures != 0;
}""")
(work / "main.c").write_text("\n".join(program) + "\n")
