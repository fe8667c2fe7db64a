"""Every kind of page that there is, for whatever looks at all of them."""
import urllib.parse

from explorer import ROOT, stol

LION, OAK, ANIMALS, CATS = 9689, 3511, 33208, 9681
# Names of every kind: right, an old one, misspelt, known in part, of several taxa, unknown, twice; and no name.
NAMES = """id,scientificName,scientificNameAuthorship,note
1,Panthera leo,"(Linnaeus, 1758)","a ""quoted"" note"
2,Felis leo,,
3,Panthera lexx,,
4,Quercus sp.,,
5,Prunella,,
6,Nobody knows,,
7,Panthera lexx,,
8,,,
"""
# The public key of Format/vectors.
KEY = (ROOT / "Format/vectors/container/test.pub").read_text().split()[2]


def matching(text):
    """The page that matches a text."""
    return "/match?text=" + urllib.parse.quote(text, safe="")


PAGES = {
    "home": "/",
    "search-empty": "/search",
    "search-results": "/search?q=pantera+leo",
    "search-many": "/search?q=oak",
    "search-filtered": "/search?q=&rank=family",
    "search-nothing": "/search?q=qqqxxxzzzjjj",
    "search-wrong": "/search?rank=phratry",
    "tree-roots": "/tree",
    "tree-branch": f"/tree/ncbi:{ANIMALS}",
    "tree-filtered": f"/tree/ncbi:{CATS}?rank=species",
    "tree-leaf": f"/tree/ncbi:{LION}",
    "species": f"/taxon/ncbi:{LION}",
    "family": f"/taxon/ncbi:{CATS}",
    "lineage": f"/taxon/ncbi:{LION}/lineage",
    "pictures": "/pictures",
    "pictures-branch": f"/pictures/ncbi:{CATS}",
    "tree-sorted": f"/tree/ncbi:{CATS}?sort=size",
    "family-sorted": f"/taxon/ncbi:{CATS}?sort=name",
    "subspecies": "/taxon/ncbi:83386",
    "root": "/taxon/ncbi:1",
    "icicle": "/icicle",
    "icicle-branch": f"/icicle/ncbi:{CATS}",
    "icicle-flight": f"/icicle?from=ncbi:{LION}&to=ncbi:{OAK}",
    "compare-empty": "/compare",
    "compare-one": f"/compare?taxon=ncbi%3A{LION}",
    "compare-unclear": "/compare?taxon=liom&taxon=qqqxxxzzzjjj",
    "compare": f"/compare?taxon=ncbi%3A{LION}&taxon=ncbi%3A{OAK}",
    "compare-three": f"/compare?taxon=ncbi%3A{LION}&taxon=ncbi%3A{OAK}&taxon=ncbi%3A{CATS}",
    "match": "/match",
    "match-answers": matching(NAMES),
    "match-sure": matching("Panthera leo\n"),
    "match-wrong": matching("a,b\n1,2\n"),
    "favorites-empty": "/favorites",
    "clear": "/favorites/clear",
    "settings": "/settings",
    "databases": "/settings/databases",
    "import": "/settings/databases/import",
    "media": "/settings/media",
    "media-import": "/settings/media/import",
    "keys": "/settings/keys",
    "keys-trust": "/settings/keys/trust?key=" + KEY + "&name=release",
    "storage": "/settings/storage",
    "sources": "/settings/sources",
    "diagnostics": "/settings/diagnostics",
    "privacy": "/privacy",
    "journal-empty": "/journal",
    "journal-map-empty": "/journal/map",
    "journal-new": "/journal/new",
    "journal-statistics-empty": "/journal/statistics",
    "journal-export-empty": "/journal/export",
    "journal-import": "/journal/import",
    "journal-lock-empty": "/journal/lock",
    "api": "/api",
    "no-taxon": "/taxon/999999999999",
    "no-page": "/nothing",
}
# Those that show something else once there are favourites.
WITH_FAVORITES = {
    "favorites": "/favorites",
    "favorites-sorted": "/favorites?sort=common",
    "favorites-tree": "/favorites/tree",
    "clear-many": "/favorites/clear",
    "species-favorite": f"/taxon/ncbi:{LION}",
}
# Those of a journal with something in it.
WITH_JOURNAL = {
    "journal": "/journal",
    "journal-dives": "/journal?kind=dive",
    "journal-life": "/journal/life",
    "journal-calendar": "/journal/calendar?year=2025",
    "journal-map": "/journal/map",
    "journal-map-near": "/journal/map?at=51.15,-2.7&z=20",
    "journal-photos": "/journal/photos",
    "journal-statistics": "/journal/statistics",
    "journal-statistics-dives": "/journal/statistics?kind=dive",
    "journal-export": "/journal/export",
    "journal-export-table": "/journal/export?format=csv&for=others",
    "journal-lock": "/journal/lock",
}
MISSING = {"no-taxon": 404, "no-page": 404, "search-wrong": 400, "match-wrong": 400}


def all_pages(explorer):
    """Names and targets of all pages; those that need favourites come once these are there."""
    yield from PAGES.items()
    for taxon in (LION, OAK, ANIMALS):
        explorer.post("/favorites", {"taxon": taxon, "action": "add"})
    yield from WITH_FAVORITES.items()
    stol("journal", "demo", home=explorer.home)
    yield from WITH_JOURNAL.items()
    for number, sighting in enumerate(explorer.json("/journal.json")["sightings"][::12]):
        yield f"journal-sighting-{number}", f"/journal/sighting/{sighting['sighting']}"
        yield f"journal-event-{number}", f"/journal/event/{sighting['event']}"
