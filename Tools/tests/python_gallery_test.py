"""Doors/python/GALLERY.md: each example is run, by stol, taxopy and ete4 over the same mammals.

    Tools/wheel --test
"""
import contextlib
import doctest
import importlib
import io
import pathlib
import sys
import tarfile
import tempfile
import unittest

from python_package import PACK, ROOT, stol

GALLERY = ROOT / "Doors/python/GALLERY.md"


def peer(name):
    """Another library, or None, which is said."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"{error}: what {name} answers in the gallery is not tested", file=sys.stderr)
        return None


def write_dump(folder, top):
    """The files of NCBI's taxdump for a taxon, what is above it and all that is below."""
    def line(*fields):
        return "\t|\t".join(map(str, fields)) + "\t|\n"
    taxa = [*top.lineage, *top.descendants]
    with open(folder / "nodes.dmp", "w", encoding="utf-8") as nodes, open(folder / "names.dmp", "w", encoding="utf-8") as names:
        nodes.write(line(1, 1, "no rank", *[""] * 10))
        names.write(line(1, "root", "", "scientific name"))
        for taxon in taxa:
            nodes.write(line(taxon.id, taxon.parent.id if taxon.parent else 1, taxon.rank, *[""] * 10))
            names.write(line(taxon.id, taxon.name, "", "scientific name"))
    (folder / "merged.dmp").touch()
    with tarfile.open(folder / "taxdump.tar.gz", "w:gz") as archive:
        for name in ("nodes.dmp", "names.dmp", "merged.dmp"):
            archive.add(folder / name, name)


class GalleryTests(unittest.TestCase):
    def test_every_example_is_right(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path, pack = pathlib.Path(folder.name), stol.open(PACK)
        write_dump(path, pack["Mammalia"])
        names = {"pack": pack}
        if taxopy := peer("taxopy"):
            names["taxopy"] = taxopy
            names["taxa"] = taxopy.TaxDb(nodes_dmp=str(path / "nodes.dmp"), names_dmp=str(path / "names.dmp"),
                                         merged_dmp=str(path / "merged.dmp"), keep_files=True)
        if ete4 := peer("ete4"):
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                names["ncbi"] = ete4.NCBITaxa(dbfile=str(path / "taxa.sqlite"), taxdump_file=str(path / "taxdump.tar.gz"))
            self.addCleanup(names["ncbi"].db.close)
        test = doctest.DocTestParser().get_doctest(GALLERY.read_text().replace("```", ""), names, GALLERY.name, str(GALLERY), 0)
        ran = {"pack": 0, "taxopy": 0, "ncbi": 0}
        for example in test.examples:
            library = next(name for name in ("taxopy", "ncbi", "pack") if name in example.source or name == "pack")
            ran[library] += 1
        test.examples = [example for example in test.examples
                         if not any(name in example.source and name not in names for name in ("taxopy", "ncbi"))]
        self.assertTrue(ran["pack"] >= 10 and ran["taxopy"] >= 8 and ran["ncbi"] >= 8, ran)
        said = []
        doctest.DocTestRunner().run(test, out=said.append)
        self.assertEqual("".join(said), "")


if __name__ == "__main__":
    unittest.main()
