"""Names that the explorer matches, beside what the command `stol match` writes of the same table: the same bytes."""
import base64
import csv
import io
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

from explorer import STOL, Explorer

BOUNDARY = "stol-7MA4YWxkTrZu0gW"
NAMES = ["Panthera leo", "Panthera leo (Linnaeus, 1758)", "Panthera lea", "Felis leo", "Quercus robur L.", "Quercus robus",
         "Homo sapiens", "Homo sapien", "Escherichia coli", "Canis cf. lupus", "Panthera sp.", "Nobody knows", "",
         "Prunella", "Felidae", "Felidea", "PANTHERA LEO", "<i>Panthera leo</i>", "x" * 600]
ADD = "status,score,reason,taxonID,acceptedName,rank,family,matchedName,candidates,lineage"


class NamesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.explorer = Explorer()
        cls.addClassCleanup(cls.explorer.close)
        cls.token = cls.explorer.token
        folder = tempfile.TemporaryDirectory(prefix="stol-web-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def command(self, table, *arguments):
        """What the command writes of a table."""
        path = self.folder / "table"
        path.write_bytes(table)
        done = subprocess.run([STOL, "match", path, "--quiet", *arguments], capture_output=True, check=True, timeout=120,
                              env={**os.environ, "STOL_HOME": str(self.explorer.home)})
        return done.stdout

    def ask(self, body, content, target="/api/match"):
        return self.explorer.get(target, {"Origin": self.explorer.address, "Content-Type": content}, "POST", body)

    def page(self, fields, table=None, status=200):
        """What the page answers to a form, as a browser sends it."""
        body = b""
        for name, value in {"token": self.token, **fields}.items():
            body += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        if table is not None:
            body += (f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="t.csv"\r\n'
                     "Content-Type: text/csv\r\n\r\n").encode() + table + b"\r\n"
        answer = self.ask(body + f"--{BOUNDARY}--\r\n".encode(), f"multipart/form-data; boundary={BOUNDARY}", "/match")
        self.assertEqual(answer[0], status, answer[2][:300])
        return answer

    def tables(self):
        """Tables of every dialect, with names in any order."""
        seed = int(os.environ.get("STOL_TEST_SEED", random.randrange(1 << 32)))
        print(f"seed {seed}")
        draw = random.Random(seed)
        for dialect in ({"delimiter": ","}, {"delimiter": ";"}, {"delimiter": "\t"}, {"delimiter": "|"},
                        {"delimiter": ",", "quoting": csv.QUOTE_ALL}, {"delimiter": ",", "lineterminator": "\r\n"}):
            out = io.StringIO()
            writer = csv.writer(out, **{"lineterminator": "\n", **dialect})
            writer.writerow(["id", "scientificName", "family", "note"])
            for number, name in enumerate(draw.choices(NAMES, k=60)):
                writer.writerow([number, name, draw.choice(["", "Felidae", "Fagaceae"]), draw.choice(["", "a, b", 'say "x"', "é"])])
            yield out.getvalue().encode()
            yield b"\xef\xbb\xbf" + out.getvalue().encode().replace("é".encode(), b"\xff")
        yield b"scientificName,x\nPanthera leo\nPanthera leo,1,2\nPanthera leo,1"
        yield "\n".join(name for name in NAMES if name).encode()

    def test_a_table_is_what_the_command_writes(self):
        count = 0
        for table in self.tables():
            wanted = self.command(table, "--add", ADD)
            status, fields, body = self.ask(table, "text/csv", f"/api/match?format=table&add={ADD}")
            self.assertEqual((status, body), (200, wanted))
            self.assertRegex(fields["content-type"], r"\Atext/(csv|tab-separated-values); charset=utf-8\Z")
            _, fields, body = self.page({"action": "download", "add": ADD}, table)
            self.assertEqual(body, wanted)
            self.assertRegex(fields["content-disposition"], r'\Aattachment; filename="matched\.[ct]sv"\Z')
            count += 1
        self.assertGreaterEqual(count, 14)

    def test_records_say_what_the_cells_say(self):
        count = 0
        for table in self.tables():
            if b"\n1," not in table and b'\n"1",' not in table:
                continue  # Of other dialects the cells are the same, as the test above says.
            rows = list(csv.DictReader(io.StringIO(self.command(table, "--add", ADD).decode("utf-8-sig", "replace"))))
            results = json.loads(self.ask(table, "text/csv")[2])["results"]
            for row, result in zip(rows, results, strict=True):
                for column in ("status", "score", "reason", "taxonID", "acceptedName", "rank", "matchedName"):
                    self.assertEqual("" if result[column] is None else str(result[column]), row[column], (row, result))
                self.assertEqual((result["ranks"] or {}).get("family") or "", row["stol_family"])
                self.assertEqual("; ".join(result["lineage"]), row["lineage"])
                self.assertEqual(len(result["candidates"]), len(list(filter(None, row["candidates"].split("; ")))))
                count += 1
        self.assertEqual(count, 6 * 60)

    def test_decisions_are_what_the_command_applies(self):
        """What is decided on the page, as the page writes it, gives the same table by the command."""
        table = b"id,scientificName,note\n1,Panthera lexx,a\n2,Panthera leo,b\n3,Panthera lexx,c\n4,Nobody knows,d\n"
        first = self.page({"add": ADD}, table)[2].decode()
        state = re.search(r'name="table" value="([^"]*)"', first)[1]
        self.assertEqual(base64.b64decode(state), table)
        names = re.findall(r'name="(decision-\d+)"', first)
        self.assertEqual(names, ["decision-0", "decision-3"])
        decided = {"table": state, "add": ADD, "decision-0": "9689", "decision-3": "none"}
        review = self.folder / "review.csv"
        review.write_bytes(self.page({**decided, "action": "review"})[2])
        with open(review, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["name"], row["decision"]) for row in rows], [("Panthera lexx", "9689"), ("Nobody knows", "none")])
        written = self.folder / "written.csv"
        self.command(table, "--review", written)
        with open(written, newline="", encoding="utf-8") as file:
            self.assertEqual([{**row, "decision": ""} for row in rows], list(csv.DictReader(file)))
        wanted = self.command(table, "--decisions", review, "--add", ADD)
        self.assertEqual(self.page({**decided, "action": "download"})[2], wanted)
        self.assertIn(b"1,Panthera lexx,a,exact,100,decided,9689,", wanted)

    def test_limits_are_said(self):
        for body, content in [(b"a\n" * 5001, "text/plain"), (b"a" * ((1 << 20) + 1), "text/plain"),
                              (b"scientificName,x\n" + b"a,b\n" * 5001, "text/csv"), (json.dumps(["a"] * 5001).encode(), "application/json")]:
            status, fields, said = self.ask(body, content)
            self.assertEqual((status, fields["content-type"]), (413, "application/json; charset=utf-8"))
            self.assertIn("5,000 rows and 1,048,576 bytes", json.loads(said)["detail"])
        self.assertEqual(len(json.loads(self.ask(b"a\n" * 5000, "text/plain")[2])["results"]), 5000)
        self.assertIn(b"5,000 rows", self.page({}, b"a\n" * 5001, 413)[2])
        self.assertIn(b"5,000 rows", self.page({}, b"a" * (5 << 20), 413)[2])
        status, _, said = self.ask(b"Panthera leo", "text/html")
        self.assertEqual(status, 415)
        self.assertIn("text/csv", json.loads(said)["detail"])

    def test_nothing_is_kept(self):
        """The folder of data is as it was, whatever is matched."""
        def kept():
            return sorted((path, path.stat().st_size) for path in self.explorer.home.rglob("*") if path.is_file())
        before = kept()
        self.page({"text": "Panthera leo\nNobody knows here\n", "decision-1": "none"})
        self.ask(b"Nobody knows here\n", "text/plain")
        self.assertEqual(kept(), before)
        self.assertNotIn(b"Nobody", self.explorer.get("/match")[2])


if __name__ == "__main__":
    unittest.main()
