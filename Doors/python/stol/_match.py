"""Names as people write them: a table in, the same table with columns added out."""
from __future__ import annotations

import ctypes
import operator
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional

import numpy

from . import _columns, _giving
from ._columns import Array
from ._giving import TextRows
from ._library import NO_ID, NO_TAXON, STATUSES, Matches, MatchColumns, MatchOptions, Texts, call, flag, shown, word
from ._taxon import MAIN_RANKS
from ._threads import in_short_blocks

if TYPE_CHECKING:
    from ._pack import Pack

USUAL = ("status", "score", "reason", "taxonID", "acceptedName", "rank", "matchedName")
ADDED = (*USUAL, "acceptedAuthorship", "edits", "distance", "lineage", "candidates")
# The columns of the command of which libstol says nothing.
OF_COMMAND = ("matchedid", "matchedauthorship", "points")
EXACT, NO_HIGHER, SCANNED = 1, 2, 4
# The most names of a block: one that is misspelt may take a thousand times as long as one that is not.
BLOCK = 1 << 12
# The columns that are found by what tables call them, the first that is there; the ranks of hints.
_TERMS = {
    "name": ("scientificName", "verbatimScientificName", "acceptedNameUsage", "canonicalName", "taxonName", "species",
             "name", "taxon", "organism", "names"),
    "authorship": ("scientificNameAuthorship", "authorship", "author", "authors"),
    "rank": ("taxonRank", "verbatimTaxonRank", "rank"), "code": ("nomenclaturalCode",)}
_RANKS = ("domain", "kingdom", "phylum", "class", "order", "family", "subfamily", "tribe", "genus")


def match(pack: Pack, given: Any, add: Any, chosen: "dict[str, Optional[str]]", hints: "Mapping[str, str]",
          min_score: Optional[int], exact: bool, higher: bool, ocr: bool) -> Any:
    """What became of the names of a column or of a table."""
    if min_score is not None and not 0 <= operator.index(min_score) <= 100:
        raise ValueError(f"a score is from 0 to 100, not {min_score}")
    options = MatchOptions(least_score=-1 if min_score is None else min_score,
                           flags=flag(exact, "exact") * EXACT + (not flag(higher, "higher")) * NO_HIGHER + flag(ocr, "ocr") * SCANNED)
    words = _known_words(pack, add)
    given = _read_once(given)
    if isinstance(given, Mapping):
        given = {name: _kept(column) for name, column in given.items()}
    columns = _columns_of(given)
    if columns is None:
        if hints or any(name is not None for name in chosen.values()):
            raise ValueError("names without a table have no other columns")
        asked, labels = {"name": given}, {}
    else:
        of_parts = roles(list(columns), chosen, hints)
        labels = {part: " and ".join(map(shown, names)) for part, names in of_parts.items()}
        if isinstance(given, Mapping):
            columns = _with_names_for_all_rows(columns, of_parts["name"])
        asked = _asked(columns, of_parts, labels)
    if isinstance(given, Mapping):
        _require_as_long(given, asked["name"])
    # Of a dictionary, answers are like its column of names.
    of_rows = asked["name"] if isinstance(given, Mapping) else given
    kind = _columns.kind_of(of_rows)
    added = _by_column(words, [] if columns is None else list(columns))
    found = _Found(pack, asked, labels, options, with_reasons="reason" in added.values(), with_candidates="candidates" in added.values())
    answers = {name: found.column(word, kind, of_rows) for name, word in added.items()}
    return _giving.table(kind, answers, given, len(found.codes)) if columns is None else _with(given, answers)


def _read_once(given: Any) -> Any:
    """A table that Arrow's C interface hands on as what it is for pyarrow, or without that as a dictionary."""
    kind = _columns.kind_of(given)
    if kind == "polars" and hasattr(given, "collect"):
        raise TypeError("a LazyFrame is no table yet: give match what its .collect() makes")
    if kind == "pyarrow" and hasattr(given, "to_table") and not hasattr(given, "__arrow_c_stream__"):
        raise TypeError(f"{type(given).__name__} is no table yet: give match what its .to_table() makes")
    is_rows = kind == "pyarrow" and not hasattr(given, "column_names") and str(getattr(given, "type", "struct")).startswith("struct")
    if is_rows and hasattr(given, "type") and hasattr(given, "null_count"):
        return _columns.table_of_structs(given)
    if kind == "arrow" or is_rows and (hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")):
        return _columns.table_of(given)
    return given


def _kept(column: Any) -> Any:
    """A column of a dictionary; what can be iterated over once, as a generator, is a list: it is read, and given back."""
    return list(column) if _columns.kind_of(column) == "list" and isinstance(column, Iterable) and not hasattr(column, "__len__") else column


def _columns_of(given: Any) -> "Optional[dict[Any, Any]]":
    """The columns of a table, the first of those with one name; None for what is no table."""
    kind = _columns.kind_of(given)
    pairs: Iterable[tuple[Any, Any]]
    if isinstance(given, Mapping):
        pairs = given.items()
    elif kind == "pandas" and hasattr(given, "columns"):
        pairs = ((name, given.iloc[:, number]) for number, name in enumerate(given.columns))
    elif kind == "polars" and hasattr(given, "get_columns"):
        pairs = ((column.name, column) for column in given.get_columns())
    elif kind == "pyarrow" and hasattr(given, "column_names"):
        pairs = ((name, given.column(number)) for number, name in enumerate(given.column_names))
    else:
        return None
    columns: dict[Any, Any] = {}
    for name, column in pairs:
        columns.setdefault(name, column)
    return columns


def _with_names_for_all_rows(columns: "dict[Any, Any]", names: "list[Any]") -> "dict[Any, Any]":
    """Columns of a dictionary, in which a single value that is a name, or a word of one, stands in every row."""
    # Those with other words of names say first how many rows there are.
    in_rows = [column for column in (*(columns[name] for name in names), *columns.values())
               if _columns.kind_of(column) != "one" and hasattr(column, "__len__")]
    if not in_rows:
        return columns
    return {**columns, **{name: [columns[name]] * len(in_rows[0]) for name in names if _columns.kind_of(columns[name]) == "one"}}


def _require_as_long(given: "Mapping[Any, Any]", names: Any) -> None:
    """A dictionary that is a table has columns of one length, but for single values, which are meant for all rows."""
    if _columns.kind_of(names) == "one":
        return
    for name, column in given.items():
        if _columns.kind_of(column) != "one" and hasattr(column, "__len__") and len(column) != len(names):
            raise ValueError(f"the column {shown(name)} has {len(column)} rows, and there are {len(names)} names")


def _key(name: object) -> str:
    """What is the same for all spellings of the name of a column."""
    last = [part for part in str(name).replace("#", "/").replace(":", "/").split("/") if part][-1:]
    return "".join(letter for letter in "".join(last) if not letter.isspace() and letter not in "_-\ufeff").lower()


def roles(columns: "list[Any]", chosen: "dict[str, Optional[str]]", hints: "Mapping[str, str]") -> "dict[str, list[Any]]":
    """Which columns of a table say something of a name, by what they say: name, authorship, rank, code, or "hint " and a rank.

    A name may stand in several columns, word by word.
    """
    by_key: dict[str, Any] = {}
    for name in columns:
        by_key.setdefault(_key(name), name)

    def named(name: Any) -> Any:
        # As numpy has what pandas calls a column.
        name = int(name) if isinstance(name, numpy.integer) else name
        if name is not None and not isinstance(name, (str, int, tuple)):
            raise TypeError(f"a column is given by its name, and not as {shown(name)}")
        if name is None or name in columns:
            return name
        if _key(name) not in by_key:
            raise ValueError(f"no column is called {shown(name)}; there are: {', '.join(map(str, columns))}")
        return by_key[_key(name)]

    def first(terms: "tuple[str, ...]") -> Any:
        return next((by_key[_key(term)] for term in terms if _key(term) in by_key), None)
    found = {part: named(chosen[part]) if chosen[part] is not None else first(terms) for part, terms in _TERMS.items()}
    genus, epithet = first(("genus", "genericName")), first(("specificEpithet",))
    names = [found["name"]]
    if found["name"] is None:
        if genus is None or epithet is None:
            raise ValueError("no column is called scientificName: say which has the names, name=\"...\"; there are: "
                             + ", ".join(map(str, columns)))
        names = [name for name in (genus, epithet, first(("infraspecificEpithet",))) if name is not None]
    of_parts = {"name": names}
    of_parts.update((part, [found[part]]) for part in ("authorship", "rank", "code") if found[part] is not None)
    of_ranks = {rank.lower(): named(name) for rank, name in hints.items()}
    for rank in _RANKS:
        if rank not in of_ranks and _key(rank) in by_key and by_key[_key(rank)] not in names:
            of_ranks[rank] = by_key[_key(rank)]
    of_parts.update(("hint " + rank, [name]) for rank, name in of_ranks.items())
    return of_parts


def checked_hints(hints: Any) -> "dict[str, str]":
    """Hints, which are named by ranks."""
    if not isinstance(hints, Mapping) or not all(isinstance(rank, str) for rank in hints):
        raise TypeError(f"hints are columns by ranks, as {{\"family\": \"Familia\"}}, not {shown(hints)}")
    for rank, column in hints.items():
        if column is None:
            raise TypeError(f"hints are columns by ranks, and that of {shown(rank)} is None: leave it out")
    return dict(hints)


def checked_words(add: Any) -> "list[str]":
    """What is to be added, as a list."""
    words = add.split(",") if isinstance(add, str) else list(add)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"add is names of columns, as \"status\", and not {shown(word)}")
    return words


def _asked(columns: "dict[Any, Any]", of_parts: "dict[str, list[Any]]", labels: "dict[str, str]") -> "dict[str, Any]":
    """The columns of what is asked."""
    return {part: columns[names[0]] if len(names) == 1 else _joined([columns[name] for name in names], labels[part])
            for part, names in of_parts.items()}


def _read(given: Any, label: Optional[str]) -> "list[_columns.TextPart]":
    """The texts of a column, of a table the one of this label."""
    try:
        return _columns.read_texts(given, is_dear=True)
    except (TypeError, ValueError) as error:
        if label is None:
            raise
        raise (TypeError if isinstance(error, TypeError) else ValueError)(f"the column {label}: {error}") from None


def _joined(columns: "list[Any]", label: str) -> "list[bytes]":
    rows = [[values[code] for code in codes] for values, codes in (_coded(column, label) for column in columns)]
    return [b" ".join(word for word in words if word) for words in zip(*rows)]


def _known_words(pack: Pack, add: Any) -> "list[str]":
    """What is added, of which nothing is neither a column nor a rank of the pack; known before names are matched, which takes long."""
    by_word = {word.lower(): word for word in ADDED}
    found: list[str] = []
    for word in (word.strip() for word in (USUAL if add is None else checked_words(add))):
        for each in MAIN_RANKS if word == "main" else [word] if word else []:
            column = by_word.get(each.lower(), each.lower())
            if column in OF_COMMAND:
                raise ValueError(f"only the command `stol match` has the column {each}; here there are {', '.join(ADDED)} and ranks")
            if column not in ADDED:
                try:
                    pack._rank_columns(numpy.empty(0, numpy.uint32), [column])
                except ValueError as error:
                    raise ValueError(f"add has {shown(each)}, which is no column and no rank: columns are {', '.join(ADDED)}, and {error}") from None
            found.append(column)
    return found


def _by_column(words: "list[str]", known: "list[Any]") -> "dict[str, str]":
    """What is added, by the name of its column, which no other column has."""
    taken = {str(name).lower() for name in known}
    added: dict[str, str] = {}
    for word in words:
        name = word
        while name.lower() in taken:
            name = "stol_" + name
        taken.add(name.lower())
        added[name] = word
    return added


def _coded(given: Any, label: Optional[str]) -> "tuple[list[Optional[bytes]], Any]":
    """Texts, and for each row which of them it is."""
    values: list[Optional[bytes]] = []
    codes: list[Array] = [numpy.empty(0, numpy.int64)]
    bases: dict[int, int] = {}
    for part in _read(given, label):
        if id(part.texts) not in bases:
            bases[id(part.texts)] = len(values)
            values += [*_columns.listed(part.texts), None]
        count = part.texts.count
        own = numpy.arange(count) if part.codes is None else numpy.where(part.codes < 0, count, part.codes.astype(numpy.int64))
        codes.append(own + bases[id(part.texts)])
    return values, numpy.concatenate(codes)


class _Found:
    """What became of names, each question asked once."""

    def __init__(self, pack: Pack, asked: "dict[str, Any]", labels: "dict[str, str]", options: Any, with_reasons: bool, with_candidates: bool) -> None:
        self.pack = pack
        self.with_reasons, self.with_candidates = with_reasons, with_candidates
        batches = self._names_alone(asked, labels) if len(asked) == 1 else [self._questions(asked, labels)]
        pieces: list[Any] = []
        codes: list[Array] = [numpy.empty(0, numpy.int64)]
        base = 0
        for texts, of_batch, _ in batches:
            count = texts["name"].count
            pieces += in_short_blocks(count, lambda start, end: self._block(texts, options, start, end), BLOCK)
            # The first question of names alone is that of a null; codes of dictionaries may be of a byte.
            own = numpy.arange(count) if of_batch is None else of_batch.astype(numpy.int64)
            codes.append(numpy.where(own < 0, 0, own + base))
            base += count
        of_rows = numpy.concatenate(codes)
        self.codes = of_rows
        columns = [numpy.concatenate([piece[number] for piece in pieces] or [numpy.empty(0, dtype)])
                   for number, dtype in enumerate((numpy.uint32, numpy.uint32, numpy.uint8, numpy.uint8, numpy.uint8))]
        self.taxa, self.names, self.statuses, self.edits, self.scores = (column[of_rows] for column in columns)
        self.reasons, self.candidates = ([piece[number] for piece in pieces] for number in (5, 6))

    @staticmethod
    def _names_alone(asked: "dict[str, Any]", labels: "dict[str, str]") -> Any:
        """A null, then the texts of a column of names as they are; for each row which of them it is, or -1 for the null."""
        null = _columns.part_of_bytes([None])
        null.codes = numpy.empty(0, numpy.int64)
        return [({"name": part.texts}, part.codes, part) for part in [null, *_read(asked["name"], labels.get("name"))]]

    @staticmethod
    def _questions(asked: "dict[str, Any]", labels: "dict[str, str]") -> Any:
        """The texts of different questions, and for each row which of them it asks."""
        coded = {part: _coded(column, labels.get(part)) for part, column in asked.items()}
        count = len(coded["name"][1])
        for part, column in asked.items():
            if _columns.kind_of(column) == "one" and count != 1:
                coded[part] = coded[part][0], numpy.broadcast_to(coded[part][1], count)
            if len(coded[part][1]) != count:
                raise ValueError(f"{count} names, and {len(coded[part][1])} rows of {part.replace('hint ', '')}")
        keys, size = numpy.zeros(count, numpy.int64), 1
        for values, codes in coded.values():
            if size * len(values) >= 1 << 62:
                distinct, keys = numpy.unique(keys, return_inverse=True)
                size = len(distinct)
            keys, size = keys * len(values) + codes, size * len(values)
        _, rows, of_rows = numpy.unique(keys, return_index=True, return_inverse=True)
        parts = {part: _columns.part_of_bytes([values[code] for code in codes[rows].tolist()]) for part, (values, codes) in coded.items()}
        return {part: texts.texts for part, texts in parts.items()}, of_rows, parts

    def _block(self, texts: "dict[str, Texts]", options: Any, start: int, end: int) -> Any:
        count = end - start
        rows = {part: _columns.slice_of(column, start, end) for part, column in texts.items()}

        def pointer(part: str) -> Any:
            return ctypes.addressof(rows[part]) if part in rows else None
        ranks = [part for part in rows if part.startswith("hint ")]
        words = (ctypes.c_char_p * len(ranks))(*[word(rank[5:]) or b"" for rank in ranks])
        hints = (ctypes.c_void_p * len(ranks))(*map(pointer, ranks))
        columns = MatchColumns(names=pointer("name"), authorships=pointer("authorship"), ranks=pointer("rank"), codes=pointer("code"),
                               hint_count=len(ranks), hint_ranks=ctypes.addressof(words), hints=ctypes.addressof(hints))
        taxa, names = numpy.empty(count, numpy.uint32), numpy.empty(count, numpy.uint32)
        statuses, edits, scores = (numpy.empty(count, numpy.uint8) for _ in range(3))
        rooms = [64 * count, 8 * count]
        places = [numpy.zeros(count + 1, numpy.int64) for _ in range(2)]
        for _ in range(2):
            reasons, candidates = numpy.empty(rooms[0], numpy.uint8), numpy.empty(rooms[1], numpy.uint32)
            matches = Matches(taxa=taxa.ctypes.data, names=names.ctypes.data, statuses=statuses.ctypes.data,
                              edits=edits.ctypes.data, scores=scores.ctypes.data)
            if self.with_reasons:
                matches.reason_offsets, matches.reason_room = places[0].ctypes.data, len(reasons)
                matches.reason_bytes = reasons.ctypes.data
            if self.with_candidates:
                matches.candidate_offsets, matches.candidate_room = places[1].ctypes.data, len(candidates)
                matches.candidate_taxa = candidates.ctypes.data
            if call("match", self.pack._handle, ctypes.byref(columns), ctypes.byref(options), ctypes.byref(matches)):
                break
            rooms = [int(of_column[-1]) for of_column in places]
        return taxa, names, statuses, edits, scores, (places[0], reasons[:places[0][-1]]), (places[1], candidates[:places[1][-1]])

    def column(self, word: str, kind: str, given: Any) -> Any:
        """A column of what is said, of the kind of what was given."""
        pack, missing = self.pack, self.taxa == NO_TAXON
        if word == "status":
            return _giving.words(kind, STATUSES, self.statuses.astype(numpy.int8), given)
        # The command says either of what a match takes.
        if word in ("score", "edits", "distance"):
            values = numpy.where(missing, numpy.int64(NO_ID), self.scores if word == "score" else self.edits)
            return _giving.numbers(kind, values, given, missing)
        if word == "taxonID":
            return pack._give_ids(kind, self.taxa, given)
        if word == "acceptedName":
            return _giving.texts(kind, pack._distinct_texts(self.taxa, "scientific_name", None), given)
        if word == "acceptedAuthorship":
            return _giving.texts(kind, pack._distinct_texts(self.taxa, "authorship", None), given)
        if word == "rank":
            return _giving.words(kind, *pack._categories(self.taxa, "rank"), given)
        if word == "matchedName":
            return _giving.texts(kind, pack._text_rows(self.names, "texts_of_names"), given)
        if word == "reason":
            return _giving.texts(kind, self._reasons(), given)
        if word == "candidates":
            return _giving.objects(kind, _giving.taken(self._candidates(), self.codes), given, pack.has_text_ids)
        if word == "lineage":
            return self._lineages(kind, given)
        return _giving.words(kind, *pack._categories(pack._rank_columns(self.taxa, [word])[0], "scientific_name"), given)

    def _reasons(self) -> TextRows:
        places, base = [numpy.zeros(1, numpy.int64)], 0
        for of_piece, values in self.reasons:
            places.append(of_piece[1:] + base)
            base += len(values)
        return TextRows(numpy.concatenate(places), numpy.concatenate([values for _, values in self.reasons] or [numpy.empty(0, numpy.uint8)]),
                        self.codes)

    def _candidates(self) -> "list[list[Any]]":
        """The ids of what was weighed."""
        lists: list[list[Any]] = []
        for places, taxa in self.candidates:
            ids, ends = self.pack._give_ids("list", taxa, None), places.tolist()
            lists += [ids[start:end] for start, end in zip(ends, ends[1:])]
        return lists

    def _lineages(self, kind: str, given: Any) -> Any:
        """Names from the root down in one text, without a root that no source has."""
        distinct, codes = numpy.unique(self.taxa, return_inverse=True)
        # An implied root is the first taxon, and not all others need be below it.
        below = int(self.pack._of_taxa("subtree_ends", numpy.zeros(1, numpy.uint32))[0]) if self.pack.has_implied_root else 0
        lineages = zip(distinct.tolist(), self.pack.lineage(distinct.tolist(), ordinals=True))
        texts = ["; ".join(names[taxon < below:]) for taxon, names in lineages]
        codes = numpy.where(distinct[codes] == NO_TAXON, -1, codes) if len(distinct) else codes
        return _giving.words(kind, texts, codes, given)


def _with(given: Any, answers: "dict[str, Any]") -> Any:
    """A table with columns added."""
    kind = _columns.kind_of(given)
    if kind == "pandas":
        table = given.copy(deep=False)
        for name, column in answers.items():
            table[name] = column.array
        return table
    if kind == "polars":
        return given.with_columns(**answers)
    if kind == "pyarrow":
        library = sys.modules["pyarrow"]
        if isinstance(given, library.RecordBatch):
            fields = [*given.schema, *(library.field(name, column.type) for name, column in answers.items())]
            return library.RecordBatch.from_arrays([*given.columns, *answers.values()], schema=library.schema(fields, given.schema.metadata))
        table = library.table(given)
        for name, column in answers.items():
            table = table.append_column(name, column)
        return table
    return {**given, **answers}
