"""`stol match` from outside: tables that keep their bytes, and the cases of services whose place it takes."""
import collections
import csv
import gzip
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STOL = os.environ.get("STOL", str(TOP / ".build-test/release/stol"))
DATA = Path(os.environ.get("STOL_TEST_DATA", TOP.parent / "shared/data"))
CASES = DATA / "reference/match"
HINTS = ("kingdom", "phylum", "class", "order", "family", "genus")
# Of GBIF's own: three usages of one name by the younger Linnaeus, of which no rule tells which is meant; and two
# letters of an epithet, an unknown subspecies, which here leads to the genus.
DISPUTED = {"d109", "d57"}


class MatchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.environment = {**os.environ, "STOL_HOME": cls.folder.name}
        cls.environment.pop("STOL_PACK", None)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_stol(self, *arguments, data=b"", status=0):
        done = subprocess.run([STOL, *arguments], input=data, capture_output=True, env=self.environment)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done.stdout, done.stderr.decode()

    def match(self, data, *arguments, status=0):
        return self.run_stol("match", "-", *arguments, data=data, status=status)

    # MARK: - Tables

    def test_rows_stay_as_they_are(self):
        table = ('id,scientificName,note\r\n1,Panthera leo,"a ""quoted"" note"\r\n'
                 '2,"Panthera leo (Linnaeus, 1758)",two\r\n3,Panthera lea, spaces \r\n4,,\r\n'
                 '5,"Panthera\ntigris","line\nend"\r\n').encode() + b'6,Panthera \xff,latin\r\n'
        out, said = self.match(table, "--add", "status,taxonID")
        lines = table.split(b"\r\n")
        written = out.split(b"\r\n")
        self.assertEqual(len(written), len(lines))
        for line, row in zip(lines, written):
            self.assertTrue(row.startswith(line), (line, row))
        self.assertEqual(written[0], lines[0] + b",status,taxonID")
        self.assertEqual(written[1], lines[1] + b",exact,9689")
        self.assertEqual(written[2], lines[2] + b",exact,9689")
        self.assertEqual(written[3], lines[3] + b",fuzzy,9689")
        self.assertEqual(written[4], lines[4] + b",invalid,")
        self.assertEqual(written[6], lines[6] + b",invalid,")
        self.assertIn("6 rows", said)
        self.assertIn("2 invalid", said)

    def test_every_dialect(self):
        for table, first in [
                ("scientificName;x\nPanthera leo;1\n", "scientificName;x;status"),
                ("x\tscientificName\n1\tPanthera leo\n", "x\tscientificName\tstatus"),
                ("\ufeffscientificName,x\nPanthera leo,1\n", "\ufeffscientificName,x,status"),
                ("species,x\nPanthera leo,1\n", "species,x,status")]:
            out, _ = self.match(table.encode(), "--add", "status")
            lines = out.decode().splitlines()
            self.assertEqual(lines[0], first)
            self.assertTrue(lines[1].endswith("exact"), lines)
        out, _ = self.match(b"Panthera leo\nPanthera leo (Linnaeus, 1758)\n", "--add", "status")
        self.assertEqual(out, b"Panthera leo\texact\nPanthera leo (Linnaeus, 1758)\texact\n")
        out, _ = self.match(gzip.compress(b"scientificName,x\nPanthera leo,1\n"), "--add", "status")
        self.assertEqual(out, b"scientificName,x,status\nPanthera leo,1,exact\n")

    def test_a_column_that_is_there_already_keeps_its_name(self):
        out, _ = self.match(b"scientificName,status\nPanthera leo,mine\n", "--add", "status,family")
        self.assertEqual(out, b"scientificName,status,stol_status,family\nPanthera leo,mine,exact,Felidae\n")

    def test_names_in_several_columns(self):
        out, _ = self.match(b"genus,specificEpithet\nPanthera,leo\nPanthera,\n", "--add", "status,taxonID")
        self.assertEqual(out.decode().splitlines()[1:], ["Panthera,leo,exact,9689", "Panthera,,exact,9688"])

    def test_a_wrong_column_is_refused_with_a_suggestion(self):
        _, said = self.match(b"scientificName,x\nPanthera leo,1\n", "--name", "scientificname2", status=2)
        self.assertIn("did you mean 'scientificName'?", said)
        _, said = self.match(b"a,b\nPanthera leo,1\n", status=2)
        self.assertIn("--name COLUMN", said)

    def test_a_ragged_row_is_passed_through_and_told(self):
        table = b"scientificName,x,y\nPanthera leo,1\nPanthera tigris,1,2\nPanthera onca,1,2,3\n"
        out, said = self.match(table, "--add", "status")
        self.assertEqual(out.decode().splitlines()[1:], [
            "Panthera leo,1,,invalid", "Panthera tigris,1,2,exact", "Panthera onca,1,2,3,invalid"])
        self.assertIn("line 2: 2 fields", said)
        self.match(table, "--strict", status=3)

    def statuses(self, *names):
        out, _ = self.match("".join(f"{name}\n" for name in ("scientificName", *names)).encode(), "--add",
                            "status,acceptedName", "--name", "scientificName")
        return [tuple(line.split("\t")[1:]) for line in out.decode().splitlines()[1:]]

    def test_a_kingdom_that_contradicts_is_seen_whatever_it_is_called(self):
        for name, wrong, right in [("Cyanistes caeruleus", "Plantae", "Animalia"), ("Panthera leo", "Bacteria", "Animalia"),
                                   ("Panthera leo", "Fungi", "Metazoa"), ("Quercus robur", "Animalia", "Viridiplantae")]:
            out, _ = self.match(f"scientificName,kingdom\n{name},{right}\n{name},{wrong}\n".encode(), "--add", "reason")
            agrees, contradicts = [line.split(",")[2] for line in out.decode().splitlines()[1:]]
            self.assertNotIn("differs", agrees)
            self.assertNotEqual(agrees, contradicts, (name, wrong))

    def test_the_kingdom_tells_a_bird_from_a_shrub_of_one_name(self):
        out, _ = self.match(b"scientificName,kingdom\nPasserina,Animalia\nPasserina,Plantae\nPasserina,\n",
                            "--add", "status,class")
        self.assertEqual(out.decode().splitlines()[1:],
                         ["Passerina,Animalia,exact,Aves", "Passerina,Plantae,exact,Magnoliopsida",
                          "Passerina,,ambiguous,"])

    def test_a_header_may_have_years(self):
        out, _ = self.match(b"site,scientificName,count_2023\n1,Panthera leo,4\n", "--add", "status")
        self.assertEqual(out, b"site,scientificName,count_2023,status\n1,Panthera leo,4,exact\n")
        out, _ = self.match(b"scientificName;2023;2024\nPanthera leo;4;5\n", "--add", "status")
        self.assertEqual(out, b"scientificName;2023;2024;status\nPanthera leo;4;5;exact\n")

    def test_what_is_read_is_not_replaced(self):
        table = self.path("own.csv")
        Path(table).write_text("scientificName\nPanthera lexx\n")
        _, said = self.run_stol("match", table, "--review", table, status=2)
        self.assertIn("would replace what is read", said)
        decisions = self.path("own-decisions.csv")
        Path(decisions).write_text("name,decision\nPanthera lexx,9689\n")
        self.run_stol("match", table, "--decisions", decisions, "--review", decisions, status=2)
        self.assertEqual(Path(decisions).read_text(), "name,decision\nPanthera lexx,9689\n")

    def test_several_names_in_one_cell_are_not_the_first(self):
        for name in ("Quercus robur / Quercus petraea", "Passer domesticus / montanus", "Panthera leo & tigris",
                     "Panthera leo, Felis catus"):
            self.assertNotIn(self.statuses(f'"{name}"')[0][0], ("exact", "synonym", "fuzzy"), name)
        self.assertEqual(self.statuses("Panthera leo (Linnaeus, 1758)", "Panthera leo & Cuvier"),
                         [("exact", "Panthera leo"), ("exact", "Panthera leo")])

    def test_a_letter_behind_an_open_name_is_no_hybrid(self):
        for name in ("Panthera sp. x", "Panthera sp. 1", "Panthera sp. X"):
            self.assertEqual(self.statuses(name), [("partial", "Panthera")], name)
        for name in ("Panthera leo x", "Panthera leo ×", "Panthera leo BOLD:AAA1234"):
            self.assertEqual(self.statuses(name)[0][1], "Panthera leo", name)

    def test_decisions_are_found_as_review_writes_them(self):
        table = self.path("signs.csv")
        Path(table).write_text("scientificName\n+Panthera lexx\n")
        review = self.path("signs-review.csv")
        self.run_stol("match", table, "--review", review)
        with open(review, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        rows[0]["decision"] = " 9689 "
        with open(review, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
        out, _ = self.run_stol("match", table, "--decisions", review, "--add", "status,taxonID")
        self.assertEqual(out.decode().splitlines()[1], "+Panthera lexx\texact\t9689")
        Path(review).write_text("name,decision\n+Panthera lexx,nowhere\n")
        _, said = self.run_stol("match", table, "--decisions", review)
        self.assertIn('line 2: no taxon has the id "nowhere"', said)

    def test_a_quote_that_is_not_closed_is_said(self):
        table = b'scientificName,x\nPanthera tigris,2\nPanthera leo,"oops\nMus musculus,1\n'
        out, said = self.match(table, "--add", "status")
        self.assertIn(b'Panthera leo,"oops\nMus musculus,1\n', out)
        self.assertTrue(out.endswith(b",invalid\n"), out)
        self.assertIn("line 3: a quote is not closed", said)
        self.match(table, "--strict", status=3)
        _, said = self.match(b"scientificName,x\rPanthera leo,1\r", status=3)
        self.assertIn("carriage returns", said)

    def test_a_taxon_that_is_not_known_is_no_exact_genus(self):
        for name in ("Panthera OTU12", "Panthera BIN12", "Panthera non leo"):
            self.assertEqual(self.statuses(name), [("partial", "Panthera")], name)
        for name in ("Panthera leo x", "Panthera leo ×", "Panthera leo BOLD:AAA1234"):
            self.assertEqual(self.statuses(name)[0][1], "Panthera leo", name)
        out, _ = self.match(b"scientificName\nQuercus robur agg.\nFelidae indet.\nPanthera sp.\n", "--add", "reason",
                            "--name", "scientificName")
        self.assertEqual([line.split("\t")[1] for line in out.decode().splitlines()[1:]],
                         ["species only", "family only", "genus only"])

    def test_a_genus_beside_a_name_counts(self):
        out, _ = self.match(b"scientificName,genus\nPanthera leo,Panthera\nPanthera leo,Felis\n", "--add", "score,reason")
        agrees, contradicts = [line.split(",", 2)[2] for line in out.decode().splitlines()[1:]]
        self.assertNotEqual(agrees, contradicts)
        self.assertIn("genus", contradicts)

    def test_columns_are_added_under_names_of_their_own(self):
        out, _ = self.match(b"scientificName,status,stol_status\nPanthera leo,a,b\n", "--add", "status , family")
        self.assertEqual(out.splitlines()[0], b"scientificName,status,stol_status,stol_stol_status,family")
        _, said = self.match(b"scientificName\n", "--add", "famly", status=2)
        self.assertIn("did you mean 'family'?", said)

    def test_decisions_of_a_person_are_applied(self):
        table = b"scientificName,x\nPanthera lexx,1\nPanthera leo,2\nPanthera lexx,3\nNobody knows,4\n"
        review = self.path("review.csv")
        self.match(table, "--review", review)
        with open(review, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["name"] for row in rows], ["Panthera lexx", "Nobody knows"])
        rows[0]["decision"], rows[1]["decision"] = "9689", "none"
        with open(review, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
        out, _ = self.match(table, "--decisions", review, "--add", "status,taxonID,reason")
        self.assertEqual(out.decode().splitlines()[1:], [
            "Panthera lexx,1,exact,9689,decided", "Panthera leo,2,exact,9689,name",
            "Panthera lexx,3,exact,9689,decided", "Nobody knows,4,not_found,,decided: none"])

    def test_many_rows_stay_in_order(self):
        names = ["Panthera leo", "Panthera tigris", "Felis catus", "Panthra onca", "Nobody knows"]
        table = "row,scientificName\n" + "".join(f"{n},{names[n % 5]}\n" for n in range(60_000))
        out, _ = self.match(table.encode(), "--add", "status,taxonID")
        lines = out.decode().splitlines()[1:]
        self.assertEqual([int(line.split(",")[0]) for line in lines], list(range(60_000)))
        self.assertEqual({line.split(",", 1)[1] for line in lines[5:]}, {line.split(",", 1)[1] for line in lines[:5]})

    def test_a_long_table_keeps_its_bytes(self):
        cells = ["plain", '"a ""quoted"" one"', '"two\nlines"', "", '"with, comma"', "12.5", "stray \" quote"]
        names = ["Panthera leo", '"Panthera leo (Linnaeus, 1758)"', "Panthra onca", "Nobody knows", '"Felis\ncatus"', ""]
        rows = [",".join([names[n % 6], cells[n % 7], cells[n % 5], str(n)]) for n in range(70_000)]
        ends = ["\n", "\r\n", "\n"]
        lines = ["scientificName,x,y,z"] + rows
        table = "".join(line + ends[n % 3] for n, line in enumerate(lines[:-1])) + lines[-1]
        out, said = self.match(table.encode(), "--add", "status,taxonID")
        position = 0
        written = out.decode()
        answers = collections.defaultdict(set)
        for number, line in enumerate(lines):
            self.assertTrue(written.startswith(line, position), number)
            end = written.index("\n", position + len(line)) + 1
            added = written[position + len(line):end]
            if number < len(lines) - 1:
                self.assertEqual(added.endswith("\r\n"), ends[number % 3] == "\r\n", number)
            answers[names[(number - 1) % 6] if number else "header"].add(added.rstrip())
            position = end
        self.assertEqual(position, len(written))
        self.assertEqual({name: len(texts) for name, texts in answers.items()}, dict.fromkeys([*names, "header"], 1))
        self.assertIn("70000 rows", said)

    def test_the_line_of_a_late_row_is_right(self):
        rows = [f'Panthera leo,"{n}\n{n}"' for n in range(60_000)]
        table = "\n".join(["scientificName,x", *rows, "Panthera leo"]) + "\n"
        _, said = self.match(table.encode(), "--add", "status")
        self.assertIn("line 120002: 1 fields", said)

    def test_an_archive_is_matched_by_its_core(self):
        folder = self.path("archive")
        os.makedirs(folder)
        Path(folder, "meta.xml").write_text(
            '<archive xmlns="http://rs.tdwg.org/dwc/text/"><core rowType="http://rs.tdwg.org/dwc/terms/Occurrence">'
            "<files><location>o.txt</location></files></core></archive>")
        Path(folder, "o.txt").write_text("occurrenceID\tscientificName\n1\tPanthera leo\n")
        Path(folder, "other.txt").write_text("x\n")
        out, _ = self.run_stol("match", folder, "--add", "status")
        self.assertEqual(out, b"occurrenceID\tscientificName\tstatus\n1\tPanthera leo\texact\n")

    def test_an_archive_is_read_as_its_description_says(self):
        folder = Path(self.path("described"))
        folder.mkdir()
        term = "http://rs.tdwg.org/dwc/terms/"
        (folder / "other.txt").write_text("x\n")

        def describe(rows, header_count, *fields, options=""):
            (folder / "meta.xml").write_text(
                '<archive xmlns="http://rs.tdwg.org/dwc/text/"><core rowType="http://rs.tdwg.org/dwc/terms/Occurrence" '
                f'fieldsTerminatedBy="\\t" ignoreHeaderLines="{header_count}" {options}><files><location>o.txt</location>'
                f'</files><id index="0"/>{"".join(fields)}</core></archive>')
            (folder / "o.txt").write_text(rows)

        def field(index, name):
            return f'<field index="{index}" term="{term}{name}"/>'

        # The terms are those of the description, whatever the header says, or where there is none.
        describe("1\tPanthera leo\tspecies\n2\tPuma concolor\tspecies\n", 0, field(1, "scientificName"),
                 field(2, "taxonRank"))
        out, _ = self.run_stol("match", str(folder), "--add", "status,reason")
        self.assertEqual(out, b"1\tPanthera leo\tspecies\texact\trank agrees\n2\tPuma concolor\tspecies\texact\trank agrees\n")
        describe("made by hand\nid\tscientificName\tnm\n1\tSmith\tPanthera leo\n", 2, field(2, "scientificName"),
                 f'<field default="Plantae" term="{term}kingdom"/>')
        out, _ = self.run_stol("match", str(folder), "--add", "status,reason")
        self.assertEqual(out, b"made by hand\nid\tscientificName\tnm\tstatus\treason\n"
                              b"1\tSmith\tPanthera leo\tnot_found\tkingdom differs\n")
        # A value of the description is that of rows that have none.
        describe("1\tPanthera leo\t\n2\tPanthera leo\tAnimalia\n", 0, field(1, "scientificName"),
                 f'<field index="2" default="Plantae" term="{term}kingdom"/>')
        out, _ = self.run_stol("match", str(folder), "--add", "status")
        self.assertEqual(out, b"1\tPanthera leo\t\tnot_found\n2\tPanthera leo\tAnimalia\texact\n")
        describe("1\tPanthera leo\n", 0, field(1, "scientificName"), options='encoding="latin1"')
        self.assertIn("not in UTF-8, as its meta.xml says", self.run_stol("match", str(folder), status=3)[1])

    def test_a_line_that_names_the_separator_stays(self):
        table = b"sep=;\r\nscientificName;n\r\nPanthera leo;1\r\n"
        out, _ = self.run_stol("match", "-", "--add", "status", data=table)
        self.assertEqual(out, b"sep=;\r\nscientificName;n;status\r\nPanthera leo;1;exact\r\n")

    def test_columns_that_are_not_there_are_said_of_lists_too(self):
        for option, word in (("kingdom=nope", 'no column is called "nope"'), ("foo=scientificName", '"foo" is no rank')):
            said = self.run_stol("match", "-", "--hint", option, data=b"scientificName\nPanthera leo\n", status=2)[1]
            self.assertIn(word, said)

    def test_explaining_names_every_part(self):
        out, _ = self.run_stol("match", "--explain", "Panthera cf. leo L.")
        text = out.decode()
        for word in ("uninomial: Panthera", "qualifier: cf.", "compared: leo", "partial", "candidates"):
            self.assertIn(word, text)

    # MARK: - Cases of others

    def answers(self, reference, cases, *arguments):
        pack = self.path(reference + ".stolpack")
        if not os.path.exists(pack):
            database = self.path(reference + ".sqlite")
            self.run_stol("ingest", "coldp", str(CASES / reference), "-o", database)
            self.run_stol("pack", database, "-o", pack)
        out = io.StringIO()
        writer = csv.writer(out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, escapechar="\\")
        columns = ["scientificName", "scientificNameAuthorship", "taxonRank", "nomenclaturalCode", *HINTS]
        writer.writerow(columns)
        for case in cases:
            writer.writerow([case[name] for name in ("input", "authorship", "rank", "code", *HINTS)])
        options = {"1": ["--exact", "--no-higher"], "no-higher": ["--no-higher"]}.get(cases[0]["strict"], [])
        text, _ = self.run_stol("match", "-", "--pack", pack, *arguments, *options, data=out.getvalue().encode())
        return list(csv.DictReader(io.StringIO(text.decode()), delimiter="\t", quoting=csv.QUOTE_NONE))

    @unittest.skipUnless(CASES.is_dir(), "the cases are not there")
    def test_cases_of_services(self):
        with open(CASES / "match.tsv", newline="", encoding="utf-8") as file:
            cases = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        groups = collections.defaultdict(list)
        for case in cases:
            groups[case["reference"], case["strict"]].append(case)
        results = collections.Counter()
        failed = []
        for (reference, _), group in groups.items():
            service = {"ref_gbif": "gbif", "ref_gn": "gn"}.get(reference, "col")
            arguments = ["--format", service] if service != "col" else ["--add", "status,matchedID,taxonID"]
            key = {"gbif": "usageKey", "gn": "TaxonId", "col": "matchedID"}[service]
            for case, row in zip(group, self.answers(reference, group, *arguments), strict=True):
                found = row[key] or row.get("taxonID") or ""
                if case["match_type"] in ("EXACT", "HIGHERRANK", "NONE", "VARIANT") and service == "gbif":
                    right = row["matchType"] == case["match_type"] and found == case["expected_id"]
                else:
                    right = found == case["expected_id"]
                if not right and case["case"] not in DISPUTED:
                    failed.append((case["case"], case["input"], case["expected_id"], found))
                results[service, right] += 1
                results[service, "wrong"] += not right and bool(found)
        print("\n" + ", ".join(f"{service}: {results[service, True]} right, {results[service, 'wrong']} wrong"
                               for service in ("gbif", "col", "gn")))
        self.assertEqual(failed, [])

    # MARK: - Misspellings from life

    def answers_to(self, names, *arguments):
        """The rows of names that are asked of half a million taxa."""
        pack = self.path("bench500k.stolpack")
        if not os.path.exists(pack):
            database = self.path("bench500k.sqlite")
            subprocess.run(["zstd", "-dq", str(DATA / "ncbi/bench500k.sqlite.zst"), "-o", database], check=True)
            self.run_stol("pack", database, "-o", pack)
        table = "scientificName\t\n" + "".join(name + "\t\n" for name in names)
        text, _ = self.run_stol("match", "-", "--pack", pack, *arguments, "--add", "status,score,reason,acceptedName,matchedName",
                                data=table.encode())
        return list(csv.DictReader(io.StringIO(text.decode()), delimiter="\t", quoting=csv.QUOTE_NONE))

    @unittest.skipUnless((DATA / "reference/fuzzy/dev.tsv").is_file() and (DATA / "ncbi/bench500k.sqlite.zst").is_file(),
                         "the misspellings are not there")
    def test_scores_say_how_many_answers_are_right(self):
        with open(DATA / "reference/fuzzy/dev.tsv", newline="", encoding="utf-8") as file:
            pairs = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        known = [pair for pair in pairs if pair["exp_in_bench500k"] == "1" and pair["query_in_bench500k"] == "0"]
        near = [pair for pair in known if int(pair["osa"]) <= 2]

        def is_right(pair, row):
            return pair["expected"] in (row["acceptedName"], row["matchedName"])

        any_score = self.answers_to([pair["query"] for pair in known], "--min-score", "0")
        right = sum(is_right(*pair) for pair in zip(known, any_score))
        usual = self.answers_to([pair["query"] for pair in known])
        taken = [(pair, row) for pair, row in zip(known, usual) if row["status"] in ("exact", "synonym", "fuzzy")]
        wrong = [(pair["query"], row["acceptedName"]) for pair, row in taken if not is_right(pair, row)]
        sure = [(pair, row) for pair, row in zip(known, any_score) if int(row["score"] or 0) >= 95
                and row["status"] in ("exact", "synonym", "fuzzy")]
        sure_right = sum(is_right(*pair) for pair in sure)
        absent = [pair["expected"] for pair in pairs
                  if pair["exp_in_bench500k"] == "0" and pair["query_in_bench500k"] == "0"]
        false = [(name, row["acceptedName"]) for name, row in zip(absent, self.answers_to(absent)) if row["status"] == "fuzzy"]
        print(f"\nmisspellings: {right} of {len(known)} right at any score, {len(near)} are within two edits; "
              f"{len(wrong)} of {len(taken)} wrong as usual; of 95 and more {sure_right} of {len(sure)} right; "
              f"{len(false)} of {len(absent)} absent names matched")
        self.assertGreaterEqual(right, 0.97 * len(near))
        self.assertLessEqual(len(wrong), 0.01 * len(known), wrong)
        self.assertGreaterEqual(sure_right, 0.98 * len(sure))
        self.assertLessEqual(len(false), 0.01 * len(absent), false)


if __name__ == "__main__":
    unittest.main()
