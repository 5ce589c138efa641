"""Arrays that say they are on a GPU, over the tests' driver, which runs no kernel.

A type with DLPack's exchange functions, as PyTorch's tensors have them; its memory is
the driver's. What a call does to the driver is seen by FAKE_TRACE=1.
"""

import ctypes
import os

IS_AMD = "RLSCAN_HIP_DRIVER" in os.environ
driver = ctypes.CDLL(os.environ["RLSCAN_HIP_DRIVER" if IS_AMD else "RLSCAN_CUDA_DRIVER"])
P, I32, I64, U64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64
FLOAT32, BOOL = (2, 32), (6, 8)
KIND = 10 if IS_AMD else 2  # as DLPack counts them


class Device(ctypes.Structure):
    _fields_ = [("type", I32), ("id", I32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", P), ("device", Device), ("ndim", I32), ("dtype", DataType),
                ("shape", ctypes.POINTER(I64)), ("strides", ctypes.POINTER(I64)),
                ("byte_offset", U64)]


class VersionedTensor(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32 * 2), ("context", P), ("deleter", P),
                ("flags", U64), ("tensor", Tensor)]


def must(status):
    assert status == 0, f"the driver gave {status}"


_contexts, current_streams = {}, {}


def use(device):
    if IS_AMD:
        must(driver.hipSetDevice(device))
        return
    if device not in _contexts:
        must(driver.cuInit(0))
        context, handle = P(), ctypes.c_int()
        must(driver.cuDeviceGet(ctypes.byref(handle), device))
        must(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), handle))
        _contexts[device] = context
    must(driver.cuCtxPushCurrent_v2(_contexts[device]))


def leave():
    if not IS_AMD:
        must(driver.cuCtxPopCurrent_v2(ctypes.byref(P())))


def new_stream(device):
    use(device)
    stream = P()
    create = driver.hipStreamCreateWithFlags if IS_AMD else driver.cuStreamCreate
    must(create(ctypes.byref(stream), 1))
    leave()
    current_streams[device] = stream.value
    return stream


class Array:
    requires_grad = False

    def __init__(self, sizes, dtype=FLOAT32, device=0):
        self.sizes, self.dtype, self.device = tuple(sizes), dtype, device
        count = dtype[1] // 8
        for size in sizes:
            count *= size
        address = U64()
        use(device)
        allocate = driver.hipMalloc if IS_AMD else driver.cuMemAlloc_v2
        must(allocate(ctypes.byref(address), ctypes.c_size_t(max(count, 1))))
        leave()
        self.address = address.value
        self._shape = (I64 * len(self.sizes))(*self.sizes)

    def describe(self, tensor):
        tensor.data, tensor.device = self.address, Device(KIND, self.device)
        tensor.ndim, tensor.dtype = len(self.sizes), DataType(*self.dtype, 1)
        tensor.shape = ctypes.cast(self._shape, ctypes.POINTER(I64))
        tensor.strides, tensor.byte_offset = None, 0


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Tensor), ctypes.POINTER(P), P, P)
def _allocate(prototype, out, context, set_error):
    like = prototype.contents
    if like.device.type != KIND:
        return -1
    made = Array(like.shape[:like.ndim], (like.dtype.code, like.dtype.bits), like.device.id)
    _made.append(made)
    out[0] = len(_made)  # a handle, for _to_object alone
    return 0


@ctypes.CFUNCTYPE(ctypes.c_int, P, ctypes.POINTER(P))
def _to_object(handle, out):
    made = _made[handle - 1]
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    out[0] = id(made)
    return 0


@ctypes.CFUNCTYPE(ctypes.c_int, P, P)
def _from_object(handle, out):
    return -1


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))
def _view(array, out):
    array.describe(out.contents)
    return 0


@ctypes.CFUNCTYPE(ctypes.c_int, I32, I32, ctypes.POINTER(P))
def _current_stream(device_type, device, out):
    out[0] = current_streams.get(device)
    return 0 if device_type == KIND else -1


class ExchangeApi(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32 * 2), ("previous", P), ("allocate", P),
                ("fromObject", P), ("toObject", P), ("view", P), ("currentStream", P)]


_made = []
_api = ExchangeApi((1, 2), None, *(ctypes.cast(function, P) for function in (
    _allocate, _from_object, _to_object, _view, _current_stream)))
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [P, ctypes.c_char_p, P]
_name = b"dlpack_exchange_api"  # which the capsule points to
Array.__dlpack_c_exchange_api__ = _new_capsule(ctypes.addressof(_api), _name, None)
