"""Runs a command with a terminal as its output: terminal.py COMMAND..."""

import pty
import sys

pty.spawn(sys.argv[1:])
