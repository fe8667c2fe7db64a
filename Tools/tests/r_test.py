"""The R package of Doors/r: its answers are those of the C library and of the command, its tests with the built-in pack, its README.

    Tools/r --test
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from door import PACK, ROOT, SEED, STOL, PackTests, misspelt, needs_command, needs_library

HOUSE = ROOT / "Doors/r"
# The folder in which the package is installed.
INSTALLED = pathlib.Path(os.environ.get("STOL_R_LIBRARY", ROOT / ".build-doors/r/stol.Rcheck"))
RANKS = ("kingdom", "class", "family", "genus")
needs_package = unittest.skipUnless(shutil.which("Rscript") and (INSTALLED / "stol").exists(), f"{INSTALLED}/stol is missing: Tools/r --test")

# Reads questions, and writes an answer for each.
ANSWERS = """
library(stol)
folder <- commandArgs(TRUE)[1]
pack <- stol_open(commandArgs(TRUE)[2])
questions <- function(name) {
  lines <- readLines(file.path(folder, name), encoding = "UTF-8")
  lines[lines == "<NA>"] <- NA
  lines
}
answer <- function(name, table) {
  write.table(table, file.path(folder, name), sep = "\\t", quote = FALSE, row.names = FALSE, na = "", fileEncoding = "UTF-8")
}
answer("resolved", stol_resolve(pack, questions("names")))
first <- as.numeric(questions("first"))
second <- as.integer(questions("second"))
answer("ancestors", data.frame(id = stol_lca(pack, first, second)))
groups <- questions("groups")
members <- as.integer(unlist(strsplit(groups, " ")))
answer("groups of rows", data.frame(id = stol_lca(pack, members, groups = rep(seq_along(groups), lengths(strsplit(groups, " "))))))
answer("lists", data.frame(id = stol_lca(pack, strsplit(groups, " "))))
answer("columns", stol_lineage(pack, first, ranks = c(%s)))
answer("texts", data.frame(
  name = stol_names(pack, first), author = stol_names(pack, second, "authorship"), rank = stol_names(pack, first, "rank"),
  common = stol_names(pack, as.character(second), "common_name", language = "de")))
answer("lineages", stol_lineage(pack, second))
answer("hits", stol_search(pack, questions("searches"), mode = "fuzzy", limit = 3))
""" % ", ".join(f'"{rank}"' for rank in RANKS)


def run(*arguments, **environment):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False,
                          env={**os.environ, "R_LIBS": str(INSTALLED), "LC_ALL": "C.UTF-8", **environment})
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.stderr or done.stdout}")
    return done.stdout


def table(path):
    return rows_of(path.read_text(encoding="utf-8"))


def rows_of(text):
    header, *lines = (line.split("\t") for line in text.split("\n")[:-1])
    return [dict(zip(header, line, strict=True)) for line in lines]


@needs_library
@needs_package
class AgreementTests(PackTests):
    """100,000 questions of many kinds."""
    def names_of(self, taxa):
        """The ids of taxa as R writes them."""
        return ["" if number is None else str(number) for number in self.pack.ids(taxa)]

    def test_answers_are_those_of_the_library(self):
        count = 20_000
        names = [name for name in self.texts(count) if not isinstance(name, bytes) and not (name and re.search(r"[\n\t]", name))]
        first, second = self.taxa(count), self.taxa(count)
        groups = [self.taxa(self.random.choice((1, 2, 3, 5))) for _ in range(count)]
        searches = [misspelt(name, self.random) for name in self.pack.texts("scientificName", self.taxa(500))]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)

            def ask(name, rows):
                (folder / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")

            ask("names", ["<NA>" if name is None else name for name in names])
            ask("first", self.names_of(first))
            ask("second", self.names_of(second))
            ask("groups", [" ".join(self.names_of(members)) for members in groups])
            ask("searches", searches)
            (folder / "answers.R").write_text(ANSWERS)
            run("Rscript", "--vanilla", folder / "answers.R", folder, PACK)

            taxa, via, statuses = self.pack.resolve(names)
            texts = self.pack.texts_of_names(via)
            self.assertEqual([(row["id"], row["status"], row["via"]) for row in table(folder / "resolved")],
                             list(zip(self.names_of(taxa), statuses, texts)))
            if os.path.exists(STOL):
                self.check_against_command(names, table(folder / "resolved"))
            self.assertEqual([row["id"] for row in table(folder / "ancestors")], self.names_of(self.pack.lca_pairs(first, second)))
            for name in ("groups of rows", "lists"):
                self.assertEqual([row["id"] for row in table(folder / name)], self.names_of(self.pack.lca_lists(groups)), name)
            columns = [self.pack.texts("scientificName", column) for column in self.pack.rank_columns(first, RANKS)]
            self.assertEqual([tuple(row[rank] for rank in RANKS) for row in table(folder / "columns")], list(zip(*columns)))
            expected = zip(self.pack.texts("scientificName", first), self.pack.texts("author", second), self.pack.texts("rank", first),
                           self.pack.texts("commonName", second, b"de"))
            self.assertEqual([tuple(row.values()) for row in table(folder / "texts")], list(expected))
            flat = [(str(number), taxon) for number, lineage in enumerate(self.pack.lineages(second), 1) for taxon in lineage]
            ancestors = [taxon for _, taxon in flat]
            expected = zip((number for number, _ in flat), self.names_of(ancestors), self.pack.texts("rank", ancestors),
                           self.pack.texts("scientificName", ancestors))
            self.assertEqual([tuple(row.values()) for row in table(folder / "lineages")], list(expected))
            hits = [(str(number), hit) for number, found in enumerate(self.pack.search(searches, mode="fuzzy", limit=3), 1) for hit in found]
            expected = zip((number for number, _ in hits), self.names_of([hit[0] for _, hit in hits]),
                           self.pack.texts_of_names([hit[1] for _, hit in hits]), (str(hit[4]) for _, hit in hits))
            self.assertEqual([(row["row"], row["id"], row["name"], row["distance"]) for row in table(folder / "hits")], list(expected))

    def check_against_command(self, names, resolved):
        """What is the whole name of a taxon is that to the command too."""
        asked = [(name, row) for name, row in zip(names, resolved) if row["status"] in ("exact", "common", "synonym", "ambiguous")]
        self.assertGreater(len(asked), 1_000)
        done = subprocess.run([STOL, "query", "show", "-", "--tsv", "--pack", PACK], input="".join(f"{name}\n" for name, _ in asked),
                              capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        said = rows_of(done.stdout)
        self.assertEqual([(row["id"], row["status"]) for _, row in asked], [(row["id"], row["status"]) for row in said])

    @needs_command
    def test_matches_are_those_of_the_command(self):
        taxa = self.taxa(8_000)
        families = self.pack.texts("scientificName", self.pack.rank_columns(taxa, ["family"])[0])
        kinds = (lambda name: name, lambda name: misspelt(name, self.random), lambda name: f"{name} (Linnaeus, 1758)",
                 lambda name: f"{name.split()[0]} sp.", lambda name: f"{name.split()[0]} cf. {name.split()[-1]}", str.upper)
        rows = [(self.random.choice(kinds)(name), self.random.choice((family, "", "Felidae")), rank) for name, family, rank in
                zip(self.pack.texts("scientificName", taxa), families, self.pack.texts("rank", taxa))]
        rows += [("Oenanthe", "Apiaceae", ""), ("Oenanthe", "Muscicapidae", "genus"), ("", "", ""), ("NA", "", "")] * 3
        rows += self.random.sample(rows, 2_000)
        added = "status,score,reason,taxonID,acceptedName,acceptedAuthorship,rank,matchedName,edits,lineage,order"
        code = """
          library(stol)
          arguments <- commandArgs(TRUE)
          table <- read.delim(arguments[2], quote = "", na.strings = "", colClasses = "character", encoding = "UTF-8")
          found <- stol_match(stol_open(arguments[1]), table, add = strsplit(arguments[4], ",")[[1]])
          write.table(found, arguments[3], sep = "\\t", quote = FALSE, row.names = FALSE, na = "", fileEncoding = "UTF-8")
        """
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "match.R").write_text(code)
            (folder / "given.tsv").write_text("".join("\t".join(row) + "\n" for row in [("scientificName", "family", "taxonRank"), *rows]))
            run("Rscript", "--vanilla", folder / "match.R", PACK, folder / "given.tsv", folder / "found.tsv", added)
            done = subprocess.run([STOL, "match", folder / "given.tsv", "--add", added, "--pack", PACK, "--quiet"], capture_output=True,
                                  text=True, check=False)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            said, found = rows_of(done.stdout), table(folder / "found.tsv")
        self.assertEqual(len(found), len(rows))
        self.assertLessEqual({"exact", "fuzzy", "partial", "ambiguous", "invalid"}, {row["status"] for row in found})
        self.assertEqual(found, said)

    @needs_command
    def test_trees_are_those_of_the_command(self):
        for collapse in (True, False):
            for members in [self.taxa(count) for count in (2, 3, 10, 100)] + [[self.pack.lineages([taxon])[0][-3]] for taxon in self.taxa(3)]:
                ids = self.names_of(members)
                arguments = ["--newick", "--labels", "id"] + (["--collapse"] if collapse else [])
                done = subprocess.run([STOL, "query", "subtree", *ids, *arguments, "--pack", PACK], capture_output=True, text=True, check=True)
                code = (f'library(stol); cat(stol_tree(stol_open("{PACK}"), c({", ".join(ids)}), labels = "id", '
                        f'collapse = {str(collapse).upper()}, newick = TRUE), sep = "\\n")')
                self.assertEqual(run("Rscript", "--vanilla", "-e", code).split(), done.stdout.split(), ids)


@needs_package
class PackageTests(unittest.TestCase):
    def test_its_tests_hold_for_the_built_in_pack(self):
        for path in sorted((HOUSE / "tests").glob("*.R")):
            with self.subTest(path.name):
                run("Rscript", "--vanilla", path, STOL_TEST_PACK=str(PACK))

    def test_taxa_of_several_roots_are_several_trees(self):
        code = """
          library(stol)
          pack <- stol_open(commandArgs(TRUE)[1])
          stopifnot(identical(stol_tree(pack, c("033154", "unplaced"), newick = TRUE), c("Animalia;", "Adrift;")))
        """
        run("Rscript", "--vanilla", "-e", code, ROOT / "Format/vectors/v2/valid/records.stolpack")

    def test_ids_that_are_texts(self):
        code = """
          library(stol)
          found <- 0
          for (path in commandArgs(TRUE)) {
            pack <- stol_open(path)
            if (!stol_facts(pack)$text_ids || stol_facts(pack)$taxa == 0) next
            found <- found + 1
            ids <- stol:::ids_of(pack, seq_len(stol_facts(pack)$taxa) - 1L)
            known <- ids[!is.na(ids)]
            stopifnot(is.character(ids), identical(stol_lca(pack, known, known), known), stol_subtree(pack, known[1])$id[1] == known[1],
                      inherits(tryCatch(stol_names(pack, 1), error = identity), "stol_wrong_argument"),
                      grepl("`b` has numbers: give texts, as as.character(b)", fixed = TRUE,
                            tryCatch(stol_lca(pack, known[1], 7), stol_wrong_argument = conditionMessage)))
            # NA of every type is none.
            for (none in list(NA, NA_integer_, NA_real_, NaN, NA_character_, factor(NA))) {
              none <- rep(none, 2)
              stopifnot(
                identical(stol_names(pack, none), c(NA_character_, NA)), identical(stol_lca(pack, none, none), c(NA_character_, NA)),
                identical(stol_lineage(pack, none, ranks = "genus")$genus, c(NA_character_, NA)), nrow(stol_lineage(pack, none)) == 0L,
                identical(stol_lca(pack, none, groups = c("x", "y")), c(x = NA_character_, y = NA)),
                identical(stol_lca(pack, list(none, known[1], integer(), NULL)), c(NA, known[1], NA, NA)),
                identical(stol_lca(pack, list(none)), NA_character_))
            }
            stopifnot(identical(stol_names(pack, integer()), character()), identical(stol:::id_texts(c(NA, 100000)), c(NA, "100000")))
          }
          cat(found)
        """
        with tempfile.NamedTemporaryFile("w", suffix=".R") as file:
            file.write(code)
            file.flush()
            said = run("Rscript", "--vanilla", file.name, *sorted((ROOT / "Format/vectors/v2/valid").glob("*.stolpack")))
        self.assertGreater(int(said), 0)

    def test_a_data_table_is_fit_for_columns_by_reference(self):
        code = """
          options(warn = 2)
          if (!requireNamespace("data.table", quietly = TRUE)) quit(status = 0)
          library(stol)
          library(data.table)
          pack <- stol_open(commandArgs(TRUE)[1])
          given <- list(
            data.table(name = c("tiger", "lion"), count = 1:2), data.table(name = c("tiger", "lion"), key = "name"),
            data.table(name = character()), data.table(name = c("tiger", "lion"), twice = 1:2, twice = 3:4))
          for (table in given) {
            before <- copy(table)
            found <- stol_match(pack, table, c("taxonID", "candidates", "status"))
            # Its names are changed by reference too.
            names <- copy(names(found))
            expected <- stol_match(pack, as.data.frame(table), c("taxonID", "candidates", "status"))
            stopifnot(
              inherits(found, "data.table"), identical(names, c(names(table), "taxonID", "candidates", "status")),
              identical(unname(as.list(found)), unname(as.list(expected))), identical(key(found), key(table)), identical(table, before))
            found[, more := taxonID]
            stopifnot(identical(names(found), c(names, "more")), identical(found$more, found$taxonID), identical(table, before))
            stopifnot(identical(stol_match(pack, table, character()), table))
          }
          cat("fit")
        """
        with tempfile.NamedTemporaryFile("w", suffix=".R") as file:
            file.write(code)
            file.flush()
            said = run("Rscript", "--vanilla", file.name, PACK)
        if not said:
            self.skipTest("data.table is missing")
        self.assertEqual(said, "fit")

    def test_damaged_packs_crash_nothing(self):
        code = """
          library(stol)
          arguments <- commandArgs(TRUE)
          set.seed(as.integer(arguments[2]))
          whole <- readBin(arguments[1], "raw", file.size(arguments[1]))
          answered <- refused <- 0
          for (round in 1:300) {
            bytes <- whole
            places <- sample.int(length(bytes), sample.int(20, 1))
            bytes[places] <- as.raw(sample.int(256, length(places), TRUE) - 1L)
            path <- tempfile(fileext = ".stolpack")
            writeBin(bytes, path)
            tryCatch({
              pack <- stol_open(path)
              taxa <- seq_len(min(stol_facts(pack)$taxa, 1000)) - 1L
              ids <- stol:::ids_of(pack, taxa)
              stol_lineage(pack, ids)
              stol_lineage(pack, ids, c("family", "genus"))
              stol_search(pack, c("a", "Panthera", "pantera leo"), limit = 5)
              stol_resolve(pack, stol_names(pack, ids))
              stol_tree(pack, ids[!is.na(ids)], newick = TRUE)
              answered <- answered + 1
            }, stol_error = function(error) refused <<- refused + 1)
            unlink(path)
          }
          cat(answered, refused)
        """
        print(f"STOL_TEST_SEED={SEED}", file=sys.stderr)
        with tempfile.NamedTemporaryFile("w", suffix=".R") as file:
            file.write(code)
            file.flush()
            said = run("Rscript", "--vanilla", file.name, HOUSE / "inst/extdata/example.stolpack", str(SEED % 2 ** 31))
        answered, refused = map(int, said.split())
        self.assertEqual(answered + refused, 300)
        self.assertGreater(answered, 10)
        self.assertGreater(refused, 10)

    def test_it_needs_no_library_of_stol(self):
        needed = run("readelf", "-d", INSTALLED / "stol/libs/stol.so")
        self.assertNotIn("libstol", needed)
        self.assertNotIn("swift", needed)
        self.assertNotRegex(needed, "R(UN)?PATH")
        seen = re.findall(r" T (\w+)", run("nm", "-D", "--defined-only", INSTALLED / "stol/libs/stol.so"))
        self.assertIn("R_init_stol", seen)
        self.assertFalse([name for name in seen if name.startswith("stol_")])

    def test_the_readme_is_short_and_right(self):
        readme = (HOUSE / "README.md").read_text(encoding="utf-8")
        self.assertLess(len(readme.splitlines()), 100)
        lines = [line for block in re.findall(r"```r\n(.*?)```", readme, re.S) for line in block.splitlines()]
        code = [line[2:] for line in lines if line.startswith("> ")]
        self.assertGreater(len(code), 10)
        # Where whoever reads it has what it names.
        done = subprocess.run(["R", "--vanilla", "--no-echo"], input="\n".join(code), capture_output=True, text=True, check=False, cwd=ROOT,
                              env={**os.environ, "R_LIBS": str(INSTALLED), "LC_ALL": "C.UTF-8"})
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.splitlines(), [line for line in lines if not line.startswith("> ")])


if __name__ == "__main__":
    unittest.main()
