"""Batches of ``stol query`` from outside: the same bytes on any number of threads, and answers as soon as there is a line."""
import gzip
import hashlib
import json
import os
import random
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STOL = os.environ.get("STOL", str(TOP / ".build-test/release/stol"))
# How many lines every query is asked in every format; STOL_LINES=20000 takes some minutes.
MANY = int(os.environ.get("STOL_LINES", "2000"))
THREADS = (1, 2, 3, 7)
FORMATS = ("--tsv", "--csv", "--json", "--jsonl")
# Long after what is waited for should have come.
HANG = 600


class BatchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.environment = {**os.environ, "STOL_HOME": cls.folder.name}
        for name in ("STOL_PACK", "STOL_LANG"):
            cls.environment.pop(name, None)
        roots = json.loads(cls.ask("children", "--json")[1])[0]["results"]
        cls.taxa = []
        for root in roots:
            lines = cls.ask("subtree", str(root["id"]), "--tsv")[1].decode().splitlines()
            header = lines[0].split("\t")
            cls.taxa += [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]

    @classmethod
    def ask(cls, *arguments, data=b""):
        """Exit code, standard output, standard error."""
        done = subprocess.run([STOL, "query", *arguments], input=data, capture_output=True, env=cls.environment,
                              timeout=HANG)
        return done.returncode, done.stdout, done.stderr

    # MARK: - The same on any number of threads

    def text(self, generator):
        """What somebody may ask for, sensible or not."""
        taxon = generator.choice(self.taxa)
        name = taxon["scientificName"].encode()
        place = generator.randrange(len(name))
        return generator.choice([
            lambda: name, lambda: name, lambda: name, lambda: taxon["id"].encode(), lambda: taxon["id"].encode(),
            lambda: name[:place + 1], lambda: name[:place] + name[place + 1:], lambda: name[:place] + b"x" + name[place:],
            lambda: name.upper(), lambda: taxon["commonName"].encode(), lambda: name.split()[0] + b" sp.",
            lambda: name + b" Linnaeus, 1758", lambda: taxon["rank"].encode(),
            lambda: generator.choice([
                b"", b" ", b"\r", b"NA", b"-1", b"007", b"=1+1", b'a "b"', b"a\\b;c", b"a\x00b", b"\x1b[31m", b"\xff\xfe",
                name[:place] + b"\xc3", "Érable à sucre".encode(), "\u202ex".encode(), b"zzzz", b"9" * 30, b"x" * 513]),
        ])()

    def lines(self, query, count, generator):
        is_set = query in ("lca", "distance", "compare")
        found = []
        for _ in range(count):
            members = generator.choice([1, 2, 2, 2, 2, 2, 2, 3]) if is_set else 1
            found.append(b"\t".join(self.text(generator) for _ in range(members)))
        return found

    def mixed(self, query, count, generator):
        """So many lines with some that are very long among them, the last one without an end."""
        lines = self.lines(query, count, generator)
        for length in (65_535, 65_536, 65_537, 65_538, 70_000, 300_000):
            lines[generator.randrange(count)] = b"Panthera leo\t" + b"y" * (length - 13)
            lines[generator.randrange(count)] = b"y" * length + generator.choice([b"", b"\r"])
        return b"\n".join(lines)

    def check(self, words, data):
        """Asks on so many threads, and that the answers are those of one."""
        expected = None
        for threads in THREADS:
            code, output, said = self.ask(*words, "-", "--threads", str(threads), data=data)
            self.assertIn(code, (0, 1), (words, said))
            found = (code, len(output), hashlib.sha256(output).hexdigest(), said)
            if expected is None:
                expected = found
                rows = output.count(b"\n") - (1 if words[-1] in ("--tsv", "--jsonl") else 0)
            self.assertEqual(found, expected, (words, threads))
        return expected, rows

    QUERIES = (
        ("search",), ("search", "--mode", "exact"), ("search", "--mode", "fuzzy"), ("search", "--mode", "prefix"),
        ("complete",), ("show",), ("lineage",), ("lineage", "--ranks", "main"), ("children",), ("lca",),
        ("lca", "--skip-unknown"), ("lca", "--majority", "0.6"), ("distance",), ("compare",),
    )
    # Whose lines are much work, or whose answers are long: fewer lines, and few taxa of each.
    LONG_QUERIES = (("subtree", "--limit", "20"), ("relatives", "--limit", "3"), ("rank", "--limit", "3"))

    def test_many_lines_are_answered_alike(self):
        generator = random.Random(24)
        for query in self.QUERIES + self.LONG_QUERIES:
            count = MANY if query in self.QUERIES else MANY // 20
            data = self.mixed(query[0], count, generator)
            for form in FORMATS:
                with self.subTest(query=query, form=form):
                    self.check((*query, form), data)

    def test_few_lines_are_answered_alike(self):
        generator = random.Random(25)
        for query in self.QUERIES + self.LONG_QUERIES:
            form = generator.choice(FORMATS)
            for count in (0, 1, 2, 30, 200):
                lines = self.lines(query[0], count, generator)
                data = b"".join(line + b"\n" for line in lines)
                with self.subTest(query=query, form=form, count=count):
                    self.check((*query, form), data)
                    self.check((*query, form), data[:-1])

    def test_long_answers_are_handed_on_in_order(self):
        """Answers that are longer than what may wait for its turn, among short ones."""
        # A megabyte may wait.
        large = min((taxon for taxon in self.taxa if int(taxon["taxonCount"]) > 30_000),
                    key=lambda taxon: int(taxon["taxonCount"]))["id"].encode()
        lines = [b"zzzz"] * 400
        for place in (0, 1, 150, 151, 399):
            lines[place] = large
        for form in FORMATS:
            found, _ = self.check(("subtree", form), b"\n".join(lines))
            self.assertGreater(found[1], 5 << 20)

    def test_a_file_is_answered_like_the_standard_input(self):
        generator = random.Random(26)
        data = self.mixed("lineage", 2_000, generator)
        path = Path(self.folder.name) / "lines.txt.gz"
        path.write_bytes(gzip.compress(data[:9_999]) + gzip.compress(data[9_999:]))
        expected = self.ask("lineage", "-", "--threads", "1", data=data)
        for threads in THREADS:
            self.assertEqual(self.ask("lineage", "--input", path, "--threads", str(threads)), expected)
        self.assertEqual(self.ask("lineage", "--input", path), expected)
        self.assertEqual(self.ask("lineage", "-", data=path.read_bytes()), expected)

    def test_a_damaged_file_is_answered_as_far_as_it_goes(self):
        path = Path(self.folder.name) / "damaged.gz"
        data = gzip.compress(b"".join(taxon["id"].encode() + b"\n" for taxon in self.taxa), 1)
        path.write_bytes(data[:len(data) // 2])
        expected = self.ask("lineage", path, "--threads", "1")
        self.assertEqual(expected[0], 3)
        self.assertGreater(expected[1].count(b"\n"), 100)
        for threads in THREADS:
            self.assertEqual(self.ask("lineage", path, "--threads", str(threads)), expected)

    def test_what_is_cut_is_counted_over_all_threads(self):
        data = b"".join(taxon["id"].encode() + b"\n" for taxon in self.taxa[:3_000])
        expected, _ = self.check(("relatives", "--limit", "1", "--tsv"), data)
        self.assertIn(b"of 3000 lines", expected[3])

    # MARK: - Streams

    def start(self, *arguments):
        process = subprocess.Popen([STOL, "query", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.environment, bufsize=0)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait, HANG)
        self.addCleanup(process.kill)
        return process

    def test_a_line_is_answered_before_the_next_one_is_written(self):
        for threads in THREADS:
            process = self.start("show", "-", "--no-header", "--threads", str(threads))
            for taxon in self.taxa[:200]:
                process.stdin.write(taxon["id"].encode() + b"\n")
                # A command that waited for more would never answer.
                self.assertTrue(process.stdout.readline().startswith(taxon["id"].encode() + b"\texact\t"))
            process.stdin.close()
            self.assertEqual(process.wait(HANG), 0)

    def test_half_a_line_waits_and_lines_before_it_do_not(self):
        process = self.start("show", "-", "--no-header", "--threads", "3")
        for place in range(0, 3_000, 1_000):
            ids = [taxon["id"].encode() for taxon in self.taxa[place:place + 1_000]]
            process.stdin.write(b"".join(own + b"\n" for own in ids) + b"Panthera")
            for own in ids:
                self.assertTrue(process.stdout.readline().startswith(own + b"\texact\t"), own)
            process.stdin.write(b" leo\n")
            self.assertTrue(process.stdout.readline().startswith(b"Panthera leo\texact\t9689\t"))
        process.stdin.close()
        self.assertEqual(process.wait(HANG), 0)

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        for threads in THREADS:
            process = self.start("lineage", "-", "--jsonl", "--threads", str(threads))
            process.stdin.write(b"9689\n" * 10_000)
            self.assertTrue(process.stdout.readline().startswith(b'{"input":"9689"'))
            # The standard input stays open: nobody writes, and it must not be waited for.
            process.stdout.close()
            self.assertEqual(process.wait(HANG), 0)
            self.assertEqual(process.stderr.read(), b"")

    def test_an_interrupt_ends_it(self):
        for threads in THREADS:
            process = self.start("show", "-", "--threads", str(threads))
            process.stdin.write(b"9689\n" * 1_000)
            self.assertTrue(process.stdout.readline().startswith(b"input\tstatus"))
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(HANG), -signal.SIGINT)

    def test_memory_is_bounded(self):
        """Ten times as many lines, read by somebody slow, need hardly more memory."""
        def peak(count):
            read, write = os.pipe()
            with tempfile.TemporaryFile() as file:
                file.write(b"9689\n9685\n" * count)
                file.seek(0)
                process = subprocess.Popen([STOL, "query", "lineage", "-", "--jsonl", "--threads", "7"], stdin=file,
                                           stdout=write, env=self.environment)
                os.close(write)
                while os.read(read, 1 << 12):
                    pass
                os.close(read)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = status
                self.assertEqual(status, 0)
                return usage.ru_maxrss

        few, many = peak(2_000), peak(20_000)
        self.assertLess(many - few, 30_000, "kilobytes")

    # MARK: - The option

    def test_threads_must_make_sense(self):
        for given in ("0", "-1", "1025", "x", "1.5", ""):
            code, output, said = self.ask("show", "-", f"--threads={given}", data=b"9689\n")
            self.assertEqual((code, output), (2, b""), given)
            self.assertIn(b"threads", said)
        code, output, said = self.ask("show", "9689", "--threads", "2")
        self.assertEqual((code, output), (2, b""))
        self.assertIn(b"--threads is for a batch", said)


if __name__ == "__main__":
    unittest.main()
