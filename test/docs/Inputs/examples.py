"""Runs the examples of the documentation: examples.py SOURCE [FILE...].

In every .md file of SOURCE and SOURCE/docs (or in those given):

  ```rls         a recipe that is imported and lowered to code for the CPU
  ```rls error   one that is refused with what the ```text block after it says
  ```sh          where its first line starts with "$ ": commands with what they
                 print, run in a folder that has the source's recipes, examples
                 and test folders; "..." stands for any text
  [text](path)   a link to a file of SOURCE
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

FOLDERS = ("recipes", "examples", "test")
NAME = "example.rls"
LOWER = (f"rlscan-translate --import-recipe {NAME} | rlscan-opt "
         "--rlscan-to-scans --rlscan-to-sweeps --rlscan-to-cpu -o /dev/null")


class Block:
    def __init__(self, kind, place):
        self.kind = kind
        self.place = place
        self.text = ""


def read(path):
    """The fenced blocks of a file, and its text without them."""
    blocks, prose, block = [], "", None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("```"):
                if block is None:
                    block = Block(line[3:].strip(), f"{path}:{number}")
                    blocks.append(block)
                else:
                    block = None
            elif block is not None:
                block.text += line
            else:
                prose += line
    return blocks, prose


def matches(expected, found):
    pattern = re.escape(expected.strip("\n")).replace(re.escape("..."), ".*?")
    return re.fullmatch(pattern, found.strip("\n"), re.DOTALL) is not None


class Tester:
    def __init__(self, folder):
        self.folder = folder
        self.count = 0
        self.failures = 0

    def run(self, command):
        """The exit code, and what is printed: stdout, then stderr."""
        result = subprocess.run(command, cwd=self.folder, shell=True,
                                capture_output=True, text=True, check=False)
        return result.returncode, result.stdout + result.stderr

    def fail(self, place, message, found=""):
        self.failures += 1
        print(f"{place}: {message}\n{found}")

    def recipe(self, block, refusal):
        with open(os.path.join(self.folder, NAME), "w", encoding="utf-8") as file:
            file.write(block.text)
        code, found = self.run(f"rlscan-translate --import-recipe {NAME}")
        if code == 0:
            code, found = self.run(f"rlscan-run {NAME} --print-coefficients")
        if code == 0 and refusal is None:
            code, found = self.run(LOWER)
        if refusal is None:
            if code != 0 or found:
                self.fail(block.place, "the recipe is not taken as it is:", found)
        elif code == 0:
            self.fail(block.place, "the recipe is not refused")
        elif not matches(refusal.text, found):
            self.fail(refusal.place, "the message is another:", found)

    def transcript(self, block):
        for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            while command.endswith("\\"):
                more, _, expected = expected.partition("\n")
                command = command[:-1] + more.strip()
            _, found = self.run(command)
            if not matches(expected, found):
                self.fail(block.place, f"'{command}' prints:", found)

    def links(self, path, prose):
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose):
            file = os.path.join(os.path.dirname(path), target)
            if "://" not in target and not os.path.exists(file):
                self.fail(path, f"a link to {target}, which is not there")

    def file(self, path):
        blocks, prose = read(path)
        self.links(path, prose)
        for block, after in zip(blocks, blocks[1:] + [Block("", "")]):
            if block.kind == "rls":
                self.recipe(block, None)
            elif block.kind == "rls error":
                if after.kind == "text":
                    self.recipe(block, after)
                else:
                    self.fail(block.place, "no ```text block follows")
            elif block.kind == "sh" and block.text.startswith("$ "):
                self.transcript(block)
            else:
                continue
            self.count += 1


def main(source, *files):
    files = files or sorted(glob.glob(os.path.join(source, "*.md")) +
                            glob.glob(os.path.join(source, "docs", "*.md")))
    with tempfile.TemporaryDirectory() as folder:
        for name in FOLDERS:
            os.symlink(os.path.join(source, name), os.path.join(folder, name))
        tester = Tester(folder)
        for path in files:
            tester.file(path)
    print(f"{tester.count} examples in {len(files)} files, "
          f"{tester.failures} failures")
    sys.exit(1 if tester.failures or not tester.count else 0)


main(*sys.argv[1:])
