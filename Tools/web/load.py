"""How fast the explorer is with half a million taxa, and what it takes: measured, beside the goals.

Speed: wrk on the loopback device asks for 1,000 different names, half of them misspelt, again and again
on several numbers of connections; and for names of which none was asked before.  Start: from the start
of the process to the last byte of the first page.  The picture of all life: what it asks for while somebody comes
close, from all life to leaves by 300 ways, and by as many jumps to a taxon; how long each takes, and its bytes.
Memory: resident bytes after the first page, and after 100,000 requests.  Exits with 1 if a goal is missed.
"""
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from explorer import ROOT, STOL, Explorer

sys.path.insert(0, str(ROOT / "Benchmarks/harness"))
import common  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
SEED, NAMES, FRESH_NAMES, STARTS, SECONDS = 20_240_907, 1000, 200_000, 10, 8
# Threads and connections of wrk.
CROWDS = [(1, 16), (2, 16), (2, 32), (2, 64)]
FRESH_CROWD = (2, 16)
# Ways through the picture of all life, and how many boxes the browser asks for at once at most.
WAYS, BOXES = 300, 8
# One who flies, and a class that does.
FLYERS = [(1, 1), (2, 16)]
MOST_ZOOM_BYTES = 30_000
LEAST_RATE, MOST_P99, MOST_START, MOST_BYTES, MOST_GROWTH, REQUESTS = 10_000, 20, 50, 40e6, 0.05, 100_000


def half_million():
    """The data that Tools/bench measures with, packed by the command that is tested."""
    common.stol = lambda: STOL
    return common.half_million()


def targets(data, page, folder, count=NAMES):
    """A file of addresses: names as they are, misspelt, and their beginnings."""
    drawn, names = random.Random(SEED), common.folded_names(data.database)
    path = folder / f"{page.strip('/')}.{count}.txt"
    lines = []
    for number, name in enumerate(drawn.sample(names, min(count, len(names)))):
        if page == "/complete.json":
            name = name[:drawn.randint(1, 8)]
        elif number % 2:
            name = common.misspelt(name, 1 + number % 4 // 2, drawn)
        lines.append(f"{page}?q={urllib.parse.quote(name, safe='')}")
    path.write_text("\n".join(lines) + "\n")
    return path


def ask(explorer, path, threads, connections, seconds=SECONDS):
    """What wrk says of so many connections that ask for what is in a file."""
    done = subprocess.run(
        ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", FOLDER / "load.lua",
         explorer.address, "--", explorer.host, path],
        capture_output=True, text=True, timeout=seconds + 60, check=True)
    said = json.loads(done.stdout.splitlines()[-1])
    if said["refused"] or said["failed"] or not said["requests"]:
        raise SystemExit(f"load: not everything was answered: {said}")
    return said


def ways(explorer, data, folder):
    """Files of what the picture of all life asks for: by coming closer, and by jumps; and the bytes of each answer."""
    drawn, names = random.Random(SEED), common.folded_names(data.database)
    closer, jumps, sizes = [], [], []

    def ask_for(fields):
        target = "/api/tree?" + urllib.parse.urlencode(fields)
        status, _, body = explorer.get(target)
        if status != 200:
            raise SystemExit(f"load: {target}: {status}")
        sizes.append(len(body))
        return target, json.loads(body)

    for _ in range(WAYS):
        asked = ["all"]
        while asked:
            target, answer = ask_for([("at", name) for name in asked])
            closer.append(target)
            # The boxes of what was opened, and of what was opened in it: closed ones are asked for next.
            opened, closed = list(answer["opened"]), []
            while opened:
                box = opened.pop()
                opened += box.get("boxes", [])
                if box.get("isOpenable") and "boxes" not in box:
                    closed.append(box["box"])
            asked = drawn.sample(closed, min(len(closed), drawn.randint(1, BOXES)))
            if len(closer) > 40 * WAYS:
                raise SystemExit("load: the picture has no end")
    for name in drawn.sample(names, WAYS):
        hits = explorer.json("/search.json?q=" + urllib.parse.quote(name, safe=""))["results"]
        if hits:
            jumps.append(ask_for([("to", hits[0]["address"]), ("at", hits[0]["address"])])[0])
    paths = []
    for what, targets in [("closer", closer), ("jumps", jumps)]:
        path = folder / f"{what}.txt"
        path.write_text("\n".join(targets) + "\n")
        paths.append((what, path))
    return paths, sizes


class Table:
    """Figures beside their goals."""

    def __init__(self):
        self.missed = 0

    def row(self, what, measured, unit, goal=None, at_least=False):
        holds = goal is None or (measured >= goal if at_least else measured <= goal)
        self.missed += not holds
        aim = "" if goal is None else f"{'at least' if at_least else 'at most'} {goal:,g}"
        print(f"{what:<52} {measured:>12,.1f} {unit:<4} {aim:<18} {'' if holds else 'MISSED'}", flush=True)


def start_times(data, home):
    times, bytes_held = [], []
    for _ in range(STARTS):
        began = time.perf_counter()
        with Explorer("--pack", data.pack, home=home) as explorer:
            if explorer.get("/")[0] != 200:
                raise SystemExit("load: the first page does not come")
            times.append((time.perf_counter() - began) * 1000)
            bytes_held.append(explorer.resident)
    return times, bytes_held


def main():
    data, table = half_million(), Table()
    busy = os.getloadavg()[0]
    if busy > 0.5:
        print(f"the machine is busy with something else (load {busy:.1f}): speeds are lower than they could be")
    print(f"{data.origin}; {len(list(common.rows(data.database, 'SELECT 1 FROM taxa'))):,} taxa; {STOL}")
    with tempfile.TemporaryDirectory(prefix="stol-web-") as name:
        folder = pathlib.Path(name)
        home = folder / "home"
        home.mkdir()
        times, held = start_times(data, home)
        table.row("start to first page, median", statistics.median(times), "ms", MOST_START)
        table.row("start to first page, longest", max(times), "ms")
        table.row("memory after the first page", max(held) / 1e6, "MB", MOST_BYTES / 1e6)
        with Explorer("--pack", data.pack, home=home) as explorer:
            rates = {}
            for page in ("/search.json", "/complete.json"):
                path = targets(data, page, folder)
                ask(explorer, path, 2, 16, 3)  # Warm.
                for threads, connections in CROWDS:
                    said = ask(explorer, path, threads, connections)
                    rate = said["requests"] / said["seconds"]
                    rates[page, connections, threads] = (rate, said["p99"])
                    what = f"{page}, {threads} threads, {connections} connections"
                    table.row(what, rate, "/s")
                    table.row("  median", said["p50"], "ms")
                    table.row("  p99", said["p99"], "ms")
                best = max((rate for (asked, _, _), (rate, _) in rates.items() if asked == page))
                if page == "/search.json":
                    # One and the same crowd has to be served as fast and as evenly.
                    even = [rate for (asked, _, _), (rate, p99) in rates.items() if asked == page and p99 <= MOST_P99]
                    table.row(f"{page}, where p99 is at most {MOST_P99} ms", max(even, default=0), "/s", LEAST_RATE, True)
                table.row(f"{page}, best", best, "/s")
            paths, sizes = ways(explorer, data, folder)
            for what, path in paths:
                ask(explorer, path, 2, 16, 2)  # Warm.
                for threads, connections in FLYERS:
                    said = ask(explorer, path, threads, connections)
                    table.row(f"/api/tree, {what}, {threads} threads, {connections} connections",
                              said["requests"] / said["seconds"], "/s")
                    table.row("  median", said["p50"], "ms")
                    # Whoever flies alone waits for nobody else.
                    table.row("  p99", said["p99"], "ms", MOST_P99 if connections == 1 else None)
            table.row("bytes of an answer of /api/tree, median", statistics.median(sizes), "B")
            table.row("  most", max(sizes), "B", MOST_ZOOM_BYTES)
            fresh = targets(data, "/search.json", folder, FRESH_NAMES)
            said = ask(explorer, fresh, *FRESH_CROWD)
            table.row("/search.json, names not asked before", said["requests"] / said["seconds"], "/s")
            table.row("  p99", said["p99"], "ms")
            table.row("memory after the load", explorer.resident / 1e6, "MB", MOST_BYTES / 1e6)
        with Explorer("--pack", data.pack, home=home) as explorer:
            path = targets(data, "/search.json", folder)
            # Memory that every process needs once is there after a second of questions of all kinds.
            for target in ("/", "/tree", "/taxon/ncbi:9689", "/search?q=lion"):
                explorer.get(target)
            warm = ask(explorer, path, 2, 16, 3)["requests"]
            before, count = explorer.resident, 0
            while count < REQUESTS:
                count += ask(explorer, path, 2, 16, 5)["requests"]
            growth = explorer.resident / before - 1
            table.row(f"memory after {warm:,} requests", before / 1e6, "MB")
            table.row(f"growth after {count:,} more", growth * 100, "%", MOST_GROWTH * 100)
            table.row("memory then", explorer.resident / 1e6, "MB", MOST_BYTES / 1e6)
    print(f"{table.missed} goals missed" if table.missed else "every goal holds")
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
