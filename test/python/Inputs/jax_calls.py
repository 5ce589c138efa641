"""A foreign function called as XLA calls it on a GPU, over the tests' driver.

JAX's own GPUs are not there. The frame has the layout of xla/ffi/api/c_api.h, and what it
allocates follows XLA's rule: no alignment above 16.
"""

import ctypes
import mmap
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import fake_device as fake  # noqa: E402

import rlscan  # noqa: E402
from rlscan import _core, _route  # noqa: E402

P, I32, I64, SIZE = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_size_t
FUNCTION = ctypes.CFUNCTYPE(P, P)
F32, F64, BOOL = 11, 12, 1


def struct(*fields):
    """A struct of XLA's: its size and extensions come first."""
    return type("Struct", (ctypes.Structure,),
                {"_fields_": [("size_of", SIZE), ("extensions", P), *fields]})


def made(kind, *values):
    return kind(ctypes.sizeof(kind), None, *values)


Buffer = struct(("dtype", I32), ("data", P), ("rank", I64), ("dims", ctypes.POINTER(I64)))
Buffers = struct(("count", I64), ("types", P), ("buffers", P))
Attributes = struct(("count", I64), ("types", P), ("names", P), ("values", P))
Version = struct(("major", I32), ("minor", I32))
API = ["createError", "getMessage", "destroyError", "registerHandler", "getStream", "registerType",
       "getContext", "setState", "getState", "allocate", "free", "schedule", "threadCount",
       "createFuture", "setAvailable", "setError", "getRunId", "getDeviceOrdinal"]
Api = struct(("version", Version), ("internal", P), *((name, P) for name in API))
Frame = struct(("api", P), ("context", P), ("stage", I32), ("arguments", Buffers),
               ("results", Buffers), ("attributes", Attributes))
Text = type("Text", (ctypes.Structure,), {"_fields_": [("data", ctypes.c_char_p), ("size", SIZE)]})
Scalar = type("Scalar", (ctypes.Structure,), {"_fields_": [("dtype", I32), ("value", P)]})

CreateError = struct(("message", ctypes.c_char_p), ("code", I32))
GetMessage = struct(("error", P), ("message", ctypes.c_char_p))
Allocate = struct(("context", P), ("size", SIZE), ("alignment", SIZE), ("data", P))
Free = struct(("context", P), ("size", SIZE), ("data", P))
StreamGet = struct(("context", P), ("stream", P))
Ordinal = struct(("context", P), ("ordinal", I32))

stream = fake.new_stream(0)
memory_left = [True]
held = {}  # workspace by address
texts = []  # errors by number, less one


def say(text):
    print(text, flush=True)


def error(text):
    texts.append(text)
    return len(texts)


def create_error(arguments):
    return error(CreateError.from_address(arguments).message)


def get_message(arguments):
    asked = GetMessage.from_address(arguments)
    asked.message = texts[asked.error - 1]
    return None


def get_stream(arguments):
    StreamGet.from_address(arguments).stream = stream.value
    return None


def get_ordinal(arguments):
    Ordinal.from_address(arguments).ordinal = 0
    return None


def allocate(arguments):
    asked = Allocate.from_address(arguments)
    if asked.alignment > 16:
        return error(b"Unsupported alignment: %d" % asked.alignment)
    if not memory_left[0]:
        return error(b"Out of memory")
    array = fake.Array((asked.size,), (1, 8))
    held[array.address] = array
    asked.data = array.address
    return None


def free(arguments):
    del held[Free.from_address(arguments).data]
    return None


functions = {"createError": create_error, "getMessage": get_message, "getStream": get_stream,
             "destroyError": lambda arguments: None, "allocate": allocate, "free": free,
             "getDeviceOrdinal": get_ordinal}
functions = {name: FUNCTION(function) for name, function in functions.items()}
api = made(Api, made(Version, 0, 1), None,
           *(ctypes.cast(functions[name], P) if name in functions else None for name in API))


def buffers_of(arrays):
    kept = [made(Buffer, F32 if x.dtype == fake.FLOAT32 else BOOL, x.address, len(x.sizes),
                 (I64 * len(x.sizes))(*x.sizes)) for x in arrays]
    table = (P * len(kept))(*(ctypes.addressof(x) for x in kept))
    return made(Buffers, len(kept), None, ctypes.addressof(table)), (kept, table)


def attributes_of(numbers):
    kept = [(Text(name.encode(), len(name)), Scalar(F64, ctypes.addressof(number)), number)
            for name, number in numbers.items()]
    names = (P * len(kept))(*(ctypes.addressof(text) for text, _, _ in kept))
    values = (P * len(kept))(*(ctypes.addressof(scalar) for _, scalar, _ in kept))
    return made(Attributes, len(kept), None, ctypes.addressof(names),
                ctypes.addressof(values)), (kept, names, values)


recipe = pathlib.Path(sys.argv[1]) / "discounted_return.rls"
rlscan.load(recipe, targets=["cpu:x86-64", "cuda:ptx"], io=["f32"], present=["none"])
loaded = [x for name, x in _route.registry.items() if name.startswith("discounted_return__")][-1]
capsule = _core.jax_handler(loaded.slot, True)
ctypes.pythonapi.PyCapsule_GetPointer.restype = P
ctypes.pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
handler = FUNCTION(ctypes.pythonapi.PyCapsule_GetPointer(capsule, None))


def frame_of(rows, steps):
    reward, target = fake.Array((rows, steps)), fake.Array((rows, steps))
    terminated = fake.Array((rows, steps), fake.BOOL)
    arguments, kept_arguments = buffers_of([reward, terminated])
    results, kept_results = buffers_of([target])
    present = sum(1 << loaded.signature.names.index(name) for name in ("reward", "terminated"))
    attributes, kept = attributes_of({"gamma": ctypes.c_double(0.99), "time_dim": I64(1),
                                      "present": I64(present)})
    frame = made(Frame, ctypes.addressof(api), None, 3, arguments, results, attributes)
    return frame, (kept_arguments, kept_results, kept, reward, terminated, target)


def call(frame):
    failed = handler(ctypes.addressof(frame))
    say(texts[failed - 1].decode() if failed else "done")
    assert not held, "workspace goes back to XLA"


def call_of(rows, steps):
    frame, kept = frame_of(rows, steps)
    call(frame)


say("many rows:")
call_of(4096, 128)
say("few and long ones:")
call_of(2, 1 << 20)
say("again:")
call_of(2, 1 << 20)
say("without memory:")
memory_left[0] = False
call_of(2, 1 << 20)
memory_left[0] = True


# Of other versions ------------------------------------------------------------

libc = ctypes.CDLL(None, use_errno=True)
PAGE = mmap.PAGESIZE
pages = []


def cut(whole, size):
    """The first bytes of a struct, in front of memory that cannot be read."""
    pages.append(mmap.mmap(-1, 2 * PAGE))
    start = ctypes.addressof(ctypes.c_char.from_buffer(pages[-1]))
    assert libc.mprotect(P(start + PAGE), SIZE(PAGE), 0) == 0
    place = start + PAGE - size
    ctypes.memmove(place, ctypes.addressof(whole), size)
    short = type(whole).from_address(place)
    short.size_of = size
    return short


def api_with(size=None, version=(0, 1)):
    other = made(Api, made(Version, *version), None, *(getattr(api, name) for name in API))
    return other if size is None else cut(other, size)


def call_over(other):
    frame, kept = frame_of(4096, 128)
    frame.api = ctypes.addressof(other)
    call(frame)


say("a frame that ends before its attributes:")
frame, kept = frame_of(4096, 128)
call(cut(frame, Frame.attributes.offset))
say("one that has more:")
frame.size_of += 8
call(frame)
say("an interface that ends before a function:")
call_over(api_with(size=Api.getDeviceOrdinal.offset))
say("one that has more:")
longer = api_with()
longer.size_of += 64
call_over(longer)
for version in (1, 0), (0, 0), (0, 9):
    say("version %d.%d:" % version)
    call_over(api_with(version=version))
for table in "arguments", "results", "attributes":
    say(f"a table of {table} that has more:")
    frame, kept = frame_of(4096, 128)
    getattr(frame, table).size_of += 8
    call(frame)
say("a buffer that ends before its sizes:")
frame, kept = frame_of(4096, 128)
buffers = (P * 1).from_address(frame.results.buffers)
buffers[0] = ctypes.addressof(cut(Buffer.from_address(buffers[0]), Buffer.dims.offset))
call(frame)
say("more results:")
frame, kept = frame_of(4096, 128)
frame.results.count = 9
call(frame)

# What it is asked before it is called: type 1, and where the answer goes.
Metadata = type("Struct", (ctypes.Structure,), {"_fields_": [
    ("size_of", SIZE), ("version", Version), ("traits", ctypes.c_uint32)]})
Question = type("Struct", (ctypes.Structure,), {"_fields_": [
    ("size_of", SIZE), ("type", I32), ("next", P), ("metadata", P)]})


def ask(metadata, size=ctypes.sizeof(Question)):
    question = Question(ctypes.sizeof(Question), 1, None, ctypes.addressof(metadata))
    if size < ctypes.sizeof(Question):
        question = cut(question, size)
    frame = made(Frame, ctypes.addressof(api), None, 3)
    frame.extensions = ctypes.addressof(question)
    call(frame)


say("questions:")
metadata = Metadata(Metadata.traits.offset + 4, made(Version, 7, 7), 7)
ask(metadata)
say(f"version {metadata.version.major}.{metadata.version.minor}, traits {metadata.traits}")
ask(metadata, size=Question.metadata.offset)
ask(cut(metadata, Metadata.traits.offset))
