"""Checks that every pass has a summary and a description that shows the IR before
and after it.

usage: pass_docs.py PASSES.td
"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
passes = re.split(r"^def ", text, flags=re.MULTILINE)[1:]
missing = 0
for body in passes:
    name = re.match(r"\w+", body)[0]
    summary = re.search(r'let summary = "[^"]+"', body)
    description = re.search(r"let description = \[\{(.*?)\}\];", body, re.DOTALL)
    said = description[1] if description else ""
    before = re.search(r"^ *Before\b.*?```mlir", said, re.DOTALL | re.MULTILINE)
    after = re.search(r"^ *After\b", said, re.MULTILINE)
    wanted = {"summary": summary, "description": description,
              "IR before it": before, "account of what comes after it": after}
    for what, found in wanted.items():
        if not found:
            print(f"pass {name} has no {what}")
            missing += 1
print(f"{len(passes)} passes")
sys.exit(missing != 0)
