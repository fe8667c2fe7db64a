"""What the doors can ask, the explorer's interface for programs lists too."""
import json
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Where a question of the C library is asked by HTTP: the operation, and what of it says so.
OPERATIONS = {
    "stol_get_facts": ("databases", ()),
    "stol_dataset_text": ("sources", ()),
    "stol_taxa_of_ids": ("taxon", ("id",)),
    "stol_taxa_of_id_texts": ("taxon", ("id",)),
    "stol_ids_of_taxa": ("taxon", ("id",)),
    "stol_texts_of_taxa": ("taxon", ("lang",)),
    "stol_texts_of_names": ("taxon", ("id",)),
    "stol_resolve": ("search", ("q", "mode", "rank", "within")),
    "stol_lca_pairs": ("lowestCommonAncestor", ("taxon",)),
    "stol_lca_lists": ("lowestCommonAncestor", ("taxon",)),
    "stol_lineages": ("lineage", ("id",)),
    "stol_rank_columns": ("lineage", ("id",)),
    "stol_parents": ("subtree", ("taxon",)),
    "stol_subtree_ends": ("subtree", ("taxon",)),
    "stol_search": ("search", ("q", "mode", "maxDistance", "limit", "rank", "within")),
    "stol_match": ("matchName", ("name", "authorship", "rank", "code", "family", "minScore", "ocr", "exact", "noHigher")),
}
# What asks nothing.
OTHERS = {"stol_open", "stol_close"}
# What the doors make of these answers, and the explorer has an operation for.
FURTHER = {"complete": ("q", "limit", "rank", "within"), "compare": ("taxon",), "branch": ("id", "page"), "relatives": ("id", "limit"),
           "subtree": ("format", "labels", "collapse"), "matchNames": ("add", "nameColumn")}


class HTTPTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        description = json.loads((ROOT / "Sources/CExplorerAssets/openapi.json").read_text())
        cls.schemas = {operation["operationId"]: {parameter["name"]: parameter["schema"] for parameter in operation.get("parameters", ())}
                       for path in description["paths"].values() for operation in path.values()}
        cls.operations = {name: set(parameters) for name, parameters in cls.schemas.items()}

    def test_each_function_has_an_operation(self):
        functions = set((ROOT / "Doors/c/abi.txt").read_text().split())
        self.assertEqual(functions - OTHERS - set(OPERATIONS), set(), "say here where it is asked by HTTP")
        for function in functions - OTHERS:
            operation, parameters = OPERATIONS[function]
            self.assertLessEqual(set(parameters), self.operations.get(operation, set()), (function, operation))

    def test_a_clade_is_a_text_as_ids_may_be(self):
        for name in ("search", "complete"):
            self.assertEqual(self.schemas[name]["within"], {"type": "string"}, name)

    def test_what_the_doors_make_of_them_has_one_too(self):
        for operation, parameters in FURTHER.items():
            self.assertLessEqual(set(parameters), self.operations.get(operation, set()), operation)


if __name__ == "__main__":
    unittest.main()
