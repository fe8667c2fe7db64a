"""Packs and what is asked of them."""
from __future__ import annotations

import ctypes
import operator
import os
import re
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union, overload

import numpy

from . import _columns, _first, _giving
from ._columns import Array, Numbers, TextPart, place
from ._giving import TextRows
from ._library import (INVALID, NO_ID, NO_TAXON, STATUSES, Facts, Handle, Hits, ResolveOptions, SearchOptions, call, choice, shown,
                       word)
from ._match import checked_hints, match
from ._taxon import Comparison, Taxon, compare, newick, pack_html
from ._threads import forks_wait, in_blocks, in_short_blocks

#: An id as its source has it: a whole number, or a text.
Id = Union[int, str]
#: Columns that are answered by lists.
Rows = Union["list[Any]", "tuple[Any, ...]"]
FIELDS = ("scientific_name", "authorship", "rank", "id", "common_name")
KINDS = ("scientific", "common", "synonym")
MODES = ("auto", "exact", "prefix", "fuzzy", "contains")
MATCHES = ("exact_name", "exact_form", "head_word", "whole_words", "name_prefix", "all_words", "across_names", "fuzzy_name", "fuzzy_prefix",
           "fuzzy_words")
# Where a search writes its hits.
HIT_COLUMNS = {"taxa": numpy.uint32, "names": numpy.uint32, "kinds": numpy.uint8, "classes": numpy.uint8, "distances": numpy.uint8}
MOST_EDITS = 3
# A number of any length, perhaps behind the id space of its source.
_NUMBER = re.compile(r"\s*([^\s:]+:)?[+-]?[0-9]+\s*")
# More texts need no longer block.
SEARCH_BLOCK = 1 << 12


class Hit(NamedTuple):
    """A taxon that a search found, by which of its names."""

    id: Optional[Id]
    name: str
    #: scientific, common or synonym
    kind: str
    #: exact_name, exact_form, head_word, whole_words, name_prefix, all_words, across_names, fuzzy_name, fuzzy_prefix or fuzzy_words
    match: str
    #: edits between text and name
    distance: int


class Pack:
    """One open pack. Threads may share it; a process that is forked has it too, and one that unpickles it, if its file is the same."""

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self.path: str = os.fspath(path)
        facts = Facts()
        with forks_wait:
            self._open: Optional[Handle] = Handle(self.path)
            call("get_facts", self._open, ctypes.byref(facts))
        #: The number of taxa.
        self.taxon_count: int = facts.taxon_count
        #: The number of common names and synonyms.
        self.name_count: int = facts.name_count
        #: Whether ids are texts, else whole numbers.
        self.has_text_ids: bool = bool(facts.has_text_ids)
        #: Whether the first taxon is a root that no source has.
        self.has_implied_root: bool = bool(facts.has_implied_root)
        # What two packs that answer alike have in common.
        self._mark = f"{bytes(facts.source_sha256).hex()} {facts.taxon_count} {facts.name_count} {facts.byte_count}"

    def close(self) -> None:
        """Lets go of the file. Whoever shares this pack has it no longer: a long call that is under way raises ValueError."""
        self._open = None

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._open is None

    @property
    def _handle(self) -> Handle:
        handle = self._open
        if handle is None:
            raise ValueError(f"{self.path} has been closed: open it again")
        return handle

    def __reduce__(self) -> Any:
        from ._open import reopened
        return reopened, (self.path, self._mark)

    def __copy__(self) -> Pack:
        return self

    def __deepcopy__(self, known: Any) -> Pack:
        return self

    def __len__(self) -> int:
        return self.taxon_count

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"stol.open({self.path!r})"

    def _repr_html_(self) -> str:
        return pack_html(self)

    # Taxa, one by one

    def __getitem__(self, key: Union[Id, Taxon]) -> Taxon:
        """The taxon of an id, or of a name as `resolve` reads it; a taxon of this pack is itself.

        KeyError says what became of the name of none, or of several.
        """
        if isinstance(key, Taxon):
            return Taxon(self, self._own(key))
        if _columns.kind_of(key) != "one":
            raise TypeError("one id or name; for many: resolve")
        taxa, statuses = self._each_part(_columns.read_texts(key), "resolve", (ctypes.byref(ResolveOptions(within=NO_TAXON)),))
        if taxa[0] != NO_TAXON:
            return Taxon(self, int(taxa[0]))
        status = STATUSES[statuses[0]]
        if status != "ambiguous":
            raise KeyError(f"{shown(key)}: {status}")
        text = key.decode() if isinstance(key, bytes) else str(key)
        ids = [hit.id for hit in self.search(text, mode="exact")] or self.match([text], add="candidates")["candidates"][0]
        raise KeyError(f"{shown(key)} is ambiguous: choose one of the ids {', '.join(map(str, ids))}" if ids else f"{shown(key)} is ambiguous")

    def __contains__(self, key: object) -> bool:
        """Whether it is a taxon of this pack, or an id or a name with which one is found in it."""
        if isinstance(key, Taxon):
            return key.pack is self
        try:
            return _columns.kind_of(key) == "one" and self.resolve(key, ordinals=True)[0] is not None  # type: ignore[call-overload, no-any-return]
        except TypeError:
            return False

    def __iter__(self) -> Iterator[Taxon]:
        """All taxa, in depth-first preorder."""
        return (Taxon(self, ordinal) for ordinal in range(self.taxon_count))

    @property
    def roots(self) -> list[Taxon]:
        """The taxa that are below no other."""
        roots, ordinal = [], 0
        while ordinal < self.taxon_count:
            roots.append(Taxon(self, ordinal))
            ordinal = roots[-1].end
        return roots

    def fact(self, key: str) -> Optional[str]:
        """What the dataset states: "id", "name", "release", "licence", "id_space", "source"."""
        needed = ctypes.c_size_t()
        call("dataset_text", self._handle, word(key) or b"", None, 0, ctypes.byref(needed))
        if not needed.value:
            return None
        text = ctypes.create_string_buffer(needed.value)
        call("dataset_text", self._handle, word(key), text, needed.value, ctypes.byref(needed))
        return text.value.decode()

    # Ids and ordinals

    def taxa(self, ids: Any) -> Array:
        """The ordinals of ids, merged ones followed; NO_TAXON where there is no such taxon."""
        return self._taxa(self._column(ids, "ids"), "ids")

    def _column(self, given: Any, name: str) -> "_columns.Column | Array":
        """Ids as a column, or where taxa are among them the ordinals of all."""
        self._refuse_name(given)
        if not isinstance(given, (list, tuple)) and _columns.kind_of(given) == "list" and not isinstance(given, dict):
            # What can be iterated over once is read twice where it has taxa.
            given = list(given) if isinstance(given, Iterable) else given
        try:
            return _columns.read(given)
        except TypeError:
            rows = _columns.objects_in(given)
            is_taxon = numpy.array([isinstance(row, Taxon) for row in rows], bool)
            if not is_taxon.any():
                raise
        taxa = numpy.empty(len(rows), numpy.uint32)
        taxa[is_taxon] = [self._own(row) for row in rows if isinstance(row, Taxon)]
        taxa[~is_taxon] = self._taxa(_columns.read([row for row in rows if not isinstance(row, Taxon)]), name)
        return taxa

    def _own(self, taxon: Taxon) -> int:
        """The ordinal of a taxon of this pack."""
        if taxon.pack is not self:
            raise ValueError(f"{taxon!r} is of another pack")
        return taxon.ordinal

    def _refuse_name(self, given: Any) -> None:
        """Refuses a single text that no id of this pack is or can be: a name has to be looked for first."""
        if not isinstance(given, str) or self.has_text_ids or not given.strip() or _NUMBER.fullmatch(given):
            return
        # Those of synonyms may be texts where those of taxa are whole numbers.
        if self._each_part(_columns.read_texts(given), "taxa_of_id_texts", ())[0][0] == NO_TAXON:
            raise ValueError(f"no taxon has the id {shown(given)}; the one of a name is pack[{shown(given)}].id")

    def _taxa(self, column: "_columns.Column | Array", name: str) -> Array:
        """The taxa of what was given by an argument of this name."""
        if isinstance(column, numpy.ndarray):
            return column
        if not isinstance(column, Numbers):
            return self._each_part(column, "taxa_of_id_texts", ())[0]
        if column.has_none:
            return numpy.full(len(column), NO_TAXON, numpy.uint32)
        if self.has_text_ids:
            number = int(column.values[0 if column.present is None else int(column.present.argmax())])
            # Whatever is too great for an id stands there as none.
            which, remedy = ("a number", f"str of each of {name}") if number == NO_ID else (f"the number {number}", f"str({number})")
            raise TypeError(f"the ids of this pack are texts, and {name} has {which}: give texts, as {remedy}")
        taxa = numpy.empty(len(column), numpy.uint32)
        in_blocks(len(column), lambda start, end: self._taxa_of_numbers(column, start, end, taxa))
        return taxa

    def _taxa_of_numbers(self, column: Numbers, start: int, end: int, found: Optional[Array] = None) -> Array:
        """The taxa of some rows, in their places of `found`."""
        taxa = numpy.empty(end - start, numpy.uint32) if found is None else found[start:end]
        call("taxa_of_ids", self._handle, place(column.values[start:end]), len(taxa), place(taxa), None)
        if column.present is not None:
            taxa[~column.present[start:end]] = NO_TAXON
        return taxa

    def _each_part(self, parts: list[TextPart], name: str, options: tuple[Any, ...]) -> tuple[Array, Array]:
        """Taxa and statuses of a column of texts."""
        if name == "resolve":
            _first.ask(self, name)
        taxa, statuses = [numpy.empty(0, numpy.uint32)], [numpy.empty(0, numpy.uint8)]
        known: dict[int, tuple[Array, Array]] = {}
        behind = () if name == "taxa_of_id_texts" else (None,)
        handle = self._handle
        for part in parts:
            if id(part.texts) not in known:
                count = part.texts.count
                found, became = known.setdefault(id(part.texts), (numpy.empty(count, numpy.uint32), numpy.empty(count, numpy.uint8)))

                def work(start: int, end: int, texts: Any = part.texts, found: Array = found, became: Array = became) -> None:
                    rows = _columns.slice_of(texts, start, end)
                    call(name, handle, ctypes.byref(rows), *options, place(found[start:end]), *behind, place(became[start:end]))
                in_blocks(count, work)
            found, became = known[id(part.texts)]
            taxa.append(part.spread(found, NO_TAXON))
            statuses.append(part.spread(became, INVALID))
        return numpy.concatenate(taxa), numpy.concatenate(statuses)

    def ids(self, taxa: Any) -> Any:
        """The ids of ordinals."""
        return _giving.named(self._give_ids(_columns.kind_of(taxa), self._ordinals(taxa, True), taxa), taxa)

    def _give_ids(self, kind: str, taxa: Array, given: Any, ordinals: bool = False) -> Any:
        if ordinals:
            return _giving.numbers(kind, taxa, given, taxa == NO_TAXON)
        if self.has_text_ids:
            return _giving.texts(kind, self._texts(taxa, "id"), given)
        ids = numpy.empty(len(taxa), numpy.int64)
        in_blocks(len(taxa), lambda start, end: self._ids(taxa[start:end], ids[start:end]))
        return _giving.numbers(kind, ids, given, ids == NO_ID)

    def _ids(self, taxa: Array, ids: Array) -> None:
        call("ids_of_taxa", self._handle, place(taxa), len(taxa), place(ids))

    def _ordinals(self, given: Any, ordinals: bool, name: str = "ids") -> Array:
        if not ordinals:
            return self._taxa(self._column(given, name), name)
        rows = _columns.objects_in(given)
        if Taxon in set(map(type, rows)):
            given = [self._own(row) if isinstance(row, Taxon) else row for row in rows]
        if isinstance(given, numpy.ndarray) and not isinstance(given, numpy.ma.MaskedArray) and given.dtype == numpy.uint32 and given.ndim == 1:
            return numpy.ascontiguousarray(given)
        column = _columns.read(given)
        if not isinstance(column, Numbers):
            raise TypeError("ordinals are whole numbers")
        if len(column) and not 0 <= column.values.min() <= column.values.max() <= NO_TAXON:
            raise ValueError("ordinals are from 0 to NO_TAXON")
        taxa = column.values.astype(numpy.uint32)
        if column.present is not None:
            taxa[~column.present] = NO_TAXON
        return taxa

    def _one(self, taxon: Any, ordinals: bool = False, name: str = "the taxon") -> int:
        """The ordinal of a taxon that must be there."""
        found = self._ordinals(taxon, ordinals, name)
        if len(found) != 1:
            raise ValueError(f"{len(found)} ids, where one is asked for")
        if found[0] == NO_TAXON:
            remedy = f"; the one of a name is pack[{shown(taxon)}]" if isinstance(taxon, str) else ""
            raise ValueError(f"no taxon has the {'ordinal' if ordinals else 'id'} {shown(taxon)}{remedy}")
        return int(found[0])

    # Names

    @overload
    def resolve(self, names: Union[str, int, None], *, rank: Optional[str] = None, within: Any = None,
                ordinals: bool = False) -> tuple[Optional[Id], str]: ...

    @overload
    def resolve(self, names: Rows, *, rank: Optional[str] = None, within: Any = None,
                ordinals: bool = False) -> tuple[list[Optional[Id]], list[str]]: ...

    @overload
    def resolve(self, names: Array, *, rank: Optional[str] = None, within: Any = None,
                ordinals: bool = False) -> tuple[Array, Array]: ...

    @overload
    def resolve(self, names: Any, *, rank: Optional[str] = None, within: Any = None, ordinals: bool = False) -> tuple[Any, Any]: ...

    def resolve(self, names: Any, *, rank: Optional[str] = None, within: Any = None, ordinals: bool = False) -> tuple[Any, Any]:
        """The ids of what texts name as a whole, and a status for each.

        Where ids are whole numbers, such a number is an id and never a name, and in all packs so is what stands behind
        the id space ("ncbi:9689"). Another text is a scientific name, else a synonym or a common name; where ids are
        texts, one that is the id of a taxon and the name of another is ambiguous. So is a name of several taxa, which
        has no id, unless `rank` or `within`, an id of which taxa must be below, leaves one. A text that repeats is
        looked for once. Authors behind a name may stand there; a name in open nomenclature ("Quercus sp.") is partial,
        with the id of what is sure of it. Names that are misspelt are not found: for such see `match`.
        """
        kind = _columns.kind_of(names)
        options = ResolveOptions(rank=word(rank), within=self._within(within))
        parts = _columns.read_texts(names)
        if kind == "list" and len(parts) == 1 and parts[0].codes is not None:
            # Rows that repeat share what Python makes of the answer.
            codes, parts = parts[0].codes, [TextPart(parts[0].texts, parts[0].keep)]
            taxa, statuses = self._each_part(parts, "resolve", (ctypes.byref(options),))
            ids = self._give_ids(kind, taxa, names, ordinals)
            return _giving.taken(ids, codes), _giving.taken(_giving.taken(STATUSES, statuses), codes)
        taxa, statuses = self._each_part(parts, "resolve", (ctypes.byref(options),))
        return self._give_ids(kind, taxa, names, ordinals), _giving.words(kind, STATUSES, statuses.astype(numpy.int8), names)

    def _within(self, given: Any) -> int:
        return NO_TAXON if given is None else self._one(given, name="within")

    def match(self, names: Any, *, add: "str | Iterable[str] | None" = None, name: Optional[str] = None,
              authorship: Optional[str] = None, rank: Optional[str] = None, code: Optional[str] = None,
              hints: "Mapping[str, str] | None" = None, min_score: Optional[int] = None, exact: bool = False,
              higher: bool = True, ocr: bool = False) -> Any:
        """The taxa of names as people write them, with authors, misspelt or in open nomenclature: `stol match`.

        Names are a column, or a table (a data frame, a pyarrow table, or a dictionary of columns) that is given
        back with columns added. Its columns are found by the terms of Darwin Core: scientificName,
        scientificNameAuthorship, taxonRank, nomenclaturalCode, kingdom to genus; or said by `name`, `authorship`,
        `rank`, `code`, and `hints`, as {"family": "Familia"}. In a dictionary a single text is meant for all rows.

        `add` names what is added: status, score, reason, taxonID, acceptedName, acceptedAuthorship, rank,
        matchedName, edits or by its other name distance, lineage, candidates, any rank as "family", or "main" for
        the eight main ones. A name that the table has already gets "stol_" in front. Nothing below `min_score`,
        which is 90, is an answer. `exact` takes whole names only, `higher` allows for higher taxa, `ocr` for
        confusions of scanners.
        """
        _first.ask(self, "match")
        fields = {"name": name, "authorship": authorship, "rank": rank, "code": code}
        return match(self, names, add, fields, checked_hints(hints or {}), min_score, exact, higher, ocr)

    @overload
    def names(self, ids: Union[Id, Taxon, None], field: str = "scientific_name", *, language: Optional[str] = None,
              ordinals: bool = False) -> Optional[str]: ...

    @overload
    def names(self, ids: Rows, field: str = "scientific_name", *, language: Optional[str] = None,
              ordinals: bool = False) -> list[Optional[str]]: ...

    @overload
    def names(self, ids: Array, field: str = "scientific_name", *, language: Optional[str] = None,
              ordinals: bool = False) -> Array: ...

    @overload
    def names(self, ids: Any, field: str = "scientific_name", *, language: Optional[str] = None, ordinals: bool = False) -> Any: ...

    def names(self, ids: Any, field: str = "scientific_name", *, language: Optional[str] = None, ordinals: bool = False) -> Any:
        """A text of each taxon: scientific_name, authorship, rank, id or common_name, the last in a language."""
        taxa = self._ordinals(ids, ordinals)
        return _giving.named(_giving.texts(_columns.kind_of(ids), self._texts(taxa, field, language), ids), ids)

    def _texts(self, taxa: Array, field: str, language: Optional[str] = None) -> TextRows:
        return self._text_rows(taxa, "texts_of_taxa", choice(field, FIELDS, "field"), word(language))

    def _text_rows(self, rows: Array, name: str, *arguments: Any) -> TextRows:
        """Texts of taxa or names."""
        def work(start: int, end: int) -> tuple[Array, Array]:
            return self._with_room(end - start, 32 * (end - start), numpy.uint8, name, *arguments, place(rows[start:end]), end - start)
        pieces = in_blocks(len(rows), work)
        if len(pieces) == 1:
            return TextRows(*pieces[0])
        places, base = [numpy.zeros(1, numpy.int64)], 0
        for of_piece, values in pieces:
            places.append(of_piece[1:] + base)
            base += len(values)
        return TextRows(numpy.concatenate(places), numpy.concatenate([values for _, values in pieces] or [numpy.empty(0, numpy.uint8)]))

    def _with_room(self, count: int, room: int, dtype: Any, name: str, *arguments: Any) -> tuple[Array, Array]:
        """Offsets and what lies between them, of what says how much room it needs."""
        places, needed = numpy.empty(count + 1, numpy.int64), ctypes.c_size_t(room)
        for _ in range(2):
            values = numpy.empty(needed.value, dtype)
            if call(name, self._handle, *arguments, place(places), place(values), len(values), ctypes.byref(needed)):
                break
        return places, values[:needed.value]

    # The tree

    def lca(self, a: Any, b: Any, *, ordinals: bool = False) -> Any:
        """The lowest common ancestors of pairs; one value beside a column is meant for all rows.

        The first row of `a` goes with the first of `b`, and so on, whatever the indexes of pandas say; the answer has that of the first column.
        """
        given = b if _columns.kind_of(a) == "one" else a
        kind = _columns.kind_of(given)
        if ordinals:
            found = self._lca_pairs(a, self._ordinals(a, True), b, self._ordinals(b, True))
            return _giving.named(self._give_ids(kind, found, given, True), given)
        left, right = self._column(a, "a"), self._column(b, "b")
        if self.has_text_ids or not (isinstance(left, Numbers) and isinstance(right, Numbers)) or len(left) != len(right):
            found = self._lca_pairs(a, self._taxa(left, "a"), b, self._taxa(right, "b"))
            return _giving.named(self._give_ids(kind, found, given), given)
        ids = numpy.empty(len(left), numpy.int64)

        def work(start: int, end: int) -> None:
            self._ids(self._lca_block(self._taxa_of_numbers(left, start, end), self._taxa_of_numbers(right, start, end)), ids[start:end])
        in_blocks(len(left), work)
        return _giving.named(_giving.numbers(kind, ids, given, ids == NO_ID), given)

    def _lca_pairs(self, a: Any, first: Array, b: Any, second: Array) -> Array:
        """The ancestors of taxa that a and b are."""
        if len(first) != len(second):
            count = len(second if _columns.kind_of(a) == "one" else first)
            first, second = (numpy.ascontiguousarray(numpy.broadcast_to(taxa, count)) if _columns.kind_of(given) == "one" else taxa
                             for given, taxa in ((a, first), (b, second)))
        if len(first) != len(second):
            raise ValueError(f"a has {len(first)} rows and b {len(second)}: give as many, or one value that is meant for all")
        return self._lca_block(first, second)

    def _lca_block(self, first: Array, second: Array) -> Array:
        found = numpy.empty(len(first), numpy.uint32)
        call("lca_pairs", self._handle, place(first), place(second), len(found), place(found))
        return found

    def lca_groups(self, groups: Any) -> Any:
        """The lowest common ancestor of each list of ids; ids that are none are left out."""
        places, column = _columns.read_lists(groups, lambda members: self._column(members, "groups"))
        taxa = self._taxa(column, "groups")
        found = numpy.empty(len(places) - 1, numpy.uint32)
        call("lca_lists", self._handle, 64, place(places), len(found), place(taxa), len(taxa), place(found))
        return _giving.named(self._give_ids(_columns.kind_of(groups), found, groups), groups)

    def lineage(self, ids: Any, ranks: Optional[Iterable[str]] = None, field: str = "scientific_name", *,
                language: Optional[str] = None, ordinals: bool = False) -> Any:
        """The way from the root to each taxon: a list of texts of a field, as in `names`.

        With ranks, a table with a column for each: the text of the ancestor of that rank, or of the taxon itself.
        Columns of texts are categorical in pandas and dictionaries in pyarrow.
        """
        kind, taxa = _columns.kind_of(ids), self._ordinals(ids, ordinals)
        if ranks is not None:
            words = [ranks] if isinstance(ranks, str) else list(ranks)
            columns = self._rank_columns(taxa, words)
            if field == "id":
                return _giving.table(kind, {word: self._give_ids(kind, column, ids) for word, column in zip(words, columns)}, ids, len(taxa))
            named = in_blocks(len(words), lambda start, _: self._categories(columns[start], field, language), 1)
            return _giving.table(kind, {word: _giving.words(kind, *column, ids) for word, column in zip(words, named)}, ids, len(taxa))

        def work(start: int, end: int) -> tuple[Array, Array]:
            count = end - start
            return self._with_room(count, 24 * count, numpy.uint32, "lineages", place(taxa[start:end]), count)
        pieces = in_blocks(len(taxa), work)
        lengths = [numpy.zeros(1, numpy.int64), *(numpy.diff(places) for places, _ in pieces)]
        found = numpy.concatenate([values for _, values in pieces] or [numpy.empty(0, numpy.uint32)])
        rows = self._give_ids("list", found, None) if field == "id" else self._distinct_texts(found, field, language)
        lists = _giving.lists(kind, numpy.cumsum(numpy.concatenate(lengths)), rows, ids, field != "id" or self.has_text_ids)
        return _giving.named(lists, ids)

    def _rank_columns(self, taxa: Array, ranks: Sequence[str]) -> Array:
        """For each rank the ancestors of taxa, as the rows of an array."""
        raw = (ctypes.c_char_p * len(ranks))(*[word(rank) or b"" for rank in ranks])
        columns = numpy.empty((len(ranks), len(taxa)), numpy.uint32)

        def work(start: int, end: int) -> None:
            block = numpy.empty((len(ranks), end - start), numpy.uint32)
            call("rank_columns", self._handle, place(taxa[start:end]), end - start, raw, len(ranks), place(block))
            columns[:, start:end] = block
        in_blocks(len(taxa), work)
        if not len(taxa):
            work(0, 0)
        return columns

    def _categories(self, taxa: Array, field: str, language: Optional[str] = None) -> tuple[Sequence[str], Array]:
        """Different texts of taxa, and for each row which of them it is, -1 for none."""
        distinct, codes = self._distinct(taxa)
        return _giving.categories(self._texts(distinct, field, language), codes)

    def _distinct_texts(self, taxa: Array, field: str, language: Optional[str]) -> TextRows:
        """Texts of taxa, each asked for once."""
        distinct, codes = self._distinct(taxa)
        texts = self._texts(distinct, field, language)
        return TextRows(texts.places, texts.joined, codes)

    def _distinct(self, taxa: Array) -> tuple[Array, Array]:
        """Different taxa, and for each row which of them it is, -1 for none."""
        count = self.taxon_count
        if 8 * len(taxa) < count:
            found, codes = numpy.unique(taxa, return_inverse=True)
            if len(found) and found[-1] == NO_TAXON:
                found = found[:-1]
                codes = numpy.where(codes == len(found), -1, codes)
            return found, codes
        # One table over all taxa costs less than sorting.
        rows, position = numpy.minimum(taxa, count), numpy.full(count + 1, -1, numpy.int32)
        position[rows] = 0
        position[count] = -1
        distinct = numpy.flatnonzero(position == 0).astype(numpy.uint32)
        position[distinct] = numpy.arange(len(distinct))
        return distinct, position[rows]

    def children(self, taxon: Any, *, ordinals: bool = False) -> Any:
        """The children of one taxon, by scientific name."""
        return self._give_ids("list", self._children(self._one(taxon, ordinals)), None, ordinals)

    def _children(self, taxon: int) -> Array:
        below = self._below(taxon)
        return below[1:][self._of_taxa("parents", below)[1:] == taxon]

    def _of_taxa(self, name: str, taxa: Array) -> Array:
        """The parents of taxa, or the ends of their subtrees."""
        found = numpy.empty(len(taxa), numpy.uint32)
        call(name, self._handle, place(taxa), len(taxa), place(found))
        return found

    def subtree(self, taxon: Any, *, ordinals: bool = False) -> Any:
        """A taxon and all below it, in depth-first preorder: an array, or of ids that are texts a list."""
        kind = "numpy" if not self.has_text_ids or ordinals else "list"
        return self._give_ids(kind, self._below(self._one(taxon, ordinals)), None, ordinals)

    def _below(self, taxon: int) -> Array:
        end = self._of_taxa("subtree_ends", numpy.array([taxon], numpy.uint32))
        return numpy.arange(taxon, end[0], dtype=numpy.uint32)

    def newick(self, taxa: Any, *, labels: str = "name", collapse: bool = False, ordinals: bool = False) -> str:
        """The subtree of a taxon in Newick format, or of several the smallest tree that connects them.

        Labels are name or id; `collapse` leaves out nodes with a single child, unless they were asked for. Taxa
        without a common ancestor give a tree a line. It is the text of `stol query subtree --newick`.
        """
        return newick(self, self._ordinals(taxa, ordinals, "taxa").tolist(), labels, collapse)

    def compare(self, a: Any, b: Any) -> Comparison:
        """How two taxa are related: their common ancestor, the ways to it, and how far they are apart."""
        return compare(Taxon(self, self._one(a)), Taxon(self, self._one(b)))

    # Search

    @overload
    def search(self, texts: Union[str, None], *, mode: str = "auto", edits: Optional[int] = None, limit: int = 20,
               rank: Optional[str] = None, within: Any = None) -> list[Hit]: ...

    @overload
    def search(self, texts: Union[Rows, Array], *, mode: str = "auto", edits: Optional[int] = None, limit: int = 20,
               rank: Optional[str] = None, within: Any = None) -> list[list[Hit]]: ...

    @overload
    def search(self, texts: Any, *, mode: str = "auto", edits: Optional[int] = None, limit: int = 20,
               rank: Optional[str] = None, within: Any = None) -> Any: ...

    def search(self, texts: Any, *, mode: str = "auto", edits: Optional[int] = None, limit: int = 20,
               rank: Optional[str] = None, within: Any = None) -> Any:
        """Taxa with a name like a text, best first: a list of `Hit`s, for columns a list of such lists.

        They are the hits of `stol query search`: an id has its taxon, a name may have its authors behind it, and of one in
        open nomenclature ("Quercus sp.") what is sure is looked for. A blank text has none.

        Modes are auto, exact, prefix, fuzzy and contains. For pandas, polars and pyarrow it is a table instead, of which
        `row` says the text.
        """
        return self._search(texts, mode, edits, limit, rank, within, 0)

    @overload
    def complete(self, texts: Union[str, None], *, limit: int = 10, rank: Optional[str] = None, within: Any = None) -> list[Hit]: ...

    @overload
    def complete(self, texts: Union[Rows, Array], *, limit: int = 10, rank: Optional[str] = None,
                 within: Any = None) -> list[list[Hit]]: ...

    @overload
    def complete(self, texts: Any, *, limit: int = 10, rank: Optional[str] = None, within: Any = None) -> Any: ...

    def complete(self, texts: Any, *, limit: int = 10, rank: Optional[str] = None, within: Any = None) -> Any:
        """Taxa with a name that begins so, or nearly so, those that are well known first: `stol query complete`, as `search`."""
        return self._search(texts, "auto", None, limit, rank, within, 1)

    def _search(self, given: Any, mode: str, edits: Optional[int], limit: int, rank: Optional[str], within: Any, words: int) -> Any:
        _first.ask(self, "search")
        number_of_mode = choice(mode, MODES, "mode")
        limit = operator.index(limit)
        # ctypes would cut off what is beyond its types.
        if not 1 <= limit < 1 << 63:
            raise ValueError(f"a limit of {limit} hits: it is 1 or more")
        if edits is not None and not 0 <= operator.index(edits) <= MOST_EDITS:
            raise ValueError(f"{edits} edits, not 0 to {MOST_EDITS}")
        kind, parts = _columns.kind_of(given), _columns.read_texts(given, is_dear=True)
        options = SearchOptions(mode=number_of_mode, words=words, edits=-1 if edits is None else edits, limit=limit,
                                rank=word(rank), within=self._within(within))
        starts, counts = [numpy.empty(0, numpy.int64)], [numpy.empty(0, numpy.int64)]
        parts_of_columns: list[list[Array]] = [[numpy.empty(0, dtype)] for dtype in HIT_COLUMNS.values()]
        base = 0
        for part in parts:
            pieces = in_short_blocks(part.texts.count, lambda start, end: self._hits(part, start, end, limit, options), SEARCH_BLOCK)
            count = numpy.concatenate([numpy.empty(0, numpy.int64), *(piece[0] for piece in pieces)])
            start = numpy.cumsum(count) - count + base
            starts.append(part.spread(start, 0))
            counts.append(part.spread(count, 0))
            base += int(count.sum())
            for _, columns in pieces:
                for parts_of_column, column in zip(parts_of_columns, columns):
                    parts_of_column.append(column)
        all_starts, all_counts = numpy.concatenate(starts), numpy.concatenate(counts)
        # The hits of a row lie together, behind those of the row before it.
        places = numpy.repeat(all_starts - numpy.cumsum(all_counts) + all_counts, all_counts) + numpy.arange(all_counts.sum())
        taxa, names, kinds, matches, distances = (numpy.concatenate(column)[places] for column in parts_of_columns)
        texts = self._text_rows(names, "texts_of_names")
        if kind in ("pandas", "polars", "pyarrow", "arrow"):
            row = numpy.repeat(numpy.arange(len(all_counts)), all_counts)
            flat = {"row": _giving.numbers(kind, row, None, numpy.zeros(len(row), bool)), "id": self._give_ids(kind, taxa, None), "name": _giving.texts(kind, texts, None),
                    "kind": _giving.words(kind, KINDS, kinds.astype(numpy.int8), None),
                    "match": _giving.words(kind, MATCHES, matches.astype(numpy.int8), None), "distance": _giving.numbers(kind, distances, None, numpy.zeros(len(row), bool))}
            return _giving.table(kind, flat)
        fields = (self._give_ids("list", taxa, None), texts.listed(), _giving.taken(KINDS, kinds), _giving.taken(MATCHES, matches),
                   distances.tolist())
        hits = list(map(Hit._make, zip(*fields)))
        ends = numpy.cumsum(all_counts).tolist()
        lists = [hits[end - count:end] for end, count in zip(ends, all_counts.tolist())]
        return lists[0] if kind == "one" else lists

    def _hits(self, part: TextPart, start: int, end: int, limit: int, options: Any) -> tuple[Array, list[Array]]:
        """How many hits some rows have, and the hits."""
        count = end - start
        rows = _columns.slice_of(part.texts, start, end)
        places, needed = numpy.empty(count + 1, numpy.int64), ctypes.c_size_t(min(count * limit, max(4 * count, 1 << 16)))
        for _ in range(2):
            columns: list[Array] = [numpy.empty(needed.value, dtype) for dtype in HIT_COLUMNS.values()]
            hits = Hits(room=needed.value, **{name: column.ctypes.data for name, column in zip(HIT_COLUMNS, columns)})
            if call("search", self._handle, ctypes.byref(rows), ctypes.byref(options), place(places), ctypes.byref(hits),
                    ctypes.byref(needed)):
                break
        return numpy.diff(places), [column[:needed.value] for column in columns]
