"""Runs the peers, one process after another; their indexes stay in ``.build-bench/peers``."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Type

import common
from common import Extent
from peers.fuzzy import RapidFuzz
from peers.known import PEERS
from peers.peer import Peer

HARNESS = Path(__file__).resolve().parents[1]
TIMEOUT = 1_800         # seconds for one process of a peer
QUICK_SECONDS = 20      # no further peer is begun after this in a quick run


def python_with(kind: Type[Peer]) -> Optional[Path]:
    """The Python that has what a peer needs, or None where it cannot be installed."""
    if not kind.packages:
        return Path(sys.executable)
    return common.environment("-".join(kind.package_names()), kind.packages)


class Failure(Exception):
    """Why a peer has no figures."""


class Absent(Failure):
    """It is not to be had here, or not asked."""


class Run:
    """One run of the comparison: where its files lie and what is asked."""

    def __init__(self, data: common.Data, asked: Dict[str, List[Any]], extent: Extent,
                 seconds: float) -> None:
        self.started = time.monotonic()
        self.data = data
        self.extent = extent
        self.asked = asked
        self.seconds = seconds
        self.folder = common.WORK / "peers" / data.name
        self.folder.mkdir(parents=True, exist_ok=True)

    def child(self, python: Path, name: str, *options: str) -> Dict[str, Any]:
        """What a process of a peer writes."""
        source, target = self.folder / f"{name}.in.json", self.folder / f"{name}.out.json"
        source.write_text(json.dumps({
            "database": str(self.data.database), "folder": str(self.folder / name),
            "seconds": self.seconds, "questions": self.asked}))
        target.unlink(missing_ok=True)
        try:
            done = subprocess.run(
                [str(python), "-m", "peers.child", "--peer", name, "--input", str(source),
                 "--output", str(target), *options],
                cwd=HARNESS, capture_output=True, text=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise Failure(f"not done after {TIMEOUT} s")
        if done.returncode != 0 or not target.exists():
            last = (done.stderr.strip().splitlines() or [f"code {done.returncode}"])[-1]
            raise Failure(f"failed: {last}")
        result: Dict[str, Any] = json.loads(target.read_text())
        source.unlink()
        target.unlink()
        return result

    def built(self, python: Path, name: str) -> float:
        """Seconds that building the index took, now or when it was made."""
        folder, stamp = self.folder / name, self.folder / f"{name}.built.json"
        made_from = self.data.database.stat()
        newest = max(file.stat().st_mtime_ns for file in Path(__file__).parent.glob("*.py"))
        current = {"size": made_from.st_size, "time": made_from.st_mtime_ns, "script": newest}
        if stamp.exists():
            known = json.loads(stamp.read_text())
            if known["made_from"] == current:
                return float(known["build_s"])
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        seconds = float(self.child(python, name, "--build")["build_s"])
        stamp.write_text(json.dumps({"made_from": current, "build_s": seconds}))
        return seconds

    def peer(self, name: str) -> Dict[str, Any]:
        kind = PEERS[name]
        if self.extent is Extent.SMOKE and kind.is_compiled:
            raise Absent("not part of a smoke run, for it is compiled when it is installed")
        if self.extent is Extent.QUICK and not kind.is_quick:
            raise Absent("not part of a quick run")
        if self.extent is Extent.QUICK and time.monotonic() - self.started > QUICK_SECONDS:
            raise Absent("no time left in a quick run")
        reason = kind(self.data.database, self.folder / name).reason_to_skip()
        if reason:
            raise Absent(reason)
        python = python_with(kind)
        if python is None:
            raise Absent(f"could not install {' '.join(kind.packages)} from PyPI")
        build_s = self.built(python, name)
        return {**self.child(python, name), "build_s": build_s}

    def near(self) -> Optional[List[Set[str]]]:
        """The oracle's answers, or None where it cannot be installed."""
        python = python_with(RapidFuzz)
        if python is None:
            return None
        return [set(names) for names in self.child(python, "oracle")["near"]]
