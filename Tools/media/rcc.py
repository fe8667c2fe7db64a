"""Reads files out of the resources of a program that uses Qt, as ``rcc --binary`` writes them."""

import struct
import zlib
from typing import Iterator, NamedTuple, Tuple

import ncbi

MAGIC = b"qres"
HEADER = struct.Struct(">4sIIII")  # magic, version, places of the tree, of the data, of the names
# Name and flags; of a folder how many children it has, and the first; of a file its country and language, and its data.
NODE = struct.Struct(">IHII")
COMPRESSED, FOLDER = 1, 2
VERSIONS = (2, 3)
NODE_BYTES = 22  # with the time of the file


class File(NamedTuple):
    """A file and its path."""
    path: str
    data: bytes


def files(resources: bytes) -> Iterator[File]:
    """All files, uncompressed."""
    magic, version, tree, data, names = HEADER.unpack_from(resources)
    if magic != MAGIC or version not in VERSIONS:
        raise ncbi.DataError(f"resources of Qt of version 2 or 3 are needed, not {magic!r} {version}")

    def node(number: int) -> Tuple[str, int, int, int]:
        name, flags, first, second = NODE.unpack_from(resources, tree + number * NODE_BYTES)
        length, = struct.unpack_from(">H", resources, names + name)
        start = names + name + 6  # after the length and a hash
        return resources[start:start + 2 * length].decode("utf-16-be"), flags, first, second

    waiting = [("", 0)]
    while waiting:
        folder, number = waiting.pop()
        name, flags, first, second = node(number)
        path = f"{folder}/{name}" if number else ""
        if flags & FOLDER:
            waiting.extend((path, second + i) for i in reversed(range(first)))
            continue
        length, = struct.unpack_from(">I", resources, data + second)
        content = resources[data + second + 4:data + second + 4 + length]
        yield File(path, zlib.decompress(content[4:]) if flags & COMPRESSED else content)
