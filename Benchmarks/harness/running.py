"""What running a command takes, as a whole process: time, memory, throughput."""

import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Dict, NamedTuple, Optional, Sequence

import usage


def clean_environment() -> Dict[str, str]:
    """The environment without what would make stol ask another pack."""
    return {name: value for name, value in os.environ.items() if not name.startswith("STOL_")}


def must_succeed(command: Sequence[str], status: int) -> None:
    if status != 0:
        raise SystemExit(f"bench: {' '.join(command)} failed with status {status}")


class Duration(NamedTuple):
    """How long a command took, in seconds."""

    wall: float   # from spawning it to its end
    cpu: float    # what it worked itself, user and system: other work on the machine matters less


def lasted(start: float, spent: Any) -> Duration:
    return Duration(time.perf_counter() - start, spent.ru_utime + spent.ru_stime)


def duration(command: Sequence[str]) -> Duration:
    to_nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    environment = clean_environment()
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, environment, file_actions=to_nothing)
    _, status, spent = os.wait4(process, 0)
    took = lasted(start, spent)
    must_succeed(command, status)
    return took


def throughput(command: Sequence[str], lines: Path) -> Duration:
    """How long a command takes from a file to a pipe whose reader throws all away."""
    with lines.open("rb") as stdin:
        start = time.perf_counter()
        reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        writer = subprocess.Popen(command, stdin=stdin, stdout=reader.stdin,
                                  env=clean_environment())
        reader.stdin.close()
        _, status, spent = os.wait4(writer.pid, 0)
        writer.returncode = os.waitstatus_to_exitcode(status)
        reader.wait()
        took = lasted(start, spent)
    must_succeed(command, status)
    return took


class Peak(NamedTuple):
    """The most memory of a process, in bytes."""

    resident: int
    anonymous: int   # of the resident, at the end; -1 where not known


def peak(command: Sequence[str], stdin: str = os.devnull) -> Peak:
    """The peak RSS of a command.

    ``ru_maxrss`` would not do: it survives exec, so what is spawned here never has less than this
    interpreter.  The process is traced instead, stopped where it exits, and its high-water mark
    read; where tracing is forbidden, ``ru_maxrss`` has to do.
    """
    libc = ctypes.CDLL(None)
    trace_me, go_on, set_options = 0, 7, 0x4200
    trace_exit, kill_on_exit, exit_event = 0x40, 0x100000, 6

    def ptrace(request: int, process: int, argument: int) -> int:
        return libc.ptrace(ctypes.c_long(request), ctypes.c_long(process), None,
                           ctypes.c_void_p(argument))

    process = os.fork()
    if process == 0:
        try:
            for number, path in ((0, stdin), (1, os.devnull), (2, os.devnull)):
                os.dup2(os.open(path, os.O_RDWR if number else os.O_RDONLY), number)
            ptrace(trace_me, 0, 0)
            os.execve(command[0], list(command), clean_environment())
        finally:
            os._exit(127)
    found: Optional[Peak] = None
    is_first = True
    while True:
        _, status, spent = os.wait4(process, 0)
        if not os.WIFSTOPPED(status):
            break
        delivered = os.WSTOPSIG(status)
        if is_first:
            ptrace(set_options, process, trace_exit | kill_on_exit)
            is_first = False
        if status >> 8 == signal.SIGTRAP | exit_event << 8:
            fields = usage.kilobytes(Path(f"/proc/{process}/status"))
            found = Peak(fields["VmHWM"] * 1024, fields["RssAnon"] * 1024)
        ptrace(go_on, process, 0 if delivered == signal.SIGTRAP else delivered)
    must_succeed(command, status)
    return found or Peak(usage.resident_bytes(spent.ru_maxrss), -1)
