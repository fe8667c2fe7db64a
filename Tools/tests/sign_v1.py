"""Sign a file as a version 1 container, whatever is in it; from Format/CONTAINER.md, sections 3 and 6.

    python3 sign_v1.py NAME.key PASSPHRASE TAXA.sqlite OUT.stol [DATASET RELEASE]      (needs PyNaCl)
"""
import hashlib
import struct
import sys
import zlib

import nacl.bindings
import nacl.pwhash
import nacl.signing


def secret_key(path, passphrase):
    data = open(path, "rb").read()
    passes, memory = struct.unpack_from("<II", data, 8)
    key = nacl.pwhash.argon2id.kdf(32, passphrase, data[16:32], passes, memory << 10)
    seed = nacl.bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(
        data[88:], data[:88], data[32:56], key)
    return nacl.signing.SigningKey(seed)


def container(key, body, schema_version=1):
    digest, schema = hashlib.sha256(body).digest(), struct.pack("<I", schema_version)
    return b"STOL\0DB\x01" + schema + digest + key.sign(digest + schema).signature + body


def member(path, block):
    """A gzip member with the content of a file; the block, if there is one, in its subfield ST."""
    flags, field = 0, b""
    if block:
        flags, field = 4, b"ST" + struct.pack("<H", len(block)) + block
        field = struct.pack("<H", len(field)) + field
    packer, check, count = zlib.compressobj(9, wbits=-15), 0, 0
    pieces = [struct.pack("<HBBIBB", 0x8B1F, 8, flags, 0, 2, 255) + field]
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            check, count = zlib.crc32(piece, check), count + len(piece)
            pieces.append(packer.compress(piece))
    return b"".join(pieces) + packer.flush() + struct.pack("<II", check, count & 0xFFFFFFFF)


def block(path, secret, dataset, release):
    """What version 1.1 says of its content."""
    digest, length = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
            length += len(piece)
    signer = hashlib.sha256(bytes(secret.verify_key)).digest()[:8]
    return struct.pack("<IIQ8s64sQ32s", 1, release, 1767225600, signer, dataset.encode(), length,
                       digest.digest())


def main(key, passphrase, path, out, *release):
    secret = secret_key(key, passphrase.encode())
    stated = block(path, secret, release[0], int(release[1])) if release else b""
    with open(out, "wb") as file:
        file.write(container(secret, member(path, stated)))


if __name__ == "__main__":
    main(*sys.argv[1:])
