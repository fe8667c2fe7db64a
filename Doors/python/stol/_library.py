"""libstol by ctypes: structs and functions as stol.h declares them, and errors as exceptions."""
from __future__ import annotations

import ctypes
import os
import weakref
from ctypes import c_char, c_char_p, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any, Optional

import numpy

NO_TAXON = 0xFFFFFFFF
NO_ID = -(2**63)
MORE_ROOM, UNREADABLE, NO_PACK, TEXT_IDS, CHANGED = 1, 2, 3, 4, 5
OFFSETS_64 = 64
STATUSES = ("exact", "synonym", "common", "merged", "deleted", "fuzzy", "partial", "ambiguous", "not_found", "invalid")
INVALID = 9
# So many characters of a value are shown in messages.
_SHOWN = 100


class PackError(ValueError):
    """A file is no pack, is damaged, is of a version that this library does not read, or is not, by its time, the one it was."""


class _Sized(ctypes.Structure):
    """A struct that begins with its size."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(size=ctypes.sizeof(self), **fields)


class Failure(_Sized):
    _fields_ = [("size", c_size_t), ("code", c_int32), ("message", c_char * 244)]


class Texts(_Sized):
    _fields_ = [
        ("size", c_size_t), ("layout", c_int32), ("buffer_count", c_int32), ("count", c_size_t),
        ("offsets", c_void_p), ("bytes", c_void_p), ("byte_count", c_size_t), ("buffers", c_void_p),
        ("buffer_byte_counts", c_void_p), ("validity", c_void_p), ("validity_offset", c_size_t)]


class Facts(_Sized):
    _fields_ = [
        ("size", c_size_t), ("taxon_count", c_uint64), ("name_count", c_uint64), ("byte_count", c_uint64),
        ("format_version", c_int32), ("schema_version", c_int32), ("has_text_ids", c_int32),
        ("has_implied_root", c_int32), ("source_sha256", c_uint8 * 32)]


class ResolveOptions(_Sized):
    _fields_ = [("size", c_size_t), ("rank", c_char_p), ("within", c_uint32), ("reserved", c_uint32)]


class SearchOptions(_Sized):
    _fields_ = [
        ("size", c_size_t), ("mode", c_int32), ("words", c_int32), ("edits", c_int32), ("reserved", c_int32),
        ("limit", c_size_t), ("rank", c_char_p), ("within", c_uint32), ("reserved_too", c_uint32)]


class Hits(_Sized):
    _fields_ = [
        ("size", c_size_t), ("room", c_size_t), ("taxa", c_void_p), ("names", c_void_p), ("kinds", c_void_p),
        ("classes", c_void_p), ("distances", c_void_p)]


class MatchColumns(_Sized):
    _fields_ = [
        ("size", c_size_t), ("names", c_void_p), ("authorships", c_void_p), ("ranks", c_void_p), ("codes", c_void_p),
        ("hint_count", c_size_t), ("hint_ranks", c_void_p), ("hints", c_void_p)]


class MatchOptions(_Sized):
    _fields_ = [("size", c_size_t), ("least_score", c_int32), ("flags", c_uint32)]


class Matches(_Sized):
    _fields_ = [
        ("size", c_size_t), ("taxa", c_void_p), ("names", c_void_p), ("statuses", c_void_p), ("differences", c_void_p),
        ("edits", c_void_p), ("scores", c_void_p), ("reason_offsets", c_void_p), ("reason_bytes", c_void_p),
        ("reason_room", c_size_t), ("candidate_offsets", c_void_p), ("candidate_taxa", c_void_p),
        ("candidate_names", c_void_p), ("candidate_room", c_size_t)]


def _load() -> ctypes.CDLL:
    beside = os.path.join(os.path.dirname(__file__), "libstol.so.1")
    path = os.environ.get("STOL_LIBRARY") or (beside if os.path.exists(beside) else "libstol.so.1")
    library = ctypes.CDLL(path)
    size, pointer = c_size_t, c_void_p
    functions: dict[str, list[Any]] = {
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
        "search": [pointer] * 6, "match": [pointer] * 4}
    for name, kinds in functions.items():
        function = getattr(library, "stol_" + name)
        function.argtypes, function.restype = [*kinds, pointer], c_int32
    library.stol_close.argtypes, library.stol_close.restype = [pointer], None
    return library


LIBRARY = _load()


def call(name: str, *arguments: Any) -> bool:
    """Calls a function; returns whether it had all the room it needs, and raises what else it says."""
    failure = Failure()
    code = getattr(LIBRARY, "stol_" + name)(*arguments, ctypes.byref(failure))
    if code <= MORE_ROOM:
        return code == 0
    message = failure.message.decode()
    if code == UNREADABLE:
        raise OSError(message)
    if code in (NO_PACK, CHANGED):
        raise PackError(message)
    raise (TypeError if code == TEXT_IDS else ValueError)(message)


def word(text: Optional[str]) -> Optional[bytes]:
    """A text as C has it, which would end at its first NUL; None for none."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise TypeError(f"{shown(text)} is no text")
    if "\0" in text:
        raise ValueError(f"{shown(text)} has a NUL in it")
    return text.encode() or None


def shown(value: object) -> str:
    """A value in a message, which nobody reads where it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def choice(value: str, words: "tuple[str, ...]", name: str) -> int:
    """Which of some words a value is."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is one of {', '.join(words)}, not {shown(value)}")
    if value not in words:
        raise ValueError(f"no {name} {shown(value)}: {', '.join(words)}")
    return words.index(value)


def flag(value: bool, name: str) -> bool:
    """Whether what is True or False is True."""
    if not isinstance(value, (bool, numpy.bool_)):
        raise TypeError(f"{name} is True or False, not {shown(value)}")
    return bool(value)


class Handle:
    """A file that libstol has open until nobody refers to it, calls that are under way among them."""

    def __init__(self, path: str) -> None:
        self._as_parameter_ = c_void_p()
        encoded = os.fsencode(path)
        try:
            encoded.decode()
        except UnicodeDecodeError:
            raise ValueError(f"{shown(path)} is no UTF-8, as paths of packs are: rename the file, or make a link to it") from None
        call("open", encoded, ctypes.byref(self._as_parameter_))
        weakref.finalize(self, LIBRARY.stol_close, self._as_parameter_).atexit = False
