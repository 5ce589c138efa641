"""Whether two folders have the same wheels, byte by byte: same-wheels.py FOLDER FOLDER.

Where they differ, prints which files, or which entries of the archive, do.
"""

import hashlib
import pathlib
import sys
import zipfile


def entries(wheel):
    """What an archive has of each file: its place, its attributes and its bytes."""
    with zipfile.ZipFile(wheel) as archive:
        for place, info in enumerate(archive.infolist()):
            yield info.filename, {
                "place": place, "time": info.date_time, "mode": oct(info.external_attr >> 16),
                "bytes": hashlib.sha256(archive.read(info)).hexdigest()}


def difference(one, other):
    one, other = dict(entries(one)), dict(entries(other))
    for name in sorted(one.keys() | other.keys()):
        a, b = one.get(name, {}), other.get(name, {})
        for what in sorted(a.keys() | b.keys()):
            if a.get(what) != b.get(what):
                print(f"  {name}: {what} {a.get(what)}, {b.get(what)}")


def main(*folders):
    wheels = [sorted(pathlib.Path(folder).glob("*.whl")) for folder in folders]
    names = [[wheel.name for wheel in found] for found in wheels]
    if not names[0] or names[0] != names[1]:
        sys.exit(f"other wheels: {names[0]}, {names[1]}")
    differ = 0
    for one, other in zip(*wheels):
        if one.read_bytes() == other.read_bytes():
            print(f"{one.name}: {one.stat().st_size} bytes, the same")
            continue
        print(f"{one.name}: differs")
        difference(one, other)
        differ += 1
    print(f"{len(names[0])} wheels, {differ} differ")
    sys.exit(differ > 0)


main(*sys.argv[1:])
