"""What the system knows about memory: of a process, of this one, and what is free."""

import os
import resource
import sys
from pathlib import Path
from typing import Dict


def kilobytes(path: Path) -> Dict[str, int]:
    """The fields of a /proc file that are given in kB; none where there is no such file."""
    fields = {}
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return {}
    for line in lines:
        if line.endswith(" kB"):
            name, value = line[:-3].split(":")
            fields[name] = int(value)
    return fields


def resident_bytes(maxrss: int) -> int:
    """The most resident memory, from the unit that getrusage has on this system."""
    return maxrss if sys.platform == "darwin" else maxrss * 1024


def own_peak() -> int:
    """The most bytes of this process; what forked it may count in getrusage, not here."""
    status = kilobytes(Path("/proc/self/status"))
    if "VmHWM" in status:
        return status["VmHWM"] * 1024
    return resident_bytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def available() -> int:
    """Bytes that a new process can have, or all that there are where that is not known."""
    memory = kilobytes(Path("/proc/meminfo"))
    if "MemAvailable" in memory:
        return memory["MemAvailable"] * 1024
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
