"""What the command answers to names as people write them: never a guess.

The names of the built-in taxonomy are read as a list of its taxa, and what should be answered is
worked out here from that list by the plainest means there are.
"""

import collections
import json
import os
import random
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STOL = os.environ.get("STOL", str(TOP / ".build-test/release/stol"))
# How many questions are asked one at a time, each by a process.
ALONE = {"full": 20_000, "tenth": 2_000}.get(os.environ.get("STOL_SWEEP", ""), 400)


class AnswersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.environment = {**os.environ, "STOL_HOME": cls.folder.name}
        for name in ("STOL_PACK", "STOL_LANG"):
            cls.environment.pop(name, None)
        roots = json.loads(cls.run_stol("children", "--json"))[0]["results"]
        cls.taxa = []
        for root in roots:
            lines = cls.run_stol("subtree", str(root["id"]), "--tsv").splitlines()
            header = lines[0].split("\t")
            cls.taxa += [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]
        cls.by_name = collections.defaultdict(list)
        for taxon in cls.taxa:
            cls.by_name[taxon["scientificName"].lower()].append(taxon)

    @classmethod
    def run_stol(cls, *arguments, text="", status=(0, 1)):
        done = subprocess.run([STOL, "query", *arguments], input=text, capture_output=True, text=True,
                              env=cls.environment)
        assert done.returncode in status, (arguments, done)
        return done.stdout

    def batch(self, query, texts, *options):
        lines = self.run_stol(query, "-", "--jsonl", *options, text="".join(f"{text}\n" for text in texts))
        return [json.loads(line) for line in lines.splitlines()]

    def test_the_list_has_every_taxon(self):
        self.assertEqual(len(self.taxa), sum(int(taxon["taxonCount"]) for taxon in self.taxa
                                             if not taxon["parentID"]))
        self.assertEqual(len({taxon["id"] for taxon in self.taxa}), len(self.taxa))

    def test_homonyms_are_ambiguous_with_all_candidates(self):
        homonyms = [name for name, taxa in self.by_name.items() if len(taxa) > 1]
        self.assertGreater(len(homonyms), 5)
        for query, change in (("search", str), ("search", str.upper), ("show", str), ("show", str.upper),
                              ("lineage", str), ("children", str), ("subtree", str), ("relatives", str),
                              ("lca", str), ("complete", str)):
            asked = [change(name) for name in homonyms]
            for name, answer in zip(homonyms, self.batch(query, asked), strict=True):
                expected = {taxon["id"] for taxon in self.by_name[name]}
                self.assertEqual(answer["status"], "ambiguous", name)
                self.assertEqual({str(taxon["id"]) for taxon in answer["candidates"]}, expected, name)
            text = "".join(f"{name}\n" for name in homonyms)
            rows = [line.split("\t") for line in self.run_stol(query, "-", "--tsv", text=text).splitlines()]
            for name, row in zip(homonyms, rows[1:], strict=True):
                cells = dict(zip(rows[0], row, strict=True))
                self.assertEqual(cells["id"], "", name)
                self.assertEqual(set(cells["candidates"].split(";")),
                                 {taxon["id"] for taxon in self.by_name[name]}, name)

    def test_a_whole_name_of_one_taxon_is_exact(self):
        names = [name for name, taxa in self.by_name.items()
                 if len(taxa) == 1 and " " in name and taxa[0]["rank"] == "species"]
        names = random.Random(18).sample(names, 5_000)
        # What is no name under a code may be open: "Pan sp. 1" is no taxon's whole name to everybody.
        names = [name for name in names if name.replace(" ", "").isalpha()]
        for name, answer in zip(names, self.batch("search", names), strict=True):
            self.assertEqual((answer["status"], str(answer["results"][0]["id"])),
                             ("exact", self.by_name[name][0]["id"]), name)

    def test_open_names_never_match_an_epithet(self):
        genera = [taxon["scientificName"] for taxon in self.taxa if taxon["rank"] == "genus"]
        genera = [name for name in genera if len(self.by_name[name.lower()]) == 1 and name.isalpha()]
        genera = random.Random(19).sample(genera, 5_000)

        def check(genera, text, query, *options):
            answers = self.batch(query, [text(genus) for genus in genera], *options)
            for genus, answer in zip(genera, answers, strict=True):
                taxa = answer.get("results") or answer.get("lineage") or [answer.get("lca") or {}]
                found = taxa[-1 if query in ("lineage", "lca") else 0].get("scientificName")
                self.assertEqual((answer["status"], found), ("partial", genus), (query, options, text(genus)))

        for mark in ("sp.", "sp", "spp.", "SP.", "Sp.", "sp.1", "sp. 1", "sp.?", "sp. nov.", "cf. zzzz", "species"):
            check(genera, lambda genus: f"{genus} {mark}", "search")
        for text in (str.upper, lambda text: text.replace(" ", "\u00a0"), lambda text: text.replace(" ", "_")):
            check(genera, lambda genus: text(f"{genus} sp."), "search")
        for options in (("--mode", "fuzzy"), ("--mode", "prefix"), ("--mode", "contains")):
            check(genera[:500], lambda genus: f"{genus} sp", "search", *options)
        for query in ("complete", "show", "lineage", "subtree", "lca"):
            check(genera, lambda genus: f"{genus} sp.", query)
            check(genera, lambda genus: f"{genus} SP.".upper(), query)

    def test_what_says_that_nothing_is_known_is_no_name(self):
        words = ["NA", "na", "nan", "unknown", "Unknown", "None", "n/a", "NULL", "null", "-", "?"]
        for query, *options in (["search"], ["complete"], ["show"], ["lineage"], ["lca"], ["search", "--mode", "exact"],
                                ["search", "--mode", "fuzzy"], ["search", "--mode", "prefix"]):
            statuses = {word: answer["status"] for word, answer in
                        zip(words, self.batch(query, words, *options), strict=True)}
            self.assertTrue(set(statuses.values()) <= {"not_found", "invalid"}, (query, options, statuses))

    def test_every_id_is_found_by_a_search(self):
        taxa = random.Random(21).sample(self.taxa, 2_000)
        for taxon, answer in zip(taxa, self.batch("search", [taxon["id"] for taxon in taxa]), strict=True):
            self.assertEqual((answer["status"], [str(hit["id"]) for hit in answer["results"]]),
                             ("exact", [taxon["id"]]))

    def test_alone_and_in_a_batch_answers_are_the_same(self):
        generator = random.Random(20)
        taxa = generator.choices(self.taxa, k=ALONE)
        further = self.batch("show", [taxon["id"] for taxon in generator.choices(self.taxa, k=2_000)])
        names = [name["name"] for answer in further for taxon in answer["results"] for name in taxon["names"]]

        def text(taxon):
            name = taxon["scientificName"]
            position = generator.randrange(len(name))
            return generator.choice([
                lambda: taxon["id"], lambda: name, lambda: name.upper(),
                lambda: name[:position + 1], lambda: name[:position] + name[position + 1:],
                lambda: name[:position] + "x" + name[position:], lambda: name.split()[-1],
                lambda: f"{name.split()[0]} sp.", lambda: f"{name} Linnaeus, 1758",
                lambda: generator.choice(names), lambda: generator.choice(["NA", "", "zzzz", "-1", "007"]),
            ])()

        questions = [(generator.choice(["search", "show", "lineage", "complete"]), text(taxon)) for taxon in taxa]
        batches = {}
        for query in {query for query, _ in questions}:
            texts = list(dict.fromkeys(text for asked, text in questions if asked == query))
            lines = self.run_stol(query, "-", "--jsonl", text="".join(f"{text}\n" for text in texts)).splitlines()
            batches[query] = dict(zip(texts, lines, strict=True))

        def alone(question):
            query, text = question
            # Nothing at all is no question to a person, and an invalid line of a batch.
            return self.run_stol(query, "--jsonl", "--", text, status=(0, 1, 2)).rstrip("\n") if text else None

        with ThreadPoolExecutor(2) as pool:
            wrong = [(question, answer, batches[question[0]][question[1]])
                     for question, answer in zip(questions, pool.map(alone, questions), strict=True)
                     if answer is not None and answer != batches[question[0]][question[1]]]
        self.assertEqual(wrong[:3], [], f"{len(wrong)} of {len(questions)}")


if __name__ == "__main__":
    unittest.main()
