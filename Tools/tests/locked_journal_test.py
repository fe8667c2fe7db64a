"""Reads a locked journal by Format/JOURNAL.md alone: libsodium, SQLite, the draft of AEGIS, and nothing of stol."""

import ctypes
import hashlib
import json
import pathlib
import sqlite3
import tempfile
import unittest

import sealed_stream

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "Format/vectors/journal"
FOLDER = VECTORS / "locked-1"
MAGIC = bytes.fromhex("53544f4c004a4d01")
PAGE, RESERVED, HEADER = 4096, 64, 24


def subkey(key, text):
    return hashlib.blake2b(text.encode(), key=key, digest_size=32).digest()


# MARK: - Keys

def key_line(text):
    """The first whole line of key.json."""
    for line in text.split(b"\n"):
        start, mark, end = line.rpartition(b',"digest":"')
        if mark and end == hashlib.sha256(start).hexdigest().encode() + b'"}':
            return json.loads(line)
    raise ValueError("no line is whole")


def data_key(slot, secret, context):
    key = sealed_stream.passphrase_key(secret, bytes.fromhex(slot["salt"]), slot["passes"], slot["memory_kib"])
    result = ctypes.create_string_buffer(32)
    sealed = bytes.fromhex(slot["sealed"])
    status = sealed_stream.SODIUM.crypto_aead_xchacha20poly1305_ietf_decrypt(
        result, None, None, sealed, ctypes.c_ulonglong(len(sealed)), context,
        ctypes.c_ulonglong(len(context)), bytes.fromhex(slot["nonce"]), key)
    if status != 0:
        raise ValueError("another secret")
    return result.raw


# MARK: - Files

def opened(sealed, key):
    """What is sealed in a file."""
    assert sealed[:8] == MAGIC
    return sealed_stream.opened(sealed, 32, key)


# MARK: - Pages

def doubled(byte):
    return byte << 1 & 0xFF ^ (0x1B if byte & 0x80 else 0)


def sbox():
    """The inverse of a byte in the field of AES, and the affine map of it."""
    def times(a, b):
        result = 0
        while b:
            result ^= a if b & 1 else 0
            a, b = doubled(a), b >> 1
        return result

    table = []
    for byte in range(256):
        inverse = next((other for other in range(256) if times(byte, other) == 1), 0)
        table.append(0x63 ^ inverse)
        for turn in range(1, 5):
            table[-1] ^= (inverse << turn | inverse >> 8 - turn) & 0xFF
    return table


def round_tables():
    """What each byte of a block gives to the block that a round of AES makes of it."""
    substituted = sbox()
    tables = []
    for index in range(16):
        # ShiftRows: the byte of row r and column c goes into column c - r.
        row, column = index % 4, (index // 4 - index % 4) % 4
        table = []
        for byte in range(256):
            value = substituted[byte]
            column_bytes = [0] * 4
            for target, factor in ((row, 2), ((row + 3) % 4, 3), ((row + 2) % 4, 1), ((row + 1) % 4, 1)):
                column_bytes[target] = {1: value, 2: doubled(value), 3: doubled(value) ^ value}[factor]
            block = bytearray(16)
            block[4 * column:4 * column + 4] = bytes(column_bytes)
            table.append(int.from_bytes(block, "big"))
        tables.append(table)
    return tables


ROUND = round_tables()
C0 = 0x000101020305080D1522375990E97962
C1 = 0xDB3D18556DC22FF12011314273B528DD


def aes_round(block, key):
    for table, byte in zip(ROUND, block.to_bytes(16, "big")):
        key ^= table[byte]
    return key


class Aegis256:
    """draft-irtf-cfrg-aegis-aead, without additional data."""

    def __init__(self, key, nonce):
        k0, k1, n0, n1 = (int.from_bytes(part, "big") for part in (key[:16], key[16:], nonce[:16], nonce[16:]))
        self.state = [k0 ^ n0, k1 ^ n1, C1, C0, k0 ^ C0, k1 ^ C1]
        for _ in range(4):
            for word in (k0, k1, k0 ^ n0, k1 ^ n1):
                self.update(word)

    def update(self, word):
        s0, s1, s2, s3, s4, s5 = self.state
        self.state = [aes_round(s5, s0 ^ word), aes_round(s0, s1), aes_round(s1, s2),
                      aes_round(s2, s3), aes_round(s3, s4), aes_round(s4, s5)]

    def mask(self):
        _, s1, s2, s3, s4, s5 = self.state
        return s1 ^ s4 ^ s5 ^ s2 & s3

    def stream(self, count):
        result = b""
        while len(result) < count:
            result += self.mask().to_bytes(16, "big")
            self.update(0)
        return result[:count]

    def decrypt(self, data, tag):
        result = b""
        for start in range(0, len(data), 16):
            part = data[start:start + 16]
            mask = self.mask().to_bytes(16, "big")
            text = bytes(a ^ b for a, b in zip(part, mask))
            result += text
            self.update(int.from_bytes(text.ljust(16, b"\0"), "big"))
        lengths = (0).to_bytes(8, "little") + (8 * len(data)).to_bytes(8, "little")
        word = self.state[3] ^ int.from_bytes(lengths, "big")
        for _ in range(7):
            self.update(word)
        s0, s1, s2, s3, s4, s5 = self.state
        if (s0 ^ s1 ^ s2).to_bytes(16, "big") + (s3 ^ s4 ^ s5).to_bytes(16, "big") != tag:
            raise ValueError("not what was sealed")
        return result


def database(sealed, key):
    """The file of SQLite."""
    assert len(sealed) % PAGE == 0
    result = b""
    for number, start in enumerate(range(0, len(sealed), PAGE), 1):
        page = sealed[start:start + PAGE]
        end, begin = PAGE - RESERVED, HEADER if number == 1 else 0
        tag, nonce = page[end:end + 32], page[end + 32:]
        once = Aegis256(key, nonce).stream(60) + number.to_bytes(4, "big")
        text = Aegis256(once[:32], once[32:]).decrypt(page[begin:end], tag)
        first = b"SQLite format 3\0" + page[16:24] if number == 1 else b""
        result += first + text + bytes(RESERVED)
    return result


@unittest.skipIf(sealed_stream.SODIUM is None, "libsodium is missing: Tools/setup")
class LockedJournalTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.line = key_line((FOLDER / "key.json").read_bytes())

    def key(self):
        return data_key(self.line["passphrase"], b"an oak", b"stol journal key 1 passphrase")

    def test_the_draft(self):
        # The first test vector of AEGIS-256 in the draft, without additional data.
        key, nonce = bytes.fromhex("1001" + "00" * 30), bytes.fromhex("100002" + "00" * 29)
        text = Aegis256(key, nonce).decrypt(
            bytes.fromhex("754fc3d8c973246dcc6d741412a4b236"),
            bytes.fromhex("1181a1d18091082bf0266f66297d167d2e68b845f61a3b0527d31fc7b7b89f13"))
        self.assertEqual(text, bytes(16))

    def test_keys(self):
        self.assertEqual(
            list(self.line), ["format", "version", "state", "key", "passphrase", "recovery", "digest"])
        self.assertEqual((self.line["format"], self.line["version"]), ("stol-journal-key", 1))
        self.assertEqual(self.line["state"], "locked")
        lines = (FOLDER / "key.json").read_bytes().split(b"\n")
        self.assertEqual((len(lines), lines[0], lines[2]), (3, lines[1], b""))
        key = self.key()
        self.assertEqual(subkey(key, "stol journal key")[:8].hex(), self.line["key"])
        code = (VECTORS / "locked-1.recovery").read_bytes().strip()
        self.assertEqual(data_key(self.line["recovery"], code, b"stol journal key 1 recovery"), key)
        self.check(code.decode())
        with self.assertRaises(ValueError):
            data_key(self.line["passphrase"], b"an elm", b"stol journal key 1 passphrase")

    def check(self, code):
        digits, letters = "".join(code.split("-")), "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
        self.assertEqual([len(group) for group in code.split("-")], [4] * 9)
        digest = hashlib.sha256(digits[:32].encode()).digest()
        self.assertEqual(digits[32:], "".join(letters[byte & 31] for byte in digest[:4]))

    def test_records_and_files(self):
        key = self.key()
        plain = database((FOLDER / "journal.sqlite").read_bytes(), subkey(key, "stol journal database"))
        names, files = subkey(key, "stol journal file names"), subkey(key, "stol journal files")
        records = [json.loads(line) for line in (VECTORS / "locked-1.jsonl").read_text().splitlines()]
        with tempfile.NamedTemporaryFile(suffix=".sqlite") as file:
            file.write(plain)
            file.flush()
            with sqlite3.connect(file.name) as connection:
                self.assertEqual(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
                kept = connection.execute(
                    "SELECT lower(hex(uuid)) FROM record WHERE deleted_ms IS NULL").fetchall()
                digests = [row[0] for row in connection.execute("SELECT sha256 FROM media")]
            connection.close()
        self.assertEqual(sorted(row[0] for row in kept), sorted(record["id"].replace("-", "") for record in records))
        named = {record["file"]["sha256"] for record in records if record["recordKind"] == "photo"}
        self.assertEqual({digest.hex() for digest in digests}, named)
        self.assertGreater(len(named), 0)
        found = set()
        for kind, folder in (("media", "media"), ("64", "thumbnails/64"), ("512", "thumbnails/512")):
            for digest in digests:
                name = hashlib.blake2b(kind.encode() + digest, key=names, digest_size=32).hexdigest()
                path = FOLDER / "sealed" / folder / name[:2] / name[2:]
                found.add(path)
                content = opened(path.read_bytes(), subkey(files, name))
                self.assertEqual(content[:32], digest)
                if kind == "media":
                    self.assertEqual(hashlib.sha256(content[32:]).digest(), digest)
                else:
                    self.assertEqual(content[32:34], b"\xff\xd8")
        self.assertEqual({path for path in (FOLDER / "sealed").rglob("*") if path.is_file()}, found)


if __name__ == "__main__":
    unittest.main()
