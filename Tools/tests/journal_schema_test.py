"""Format/journal.schema.json by a validator of others, on the journals of Format/vectors."""

import json
import pathlib
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

FORMAT = pathlib.Path(__file__).resolve().parents[2] / "Format"


@unittest.skipIf(jsonschema is None, "python3-jsonschema is missing: Tools/setup --tests")
class JournalSchemaTest(unittest.TestCase):
    def setUp(self):
        self.schema = json.loads((FORMAT / "journal.schema.json").read_text())

    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_journals_are_valid_by_it(self):
        validator = jsonschema.Draft202012Validator(self.schema)
        files = sorted((FORMAT / "vectors/journal").glob("*.jsonl"))
        self.assertTrue(files)
        for file in files:
            records = [json.loads(line) for line in file.read_text().splitlines()]
            document = {
                "format": "stol-journal", "version": 1, "writer": "a test", "records": records
            }
            self.assertEqual([error.message for error in validator.iter_errors(document)], [])
            for record in records:
                record["other"] = 1
            document["records"] = records[:1]
            self.assertFalse(validator.is_valid(document))


if __name__ == "__main__":
    unittest.main()
