"""Where numbers come from: the machine, the versions, the command."""

import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys

MODULES = ("rlscan", "torch", "triton", "jax", "numpy", "numba", "torchrl")
PATHS = ("-o", "--output", "--resume", "--rl-triton")


def _output(*command, folder=None):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, cwd=folder)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _versions():
    """Of what is installed; a package on PYTHONPATH alone says its own."""
    found = {"python": platform.python_version()}
    for name in MODULES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            module = sys.modules.get(name)
            if module is not None:
                found[name] = str(module.__version__)
    return found


def _system():
    return " ".join([platform.system(), platform.machine(), *filter(None, platform.libc_ver())])


def _cpu():
    names = [line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo")
             if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _lines(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.readlines()
    except OSError:
        return []


def _gpu():
    import torch
    found = torch.cuda.get_device_properties(0)
    gpu = {"name": found.name, "multiprocessors": found.multi_processor_count,
           "memory": f"{found.total_memory / 2 ** 30:.0f} GiB",
           "L2": f"{getattr(found, 'L2_cache_size', 0) / 2 ** 20:.0f} MiB",
           "cuda": str(torch.version.cuda)}
    fields = ("driver_version", "clocks.max.sm", "clocks.max.mem", "power.limit",
              "ecc.mode.current")
    values = _output("nvidia-smi", f"--query-gpu={','.join(fields)}",
                     "--format=csv,noheader", "-i", "0")
    gpu.update(zip(fields, (v.strip() for v in values.split(","))) if values else ())
    return gpu


def _command(arguments):
    """As it was given, of paths their last part."""
    shown = ["python", "test/benchmark/compare.py"]
    for previous, word in zip([""] + list(arguments), arguments):
        name, equals, value = word.partition("=")
        if previous in PATHS:
            word = os.path.basename(word.rstrip("/"))
        elif equals and name in PATHS:
            word = f"{name}={os.path.basename(value.rstrip('/'))}"
        shown.append(word)
    return " ".join(shown)


def stamp(device, arguments):
    import torch
    here = os.path.dirname(os.path.abspath(__file__))
    found = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
             "device": device, "command": _command(arguments), "system": _system(),
             "commit": _output("git", "rev-parse", "--short", "HEAD", folder=here),
             "cpu": _cpu(), "cores": os.cpu_count(), "threads": torch.get_num_threads(),
             "versions": _versions()}
    if device == "cuda":
        found["gpu"] = _gpu()
    return found


class ClockReader:
    """The multiprocessors' clock in MHz, where NVIDIA's library can be asked."""

    def __init__(self, device):
        self.library = None
        if device != "cuda":
            return
        try:
            import pynvml
            pynvml.nvmlInit()
            self.handle, self.library = pynvml.nvmlDeviceGetHandleByIndex(0), pynvml
        except Exception:  # numbers without it are as good
            self.library = None

    def read(self):
        if self.library is None:
            return None
        try:
            return self.library.nvmlDeviceGetClockInfo(self.handle, self.library.NVML_CLOCK_SM)
        except Exception:
            return None
