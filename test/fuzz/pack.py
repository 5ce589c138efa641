"""Images to start the fuzzer from: how much they unpack to, and a zlib stream."""

import os
import random
import sys
import zlib

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
numbers = random.Random(1)
contents = [b"", b"a" * 300, bytes(range(256)) * 3, numbers.randbytes(200)]
for i, content in enumerate(contents):
    for level in (0, 1, 6, 9):
        packed = zlib.compress(content, level)
        with open(f"{folder}/{i}-{level}", "wb") as file:
            file.write(len(content).to_bytes(2, "little") + packed)
