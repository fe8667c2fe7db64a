"""The C library of Doors/c from outside: what file it is, and the answers of the command.

    Tools/doors --test
"""
import ctypes
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from door import (LIBRARY, NONE, PACK, ROOT, STOL, Facts, Failure, Hits, MatchColumns, Matches, MatchOptions, Pack, PackTests, ResolveOptions,
                  SearchOptions, Texts, misspelt, needs_command, needs_library)

HOUSE = ROOT / "Doors/c"
MAIN = ("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")
# Calls main without the C library's beginning of a program.
START = """
extern void exit(int);
extern int main(int, char **);
__attribute__((force_align_arg_pointer)) void _start(void) {
  long *stack = (long *)__builtin_frame_address(0) + 1;
  exit(main((int)stack[0], (char **)(stack + 1)));
}
"""


def tool(*arguments, **options):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.stderr or done.stdout}")
    return done.stdout


@needs_library
class LibraryTests(unittest.TestCase):
    """What the file is."""
    def test_it_shows_the_functions_of_the_list_and_the_header_alone(self):
        listed = (HOUSE / "abi.txt").read_text().split()
        shown = tool("nm", "-D", "--defined-only", LIBRARY).splitlines()
        self.assertEqual([line.split()[2].replace("@@STOL_1", "") for line in shown], sorted(listed))
        declared = re.findall(r"^(?:int32_t|void) (stol_\w+)\(", (HOUSE / "include/stol.h").read_text(), re.M)
        self.assertEqual(sorted(declared), sorted(listed))

    @unittest.skipUnless(platform.machine() == "x86_64", "versions are those of x86-64")
    def test_it_runs_on_systems_of_2018(self):
        needed = set(re.findall(r"\((\w+)_([\d.]+)\)", tool("objdump", "-T", LIBRARY)))
        for library, greatest in (("GLIBC", (2, 28)), ("GLIBCXX", (3, 4, 25)), ("CXXABI", (1, 3, 11))):
            versions = [tuple(map(int, version.split("."))) for name, version in needed if name == library]
            self.assertTrue(versions, library)
            self.assertLessEqual(max(versions), greatest, library)
        self.assertIn("NODELETE", tool("readelf", "-d", LIBRARY))
        libraries = re.findall(r"NEEDED\s+(\S+)", tool("objdump", "-p", LIBRARY))
        # Before glibc 2.34 some of its functions were in files of their own, which are empty now.
        self.assertEqual({name.split(".")[0] for name in libraries} - {"ld-linux-x86-64"},
                         {"libc", "libm", "libdl", "libpthread", "libstdc++", "libgcc_s"})

    def test_it_has_no_path_of_the_folder_it_was_built_in(self):
        self.assertNotIn(str(ROOT).encode(), LIBRARY.read_bytes())

    @unittest.skipUnless(shutil.which("cc") and shutil.which("c++"), "no compiler")
    def test_the_examples_are_c99_and_c_plus_plus(self):
        (shown,) = re.findall(r"```c\n(.*?)```", (HOUSE / "README.md").read_text(), re.S)
        example = HOUSE / "tests/example.c"
        self.assertEqual(example.read_text(), shown)
        said = []
        with tempfile.TemporaryDirectory() as folder:
            for source in sorted((HOUSE / "tests").glob("*.c")):
                for compiler in (["cc", "-std=c99"], ["c++", "-std=c++11", "-x", "c++"]):
                    program = pathlib.Path(folder) / "program"
                    tool(*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{HOUSE / 'include'}", source, "-x", "none",
                         LIBRARY, "-o", program)
                    said.append(tool(program, PACK, env={**os.environ, "LD_LIBRARY_PATH": str(LIBRARY.parent)}))
            static = LIBRARY.with_suffix(".a")
            if static.exists() and shutil.which("pkg-config"):
                # As the README says it; for -lstol the shared one would be taken.
                (line,) = re.findall(r"^ {6}cc (example.c .*libstol.a.*)$", (HOUSE / "README.md").read_text(), re.M)
                tool("sh", "-c", f"cc {line} -o {program}", cwd=HOUSE / "tests",
                     env={**os.environ, "PKG_CONFIG_PATH": str(LIBRARY.parent / "pkgconfig")})
                self.assertNotIn("libstol", tool("objdump", "-p", program))
                self.assertEqual(tool(program, PACK), said[0])
            if static.exists():
                tool("cc", "-std=c99", f"-I{HOUSE / 'include'}", HOUSE / "tests/example.c", static, "-lstdc++", "-lm", "-lpthread", "-ldl",
                     "-Wl,--gc-sections", "-o", program)
                self.assertEqual(tool(program, PACK), said[0])
                seen = re.findall(r" [A-TV-Z] (\w+)$", tool("nm", "--defined-only", "-g", static), re.M)
                self.assertEqual(sorted(seen), sorted((HOUSE / "abi.txt").read_text().split()))
        self.assertIn("Felidae", said[0])
        for one, other in zip(said[::2], said[1::2]):
            self.assertEqual(one, other)

    @unittest.skipUnless(platform.machine() == "x86_64" and shutil.which("cc"), "no compiler, or another processor")
    def test_it_runs_on_debian_11_and_12(self):
        """Skipped without root, debootstrap and a network; the systems stay in .build-debian."""
        for system in self.systems(ROOT / ".build-debian", "bullseye", "bookworm"):
            with self.subTest(system.name), tempfile.TemporaryDirectory(dir=system) as folder:
                folder = pathlib.Path(folder)
                # What starts a program here asks for a newer glibc.
                (folder / "start.c").write_text(START)
                tool("cc", "-O1", "-fno-stack-protector", "-c", folder / "start.c", "-o", folder / "start.o")
                tool("cc", "-std=c99", "-nostartfiles", f"-I{HOUSE / 'include'}", HOUSE / "tests/example.c", folder / "start.o", LIBRARY,
                     "-o", folder / "example")
                shutil.copy(LIBRARY, folder / "libstol.so.1")
                shutil.copy(PACK, folder)
                said = tool("chroot", system, f"/{folder.name}/example", f"/{folder.name}/{PACK.name}",
                            env={**os.environ, "LD_LIBRARY_PATH": f"/{folder.name}"})
                self.assertIn("Felidae", said)

    def systems(self, folder, *releases):
        """The folders of small systems of Debian, made beside each other where they are missing: a minute or so."""
        if os.geteuid() != 0:
            self.skipTest("chroot needs root")
        missing = [folder / release for release in releases if not (folder / release / "done").exists()]
        if missing and not shutil.which("debootstrap"):
            self.skipTest("debootstrap is missing: Tools/setup --tests")
        folder.mkdir(exist_ok=True)
        making = []
        for system in missing:
            shutil.rmtree(system, ignore_errors=True)
            making.append(subprocess.Popen(["debootstrap", "--variant=minbase", system.name, system], stdout=subprocess.PIPE, text=True))
        for system, process in zip(missing, making):
            said, _ = process.communicate()
            if process.returncode:
                print(f"debootstrap of {system.name} failed: {said[-200:]}", file=sys.stderr)
            else:
                (system / "done").touch()
        made = [folder / release for release in releases if (folder / release / "done").exists()]
        return made or self.skipTest("debootstrap makes no system here")

    def test_the_structs_of_the_header_are_those_of_these_tests(self):
        sizes = {"stol_error": Failure, "stol_texts": Texts, "stol_facts": Facts, "stol_resolve_options": ResolveOptions,
                 "stol_search_options": SearchOptions, "stol_hits": Hits, "stol_match_columns": MatchColumns,
                 "stol_match_options": MatchOptions, "stol_matches": Matches}
        if not shutil.which("cc"):
            self.skipTest("no compiler")
        lines = "".join(f'printf("%zu\\n", sizeof({name}));' for name in sizes)
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "sizes.c"
            source.write_text(f"#include <stdio.h>\n#include <stol.h>\nint main(void) {{ {lines} return 0; }}")
            tool("cc", f"-I{HOUSE / 'include'}", source, "-o", source.with_suffix(""))
            said = tool(source.with_suffix(""))
        self.assertEqual([int(line) for line in said.split()], [ctypes.sizeof(kind) for kind in sizes.values()])


@needs_library
@needs_command
class AgreementTests(PackTests):
    """20,000 questions that the command answers too, over one pack."""
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.environment = {**os.environ, "STOL_HOME": folder.name, "STOL_PACK": str(PACK)}
        roots = [row["id"] for row in json.loads(cls.ask("children", "--json"))[0]["results"]]
        # A subtree is in preorder, so that rows are in the order of ordinals.
        cls.rows = [row for root in roots for row in cls.table(cls.ask("subtree", str(root), "--tsv"))]

    @classmethod
    def ask(cls, *arguments, lines=()):
        done = subprocess.run([STOL, "query", *arguments], input="".join(line + "\n" for line in lines), text=True,
                              capture_output=True, env=cls.environment, check=False)
        if done.returncode not in (0, 1):
            raise AssertionError(done.stderr)
        return done.stdout

    @staticmethod
    def table(text):
        header, *lines = (line.split("\t") for line in text.splitlines())
        return [dict(zip(header, line, strict=True)) for line in lines]

    def test_every_taxon_is_what_the_command_says(self):
        taxa = list(range(self.count))
        self.assertEqual(len(self.rows), self.count)
        ids = self.pack.ids(taxa)
        self.assertEqual([str(number) for number in ids], [row["id"] for row in self.rows])
        self.assertEqual(self.pack.taxa_of_ids(ids), (taxa, ["exact"] * self.count))
        self.assertEqual(self.pack.taxa_of_id_texts([f" ncbi:{number} " for number in ids]), (taxa, ["exact"] * self.count))
        for field, name in (("id", "id"), ("scientificName", "scientificName"), ("rank", "rank"), ("author", "author"),
                            ("commonName", "commonName")):
            self.assertEqual(self.pack.texts(field, taxa), [row[name] for row in self.rows], field)
        parents = self.pack.column("parents", taxa)
        self.assertEqual([str(ids[parent]) if parent != NONE else "" for parent in parents], [row["parentID"] for row in self.rows])
        ends = self.pack.column("subtree_ends", taxa)
        self.assertEqual([str(end - taxon) for taxon, end in zip(taxa, ends)], [row["taxonCount"] for row in self.rows])

    def test_names_and_ids_are_resolved_alike(self):
        lines = []
        for _ in range(9_000):
            row = self.random.choice(self.rows)
            kind, name = self.random.randrange(8), row["scientificName"]
            if kind < 2:
                lines.append(name if kind == 0 else name.swapcase())
            elif kind == 2:
                lines.append(row["commonName"] or "lion")
            elif kind == 3:
                lines.append(f"{' ' * self.random.randrange(3)}{row['id']} ")
            elif kind == 4:
                lines.append(misspelt(name, self.random))
            elif kind == 5:
                lines.append(self.random.choice(("", "   ", "NA", "ncbi:" + row["id"], "0" + row["id"], "-1", "?", "x" * 513, "Oenanthe")))
            elif kind == 6:
                lines.append(f"{name.split()[0]} {self.random.choice(('sp.', 'cf. alba', 'spp.', 'spec.', 'sp. nov. 3'))}")
            else:
                # Often the authors of another.
                lines.append(f"{name} {self.random.choice((row['author'], row['author'], 'Linnaeus, 1758', '(L.) Mill.', 'x'))}")
        said = self.table(self.ask("show", "-", "--tsv", lines=lines))
        taxa, names, statuses = self.pack.resolve(lines)
        for line, row, taxon, name, status in zip(lines, said, taxa, names, statuses, strict=True):
            self.assertEqual((row["status"], row["id"]), (status, self.rows[taxon]["id"] if taxon != NONE else ""), line)
            self.assertEqual(name != NONE, status in ("synonym", "common") or status == "partial" and row["matchedName"] != "", line)
        self.assertLessEqual({"exact", "common", "partial", "ambiguous", "not_found", "invalid"}, set(statuses))
        named = [(name, row["matchedName"]) for name, row in zip(names, said) if name != NONE]
        self.assertEqual(self.pack.texts_of_names([name for name, _ in named]), [text for _, text in named])

    def test_filters_choose_alike(self):
        rank, clade = "genus", self.pack.resolve(["Aves"])[0][0]
        lines = [row["scientificName"] for row in self.random.sample(self.rows, 1_500)] + ["Oenanthe", "Prunella", "robin"] * 20
        lines += [f"{name} {self.random.choice(('sp.', 'Linnaeus, 1758', 'L.'))}" for name in lines[:500]]
        lines += ["Propionibacterium sp. oral taxon 193", "endocytobiont of Hartmannella sp. A1Hsp"]
        for options, chosen in ((("--rank", rank), {"rank": rank.encode()}), (("--within", "Aves"), {"within": clade})):
            said = self.table(self.ask("show", "-", "--tsv", *options, lines=lines))
            taxa, _, statuses = self.pack.resolve(lines, **chosen)
            for line, row, taxon, status in zip(lines, said, taxa, statuses, strict=True):
                self.assertEqual((row["status"], row["id"]), (status, self.rows[taxon]["id"] if taxon != NONE else ""), (line, options))

    def test_what_a_filter_takes_away_is_read_on(self):
        """Whole names with a marker of open nomenclature: without their taxa, what stands before it is certain."""
        with tempfile.TemporaryDirectory() as folder:
            table, mapping, database, path = (pathlib.Path(folder) / name for name in ("a.csv", "a.map", "a.sqlite", "a.stolpack"))
            table.write_text("id,parent,rank,name\n1,,genus,Aus\n2,1,species,Aus bus\n3,1,species,Aus sp\n4,1,species,Aus species\n"
                             "5,,genus,Zus\n6,5,species,Aus cus\n")
            mapping.write_text("id = id\nparent = parent\nrank = rank\nname = name\n")
            tool(STOL, "ingest", "csv", table, "--mapping", mapping, "-o", database, "-q", env=self.environment)
            tool(STOL, "pack", database, "-o", path, "-q", env=self.environment)
            pack = Pack(self.door, path)
            self.addCleanup(pack.close)
            lines = ["Aus sp", "AUS SPECIES", "Aus bus", "Aus sp.", "Aus cus", "Aus", "Zus sp", "3"]
            zus = pack.taxa_of_ids([5])[0][0]
            for options, chosen in ((("--rank", "genus"), {"rank": b"genus"}), (("--within", "5"), {"within": zus}), ((), {})):
                said = self.table(self.ask("show", "-", "--tsv", "--pack", str(path), *options, lines=lines))
                taxa, _, statuses = pack.resolve(lines, **chosen)
                found = [str(number or "") for number in pack.ids(taxa)]
                self.assertEqual(list(zip(statuses, found)), [(row["status"], row["id"]) for row in said], options)
            self.assertEqual(pack.resolve(lines[:2], rank=b"genus")[2], ["partial", "partial"])

    def test_ancestors_are_alike(self):
        sets = [self.taxa(self.random.choice((2, 2, 2, 3, 5, 9))) for _ in range(6_000)]
        lines = ["\t".join(self.rows[taxon]["id"] for taxon in members) for members in sets]
        said = [row["id"] for row in self.table(self.ask("lca", "-", "--tsv", lines=lines))]
        for bits in (32, 64):
            found = self.pack.lca_lists(sets, bits)
            self.assertEqual(said, [self.rows[taxon]["id"] if taxon != NONE else "" for taxon in found])
        pairs = [(members[:2], ancestor) for members, ancestor in zip(sets, said) if len(members) == 2]
        found = self.pack.lca_pairs([pair[0] for pair, _ in pairs], [pair[1] for pair, _ in pairs])
        self.assertEqual([ancestor for _, ancestor in pairs], [self.rows[taxon]["id"] if taxon != NONE else "" for taxon in found])
        self.assertEqual(self.pack.lca_lists([[], [NONE], [5, NONE], [7, 7]]), [NONE, NONE, 5, 7])
        self.assertEqual(self.pack.lca_pairs([NONE, 3, 4], [3, NONE, 4]), [NONE, NONE, 4])

    def test_lineages_and_ranks_are_alike(self):
        taxa = self.taxa(2_500)
        lines = [self.rows[taxon]["id"] for taxon in taxa]
        all_ranks = self.table(self.ask("lineage", "-", "--tsv", "--ranks", "all", lines=lines))
        for row, lineage in zip(all_ranks, self.pack.lineages(taxa), strict=True):
            self.assertEqual(row["id"], ";".join(self.rows[taxon]["id"] for taxon in lineage))
        main = self.table(self.ask("lineage", "-", "--tsv", "--ranks", "main", lines=lines))
        columns = self.pack.rank_columns(taxa, [rank.upper() for rank in MAIN])
        # A lineage of main ranks alone has what the columns have.
        for row, *found in zip(main, *columns, strict=True):
            self.assertEqual(row["id"], ";".join(self.rows[taxon]["id"] for taxon in found if taxon != NONE))
            self.assertEqual([self.rows[taxon]["scientificName"] if taxon != NONE else "" for taxon in found], [row[rank] for rank in MAIN])

    def test_hits_are_alike(self):
        kinds = {"scientific": 0, "synonym": 2}
        for mode, options, limit in (("exact", {}, 5), ("fuzzy", {}, 3), ("fuzzy", {"edits": 1}, 3), ("prefix", {}, 4), ("auto", {}, 10),
                                     ("auto", {"words": 1}, 10), ("prefix", {"rank": b"genus"}, 5), ("contains", {}, 4)):
            lines = []
            for row in self.random.sample(self.rows, 700):
                name = self.random.choice((row["scientificName"], row["commonName"] or row["scientificName"]))
                authored = f"{row['scientificName']} {row['author'] or 'Linnaeus, 1758'}"
                open_name = f"{row['scientificName'].split()[0]} {self.random.choice(('sp.', 'cf. alba', 'spp.', 'sp. nov. 3'))}"
                number = self.random.choice(("{}", "ncbi:{}", " {} ", "0{}", "{}1")).format(row["id"])
                lines.append(self.random.choice((name, misspelt(name, self.random), name[:self.random.randrange(3, 7)], name.split()[-1],
                                                 authored, open_name, number, name + " (L.)")))
            lines += ["NA", "unknown", "-", "none", "Oenanthe", "Homo sp.", "Propionibacterium sp. oral taxon 193", "12 34", '"tree frog"']
            lines = [line for line in lines if line.strip()]
            arguments = ["complete" if options.get("words") else "search", "-", "--jsonl", "--mode", mode, "--limit", str(limit)]
            arguments += ["--max-distance", str(options["edits"])] if "edits" in options else []
            arguments += ["--rank", options["rank"].decode()] if "rank" in options else []
            said = [json.loads(line)["results"] for line in self.ask(*arguments, lines=lines).splitlines()]
            found = self.pack.search(lines, mode=mode, limit=limit, **options)
            texts = iter(self.pack.texts_of_names([hit[1] for hits in found for hit in hits]))
            for line, results, hits in zip(lines, said, found, strict=True):
                mine = [(int(self.rows[taxon]["id"]), next(texts), kind, distance) for taxon, _, kind, _, distance in hits]
                self.assertEqual(mine, [(hit["id"], hit["matchedName"], kinds.get(hit["matchType"], 1), hit["distance"])
                                        for hit in results], (mode, line))


if __name__ == "__main__":
    unittest.main()
