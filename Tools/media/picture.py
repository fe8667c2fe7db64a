"""A picture of an organism out of a package, and what is known of it."""

from typing import NamedTuple, Optional


class Picture(NamedTuple):
    """Bytes of a PNG, WebP or JPEG file with what its package says of them; its taxon is None where that is no name of one."""
    key: str  # of its package and in it, as in pictures.tsv
    data: bytes
    title: str
    author: str
    licence: str
    source: str
    taxon: Optional[int]

    @property
    def kind(self) -> str:
        """Which kind of file the bytes are, as manifests of media packs call it."""
        return "webp" if self.data[:4] == b"RIFF" else "jpeg" if self.data[:2] == b"\xff\xd8" else "png"
