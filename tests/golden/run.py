"""The results of every example and of the task sets beside this file, in every format, are those recorded here.

- text, CSV and XML report (without its environment) equal the golden files; a second run gives the same bytes
- the report is valid against its schema, covers the input, and says what the CSV says; the CSV survives a round trip
- the exit status follows from the verdicts

usage: run.py GPUBOUND SOURCE_ROOT XMLLINT [--update]
"""
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

GPUBOUND, ROOT, XMLLINT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
UPDATE = "--update" in sys.argv
GOLDEN = pathlib.Path(__file__).parent
REPORT = "{urn:gpubound:report:1}"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
EXAMPLES = sorted([*(ROOT / "examples").glob("*.xml"), *(ROOT / "tests/golden").glob("*.xml")])


def analyze(example, form):
    result = subprocess.run([GPUBOUND, "analyze", "--quiet", "--format=" + form, example.relative_to(ROOT)], cwd=ROOT, env=ENVIRONMENT,
                            capture_output=True, timeout=60)
    return result.returncode, result.stdout.decode()


def without_environment(text):
    return re.sub(r"\n  <environment [^>]*/>", "", text)


def rows_of_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


def rows_of_report(report):
    for element in report.find(REPORT + "results"):
        kind = element.tag.removeprefix(REPORT)
        if kind in ("task", "stream", "chain"):
            yield {"kind": kind, "task": element.get("id") if kind != "stream" else "", "stream": element.get("id") if kind == "stream" else "",
                   "response_ns": element.get("response", ""), "deadline_ns": element.get("deadline", ""),
                   "verdict": element.get("verdict"), "bound": element.get("kind" if kind == "chain" else "bound", "")}


class Golden(unittest.TestCase):
    maxDiff = None

    def compare(self, example, suffix, text):
        path = GOLDEN / (example.stem + suffix)
        if UPDATE:
            path.write_text(text)
        self.assertTrue(path.exists(), f"{path.name} is missing: ninja golden-update")
        self.assertEqual(text, path.read_text(), path.name)

    def test_bytes(self):
        self.assertTrue(EXAMPLES)
        for example in EXAMPLES:
            for form, suffix in (("text", ".txt"), ("csv", ".csv"), ("xml", ".report")):
                with self.subTest(example=example.name, form=form):
                    first, second = analyze(example, form), analyze(example, form)
                    self.assertEqual(first, second)
                    self.compare(example, suffix, without_environment(first[1]))

    def test_no_leftovers(self):
        names = {example.stem for example in EXAMPLES}
        for path in GOLDEN.iterdir():
            if path.suffix in (".txt", ".csv", ".report"):
                self.assertIn(path.stem, names, path.name)

    def test_text_fits(self):
        for example in EXAMPLES:
            for line in analyze(example, "text")[1].splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_csv(self):
        for example in EXAMPLES:
            text = analyze(example, "csv")[1]
            rows = rows_of_csv(text)
            again = io.StringIO()
            writer = csv.DictWriter(again, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            self.assertEqual(again.getvalue(), text)

    def test_report(self):
        for example in EXAMPLES:
            text = analyze(example, "xml")[1]
            result = subprocess.run([XMLLINT, "--noout", "--schema", ROOT / "schema/report-1.xsd", "-"], input=text, text=True,
                                    capture_output=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            report = ElementTree.fromstring(text)
            coverage = report.find(REPORT + "coverage")
            for what in ("tasks", "streams", "operations", "chains"):
                self.assertEqual(coverage.get(what + "-in"), coverage.get(what + "-out"), what)
            self.assertEqual(list(rows_of_report(report)), rows_of_csv(analyze(example, "csv")[1]))
            self.steps_are_in_order(report)

    def steps_are_in_order(self, report):
        seen = {}
        for number, step in enumerate(report.find(REPORT + "derivation"), 1):
            self.assertEqual(step.get("id"), f"s{number}")
            for source in step:
                self.assertIn(source.get("step"), seen)
            seen[step.get("id")] = step.get("value")
        for element in report.find(REPORT + "results").iter():
            for attribute in ("response", "value", "inflated"):
                if element.get("step") and element.get(attribute):
                    self.assertEqual(seen[element.get("step")], element.get(attribute), element.attrib)

    def test_status(self):
        for example in EXAMPLES:
            status, text = analyze(example, "csv")
            left_out = set((ElementTree.fromstring(analyze(example, "xml")[1]).get("left-out") or "").split())
            verdicts = {row["verdict"] for row in rows_of_csv(text) if row["kind"] in ("task", "chain") and row["task"] not in left_out}
            self.assertEqual(status, 4 if "no-bound" in verdicts else 1 if "not-proven" in verdicts else 0, example.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
