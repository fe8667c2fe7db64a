"""One word, one idea: what Sources/stol.docc/Glossary.md says of words is what code, answers and help say."""
import fnmatch
import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GLOSSARY = ROOT / "Sources/stol.docc/Glossary.md"

TYPES = "struct|class|enum|protocol|actor|extension"
DECLARATION = re.compile(
    r"^(?P<indent> *)(?P<words>(?:@[\w()]+ |[a-z]+(?:\([a-z]+\))? )*?)"
    rf"(?P<kind>{TYPES}|func|var|let|case|typealias|associatedtype) (?P<rest>.*)$", re.M)


def parts_of(text):
    """Swift in parts: whether a part is code, and the part; what stands in a text's \\( ) is code."""
    parts = []
    opening = re.compile(r'(#*)("""|")')

    def code(start, ends_at_parenthesis):
        at, depth = start, 0
        while at < len(text):
            if ends_at_parenthesis and text[at] in "()":
                if text[at] == ")" and depth == 0:
                    break
                depth += 1 if text[at] == "(" else -1
            found = opening.match(text, at)
            if text.startswith(("//", "/*"), at):
                parts.append((True, text[start:at]))
                mark = "\n" if text[at + 1] == "/" else "*/"
                start = at = (text + mark).index(mark, at) + (len(mark) if mark == "*/" else 0)
            elif found:
                parts.append((True, text[start:at]))
                start = at = string(found.end(), *found.groups())
            else:
                at += 1
        parts.append((True, text[start:at]))
        return at

    def string(start, hashes, quotes):
        at = start
        while not text.startswith(quotes + hashes, at):
            if text.startswith("\\" + hashes + "(", at):
                parts.append((False, text[start:at]))
                start = at = code(at + len(hashes) + 2, True) + 1
            else:
                at += len(hashes) + 2 if text.startswith("\\" + hashes, at) else 1
        parts.append((False, text[start:at]))
        return at + len(quotes + hashes)

    code(0, False)
    return parts


def swift(folder="Sources"):
    names = subprocess.run(["git", "ls-files", "-z", "--", folder], cwd=ROOT, check=True, capture_output=True).stdout
    for name in names.decode().split("\0"):
        if name.endswith(".swift") and (ROOT / name).exists():
            yield name, (ROOT / name).read_text(encoding="utf-8")


def declarations():
    """Every declaration as (type or "", name), and of these the public ones and those for the package."""
    everything, visible = set(), set()
    for _, text in swift():
        inside = []  # (indentation, name, whether its members are as visible as itself, and visible)
        for found in DECLARATION.finditer(text):
            indent, words, kind = len(found["indent"]), found["words"].split(), found["kind"]
            while inside and inside[-1][0] >= indent:
                inside.pop()
            owner = inside[-1] if inside else (0, "", False)
            is_visible = bool({"public", "package", "open"} & set(words)) or owner[2]
            head = re.split(r"[:={]" if kind in ("let", "var") else r"\n", found["rest"])[0]
            names = re.findall(r"`?(\w+)`?(?:\([^)]*\))?(?: = [^,]*)?(?:,|$)", head) if kind in ("case", "let") \
                else re.findall(r"^`?([\w.]+)", head)
            for name in [name.split(".")[-1] for name in names]:
                if kind != "extension":
                    everything |= {("", name), (owner[1], name)}
                    if is_visible:
                        visible |= {("", name), (owner[1], name)}
            if kind in TYPES.split("|") and names:
                inside.append((indent, names[0].split(".")[-1], is_visible and kind in ("enum", "protocol")))
    return everything, visible


def fields():
    """The fields and the words of answers, of the explorer and of the report of `stol ingest`."""
    found = set()
    for folder in ("Sources/STOLAnswers", "Sources/stol"):
        for _, text in swift(folder):
            found |= set(re.findall(r'writer\.\w+\("(\w+)"', text))
            for columns in re.findall(r"olumns(?:: \[String\])? = [^\[]*\[([^\]]*)\]", text):
                found |= set(re.findall(r'"(\w+)"', columns))
    report = (ROOT / "Sources/STOLIngest/IngestReport.swift").read_text(encoding="utf-8")
    for names in re.findall(r"^ *public (?:let|(?:internal\(set\) )?var) ([\w, ]+)", report, re.M):
        found |= {name.strip() for name in names.split(",")}
    for path, kind in (("STOLAnswers/AnswerStatus", "AnswerStatus"), ("STOLIngest/Intake/RowAccount", "RowOutcome"),
                       ("STOLIngest/Findings", "Finding")):
        body = re.search(rf"enum {kind}: String.*?\n\}}", (ROOT / f"Sources/{path}.swift").read_text(), re.S)[0]
        for name, value in re.findall(r'^  case (\w+)(?: = "(\w+)")?', body, re.M):
            found.add(value or name)

    def properties(value):
        if isinstance(value, dict):
            if isinstance(value.get("properties"), dict):
                found.update(value["properties"])
            value = list(value.values())
        if isinstance(value, list):
            for element in value:
                properties(element)
    properties(json.loads((ROOT / "Sources/CExplorerAssets/openapi.json").read_text()))
    return found


def help_of_commands():
    """What the help of all commands says, and the names of their options."""
    texts, options = [], set()
    for _, text in swift("Sources/stol"):
        texts += [long or short for long, short in re.findall(
            r'(?:help|abstract|discussion|commandName|valueName|ArgumentHelp)[:(]\s*(?:ArgumentHelp\(\s*)?'
            r'(?:"""(.*?)"""|"((?:[^"\\\n]|\\.)*)")', text, re.S)]
        options |= {"--" + name for name in re.findall(r'customLong\("([\w-]+)"\)', text)}
        for attributes, name in re.findall(r"@(?:Option|Flag)\b(.*?)\bvar (\w+)", text, re.S):
            if "customLong" not in attributes:
                options.add("--" + re.sub(r"[A-Z]", lambda letter: "-" + letter[0].lower(), name))
    return "\n".join(texts), options


def rows(title):
    """The cells of the rows of the table that begins with this title."""
    table = re.search(rf"^\| {title} \|.*?\n\|[-|]+\n((?:\|.*\n)+)", GLOSSARY.read_text(encoding="utf-8"), re.M)
    assert table, f"{GLOSSARY} has no table '{title}'"
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table[1].splitlines()]


def spellings(cell):
    return re.findall(r"`([^`]+)`", cell)


class GlossaryTests(unittest.TestCase):
    def test_every_word_has_one_meaning(self):
        words = [row[0] for row in rows("word")]
        self.assertGreater(len(words), 50)
        self.assertEqual(len(words), len(set(words)))
        for row in rows("word"):
            self.assertEqual(len(row), 5, row)
            self.assertTrue(row[1] and any(row[2:]), row)

    def test_code_has_what_the_glossary_says(self):
        everything, visible = declarations()
        self.assertGreater(len(visible), 500)
        for word, _, code, _, _ in rows("word"):
            declared = everything if code.startswith("inside") else visible
            for spelling in spellings(code):
                owners = [""] + spelling.split(".")
                for owner, name in zip(owners, owners[1:]):
                    self.assertTrue((owner, name) in declared, f"{word}: no declaration of {spelling}")

    def test_answers_have_what_the_glossary_says(self):
        found = fields()
        for word, _, _, members, _ in rows("word"):
            for spelling in spellings(members):
                self.assertTrue(spelling in found, f"{word}: no field or word {spelling} of an answer")

    def test_help_says_what_the_glossary_says(self):
        texts, options = help_of_commands()
        for word, _, _, _, helped in rows("word"):
            for spelling in spellings(helped):
                if spelling.startswith("--"):
                    self.assertTrue(spelling in options, f"{word}: no option {spelling}")
                else:
                    self.assertTrue(re.search(rf"(?i)\b{re.escape(spelling)}\b", texts),
                                    f"{word}: no help says {spelling}")

    def test_nothing_is_said_that_is_not_said(self):
        rules = []
        for banned, where, instead in rows("not"):
            folders = [f"{top}/{room}" for top in ("Sources", "Tests") for room in where.split(", ")]
            for spelling in spellings(banned):
                pattern = re.compile(r"(?<!\w)" + fnmatch.translate(spelling.strip('"'))[len("(?s:"):-len(r")\Z")]
                                     .replace(".*", r"\w*") + r"(?!\w)")
                rules.append((spelling, pattern, None if where == "all" else folders, instead))
        self.assertGreater(len(rules), 10)
        for folder in ("Sources", "Tests", "Benchmarks", "Doors"):
            for name, text in swift(folder):
                parts = parts_of(text)
                code = "\n".join(part for is_code, part in parts if is_code)
                texts = "\n".join(part for is_code, part in parts if not is_code)
                for spelling, pattern, folders, instead in rules:
                    if folders is None or any(name.startswith((f"{place}/", f"{place}Tests/")) for place in folders):
                        said = texts if spelling.startswith('"') else code
                        self.assertIsNone(pattern.search(said), f"{name} says {spelling}: say {instead}")

    def test_documentation_leads_to_the_glossary(self):
        self.assertIn("<doc:Glossary>", (GLOSSARY.parent / "stol.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
