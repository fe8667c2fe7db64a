"""Arrow's C data interface by ctypes: reads what any library exports, without one of them."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p

import numpy


# What is said of a table some of whose rows are null as a whole, which columns cannot be.
NULL_ROWS = "a table of which whole rows are null: leave them out, as drop_null() of pyarrow does"


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64), ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))), ("dictionary", POINTER(Schema)),
    ("release", ctypes.CFUNCTYPE(None, POINTER(Schema))), ("private_data", c_void_p)]
Array._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(Array))), ("dictionary", POINTER(Array)),
    ("release", ctypes.CFUNCTYPE(None, POINTER(Array))), ("private_data", c_void_p)]
Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ("get_next", ctypes.CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(c_char_p, POINTER(Stream))),
    ("release", ctypes.CFUNCTYPE(None, POINTER(Stream))), ("private_data", c_void_p)]

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = c_void_p, [ctypes.py_object, c_char_p]

_NUMBERS = {b"c": "i1", b"C": "u1", b"s": "i2", b"S": "u2", b"i": "i4", b"I": "u4", b"l": "i8", b"L": "u8"}
_FLOATS = {b"e": "f2", b"f": "f4", b"g": "f8"}
_TEXTS = {b"u": 32, b"z": 32, b"U": 64, b"Z": 64, b"vu": 128, b"vz": 128}


class Released:
    """A struct of an exporter that is given back when nothing refers to it any more."""

    def __init__(self, value):
        self.value = value

    def __del__(self):
        if self.value.release:
            self.value.release(ctypes.byref(self.value))


class Export:
    """What an object exports, before it is known what it is: it is exported once, and handed on so."""

    def __init__(self, given):
        if hasattr(given, "__arrow_c_stream__"):
            capsule = given.__arrow_c_stream__()
            stream = Stream.from_address(_pointer_of(capsule, b"arrow_array_stream"))
            schema = Released(Schema())
            _check(stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(schema.value)))
            self.is_table = schema.value.format == b"+s"
            self.__arrow_c_stream__ = lambda requested_schema=None: capsule
        else:
            capsules = given.__arrow_c_array__()
            self.is_table = Schema.from_address(_pointer_of(capsules[0], b"arrow_schema")).format == b"+s"
            array = Array.from_address(_pointer_of(capsules[1], b"arrow_array"))
            # Whether it has not all rows of its columns, as a slice of them.
            self.is_part = array.offset != 0 or any(array.children[number].contents.length != array.length for number in range(array.n_children))
            self.__arrow_c_array__ = lambda requested_schema=None: capsules


def exported(given):
    """The schema and the chunks of what an object exports, all of which live as long as what is returned."""
    if hasattr(given, "__arrow_c_stream__"):
        capsule = given.__arrow_c_stream__()
        stream = Stream.from_address(_pointer_of(capsule, b"arrow_array_stream"))
        schema = Released(Schema())
        _check(stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(schema.value)))
        chunks = []
        while True:
            chunk = Released(Array())
            _check(stream, stream.get_next(ctypes.byref(stream), ctypes.byref(chunk.value)))
            if not chunk.value.release:
                return schema.value, chunks, (schema, capsule)
            chunks.append(chunk)
    of_schema, of_array = given.__arrow_c_array__()
    schema = Schema.from_address(_pointer_of(of_schema, b"arrow_schema"))
    chunk = Array.from_address(_pointer_of(of_array, b"arrow_array"))
    # The capsules release what they hold.
    return schema, [Borrowed(chunk)], (of_schema, of_array)


def fields(schema, chunks):
    """The columns of a table: the name, the schema and the chunks of each."""
    for number in range(schema.n_children):
        field = schema.children[number].contents
        yield (field.name or b"").decode(), field, [_field(chunk.value, number) for chunk in chunks]


def _field(table, number):
    """A column of the rows of a table, which may begin behind those of its columns."""
    if validity(table, None) is not None:
        raise ValueError(NULL_ROWS)
    of_table = table.children[number].contents
    column = Array.from_buffer_copy(of_table)
    column.offset, column.length = of_table.offset + table.offset, table.length
    if of_table.null_count:
        column.null_count = -1
    return Borrowed(column)


class Borrowed:
    """A struct that others release."""

    def __init__(self, value):
        self.value = value


def _check(stream, code):
    if code:
        said = stream.get_last_error(ctypes.byref(stream))
        raise ValueError(f"an Arrow stream failed: {said.decode() if said else code}")


def is_text(schema):
    return schema.format in _TEXTS


def is_number(schema):
    return schema.format in _NUMBERS


def is_float(schema):
    return schema.format in _FLOATS


def identity(array):
    """What two structs have in common that are the same array."""
    return array.length, array.offset, *array.buffers[:array.n_buffers]


def layout(schema):
    """How stol.h calls the layout of a column of texts."""
    return _TEXTS[schema.format]


def view(address, kind, count, keep):
    """`count` numbers at an address, as an array that keeps their owner."""
    kind = numpy.dtype(kind)
    if count == 0:
        return numpy.empty(0, kind)
    block = (ctypes.c_char * (count * kind.itemsize)).from_address(address)
    block.owner = keep
    return numpy.frombuffer(block, kind)


def validity(array, keep):
    """For each row whether it is there; None where all are."""
    if array.null_count == 0 or array.n_buffers == 0 or not array.buffers[0]:
        return None
    bits = view(array.buffers[0], "u1", (array.offset + array.length + 7) // 8, keep)
    return numpy.unpackbits(bits, bitorder="little")[array.offset:array.offset + array.length].astype(bool)


def numbers(schema, array, keep):
    """The numbers of a column, and for each whether it is there."""
    whole = view(array.buffers[1], (_NUMBERS | _FLOATS)[schema.format], array.offset + array.length, keep)
    return whole[array.offset:], validity(array, keep)


def encoded_numbers(schema, array, keep):
    """The same of a column that is encoded by a dictionary."""
    codes, is_there = numbers(schema, array, keep)
    values, are_there = numbers(schema.dictionary.contents, array.dictionary.contents, keep)
    if is_there is not None:
        # Behind a null stands any code, and the dictionary may be empty.
        codes, values = numpy.where(is_there, codes, 0), values if len(values) else numpy.zeros(1, values.dtype)
    if are_there is not None:
        is_there = are_there[codes] if is_there is None else is_there & numpy.append(are_there, False)[codes]
    return values[codes], is_there


def offsets(schema, array, keep):
    """The offsets of a column of lists, one more than rows."""
    kind = {b"+l": "i4", b"+L": "i8"}[schema.format]
    return view(array.buffers[1], kind, array.offset + array.length + 1, keep)[array.offset:]
