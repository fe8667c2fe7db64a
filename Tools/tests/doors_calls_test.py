"""The C library of Doors/c from outside: wrong arguments, layouts, rooms, threads."""
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from ctypes import byref, c_char_p, c_int64, c_size_t, c_uint8, c_uint32

from door import (ARGUMENT, CHANGED, LAYOUTS, MORE_ROOM, NO_PACK, NONE, PACK, ROOT, SEED, STATUSES, TEXT_IDS, UNREADABLE, DoorError, Facts, Failure, Hits,
                  Matches, MatchOptions, Pack, PackTests, ResolveOptions, SearchOptions, array, column, needs_library, table)
from door_fuzz import CALLS

VECTORS = ROOT / "Format/vectors/v2/valid"
RANKS = ("kingdom", "family", "genus")


@needs_library
class CallTests(PackTests):
    """Arguments, layouts, rooms, threads."""
    def assert_wrong(self, argument, name, *arguments):
        with self.assertRaises(DoorError) as raised:
            self.door.call(name, *arguments)
        self.assertEqual(raised.exception.code, ARGUMENT + argument, raised.exception)
        self.assertTrue(raised.exception.message)

    def test_files_that_are_no_packs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "some.stolpack"
            whole = PACK.read_bytes()
            for data in (b"", b"x", whole[:100], whole[:-1], bytes(4096)):
                path.write_bytes(data)
                with self.assertRaises(DoorError) as raised:
                    self.door.open(path)
                self.assertEqual(raised.exception.code, NO_PACK)
            for missing in (pathlib.Path(folder), path / "x", path.with_name("none")):
                with self.assertRaises(DoorError) as raised:
                    self.door.open(missing)
                self.assertEqual(raised.exception.code, UNREADABLE)
        self.assert_wrong(1, "open", None, byref(ctypes.c_void_p()))
        self.assert_wrong(1, "open", b"\xff", byref(ctypes.c_void_p()))
        self.assert_wrong(2, "open", b"x", None)
        self.door.close(None)

    def test_null_is_refused_where_something_is_needed(self):
        one, long, byte, size = (c_uint32 * 8)(), (c_int64 * 8)(), (c_uint8 * 8)(), c_size_t()
        texts, options, hits, h = byref(column(["lion"])), None, byref(Hits()), self.pack.handle
        calls = {  # Each with the numbers of arguments that may be NULL, or that are no pointers.
            "get_facts": ((h, byref(Facts())), ()), "dataset_text": ((h, b"id", byte, 8, byref(size)), (4,)),
            "taxa_of_ids": ((h, long, 1, one, byte), (3, 5)), "taxa_of_id_texts": ((h, texts, one, byte), (4,)),
            "ids_of_taxa": ((h, one, 1, long), (3,)), "resolve": ((h, texts, options, one, one, byte), (3, 5, 6)),
            "lca_pairs": ((h, one, one, 1, one), (4,)), "lca_lists": ((h, 32, one, 1, one, 1, one), (2, 4, 6)),
            "lineages": ((h, one, 1, long, one, 8, byref(size)), (3, 6)), "rank_columns": ((h, one, 1, array(c_char_p, [b"genus"]), 1, one), (3, 5)),
            "parents": ((h, one, 1, one), (3,)), "subtree_ends": ((h, one, 1, one), (3,)),
            "texts_of_taxa": ((h, 0, None, one, 1, long, byte, 8, byref(size)), (2, 3, 5, 8)),
            "texts_of_names": ((h, one, 1, long, byte, 8, byref(size)), (3, 6)), "search": ((h, texts, options, long, hits, byref(size)), (3,)),
            "match": ((h, byref(table(["lion"])), None, byref(Matches())), (3,))}
        for name, (arguments, optional) in calls.items():
            ctypes.memset(one, 0, ctypes.sizeof(one))  # Calls before have written names.
            self.door.call(name, *arguments)
            for number in range(1, len(arguments) + 1):
                if number not in optional:
                    self.assert_wrong(number, name, *arguments[:number - 1], None, *arguments[number:])
            # Without a place for the details the code is the same.
            self.assertEqual(getattr(self.door.library, "stol_" + name)(None, *arguments[1:], None), ARGUMENT + 1)

    def test_ordinals_sizes_and_offsets_are_looked_at(self):
        h, out, long, size = self.pack.handle, (c_uint32 * 8)(), (c_int64 * 8)(), c_size_t()
        beyond, huge = array(c_uint32, [self.count]), 2 ** 62
        self.assert_wrong(2, "ids_of_taxa", h, beyond, 1, long)
        self.assert_wrong(2, "parents", h, beyond, 1, out)
        self.assert_wrong(3, "lca_pairs", h, out, beyond, 1, out)
        self.assert_wrong(4, "texts_of_taxa", h, 0, None, beyond, 1, long, None, 0, byref(size))
        self.assert_wrong(2, "texts_of_taxa", h, 5, None, out, 1, long, None, 0, byref(size))
        self.assert_wrong(2, "texts_of_names", h, array(c_uint32, [2 ** 32 - 2]), 1, long, None, 0, byref(size))
        for count in (huge, 2 ** 64 - 1, 2 ** 63):
            self.assert_wrong(3, "parents", h, out, count, out)
            self.assert_wrong(6, "lineages", h, out, 1, long, out, count, byref(size))
            self.assert_wrong(4, "lca_lists", h, 32, long, count, out, 1, out)
        odd = ctypes.c_void_p(ctypes.addressof(out) + 1)
        self.assert_wrong(2, "parents", h, odd, 1, out)
        self.assert_wrong(2, "lca_lists", h, 33, long, 1, out, 1, out)
        for offsets in ([-1, 1], [1, 0], [0, 9], [0, 2 ** 31 - 1]):
            self.assert_wrong(3, "lca_lists", h, 32, array(ctypes.c_int32, offsets), 1, out, 8, out)
            self.assert_wrong(3, "lca_lists", h, 64, array(c_int64, offsets), 1, out, 8, out)
        for ranks in ([b"tribble"], [b"\xff"], [None]):
            self.assert_wrong(4, "rank_columns", h, out, 1, array(c_char_p, ranks), 1, out)
        self.assert_wrong(5, "rank_columns", h, out, 1, array(c_char_p, [b"genus"]), 65, out)
        self.assert_wrong(3, "texts_of_taxa", h, 4, b"\xff", out, 1, long, None, 0, byref(size))

    def test_columns_of_texts_are_looked_at(self):
        h, out, long, size = self.pack.handle, (c_uint32 * 8)(), (c_int64 * 8)(), c_size_t()

        def wrong(**fields):
            texts = column(["Panthera leo leo leo", "lion"], layout=fields.pop("base", 32))
            for name, value in fields.items():
                setattr(texts, name, value)
            self.assert_wrong(2, "resolve", h, byref(texts), None, out, None, None)
            self.assert_wrong(2, "taxa_of_id_texts", h, byref(texts), out, None)
            self.assert_wrong(2, "search", h, byref(texts), None, long, byref(Hits()), byref(size))
        for fields in ({"size": 0}, {"size": 16}, {"size": 2 ** 40}, {"layout": 0}, {"layout": 33}, {"count": 2 ** 62}, {"offsets": None},
                       {"bytes": None}, {"byte_count": 3}, {"byte_count": 2 ** 63}, {"base": 128, "buffers": None},
                       {"base": 128, "buffer_byte_counts": None}, {"base": 128, "buffer_count": 0}, {"base": 128, "buffer_count": -1}):
            wrong(**fields)
        for view in ((-1, 0, 0), (20, 2, 0), (20, -1, 0), (20, 0, -1), (20, 0, 4), (2 ** 31 - 1, 0, 2 ** 31 - 1)):
            length, number, offset = view
            texts = column(["Panthera leo leo leo"], layout=128)
            raw = b"".join(value.to_bytes(4, "little", signed=True) for value in (length, 0, number, offset))
            ctypes.memmove(texts.offsets, raw, 16)
            self.assert_wrong(2, "resolve", h, byref(texts), None, out, None, None)

    def test_options_are_looked_at(self):
        h, texts, out, long, size = self.pack.handle, byref(column(["lion"])), (c_uint32 * 8)(), (c_int64 * 8)(), c_size_t()
        for fields in ({"size": 3}, {"rank": b"tribble"}, {"rank": b"\xff"}, {"within": self.count}, {"reserved": 1}):
            options = ResolveOptions(within=NONE)
            search = SearchOptions(within=NONE, limit=1, edits=-1)
            for name, value in fields.items():
                setattr(options, name, value)
                setattr(search, name, value)
            self.assert_wrong(3, "resolve", h, texts, byref(options), out, None, None)
            self.assert_wrong(3, "search", h, texts, byref(search), long, byref(Hits()), byref(size))
        for fields in ({"mode": 5}, {"mode": -1}, {"words": 2}, {"edits": 4}, {"edits": -2}, {"limit": 0}, {"limit": 2 ** 63}):
            search = SearchOptions(**{"within": NONE, "limit": 1, **fields})
            self.assert_wrong(3, "search", h, texts, byref(search), long, byref(Hits()), byref(size))

    def test_tables_of_names_are_looked_at(self):
        h, matches, out = self.pack.handle, Matches(), (c_uint32 * 8)()

        def wrong(argument, columns, options=None, matches=matches):
            self.assert_wrong(argument, "match", h, byref(columns), options and byref(options), byref(matches))
        for fields in ({"size": 8}, {"names": None}, {"hint_count": 65}, {"hint_count": 2 ** 63}, {"hint_ranks": None}, {"hints": None},
                       {"names": ctypes.addressof(out)}, {"codes": ctypes.addressof(out) + 1}):
            columns = table(["lion", "tiger"], hints=[("kingdom", ["Animalia", "Animalia"])])
            for name, value in fields.items():
                setattr(columns, name, value)
            wrong(2, columns)
        for count in (0, 2, 4):
            wrong(2, table(["lion", "tiger", "cat"], hints=[("family", ["Felidae"] * count)]))
        for name in ("authorships", "ranks", "codes"):
            wrong(2, table(["lion", "tiger", "cat"], **{name: ["L."] * 2}))
        for rank in ("clade", "tribble", ""):
            wrong(2, table(["lion"], hints=[(rank, ["Felidae"])]))
        for fields in ({"size": 4}, {"least_score": -2}, {"least_score": 101}, {"flags": 16}, {"flags": 2 ** 31}):
            options = MatchOptions(least_score=-1)
            for name, value in fields.items():
                setattr(options, name, value)
            wrong(3, table(["lion"]), options)
        places = ctypes.addressof(out)
        for fields in ({"size": 8}, {"taxa": places + 1}, {"reason_offsets": places + 4}, {"reason_offsets": places, "reason_room": 1},
                       {"candidate_offsets": places, "candidate_room": 2 ** 63}, {"reason_offsets": places, "reason_room": 2 ** 64 - 1}):
            given = Matches()
            for name, value in fields.items():
                setattr(given, name, value)
            wrong(4, table(["lion"]), None, given)

    def test_members_that_are_wrong_are_named(self):
        out = (c_int64 * 8)()
        for missing, said, columns, matches in (
                ("names", "columns.names is NULL", table(["lion"]), Matches()),
                (None, "columns.authorships has 2 rows, and there are 1 names", table(["lion"], authorships=["L.", "L."]), Matches()),
                ("hint_ranks", "columns.hint_ranks is NULL", table(["lion"], hints=[("family", ["Felidae"])]), Matches()),
                ("hints", "columns.hints is NULL", table(["lion"], hints=[("family", ["Felidae"])]), Matches()),
                (None, "matches.reason_bytes is NULL", table(["lion"]), Matches(reason_offsets=ctypes.addressof(out), reason_room=9))):
            if missing:
                setattr(columns, missing, None)
            with self.assertRaises(DoorError) as raised:
                self.door.call("match", self.pack.handle, byref(columns), None, byref(matches))
            self.assertEqual(raised.exception.message, said)

    def test_every_room_for_reasons_and_candidates(self):
        names = ["Panthera leo", "Panthera lea", "Oenanthe", None, "Quercus sp.", "nothing at all", "Prunella", "Panthera leo L."]
        columns, count = table(names), len(names)
        expected = self.pack.match(names, candidates=True)
        reasons = "".join(match[6] for match in expected).encode()
        taxa = [taxon for match in expected for taxon in match[7][0]]
        self.assertGreater(len(taxa), 3)
        for room in range(max(len(reasons), len(taxa)) + 2):
            places, starts, statuses = (c_int64 * (count + 1))(), (c_int64 * (count + 1))(), (c_uint8 * count)()
            text, found = (c_uint8 * (room + 1))(), (c_uint32 * (room + 1))()
            matches = Matches(statuses=ctypes.addressof(statuses), reason_offsets=ctypes.addressof(places), reason_room=room,
                              reason_bytes=ctypes.addressof(text), candidate_offsets=ctypes.addressof(starts), candidate_room=room,
                              candidate_taxa=ctypes.addressof(found))
            code = self.door.call("match", self.pack.handle, byref(columns), None, byref(matches))
            self.assertEqual(code, 0 if room >= max(len(reasons), len(taxa)) else MORE_ROOM)
            self.assertEqual((places[count], starts[count], text[room], found[room]), (len(reasons), len(taxa), 0, 0))
            self.assertEqual([STATUSES[status] for status in statuses], [match[2] for match in expected])
            if room >= len(reasons):
                self.assertEqual(bytes(text[:len(reasons)]), reasons)
            if room >= len(taxa):
                self.assertEqual(found[:len(taxa)], taxa)

    def test_structs_of_later_versions_are_taken_where_their_fields_are_zero(self):
        class Later(ResolveOptions):
            _fields_ = [("later", c_int64)]
        out, texts = (c_uint32 * 1)(), byref(column(["lion"]))
        options = Later(within=NONE)
        self.door.call("resolve", self.pack.handle, texts, byref(options), out, None, None)
        options.later = 1
        self.assert_wrong(3, "resolve", self.pack.handle, texts, byref(options), out, None, None)
        # A shorter struct of facts is filled as far as it goes, and an error too.
        facts = Facts()
        facts.size = 16
        self.door.call("get_facts", self.pack.handle, byref(facts))
        self.assertEqual((facts.taxon_count, facts.name_count), (self.count, 0))
        # Of a longer one, what the library does not know is set to zero.
        class LaterFacts(Facts):
            _fields_ = [("later", c_int64 * 3)]
        later = LaterFacts(later=(7, 7, 7))
        self.door.call("get_facts", self.pack.handle, byref(later))
        self.assertEqual((later.size, later.name_count, list(later.later)), (ctypes.sizeof(later), self.pack.facts().name_count, [0, 0, 0]))
        later.size = 2 ** 64 - 1
        self.assert_wrong(2, "get_facts", self.pack.handle, byref(later))
        for room in range(0, 40):
            error = Failure()
            error.size = room
            self.door.library.stol_get_facts(None, byref(facts), byref(error))
            self.assertLessEqual(len(error.message), max(0, room - 13))
            self.assertTrue(b"pack is NULL".startswith(error.message))

    def test_errors_say_what_was_given(self):
        h, out, texts, error = self.pack.handle, (c_uint32 * 8)(), column(["lion"]), Failure()

        def said(name, *arguments):
            with self.assertRaises(DoorError) as raised:
                self.door.call(name, *arguments)
            return raised.exception.message
        self.assertIn("ranks[1] is NULL", said("rank_columns", h, out, 1, array(c_char_p, [b"genus", None]), 2, out))
        self.assertIn(str(2 ** 64 - 1), said("rank_columns", h, out, 1, array(c_char_p, [b"genus"]), 2 ** 64 - 1, out))
        options = SearchOptions(within=NONE, edits=-1, limit=2 ** 64 - 1)
        self.assertIn(str(2 ** 64 - 1), said("search", h, byref(texts), byref(options), (c_int64 * 2)(), byref(Hits()), byref(c_size_t())))
        # Other languages, which show these sentences, call what is wrong otherwise than C does.
        options = SearchOptions(within=NONE, edits=-1, limit=1, rank=b"tribble")
        search = said("search", h, byref(texts), byref(options), (c_int64 * 2)(), byref(Hits()), byref(c_size_t()))
        for message in (search, said("rank_columns", h, out, 1, array(c_char_p, [b"tribble"]), 1, out),
                        said("resolve", h, byref(texts), byref(ResolveOptions(within=NONE, rank=b"tribble")), out, None, None)):
            self.assertEqual(message, 'the pack has no rank "tribble", only ' + message.partition(", only ")[2])
            self.assertIn("family", message)
        hint = said("match", h, byref(table(["lion"], hints=[("tribble", ["Felidae"])])), None, byref(Matches()))
        self.assertEqual(hint, '"tribble" is no rank that a hint can be of')
        texts.size = 2 ** 64 - 1
        self.assertIn(str(2 ** 64 - 1), said("resolve", h, byref(texts), None, out, None, None))
        # What went wrong before is not said again of what goes well.
        self.door.library.stol_parents(h, None, 1, out, byref(error))
        self.assertEqual(error.code, ARGUMENT + 2)
        self.assertEqual(self.door.library.stol_parents(h, out, 1, out, byref(error)), 0)
        self.assertEqual((error.code, error.message), (0, b""))

    def test_a_file_that_is_written_over(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "some.stolpack"
            shutil.copy(PACK, path)
            pack, one = Pack(self.door, path), (c_uint32 * 1)()
            # Another file in its place, another name, and rights are no change.
            os.link(path, path.with_suffix(".link"))
            path.chmod(0o600)
            os.replace(shutil.copy(PACK, path.with_suffix(".new")), path)
            self.assertEqual(pack.resolve(["lion"])[2], ["common"])
            for change in (lambda old: os.utime(old, ns=(1, 1)), lambda old: os.truncate(old, 0)):
                change(path.with_suffix(".link"))
                # The file is looked at at each tick of the clock.
                codes = (self.door.library.stol_get_facts(pack.handle, byref(Facts()), None) for _ in range(1_000_000))
                self.assertEqual(next(code for code in codes if code), CHANGED)
                for name, arguments in (("parents", (one, 1, one)), ("resolve", (byref(column(["lion"])), None, one, None, None)),
                                        ("match", (byref(table(["lion"])), None, byref(Matches()))), ("get_facts", (byref(Facts()),))):
                    with self.assertRaises(DoorError) as raised:
                        self.door.call(name, pack.handle, *arguments)
                    self.assertEqual(raised.exception.code, CHANGED)
                    self.assertIn("renaming", raised.exception.message)
            pack.close()

    def test_layouts_and_validity_change_nothing(self):
        rows = self.texts(3_000)
        expected = self.pack.resolve(rows)
        hits = self.pack.search(rows[:300], mode="fuzzy", limit=2)
        numbers = [None if row is None else str(self.random.randrange(20_000)) for row in rows]
        ids = self.pack.taxa_of_id_texts(numbers)
        for layout in LAYOUTS:
            for shift in (0, 1, 7, 8, 13):
                self.assertEqual(self.pack.resolve(rows, layout=layout, nulls=True, shift=shift), expected)
            self.assertEqual(self.pack.search(rows[:300], mode="fuzzy", limit=2, layout=layout), hits)
            self.assertEqual(self.pack.taxa_of_id_texts(numbers, layout=layout), ids)
            self.assertEqual(self.pack.resolve([], layout=layout), ([], [], []))
        for row, taxon, status in zip(rows, expected[0], expected[2]):
            if row in (None, "", b"\xff\xfe") or len(row) > 512:
                self.assertEqual((taxon, status), (NONE, "invalid"))

    def test_every_room_up_to_what_is_needed(self):
        taxa = [*self.taxa(4), NONE]
        names = array(c_uint32, [1, NONE, self.count + 3])
        for name, kind, count, *arguments in (
                ("lineages", c_uint32, 5, self.pack.handle, array(c_uint32, taxa), 5),
                ("texts_of_taxa", c_uint8, 5, self.pack.handle, 0, None, array(c_uint32, taxa), 5),
                ("texts_of_names", c_uint8, 3, self.pack.handle, names, 3)):
            offsets, values = self.pack.two_calls(name, kind, count, *arguments)
            needed = offsets[count]
            self.assertGreater(needed, 0)
            for room in range(needed + 2):
                code, said, places, found = self.pack.two_calls(name, kind, count, *arguments, room=room)
                self.assertEqual((code, said, places), (MORE_ROOM if room < needed else 0, needed, offsets))
                # Nothing is written behind the room.
                self.assertEqual(found[room], 0)
                if room >= needed:
                    self.assertEqual(found[:needed], values[:needed])
        text, size = ctypes.create_string_buffer(99), c_size_t()
        for room in range(8):
            code = self.door.call("dataset_text", self.pack.handle, b"id_space", text, room, byref(size))
            self.assertEqual((code, size.value), (0 if room >= 5 else MORE_ROOM, 5))
        self.assertEqual(text.value, b"ncbi")
        self.assertIsNone(self.pack.dataset_text("no such key"))
        rows = ["lion", "pan", None, "quercus"]
        expected = [hit for hits in self.pack.search(rows, limit=4) for hit in hits]
        texts, options, offsets = column(rows), SearchOptions(within=NONE, limit=4, edits=-1), (c_int64 * 5)()
        for room in range(len(expected) + 1):
            found = (c_uint32 * (room + 1))()
            hits = Hits(room=room, taxa=ctypes.addressof(found))
            code = self.door.call("search", self.pack.handle, byref(texts), byref(options), offsets, byref(hits), byref(size))
            self.assertEqual((code, size.value), (MORE_ROOM if room < len(expected) else 0, len(expected)))
            self.assertEqual(found[room], 0)
        self.assertEqual(list(found[:room]), [hit[0] for hit in expected])

    def test_many_threads_ask_one_pack(self):
        rows, taxa = self.texts(4_000), self.taxa(4_000)
        pack = Pack(self.door, PACK)

        def answers():
            return (pack.resolve(rows), pack.match(rows[:1_000], hints=[("kingdom", ["Animalia"])]),
                    pack.search(rows[:400], mode="fuzzy", limit=3), pack.lca_pairs(taxa, taxa[::-1]),
                    pack.lineages(taxa), pack.rank_columns(taxa, RANKS), pack.texts("commonName", taxa), pack.dataset_text("name"))
        expected, found = answers(), [None] * 8
        threads = [threading.Thread(target=lambda number=number: found.__setitem__(number, answers())) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all(answer == expected for answer in found))
        pack.close()

    @unittest.skipUnless(os.path.exists("/proc/self/maps"), "no list of mappings")
    def test_closing_gives_the_mapping_back(self):
        def mappings():
            return sum("one.stolpack" in line for line in pathlib.Path("/proc/self/maps").read_text().splitlines())
        before = mappings()
        for _ in range(1_000):
            packs = [Pack(self.door, VECTORS / "one.stolpack") for _ in range(3)]
            packs[0].resolve(["lion"])
            for pack in packs:
                pack.close()
        self.assertEqual(mappings(), before)

    def test_ids_that_are_texts(self):
        found = 0
        for path in sorted(VECTORS.glob("*.stolpack")):
            pack = Pack(self.door, path)
            self.addCleanup(pack.close)
            facts = pack.facts()
            taxa = list(range(facts.taxon_count))
            ids = pack.texts("id", taxa)
            first = 1 if facts.has_implied_root else 0
            self.assertEqual(ids[:first], [""] * first)
            self.assertEqual(pack.taxa_of_id_texts(ids[first:]), (taxa[first:], ["exact"] * (len(taxa) - first)))
            if facts.has_text_ids:
                found += 1
                for call in (lambda: pack.ids(taxa), lambda: pack.taxa_of_ids([1])):
                    with self.assertRaises(DoorError) as raised:
                        call()
                    self.assertEqual(raised.exception.code, TEXT_IDS)
            else:
                self.assertEqual([str(number) for number in pack.ids(taxa)[first:]], ids[first:])
                self.assertEqual(pack.ids([NONE, *taxa[:first]]), [None] * (1 + first))
        self.assertGreater(found, 0)

    def test_any_arguments_end_with_a_code(self):
        """In a process of its own, for what is looked for are crashes."""
        program = pathlib.Path(__file__).with_name("door_fuzz.py")
        done = subprocess.run([sys.executable, program, str(SEED)], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"STOL_TEST_SEED={SEED}")
        codes = json.loads(done.stdout)
        self.assertGreater(codes["0"], CALLS // 20)
        self.assertGreater(len(codes), 8)


if __name__ == "__main__":
    unittest.main()
