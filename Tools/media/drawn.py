"""A few small images of taxa, drawn by formulas, for tests: the same bytes every time with one version of zlib.

They are free of rights (CC0-1.0). Their ids are those of the built-in taxonomy.
"""
import json
import math
import struct
import zlib

SIZE = 64
SAND, SKY, SEA, PAPER = (246, 232, 202), (214, 234, 248), (198, 222, 240), (240, 246, 234)


def chunk(kind, data):
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(colour):
    """A PNG whose colour at each point is `colour(x, y)`, x and y in -1 to 1."""
    rows = []
    for row in range(SIZE):
        line = bytearray([0])
        for column in range(SIZE):
            point = ((2 * column + 1) / SIZE - 1, (2 * row + 1) / SIZE - 1)
            line += bytes(colour(*point))
        rows.append(bytes(line))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b""))


def lion(x, y):
    """A mane, a face, two eyes and a nose."""
    distance = math.hypot(x, y)
    if distance < 0.5:
        if math.hypot(abs(x) - 0.2, y + 0.12) < 0.07 or math.hypot(x, y - 0.18) < 0.09:
            return 70, 45, 30
        return 235, 185, 105
    waves = 0.76 + 0.06 * math.cos(14 * math.atan2(y, x))
    return (168, 98, 44) if distance < waves else SAND


def leaf(x, y):
    """A leaf with its veins, along the diagonal."""
    along, across = (x - y) / math.sqrt(2), (x + y) / math.sqrt(2)
    width = 0.42 * math.cos(along * math.pi / 1.8)
    if abs(along) < 0.9 and abs(across) < width:
        is_vein = abs(across) < 0.025 or abs((along + abs(across)) % 0.3 - 0.15) < 0.02
        return (150, 190, 110) if is_vein else (74, 134, 66)
    return (110, 84, 50) if abs(across) < 0.03 and -1.15 < along < 0 else PAPER


def whale(x, y):
    """A whale with an eye, a fluke and a spout, over the sea."""
    body = (x + 0.1) ** 2 / 0.36 + (y - 0.15) ** 2 / 0.1 < 1
    fluke = 0.4 < x < 0.9 and abs(y + 0.05 + (x - 0.4) * 0.4) < 0.06 + (x - 0.4) * 0.3
    if math.hypot(x + 0.45, y - 0.08) < 0.045:
        return 250, 250, 250
    if body or fluke:
        return (226, 236, 242) if body and y > 0.3 else (58, 98, 138)
    if y < -0.1 and abs(abs(x + 0.25) - (0.3 + y) ** 2) < 0.04 and y > -0.75:
        return 255, 255, 255
    return SEA if y > 0.3 else SKY


def life(x, y):
    """A tree: a trunk that forks three times."""
    trunk = abs(x) < 0.07 and y > 0
    forks = any(abs(abs(x) - start - slope * (bottom - y)) < 0.045 and bottom - 0.55 < y < bottom
                for start, slope, bottom in ((0, 0.8, 0.05), (0.3, 0.5, -0.3), (0.2, -0.2, -0.3)))
    return (96, 74, 52) if trunk or forks else PAPER


IMAGES = (
    # name, rank, id at NCBI, file, title, image
    ("Panthera leo", "species", "9689", "lion.png", "A lion, drawn from two circles", lion),
    ("Balaenopteridae", "family", "9765", "whale.png", "A whale with its spout", whale),
    ("Viridiplantae", "kingdom", "33090", "leaf.png", "A leaf with its veins", leaf),
    ("Eukaryota", "domain", "2759", "tree.png", "A tree that forks three times", life),
)


def write(folder):
    """Writes PNG files and manifest.json into the folder, which it makes."""
    folder.mkdir(parents=True, exist_ok=True)
    images = []
    for scientific, rank, number, name, title, colour in IMAGES:
        (folder / name).write_bytes(png(colour))
        images.append({"taxon": {"idSpace": "ncbi", "id": number, "name": scientific, "rank": rank},
                       "file": name, "title": title, "author": "stol", "licence": "CC0-1.0", "source": "Tools/make-sample-media", "type": "png"})
    manifest = {"title": "Sample images", "licence": "CC0-1.0",
                "buildTime": "2026-01-01T00:00:00Z", "images": images}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
