"""python -m rlscan doctor: what works here."""

import ctypes
import importlib
import json
import os
import platform
import sys
import warnings

import rlscan
from rlscan import _cache, _load, _registry, _route

WORKS, ABSENT, BROKEN = "works", "absent", "broken"

# Returns of rewards 1, 1, 1 with gamma 0.5 where nothing ends.
REWARDS, RETURNS = [[1.0, 1.0, 1.0]], [[1.75, 1.5, 1.0]]


def _answer(state, detail):
    return {"state": state, "detail": detail}


def _check(result):
    if result == RETURNS:
        return _answer(WORKS, "self-check passed")
    return _answer(BROKEN, f"self-check: expected {RETURNS}, got {result}")


def _numpy():
    numpy = importlib.import_module("numpy")
    rewards = numpy.array(REWARDS, numpy.float32)
    return _check(rlscan.discounted_return(rewards, rewards == 0, gamma=0.5).tolist())


def _torch(device):
    torch = importlib.import_module("torch")
    if device == "cuda" and not torch.cuda.is_available():
        return _answer(ABSENT, "this PyTorch sees no GPU")
    rewards = torch.tensor(REWARDS, device=device)
    eager = _check(rlscan.discounted_return(rewards, rewards == 0, gamma=0.5).tolist())
    if eager["state"] != WORKS:
        return eager
    operator = torch.ops.rlscan.discounted_return
    return _check(operator(rewards, rewards == 0, gamma=0.5).tolist())


def _jax(platform_name):
    jax = importlib.import_module("jax")
    try:
        place = jax.devices(platform_name)[0]
    except RuntimeError:
        return _answer(ABSENT, f"this JAX has no {platform_name}")
    rewards = jax.device_put(jax.numpy.array(REWARDS), place)
    from rlscan import jax as rlscan_jax
    result = rlscan_jax.discounted_return(rewards, rewards == 0, gamma=0.5)
    return _check(result.tolist())


def _attempt(check, *arguments):
    """One self-check; what is not installed is no failure."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return check(*arguments)
    except ImportError as error:
        return _answer(ABSENT, str(error).splitlines()[0])
    except Exception as error:  # whatever it is, the others are still asked
        return _answer(BROKEN, f"{type(error).__name__}: {error}")


def _version(name):
    module = sys.modules.get(name)
    return getattr(module, "__version__", None)


def _gpus():
    """What NVIDIA's driver says, or why it does not."""
    path = os.environ.get("RLSCAN_CUDA_DRIVER", "libcuda.so.1")
    try:
        driver = ctypes.CDLL(path)
    except OSError as error:
        return {"driver": None, "detail": str(error), "devices": []}
    version, count = ctypes.c_int(), ctypes.c_int()
    status = driver.cuInit(0)
    if status != 0:
        return {"driver": None, "detail": f"cuInit gave {status}", "devices": []}
    driver.cuDriverGetVersion(ctypes.byref(version))
    driver.cuDeviceGetCount(ctypes.byref(count))
    devices = []
    for i in range(count.value):
        device, name = ctypes.c_int(), ctypes.create_string_buffer(256)
        major, minor = ctypes.c_int(), ctypes.c_int()
        driver.cuDeviceGet(ctypes.byref(device), i)
        driver.cuDeviceGetName(name, 256, device)
        driver.cuDeviceGetAttribute(ctypes.byref(major), 75, device)
        driver.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)
        devices.append({"name": name.value.decode(), "capability": f"{major.value}.{minor.value}"})
    return {"driver": f"{version.value // 1000}.{version.value % 1000 // 10}", "detail": "",
            "devices": devices}


def _libraries():
    files = sorted(os.listdir(_registry.FOLDER))
    return {"folder": _registry.FOLDER,
            "bytes": sum(os.path.getsize(os.path.join(_registry.FOLDER, f)) for f in files),
            "code_for_gpus": any("_gpu_" in f for f in files)}


def examine():
    """All of it, as what --json prints."""
    checks = {
        "numpy": _attempt(_numpy),
        "torch, cpu": _attempt(_torch, "cpu"),
        "torch, cuda": _attempt(_torch, "cuda"),
        "jax, cpu": _attempt(_jax, "cpu"),
        "jax, cuda": _attempt(_jax, "cuda"),
    }
    return {
        "rlscan": rlscan.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": {name: _version(name) for name in ("numpy", "torch", "jax")},
        "estimators": list(_route.registry),
        "libraries": _libraries(),
        "cuda": _gpus(),
        "checks": checks,
        "compiler": _load.find_compiler(),
        "cache": str(_cache.cache_folder()),
    }


def _print(found):
    cuda, libraries = found["cuda"], found["libraries"]
    print(f"rlscan {found['rlscan']}, Python {found['python']} on {found['machine']}")
    print("packages: " + ", ".join(f"{name} {version}" if version else f"no {name}"
                                   for name, version in found["packages"].items()))
    print(f"estimators: {', '.join(found['estimators'])}")
    print(f"compiled code: {libraries['bytes'] / 1e6:.1f} MB for the CPU"
          + (" and GPUs" if libraries["code_for_gpus"] else ", none for GPUs"))
    if cuda["driver"]:
        print(f"CUDA driver {cuda['driver']}: "
              + (", ".join(f"{d['name']} ({d['capability']})" for d in cuda["devices"])
                 or "no GPU"))
    else:
        print(f"no CUDA driver: {cuda['detail']}")
    for name, check in found["checks"].items():
        print(f"{name}: {check['state']}, {check['detail']}")
    print(f"rlscan.load: {found['compiler'] or 'no compiler; pip install rlscan[compiler]'}, "
          f"cache {found['cache']}")


def main(arguments):
    """The exit code: 1 where something that is there does not work."""
    found = examine()
    if "--json" in arguments:
        print(json.dumps(found, indent=2))
    else:
        _print(found)
    return any(check["state"] == BROKEN for check in found["checks"].values())
