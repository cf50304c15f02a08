"""gpubound kit: its cases pass, each can fail, its pages lead to places that are there, the same bytes each time; results of tests are taken in.

usage: kit.py GPUBOUND SOURCE_ROOT [--update]

--update writes kit/expected/ anew: read the difference.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

GPUBOUND, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SPACE = "{urn:gpubound:verification:1}"
PAGES = ["index", "use-cases", "hazards", "classification", "requirements", "plan", "report", "safety-manual", "problems"]
LINE = '{{"name": "gpubound:quick / {}", "stdout": "", "result": "{}", "duration": 1.5}}\n'


def run(*words, data=None, **more):
    environment = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
    environment.update({"GPUBOUND_DATA": str(data)} if data else {}, **more)
    return subprocess.run([GPUBOUND, *map(str, words)], capture_output=True, text=True, timeout=600, env=environment)


def update():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "kit"
        for file in re.findall(r'EQUALS, "([^"]+)"', (ROOT / "src/kit/cases.def").read_text()):
            (ROOT / "kit/expected" / file).touch()
        for file in re.findall(r'^EXAMPLE\((?:"[^"]*", ){3}\d, "([^"]+)"', (ROOT / "src/kit/cases.def").read_text(), re.M):
            (ROOT / "kit/expected" / f"{file}.csv").touch()
        print(run("kit", "-o", folder).stdout)
        for case in ElementTree.parse(folder / "verification.xml").getroot().findall(SPACE + "case"):
            if case.get("expected-output"):
                shutil.copyfile(folder / "evidence" / (case.get("number") + ".out"), ROOT / "kit/expected" / case.get("expected-output"))


def make(folder, *words, data=None, status=0, **more):
    result = run("kit", "-o", folder, *words, data=data, **more)
    assert result.returncode == status, (result.returncode, result.stdout, result.stderr)
    return result


def root(folder):
    return ElementTree.parse(folder / "verification.xml").getroot()


def failed(folder):
    return {case.get("number") for case in root(folder).findall(SPACE + "case") if case.get("outcome") == "failed"}


def tree(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Kit(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.at = pathlib.Path(self.temporary.name)

    def data(self):
        """The shipped data as an installation has them, to be changed."""
        for name in ("models", "schema", "examples", "kit"):
            shutil.copytree(ROOT / name, self.at / "data" / name)
        return self.at / "data"


class Whole(Kit):
    """The kit of this program: one, made twice."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.one, cls.other = (pathlib.Path(cls.folder.name) / name for name in ("one", "other"))
        cls.said = make(cls.one, SOURCE_DATE_EPOCH="1700000000")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_passes(self):
        self.assertEqual(failed(self.one), set())
        self.assertGreater(len(root(self.one).findall(SPACE + "case")), 60)
        self.assertRegex(self.said.stdout, r"^cases   (\d+) of \1 passed\n")
        self.assertLessEqual(max(map(len, self.said.stdout.splitlines()[:-1])), 80)

    def test_same_bytes_from_other_data(self):
        make(self.other, data=self.data(), SOURCE_DATE_EPOCH="1700000000")
        self.assertEqual(tree(self.one), tree(self.other))

    def test_sums(self):
        subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=self.one, check=True)
        named = {line.split("  ")[1] for line in (self.one / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(named, {str(path) for path in tree(self.one)} - {"SHA256SUMS"})

    def test_pages(self):
        """Well-formed, nothing loaded from elsewhere, each link leads to a place that is there, no place twice."""
        texts = {path.name: path.read_text() for path in self.one.glob("*.html")}
        self.assertEqual(set(texts), {name + ".html" for name in PAGES})
        places = {name: re.findall(r' id="([^"]*)"', text) for name, text in texts.items()}
        links = 0
        for name, text in texts.items():
            ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))
            self.assertEqual(len(places[name]), len(set(places[name])), name)
            self.assertNotRegex(text, r"https?:|src=|@[a-z]+@")
            for target, place in re.findall(r'href="([^"#]*)(?:#([^"]*))?"', text):
                self.assertTrue((self.one / (target or name)).is_file(), (name, target))
                self.assertTrue(not place or place in places[target or name], (name, target, place))
                links += bool(place)
        self.assertGreater(links, 300)

    def test_lists(self):
        """Every assumption, requirement and case stands in its page as a place."""
        source = ROOT / "src/model/assumptions.def"
        ids = re.findall(r'^ASSUMPTION\(\w+, "([^"]+)"', source.read_text(), re.M)
        self.assertEqual(re.findall(r'<tr id="(A-[^"]+)"', (self.one / "safety-manual.html").read_text()), ids)
        numbers = re.findall(r'^REQUIREMENT\("([^"]+)"', (ROOT / "tests/requirements.def").read_text(), re.M)
        self.assertEqual(re.findall(r'<tr id="(TOR-[^"]+)"', (self.one / "requirements.html").read_text()), numbers)
        cases = [case.get("number") for case in root(self.one).findall(SPACE + "case")]
        self.assertEqual(re.findall(r'<tr id="(VC-[^"]+)"', (self.one / "plan.html").read_text()), cases)
        self.assertEqual(len(cases), len(set(cases)))

    def test_text(self):
        wide = [line for line in (self.one / "kit.txt").read_text().splitlines() if len(line) > 80 and " " in line.strip()]
        self.assertEqual(wide, [])

    def test_date(self):
        self.assertIn("2023-11-14T22:13:20Z", (self.one / "report.html").read_text())

    def test_commands_by_hand(self):
        """As the plan says: in evidence/, by the words of a case."""
        environment = {**os.environ, "GPUBOUND_DATA": str(ROOT)}
        case = next(case for case in root(self.one).findall(SPACE + "case") if case.get("number") == "VC-1012")
        result = subprocess.run([GPUBOUND, *case.get("command").split()], cwd=self.one / "evidence", capture_output=True, env=environment)
        self.assertEqual((result.returncode, result.stdout), (0, (self.one / "evidence/VC-1012.out").read_bytes()))


class Failing(Kit):
    """An installation that is not as it should be: each kind of check can fail, and says so."""

    def test_changed_data(self):
        data = self.data()
        expected = data / "kit/expected/copies.csv"
        expected.write_text(expected.read_text().replace("8032000", "8031999", 1))  # a number
        set_ = data / "examples/waters2019-overload.xml"
        set_.write_text((data / "examples/waters2019.xml").read_text())  # a status
        model = data / "models/tesla-c2070.xml"
        model.unlink()
        shutil.copy(data / "models/gtx-480.xml", data / "models/gtx-580.xml")  # another board under the name
        result = make(self.at / "kit", data=data, status=1)
        self.assertEqual(failed(self.at / "kit") - {"VC-603"}, {"VC-1021", "VC-1051", "VC-1052"})
        for number in failed(self.at / "kit"):
            self.assertRegex(result.stdout, rf"(?m)^FAILED  {number}  ")
        report = (self.at / "kit/report.html").read_text()
        self.assertIn("REFUTED", report)
        self.assertIn("line 2 is another one", report)

    def test_words(self):
        """A message without its code, as a version with other words would have it."""
        data = self.data()
        schema = data / "examples/two-streams.xml"
        schema.write_text(schema.read_text().replace('id="resize_kernel"', 'id="renamed"'))
        make(self.at / "kit", data=data, status=1)
        self.assertLessEqual({"VC-201", "VC-205", "VC-208"}, failed(self.at / "kit"))

    def test_pages_that_cannot_be_used(self):
        for name, change, said in (("hazards.md", lambda text: text.replace("| HAZ-01 |", "| HAZ-01 | more |"), "as many cells"),
                                   ("report.md", lambda text: text.replace("@summary@", "@sumary@"), "the name of a list"),
                                   ("plan.md", lambda text: "plan\n", "a title"), ("index.md", lambda text: "", "file is empty"),
                                   ("problems.md", None, "No such file")):
            with self.subTest(name):
                data = self.data()
                path = data / "kit" / name
                text = path.read_text()
                path.unlink()
                if change is not None:
                    path.write_text(change(text))
                result = run("kit", "-o", self.at / "kit", data=data)
                shutil.rmtree(data)
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertIn(said, result.stderr)
                self.assertEqual(os.listdir(self.at), [])

    def test_no_data(self):
        for gone in ("schema", "kit", "examples"):
            data = self.data()
            shutil.rmtree(data / gone)
            result = run("kit", "-o", self.at / "kit", data=data)
            shutil.rmtree(data)
            self.assertEqual(result.returncode, 3, (gone, result.stderr))
            self.assertEqual(os.listdir(self.at), [])

    def test_folder(self):
        (self.at / "there").mkdir()
        (self.at / "file").write_text("")
        for folder in ("there", "there/", "file", "nowhere/kit"):
            result = run("kit", "-o", f"{self.at}/{folder}")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("cannot be written", result.stderr)
        self.assertEqual(sorted(os.listdir(self.at)), ["file", "there"])
        for words in ((), ("-o", ""), ("-o", "-"), ("-o", "x", "more")):
            self.assertEqual(run("kit", *words).returncode, 2, words)
        self.assertEqual(run("kit", "-o", self.at / "kit", SOURCE_DATE_EPOCH="today").returncode, 2)


class Tests(Kit):
    """Results of the tests of the source."""

    def log(self, *results, name="testlog.json"):
        path = self.at / name
        path.write_text("".join(LINE.format(*result) for result in results))
        return f"--tests={path}"

    def shown(self, folder):
        found = {}
        for requirement in root(folder).findall(SPACE + "requirement"):
            for by in requirement.findall(SPACE + "shown-by"):
                if by.get("test"):
                    found.setdefault(requirement.get("number"), {})[by.get("test")] = by.get("outcome")
        return found

    def test_taken_in(self):
        one = self.log(("locks", "OK"), ("layers", "SKIP"), ("papers-poet", "OK"))
        other = self.log(("locks", "TIMEOUT"), ("slack", "OK"), name="more.json")
        result = make(self.at / "kit", one, other, status=1)
        self.assertIn("FAILED  test locks\n", result.stdout)
        self.assertIn("tests   2 passed, 1 skipped, 1 failed\n", result.stdout)
        self.assertEqual(self.shown(self.at / "kit"), {
            "TOR-109": {"slack": "passed"}, "TOR-112": {"papers-poet": "passed"},
            "TOR-208": {"papers-poet": "passed"}, "TOR-209": {"locks": "failed"}, "TOR-217": {"locks": "failed"}, "TOR-218": {"locks": "failed"},
            "TOR-221": {"locks": "failed"}, "TOR-505": {"layers": "skipped"}, "TOR-707": {"layers": "skipped"}})
        report = (self.at / "kit/report.html").read_text()
        row = re.search(r"<tr>\s*<td><a[^>]*>TOR-209</a></td>.*?</tr>", report, re.S).group()
        self.assertIn("REFUTED", row)
        self.assertIn("0 of 1 passed, 1 FAILED", row)
        self.assertTrue(re.search(r"TOR-505</a></td>\s*<td>nothing of it ran", report))

    def test_no_results(self):
        path = self.at / "log"
        for text in ("{", "[]\n", '{"name": "a"}\n', '{"name": "a", "result": "FINE"}\n', '{"result": "OK"}\n', "<testsuites/>\n"):
            path.write_text(LINE.format("locks", "OK") + text)
            result = run("kit", "-o", self.at / "kit", f"--tests={path}")
            self.assertEqual(result.returncode, 3, (text, result.stderr))
            self.assertIn(f"{path}:2: error:", result.stderr)
            self.assertIn("[test-results]", result.stderr)
        self.assertEqual(run("kit", "-o", self.at / "kit", f"--tests={self.at}/absent").returncode, 3)
        self.assertEqual(os.listdir(self.at), ["log"])


if __name__ == "__main__":
    if "--update" in sys.argv:
        sys.exit(update())
    unittest.main(argv=sys.argv[:1])
