"""Write media packs with damaged manifests under good signatures; from Format/MEDIA.md.

    python3 damage_media.py SEED FOLDER      (needs PyNaCl)
"""
import importlib.machinery
import importlib.util
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tools/tests"))
import sign_v1  # noqa: E402

# The tool has no suffix that Python knows.
loader = importlib.machinery.SourceFileLoader("vectors", str(ROOT / "Tools/make-media-vectors"))
sys.dont_write_bytecode = True
vectors = importlib.util.module_from_spec(importlib.util.spec_from_loader("vectors", loader))
loader.exec_module(vectors)

# None of them makes what MEDIA.md section 3 leaves to the reader: a name twice, a comma before an end, or 1.0.
PIECES = [b'"', b"\\", b"\\u", b"\\ud83e\\udd81", b"\\u0000", b"{", b"}", b"[", b"]", b",,", b":", b"0", b"-", b".",
          b"null", b"true", b" ", b"\n", b"\0", b"\x7f", b"\xc3\xa4", b"\xff", b"\xed\xa0\x80", b"1e999", b"-0", b"1.5",
          b"\xc2\x85", b"\xe2\x80\xae"]


def main():
    generator = random.Random(int(sys.argv[1]))
    folder = pathlib.Path(sys.argv[2])
    secret = sign_v1.secret_key(vectors.KEY, b"test")
    for number in range(250):
        images = [vectors.image(kind) for kind in generator.sample(sorted(vectors.IMAGES), 2)]
        text = bytearray(vectors.manifest(images))
        for _ in range(generator.choice((0, 1, 1, 1, 2, 3))):
            at = generator.randrange(len(text))
            end = at + generator.choice((0, 0, 1, 1, 2, 8))
            text[at:end] = generator.choice(PIECES) if generator.random() < 0.8 else b""
        for _ in range(generator.choice((0, 0, 1))):  # Last, as what is ignored may be no JSON.
            at = text.find(b'"', generator.randrange(len(text))) % (len(text) + 1)
            text[at:at] = b'"more": {"a": [1.5, null, "\\ud83e\\udd81"]}, '
        archive = vectors.archive(bytes(text), images)
        (folder / f"{number:03}.stol-media").write_bytes(vectors.container(secret, archive))


if __name__ == "__main__":
    main()
