"""Columns as people have them: read as numbers or texts, and given back as they came."""
import ctypes
import sys

import numpy

from . import _arrow
from ._library import NO_ID, OFFSETS_64, Texts


class Numbers:
    """A column of whole numbers."""

    def __init__(self, values, present=None):
        self.values = numpy.ascontiguousarray(values, numpy.int64)
        self.present = present


class TextPart:
    """Texts as libstol reads them; with codes, the rows of which each is the text of its code, or of none."""

    def __init__(self, texts, keep, codes=None, present=None):
        self.texts, self.keep, self.codes, self.present = texts, keep, codes, present

    def spread(self, values, null):
        """The values of the rows, from those of the texts."""
        if self.codes is None:
            return values
        if self.present is None:
            return values[self.codes]
        rows = numpy.full(len(self.codes), null, values.dtype)
        rows[self.present] = values[self.codes[self.present]]
        return rows


# Fewer rows are not worth a look for those that repeat.
_FEW = 1000


def kind_of(given):
    """What a column is, by which others are made like it: "one" for a single value."""
    if given is None or isinstance(given, (str, bytes, int, numpy.integer)):
        return "one"
    if isinstance(given, numpy.ndarray):
        return "numpy"
    library = type(given).__module__.split(".")[0]
    if library in ("pandas", "polars", "pyarrow"):
        return library
    if hasattr(given, "__arrow_c_array__") or hasattr(given, "__arrow_c_stream__"):
        return "arrow"
    return "list"


def read(given):
    """The numbers of a column, or the list of its parts of texts."""
    kind = kind_of(given)
    if kind == "one":
        return _of_list([given])
    if kind == "numpy":
        return _of_numpy(given)
    if kind == "pandas":
        return _of_pandas(given)
    if kind == "polars" and len(given) > _FEW and given.dtype == sys.modules["polars"].String:
        return _of_arrow(given.cast(sys.modules["polars"].Categorical))
    if kind == "pyarrow" and len(given) > _FEW and _is_pyarrow_text(given.type):
        return _of_arrow(given.dictionary_encode())
    if kind in ("polars", "pyarrow", "arrow"):
        return _of_arrow(given)
    return _of_list(list(given))


def read_texts(given):
    """The same as texts, whole numbers too."""
    column = read(given)
    if not isinstance(column, Numbers):
        return column
    rows = [str(value).encode() for value in column.values.tolist()]
    if column.present is not None:
        rows = [row if is_there else None for row, is_there in zip(rows, column.present.tolist())]
    part = _texts_of(rows)
    return [TextPart(part, part.keep)]


def _is_pyarrow_text(kind):
    types = sys.modules["pyarrow"].types
    return types.is_string(kind) or types.is_large_string(kind)


def _of_numpy(given):
    if given.ndim != 1:
        raise ValueError(f"an array of {given.ndim} dimensions, not one")
    if given.dtype.kind in "iu":
        return Numbers(given) if given.dtype != numpy.uint64 else _of_unsigned(given, None)
    return _of_list(given.tolist())


def _of_unsigned(values, present):
    # No id is as great.
    return Numbers(numpy.where(values < 1 << 63, values, 1 << 62).astype(numpy.int64), present)


def _of_pandas(given):
    pandas = sys.modules["pandas"]
    if pandas.api.types.is_integer_dtype(given.dtype):
        missing = given.isna().to_numpy()
        if missing.any():
            return Numbers(given.fillna(0).to_numpy(numpy.int64), ~missing)
        values = given.to_numpy()
        return _of_unsigned(values, None) if values.dtype == numpy.uint64 else Numbers(values)
    if pandas.api.types.is_float_dtype(given.dtype):
        return _of_list([None if value != value else value for value in given.to_numpy(float).tolist()])
    codes, distinct = pandas.factorize(given)
    part = _texts_of([_text(value) for value in distinct])
    return [TextPart(part, part.keep, codes, codes >= 0)]


def _of_list(rows):
    if not any(isinstance(row, (str, bytes)) for row in rows):
        values = [_number(row) for row in rows]
        present = numpy.array([value is not None for value in values], bool)
        return Numbers(numpy.array([0 if value is None else value for value in values], numpy.int64),
                       None if present.all() else present)
    index = {}
    codes = numpy.array([index.setdefault(row, len(index)) for row in rows], numpy.int64)
    part = _texts_of([_text(row) for row in index])
    return [TextPart(part, part.keep, codes)]


def _is_missing(value):
    if isinstance(value, float):
        return value != value
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _number(value):
    """A whole number, or None where there is none."""
    if _is_missing(value):
        return None
    number = int(value)
    if number != value:
        raise TypeError(f"{value!r} is no id")
    return number if -(1 << 63) <= number < 1 << 63 else NO_ID


def _text(value):
    """A text in UTF-8, or None where there is none; whole numbers are texts too."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    number = _number(value)
    return None if number is None else str(number).encode()


def _texts_of(rows):
    """Texts, of which None is a null, as libstol reads them."""
    raw = [row or b"" for row in rows]
    places = numpy.zeros(len(raw) + 1, numpy.int64)
    numpy.cumsum(numpy.array([len(row) for row in raw], numpy.int64), out=places[1:])
    joined = b"".join(raw)
    bits = numpy.packbits(numpy.array([row is not None for row in rows], bool), bitorder="little")
    texts = Texts(layout=OFFSETS_64, count=len(raw), offsets=places.ctypes.data, byte_count=len(joined),
                  bytes=ctypes.cast(ctypes.c_char_p(joined), ctypes.c_void_p), validity=bits.ctypes.data)
    texts.keep = (places, joined, bits)
    return texts


def _of_arrow(given):
    schema, chunks, owner = _arrow.exported(given)
    kind = schema.dictionary.contents if schema.dictionary else schema
    if kind.format == b"n":
        return _of_list([None] * sum(chunk.value.length for chunk in chunks))
    if _arrow.is_number(schema) and not schema.dictionary:
        parts = [_arrow.numbers(schema, chunk.value, (chunk, owner)) for chunk in chunks]
        whole = numpy.concatenate([values for values, _ in parts] or [numpy.empty(0, numpy.int64)])
        present = None
        if any(mask is not None for _, mask in parts):
            present = numpy.concatenate([numpy.ones(len(values), bool) if mask is None else mask for values, mask in parts])
        return _of_unsigned(whole, present) if whole.dtype == numpy.uint64 else Numbers(whole, present)
    if not _arrow.is_text(kind):
        raise TypeError(f"a column of the Arrow type {kind.format.decode()}, not of whole numbers or texts")
    parts = []
    for chunk in chunks:
        keep = (chunk, owner)
        if schema.dictionary:
            codes, present = _arrow.numbers(schema, chunk.value, keep)
            texts = _arrow_texts(kind, chunk.value.dictionary.contents)
            parts.append(TextPart(texts, keep, codes, present))
        else:
            parts.append(TextPart(_arrow_texts(kind, chunk.value), keep))
    return parts


def _arrow_texts(schema, array):
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


def read_lists(given):
    """Offsets, and the column of all members, of a column of lists."""
    kind = kind_of(given)
    if kind in ("polars", "pyarrow", "arrow"):
        schema, chunks, owner = _arrow.exported(given)
        if schema.format in (b"+l", b"+L") and len(chunks) == 1:
            keep = (chunks[0], owner)
            member, members = schema.children[0].contents, chunks[0].value.children[0].contents
            if _arrow.is_number(member) and not member.dictionary:
                values, present = _arrow.numbers(member, members, keep)
                return _arrow.offsets(schema, chunks[0].value, keep).astype(numpy.int64), Numbers(values, present)
        if not hasattr(given, "to_pylist") and not hasattr(given, "to_list"):
            raise TypeError(f"a column of the Arrow type {schema.format.decode()}, not of lists of whole numbers")
        given = given.to_pylist() if hasattr(given, "to_pylist") else given.to_list()
    rows = [[] if row is None else list(row) for row in given]
    places = numpy.zeros(len(rows) + 1, numpy.int64)
    numpy.cumsum(numpy.array([len(row) for row in rows], numpy.int64), out=places[1:])
    return places, _of_list([member for row in rows for member in row])


def text_list(places, joined):
    """The texts between offsets, None for empty ones."""
    joined = joined.tobytes()
    places = places.tolist()
    if joined.isascii():
        text = joined.decode("ascii")
        return [text[start:end] or None for start, end in zip(places, places[1:])]
    return [joined[start:end].decode() or None for start, end in zip(places, places[1:])]


def give(kind, values, given, missing=None):
    """Values as a column of a kind; `missing` are the rows without one."""
    if kind == "one":
        return None if missing is not None and missing[0] else _plain(values)[0]
    if isinstance(values, list):
        return _give_list(kind, values, given)
    if kind == "numpy":
        return values
    has_missing = missing is not None and missing.any()
    if kind == "pandas":
        pandas = sys.modules["pandas"]
        index = getattr(given, "index", None)
        if values.dtype.kind in "iu":
            mask = missing if missing is not None else numpy.zeros(len(values), bool)
            return pandas.Series(pandas.arrays.IntegerArray(values, mask), index=index)
        return pandas.Series(values, index=index)
    if kind == "polars":
        polars = sys.modules["polars"]
        column = polars.Series(values)
        return polars.select(polars.when(polars.Series(~missing)).then(column)).to_series() if has_missing else column
    if kind in ("pyarrow", "arrow"):
        try:
            import pyarrow
            return pyarrow.array(values, mask=missing if has_missing else None)
        except ImportError:
            pass
    rows = _plain(values)
    if has_missing:
        rows = [None if is_missing else row for row, is_missing in zip(rows, missing.tolist())]
    return rows


def _plain(values):
    return values if isinstance(values, list) else values.tolist()


def _give_list(kind, values, given):
    if kind == "numpy":
        column = numpy.empty(len(values), object)
        for row, value in enumerate(values):
            column[row] = value
        return column
    if kind == "pandas":
        pandas = sys.modules["pandas"]
        return pandas.Series(values, index=getattr(given, "index", None), dtype=None if values else object)
    if kind == "polars":
        return sys.modules["polars"].Series(values)
    if kind in ("pyarrow", "arrow"):
        try:
            import pyarrow
            return pyarrow.array(values)
        except ImportError:
            pass
    return values


def table(kind, columns, index=None):
    """Columns, each of a kind, as what the kind has for a table: a dictionary for lists and arrays."""
    if kind == "pandas":
        return sys.modules["pandas"].DataFrame(columns, index=index)
    if kind == "polars":
        return sys.modules["polars"].DataFrame(columns)
    if kind in ("pyarrow", "arrow") and columns:
        try:
            import pyarrow
            return pyarrow.table(columns)
        except ImportError:
            pass
    return columns
