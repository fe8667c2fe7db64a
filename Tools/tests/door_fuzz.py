"""Calls of libstol.so with arguments of all kinds: `door_fuzz.py SEED`. It is a test of doors_calls_test.py."""
import ctypes
import json
import random
import sys
from ctypes import byref, c_char_p, c_int64, c_size_t

from door import (LAYOUTS, LIBRARY, NONE, PACK, Door, DoorError, Facts, Hits, MatchColumns, Matches, MatchOptions, Pack, ResolveOptions,
                  SearchOptions, Texts, array, column)

CALLS = 20_000


def main(seed):
    """Calls with arguments of all kinds, in which no length says more than there is; prints how often each code came."""
    generator = random.Random(seed)
    door = Door(LIBRARY)
    pack = Pack(door, PACK)
    count, codes = pack.facts().taxon_count, {}
    space = 1 << 10
    blocks = [ctypes.create_string_buffer(space * 16) for _ in range(6)]
    words = [array(c_char_p, [generator.choice((b"genus", b"family", b"FAMILY", b"x", b"\xc3", None)) for _ in range(70)]) for _ in range(9)]
    texts = [name.encode() for name in pack.texts("scientificName", [generator.randrange(count) for _ in range(200)])]

    def fill(block):
        kind = generator.randrange(5)
        if kind == 0:
            data = generator.randbytes(len(block))
        elif kind == 1:
            data = b"".join(generator.randrange(count).to_bytes(4, "little") for _ in range(space * 4))
        elif kind == 2:
            data = b"".join(value.to_bytes(4, "little") for value in sorted(generator.randrange(space) for _ in range(space * 4)))
        elif kind == 3:
            data = b"".join(value.to_bytes(8, "little") for value in sorted(generator.randrange(space) for _ in range(space * 2)))
        else:
            data = (b" ".join(generator.sample(texts, 50)) * 20)
        ctypes.memmove(block, data[:len(block)], min(len(data), len(block)))

    def block():
        return generator.choice((*[ctypes.addressof(one) for one in blocks], ctypes.addressof(blocks[0]) + generator.randrange(9), None)) \
            if generator.randrange(3) else ctypes.addressof(generator.choice(blocks))

    def number(limit):
        return generator.choice((generator.randrange(limit), 1, 2, 0, generator.choice((2 ** 63, 2 ** 64 - 1, 2 ** 61, 2 ** 62))))

    def some_texts():
        if not generator.randrange(9):
            return None
        kept = Texts(layout=generator.choice((*LAYOUTS, generator.randrange(-5, 200))), count=number(40), offsets=block(), bytes=block(),
                     byte_count=number(space * 15), validity=generator.choice((None, block())), validity_offset=number(space))
        if generator.randrange(2):
            kept = column([generator.choice(texts) for _ in range(generator.randrange(20))], layout=generator.choice(LAYOUTS))
        else:
            addresses = array(ctypes.c_void_p, [ctypes.addressof(one) for one in blocks])
            lengths = array(c_int64, [generator.choice((space * 16, 0, 5, -1)) for _ in blocks])
            kept.kept, kept.buffer_count = (addresses, lengths), generator.randrange(-1, 7)
            kept.buffers, kept.buffer_byte_counts = ctypes.addressof(addresses), ctypes.addressof(lengths)
        if not generator.randrange(20):
            kept.size = generator.choice((0, 8, 2 ** 63, 2 ** 64 - 1))
        return kept

    def some_table():
        if not generator.randrange(9):
            return None
        columns = [some_texts() for _ in range(4)]
        hints = [some_texts() or column([b"Animalia"]) for _ in range(generator.randrange(4))]
        known = (b"genus", b"family", b"KINGDOM", b"order", generator.choice((b"x", b"\xff", None)))
        if generator.randrange(4):
            # Columns that fit, so that more than their lengths is looked at.
            rows = generator.randrange(20)

            def fitting(count):
                return column([generator.choice(texts) for _ in range(count)], layout=generator.choice(LAYOUTS))
            columns = [fitting(rows if number == 0 or generator.randrange(2) else 1) for number in range(4)]
            hints = [fitting(generator.choice((rows, 1))) for _ in hints]
            known = known[:4]
        ranks = array(c_char_p, [generator.choice(known) for _ in hints] + [None])
        places = array(ctypes.c_void_p, [ctypes.addressof(one) for one in hints] + [None])
        made = MatchColumns(hint_count=len(hints), hint_ranks=ctypes.addressof(ranks), hints=ctypes.addressof(places))
        made.names, made.authorships, made.ranks, made.codes = (one and ctypes.addressof(one) for one in columns)
        made.kept = columns, hints, ranks, places
        return made

    def few():
        return number(40)
    size, facts = c_size_t(), Facts()
    for _ in range(CALLS):
        if not generator.randrange(4):
            fill(generator.choice(blocks))
        handle = pack.handle if generator.randrange(20) else None
        column_, word = some_texts(), generator.choice((b"genus", b"de", b"zz", b"\xff", None, b"id_space"))
        within = generator.choice((NONE, NONE, 0, generator.randrange(count), count + 5))
        resolving = generator.choice((None, ResolveOptions(rank=word, within=within, reserved=generator.randrange(9) == 0)))
        searching = generator.choice((None, SearchOptions(
            mode=generator.randrange(-1, 5), order=generator.randrange(-1, 3), edits=generator.randrange(-2, 3), limit=number(9), rank=word,
            within=within)))
        hits = generator.choice((None, *[Hits(room=number(space), taxa=block(), names=block(), kinds=block(), classes=block(),
                                              distances=block()) for _ in range(3)]))
        asked, matching = some_table(), generator.choice((None, MatchOptions(
            least_score=generator.randrange(-2, 102), flags=generator.randrange(17))))
        matches = generator.choice((None, *[Matches(
            taxa=block(), names=block(), statuses=block(), differences=block(), edits=block(), scores=block(), reason_offsets=block(),
            reason_bytes=block(), reason_room=number(space), candidate_offsets=block(), candidate_taxa=block(), candidate_names=block(),
            candidate_room=number(space)) for _ in range(3)]))
        needed = byref(size) if generator.randrange(9) else None
        name, *arguments = generator.choice((
            lambda: ("get_facts", generator.choice((None, byref(facts)))), lambda: ("dataset_text", word, block(), number(space), needed),
            lambda: ("taxa_of_ids", block(), few(), block(), block()), lambda: ("taxa_of_id_texts", column_ and byref(column_), block(), block()),
            lambda: ("ids_of_taxa", block(), few(), block()),
            lambda: ("resolve", column_ and byref(column_), resolving and byref(resolving), block(), block(), block()),
            lambda: ("match", asked and byref(asked), matching and byref(matching), matches and byref(matches)),
            lambda: ("lca_pairs", block(), block(), few(), block()),
            lambda: ("lca_lists", generator.choice((32, 64, 0)), block(), few(), block(), number(space), block()),
            lambda: ("lineages", block(), few(), block(), block(), number(space), needed),
            lambda: ("rank_columns", block(), few(), generator.choice(words), number(70), block()),
            lambda: ("parents", block(), few(), block()), lambda: ("subtree_ends", block(), few(), block()),
            lambda: ("texts_of_taxa", generator.randrange(-1, 6), word, block(), few(), block(), block(), number(space), needed),
            lambda: ("texts_of_names", block(), few(), block(), block(), number(space), needed),
            lambda: ("search", column_ and byref(column_), searching and byref(searching), block(), hits and byref(hits), needed)))()
        try:
            code = door.call(name, handle, *arguments)
        except DoorError as error:
            code = error.code
        codes[code] = codes.get(code, 0) + 1
    print(json.dumps(codes))


if __name__ == "__main__":
    main(int(sys.argv[1]))
