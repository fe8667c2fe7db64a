"""Make of a shared library what DuckDB loads: append the 534 bytes by which it knows an extension.

    python3 footer.py LIBRARY EXTENSION PLATFORM API_VERSION VERSION

They are a custom section as WebAssembly has them, so that one form serves all platforms: eight fields of 32 bytes,
the last one first, and room for a signature of 256 bytes, which stays empty.
"""
import pathlib
import sys

NAME = b"duckdb_signature"
FIELD, SIGNATURE = 32, 256


def varint(number):
    """LEB128, of two bytes."""
    return bytes([number & 127 | 128, number >> 7])


def footer(platform, api_version, version):
    # The fourth says for what the third is the version: for the stable API of C.
    fields = ["4", platform, api_version, version, "C_STRUCT", "", "", ""]
    raw = [field.encode() for field in fields]
    if any(len(field) > FIELD for field in raw):
        raise SystemExit(f"a field of {fields} is longer than {FIELD} bytes")
    content = b"".join(field.ljust(FIELD, b"\0") for field in reversed(raw)) + bytes(SIGNATURE)
    section = bytes([len(NAME)]) + NAME + varint(len(content)) + content
    return b"\0" + varint(len(section)) + section


def main():
    if len(sys.argv) != 6:
        raise SystemExit(__doc__)
    library, extension, *fields = sys.argv[1:]
    pathlib.Path(extension).write_bytes(pathlib.Path(library).read_bytes() + footer(*fields))


if __name__ == "__main__":
    main()
