"""Answers as columns and tables of the kind that was given."""
from __future__ import annotations

import sys
from typing import Any, Optional, Sequence

import numpy

from . import _columns
from ._columns import Array

# Where there are more rows, a library that makes columns of texts at once is worth its import.
_MANY = 10_000


class TextRows:
    """Texts one behind the other, an empty one for none, of which row i may be that of `codes[i]`."""

    def __init__(self, places: Array, joined: Array, codes: Optional[Array] = None) -> None:
        self.places, self.joined, self.codes = places, joined, codes

    def listed(self) -> "list[Optional[str]]":
        """The texts as Python has them, None for none."""
        joined, places = self.joined.tobytes(), self.places.tolist()
        values: list[Optional[str]]
        if joined.isascii():
            text = joined.decode("ascii")
            values = [text[start:end] or None for start, end in zip(places, places[1:])]
        else:
            values = [joined[start:end].decode() or None for start, end in zip(places, places[1:])]
        return values if self.codes is None else taken(values, self.codes)

    def arrow(self, pyarrow: Any) -> Any:
        """The texts as an array of pyarrow."""
        count, lengths = len(self.places) - 1, numpy.diff(self.places)
        missing = None if lengths.all() else pyarrow.py_buffer(numpy.packbits(lengths != 0, bitorder="little"))
        # Texts that repeat may be few, and long all the same once each row has its own.
        all_bytes = self.places[-1] if self.codes is None else max(self.places[-1], numpy.append(lengths, 0)[self.codes].sum())
        is_short = all_bytes < _columns.MOST_BYTES
        kind = pyarrow.StringArray if is_short else pyarrow.LargeStringArray
        places = self.places.astype(numpy.int32) if is_short else self.places
        values = kind.from_buffers(count, pyarrow.py_buffer(places), pyarrow.py_buffer(self.joined), missing)
        return values if self.codes is None else values.take(pyarrow.array(self.codes, mask=self.codes < 0))


def taken(values: "Sequence[Any]", codes: Array) -> "list[Any]":
    """The value of each code, None for -1."""
    return _objects([*values, None])[codes].tolist()  # type: ignore[no-any-return]


def _objects(values: "Sequence[Any]") -> Array:
    column = numpy.empty(len(values), object)
    for row, value in enumerate(values):
        column[row] = value
    return column


def _index(given: Any) -> Any:
    pandas = sys.modules["pandas"]
    return given.index if isinstance(given, (pandas.Series, pandas.DataFrame)) else None


def named(answer: Any, given: Any) -> Any:
    """An answer that is one column, with the name of the column that it is an answer to."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas and isinstance(answer, pandas.Series) and isinstance(given, pandas.Series):
        return answer.rename(given.name)
    if polars and isinstance(answer, polars.Series) and isinstance(given, polars.Series):
        return answer.alias(given.name)
    return answer


def numbers(kind: str, values: Array, given: Any, missing: Array) -> Any:
    """A column of whole numbers; `missing` says which rows have none."""
    if kind == "one":
        return None if missing[0] else int(values[0])
    if kind == "numpy":
        return values
    has_missing = bool(missing.any())
    if kind == "pandas":
        pandas = sys.modules["pandas"]
        return pandas.Series(pandas.arrays.IntegerArray(values, missing), index=_index(given))
    if kind == "polars":
        polars = sys.modules["polars"]
        column = polars.Series(values)
        return polars.select(polars.when(polars.Series(~missing)).then(column)).to_series() if has_missing else column
    pyarrow = _columns.pyarrow() if kind in ("pyarrow", "arrow") else None
    if pyarrow:
        return pyarrow.array(values, mask=missing if has_missing else None)
    if has_missing:
        values = values.astype(object)
        values[missing] = None
    return values.tolist()


def texts(kind: str, rows: TextRows, given: Any) -> Any:
    """A column of texts."""
    count = len(rows.places) - 1 if rows.codes is None else len(rows.codes)
    if kind == "pandas":
        pandas = sys.modules["pandas"]
        dtype = pandas.Series(["text"]).dtype
        if hasattr(dtype, "__from_arrow__") and _columns.pyarrow():
            return pandas.Series(dtype.__from_arrow__(rows.arrow(_columns.pyarrow())), index=_index(given))
    elif kind in ("pyarrow", "arrow") and _columns.pyarrow():
        return rows.arrow(_columns.pyarrow())
    elif kind == "polars" and (count > _MANY or "pyarrow" in sys.modules) and _columns.pyarrow():
        return sys.modules["polars"].from_arrow(rows.arrow(_columns.pyarrow()))
    values = rows.listed()
    if kind == "pandas":
        return pandas.Series(values, index=_index(given), dtype=dtype)
    if kind == "polars":
        return sys.modules["polars"].Series(values, dtype=sys.modules["polars"].String)
    return values[0] if kind == "one" else _objects(values) if kind == "numpy" else values


def objects(kind: str, values: "list[Any]", given: Any, is_text: bool) -> Any:
    """A column of lists as Python has them, of texts or whole numbers, whatever is in them; None for what is missing."""
    if kind == "one":
        return values[0]
    if kind == "numpy":
        return _objects(values)
    if kind == "pandas":
        return sys.modules["pandas"].Series(values, index=_index(given), dtype=object)
    if kind == "polars":
        polars = sys.modules["polars"]
        return polars.Series(values, dtype=polars.List(polars.String if is_text else polars.Int64))
    pyarrow = _columns.pyarrow() if kind in ("pyarrow", "arrow") else None
    return pyarrow.array(values, pyarrow.list_(pyarrow.string() if is_text else pyarrow.int64())) if pyarrow else values


def lists(kind: str, places: Array, rows: Any, given: Any, is_text: bool) -> Any:
    """A column of lists; `rows` are all members, texts or what Python has for them."""
    pyarrow = _columns.pyarrow() if kind in ("pyarrow", "arrow") else None
    if pyarrow and isinstance(rows, TextRows):
        return pyarrow.LargeListArray.from_arrays(pyarrow.array(places), rows.arrow(pyarrow))
    values = rows.listed() if isinstance(rows, TextRows) else rows
    ends = places.tolist()
    return objects(kind, [values[start:end] for start, end in zip(ends, ends[1:])], given, is_text)


def categories(rows: TextRows, codes: Array) -> "tuple[Sequence[str], Array]":
    """Texts of which none is another, and codes for these; many are an array of pyarrow where it is there."""
    count = len(rows.places) - 1
    pyarrow = _columns.pyarrow() if count > _MANY else None
    if pyarrow:
        encoded = rows.arrow(pyarrow).dictionary_encode()
        if len(encoded.dictionary) < count:
            codes = numpy.append(encoded.indices.fill_null(-1).to_numpy(), numpy.int32(-1))[codes]
        return encoded.dictionary, codes
    texts = rows.listed()
    values = [text for text in dict.fromkeys(texts) if text is not None]
    if len(values) < count:
        places = dict(zip(values, range(len(values))))
        codes = numpy.array([*(-1 if text is None else places[text] for text in texts), -1], numpy.int32)[codes]
    return values, codes


def words(kind: str, values: Any, codes: Array, given: Any) -> Any:
    """A column of texts that repeat, as codes where a library has such columns; -1 is none."""
    if kind == "one":
        return None if codes[0] < 0 else values[codes[0]]
    pyarrow = _columns.pyarrow() if kind in ("pyarrow", "arrow") or hasattr(values, "to_pylist") else None
    if kind in ("pyarrow", "arrow") and pyarrow:
        if codes.dtype.itemsize > 4:
            codes = codes.astype(numpy.int32)
        return pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes, mask=codes < 0), pyarrow.array(values, pyarrow.string()))
    if kind == "polars":
        polars = sys.modules["polars"]
        texts = polars.from_arrow(values) if pyarrow else polars.Series(values, dtype=polars.String)
        return polars.select(polars.when(polars.Series(codes >= 0)).then(texts.gather(numpy.maximum(codes, 0)))).to_series() \
            if len(texts) else polars.Series([None] * len(codes), dtype=polars.String)
    if kind == "pandas":
        pandas = sys.modules["pandas"]
        dtype = pandas.Series(["text"]).dtype
        known = dtype.__from_arrow__(values) if pyarrow and hasattr(dtype, "__from_arrow__") else pandas.Index(_listed(values), dtype=dtype)
        return pandas.Series(pandas.Categorical.from_codes(codes, categories=known), index=_index(given))
    column = _objects([*_listed(values), None])[codes]
    return column if kind == "numpy" else column.tolist()


def _listed(values: Any) -> "Sequence[str]":
    return values.to_pylist() if hasattr(values, "to_pylist") else values  # type: ignore[no-any-return]


def table(kind: str, columns: "dict[str, Any]", given: Any = None, count: int = 0) -> Any:
    """Columns as what the kind has for a table, without any one of so many rows: a dictionary for lists and arrays."""
    pyarrow = _columns.pyarrow() if kind in ("pyarrow", "arrow") else None
    if kind not in ("pandas", "polars") and not pyarrow:
        return columns
    is_bare = not columns
    if is_bare:
        columns = {"rows": numpy.zeros(count, bool)}
    if kind == "pandas":
        table = sys.modules["pandas"].DataFrame(columns, index=_index(given))
        return table[[]] if is_bare else table
    if kind == "polars":
        table = sys.modules["polars"].DataFrame(columns)
        return table.drop("rows") if is_bare else table
    table = pyarrow.table(columns)
    return table.select([]) if is_bare else table
