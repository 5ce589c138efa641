"""Loads a module of an installed library with stand-ins for what it imports.

Most of these libraries want a simulator, a cluster or another PyTorch to be imported as a
whole, and their functions use none of it. A module is executed as it lies in the library;
what it imports is the real thing where that is NumPy, PyTorch, JAX, of Python's own or
among the library's modules that were asked for, and a mock elsewhere.
"""

import builtins
import fnmatch
import importlib.util
import pathlib
import sys
import types
import unittest.mock

REAL = {"torch", "numpy", "jax", "packaging", *sys.stdlib_module_names}


class StandIn(unittest.mock.MagicMock):
    def __mro_entries__(self, bases):
        """A class that is derived from one is derived from nothing."""
        return ()


class Library:
    def __init__(self, name, real, given):
        self.name, self.real, self.modules = name, real, dict(given)
        self.root = pathlib.Path(importlib.util.find_spec(name).origin).parent

    def wanted(self, name):
        return name in self.modules or any(fnmatch.fnmatchcase(name, at) for at in self.real)

    def path_of(self, name):
        path = self.root.joinpath(*name.split(".")[1:])
        return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")

    def module(self, name):
        if name in self.modules:
            return self.modules[name]
        path = self.path_of(name)
        module = self.modules[name] = types.ModuleType(name)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        module.__dict__.update(
            __file__=str(path), __package__=package,
            __builtins__={**vars(builtins), "__import__": self.importer})
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
        return module

    def importer(self, name, scope=None, local=None, names=(), level=0):
        if level:
            name = importlib.util.resolve_name("." * level + name, scope["__package__"])
        top = name.split(".")[0]
        if top in REAL:
            return builtins.__import__(name, scope, local, names, 0)
        if not self.wanted(name):
            # A module of its folder may be wanted all the same.
            found = {key: self.module(f"{name}.{key}") for key in names or ()
                     if self.wanted(f"{name}.{key}")}
            return StandIn(**found)
        module = self.module(name)
        for key in names or ():
            if not hasattr(module, key):
                inner = f"{name}.{key}"
                setattr(module, key, self.module(inner) if self.wanted(inner) and
                        self.path_of(inner).exists() else StandIn())
        return module if names else self.module(top) if self.wanted(top) else StandIn()


def load(package, module, real=(), given={}):
    """The module, and for real those that a pattern of `real` has; `given` are by name."""
    name = f"{package}.{module}"
    return Library(package, (name, *real), given).module(name)
