"""tests/requirements.def is held to the tests, the manual and the other tables: nothing of it can rot unseen.

- every requirement has tests, and all that it names are there; every test that meson knows is named by a requirement
- the words by which a page states a requirement stand on that page
- every command has a requirement that its page states, every bound has a requirement
- numbers are in order, each once
- what the kit says (kit/, src/kit/cases.def) refers to requirements, use cases, hazards and cases that are there; each hazard is held by a
  requirement, and no use case is without one

That the manual lacks no diagnostic, rule, assumption, parameter, bound, command or option is for tests/man.py.

usage: requirements.py SOURCE_ROOT BUILD_ROOT
"""
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import unittest

from source_tables import source_tables

ROOT, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def rows(path, macro):
    return list(source_tables(ROOT).rows(ROOT / path, macro))


def requirements():
    """Number, use cases, statement, page, words, tests."""
    return rows("tests/requirements.def", "REQUIREMENT")


def tests_of_build():
    """The source of each test that meson knows, by name: the texts of its scripts, "" for a program."""
    found = {}
    for test in json.loads((BUILD / "meson-info/intro-tests.json").read_text()):
        scripts = [word for word in test["cmd"] if word.endswith(".py") and pathlib.Path(word).is_file()]
        found.setdefault(test["name"], "")
        found[test["name"]] += "".join(pathlib.Path(script).read_text() for script in scripts[:1])
    return found


def build_has_all_tests():
    """Sanitizers and builds without hooks leave tests out."""
    options = {option["name"]: option["value"] for option in json.loads((BUILD / "meson-info/intro-buildoptions.json").read_text())}
    return options["testing"] and options["b_sanitize"] == "none"


def matches(word, tests):
    """The names of the tests that a word of a row means."""
    name, _, part = word.partition(":")
    return {test for test in fnmatch.filter(tests, name) if not part or re.search(rf"^\s*(?:class|def) {re.escape(part)}\b", tests[test], re.M)}


def without_test(table, tests, whole):
    """Requirements of which a named test is not there; of a build that leaves tests out, those that have none at all."""
    for number, *_, words in table:
        lost = [word for word in words.split() if not matches(word, tests)]
        if not words.split() or len(lost) == len(words.split()) or (whole and lost):
            yield f"{number}: no test {' '.join(lost)}"


def without_requirement(table, tests):
    named = set().union(*(matches(word.partition(":")[0], tests) for row in table for word in row[5].split()))
    return sorted(set(tests) - named)


def squeezed(text):
    """Without blanks and the difference of capitals."""
    return re.sub(r"\s+", "", text).casefold()


def page_text(page):
    """What a reader of a page sees."""
    path = BUILD / "man" / page if (BUILD / "man" / page).is_file() else ROOT / "man" / page
    text = subprocess.run(["mandoc", "-T", "utf8", path], capture_output=True, text=True, check=True).stdout
    return squeezed(re.sub(".\x08", "", text))


def unstated(table, text_of):
    for number, _, _, page, words, _ in table:
        if not words or squeezed(words) not in text_of(page):
            yield f"{number}: {page} does not say: {words}"


def uncovered(table, commands, bounds):
    pages = {row[3] for row in table}
    words = {word for row in table for word in row[2].split()}
    yield from (f"no requirement for {command}" for command in commands if f"gpubound-{command}.1" not in pages and command not in words)
    yield from (f"no requirement for the bound {bound}" for bound in bounds if bound not in words)


def disordered(numbers):
    return [later for earlier, later in zip(numbers, numbers[1:]) if later <= earlier]


def references(text):
    return set(re.findall(r"\b(?:TOR|UC|HAZ|VC|KP)-[0-9]+", text))


def of_kit():
    """All texts of the kit, and what of them is there to be referred to: the first cells of their tables, requirements and cases."""
    texts = {path.name: path.read_text() for path in (ROOT / "kit").glob("*.md")}
    texts["cases.def"] = (ROOT / "src/kit/cases.def").read_text()
    texts["requirements.def"] = (ROOT / "tests/requirements.def").read_text()
    places = {place for text in texts.values() for place in re.findall(r"^\| ([A-Z]+-[0-9]+) \|", text, re.M)}
    places |= {row[0] for row in requirements()} | set(re.findall(r'^CASE\("([^"]+)"', texts["cases.def"], re.M))
    for pair in re.findall(r'^EXAMPLE\("([0-9]+)"', texts["cases.def"], re.M):
        places |= {f"VC-1{pair}1", f"VC-1{pair}2"}
    texts["cases.def"] = texts["cases.def"].replace('"VC-1" number', "").replace("VC-1\" number", "")
    return texts, places


def rows_of_page(text, prefix):
    """The rows of a page's tables of which the first cell has the prefix, as lists of cells."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith(f"| {prefix}-")]


class Kit(unittest.TestCase):
    def setUp(self):
        self.texts, self.places = of_kit()

    def test_references_lead_somewhere(self):
        for name, text in self.texts.items():
            self.assertEqual(references(text.replace("VC-1 number", "")) - self.places - {"VC-1"}, set(), name)
        self.assertEqual(references("TOR-101 and HAZ-1"), {"TOR-101", "HAZ-1"})

    def test_every_hazard_is_held(self):
        hazards = rows_of_page(self.texts["hazards.md"], "HAZ")
        self.assertGreater(len(hazards), 30)
        for row in hazards:
            self.assertEqual(len(row), 7, row)
            self.assertTrue(all(row) and references(row[6]), row)
        self.assertEqual(disordered([row[0] for row in hazards]), [])

    def test_every_use_case_has_requirements_and_worksheets(self):
        uses = {row[0] for row in rows_of_page(self.texts["use-cases.md"], "UC")}
        self.assertEqual({use for row in requirements() for use in row[1].split()}, uses)
        parts = self.texts["classification.md"].split("\n## ")[1:]
        self.assertEqual(len(parts), 4)
        for part in parts:
            self.assertEqual(uses - references(part) - {"UC-6"}, set(), part[:40])

    def test_every_case_shows_a_requirement(self):
        for row in rows("src/kit/cases.def", "CASE"):
            self.assertTrue(references(row[1]), row)


class Table(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table, cls.tests, cls.texts = requirements(), tests_of_build(), {}

    def text_of(self, page):
        if page not in self.texts:
            self.texts[page] = page_text(page)
        return self.texts[page]

    def test_form(self):
        self.assertGreater(len(self.table), 50)
        for row in self.table:
            self.assertEqual(len(row), 6, row)
            self.assertRegex(row[0], r"^TOR-[1-9][0-9]{2}$")
        self.assertEqual(disordered([row[0] for row in self.table]), [])

    def test_every_requirement_has_tests(self):
        self.assertEqual(list(without_test(self.table, self.tests, build_has_all_tests())), [])

    def test_every_test_has_a_requirement(self):
        self.assertEqual(without_requirement(self.table, self.tests), [], "name them in tests/requirements.def")

    def test_the_manual_states_every_requirement(self):
        self.assertEqual(list(unstated(self.table, self.text_of)), [])

    def test_commands_and_bounds_are_covered(self):
        commands = [row[0] for row in rows("src/cli/commands.def", "COMMAND")]
        bounds = [row[1] for row in rows("src/response/bounds/bounds.def", "BOUND")]
        self.assertEqual(list(uncovered(self.table, commands, bounds)), [])


class Planted(unittest.TestCase):
    """Each fault that the table can have is found."""
    ROW = ["TOR-101", "UC-1", "VOL-P bounds.", "gpubound-analyze.1", "the verdict", "a b:Part"]
    TESTS = {"a": "", "b": "class Part(unittest.TestCase):\n"}

    def changed(self, **columns):
        names = ["number", "uses", "statement", "page", "words", "tests"]
        return [[columns.get(name, value) for name, value in zip(names, self.ROW)]]

    def test_none(self):
        self.assertEqual(list(without_test([self.ROW], self.TESTS, True)), [])
        self.assertEqual(without_requirement([self.ROW], self.TESTS), [])
        self.assertEqual(list(unstated([self.ROW], lambda page: "so,theverdict.")), [])
        self.assertEqual(list(uncovered([self.ROW], ["analyze"], ["VOL-P"])), [])

    def test_requirement_without_test(self):
        for words in ("", "gone", "a gone", "b:Gone"):
            self.assertEqual(len(list(without_test(self.changed(tests=words), self.TESTS, True))), 1, words)
        self.assertEqual(list(without_test(self.changed(tests="a gone"), self.TESTS, False)), [])
        self.assertEqual(len(list(without_test(self.changed(tests="gone"), self.TESTS, False))), 1)

    def test_test_without_requirement(self):
        self.assertEqual(without_requirement([self.ROW], {**self.TESTS, "new": ""}), ["new"])

    def test_words_that_the_manual_lacks(self):
        self.assertEqual(len(list(unstated(self.changed(words="the sentence"), lambda page: "so,theverdict."))), 1)
        self.assertEqual(len(list(unstated(self.changed(words=""), lambda page: "so,theverdict."))), 1)

    def test_new_command_and_bound(self):
        self.assertEqual(len(list(uncovered([self.ROW], ["analyze", "brew"], ["VOL-P", "Q"]))), 2)

    def test_number_used_again(self):
        self.assertEqual(disordered(["TOR-101", "TOR-102", "TOR-102"]), ["TOR-102"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
