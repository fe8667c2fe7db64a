"""Tables of Spark: which taxa names stand for, and the lowest common ancestors of groups.

>>> from stol import spark
>>> matched = spark.match(table, "scientificName", pack="/data/taxa.stolpack", add=["status", "taxonID", "family"])
>>> kin = spark.lca(matched, "eventID", "taxonID", pack="/data/taxa.stolpack")

The package is installed on every node; nothing of it is Java. `pack` is a path that all nodes have, or the name of a
file that ``spark.sparkContext.addFile`` sends to them. The processes of a node map it once each, and share its pages.
"""
from __future__ import annotations

import builtins
import json
import os
import socket
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional

import pyarrow
from pyspark import SparkFiles
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import (ArrayType, BinaryType, BooleanType, DataType, DateType, IntegralType, LongType, MapType, NumericType,
                               StringType, StructField, StructType, TimestampNTZType, TimestampType)

from . import Pack, PackError
from . import open as open_pack
from ._library import NO_TAXON, flag, shown
from ._match import checked_hints, checked_words, roles
from ._threads import use_threads

__all__ = ["lca", "match"]

# So many rows are asked about at once, or of so many bytes.
_ROWS, _BYTES = 1 << 17, 1 << 26
# So many rows of each partition say how often names repeat.
_SAMPLED = 1_000
# Spark sends so many names and their answers to all workers by itself; to sort a table for more costs more than to match it.
_FEW_NAMES, _FEW_NEW = 100_000, 0.02


def match(table: DataFrame, column: str = "scientificName", *, pack: "str | os.PathLike[str]", add: "str | Iterable[str] | None" = None,
          authorship: Optional[str] = None, rank: Optional[str] = None, code: Optional[str] = None,
          hints: Optional[Mapping[str, str]] = None, distinct: Optional[bool] = None, **options: Any) -> DataFrame:
    """A table with columns added that say which taxa a column of names stands for: `Pack.match` for each row.

    `add` are columns of `Pack.match`, as in ``["status", "taxonID", "family"]``. Columns that say more of the names are
    found by the terms of Darwin Core, as there: scientificNameAuthorship, taxonRank, nomenclaturalCode, kingdom to genus;
    or said by `authorship`, `rank`, `code`, and `hints`, ``{"kingdom": "regnum"}``. `options` are min_score, exact,
    higher and ocr. The row of a null has the status invalid.

    With `distinct`, names are matched once each and joined to their rows, for which Spark reads the table twice.
    Without, all rows go through Python, unless the table has columns that do not come back from there as they went:
    intervals, texts with a collation, and structs of two fields of one name. Unless told, the first rows of each partition say which is cheaper; the rows of
    a stream are matched as they come.
    """
    _require_table(table)
    distinct = None if distinct is None else flag(distinct, "distinct")
    chosen = {part: name if name is None else _found(table, name, StringType)
              for part, name in {"name": column, "authorship": authorship, "rank": rank, "code": code}.items()}
    of_ranks = {of: _found(table, name, StringType) for of, name in checked_hints(hints or {}).items()}
    # A name that was given stands in one column; a hint has a name of its own here, as a rank may have any.
    parts = {part: names[0] for part, names in roles(table.columns, chosen, of_ranks).items()}
    for part, name in parts.items():
        _require_text(table, name, part)
    keys = list(dict.fromkeys(parts.values()))
    asked = {"add": None if add is None else checked_words(add), "hints": {part[len("hint "):]: part for part in parts if part.startswith("hint ")},
             **{part: part for part in parts if not part.startswith("hint ")}, **options}

    def answers(pack: Pack, columns: "list[pyarrow.Array]") -> pyarrow.Table:
        given = pyarrow.table({part: columns[keys.index(name)] for part, name in parts.items()})
        found = pack.match(given, **asked)
        return found.select(range(given.num_columns, found.num_columns))

    nothing = [pyarrow.array(["?"])] * len(keys)
    pinned, (added, has_text_ids) = _ask_a_worker(
        table, pack, lambda pack: ([[column.name, str(column.type)] for column in answers(pack, nothing).schema], pack.has_text_ids))
    taken = {name.lower() for name in table.columns}
    fields = []
    for name, kind in added:
        # As `Pack.match` calls what a table has already: here it was asked with other columns.
        name = name[len("stol_"):] if name.startswith("stol_") else name
        name = _free(name, taken)
        taken.add(name.lower())
        fields.append(StructField(name, _kind(kind, has_text_ids)))
    if not all(_travels(field.dataType) for field in table.schema.fields):
        # Python sees the names alone.
        distinct = True
    if distinct is None and table.isStreaming:
        distinct = False
    if distinct is None:
        distinct = _repeats(table, keys)
    if not distinct:
        at = [table.columns.index(key) for key in keys]
        return _mapped(table, lambda pack, columns: [*columns, *answers(pack, [columns[place] for place in at]).columns],
                       [*table.schema.fields, *fields], pinned)
    marks = []
    for number in range(len(keys)):
        marks.append(StructField(_free(f"stol key {number}", taken), StringType()))
        taken.add(marks[-1].name.lower())
    once = _mapped(table.select(*map(_text, keys)).distinct(), lambda pack, columns: [*columns, *answers(pack, columns).columns],
                   [*marks, *fields], pinned)
    same = [table[_quoted(key)].cast("string").eqNullSafe(once[_quoted(mark.name)]) for key, mark in zip(keys, marks)]
    return table.join(once, same, "left").drop(*[mark.name for mark in marks])


def lca(table: DataFrame, by: "str | Iterable[str]", id: str, *, pack: "str | os.PathLike[str]") -> DataFrame:
    """For each group of rows, by one column or several, the lowest common ancestor of a column of ids, as `lca`.

    Nulls and ids that the pack does not have are left out; the ancestor of no taxon is null, as that of taxa with
    different roots is. It is the column `lca`, or where the groups have that, `stol_lca`.
    """
    _require_table(table)
    groups = [_found(table, name) for name in ([by] if isinstance(by, (str, Column)) else by)]
    for name in groups:
        kind = table.schema[name].dataType
        if not _travels(kind):
            raise TypeError(f"the column {name!r} is {kind.simpleString()}, which Python cannot hand on: cast it to string")
    id = _found(table, id, StringType, IntegralType)
    is_number = isinstance(table.schema[id].dataType, IntegralType)
    pinned, has_text_ids = _ask_a_worker(table, pack, lambda pack: pack.has_text_ids)
    if has_text_ids and is_number:
        raise TypeError(f"ids of {os.fspath(pack)} are texts, and the column {id} is {table.schema[id].dataType.simpleString()}")
    kept = [StructField(f"group {number}", table.schema[name].dataType) for number, name in enumerate(groups)]

    def taxa(pack: Pack, columns: "list[pyarrow.Array]") -> "list[pyarrow.Array]":
        found = pack.taxa(columns[-1])
        return [*columns[:-1], pyarrow.array(found.astype("int64"), mask=found == NO_TAXON)]

    # Taxa are in preorder: the ancestor of all of them is that of the first and the last.
    def ancestors(pack: Pack, columns: "list[pyarrow.Array]") -> "list[pyarrow.Array]":
        return [*columns[:-2], pack.ids(pack.lca(columns[-2], columns[-1], ordinals=True))]

    taxon = StructField("taxon", LongType())
    rows = _mapped(table.select(*map(_column, groups), _column(id) if is_number else _text(id)), taxa, [*kept, taxon], pinned)
    ends = rows.groupBy(*[field.name for field in kept]).agg(F.min("taxon"), F.max("taxon"))
    named = [StructField(name, field.dataType) for name, field in zip(groups, kept)]
    return _mapped(ends, ancestors, [*named, StructField(_free("lca", {name.lower() for name in groups}), StringType() if has_text_ids else LongType())], pinned)


def _free(name: str, taken: "set[str]") -> str:
    """A name that no column has."""
    while name.lower() in taken:
        name = "stol_" + name
    return name


def _require_table(table: Any) -> None:
    if not hasattr(table, "mapInArrow"):
        raise TypeError(f"the table is a DataFrame of Spark, not {type(table).__name__}; lists and other tables: stol.open(pack)")


def _require_text(table: DataFrame, name: str, part: str) -> None:
    """Refuses what says more of a name by what it is called, and is no text; whole numbers are texts too."""
    kind = table.schema[_found(table, name)].dataType
    if not isinstance(kind, (StringType, IntegralType)):
        raise TypeError(f"the column {name!r} is {kind.simpleString()}, and by its name it says the {part.replace('hint ', '')} of the "
                        "names: cast it to string, or rename it")


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _column(name: str) -> Any:
    return F.col(_quoted(name))


def _text(name: str) -> Any:
    """A column of texts, of which all are different that have different letters."""
    return _column(name).cast("string")


def _found(table: DataFrame, name: str, *kinds: type) -> str:
    """The column that Spark finds by a name, which a table must have once and of one of the kinds."""
    if not isinstance(name, str):
        raise TypeError(f"a column is given by its name, as \"scientificName\", and not as {shown(name)}")
    is_strict = table.sparkSession.conf.get("spark.sql.caseSensitive") == "true"
    found = [column for column in table.columns if column == name or not is_strict and column.lower() == name.lower()]
    if len(found) != 1:
        raise ValueError(f"the table has {'no' if not found else 'more than one'} column {name!r}: {', '.join(table.columns)}")
    kind = table.schema[found[0]].dataType
    if kinds and not isinstance(kind, kinds):
        raise TypeError(f"the column {name!r} is {kind.simpleString()}: cast it to "
                        + " or ".join("string" if wanted is StringType else "bigint" for wanted in kinds))
    return found[0]


def _travels(kind: DataType) -> bool:
    """Whether a column comes back from Python as it went: intervals, texts with a collation and structs of two fields of one name do not."""
    if isinstance(kind, ArrayType):
        return _travels(kind.elementType)
    if isinstance(kind, MapType):
        return _travels(kind.keyType) and _travels(kind.valueType)
    if isinstance(kind, StructType):
        return len(set(kind.names)) == len(kind.names) and all(_travels(field.dataType) for field in kind.fields)
    return kind == StringType() or isinstance(kind, (BinaryType, BooleanType, DateType, NumericType, TimestampType, TimestampNTZType))


def _kind(of_arrow: str, has_text_ids: bool) -> DataType:
    """What Spark calls the type of a column of answers."""
    if of_arrow.startswith("list"):
        return ArrayType(StringType() if has_text_ids else LongType())
    return LongType() if of_arrow == "int64" else StringType()


def _plain(column: Any, kind: DataType) -> pyarrow.Array:
    """A column in one piece, and of the type that Spark reads: whole numbers of 64 bits, texts with offsets of 32."""
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.combine_chunks()
    number, text = pyarrow.int64(), pyarrow.string()
    kinds = {LongType(): number, StringType(): text, ArrayType(LongType()): pyarrow.list_(number), ArrayType(StringType()): pyarrow.list_(text)}
    return column.cast(kinds.get(kind, column.type))


def _mapped(table: DataFrame, answer: "Callable[[Pack, list[pyarrow.Array]], list[pyarrow.Array]]",
            fields: "list[StructField]", pinned: "tuple[str, str]") -> DataFrame:
    """A table of other columns, made batch by batch."""
    path, mark = pinned
    kinds = [field.dataType for field in fields]
    numbers = [str(number) for number in range(len(fields))]

    def each(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for columns in _together(batches):
            # Looked at each time: the file may be replaced while a job runs.
            columns = answer(_open(path, mark), columns)
            yield pyarrow.RecordBatch.from_arrays([_plain(column, kind) for column, kind in zip(columns, kinds)], numbers)

    # Names that stand twice, or with dots, are none that Spark could hand on.
    given = table.toDF(*[str(number) for number in range(len(table.columns))])
    made = given.mapInArrow(each, StructType([StructField(number, kind) for number, kind in zip(numbers, kinds)]))
    return made.toDF(*[field.name for field in fields])


def _together(batches: Iterator[pyarrow.RecordBatch]) -> "Iterator[list[pyarrow.Array]]":
    """Columns of many rows: within the batches of Spark alone, names seldom repeat."""
    waiting: "list[pyarrow.RecordBatch]" = []

    def taken() -> "list[pyarrow.Array]":
        columns = [column.combine_chunks() for column in pyarrow.Table.from_batches(waiting).columns]
        waiting.clear()
        return columns

    for batch in batches:
        if batch.num_rows:
            waiting.append(batch)
        if sum(batch.num_rows for batch in waiting) >= _ROWS or sum(batch.nbytes for batch in waiting) >= _BYTES:
            yield taken()
    if waiting:
        yield taken()


def _open(path: str, mark: Optional[str] = None) -> Pack:
    """The pack at a path of this node, or among the files that Spark has sent here, that has this mark."""
    # Spark has a process for each core that it may use.
    use_threads(1)
    place = path if os.path.exists(path) else SparkFiles.get(os.path.basename(path))
    try:
        pack = open_pack(place)
    except FileNotFoundError:
        raise FileNotFoundError(f"{socket.gethostname()} has no pack at {path}, and none of this name was sent to it: put it there on "
                                "every node, or call spark.sparkContext.addFile") from None
    if mark is not None and pack._mark != mark:
        raise PackError(f"{place} on {socket.gethostname()} is another pack than the one that was asked first: all nodes must have the "
                        "same, and keep it until the job is done")
    return pack


def _ask_a_worker(table: DataFrame, pack: "str | os.PathLike[str]", question: "Callable[[Pack], Any]") -> "tuple[tuple[str, str], Any]":
    """The pack as one worker has it, and its answer: what is wrong is known before the work begins."""
    path = os.fspath(pack)

    def ask(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for _ in batches:
            try:
                found = _open(path)
                said = {"mark": found._mark, "answer": question(found)}
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

    names = table.select(*map(_text, keys)).toDF(*[str(number) for number in range(len(keys))])
    counts = names.mapInArrow(first, names.schema).groupBy(*names.columns).count()
    rows, different, once, twice = counts.agg(
        F.sum("count"), F.count("count"), F.count_if(F.col("count") == 1), F.count_if(F.col("count") == 2)).first()
    # There are at least so many names (Chao 1984), and of rows to come a share of once / rows has a new one (Good 1953).
    return rows is None or (different + once * (once - 1) / (2 * (twice + 1)) <= _FEW_NAMES and once <= _FEW_NEW * rows)
