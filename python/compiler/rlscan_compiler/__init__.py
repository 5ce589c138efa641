"""Where rlscan-compile is; rlscan.load() asks."""

import os
import sys


def path():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "rlscan-compile")


def main():
    os.execv(path(), ["rlscan-compile", *sys.argv[1:]])
