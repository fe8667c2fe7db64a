"""Tables of Spark: which taxa names stand for, and the lowest common ancestors of groups.

>>> from stol import spark
>>> matched = spark.match(table, "scientificName", pack="/data/taxa.stolpack", add=["status", "taxonID", "family"])
>>> kin = spark.lca(matched, "eventID", "taxonID", pack="/data/taxa.stolpack")

The package is installed on every node; nothing of it is Java. `pack` is a path that all nodes have, or the name of a
file that ``spark.sparkContext.addFile`` sends to them. The processes of a node map it once each, and share its pages.
"""
from __future__ import annotations

import builtins
import ctypes
import json
import os
import socket
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional

import pyarrow
from pyspark import SparkFiles
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import IntegralType, LongType, StringType, StructField, StructType

from . import _pack
from ._library import NO_TAXON, Facts, PackError, call

__all__ = ["USUAL", "lca", "match"]

#: What `match` adds unless told otherwise: what `stol match` does.
USUAL = ("status", "score", "reason", "taxonID", "acceptedName", "rank", "matchedName")

# So many rows of each partition say how often names repeat.
_SAMPLED = 1_000
# A table with no more different names than these is matched by them, however many of its rows a sample has.
_FEW_NAMES = 2_000_000


def match(table: DataFrame, column: str = "scientificName", *, pack: "str | os.PathLike[str]", add: Iterable[str] = USUAL,
          hints: Optional[Mapping[str, str]] = None, distinct: Optional[bool] = None, **options: Any) -> DataFrame:
    """A table with columns added that say which taxa a column of names stands for: `Pack.match` for each row.

    `add` are columns of `stol match` or ranks, as in ``["status", "taxonID", "family"]``. `hints` tell what else is
    known by columns of the table, ``{"kingdom": "kingdom", "authorship": "scientificNameAuthorship"}``; `options` are
    those of `Pack.match`. The row of a null has the status invalid.

    With `distinct`, names are matched once each and joined to their rows, for which Spark reads the table twice.
    Without, all rows go through Python. Unless told, the first rows of each partition say which is cheaper.
    """
    words, roles = list(add), {"name": column, **(hints or {})}
    for name in roles.values():
        _check(table, name, StringType)
    there = {name.lower() for name in table.columns}
    taken = [word for word in words if word.lower() in there]
    if taken:
        raise ValueError(f"the table has columns that are to be added: {', '.join(taken)}; drop or rename them")
    keys = list(dict.fromkeys(roles.values()))
    places = {role: keys.index(name) for role, name in roles.items()}

    def answers(pack: _pack.Pack, columns: "list[pyarrow.Array]") -> "list[pyarrow.Array]":
        return _matched(pack, {role: columns[place] for role, place in places.items()}, words, options)

    nothing = [pyarrow.array(["?"])] * len(keys)
    pinned, kinds = _ask_a_worker(table, pack, lambda pack: [str(column.type) for column in answers(pack, nothing)])
    fields = [StructField(word, LongType() if kind == "int64" else StringType()) for word, kind in zip(words, kinds)]
    if distinct is None:
        distinct = _repeats(table, keys)
    if not distinct:
        at = [table.columns.index(key) for key in keys]
        return _mapped(table, lambda pack, columns: [*columns, *answers(pack, [columns[place] for place in at])],
                       [*table.schema.fields, *fields], pinned)
    marks = [StructField(f"stol key {number}", StringType()) for number in range(len(keys))]
    once = _mapped(table.select(*map(_column, keys)).distinct(), lambda pack, columns: [*columns, *answers(pack, columns)],
                   [*marks, *fields], pinned)
    same = [table[_quoted(key)].eqNullSafe(once[_quoted(mark.name)]) for key, mark in zip(keys, marks)]
    return table.join(once, same, "left").drop(*[mark.name for mark in marks])


def lca(table: DataFrame, by: "str | Iterable[str]", id: str, *, pack: "str | os.PathLike[str]") -> DataFrame:
    """For each group of rows, by one column or several, the lowest common ancestor of a column of ids, as `lca`.

    Nulls and ids that the pack does not have are left out; the ancestor of no taxon is null, as that of taxa with
    different roots is.
    """
    groups = [by] if isinstance(by, str) else list(by)
    _check(table, id, StringType, IntegralType)
    for name in groups:
        _check(table, name)
    is_number = isinstance(table.schema[id].dataType, IntegralType)
    pinned, has_text_ids = _ask_a_worker(table, pack, lambda pack: pack.has_text_ids)
    if has_text_ids and is_number:
        raise TypeError(f"ids of {os.fspath(pack)} are texts, and the column {id} is {table.schema[id].dataType.simpleString()}")
    kept = [StructField(f"group {number}", table.schema[name].dataType) for number, name in enumerate(groups)]

    def taxa(pack: _pack.Pack, columns: "list[pyarrow.Array]") -> "list[pyarrow.Array]":
        found = pack.taxa(columns[-1])
        return [*columns[:-1], pyarrow.array(found.astype("int64"), mask=found == NO_TAXON)]

    # Taxa are in preorder: the ancestor of all of them is that of the first and the last.
    def ancestors(pack: _pack.Pack, columns: "list[pyarrow.Array]") -> "list[pyarrow.Array]":
        return [*columns[:-2], pack.ids(pack.lca(columns[-2], columns[-1], ordinals=True))]

    taxon = StructField("taxon", LongType())
    rows = _mapped(table.select(*map(_column, groups), _column(id)), taxa, [*kept, taxon], pinned)
    ends = rows.groupBy(*[field.name for field in kept]).agg(F.min("taxon"), F.max("taxon"))
    named = [StructField(name, field.dataType) for name, field in zip(groups, kept)]
    return _mapped(ends, ancestors, [*named, StructField("lca", StringType() if has_text_ids else LongType())], pinned)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _column(name: str) -> Any:
    return F.col(_quoted(name))


def _check(table: DataFrame, name: str, *kinds: type) -> None:
    """Whether a table has a column once, of one of the kinds."""
    count = table.columns.count(name)
    if count != 1:
        raise ValueError(f"the table has {'no' if not count else 'more than one'} column {name!r}: {', '.join(table.columns)}")
    kind = table.schema[name].dataType
    if kinds and not isinstance(kind, kinds):
        raise TypeError(f"the column {name!r} is {kind.simpleString()}: cast it to "
                        + " or ".join("string" if wanted is StringType else "bigint" for wanted in kinds))


def _matched(pack: _pack.Pack, roles: "dict[str, pyarrow.Array]", words: "list[str]", options: "dict[str, Any]") -> "list[pyarrow.Array]":
    """Columns of what was found, as Spark takes them: whole numbers of 64 bits, and texts."""
    return [_plain(column) for column in pack.match(pyarrow.table(roles), add=words, **options).columns]


def _plain(column: Any) -> pyarrow.Array:
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.combine_chunks()
    kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
    return column.cast(pyarrow.int64() if pyarrow.types.is_integer(kind) else pyarrow.string())


def _mapped(table: DataFrame, answer: "Callable[[_pack.Pack, list[pyarrow.Array]], list[pyarrow.Array]]",
            fields: "list[StructField]", pinned: "tuple[str, str]") -> DataFrame:
    """A table of other columns, made batch by batch."""
    path, mark = pinned
    kinds = [field.dataType for field in fields]
    numbers = [str(number) for number in range(len(fields))]

    def each(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            # Looked at each time: the file may be replaced while a job runs.
            yield pyarrow.RecordBatch.from_arrays(answer(_open(path, mark), batch.columns), numbers)

    # Names that stand twice, or with dots, are none that Spark could hand on.
    given = table.toDF(*[str(number) for number in range(len(table.columns))])
    made = given.mapInArrow(each, StructType([StructField(number, kind) for number, kind in zip(numbers, kinds)]))
    return made.toDF(*[field.name for field in fields])


def _open(path: str, mark: Optional[str] = None) -> _pack.Pack:
    """The pack at a path of this node, or among the files that Spark has sent here, that has this mark."""
    place = path if os.path.exists(path) else SparkFiles.get(os.path.basename(path))
    try:
        pack = _pack.open(place)
    except FileNotFoundError:
        raise FileNotFoundError(f"{socket.gethostname()} has no pack at {path}, and none of this name was sent to it: put it there on "
                                "every node, or call spark.sparkContext.addFile") from None
    if mark is not None and _mark(pack) != mark:
        raise PackError(f"{place} on {socket.gethostname()} is another pack than the one that was asked first: all nodes must have the "
                        "same, and keep it until the job is done")
    return pack


def _mark(pack: _pack.Pack) -> str:
    """What two packs that answer alike have in common."""
    facts = Facts()
    call("get_facts", pack._handle, ctypes.byref(facts))
    return f"{bytes(facts.source_sha256).hex()} {facts.taxon_count} {facts.name_count} {facts.byte_count}"


def _ask_a_worker(table: DataFrame, pack: "str | os.PathLike[str]", question: "Callable[[_pack.Pack], Any]") -> "tuple[tuple[str, str], Any]":
    """The pack as one worker has it, and its answer: what is wrong is known before the work begins."""
    path = os.fspath(pack)

    def ask(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for _ in batches:
            try:
                found = _open(path)
                said = {"mark": _mark(found), "answer": question(found)}
            except (OSError, ValueError, TypeError) as error:
                said = {"error": type(error).__name__, "message": str(error)}
            yield pyarrow.RecordBatch.from_arrays([pyarrow.array([json.dumps(said)])], ["said"])

    (row,) = table.sparkSession.range(0, 1, 1, 1).mapInArrow(ask, "said string").collect()
    said = json.loads(row[0])
    if "error" in said:
        raise {"PackError": PackError}.get(said["error"], getattr(builtins, said["error"], ValueError))(said["message"])
    return (path, said["mark"]), said["answer"]


def _repeats(table: DataFrame, keys: "list[str]") -> bool:
    """Whether to match each name once is cheaper than to match each row, as far as the first rows tell."""

    def first(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield batch.slice(0, _SAMPLED)
            return

    names = table.select(*map(_column, keys)).toDF(*[str(number) for number in range(len(keys))])
    counts = names.mapInArrow(first, names.schema).groupBy(*names.columns).count()
    rows, different, once, twice = counts.agg(
        F.sum("count"), F.count("count"), F.count_if(F.col("count") == 1), F.count_if(F.col("count") == 2)).first()
    # Of rows to come, a share of once / rows has a new name (Good 1953); there are at least so many names (Chao 1984).
    return rows is None or 2 * once < rows or different + once * (once - 1) / (2 * (twice + 1)) < _FEW_NAMES
