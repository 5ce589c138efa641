# Part of the rlscan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files of npz.test, and what its checks need of NumPy.

make-npz.py make DIR            writes the files, good and malformed
make-npz.py compare A B         fails unless the two archives agree bit for bit
make-npz.py limited BYTES CMD   runs CMD, no file of which may grow past BYTES
"""

import io
import os
import resource
import signal
import struct
import sys
import warnings
import zipfile

import numpy as np


def npy(header, data=b"", version=(1, 0), length=None):
    """An .npy array whose parts need not fit together."""
    header = header.encode()
    size = struct.pack(
        "<H" if version[0] == 1 else "<I",
        len(header) if length is None else length,
    )
    return b"\x93NUMPY" + bytes(version) + size + header + data


def header(descr="'<f4'", shape="(2,)", order="False"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


def saved(array):
    """The .npy array that NumPy writes."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def archive(path, *entries, method=zipfile.ZIP_STORED):
    """A zip archive of (name, bytes), whose names may repeat."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(path, "w", method) as file:
            for name, data in entries:
                file.writestr(name, data)


def patch(path, old, new):
    with open(path, "rb") as file:
        data = file.read()
    assert data.count(old) == 1, path
    write(path, data.replace(old, new))


def numbers(shape, dtype):
    return np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)


# 1, -2, infinity and a NaN.
BFLOATS = np.array([0x3F80, 0xC000, 0x7F80, 0x7FA5], "<u2")


def make_good():
    arrays = {
        "f4": np.array([1.5, -0.0, np.inf], "<f4"),
        "signalling": np.array([0x7F800001, 0xFFC12345], "<u4").view("<f4"),
        "f8": np.array([[0.1], [-1e300]], "<f8"),
        "f2": np.array([65504, 6e-8], "<f2"),
        "bf16": BFLOATS.view("V2").reshape(2, 2),
        "b1": np.array([True, False]),
        "i1": np.array([-128, 127], "i1"),
        "u1": np.array([0, 255], "u1"),
        "i4": np.array([-(2**31), 2**31 - 1], "<i4"),
        "i8": np.array([[2**53 + 1, -(2**63)], [2**63 - 1, 0]], "<i8", order="F"),
        "fortran": np.asfortranarray(numbers((2, 3), "<f4")),
        "fortran3": np.asfortranarray(numbers((2, 3, 4), "<i4")),
        "scalar": np.array(7.0),
        "empty": np.zeros((0, 3), "<f4"),
        "empty_fortran": np.zeros((3, 0, 2), "<f4", order="F"),
        "policy/log_prob": numbers((1, 2), "<f4"),
        "récompense": numbers((2,), "<f4"),
    }
    np.savez("good.npz", **arrays)
    np.savez_compressed("deflated.npz", **arrays)
    np.savez("large.npz", reward=numbers((300, 1000), "<f4"))
    with zipfile.ZipFile("none.npz", "w"):
        pass


def make_good_headers():
    floats = numbers((2,), "<f4").tobytes()
    np.lib.format.write_array(open("v2.npy", "wb"), numbers((2,), "<f4"), (2, 0))
    np.lib.format.write_array(open("v3.npy", "wb"), numbers((2,), "<f4"), (3, 0))
    write("native.npy", npy(header("'=f4'"), floats))
    write("padded.npy", npy(header() + " " * 200 + "\n", floats))
    write(
        "order.npy",
        npy('{"shape":(2,),"fortran_order":True,"descr":"<f4"}', floats),
    )
    write("bf16.npy", npy(header("'<V2'", "(4,)"), BFLOATS.tobytes()))


def make_bad_containers():
    good = saved(numbers((2, 2), "<f4"))
    write("empty.npz", b"")
    write("text.npz", b"reward 1 2 3\n" * 100)
    os.makedirs("directory.npz", exist_ok=True)
    archive("truncated.npz", ("reward.npy", good))
    with open("truncated.npz", "r+b") as file:
        file.truncate(150)
    archive("readme.npz", ("reward.npy", good), ("README", b"text"))
    archive("nameless.npz", (".npy", good))
    archive("twice.npz", ("reward.npy", good), ("reward.npy", good))
    archive("crc.npz", ("done.npy", good), ("reward.npy", saved(np.array(1.25))))
    patch("crc.npz", np.array(1.25).tobytes(), np.array(1.5).tobytes())
    archive("lzma.npz", ("reward.npy", good), method=zipfile.ZIP_LZMA)
    # An entry of 1 GiB, if its record and its header were to be believed.
    bomb = npy(header(shape="(268435456,)"))
    archive("bomb.npz", ("reward.npy", bomb), method=zipfile.ZIP_DEFLATED)
    with open("bomb.npz", "r+b") as file:
        record = file.read().index(b"PK\x01\x02")
        file.seek(record + 24)
        file.write(struct.pack("<I", len(bomb) + 2**30))


def make_bad_arrays():
    data = bytes(8)
    bad = {
        "short": npy(header(shape="(512,)"), bytes(512)),
        "long": npy(header(), bytes(9)),
        "nothing": b"",
        "magic": b"\x93NUMPX" + npy(header(), data)[6:],
        "version": npy(header(), data, version=(4, 0)),
        "cut_magic": b"\x93NUM",
        "cut_length": b"\x93NUMPY\x02\x00\x10\x00",
        "cut_header": npy(header(), data, length=1000),
        "huge_header": npy(header(), data, version=(2, 0), length=2**32 - 1),
        "list": npy("['<f4', False, (2,)]\n", data),
        "blank": npy("   \n", data),
        "unclosed": npy("{'descr': '<f4', 'fortran_order': False\n", data),
        "unquoted": npy("{'descr\n", data),
        "no_shape": npy("{'descr': '<f4', 'fortran_order': False}\n", data),
        "key": npy("{'descr': '<f4', 'strides': (4,)}\n", data),
        "repeated": npy("{'descr': '<f4', 'descr': '<f4'}\n", data),
        "tail": npy(header() + "[]", data),
        "truth": npy(header(order="1"), data),
        "no_tuple": npy(header(shape="2"), data),
        "parentheses": npy(header(shape="(2)"), data),
        "comma": npy(header(shape="(,)"), data),
        "letters": npy(header(shape="(2x, 3)"), data),
        "negative": npy(header(shape="(3, -1)"), data),
        "huge": npy(header(shape="(9223372036854775808,)"), data),
        "endless": npy(header(shape="(" + "9" * 50000 + ",)"), data),
        "product": npy(header(shape="(4294967296, 4294967296)"), data),
        "empty_product": npy(header(shape="(0, 4294967296, 4294967296)"), data),
        "rank": npy(header(shape="(" + "1, " * 65 + ")"), data),
        "big_endian": saved(numbers((2,), ">f4")),
        "complex": saved(numbers((2,), "<c8")),
        "object": saved(np.array([None])),
        "string": saved(np.array(["a"])),
        "u2": saved(numbers((2,), "<u2")),
        "record": saved(np.zeros(2, [("reward", "<f4"), ("done", "?")])),
        "newline": npy(header("'<f4\n\x1b'"), data),
    }
    for name, array in bad.items():
        archive(f"{name}.npz", (f"{name}.npy", array))
    write("short.npy", bad["short"])
    write("long.npy", bad["long"])
    write("no-array.npy", b"reward 1 2 3\n")
    write("empty.npy", b"")


def make(directory):
    os.makedirs(directory, exist_ok=True)
    os.chdir(directory)
    make_good()
    make_good_headers()
    make_bad_containers()
    make_bad_arrays()


def compare(path_a, path_b):
    with np.load(path_a) as a, np.load(path_b) as b:
        assert a.files == b.files, (a.files, b.files)
        for name in a.files:
            x, y = a[name], b[name]
            assert (x.dtype, x.shape) == (y.dtype, y.shape), name
            assert x.tobytes() == y.tobytes(), name
            assert y.flags.c_contiguous, name
    for entry in zipfile.ZipFile(path_b).infolist():
        assert entry.compress_type == zipfile.ZIP_STORED, entry
        assert entry.date_time == (1980, 1, 1, 0, 0, 0), entry


def limited(size, *command):
    # Past the limit a write fails, as on a full disk.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
    os.execvp(command[0], command)


if __name__ == "__main__":
    {"make": make, "compare": compare, "limited": limited}[sys.argv[1]](*sys.argv[2:])
