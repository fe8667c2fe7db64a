"""Reads archives of the journal by Format/JOURNAL.md alone: libsodium, tar and zstd, and nothing of stol."""

import ctypes
import hashlib
import io
import json
import pathlib
import struct
import tarfile
import unittest

import sealed_stream

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "Format/vectors/journal"
MAGIC = bytes.fromhex("53544f4c004a4101")
ZSTD = sealed_stream.library("zstd")


def opened(data, passphrase):
    """What is sealed in an archive."""
    assert data[:8] == MAGIC
    passes, memory = struct.unpack_from("<II", data, 8)
    return sealed_stream.opened(data, 56, sealed_stream.passphrase_key(passphrase, data[16:32], passes, memory))


def decompressed(data):
    ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
    target = ctypes.create_string_buffer(16 << 20)
    size = ZSTD.ZSTD_decompress(
        target, ctypes.c_size_t(len(target)), data, ctypes.c_size_t(len(data)))
    assert size <= len(target)
    return target.raw[:size]


@unittest.skipIf(sealed_stream.SODIUM is None or ZSTD is None, "libsodium or libzstd is missing: Tools/setup")
class ArchiveTest(unittest.TestCase):
    def check(self, data, lines):
        entries = tarfile.open(fileobj=io.BytesIO(data), mode="r:").getmembers()
        self.assertTrue(all(entry.isreg() and entry.mode == 0o600 and entry.mtime == 0 for entry in entries))
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
            files = [(entry.name, tar.extractfile(entry).read()) for entry in tar.getmembers()]
        self.assertEqual(files[0][0], "stol-journal.json")
        head = json.loads(files[0][1])
        self.assertEqual((head["format"], head["version"]), ("stol-journal-archive", 1))
        self.assertIsInstance(head["writer"], str)
        media = [entry for entry in files if entry[0].startswith("media/")]
        self.assertEqual(media, sorted(media))
        for name, content in media:
            self.assertEqual(name[6:8] + name[9:], hashlib.sha256(content).hexdigest())
        parts = [entry for entry in files if entry[0].startswith("records/")]
        for number, (name, content) in enumerate(parts, 1):
            digest = hashlib.sha256(content).hexdigest()
            self.assertEqual(name, f"records/{number:06}-{digest}.jsonl.zst")
        records = b"".join(decompressed(content) for _, content in parts)
        kept = [json.loads(line) for line in records.splitlines()]
        self.assertEqual(
            [line["record"] for line in kept if "deletedMs" not in line],
            [json.loads(line) for line in lines.splitlines()])
        for line in kept:
            self.assertLessEqual({"createdMs", "record"}, line.keys())
            self.assertLessEqual(line.keys(), {"createdMs", "deletedMs", "moments", "record"})
        self.assertTrue(any("deletedMs" in line for line in kept))
        self.assertTrue(any("moments" in line for line in kept))
        named = {line["record"]["file"]["sha256"] for line in kept
                 if line["record"]["recordKind"] == "photo"}
        self.assertEqual(named, {name[6:8] + name[9:] for name, _ in media})
        self.assertEqual(files[1:-1], media + parts)
        self.assertEqual(files[-1][0], "end.json")
        self.assertEqual(
            json.loads(files[-1][1]),
            {"files": len(media), "parts": len(parts), "records": len(records.splitlines())})

    def test_vectors(self):
        lines = (VECTORS / "archive-1.jsonl").read_bytes()
        plain = (VECTORS / "archive-1.stoljournal").read_bytes()
        self.check(plain, lines)
        sealed = (VECTORS / "archive-1.sealed.stoljournal").read_bytes()
        self.assertEqual(opened(sealed, b"an oak"), plain)

    def test_another_passphrase_opens_nothing(self):
        sealed = (VECTORS / "archive-1.sealed.stoljournal").read_bytes()
        with self.assertRaises(ValueError):
            opened(sealed, b"an elm")


if __name__ == "__main__":
    unittest.main()
