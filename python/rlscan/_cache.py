"""What rlscan.load has compiled, on disk.

An entry is a folder that is made elsewhere and then renamed, so that any number of
processes may load, and nobody sees half of one; it has the digests of its files. Each
file is opened once, by a descriptor of its folder, and what is looked at, digested and
loaded is what that gave, whatever happens to the names meanwhile.
"""

import atexit
import contextlib
import errno
import fcntl
import hashlib
import itertools
import json
import os
import pathlib
import shutil
import stat
import tempfile
import warnings

# The file of an entry with the digests of the others; the last one written.
_DIGESTS = "digests"

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
# A pipe is opened without waiting for who writes into it.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY

_counter = itertools.count()


def cache_folder():
    """$RLSCAN_CACHE_DIR, or rlscan in the user's cache folder."""
    named = os.environ.get("RLSCAN_CACHE_DIR")
    if named:
        return pathlib.Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "rlscan"


def _check_private(descriptor, name):
    """What an entry has is executed: it is the user's, nobody else can write to it, and a
    file has no other name."""
    status = os.fstat(descriptor)
    is_folder = stat.S_ISDIR(status.st_mode)
    if (status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
            or not (is_folder or (stat.S_ISREG(status.st_mode) and status.st_nlink == 1))):
        raise PermissionError(errno.EPERM, "not the user's alone", str(name))


@contextlib.contextmanager
def _opened(name, flags, folder=None):
    descriptor = os.open(name, flags, dir_fd=folder)
    try:
        _check_private(descriptor, name)
        yield descriptor
    finally:
        os.close(descriptor)


def _read(name, folder):
    with _opened(name, _FILE, folder) as descriptor:
        with open(descriptor, "rb", closefd=False) as file:
            return file.read()


def _digest(data):
    return hashlib.sha256(data).hexdigest()


def read_entry(cache, name):
    """The bytes of an entry's files by their names; None where it is not what was put
    there, or not the user's alone."""
    try:
        with _opened(cache, _FOLDER) as parent, _opened(name, _FOLDER, parent) as folder:
            files = {file: _read(file, folder) for file in os.listdir(folder)}
        digests = json.loads(files.pop(_DIGESTS, b""))
    except (OSError, ValueError):
        return None
    return files if digests == {file: _digest(data) for file, data in files.items()} else None


def make_entry(cache, name, fill):
    """Makes an entry, which fill(folder) fills, unless another process is first: its is
    the same."""
    entry = cache / name
    made = pathlib.Path(tempfile.mkdtemp(dir=cache, prefix=".making-"))
    try:
        fill(made)
        for file in made.iterdir():
            file.chmod(0o600)  # whatever the umask
        digests = {file.name: _digest(file.read_bytes()) for file in made.iterdir()}
        (made / _DIGESTS).touch(0o600)
        (made / _DIGESTS).write_text(json.dumps(digests))
        os.rename(made, entry)
    except OSError:
        if not entry.is_dir():
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


# Where entries are ------------------------------------------------------------


def _temporary_folder():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rlscan-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def own_folder(why, depth):
    """A folder for this process alone."""
    warnings.warn(f"{why}; what is compiled is kept for this process alone", stacklevel=depth)
    return _temporary_folder()


def private_cache():
    """The cache, or a folder for this process alone where others could write to it or
    there can be none. It may be one that can be read alone."""
    try:
        folder = cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # no home is a RuntimeError
        return own_folder(f"there is no cache: {error}", depth=5)
    try:
        with _opened(folder, _FOLDER):
            return folder
    except OSError:
        return own_folder(f"{folder} is not used: others could write to it, or it is another's; "
                          "expected a folder of yours with mode 0700", depth=5)


def can_write(folder):
    try:
        os.rmdir(tempfile.mkdtemp(dir=folder, prefix=".making-"))
    except OSError:
        return False
    return True


# How a library is loaded from its bytes ---------------------------------------


def _in_memory(name, data):
    """A descriptor of a file that has no name on disk, and that nobody can change."""
    executable = 0x10  # MFD_EXEC; before Linux 6.3 all are, and the word is not known
    flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
    try:
        descriptor = os.memfd_create(name, flags | executable)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        descriptor = os.memfd_create(name, flags)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW
                | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)
    return descriptor


def path_of_library(name, data):
    """A path that a library with these bytes can be loaded from, as long as the process
    lives. No two are spelled alike, for the loader knows libraries by that."""
    try:
        path = f"/proc/self/fd{'/.' * next(_counter)}/{_in_memory(name, data)}"
        os.stat(path)
    except OSError:
        path = _temporary_folder() / name
        path.write_bytes(data)
    return str(path)
