"""What a peer is: a system that answers some of the questions that stol answers."""

import re
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence

import common

EDITS = 2
PREFIX_LIMIT = 10

Question = Any          # a text, or two ids
Answer = Any            # names, or an id or None
Ask = Callable[[Question], Answer]


class Peer(ABC):
    """A system that answers some of the works; `folder` is where its index lies."""

    system = ""
    works: Sequence[str] = ()
    packages: Sequence[str] = ()
    is_quick = False        # whether it takes part in a quick run
    is_compiled = False     # whether installing it compiles it, which takes minutes
    note = ""

    def __init__(self, database: Path, folder: Path) -> None:
        self.database = database
        self.folder = folder

    @classmethod
    def package_names(cls) -> List[str]:
        return [re.split(r"[\[<>=]", package)[0] for package in cls.packages]

    def reason_to_skip(self) -> str:
        return ""

    def version(self) -> str:
        from importlib.metadata import version
        return version(self.package_names()[0])

    def build(self) -> None:
        """Writes the index into the empty folder."""

    def load(self) -> None:
        """Opens what `build` has written; what this takes is reported."""

    @abstractmethod
    def ask(self, work: str) -> Ask:
        """What answers the questions of a work."""

    def empty(self) -> Ask:
        """A question that does nothing, asked as the others are."""
        return lambda question: None

    def index_bytes(self) -> Optional[int]:
        total = sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())
        return total or None

    def extra(self, questions: Dict[str, List[Any]]) -> Dict[str, Any]:
        """Figures that only this peer has."""
        return {}


def measured(system: str, version: str, work: str, times: Sequence[float], empty: float,
             note: str) -> Dict[str, Any]:
    """What is kept of one system and work; times are in microseconds."""
    return {"system": system, "version": version, "work": work, "p50_us": common.median(times),
            "p99_us": common.percentile(times, 0.99), "mean_us": sum(times) / max(1, len(times)),
            "empty_us": empty, "recall": None, "finds_right": None, "queries": len(times), "load_s": None, "peak_mb": None,
            "index_mb": None, "skipped": "", "note": note}


def skipped(system: str, works: Sequence[str], reason: str) -> Dict[str, Any]:
    return {"system": system, "version": "", "work": ", ".join(works), "skipped": reason}
