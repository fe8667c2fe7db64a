"""Where packs are: each file once, and the taxonomy that is installed."""
from __future__ import annotations

import io
import mmap
import os
import stat
import struct
import threading
import zlib
from typing import Any, Iterator, Optional, Union

from ._library import PackError
from ._pack import Pack

Path = Union[str, "os.PathLike[str]"]

_opened: dict[str, tuple[tuple[int, ...], Pack]] = {}
_lock = threading.Lock()


def _after_fork() -> None:
    """Another thread may have held the lock; the mappings and what stands in them are the child's too."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def open(path: Optional[Path] = None) -> Pack:
    """The pack at a path: the same one each time, until the file is another.

    Without a path it is the taxonomy that is installed: the file that STOL_PACK names, else the database that the command
    `stol` has imported and that is active, as the command has it too; then that of the package stol-data; then the one
    that the command carries inside, which may be of another release.

    A file is replaced by renaming another one to its name, and never by copying over it: pages that are gone from under
    a pack that is open end the process when they are read. Where its time of change is another, as `touch` sets it too,
    a pack that is open raises PackError, and this gives a new one.

    It is closed when nothing refers to it and another file has taken its place, or by its `close`.
    """
    name = os.path.abspath(os.fspath(installed() if path is None else path))
    status = os.stat(name)
    stamp = (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)
    with _lock:
        known = _opened.get(name)
        if known and known[0] == stamp and not known[1].is_closed:
            return known[1]
        pack = Pack(name)
        _opened[name] = (stamp, pack)
        return pack


def reopened(path: str, mark: str) -> Pack:
    """The pack that was pickled, where its file is still the same."""
    pack = open(path)
    if pack._mark != mark:
        raise PackError(f"{path} is another pack than the one that was pickled, whose taxa are not its taxa: keep ids, "
                        f"and ask for them in stol.open({path!r})")
    return pack


def installed() -> Path:
    """The file of the taxonomy that is installed."""
    found = os.environ.get("STOL_PACK") or _reference() or _of_package() or _of_command()
    if not found:
        raise FileNotFoundError(
            "no taxonomy is installed: pip install stol-data, or install the command stol, or name a pack: "
            "stol.open(\"TAXA.stolpack\"), or STOL_PACK in the environment")
    return found


def _home() -> Optional[str]:
    """The folder in which the command keeps what was imported; None where nobody says where that is."""
    home = os.environ.get("STOL_HOME")
    data = os.environ.get("XDG_DATA_HOME", "")
    if home and not home.startswith("/"):
        raise OSError(f"STOL_HOME leads to {home}, which depends on the current folder: set it to a path that begins with /")
    if home:
        return home
    return data + "/stol" if data.startswith("/") else _of_user(".local/share/stol")


def _of_user(name: str) -> Optional[str]:
    """A folder of the user's; None where the user has none."""
    path = os.path.expanduser(f"~/{name}")
    return path if path.startswith("/") else None


def _reference() -> Optional[str]:
    """The pack of the imported database, if it is active: Format/DATABASE.md, "Where it is installed"."""
    home = _home()
    if home is None:
        return None
    folder = f"{home}/Databases"
    try:
        with io.open(f"{folder}/reference.txt", encoding="utf-8", errors="replace") as file:
            lines = file.read(1 << 12).split("\n")
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        # The command passes over what it may not look at too.
        return None
    facts = dict(line.split(" ", 1) for line in lines[1:-1] if " " in line)
    number = facts.get("generation", "")
    if lines[0] != "stol-reference-1" or not number.isdecimal() or facts.get("active") not in ("yes", "no"):
        raise PackError(f"{folder}/reference.txt is damaged; to install the database again: stol db import FILE.stol")
    if facts["active"] == "no":
        return None
    path = f"{folder}/reference-{int(number)}/reference.stolpack"
    for part in (path, os.path.dirname(path), folder, os.path.dirname(folder)):
        _require_own(part)
    return path


def _require_own(path: str) -> None:
    """Whoever can change what others trust, could answer in its place."""
    status = os.stat(path)
    if hasattr(os, "geteuid") and status.st_uid not in (0, os.geteuid()):
        raise PermissionError(f"{path}: belongs to user {status.st_uid}, who could have put another database there; "
                              "name a pack: stol.open(\"TAXA.stolpack\")")
    others = stat.S_IWOTH if status.st_gid == status.st_uid else stat.S_IWOTH | stat.S_IWGRP
    if status.st_mode & others:
        raise PermissionError(f"{path}: others can write there, and so exchange databases: take that away with chmod go-w")


def _of_package() -> Optional[str]:
    try:
        import stol_data  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    return os.fspath(stol_data.PATH)


def _of_command() -> Optional[str]:
    """A copy of the pack that a command carries inside."""
    places = [os.path.join(folder, "stol") for folder in os.get_exec_path()]
    command = next((place for place in places if os.path.isfile(place) and os.access(place, os.X_OK)), None)
    if not command or not os.access(command, os.R_OK):
        return None
    with io.open(command, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return None
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as program:
            for start, length, checksum in _packs_in(program):
                return _copied(f"built-in-{checksum:08x}-{length}.stolpack", program[start:start + length], command)
    return None


def _copied(name: str, content: bytes, command: str) -> str:
    """A file of this content in the user's folder of what can be made again, else in that of what is temporary."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    cached = cache + "/stol" if cache.startswith("/") else _of_user(".cache/stol")
    temporary = os.environ.get("TMPDIR", "")
    user = f"stol-{os.geteuid()}" if hasattr(os, "geteuid") else "stol"
    failures = []
    for folder in (cached, os.path.join(temporary if temporary.startswith("/") else "/tmp", user)):
        if folder is None:
            continue
        path = os.path.join(folder, name)
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            _require_own(folder)
            if not _has(path, content):
                _write(path, content)
            _require_own(path)
            return path
        except OSError as error:
            failures.append(str(error))
    raise OSError(f"the taxonomy inside {command} can be copied nowhere ({'; '.join(failures)}): set XDG_CACHE_HOME to a folder "
                  "that you can write to, or name a pack: stol.open(\"TAXA.stolpack\"), or STOL_PACK in the environment")


def _has(path: str, content: bytes) -> bool:
    """Whether a file has this content, which it has not where it was cut off."""
    try:
        with io.open(path, "rb") as file:
            return os.fstat(file.fileno()).st_size == len(content) and file.read() == content
    except FileNotFoundError:
        return False


def _packs_in(program: Any) -> Iterator[tuple[int, int, int]]:
    """Where packs start in a program, their lengths, and the checksums of their headers: Format/PACK.md, section 2."""
    start = program.find(_MAGIC)
    while start >= 0:
        header = program[start:start + 128]
        if start % 64 == 0 and len(header) == 128:
            (length,), (checksum,) = struct.unpack_from("<Q", header, 16), struct.unpack_from("<I", header, 124)
            if zlib.crc32(header[:124]) == checksum and start + length <= len(program):
                yield start, length, checksum
        start = program.find(_MAGIC, start + 1)


_MAGIC = b"\x89STOL\r\n\x1a"


def _write(path: str, content: bytes) -> None:
    name = f"{path}.{os.urandom(8).hex()}"
    number = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
