"""libstol.so by ctypes, with lists: for tests, which compare what it says with what the command says."""
import ctypes
import os
import pathlib
import random
import sys
import unittest
from ctypes import byref, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(os.environ.get("STOL_LIBRARY", ROOT / ".build-doors/install/lib/libstol.so"))
PACK = ROOT / "Sources/CDefaultDatabase/default.stolpack"
STOL = os.environ.get("STOL", str(ROOT / ".build-test/release/stol"))
SEED = int(os.environ.get("STOL_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
needs_command = unittest.skipUnless(os.path.exists(STOL), f"{STOL} is missing: Tools/test builds it")
needs_library = unittest.skipUnless(LIBRARY.exists(), f"{LIBRARY} is missing: Tools/doors builds it")

NONE = 0xFFFFFFFF
NO_ID = -2 ** 63
MORE_ROOM, UNREADABLE, NO_PACK, TEXT_IDS, CHANGED, ARGUMENT = 1, 2, 3, 4, 5, 100
STATUSES = ("exact", "synonym", "common", "merged", "deleted", "fuzzy", "partial", "ambiguous", "not_found", "invalid")
FIELDS = ("scientificName", "author", "rank", "id", "commonName")
LAYOUTS = (32, 64, 128)
DIFFERENCES = ("none", "ending", "scanned letters", "epithet", "epithet, two letters", "genus", "genus and epithet", "genus, two letters",
               "uninomial", "uninomial, two letters", "more than two letters", "fewer epithets", "genus only", "hint")
EXACT_ONLY, NO_HIGHER, SCANNED, GBIF = 1, 2, 4, 8
MODES = ("auto", "exact", "prefix", "fuzzy", "contains")


class Sized(ctypes.Structure):
    """A struct that begins with its size."""
    def __init__(self, **fields):
        super().__init__(size=ctypes.sizeof(self), **fields)


class Failure(Sized):
    _fields_ = [("size", c_size_t), ("code", c_int32), ("message", c_char * 244)]


class Texts(Sized):
    _fields_ = [("size", c_size_t), ("layout", c_int32), ("buffer_count", c_int32), ("count", c_size_t), ("offsets", c_void_p),
                ("bytes", c_void_p), ("byte_count", c_size_t), ("buffers", c_void_p), ("buffer_byte_counts", c_void_p),
                ("validity", c_void_p), ("validity_offset", c_size_t)]


class Facts(Sized):
    _fields_ = [("size", c_size_t), ("taxon_count", c_uint64), ("name_count", c_uint64), ("byte_count", c_uint64),
                ("format_version", c_int32), ("schema_version", c_int32), ("has_text_ids", c_int32),
                ("has_implied_root", c_int32), ("source_sha256", c_uint8 * 32)]


class ResolveOptions(Sized):
    _fields_ = [("size", c_size_t), ("rank", c_char_p), ("within", c_uint32), ("reserved", c_uint32)]


class SearchOptions(Sized):
    _fields_ = [("size", c_size_t), ("mode", c_int32), ("words", c_int32), ("edits", c_int32), ("reserved", c_int32),
                ("limit", c_size_t), ("rank", c_char_p), ("within", c_uint32), ("reserved_too", c_uint32)]


class Hits(Sized):
    _fields_ = [("size", c_size_t), ("room", c_size_t), ("taxa", c_void_p), ("names", c_void_p), ("kinds", c_void_p),
                ("classes", c_void_p), ("distances", c_void_p)]


class MatchColumns(Sized):
    _fields_ = [("size", c_size_t), ("names", c_void_p), ("authorships", c_void_p), ("ranks", c_void_p), ("codes", c_void_p),
                ("hint_count", c_size_t), ("hint_ranks", c_void_p), ("hints", c_void_p)]


class MatchOptions(Sized):
    _fields_ = [("size", c_size_t), ("least_score", c_int32), ("flags", c_uint32)]


class Matches(Sized):
    _fields_ = [("size", c_size_t), ("taxa", c_void_p), ("names", c_void_p), ("statuses", c_void_p), ("differences", c_void_p),
                ("edits", c_void_p), ("scores", c_void_p), ("reason_offsets", c_void_p), ("reason_bytes", c_void_p),
                ("reason_room", c_size_t), ("candidate_offsets", c_void_p), ("candidate_taxa", c_void_p), ("candidate_names", c_void_p),
                ("candidate_room", c_size_t)]


class DoorError(Exception):
    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


def array(kind, values):
    return (kind * len(values))(*values)


def column(rows, layout=32, nulls=False, shift=0):
    """A column of texts, of which None is a null; the struct keeps what it points to in `kept`."""
    raw = [b"" if row is None else row if isinstance(row, bytes) else row.encode() for row in rows]
    texts = Texts(layout=layout, count=len(raw))
    kept = []
    if layout == 128:
        views, long = bytearray(), [bytearray(b"xyz"), bytearray()]
        for number, text in enumerate(raw):
            views += len(text).to_bytes(4, "little")
            if len(text) <= 12:
                views += text.ljust(12, b"\0")
            else:
                buffer = long[number % 2]
                views += text[:4] + (number % 2).to_bytes(4, "little") + len(buffer).to_bytes(4, "little")
                buffer += text
        blocks = [ctypes.create_string_buffer(bytes(buffer), len(buffer) + 1) for buffer in long]
        kept = [ctypes.create_string_buffer(bytes(views), len(views) + 1), blocks,
                array(c_void_p, [ctypes.addressof(block) for block in blocks]), array(c_int64, [len(buffer) for buffer in long])]
        texts.offsets, texts.buffer_count = ctypes.addressof(kept[0]), 2
        texts.buffers, texts.buffer_byte_counts = ctypes.addressof(kept[2]), ctypes.addressof(kept[3])
    else:
        places, joined = [0], b"".join(raw)
        for text in raw:
            places.append(places[-1] + len(text))
        kept = [array(c_int32 if layout == 32 else c_int64, places), ctypes.create_string_buffer(joined, len(joined) + 1)]
        texts.offsets, texts.bytes, texts.byte_count = ctypes.addressof(kept[0]), ctypes.addressof(kept[1]), len(joined)
    if nulls or None in rows:
        bits = bytearray((shift + len(raw) + 7) // 8)
        for number, row in enumerate(rows):
            if row is not None:
                bits[(shift + number) // 8] |= 1 << (shift + number) % 8
        kept.append(ctypes.create_string_buffer(bytes(bits), len(bits) + 1))
        texts.validity, texts.validity_offset = ctypes.addressof(kept[-1]), shift
    texts.kept = kept
    return texts


class Door:
    """The functions of one library, each of which raises DoorError with the code that it returns."""
    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        size, pointer = c_size_t, c_void_p
        for name, kinds in {
                "open": [c_char_p, pointer], "get_facts": [pointer, pointer],
                "dataset_text": [pointer, c_char_p, pointer, size, pointer],
                "taxa_of_ids": [pointer, pointer, size, pointer, pointer], "taxa_of_id_texts": [pointer] * 4,
                "ids_of_taxa": [pointer, pointer, size, pointer], "resolve": [pointer] * 6,
                "lca_pairs": [pointer, pointer, pointer, size, pointer],
                "lca_lists": [pointer, c_int32, pointer, size, pointer, size, pointer],
                "lineages": [pointer, pointer, size, pointer, pointer, size, pointer],
                "rank_columns": [pointer, pointer, size, pointer, size, pointer],
                "parents": [pointer, pointer, size, pointer], "subtree_ends": [pointer, pointer, size, pointer],
                "texts_of_taxa": [pointer, c_int32, c_char_p, pointer, size, pointer, pointer, size, pointer],
                "texts_of_names": [pointer, pointer, size, pointer, pointer, size, pointer],
                "search": [pointer] * 6, "match": [pointer] * 4}.items():
            function = getattr(self.library, "stol_" + name)
            function.argtypes, function.restype = [*kinds, pointer], c_int32
        self.library.stol_close.argtypes, self.library.stol_close.restype = [pointer], None

    def call(self, name, *arguments):
        """The code, which is 0 or says that more room is needed."""
        error = Failure()
        code = getattr(self.library, "stol_" + name)(*arguments, byref(error))
        if code:
            assert error.code == code and error.message, (error.code, code)
        if code > MORE_ROOM:
            raise DoorError(code, error.message.decode())
        return code

    def open(self, path):
        handle = c_void_p()
        self.call("open", path if isinstance(path, bytes) or path is None else str(path).encode(), byref(handle))
        return handle

    def close(self, handle):
        self.library.stol_close(handle)


class Pack:
    """One open pack: lists in, lists out."""
    def __init__(self, door, path):
        self.door = door
        self.handle = door.open(path)

    def close(self):
        self.door.close(self.handle)

    def facts(self):
        facts = Facts()
        self.door.call("get_facts", self.handle, byref(facts))
        return facts

    def taxa_of_ids(self, ids):
        taxa, statuses = (c_uint32 * len(ids))(), (c_uint8 * len(ids))()
        self.door.call("taxa_of_ids", self.handle, array(c_int64, ids), len(ids), taxa, statuses)
        return list(taxa), [STATUSES[status] for status in statuses]

    def taxa_of_id_texts(self, rows, **layout):
        texts = column(rows, **layout)
        taxa, statuses = (c_uint32 * len(rows))(), (c_uint8 * len(rows))()
        self.door.call("taxa_of_id_texts", self.handle, byref(texts), taxa, statuses)
        return list(taxa), [STATUSES[status] for status in statuses]

    def ids(self, taxa):
        ids = (c_int64 * len(taxa))()
        self.door.call("ids_of_taxa", self.handle, array(c_uint32, taxa), len(taxa), ids)
        return [None if number == NO_ID else number for number in ids]

    def resolve(self, rows, rank=None, within=NONE, **layout):
        texts = column(rows, **layout)
        count = len(rows)
        taxa, names, statuses = (c_uint32 * count)(), (c_uint32 * count)(), (c_uint8 * count)()
        options = ResolveOptions(rank=rank, within=within)
        self.door.call("resolve", self.handle, byref(texts), byref(options), taxa, names, statuses)
        return list(taxa), list(names), [STATUSES[status] for status in statuses]

    def lca_pairs(self, a, b):
        found = (c_uint32 * len(a))()
        self.door.call("lca_pairs", self.handle, array(c_uint32, a), array(c_uint32, b), len(a), found)
        return list(found)

    def lca_lists(self, lists, bits=32):
        offsets = [0]
        for members in lists:
            offsets.append(offsets[-1] + len(members))
        taxa = array(c_uint32, [taxon for members in lists for taxon in members])
        found = (c_uint32 * len(lists))()
        self.door.call("lca_lists", self.handle, bits, array(c_int32 if bits == 32 else c_int64, offsets), len(lists),
                       taxa, len(taxa), found)
        return list(found)

    def two_calls(self, name, kind, count, *arguments, room=None):
        """Offsets and values of what needs room, asked for first; with `room`, the code, the need and the values."""
        offsets, needed = (c_int64 * (count + 1))(), c_size_t()
        if room is None:
            self.door.call(name, *arguments, offsets, None, 0, byref(needed))
        size = needed.value if room is None else room
        values = (kind * (size + 1))()
        code = self.door.call(name, *arguments, offsets, values, size, byref(needed))
        if room is not None:
            return code, needed.value, list(offsets), values
        assert code == 0 and needed.value == size
        return list(offsets), values

    def lineages(self, taxa):
        offsets, values = self.two_calls("lineages", c_uint32, len(taxa), self.handle, array(c_uint32, taxa), len(taxa))
        return [list(values[start:end]) for start, end in zip(offsets, offsets[1:])]

    def rank_columns(self, taxa, ranks):
        words = array(c_char_p, [rank.encode() for rank in ranks])
        found = (c_uint32 * (len(taxa) * len(ranks)))()
        self.door.call("rank_columns", self.handle, array(c_uint32, taxa), len(taxa), words, len(ranks), found)
        return [list(found[number * len(taxa):(number + 1) * len(taxa)]) for number in range(len(ranks))]

    def column(self, name, taxa):
        """Parents, or ends of subtrees."""
        found = (c_uint32 * len(taxa))()
        self.door.call(name, self.handle, array(c_uint32, taxa), len(taxa), found)
        return list(found)

    def texts(self, field, taxa, language=None):
        offsets, values = self.two_calls("texts_of_taxa", c_char, len(taxa), self.handle, FIELDS.index(field), language,
                                         array(c_uint32, taxa), len(taxa))
        return [values[start:end].decode() for start, end in zip(offsets, offsets[1:])]

    def texts_of_names(self, names):
        offsets, values = self.two_calls("texts_of_names", c_char, len(names), self.handle, array(c_uint32, names), len(names))
        return [values[start:end].decode() for start, end in zip(offsets, offsets[1:])]

    def dataset_text(self, key):
        needed = c_size_t()
        self.door.call("dataset_text", self.handle, key.encode(), None, 0, byref(needed))
        if needed.value == 0:
            return None
        text = ctypes.create_string_buffer(needed.value)
        assert self.door.call("dataset_text", self.handle, key.encode(), text, needed.value, byref(needed)) == 0
        return text.value.decode()

    def match(self, names, authorships=None, ranks=None, codes=None, hints=(), least=-1, flags=0, candidates=False, **layout):
        """For each name its match: taxon, name, status, difference, edits, score, reason, and with `candidates` their taxa and names."""
        columns, count = table(names, authorships, ranks, codes, hints, **layout), len(names)
        kinds = (c_uint32, c_uint32, c_uint8, c_uint8, c_uint8, c_uint8)
        found = [(kind * max(count, 1))() for kind in kinds]
        starts, reasons, places = (c_int64 * (count + 1))(), (c_char * (256 * count + 1))(), (c_int64 * (count + 1))()
        room = 256 * count if candidates else 0
        pairs = [(c_uint32 * max(room, 1))() for _ in range(2)]
        matches = Matches(**dict(zip(("taxa", "names", "statuses", "differences", "edits", "scores"), map(ctypes.addressof, found))),
                          reason_offsets=ctypes.addressof(starts), reason_bytes=ctypes.addressof(reasons), reason_room=256 * count,
                          candidate_taxa=ctypes.addressof(pairs[0]), candidate_names=ctypes.addressof(pairs[1]), candidate_room=room,
                          candidate_offsets=ctypes.addressof(places) if candidates else None)
        code = self.door.call("match", self.handle, byref(columns), byref(MatchOptions(least_score=least, flags=flags)), byref(matches))
        assert code == 0
        rows = [[taxon, name, STATUSES[status], None if difference == 255 else DIFFERENCES[difference], edits, score]
                for taxon, name, status, difference, edits, score in zip(*(values[:count] for values in found))]
        for number, row in enumerate(rows):
            row.append(reasons[starts[number]:starts[number + 1]].decode())
            if candidates:
                row.append([list(values[places[number]:places[number + 1]]) for values in pairs])
        return rows

    def search(self, rows, mode="auto", words=0, edits=-1, limit=20, rank=None, within=NONE, **layout):
        """For each text its hits: taxon, name, kind, class, distance."""
        texts, room = column(rows, **layout), len(rows) * limit
        columns = [(kind * max(room, 1))() for kind in (c_uint32, c_uint32, c_uint8, c_uint8, c_uint8)]
        hits = Hits(room=room, **dict(zip(("taxa", "names", "kinds", "classes", "distances"), map(ctypes.addressof, columns))))
        options = SearchOptions(mode=MODES.index(mode), words=words, edits=edits, limit=limit, rank=rank, within=within)
        offsets, needed = (c_int64 * (len(rows) + 1))(), c_size_t()
        self.door.call("search", self.handle, byref(texts), byref(options), offsets, byref(hits), byref(needed))
        assert needed.value == offsets[len(rows)] <= room
        return [list(zip(*(values[start:end] for values in columns))) for start, end in zip(offsets, offsets[1:])]


def table(names, authorships=None, ranks=None, codes=None, hints=(), **layout):
    """What is asked about names; hints are pairs of a rank and a column. The struct keeps what it points to in `kept`."""
    kept = [None if rows is None else column(rows, **layout) for rows in (names, authorships, ranks, codes)]
    given = [column(rows, **layout) for _, rows in hints]
    words, places = array(c_char_p, [rank.encode() for rank, _ in hints]), array(c_void_p, [ctypes.addressof(one) for one in given])
    columns = MatchColumns(hint_count=len(given), hint_ranks=ctypes.addressof(words), hints=ctypes.addressof(places))
    columns.names, columns.authorships, columns.ranks, columns.codes = (one and ctypes.addressof(one) for one in kept)
    columns.kept = kept, given, words, places
    return columns


def misspelt(name, generator):
    letters, place = list(name), generator.randrange(len(name))
    generator.choice((lambda: letters.pop(place), lambda: letters.insert(place, generator.choice("aeiourst")),
                      lambda: letters.__setitem__(place, generator.choice("aeiourst"))))()
    return "".join(letters)


class PackTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.door = Door(LIBRARY)
        cls.pack = Pack(cls.door, PACK)
        cls.count = cls.pack.facts().taxon_count
        cls.random = random.Random(SEED)
        print(f"STOL_TEST_SEED={SEED}", file=sys.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.pack.close()

    def taxa(self, count):
        return [self.random.randrange(self.count) for _ in range(count)]

    def texts(self, count):
        """Texts of many kinds."""
        names = self.pack.texts("scientificName", self.taxa(count)) + self.pack.texts("commonName", self.taxa(count))
        names = [name for name in names if name]
        kinds = (lambda name: name, str.upper, lambda name: misspelt(name, self.random), lambda name: name[:4], lambda name: "",
                 lambda name: None, lambda name: b"\xff\xfe", lambda name: name + " " * 600, lambda name: str(self.random.randrange(20_000)))
        return [self.random.choice(kinds)(self.random.choice(names)) for _ in range(count)]
