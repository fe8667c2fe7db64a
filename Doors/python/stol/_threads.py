"""Rows in blocks, on as many threads as the process may run at once: libstol lets go of Python's lock."""
from __future__ import annotations

import operator
import os
import threading
import time
# Loaded at once: a process that is forked while a thread imports would wait for that import for ever.
from concurrent.futures.thread import ThreadPoolExecutor
from typing import Callable, Optional, TypeVar

Answer = TypeVar("Answer")
# The rows of a block: an interruption waits for one, and what stands between two calls stays in the cache.
BLOCK = 1 << 16
# Where rows may be dear, a block takes about so many seconds, and a thread more is worth its start for so many rows.
SECONDS, ROWS_OF_A_THREAD = 0.05, 16
_limit: Optional[int] = None


# Held while libstol makes ready what it needs once in a process, while a library is imported, and while the process is
# forked: a child that is forked in between would wait for ever for a thread that it does not have.
forks_wait = threading.RLock()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=forks_wait.acquire, after_in_parent=forks_wait.release, after_in_child=forks_wait.release)


def use_threads(count: Optional[int]) -> None:
    """Sets how many threads a call may have at most: 1 where others share out the work; None for one a processor."""
    global _limit
    if count is not None and operator.index(count) < 1:
        raise ValueError(f"{count} threads")
    _limit = count


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def in_blocks(count: int, work: Callable[[int, int], Answer], block: int = BLOCK) -> list[Answer]:
    """Calls `work` with the first row and the end of each block, and returns what it returns, in order.

    Whatever stops it, no block is at work any more when it returns or raises.
    """
    blocks = [(start, min(start + block, count)) for start in range(0, count, block)]
    threads = min(_limit or _processors(), len(blocks))
    if threads <= 1:
        return [work(*rows) for rows in blocks]
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work, *rows) for rows in blocks]
        try:
            return [future.result() for future in futures]
        except BaseException:
            for future in futures:
                future.cancel()
            raise


def in_short_blocks(count: int, work: Callable[[int, int], Answer], most: int) -> list[Answer]:
    """The same where a row may take a microsecond or a second: blocks of rows, `most` at most, that take about as long each."""
    answers: dict[int, Answer] = {}
    taking = threading.Lock()
    next_row, is_stopped = 0, False

    def ask() -> None:
        nonlocal next_row, is_stopped
        size = 1
        while True:
            with taking:
                start, end = next_row, min(next_row + size, count)
                if is_stopped or start >= count:
                    return
                next_row = end
            begun = time.perf_counter()
            try:
                answers[start] = work(start, end)
            except BaseException:
                is_stopped = True
                raise
            took = time.perf_counter() - begun
            # A few cheap rows do not tell that others are cheap too.
            size = max(1, min(most, 4 * size, int(size * SECONDS / took) if took > 0 else most))
    threads = min(_limit or _processors(), -(-count // ROWS_OF_A_THREAD))
    if threads <= 1:
        ask()
    else:
        with ThreadPoolExecutor(threads) as pool:
            try:
                for future in [pool.submit(ask) for _ in range(threads)]:
                    future.result()
            finally:
                is_stopped = True
    return [answers[start] for start in sorted(answers)]
