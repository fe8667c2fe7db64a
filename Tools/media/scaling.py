"""Makes pictures as large as a page shows them."""

import shutil
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Tuple

import ncbi
from picture import Picture

LARGEST = 512  # points on the longer side
# Below so many bytes a PNG stays as it is.
SMALL = 12_000
OPTIONS = ("-quiet", "-m", "6", "-q", "85", "-alpha_q", "90")


def size(picture: Picture) -> Tuple[int, int]:
    """Width and height of a PNG or WebP file, by its head."""
    data = picture.data
    if picture.kind == "png":
        return struct.unpack_from(">II", data, 16)
    kind = data[12:16]
    if kind == b"VP8X":
        return (int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1)
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
    width, height = struct.unpack_from("<HH", data, 26)
    return (width & 0x3FFF, height & 0x3FFF)


def scaled(picture: Picture) -> Picture:
    """The picture, as WebP where it is large."""
    if picture.kind == "jpeg":  # Those of the packages are small.
        return picture
    width, height = size(picture)
    is_large = max(width, height) > LARGEST
    if not is_large and (picture.kind == "webp" or len(picture.data) <= SMALL):
        return picture
    if shutil.which("cwebp") is None:
        raise ncbi.DataError("cwebp is missing: apt-get install webp")
    resize = () if not is_large else ("-resize", str(LARGEST), "0") if width >= height else ("-resize", "0", str(LARGEST))
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "source", Path(folder) / "made.webp"
        source.write_bytes(picture.data)
        command = ["cwebp", *OPTIONS, *resize, str(source), "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ncbi.DataError(f"cwebp cannot read {picture.key}: {done.stderr.strip()}")
        return picture._replace(data=made.read_bytes())
