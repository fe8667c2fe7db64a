"""What stol is built from is what the table of dependencies says, and so does the bill of materials."""
import csv
import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Licences that code under the MIT licence can be linked with, and shipped.
LICENCES = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH Swift-exception", "BSD-2-Clause", "BSD-2-Clause OR LGPL-2.1-or-later",
    "BSD-3-Clause", "BSD-3-Clause AND IJG AND Zlib", "blessing", "bzip2-1.0.6",
    "GPL-3.0-or-later WITH GCC-exception-3.1", "ISC", "LGPL-2.1-or-later",
    "LGPL-3.0-or-later OR GPL-2.0-or-later", "libpng-2.0", "MIT", "MIT AND blessing", "Zlib",
}


def table():
    with open(ROOT / "Tools/dependencies.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class DependenciesTests(unittest.TestCase):
    def test_every_row_is_whole(self):
        for row in table():
            self.assertTrue(all(row.values()), row)
            self.assertIn(row["licence"], LICENCES)
            self.assertTrue(row["address"].startswith("https://"))

    @unittest.skipUnless((ROOT / "Package.resolved").exists(), "nothing has been resolved yet")
    def test_the_table_is_what_was_resolved(self):
        pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
        resolved = {pin["identity"]: (pin["state"].get("version"), pin["location"].removesuffix(".git"))
                    for pin in pins}
        listed = {row["name"]: (row["version"], row["address"]) for row in table() if row["kind"] == "package"}
        self.assertEqual(resolved, listed)

    def test_the_manifest_pins_every_package(self):
        manifest = (ROOT / "Package.swift").read_text()
        pinned = re.findall(r'Requirement\(\s*"([^"]+)", from: "[^"]+", pinned: "([^"]+)"', manifest)
        self.assertEqual(
            {("https://github.com/" + place, version) for place, version in pinned},
            {(row["address"], row["version"]) for row in table() if row["kind"] == "package"})

    def test_system_libraries_are_those_here(self):
        for row in table():
            if row["kind"] != "library":
                continue
            done = subprocess.run(["pkg-config", "--modversion", row["name"]], capture_output=True, text=True)
            if done.returncode == 0:
                self.assertEqual(done.stdout.strip(), row["version"], row["name"])

    def test_every_library_of_the_manifest_is_listed(self):
        manifest = (ROOT / "Package.swift").read_text()
        listed = {row["name"] for row in table()}
        self.assertLessEqual(set(re.findall(r'pkgConfig: "([^"]+)"', manifest)), listed)
        self.assertLessEqual(set(re.findall(r'linkedLibrary\("([^"]+)"\)', manifest)), listed)

    def test_the_compiler_is_the_one_here(self):
        version = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
        row = next(row for row in table() if row["name"] == "swift")
        self.assertIn(f"Swift version {row['version']} ", version)

    def test_the_bill_of_materials_has_all_of_it(self):
        done = subprocess.run([ROOT / "Tools/sbom", "--version", "1.2.3", "--created", "2026-01-31T12:00:00Z"],
                              capture_output=True, text=True, check=True)
        bill = json.loads(done.stdout)
        # What SPDX 2.3 wants of a document and of each package: sections 6 and 7.
        for key in ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo"):
            self.assertTrue(bill[key])
        ids = [package["SPDXID"] for package in bill["packages"]]
        self.assertEqual(len(ids), len(set(ids)))
        for package in bill["packages"]:
            self.assertRegex(package["SPDXID"], r"^SPDXRef-[A-Za-z0-9.-]+$")
            self.assertTrue(package["name"] and package["downloadLocation"])
        own, others = bill["packages"][0], bill["packages"][1:]
        self.assertEqual((own["name"], own["versionInfo"]), ("stol", "1.2.3"))
        self.assertEqual([(package["name"], package["versionInfo"], package["licenseConcluded"]) for package in others],
                         [(row["name"], row["version"], row["licence"]) for row in table()])
        related = {link["relatedSpdxElement"] for link in bill["relationships"]}
        self.assertEqual(related, set(ids))


if __name__ == "__main__":
    unittest.main()
