"""Packs and what is asked of them."""
from __future__ import annotations

import ctypes
import os
import threading
import weakref
from typing import Any, Iterable, NamedTuple, Optional

import numpy

from . import _columns
from ._library import LIBRARY, NO_ID, NO_TAXON, Facts, Hits, ResolveOptions, SearchOptions, call

STATUSES = numpy.array(["exact", "synonym", "common", "merged", "deleted", "fuzzy", "partial", "ambiguous", "not_found", "invalid"])
INVALID = 9
FIELDS = ("scientific_name", "authorship", "rank", "id", "common_name")
KINDS = numpy.array(["scientific", "common", "synonym"])
MODES = ("auto", "exact", "prefix", "fuzzy")
MATCHES = numpy.array(["exact_name", "name_prefix", "all_words", "fuzzy_name", "fuzzy_prefix", "fuzzy_words"])
# Where a search writes its hits.
HIT_COLUMNS = {"taxa": numpy.uint32, "names": numpy.uint32, "kinds": numpy.uint8, "classes": numpy.uint8, "distances": numpy.uint8}

_opened: dict[str, tuple[tuple, "Pack"]] = {}
_lock = threading.Lock()


def _after_fork() -> None:
    """Another thread may have held the lock; the mappings and what stands in them are the child's too."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def open(path: "str | os.PathLike[str]") -> "Pack":
    """The pack at a path: the same one each time, until the file is another.

    It is closed when nothing refers to it and another file has taken its place.
    """
    name = os.path.abspath(os.fspath(path))
    status = os.stat(name)
    stamp = (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)
    with _lock:
        known = _opened.get(name)
        if known and known[0] == stamp:
            return known[1]
        pack = Pack(name)
        _opened[name] = (stamp, pack)
        return pack


class Hit(NamedTuple):
    """A taxon that a search found, by which of its names."""

    id: Any
    name: str
    #: scientific, common or synonym
    kind: str
    #: exact_name, name_prefix, all_words, fuzzy_name, fuzzy_prefix or fuzzy_words
    match: str
    #: edits between text and name
    distance: int


def _place(array: numpy.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


class Pack:
    """One open pack. Threads may share it; a process that is forked or unpickles it has it too."""

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self.path = os.fspath(path)
        handle = ctypes.c_void_p()
        call("open", os.fsencode(self.path), ctypes.byref(handle))
        self._handle = handle
        weakref.finalize(self, LIBRARY.stol_close, handle).atexit = False
        facts = Facts()
        call("get_facts", handle, ctypes.byref(facts))
        #: The number of taxa.
        self.taxon_count: int = facts.taxon_count
        #: The number of common names and synonyms.
        self.name_count: int = facts.name_count
        #: Whether ids are texts, else whole numbers.
        self.has_text_ids: bool = bool(facts.has_text_ids)

    def __reduce__(self):
        return open, (self.path,)

    def __len__(self) -> int:
        return self.taxon_count

    def __repr__(self) -> str:
        return f"stol.open({self.path!r})"

    def fact(self, key: str) -> Optional[str]:
        """What the dataset states: "id", "name", "release", "licence", "id_space", "source"."""
        needed = ctypes.c_size_t()
        call("dataset_text", self._handle, key.encode(), None, 0, ctypes.byref(needed))
        if not needed.value:
            return None
        text = ctypes.create_string_buffer(needed.value)
        call("dataset_text", self._handle, key.encode(), text, needed.value, ctypes.byref(needed))
        return text.value.decode()

    # Ids and ordinals

    def taxa(self, ids: Any) -> numpy.ndarray:
        """The ordinals of ids, merged ones followed; NO_TAXON where there is no such taxon."""
        column = _columns.read(ids)
        if isinstance(column, _columns.Numbers):
            return self._taxa_of_numbers(column)
        return self._each_part(column, "taxa_of_id_texts", ())[0]

    def _taxa_of_numbers(self, column: _columns.Numbers) -> numpy.ndarray:
        taxa = numpy.empty(len(column.values), numpy.uint32)
        call("taxa_of_ids", self._handle, _place(column.values), len(taxa), _place(taxa), None)
        if column.present is not None:
            taxa[~column.present] = NO_TAXON
        return taxa

    def _each_part(self, parts, name, options):
        """Taxa and statuses of a column of texts."""
        taxa, statuses = [numpy.empty(0, numpy.uint32)], [numpy.empty(0, numpy.uint8)]
        for part in parts:
            count = part.texts.count
            found, became = numpy.empty(count, numpy.uint32), numpy.empty(count, numpy.uint8)
            middle = (*options, _place(found)) if name == "taxa_of_id_texts" else (*options, _place(found), None)
            call(name, self._handle, ctypes.byref(part.texts), *middle, _place(became))
            taxa.append(part.spread(found, NO_TAXON))
            statuses.append(part.spread(became, INVALID))
        return numpy.concatenate(taxa), numpy.concatenate(statuses)

    def ids(self, taxa: Any) -> Any:
        """The ids of ordinals."""
        return self._give_ids(_columns.kind_of(taxa), self._ordinals(taxa, True), taxa)

    def _id_values(self, taxa: numpy.ndarray):
        """Ids as an array of numbers or a list of texts, and which rows have none."""
        if self.has_text_ids:
            texts = self._texts(taxa, "id")
            return texts, numpy.array([text is None for text in texts], bool)
        ids = numpy.empty(len(taxa), numpy.int64)
        call("ids_of_taxa", self._handle, _place(taxa), len(taxa), _place(ids))
        return ids, ids == NO_ID

    def _give_ids(self, kind: str, taxa: numpy.ndarray, given: Any, ordinals: bool = False) -> Any:
        if ordinals:
            return _columns.give(kind, taxa, given, taxa == NO_TAXON)
        values, missing = self._id_values(taxa)
        return _columns.give(kind, values, given, missing)

    def _ordinals(self, given: Any, ordinals: bool) -> numpy.ndarray:
        if not ordinals:
            return self.taxa(given)
        if isinstance(given, numpy.ndarray) and given.dtype == numpy.uint32:
            return numpy.ascontiguousarray(given)
        column = _columns.read(given)
        if not isinstance(column, _columns.Numbers):
            raise TypeError("ordinals are whole numbers")
        if len(column.values) and not 0 <= column.values.min() <= column.values.max() <= NO_TAXON:
            raise ValueError("ordinals are from 0 to NO_TAXON")
        taxa = column.values.astype(numpy.uint32)
        if column.present is not None:
            taxa[~column.present] = NO_TAXON
        return taxa

    # Names

    def resolve(self, names: Any, *, rank: Optional[str] = None, within: Any = None, ordinals: bool = False) -> Any:
        """The ids of what texts name as a whole, and a status for each.

        A text is a scientific name, a synonym, a common name, or an id. A name of several taxa is ambiguous and
        has no id, unless `rank` or `within`, an id of which taxa must be below, leaves one. A text that repeats
        is looked for once.
        """
        kind = _columns.kind_of(names)
        options = ResolveOptions(rank=rank.encode() if rank else None, within=self._within(within))
        taxa, statuses = self._each_part(_columns.read_texts(names), "resolve", (ctypes.byref(options),))
        return self._give_ids(kind, taxa, names, ordinals), self._give_words(kind, STATUSES, statuses, names)

    def _within(self, given: Any) -> int:
        if given is None:
            return NO_TAXON
        taxon = int(self.taxa(given)[0])
        if taxon == NO_TAXON:
            raise ValueError(f"no taxon {given!r}")
        return taxon

    @staticmethod
    def _give_words(kind: str, words: numpy.ndarray, codes: numpy.ndarray, given: Any) -> Any:
        if kind == "pandas":
            import pandas
            index = getattr(given, "index", None)
            return pandas.Series(pandas.Categorical.from_codes(codes.astype(numpy.int8), words), index=index)
        if kind == "pyarrow":
            import pyarrow
            return pyarrow.DictionaryArray.from_arrays(codes.astype(numpy.int8), words.tolist())
        return _columns.give(kind, words[codes] if kind == "numpy" else words[codes].tolist(), given)

    def names(self, ids: Any, field: str = "scientific_name", *, language: Optional[str] = None, ordinals: bool = False) -> Any:
        """A text of each taxon: scientific_name, authorship, rank, id or common_name, the last in a language."""
        taxa = self._ordinals(ids, ordinals)
        return _columns.give(_columns.kind_of(ids), self._texts(taxa, field, language), ids)

    def _texts(self, taxa: numpy.ndarray, field: str, language: Optional[str] = None) -> list:
        if field not in FIELDS:
            raise ValueError(f"no field {field!r}: {', '.join(FIELDS)}")
        return self._with_room(len(taxa), 32 * len(taxa), "texts_of_taxa", FIELDS.index(field),
                               language.encode() if language else None, _place(taxa), len(taxa))

    def _with_room(self, count: int, room: int, name: str, *arguments, dtype=numpy.uint8) -> Any:
        """Texts, or offsets and numbers, of what says how much room it needs."""
        places, needed = numpy.empty(count + 1, numpy.int64), ctypes.c_size_t(room)
        for _ in range(2):
            values = numpy.empty(needed.value, dtype)
            if call(name, self._handle, *arguments, _place(places), _place(values), len(values), ctypes.byref(needed)):
                break
        values = values[:needed.value]
        return _columns.text_list(places, values) if dtype is numpy.uint8 else (places, values)

    # The tree

    def lca(self, a: Any, b: Any, *, ordinals: bool = False) -> Any:
        """The lowest common ancestors of pairs."""
        first, second = self._ordinals(a, ordinals), self._ordinals(b, ordinals)
        if len(first) != len(second):
            raise ValueError(f"{len(first)} and {len(second)} rows")
        found = numpy.empty(len(first), numpy.uint32)
        call("lca_pairs", self._handle, _place(first), _place(second), len(found), _place(found))
        return self._give_ids(_columns.kind_of(a), found, a, ordinals)

    def lca_groups(self, groups: Any) -> Any:
        """The lowest common ancestor of each list of ids; ids that are none are left out."""
        places, column = _columns.read_lists(groups)
        taxa = self._taxa_of_numbers(column) if isinstance(column, _columns.Numbers) \
            else self._each_part(column, "taxa_of_id_texts", ())[0]
        found = numpy.empty(len(places) - 1, numpy.uint32)
        call("lca_lists", self._handle, 64, _place(places), len(found), _place(taxa), len(taxa), _place(found))
        return self._give_ids(_columns.kind_of(groups), found, groups)

    def lineage(self, ids: Any, ranks: Optional[Iterable[str]] = None, field: str = "scientific_name", *,
                language: Optional[str] = None, ordinals: bool = False) -> Any:
        """The way from the root to each taxon: a list of texts of a field, as in `names`.

        With ranks, a table with a column for each: the text of the ancestor of that rank, or of the taxon itself.
        """
        kind, taxa = _columns.kind_of(ids), self._ordinals(ids, ordinals)
        if ranks is None:
            places, found = self._with_room(len(taxa), 24 * len(taxa), "lineages", _place(taxa), len(taxa), dtype=numpy.uint32)
            values = self._values(found, field, language)
            places = places.tolist()
            return _columns.give(kind, [values[start:end] for start, end in zip(places, places[1:])], ids)
        words = [ranks] if isinstance(ranks, str) else list(ranks)
        raw = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
        found = numpy.empty(len(words) * len(taxa), numpy.uint32)
        call("rank_columns", self._handle, _place(taxa), len(taxa), raw, len(words), _place(found))
        # An ancestor of many taxa is asked for once.
        distinct, codes = numpy.unique(found, return_inverse=True)
        values = numpy.array([*self._values(distinct, field, language), None], object)[:-1]
        rows = values[codes].reshape(len(words), len(taxa)).tolist()
        columns = {word: _columns.give(kind, row, ids) for word, row in zip(words, rows)}
        return _columns.table(kind, columns, getattr(ids, "index", None) if kind == "pandas" else None)

    def _values(self, taxa: numpy.ndarray, field: str, language: Optional[str] = None) -> list:
        """Texts, or as ids what they are."""
        if field != "id":
            return self._texts(taxa, field, language)
        values, missing = self._id_values(taxa)
        return _columns.give("list", values, None, missing)

    def children(self, taxon: Any, *, ordinals: bool = False) -> Any:
        """The children of one taxon, by scientific name."""
        below = self._below(taxon, ordinals)
        parents = numpy.empty(len(below), numpy.uint32)
        call("parents", self._handle, _place(below), len(below), _place(parents))
        return self._give_ids("list", below[1:][parents[1:] == below[0]] if len(below) else below, None, ordinals)

    def subtree(self, taxon: Any, *, ordinals: bool = False) -> Any:
        """A taxon and all below it, in depth-first preorder: an array, or of ids that are texts a list."""
        return self._give_ids("numpy" if not self.has_text_ids else "list", self._below(taxon, ordinals), None, ordinals)

    def _below(self, taxon: Any, ordinals: bool) -> numpy.ndarray:
        first = self._ordinals(taxon, ordinals)
        if len(first) != 1 or first[0] == NO_TAXON:
            raise ValueError(f"no taxon {taxon!r}")
        end = numpy.empty(1, numpy.uint32)
        call("subtree_ends", self._handle, _place(first), 1, _place(end))
        return numpy.arange(first[0], end[0], dtype=numpy.uint32)

    # Search

    def search(self, texts: Any, *, mode: str = "auto", edits: Optional[int] = None, limit: int = 20,
               rank: Optional[str] = None, within: Any = None) -> Any:
        """Taxa with a name like a text, best first: a list of `Hit`s, for columns a list of such lists.

        Modes are auto, exact, prefix and fuzzy. For pandas, polars and pyarrow it is a table instead, of which
        `row` says the text.
        """
        return self._search(texts, mode, edits, limit, rank, within, 0)

    def complete(self, texts: Any, *, limit: int = 10, rank: Optional[str] = None, within: Any = None) -> Any:
        """Taxa with a name that begins so, or nearly so, those that are well known first; as `search` gives them."""
        return self._search(texts, "auto", None, limit, rank, within, 1)

    def _search(self, given, mode, edits, limit, rank, within, order):
        if mode not in MODES:
            raise ValueError(f"no mode {mode!r}: {', '.join(MODES)}")
        kind, parts = _columns.kind_of(given), _columns.read_texts(given)
        options = SearchOptions(mode=MODES.index(mode), order=order, edits=-1 if edits is None else edits, limit=limit,
                                rank=rank.encode() if rank else None, within=self._within(within))
        starts, counts = [numpy.empty(0, numpy.int64)], [numpy.empty(0, numpy.int64)]
        parts_of_columns = [[numpy.empty(0, dtype)] for dtype in HIT_COLUMNS.values()]
        base = 0
        for part in parts:
            start, count, columns = self._hits(part, limit, options)
            starts.append(start + base)
            counts.append(count)
            base += len(columns[0])
            for parts_of_column, column in zip(parts_of_columns, columns):
                parts_of_column.append(column)
        starts, counts = numpy.concatenate(starts), numpy.concatenate(counts)
        columns = [numpy.concatenate(parts_of_column) for parts_of_column in parts_of_columns]
        # The hits of a row lie together, behind those of the row before it.
        places = numpy.repeat(starts - numpy.cumsum(counts) + counts, counts) + numpy.arange(counts.sum())
        taxa, names, kinds, matches, distances = (column[places] for column in columns)
        texts = self._with_room(len(names), 32 * len(names), "texts_of_names", _place(names), len(names))
        if kind in ("pandas", "polars", "pyarrow", "arrow"):
            row = numpy.repeat(numpy.arange(len(counts)), counts)
            flat = {"row": _columns.give(kind, row, None), "id": self._give_ids(kind, taxa, None), "name": _columns.give(kind, texts, None),
                    "kind": self._give_words(kind, KINDS, kinds, None), "match": self._give_words(kind, MATCHES, matches, None),
                    "distance": _columns.give(kind, distances, None)}
            return _columns.table(kind, flat)
        hits = [Hit(*row) for row in zip(self._give_ids("list", taxa, None), texts, KINDS[kinds].tolist(), MATCHES[matches].tolist(),
                                         distances.tolist())]
        ends = numpy.cumsum(counts).tolist()
        lists = [hits[end - count:end] for end, count in zip(ends, counts.tolist())]
        return lists[0] if kind == "one" else lists

    def _hits(self, part, limit, options):
        """Where the hits of each row start, how many they are, and all hits; those of rows that repeat once."""
        count = part.texts.count
        places, needed = numpy.empty(count + 1, numpy.int64), ctypes.c_size_t(min(count * limit, max(4 * count, 1 << 22)))
        for _ in range(2):
            columns = [numpy.empty(needed.value, dtype) for dtype in HIT_COLUMNS.values()]
            hits = Hits(room=needed.value, **{name: column.ctypes.data for name, column in zip(HIT_COLUMNS, columns)})
            if call("search", self._handle, ctypes.byref(part.texts), ctypes.byref(options), _place(places), ctypes.byref(hits),
                    ctypes.byref(needed)):
                break
        starts, counts = part.spread(places[:-1], 0), part.spread(places[1:] - places[:-1], 0)
        return starts, counts, [column[:needed.value] for column in columns]
