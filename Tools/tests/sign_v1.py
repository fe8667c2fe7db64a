"""Sign a database as a version 1 container; from Format/CONTAINER.md, sections 3 and 6.

    python3 sign_v1.py NAME.key PASSPHRASE TAXA.sqlite OUT.stol      (needs PyNaCl)
"""
import gzip
import hashlib
import struct
import sys

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


if __name__ == "__main__":
    secret = secret_key(sys.argv[1], sys.argv[2].encode())
    database = gzip.compress(open(sys.argv[3], "rb").read(), mtime=0)
    open(sys.argv[4], "wb").write(container(secret, database))
