"""What libstol is asked first: in a process it makes ready once what it knows of names, each part when it is needed."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from ._threads import forks_wait

if TYPE_CHECKING:
    from ._pack import Pack

# Names of the kinds that it reads, and what may stand beside them.
_NAMES = ["Panthera leo (Linnaeus, 1758)", "Pantera leo", "Oenanthe", "Quercus cf. robur L.", "Aus bus var. cus (L.) Mill. ex Hook. f. 1820",
          "Aus (Bus) cus de la Torre filius, 1900", "×Aus bus", "Aus bus × cus", "Aus sp. nov. 3 BMNH 123", "Tobacco mosaic virus",
          "Candidatus Aus bus", "uncultured bacterium", "BOLD:AAA1234", "Panthera leo or tigris", "Aus bus sensu Cus, nec Dus", "lion", "9606", "n/a"]
_TABLES: "list[dict[str, Any]]" = [
    {"name": names, "authorship": "L., 1758", "rank": "species", "code": code, "domain": "Eukaryota", "kingdom": kingdom, "phylum": phylum,
     "class": "no such class", "order": None, "family": family, "genus": "Panthera"}
    for names, code, kingdom, phylum, family in ((_NAMES, "ICZN", "Animalia", "Chordata", "Felidae"),
                                                 (_NAMES[:4], "ICN", "Plantae", "Magnoliophyta", "Palmae"))]


def _match(pack: Pack) -> None:
    for table in _TABLES:
        pack.match(table, add="status,reason,candidates,lineage")
    pack.match(_TABLES[1], add="status", exact=True, ocr=True, higher=False)


_QUESTIONS: "dict[str, Callable[[Pack], Any]]" = {
    "resolve": lambda pack: pack.resolve(_NAMES), "match": _match, "search": lambda pack: pack.search(["pantera leo", "pant", *_NAMES], limit=1)}
_asked: "set[str]" = set()
_asking: "set[str]" = set()


def ask(pack: Pack, kind: str) -> None:
    """Asks a little of a kind, once in a process, and not while it is forked."""
    if kind in _asked:
        return
    with forks_wait:
        # Another thread may have asked meanwhile, and what is asked here comes by here too.
        if kind in _asked or kind in _asking:
            return
        _asking.add(kind)
        try:
            _QUESTIONS[kind](pack)
        except ValueError:
            # A damaged pack may give texts that are none: the next one is asked.
            return
        finally:
            _asking.remove(kind)
        _asked.add(kind)
