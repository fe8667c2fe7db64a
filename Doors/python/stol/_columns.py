"""Columns as people have them, read as numbers or texts."""
from __future__ import annotations

import ctypes
import re
import sys
from collections import defaultdict
from itertools import count
from typing import Any, Callable, Iterable, Optional, Union

import numpy
# What numpy.unique imports when it is first called.
import numpy.ma

from . import _arrow
from ._library import NO_ID, OFFSETS_64, Texts, shown
from ._threads import forks_wait

Array = numpy.ndarray[Any, Any]
# Fewer rows are not worth a look for those that repeat.
_FEW = 1000
# So many rows, spread evenly, tell whether others repeat.
_SAMPLE = 8192
# So many bytes of texts one array of pyarrow.string() cannot hold.
MOST_BYTES = 1 << 31
# The types of rows among which nothing is equal to a number; those of rows that are read whatever is equal to them.
_TEXTS = {str, bytes, type(None)}
_PLAIN = _TEXTS | {int, float}
# Python makes whole numbers of these.
_NO_NUMBERS = (bool, numpy.bool_, numpy.complexfloating, numpy.datetime64, numpy.timedelta64)
# Why a value is refused where names are asked for, or ids.
_NEITHER = "is no name or id: names are texts, and ids whole numbers or texts"
# Columns of older ones are not handed on by Arrow's C interface, or not all of them; pyproject.toml says the same.
_OLDEST = {"polars": (1, 4), "pyarrow": (16, 0)}


def place(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


class Single:
    """A single value that is no number or text."""

    __slots__ = ()


class Numbers:
    """A column of whole numbers."""

    def __init__(self, values: Any, present: Optional[Array] = None) -> None:
        self.values: Array = numpy.ascontiguousarray(values, numpy.int64)
        self.present = present

    def __len__(self) -> int:
        return len(self.values)

    @property
    def has_none(self) -> bool:
        """Whether no row has a number."""
        return not len(self) or self.present is not None and not self.present.any()


class TextPart:
    """Texts as libstol reads them; with codes, the rows of which each is the text of its code, or with -1 of none."""

    def __init__(self, texts: Texts, keep: Any, codes: Optional[Array] = None) -> None:
        self.texts, self.keep, self.codes = texts, keep, codes

    def __len__(self) -> int:
        return int(self.texts.count) if self.codes is None else len(self.codes)

    def spread(self, values: Array, null: Any) -> Array:
        """The values of the rows, from those of the texts."""
        return values if self.codes is None else numpy.append(values, numpy.array([null], values.dtype))[self.codes]


Column = Union[Numbers, "list[TextPart]"]


def slice_of(texts: Texts, start: int, end: int) -> Texts:
    """Some rows of texts."""
    width = {32: 4, 64: 8, 128: 16}[texts.layout]
    return Texts(layout=texts.layout, buffer_count=texts.buffer_count, count=end - start, bytes=texts.bytes,
                 offsets=(texts.offsets or 0) + width * start, byte_count=texts.byte_count, buffers=texts.buffers,
                 buffer_byte_counts=texts.buffer_byte_counts, validity=texts.validity,
                 validity_offset=texts.validity_offset + start)


def kind_of(given: Any) -> str:
    """What a column is, by which others are made like it: "one" for a single value."""
    if isinstance(given, (str, bytes, int, float, numpy.integer, numpy.floating, Single)) or _is_missing(given) or _is_buffer(given):
        return "one"
    if isinstance(given, numpy.ndarray):
        return "numpy"
    # What is derived from a column of theirs, as geopandas has, is of the same kind.
    for each in type(given).__mro__:
        library = each.__module__.split(".")[0]
        if library in ("pandas", "polars", "pyarrow"):
            if not _is_recent(library):
                version, oldest = sys.modules[library].__version__, ".".join(map(str, _OLDEST[library]))
                raise ImportError(f"this is {library} {version}, and stol reads columns of {library} {oldest} or later: "
                                  f"pip install '{library}>={oldest}'")
            return library
    if hasattr(given, "__arrow_c_array__") or hasattr(given, "__arrow_c_stream__"):
        return "arrow"
    return "list"


def _is_recent(library: str) -> bool:
    """Whether a library that is loaded is one whose columns can be read."""
    if library not in _OLDEST:
        return True
    version = re.match(r"([0-9]+)\.([0-9]+)", getattr(sys.modules.get(library), "__version__", ""))
    return version is None or (int(version[1]), int(version[2])) >= _OLDEST[library]


def read(given: Any, is_dear: bool = False) -> Column:
    """The numbers of a column, or the list of its parts of texts, coded where rows repeat.

    Where what is asked of a text is dear, as a search is, it is coded even if few rows do.
    """
    kind = kind_of(given)
    if kind == "one":
        return _of_list([given])
    if kind == "numpy":
        return _of_numpy(given, is_dear)
    if kind == "pandas":
        return _of_pandas(given, is_dear)
    if kind == "polars":
        return _of_polars(given, is_dear)
    if kind == "pyarrow":
        return _of_pyarrow(given, is_dear)
    if kind == "arrow":
        return _of_arrow(given)
    if isinstance(given, dict) or not isinstance(given, Iterable):
        raise TypeError(f"{type(given).__name__} is no column")
    return _of_list(given if isinstance(given, list) else list(given), is_dear)


def objects_in(given: Any) -> "list[Any]":
    """The rows of a column of what are objects for Python too; of others none."""
    if kind_of(given) == "one":
        return [given]
    if isinstance(given, (list, tuple)):
        return list(given)
    is_known = kind_of(given) in ("numpy", "pandas") and getattr(given, "ndim", 0) == 1
    return given.tolist() if is_known and given.dtype == object else []


def read_texts(given: Any, is_dear: bool = False) -> list[TextPart]:
    """The same as texts, whole numbers too."""
    column = read(given, is_dear)
    if not isinstance(column, Numbers):
        return column
    rows: list[Optional[bytes]] = [str(value).encode() for value in column.values.tolist()]
    if column.present is not None:
        rows = [row if is_there else None for row, is_there in zip(rows, column.present.tolist())]
    return [_part_of(rows)]


def _of_numpy(given: Array, is_dear: bool = False) -> Column:
    if given.ndim != 1:
        raise ValueError(f"an array of {given.ndim} dimensions, not one")
    if given.dtype.kind in "mM":
        # Of some units Python makes whole numbers.
        raise TypeError(f"a column of the type {given.dtype}, not of ids or names")
    if given.dtype.kind not in "iuf":
        # What is masked is None in a list.
        return _of_list(given.tolist(), is_dear)
    present = None
    if isinstance(given, numpy.ma.MaskedArray):
        given, present = given.data, ~numpy.ma.getmaskarray(given)
    if given.dtype.kind == "i":
        return Numbers(given, present)
    return _of_unsigned(given, present) if given.dtype.kind == "u" else _of_floats(given, present)


def _of_unsigned(values: Array, present: Optional[Array]) -> Numbers:
    if values.dtype != numpy.uint64:
        return Numbers(values, present)
    # No id is as great.
    whole = values.astype(numpy.int64)
    whole[values >= 1 << 63] = NO_ID
    return Numbers(whole, present)


def _of_floats(values: Array, present: Optional[Array] = None) -> Numbers:
    """Whole numbers as they are where some are missing; NaN is none."""
    is_there = ~numpy.isnan(values) if present is None else present & ~numpy.isnan(values)
    whole = numpy.where(is_there, values, 0).astype(numpy.float64)
    for wrong in whole[~(numpy.floor(whole) == whole) | numpy.isinf(whole)][:1].tolist():
        raise TypeError(f"{wrong!r} {_NEITHER}")
    return Numbers(numpy.where(abs(whole) < 2.0 ** 63, whole, -(2.0 ** 63)).astype(numpy.int64),
                   None if is_there.all() else is_there)


def _repeats(distinct: int, sample: int, rows: int) -> bool:
    """Whether more than half of the rows repeat others, as a sample tells: the paradox of birthdays."""
    return 2 * distinct < sample or (sample - distinct) * rows > sample * sample


def _of_pandas(given: Any, is_dear: bool) -> Column:
    pandas = sys.modules["pandas"]
    if isinstance(given, pandas.DataFrame):
        raise TypeError("a table is no column: choose one of its columns")
    if isinstance(given, pandas.MultiIndex):
        raise TypeError("a MultiIndex is no column: choose one of its levels, as by get_level_values(0)")
    if not isinstance(given, pandas.Series):
        given = pandas.Series(given)
    try:
        given.dtype.type
    except NotImplementedError:
        # Of types of Arrow that are like none of numpy, as string_view, pandas does not say what they are.
        return _of_pyarrow(sys.modules["pyarrow"].array(given.array), is_dear)
    if isinstance(given.dtype, pandas.CategoricalDtype):
        return _of_codes(given.cat.categories.tolist(), given.cat.codes.to_numpy(numpy.int64))
    if pandas.api.types.is_bool_dtype(given.dtype):
        raise TypeError("a column of the type bool, not of ids or names")
    if pandas.api.types.is_integer_dtype(given.dtype):
        missing = given.isna().to_numpy()
        if missing.any():
            # What has no sign may be greater than what has one, and would wrap around to the id of another taxon.
            if pandas.api.types.is_unsigned_integer_dtype(given.dtype):
                return _of_unsigned(given.fillna(0).to_numpy(numpy.uint64), ~missing)
            return Numbers(given.fillna(0).to_numpy(numpy.int64), ~missing)
        return _of_numpy(given.to_numpy())
    if pandas.api.types.is_float_dtype(given.dtype):
        return _of_floats(given.to_numpy(float, na_value=numpy.nan))
    if hasattr(given, "__arrow_c_stream__") and given.dtype != object and pandas.api.types.is_string_dtype(given.dtype):
        library = pyarrow()
        if library:
            return _of_pyarrow(library.chunked_array(given), is_dear)
    return _of_list(given.tolist(), is_dear)


def _of_polars(given: Any, is_dear: bool) -> Column:
    polars = sys.modules["polars"]
    if not isinstance(given, polars.Series):
        remedy = "collect() it, and choose a Series" if isinstance(given, polars.LazyFrame) else "choose a Series"
        raise TypeError(f"{type(given).__name__} is no column: {remedy}")
    if not hasattr(polars, "Categories"):
        # Before columns had categories of their own, polars could not stream such, and all columns shared them.
        return _of_arrow(given.cast(polars.String) if given.dtype in (polars.Categorical, polars.Enum) else given)
    if given.dtype == polars.String and len(given) > _FEW:
        sample = given.gather_every(-(-len(given) // _SAMPLE))
        if is_dear or _repeats(sample.n_unique(), len(sample), len(given)):
            return _of_arrow(given.cast(polars.Categorical(polars.Categories.random())))
    return _of_arrow(given)


def _of_pyarrow(given: Any, is_dear: bool) -> Column:
    pyarrow = sys.modules["pyarrow"]
    if not isinstance(given, (pyarrow.Array, pyarrow.ChunkedArray)):
        is_reader = hasattr(given, "read_all")
        remedy = "choose a column of what .read_all() makes" if is_reader else "choose one of its columns"
        if isinstance(given, pyarrow.Scalar):
            remedy = "as_py() gives its value"
        raise TypeError(f"{type(given).__name__} is no column: {remedy}")
    types = pyarrow.types
    if len(given) > _FEW and (types.is_string(given.type) or types.is_large_string(given.type)):
        if types.is_string(given.type) and given.nbytes >= MOST_BYTES:
            # The chunks of a column may have more texts together, which then share a dictionary with longer offsets.
            given = given.cast(pyarrow.large_string())
        sample = _sample_of_chunks(given)
        if is_dear or _repeats(len(sample.unique()), len(sample), len(given)):
            return _of_arrow(given.dictionary_encode())
    return _of_arrow(given)


def _sample_of_chunks(given: Any) -> Any:
    """Some rows of a column, spread evenly: taken from all chunks at once they would be made one first."""
    pyarrow = sys.modules["pyarrow"]
    step, behind, parts = -(-len(given) // _SAMPLE), 0, []
    for chunk in given.chunks if isinstance(given, pyarrow.ChunkedArray) else [given]:
        rows = numpy.arange(behind, len(chunk), step)
        parts.append(chunk.take(pyarrow.array(rows)))
        behind += len(rows) * step - len(chunk)
    return pyarrow.chunked_array(parts, given.type)


def pyarrow() -> Any:
    """pyarrow, or None where it is missing or too old."""
    with forks_wait:
        try:
            import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError:
            return None
        return pyarrow if _is_recent("pyarrow") else None


def _of_list(rows: "list[Any]", is_dear: bool = False) -> Column:
    # Where the first is a text all others are read as such.
    kinds = {str} if rows and type(rows[0]) is str else set(map(type, rows))
    if any(issubclass(kind, (str, bytes)) for kind in kinds):
        return _of_texts(rows, is_dear)
    if kinds == {int}:
        try:
            return Numbers(numpy.array(rows, numpy.int64))
        except OverflowError:
            pass
    values = [_number(row) for row in rows]
    present = numpy.array([value is not None for value in values], bool)
    return Numbers(numpy.array([0 if value is None else value for value in values], numpy.int64),
                   None if present.all() else present)


def _of_texts(rows: "list[Any]", is_dear: bool) -> Column:
    sample = rows[::-(-len(rows) // _SAMPLE)]
    try:
        if len(rows) <= _FEW or not is_dear and not _repeats(len(set(sample)), len(sample), len(rows)):
            return [_part_of(rows)]
        index: "defaultdict[Any, int]" = defaultdict(count().__next__)
        codes = numpy.fromiter(map(index.__getitem__, rows), numpy.int64, len(rows))
    except (TypeError, ValueError):
        # Which row it is, is said where rows are read one by one.
        for row in rows:
            _text(row)
        raise
    # Truths and complex numbers are equal to whole ones, and would hide behind them.
    if not set(map(type, index)) <= _TEXTS and not set(map(type, rows)) <= _PLAIN:
        for row in rows:
            if type(row) not in _PLAIN:
                _text(row)
    return _of_codes(list(index), codes)


def _of_codes(values: "list[Any]", codes: Array) -> "list[TextPart]":
    part = _part_of(values)
    part.codes = codes
    return [part]


def _is_buffer(value: Any) -> bool:
    """Whether it has the bytes of a text, which would be whole numbers if it were a column."""
    return isinstance(value, bytearray) or isinstance(value, memoryview) and value.format in ("B", "c")


def _is_missing(value: Any) -> bool:
    if isinstance(value, (float, numpy.floating, numpy.datetime64, numpy.timedelta64)):
        return bool(value != value)
    if isinstance(value, getattr(sys.modules.get("decimal"), "Decimal", ())):
        return bool(value.is_nan())
    return value is None or value is numpy.ma.masked or type(value).__name__ in ("NAType", "NaTType")


def _number(value: Any) -> Optional[int]:
    """A whole number, or None where there is none."""
    if _is_missing(value):
        return None
    if isinstance(value, Single):
        raise TypeError(f"{shown(value)} is a taxon, where a name or an id is asked for: give its .name or its .id")
    if _is_buffer(value):
        raise TypeError(f"a {type(value).__name__} of bytes is no name or id, and no column: give bytes(...) of it for a text, and for "
                        "numbers an array of numpy")
    try:
        number = None if isinstance(value, _NO_NUMBERS) else int(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number != value:
        raise TypeError(f"{shown(value)} {_NEITHER}")
    return number if -(1 << 63) <= number < 1 << 63 else NO_ID


def _text(value: Any) -> Optional[bytes]:
    """A text in UTF-8, or None where there is none; whole numbers are texts too."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    number = _number(value)
    return None if number is None else str(number).encode()


def _part_of(rows: "list[Any]") -> TextPart:
    """Texts, of which None is a null, as libstol reads them."""
    try:
        # A lone surrogate is encoded so that libstol sees that it is no UTF-8.
        text = "".join(rows)
    except TypeError:
        return part_of_bytes([_text(row) for row in rows])
    joined = text.encode("utf-8", "surrogatepass")
    return _part(joined, map(len, rows if len(joined) == len(text) else _encoded(rows)), len(rows), None)


def part_of_bytes(rows: "list[Optional[bytes]]") -> TextPart:
    """The same of texts in UTF-8."""
    present = numpy.packbits(numpy.array([row is not None for row in rows], bool), bitorder="little")
    filled = [row or b"" for row in rows]
    return _part(b"".join(filled), map(len, filled), len(rows), present)


def _part(joined: bytes, lengths: Iterable[int], count: int, present: Optional[Array]) -> TextPart:
    places = numpy.zeros(count + 1, numpy.int64)
    numpy.cumsum(numpy.fromiter(lengths, numpy.int64, count), out=places[1:])
    texts = Texts(layout=OFFSETS_64, count=count, offsets=places.ctypes.data, byte_count=len(joined),
                  bytes=ctypes.cast(ctypes.c_char_p(joined), ctypes.c_void_p),
                  validity=None if present is None else present.ctypes.data)
    return TextPart(texts, (places, joined, present))


def _encoded(rows: "list[str]") -> Iterable[bytes]:
    return (row.encode("utf-8", "surrogatepass") for row in rows)


def _of_arrow(given: Any) -> Column:
    if not hasattr(given, "__arrow_c_array__") and not hasattr(given, "__arrow_c_stream__"):
        raise TypeError(f"{type(given).__name__} is no column")
    return _of_chunks(type(given).__name__, *_arrow.exported(given))


def table_of(given: Any) -> Any:
    """What a table that is exported is for pyarrow, or without it a dictionary of lists; a column is handed on as it is."""
    export: Any = _arrow.Export(given)
    if not export.is_table:
        return export
    library = pyarrow()
    if library:
        is_stream = hasattr(export, "__arrow_c_stream__")
        try:
            if is_stream:
                return library.table(export)
            return table_of_structs(library.array(export)) if export.is_part else library.Table.from_batches([library.record_batch(export)])
        except library.ArrowInvalid as error:
            if "null count" not in str(error):
                raise
            raise ValueError(_arrow.NULL_ROWS) from None
    columns: dict[str, Any] = {}
    schema, chunks, owner = _arrow.exported(export)
    for name, field, of_field in _arrow.fields(schema, chunks):
        try:
            columns.setdefault(name, _listed_field(field, of_field, (owner, chunks)))
        except TypeError as error:
            raise TypeError(f"{shown(name)}: {error}; pip install pyarrow, or leave the column out") from None
    return columns


def table_of_structs(given: Any) -> Any:
    """What a column of structs of pyarrow is as a table; its fields may have more rows than it, as those of a slice do."""
    library: Any = pyarrow()
    if given.null_count:
        raise ValueError(_arrow.NULL_ROWS)
    chunks, schema = given.chunks if isinstance(given, library.ChunkedArray) else [given], library.schema(list(given.type))
    return library.Table.from_batches([library.RecordBatch.from_arrays(chunk.flatten(), schema=schema) for chunk in chunks], schema)


def _listed_field(schema: Any, chunks: Any, keep: Any) -> "list[Any]":
    """A column of a table as Python has it, numbers that are no ids too."""
    if not _arrow.is_float(schema):
        return listed_column(_of_chunks("", schema, chunks, keep))
    rows: list[Any] = []
    for chunk in chunks:
        values, is_there = _arrow.numbers(schema, chunk.value, (chunk, keep))
        rows += values.tolist() if is_there is None else [row if there else None for row, there in zip(values.tolist(), is_there.tolist())]
    return rows


def _of_chunks(name: str, schema: Any, chunks: Any, owner: Any) -> Column:
    """A column of chunks of an Arrow type; `name` is how what they are of is called."""
    kind: Any = schema.dictionary.contents if schema.dictionary else schema
    if kind.format == b"n":
        return _of_list([None] * sum(chunk.value.length for chunk in chunks))
    if _arrow.is_number(kind) or _arrow.is_float(kind):
        read_chunk = _arrow.encoded_numbers if schema.dictionary else _arrow.numbers
        parts = [read_chunk(schema, chunk.value, (chunk, owner)) for chunk in chunks]
        whole = numpy.concatenate([values for values, _ in parts] or [numpy.empty(0, numpy.int64)])
        present = None
        if any(mask is not None for _, mask in parts):
            present = numpy.concatenate([numpy.ones(len(values), bool) if mask is None else mask for values, mask in parts])
        if whole.dtype.kind == "f":
            return _of_floats(whole, present)
        return _of_unsigned(whole, present) if whole.dtype.kind == "u" else Numbers(whole, present)
    if kind.format == b"+s":
        raise TypeError(f"{name} is a table and no column, which match takes: choose one of its columns, of a relation of DuckDB "
                        "as by .df()[\"name\"]")
    if not _arrow.is_text(kind):
        raise TypeError(f"a column of the Arrow type {kind.format.decode()}, not of whole numbers or texts")
    texts_of_chunks = []
    known: dict[Any, Texts] = {}
    for chunk in chunks:
        keep = (chunk, owner)
        if not schema.dictionary:
            texts_of_chunks.append(TextPart(_arrow_texts(kind, chunk.value), keep))
            continue
        codes, present = _arrow.numbers(schema, chunk.value, keep)
        if present is not None:
            codes = numpy.where(present, codes.astype(numpy.int64), -1)
        # Chunks may share a dictionary, which then is looked through once.
        of_chunk = chunk.value.dictionary.contents
        texts = known.setdefault(_arrow.identity(of_chunk), _arrow_texts(kind, of_chunk))
        texts_of_chunks.append(TextPart(texts, keep, codes))
    return texts_of_chunks


def _arrow_texts(schema: Any, array: Any) -> Texts:
    layout = _arrow.layout(schema)
    width = {32: 4, 64: 8, 128: 16}[layout]
    texts = Texts(layout=layout, count=array.length, validity_offset=array.offset)
    if array.null_count != 0 and array.buffers[0]:
        texts.validity = array.buffers[0]
    texts.offsets = (array.buffers[1] or 0) + width * array.offset
    if layout == 128:
        # Between the views and the lengths of buffers are the buffers.
        texts.buffer_count = array.n_buffers - 3
        texts.buffers = ctypes.addressof(array.buffers.contents) + 2 * ctypes.sizeof(ctypes.c_void_p)
        texts.buffer_byte_counts = array.buffers[array.n_buffers - 1]
    elif array.length:
        kind = "i4" if layout == 32 else "i8"
        texts.byte_count = int(_arrow.view(texts.offsets + width * array.length, kind, 1, None)[0])
        texts.bytes = array.buffers[2]
    return texts


def read_lists(given: Any, read_members: "Callable[[list[Any]], Any]") -> "tuple[Array, Any]":
    """Offsets, and the column of all members, of a column of lists; lists as Python has them are read by `read_members`."""
    kind = kind_of(given)
    if kind in ("polars", "pyarrow", "arrow") and (hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")):
        schema, chunks, owner = _arrow.exported(given)
        if schema.format in (b"+l", b"+L") and len(chunks) == 1:
            keep = (chunks[0], owner)
            member, members = schema.children[0].contents, chunks[0].value.children[0].contents
            if _arrow.is_number(member) and not member.dictionary:
                values, present = _arrow.numbers(member, members, keep)
                places = _arrow.offsets(schema, chunks[0].value, keep).astype(numpy.int64)
                lengths, is_there = numpy.diff(places), _arrow.validity(chunks[0].value, keep)
                if is_there is not None and lengths[~is_there].any():
                    # Behind a list that is none members may stand all the same.
                    kept = numpy.repeat(is_there, lengths)
                    values = values[places[0]:places[-1]][kept]
                    present = None if present is None else present[places[0]:places[-1]][kept]
                    places = numpy.append(0, numpy.cumsum(lengths * is_there))
                return places, _of_unsigned(values, present)
        if hasattr(given, "to_pylist") or hasattr(given, "to_list"):
            given = given.to_pylist() if hasattr(given, "to_pylist") else given.to_list()
        else:
            given = [row for chunk in chunks for row in _arrow_lists(schema, chunk, owner)]
    elif kind == "one" or isinstance(given, dict) or not isinstance(given, Iterable):
        raise TypeError(f"{shown(given)} is no column of lists")
    rows = [[] if _is_missing(row) else _members(row) for row in given]
    places = numpy.zeros(len(rows) + 1, numpy.int64)
    numpy.cumsum(numpy.array([len(row) for row in rows], numpy.int64), out=places[1:])
    return places, read_members([member for row in rows for member in row])


def _arrow_lists(schema: Any, chunk: Any, owner: Any) -> "list[Any]":
    """Lists of a chunk as Python has them."""
    if schema.format not in (b"+l", b"+L"):
        raise TypeError(f"a column of the Arrow type {schema.format.decode()}, not of lists of ids")
    keep = (chunk, owner)
    members = listed_column(_of_chunks("", schema.children[0].contents, [_arrow.Borrowed(chunk.value.children[0].contents)], keep))
    places, is_there = _arrow.offsets(schema, chunk.value, keep).tolist(), _arrow.validity(chunk.value, keep)
    rows: list[Any] = [members[start:end] for start, end in zip(places, places[1:])]
    return rows if is_there is None else [row if there else None for row, there in zip(rows, is_there.tolist())]


def listed_column(column: Column) -> "list[Any]":
    """The rows of a column as Python has them, None for none."""
    if isinstance(column, Numbers):
        rows = column.values.tolist()
        return rows if column.present is None else [row if there else None for row, there in zip(rows, column.present.tolist())]
    texts: list[Any] = []
    for part in column:
        values = [None if text is None else text.decode("utf-8", "surrogateescape") for text in listed(part.texts)]
        texts += values if part.codes is None else [None if code < 0 else values[code] for code in part.codes.tolist()]
    return texts


def _members(row: Any) -> "list[Any]":
    if isinstance(row, (str, bytes)) or _is_buffer(row) or not isinstance(row, Iterable):
        raise TypeError(f"{shown(row)} is no list")
    return list(row)


def listed(texts: Texts) -> "list[Optional[bytes]]":
    """Texts as Python has them."""
    if texts.count == 0:
        return []
    rows: list[Optional[bytes]]
    if texts.layout == 128:
        rows = []
        for place in range(texts.offsets, texts.offsets + 16 * texts.count, 16):
            length, _, buffer, start = (ctypes.c_int32 * 4).from_address(place)
            if length > 12:
                place = ctypes.c_void_p.from_address(texts.buffers + 8 * buffer).value + start - 4  # type: ignore[operator]
            rows.append(ctypes.string_at(place + 4, length))
    else:
        places = _arrow.view(texts.offsets, "i4" if texts.layout == 32 else "i8", texts.count + 1, None).tolist()
        base = places[0]
        joined = ctypes.string_at((texts.bytes or 0) + base, places[-1] - base) if places[-1] > base else b""
        rows = [joined[start - base:end - base] for start, end in zip(places, places[1:])]
    if texts.validity:
        bits = _arrow.view(texts.validity, "u1", (texts.validity_offset + texts.count + 7) // 8, None)
        there = numpy.unpackbits(bits, bitorder="little")[texts.validity_offset:texts.validity_offset + texts.count]
        rows = [row if is_there else None for row, is_there in zip(rows, there.tolist())]
    return rows
