"""What goes into a journal and comes out of it as files of other programs: all made up, of whole commands.

An eBird download, which comes a second time too, a Darwin Core archive, a log of dives with what the computers noted
every ten seconds, and exports of what the archive brought.
"""

import io
import os
import random
import shutil
import sqlite3
import sys
import zipfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, TextIO

import common
from common import Extent, Figure

HOME = common.WORK / "data" / "exchange"
PER_EVENT = 10
SPECIES = 5_000
SAMPLES = 300
MEMORY_GOAL_MB = 200
IMPORT_GOALS_S = {"eBird": 15, "Darwin Core": 120, "Subsurface": 30}
EXPORT_GOAL_S = 20
EXPORTS = ("dwca", "ebird", "geojson", "jsonl")
TERMS = ("occurrenceID", "basisOfRecord", "eventID", "eventDate", "countryCode", "locality", "decimalLatitude",
         "decimalLongitude", "geodeticDatum", "coordinateUncertaintyInMeters", "individualCount", "occurrenceStatus",
         "scientificName", "taxonRank", "kingdom", "recordedBy")
EBIRD = ("Submission ID,Common Name,Scientific Name,Taxonomic Order,Count,State/Province,County,Location ID,Location,"
         "Latitude,Longitude,Date,Time,Protocol,Duration (Min),All Obs Reported,Distance Traveled (km),"
         "Area Covered (ha),Number of Observers,Breeding Code,Observation Details,Checklist Comments,"
         "ML Catalog Numbers\n")


class Maker:
    """Events at places, each with some species."""

    def __init__(self, data: common.Data) -> None:
        self.draw = random.Random(common.SEED)
        with sqlite3.connect(data.database) as connection:
            names = [row[0] for row in connection.execute(
                "SELECT scientific_name FROM taxa WHERE rank = 'species' ORDER BY id")]
        connection.close()
        self.names = self.draw.sample(names, min(SPECIES, len(names)))
        self.places = [(round(self.draw.uniform(-60, 70), 6), round(self.draw.uniform(-180, 180), 6))
                       for _ in range(2_000)]

    def event(self) -> Dict[str, Any]:
        draw = self.draw
        number = int(draw.random() ** 3 * len(self.places))
        # A name but once in an event.
        seen = {self.names[int(draw.random() ** 3 * len(self.names))]: draw.randint(1, 40) for _ in range(PER_EVENT)}
        return {"place": number, "position": self.places[number], "seen": seen,
                "day": f"{draw.randint(2006, 2025)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
                "hour": draw.randint(5, 11), "minute": draw.randint(0, 59)}

    def events(self, count: int) -> Iterator[Dict[str, Any]]:
        """Events until so many occurrences are in them."""
        while count > 0:
            event = self.event()
            event["seen"] = dict(list(event["seen"].items())[:count])
            count -= len(event["seen"])
            yield event


def write_ebird(maker: Maker, count: int, file: TextIO) -> None:
    file.write(EBIRD)
    for number, event in enumerate(maker.events(count), 1):
        latitude, longitude = event["position"]
        for order, (name, seen) in enumerate(event["seen"].items(), 1):
            file.write(f"S{number},,{name},{order},{seen},US-NY,Tompkins,L{event['place']},Place {event['place']},"
                       f"{latitude},{longitude},{event['day']},{event['hour']:02}:{event['minute']:02} AM,"
                       "eBird - Traveling Count,60,1,2.5,,2,,,,\n")


def write_darwin_core(maker: Maker, count: int, path: Path) -> None:
    terms = "".join(f'<field index="{index}" term="http://rs.tdwg.org/dwc/terms/{term}"/>'
                    for index, term in enumerate(TERMS))
    meta = ('<archive xmlns="http://rs.tdwg.org/dwc/text/"><core encoding="UTF-8" fieldsTerminatedBy="\\t" '
            'linesTerminatedBy="\\n" fieldsEnclosedBy="" ignoreHeaderLines="1" '
            'rowType="http://rs.tdwg.org/dwc/terms/Occurrence"><files><location>occurrence.txt</location></files>'
            f'<id index="0"/>{terms}</core></archive>')
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("meta.xml", meta)
        with archive.open("occurrence.txt", "w", force_zip64=True) as raw:
            file = io.TextIOWrapper(raw, encoding="utf-8", write_through=False)
            file.write("\t".join(TERMS) + "\n")
            row = 0
            for number, event in enumerate(maker.events(count), 1):
                latitude, longitude = event["position"]
                for name, seen in event["seen"].items():
                    row += 1
                    file.write("\t".join(map(str, (
                        f"urn:made:{row}", "HumanObservation", f"E{number}",
                        f"{event['day']}T{event['hour']:02}:{event['minute']:02}", "US", f"Place {event['place']}",
                        latitude, longitude, "WGS84", 30, seen, "present", name, "species", "", "Ada Lark"))) + "\n")
            file.flush()
            file.detach()


def write_dives(maker: Maker, count: int, file: TextIO) -> None:
    draw = maker.draw
    file.write("<divelog program='subsurface' version='3'>\n<divesites>\n")
    for number, (latitude, longitude) in enumerate(maker.places):
        file.write(f"<site uuid='{number + 1:08x}' name='Site {number}' gps='{latitude} {longitude}'/>\n")
    file.write("</divesites>\n<dives>\n")
    for number in range(1, count + 1):
        event = maker.event()
        deepest = draw.uniform(8, 40)
        file.write(
            f"<dive number='{number}' divesiteid='{event['place'] + 1:08x}' date='{event['day']}' "
            f"time='{event['hour']:02}:{event['minute']:02}:00' duration='{SAMPLES // 6}:00 min'>\n"
            "<cylinder size='12.0 l' workpressure='232.0 bar' o2='32.0%' start='200.0 bar' end='60.0 bar'/>\n"
            f"<divecomputer model='Made' deviceid='0000002a'>\n<depth max='{deepest:.2f} m' mean='{deepest / 2:.2f} m'/>\n")
        for sample in range(1, SAMPLES + 1):
            part = sample / SAMPLES
            depth = deepest * min(1, 4 * part, 4 * (1 - part))
            seconds = 10 * sample
            file.write(f"<sample time='{seconds // 60}:{seconds % 60:02} min' depth='{depth:.2f} m' "
                       f"temp='{27 - 8 * depth / 40:.1f} C' pressure='{200 - 140 * part:.1f} bar'/>\n")
        file.write("</divecomputer>\n</dive>\n")
    file.write("</dives>\n</divelog>\n")


def to_file(write: Callable[[Maker, int, TextIO], None]) -> Callable[[Maker, int, Path], None]:
    def written(maker: Maker, count: int, path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            write(maker, count, file)
    return written


def journal(data: common.Data, folder: Path, *words: object) -> Dict[str, float]:
    cost = common.cost_of([common.stol(), "journal", *words, "--quiet", "--pack", data.pack, "--data-dir", folder])
    return {"seconds": cost.seconds, "memory_mb": cost.memory}


def measure(data: common.Data, extent: Extent) -> Dict[str, Any]:
    shutil.rmtree(HOME, ignore_errors=True)
    os.makedirs(HOME, mode=0o700)
    maker = Maker(data)
    imports: Dict[str, Dict[str, float]] = {}
    for name, counts, write, suffix in (
            ("eBird", (200, 20_000, 200_000), to_file(write_ebird), "csv"),
            ("Subsurface", (20, 1_000, 10_000), to_file(write_dives), "ssrf"),
            ("Darwin Core", (1_000, 100_000, 1_000_000), write_darwin_core, "zip")):
        count = extent.pick(*counts)
        common.say(f"exchange: {name}, {count:,}")
        file, home = HOME / f"made.{suffix}", HOME / name.replace(" ", "")
        write(maker, count, file)
        found = journal(data, home, "import", file)
        imports[name] = {"count": count, "bytes": file.stat().st_size, **found}
        if name == "eBird":
            imports["eBird, again"] = {**imports[name], **journal(data, home, "import", file)}
        if name != "Darwin Core":
            shutil.rmtree(home)
        file.unlink()
    exports = {}
    for form in EXPORTS:
        common.say(f"exchange: export as {form}")
        words: List[object] = ["export", "--exact", "--format", form, "-o", HOME / f"export.{form}"]
        if form == "dwca":
            words += ["--licence", "CC0-1.0", "--creator", "Ada Lark"]
        exports[form] = journal(data, HOME / "DarwinCore", *words)
        exports[form]["bytes"] = (HOME / f"export.{form}").stat().st_size
        (HOME / f"export.{form}").unlink()
    shutil.rmtree(HOME)
    result: Dict[str, Any] = {"imports": imports, "exports": exports}
    result["figures"] = [figure._asdict() for figure in figures(result)]
    return result


def figures(result: Dict[str, Any]) -> List[Figure]:
    found = []
    for name, measured in result["imports"].items():
        note = f"{measured['count']:,} {'dives of ' + str(SAMPLES) + ' samples' if name == 'Subsurface' else 'rows'}"
        found += [
            Figure("exchange", f"import, {name}", measured["seconds"], "s", IMPORT_GOALS_S.get(name), note=note),
            Figure("exchange", f"import, {name}, peak memory", measured["memory_mb"], "MB", MEMORY_GOAL_MB)]
    count = result["imports"]["Darwin Core"]["count"]
    for form, measured in result["exports"].items():
        found += [
            Figure("exchange", f"export as {form}", measured["seconds"], "s", EXPORT_GOAL_S,
                   note=f"{count:,} occurrences"),
            Figure("exchange", f"export as {form}, peak memory", measured["memory_mb"], "MB", MEMORY_GOAL_MB)]
    return found


def report(result: Dict[str, Any]) -> str:
    def row(title: str, measured: Dict[str, float]) -> List[str]:
        return [title, common.number(measured["bytes"] / common.MEGABYTE), common.number(measured["seconds"]),
                common.number(measured["memory_mb"])]

    rows = [row(f"import of {measured['count']:,}: {name}", measured) for name, measured in result["imports"].items()]
    rows += [row(f"export as {form}", measured) for form, measured in result["exports"].items()]
    return "\n".join(["Whole commands. The exports are of what the Darwin Core archive brought.",
                      common.table(["what", "MB of the file", "seconds", "MB in memory"], rows, right=range(1, 4))])


if __name__ == "__main__":
    extent = common.extent(sys.argv)
    found = measure(common.data_for(extent), extent)
    common.save("exchange", found)
    print(report(found))
