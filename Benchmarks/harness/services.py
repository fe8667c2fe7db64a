"""What an app's calls take: the services, with every value that a screen shows."""

import json
import sys
from typing import Any, Dict

import common
from common import Figure

# What Services prints: key, the figure taken, title, goal in microseconds.
GOALS = [
    ("compare", "p50", "compare in the pack, without names", 3),
    ("compareNames", "p50", "compare with all columns and common names", 100),
    ("list", "p50", "a list of 50 taxa with common names", 300),
]


def measure(data: common.Data, quick: bool) -> Dict[str, Any]:
    command = [common.program("Services"), data.pack, str(common.SEED), "--json"]
    found = json.loads(common.run(command + (["--quick"] if quick else [])))
    figures = [Figure("services", title, found[key][kind], "us", goal, "")
               for key, kind, title, goal in GOALS]
    return {"latency": found, "figures": [figure._asdict() for figure in figures]}


def report(result: Dict[str, Any]) -> str:
    kinds = ("p50", "p90", "p99", "most", "mean")
    rows = [[found["title"], f"{found['count']:,}", found["unit"]]
            + [common.number(found[kind]) for kind in kinds]
            for found in result["latency"].values()]
    return common.table(["what", "calls", "unit", *kinds], rows, right=[1, 3, 4, 5, 6, 7])


if __name__ == "__main__":
    result = measure(common.half_million(), "--quick" in sys.argv)
    common.save("services", result)
    print(report(result))
