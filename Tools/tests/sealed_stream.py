"""What libsodium has sealed in a stream, by Format/JOURNAL.md alone, for archives and for files of a locked journal."""

import ctypes
import ctypes.util

FINAL = 3


def library(name):
    found = ctypes.util.find_library(name)
    return ctypes.CDLL(found) if found else None


SODIUM = library("sodium")
if SODIUM is not None:
    SODIUM.sodium_init()


def passphrase_key(passphrase, salt, passes, memory_kib):
    """The key that Argon2id makes of a passphrase."""
    key = ctypes.create_string_buffer(32)
    status = SODIUM.crypto_pwhash(
        key, ctypes.c_ulonglong(32), passphrase, ctypes.c_ulonglong(len(passphrase)), salt,
        ctypes.c_ulonglong(passes), ctypes.c_size_t(memory_kib * 1024), ctypes.c_int(2))
    assert status == 0
    return key


def opened(data, start, key):
    """What is sealed in bytes whose stream has its header before `start`, where the empty message begins."""
    state = ctypes.create_string_buffer(SODIUM.crypto_secretstream_xchacha20poly1305_statebytes())
    assert SODIUM.crypto_secretstream_xchacha20poly1305_init_pull(state, data[start - 24:start], key) == 0

    def message(sealed, context=b""):
        text, tag = ctypes.create_string_buffer(max(1, len(sealed) - 17)), ctypes.c_ubyte()
        status = SODIUM.crypto_secretstream_xchacha20poly1305_pull(
            state, text, None, ctypes.byref(tag), sealed, ctypes.c_ulonglong(len(sealed)), context,
            ctypes.c_ulonglong(len(context)))
        if status != 0:
            raise ValueError("not what was sealed")
        return text.raw[:len(sealed) - 17], tag.value

    assert message(data[start:start + 17], data[:start]) == (b"", 0)
    result, place = b"", start + 17
    while True:
        text, tag = message(data[place:place + 65536 + 17])
        result += text
        place += len(text) + 17
        if tag == FINAL:
            assert place == len(data)
            return result
        assert len(text) == 65536
