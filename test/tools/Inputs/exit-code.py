"""Runs a command and compares its exit code: exit-code.py CODE COMMAND..."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:], capture_output=True, check=False).returncode
if code != int(sys.argv[1]):
    sys.exit(f"{sys.argv[2:]}: exit code {code}, expected {sys.argv[1]}")
