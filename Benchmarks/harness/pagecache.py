"""The page cache: what it holds of a file, and how files are made cold.  Linux only."""

import ctypes
import mmap
import os
import time
from pathlib import Path
from typing import Any, Iterable, Optional

PAGE = os.sysconf("SC_PAGE_SIZE")
LIBC = ctypes.CDLL(None, use_errno=True)
# A cold cache may still hold so many pages of a file.
FEW_PAGES = 16


class CachedFile:
    """What the page cache holds of a file, and how to take it away."""

    def __init__(self, path: Path) -> None:
        self.number = os.open(path, os.O_RDONLY)
        self.byte_count = os.fstat(self.number).st_size
        # Private and writable only so that ctypes may have its address; never touched.
        self.mapping = mmap.mmap(self.number, self.byte_count, flags=mmap.MAP_PRIVATE,
                                 prot=mmap.PROT_READ | mmap.PROT_WRITE)
        self.pages = ctypes.create_string_buffer((self.byte_count + PAGE - 1) // PAGE)

    def __enter__(self) -> "CachedFile":
        return self

    def __exit__(self, *_: Any) -> None:
        self.mapping.close()
        os.close(self.number)

    def cached_pages(self) -> int:
        """The number of pages in the cache, whoever brought them there."""
        first = ctypes.c_char.from_buffer(self.mapping)
        try:
            if LIBC.mincore(ctypes.c_void_p(ctypes.addressof(first)),
                            ctypes.c_size_t(self.byte_count), self.pages) != 0:
                raise OSError(ctypes.get_errno(), "mincore")
        finally:
            del first
        return len(self.pages) - self.pages.raw.count(b"\0")

    def drop(self, offset: int = 0, byte_count: int = 0) -> None:
        """Takes out what nobody has mapped; a count of 0 means up to the end."""
        os.posix_fadvise(self.number, offset, byte_count, os.POSIX_FADV_DONTNEED)


def write_back(paths: Iterable[Path]) -> None:
    """Makes the pages of files clean: dirty ones cannot be dropped."""
    for path in paths:
        number = os.open(path, os.O_RDONLY)
        os.fsync(number)
        os.close(number)


def make_cold(paths: Iterable[Path]) -> int:
    """Drops files from the page cache; the most pages that are left of one of them."""
    most = 0
    for path in paths:
        with CachedFile(path) as file:
            for _ in range(5):
                file.drop()
                left = file.cached_pages()
                if left <= FEW_PAGES:
                    break
                time.sleep(0.01)
            most = max(most, left)
    return most


def read_ahead_kilobytes(path: Path) -> Optional[int]:
    """How much the disk of a file brings in around a page that is missing."""
    device = os.stat(path).st_dev
    setting = Path(f"/sys/class/bdi/{os.major(device)}:{os.minor(device)}/read_ahead_kb")
    try:
        return int(setting.read_text())
    except OSError:
        return None
