"""A proof that rests on what nobody vouches for stays conditional in everything that a reader is given.

usage: conditional.py GPUBOUND SOURCE_ROOT
"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from forged import mended

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
ASSUMED = ["--assume=A-FIT"]
SET = ROOT / "examples" / "two-streams.xml"  # 76.8 ms without A-FIT, 26.4 ms with it
DEADLINE = ('deadline="100ms"', 'deadline="30ms"')
REPORT = "{urn:gpubound:report:1}"


def run(*words, status=0):
    done = subprocess.run([GPUBOUND, *map(str, words)], capture_output=True, text=True, timeout=60)
    if done.returncode != status:
        raise AssertionError(f"{words}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done.stdout


def verdicts(path, *words, status):
    rows = csv.DictReader(io.StringIO(run("analyze", "--format=csv", *words, path, status=status)))
    return {row["task"]: (row["verdict"], row["bound"], int(row["response_ns"])) for row in rows if row["kind"] == "task"}


class Conditional(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.report = pathlib.Path(cls.folder.name) / "report.xml"
        cls.set = cls.write("set.xml", DEADLINE)
        run("analyze", *ASSUMED, "-o", cls.report, cls.set, status=7)

    @classmethod
    def write(cls, name, *changes):
        """The example with some of its text changed."""
        text = SET.read_text()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        path = pathlib.Path(cls.folder.name) / name
        path.write_text(text)
        return path

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_more_assumed_is_no_more_taken(self):
        """H of other contexts that rests on A-CE counts in a CHAIN that rests on A-CE: 75 ns, and not 90, of which 80 are the deadline."""
        turns = ROOT / "tests" / "conditional" / "turns.xml"
        self.assertEqual(verdicts(turns, status=0)["t0"], ("proven", "CHAIN", 75))
        self.assertEqual(verdicts(turns, "--assume=A-CE", status=7)["t0"], ("conditional", "CHAIN", 75))

    def test_not_proven_without(self):
        self.assertTrue(all(verdict == "not-proven" for verdict, _, _ in verdicts(self.set, status=1).values()))

    def test_status(self):
        self.assertEqual({verdict for verdict, _, _ in verdicts(self.set, *ASSUMED, status=7).values()}, {"conditional"})
        verdicts(self.set, *ASSUMED, "--pass-conditional", status=0)
        verdicts(self.set, "--pass-conditional", status=1)  # lets nothing else pass

    def test_text(self):
        text = run("analyze", *ASSUMED, self.set, status=7)
        self.assertRegex(text, r"verdict +conditional; what is marked \* holds only if these do: A-FIT")
        self.assertRegex(text, r"(?m)^filter .*conditional  VOL-P\*$")
        self.assertIn("Task filter: conditional", run("analyze", *ASSUMED, "--explain=filter", self.set, status=7))
        summary = run("analyze", *ASSUMED, self.set, ROOT / "examples" / "cockpit.xml", status=7)
        self.assertIn("1 proven, 1 conditional, 0 not proven, 0 no bound", summary)

    def test_report_and_verify(self):
        root = ElementTree.parse(self.report).getroot()
        self.assertEqual(root.get("verdict"), "conditional")
        self.assertEqual({task.get("verdict") for task in root.iter(REPORT + "task")}, {"conditional"})
        self.assertEqual({stream.get("verdict") for stream in root.find(REPORT + "results").iter(REPORT + "stream")}, {"conditional"})
        self.assertIn("verified: conditional", run("verify", self.report))

    def test_forged(self):
        """The word alone changed, and the sums with it: the verdict is derived again."""
        forged = pathlib.Path(self.folder.name) / "forged.xml"
        forged.write_text(mended(self.report.read_text().replace('verdict="conditional"', 'verdict="proven"')))
        done = subprocess.run([GPUBOUND, "verify", "-v", "--without-prose", str(forged)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("conditional", done.stderr)

    def test_page(self):
        page = run("report", self.report)
        self.assertRegex(page, r"<title>[^<]*: conditional</title>")
        self.assertIn("0 proven, 2 conditional, 0 not proven", page)
        self.assertNotIn('class="verdict proven"', page)
        self.assertRegex(page, r"proven only if these assumptions hold[^<]*A-FIT")

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(run("report", "--format=csv", self.report))))
        self.assertEqual({row["verdict"] for row in rows}, {"conditional"})

    def test_junit(self):
        root = ElementTree.fromstring(run("report", "--format=junit", self.report))
        self.assertEqual([failure.get("type") for failure in root.iter("failure")], ["conditional", "conditional"])
        self.assertEqual(root.get("failures"), "2")
        passed = ElementTree.fromstring(run("report", "--format=junit", "--pass-conditional", self.report))
        self.assertEqual((passed.get("failures"), list(passed.iter("failure"))), ("0", []))
        for suite in (root, passed):
            properties = {one.get("name"): one.get("value") for one in suite.iter("property")}
            self.assertEqual((properties["verdict"], properties["conditions"]), ("conditional", "A-FIT"))
            self.assertTrue(all("verdict: conditional" in case.findtext("system-out") for case in suite.iter("testcase")))

    def test_sarif(self):
        results = json.loads(run("report", "--format=sarif", self.report))["runs"][0]["results"]
        found = [result for result in results if result["ruleId"] == "conditional"]
        self.assertEqual([result["level"] for result in found], ["warning", "warning"])
        self.assertTrue(all("A-FIT" in result["properties"]["assumptions"].split() for result in found))

    def test_reqif(self):
        path = self.write("required.xml", DEADLINE, ('<task id="filter"', '<task id="filter" requirement="REQ-1"'))
        report = pathlib.Path(self.folder.name) / "reqif.xml"
        run("analyze", *ASSUMED, "-o", report, path, status=7)
        relations = run("report", "--format=reqif", report)
        self.assertIn("<SPEC-RELATION-TYPE-REF>gpubound-t-proves-conditionally</SPEC-RELATION-TYPE-REF>", relations)

    def test_bundle(self):
        bundle = pathlib.Path(self.folder.name) / "bundle.tar"
        run("report", "--bundle", bundle, self.report)
        with tarfile.open(bundle) as tar:
            readme = next(tar.extractfile(name).read().decode() for name in tar.getnames() if name.endswith("README"))
        self.assertRegex(readme, r": conditional[,;]")

    def test_without_conditions_first(self):
        """A deadline that a bound without conditions meets is proven by the least of those, whatever else is assumed and would be less."""
        found = verdicts(ROOT / "examples" / "cockpit.xml", "--assume=A-CE", status=0)
        self.assertEqual({(verdict, bound) for verdict, bound, _ in found.values()}, {("proven", "P-GPU")})
        report = pathlib.Path(self.folder.name) / "cockpit.xml"
        run("analyze", "--assume=A-CE", "-o", report, ROOT / "examples" / "cockpit.xml", status=0)
        for task in ElementTree.parse(report).getroot().find(REPORT + "results").iter(REPORT + "task"):
            least = min(int(bound.get("value")) for bound in task.iter(REPORT + "bound") if bound.get("value"))
            self.assertLess(least, int(task.get("response")))
        self.assertIn("verified: proven", run("verify", report))

    def test_slack(self):
        """What is proven stays so without conditions up to the figures; beyond, a condition may still meet the deadline, and does not count."""
        copies = "".join(f'<copy id="{name}" stream="s1" direction="h2d" wcet="100us"/>' for name in "bcd")
        body = (f'<task id="t0" period="10ms" deadline="1ms"><copy id="a" stream="s0" direction="h2d" wcet="100us"/></task>'
                f'<task id="t1" period="2ms">{copies}</task>')
        path, report = (pathlib.Path(self.folder.name) / name for name in ("slack.xml", "slack.report"))

        def set_of(tasks):
            path.write_text('<taskset xmlns="urn:gpubound:taskset:1" id="s" platform="jetson-agx-xavier" origin="t"><origins><origin id="t" '
                            'kind="declared" source="made up" by="the tests"/></origins>' + "".join(
                                f'<declare name="{name}" value="{value}" source="t" by="t"/>' for name, value in (
                                    ("engine.h2d", "0"), ("copy-runlist", "own"), ("overhead.copy", "0ns"), ("overhead.dependency", "0ns"),
                                    ("queues.hardware", "8")))
                            + '<interference victim="transfer" from="all" value="1" source="t" by="t"/>'
                            '<application id="a"><stream id="s0"/><stream id="s1"/></application>' + tasks + "</taskset>")

        set_of(body)  # 400 us whatever the order of copies, 200 us where they are served in order
        self.assertEqual(verdicts(path, "--assume=A-CE", status=0)["t0"], ("proven", "VOL-P", 400000))
        run("analyze", "--assume=A-CE", "--slack", "-o", report, path)
        figure = next(one for one in ElementTree.parse(report).getroot().iter(REPORT + "slack") if one.get("task") == "t0")
        self.assertEqual(figure.get("all-wcets"), "1500")
        self.assertIn("t0 stays proven while all WCETs grow by at most +150.0 %", " ".join(
            run("analyze", "--assume=A-CE", "--slack", "--explain=t0", path).split()))
        self.assertIn("slack: at each of", run("verify", report))
        set_of(body.replace("100us", "251us"))
        self.assertEqual(verdicts(path, "--assume=A-CE", status=7)["t0"][0], "conditional")

    def test_many_options(self):
        """However many options a report was made with, all of them count when its slack is checked."""
        path, report = (pathlib.Path(self.folder.name) / name for name in ("many.xml", "many.report"))
        path.write_text(SET.read_text().replace(*DEADLINE))
        run("analyze", *["--assume=A-CE"] * 66, *ASSUMED, "--slack", "-q", "-o", report, path, status=7)
        self.assertIn("slack: at each of", run("verify", report))


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
