"""Bytes of files go to readers of our own, which have limits of size and depth: LLVM's
and MLIR's, which have none, are called by tools for developers alone.

usage: parsers.py SOURCE
"""

import pathlib
import re
import sys

# Of JSON, YAML, IR as text or bytecode, attributes, types and pipelines.
PARSERS = re.compile(
    r"json::(parse|ParseStream|Path)|yaml::Input|parseSourceFile|parseSourceString|"
    r"\bparseAttribute\(|mlir::parseType\(|parsePassPipeline|parseIR|parseAssembly|"
    r"parseBitcode|readBytecodeFile|getLazyIRModule|parseNamedAttr")
# MLIR's own programs, and what prints and reads the dialect for them.
DEVELOPERS = ("tools/rlscan-opt/", "tools/rlscan-lsp-server/", "tools/rlscan-translate/",
              "dialects/")

source = pathlib.Path(sys.argv[1])
files = failures = 0
for folder in ("lib", "tools", "runtime", "python", "include", "dialects"):
    for path in sorted((source / folder).rglob("*")):
        name = path.relative_to(source).as_posix()
        if path.suffix not in (".cpp", ".h", ".c") or name.startswith(DEVELOPERS):
            continue
        files += 1
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = PARSERS.search(line)
            if found:
                failures += 1
                print(f"{name}:{number}: {found[0]} has no limits of size and depth")
print(f"{files} files, {failures} failures")
sys.exit(failures != 0 or not files)
