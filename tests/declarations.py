"""Every declaration of a task set stands in its report with source and author, is checked by verify, and is named where reports are compared.

usage: declarations.py GPUBOUND SOURCE_ROOT
"""
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import served
from forged import mended

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
PROGRAM = served.Program(GPUBOUND)
TASKSET, REPORT = "{urn:gpubound:taskset:1}", "{urn:gpubound:report:1}"


def run(*words):
    return PROGRAM.run([*map(str, words)], text=True)


class Declarations(unittest.TestCase):
    def test_all_are_in_the_report(self):
        seen = set()
        for path in sorted((ROOT / "examples").glob("*.xml")):
            declared = ElementTree.parse(path).getroot().findall(TASKSET + "declare")
            report = ElementTree.fromstring(run("analyze", "-q", "-f", "xml", path).stdout)
            reported = {one.get("name"): one for one in report.find(REPORT + "declarations") if one.get("name") is not None}
            self.assertEqual({one.get("name") for one in declared}, set(reported), path.name)
            for one in declared:
                there = reported[one.get("name")]
                self.assertEqual((there.get("source"), there.get("by")), (one.get("source"), one.get("by")), (path.name, one.get("name")))
            seen |= {one.get("name") for one in declared}
        self.assertLessEqual({"engine.h2d", "engine.d2h", "concurrent-kernels", "copy-runlist", "overhead.copy"}, seen)

    def test_lines_beside_another_model(self):
        """A declaration that another model makes wrong is blamed by its line of the task set, not by a line of that model."""
        blamed = 0
        for path in sorted((ROOT / "examples").glob("*.xml")):
            lines = path.read_text().splitlines()
            for model in ("jetson-agx-xavier", "jetson-tx2", "jetson-thor", "h200", "titan-v"):
                for row in run("analyze", "--platform", model, path).stderr.splitlines():
                    said = re.match(r"(.*?):(\d+): (?:error|warning): (.*) \[(declaration-overrides-model|engine-number|parameter-[a-z]+|capability-exceeded)\]", row)
                    if said is None:
                        continue
                    blamed += 1
                    self.assertEqual(said[1], str(path), row)
                    self.assertRegex(lines[int(said[2]) - 1], "<(declare|assume) ", row)
        self.assertGreater(blamed, 20)

    def test_page_and_comparison(self):
        example = ROOT / "examples" / "copies.xml"
        choice = re.search(r'<declare name="engine\.d2h" value="1"', example.read_text()).group()
        with tempfile.TemporaryDirectory() as folder:
            old, new, changed = (pathlib.Path(folder) / name for name in ("old.xml", "new.xml", "set.xml"))
            run("analyze", "-q", "-o", old, example)
            page = run("report", old).stdout
            self.assertRegex(page, r'<th scope="row">engine\.d2h</th><td class="number">1</td>')
            changed.write_text(example.read_text().replace(choice, choice.replace("1", "0")))
            compared = run("analyze", "-q", "--compare", old, changed).stdout
            self.assertRegex(compared, r"Declarations\n *choice engine\.d2h[^\n]*1[^\n]*0")
            # one that is taken out of a report, or says something else, is missed
            run("analyze", "-q", "-o", new, example)
            text = new.read_text()
            for forged in (re.sub(r' *<choice name="engine\.d2h"[^\n]*\n', "", text), re.sub(r'(<choice name="engine\.d2h" value=)"1"', r'\1"0"', text)):
                self.assertNotEqual(forged, text)
                new.write_text(mended(forged))
                result = run("verify", "--without-prose", new)
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn("choice", result.stderr + result.stdout)


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
