"""gpubound export csv and import csv: a file as tables and back is the same file, and rows that make none are refused where they stand.

usage: tables.py GPUBOUND SOURCE_ROOT

- every example, golden task set, model, program, frame, a report and what wcet prints: the same elements, attributes, texts and comments in the
  same order; the file that came back goes round byte by byte; task sets have the same bounds, and the same report but for places in the file
- in one file, in a folder, in any order of tables and rows, as a spreadsheet writes them
- what tables cannot say, and each fault in them
"""
import csv
import io
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import served

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
PROGRAM = served.Program(GPUBOUND)
EXAMPLES = ROOT / "examples"
SETS = sorted(EXAMPLES.glob("*.xml")) + sorted((ROOT / "tests" / "golden").glob("*.xml"))
OTHERS = (sorted((ROOT / "models").glob("*.xml")) + sorted(EXAMPLES.glob("*/*.xml")) + sorted((ROOT / "tests" / "kernel").glob("*.xml")) +
          sorted((ROOT / "tests" / "import" / "golden").glob("*.xml")))
# Of a report: where things stand in the file, which a comment in another place moves, and hashes of it.
PLACES = re.compile(r' (?:line|bytes|sha256|content-sha256|line-crc32|seed)="[^"]*"|(?<=xml):[0-9]+(?=[" ,;)])')
def run(*words, text=None):
    done = PROGRAM.run([*map(str, words)], input=text, text=True)
    return done.returncode, done.stdout, done.stderr


def content(text):
    """Elements and comments as (name, attributes, text, children)."""
    builder = ElementTree.TreeBuilder(insert_comments=True)

    def of(node):
        name = node.tag if isinstance(node.tag, str) else "(comment)"
        return name, dict(node.attrib), (node.text or "").strip(), [of(child) for child in node]
    return of(ElementTree.fromstring(text, parser=ElementTree.XMLParser(target=builder)))


def around(text):
    """Comments before and behind the root, which ElementTree leaves out."""
    root = re.search(r"<[A-Za-z]", re.sub(r"<!--.*?-->", lambda found: " " * len(found.group()), text, flags=re.DOTALL)).start()
    return [part.strip() for part in re.findall(r"<!--(.*?)-->", text[:root] + text[text.rindex("</"):], re.DOTALL)]


class Tables(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)

    def write(self, name, text):
        path = self.at / name
        path.write_text(text)
        return path

    def export(self, path, errors=""):
        code, text, said = run("export", "csv", path)
        self.assertEqual((code, said if errors is None else errors), (0, said), path)
        return text

    def take(self, tables, *more):
        code, text, errors = run("import", "csv", self.write("tables.csv", tables), *more)
        self.assertEqual((code, errors), (0, ""))
        return text

    def there_and_back(self, path):
        """The file that comes back, which holds the same and goes round byte by byte."""
        text, tables = path.read_text(), self.export(path)
        back = self.take(tables)
        self.assertEqual(content(back), content(text), path)
        self.assertEqual(around(back), around(text), path)
        self.assertEqual(self.export(self.write("back.xml", back)), tables, path)
        self.assertEqual(self.take(tables), back, path)
        return back

    def report_of(self, path):
        code, text, errors = run("analyze", "-q", "-f", "xml", path)
        self.assertIn(code, (0, 1, 4), errors)
        return text

    def test_sets(self):
        for number, path in enumerate(SETS):
            with self.subTest(path.name):
                place = self.at / str(number)
                place.mkdir()
                for beside in path.parent.iterdir():
                    if beside.is_dir():
                        shutil.copytree(beside, place / beside.name)
                shutil.copy(path, place / path.name)
                before = self.report_of(place / path.name)
                (place / path.name).write_text(self.there_and_back(path))
                self.assertEqual(PLACES.sub("", self.report_of(place / path.name)), PLACES.sub("", before))

    def test_others(self):
        self.assertGreater(len(OTHERS), 100)
        finished = 0
        for path in OTHERS:
            with self.subTest(path.name):
                unfinished = "[export-unfinished]" in run("export", "csv", path)[2]
                finished += not unfinished
                if unfinished:
                    self.unfinished(path)
                else:
                    self.there_and_back(path)
        self.assertGreater(finished, 50)

    def unfinished(self, path):
        """What an import left open is complained about at its row, and nothing is written."""
        code, text, errors = run("import", "csv", self.write("tables.csv", self.export(path, None)))
        self.assertEqual((code, text), (3, ""))
        self.assertRegex(errors, r"tables\.csv:[0-9]+: error: .*\[schema-violation\]")

    def test_reports(self):
        """Of analyze and of wcet; verify takes what came back."""
        report = self.write("report.xml", self.report_of(EXAMPLES / "two-streams.xml"))
        report.write_text(self.there_and_back(report))
        code, _, errors = run("verify", report)
        self.assertEqual(code, 0, errors)
        code, text, errors = run("wcet", "-q", "-f", "xml", EXAMPLES / "kernels" / "fermi-nest.xml")
        self.assertEqual(code, 0, errors)
        self.there_and_back(self.write("wcet.xml", text))

    def test_folder(self):
        """A file for each table; in any order they are the same."""
        model = ROOT / "models" / "h200.xml"
        code, _, errors = run("export", "csv", f"--folder={self.at / 'tables'}/", model)
        self.assertEqual((code, errors), (0, ""))
        files = sorted((self.at / "tables").iterdir())
        self.assertEqual({path.suffix for path in files}, {".csv"})
        self.assertIn("comments.csv", [path.name for path in files])
        whole = self.export(model)
        self.assertEqual(sorted("\n".join(path.read_text() for path in files).split("\n")), sorted(whole.split("\n")))
        for _ in range(3):
            random.Random(7).shuffle(files)
            self.assertEqual(run("import", "csv", *files)[:2], (0, self.take(whole)))
        self.assertEqual(run("export", "csv", f"--folder={self.at / 'tables'}", model)[0], 2)
        self.assertEqual(run("export", "csv", f"--folder={self.at / 'none' / 'there'}", model)[0], 2)
        self.assertEqual([path.name for path in self.at.iterdir() if path.is_dir()], ["tables"])

    def test_spreadsheet(self):
        """Rows of one length, a mark at the beginning, ends of lines as on Windows, rows in another order, numbers of one's own."""
        tables = self.export(EXAMPLES / "cockpit.xml")
        rows = list(csv.reader(io.StringIO(tables)))
        most = max(map(len, rows))
        out = io.StringIO()
        csv.writer(out, lineterminator="\r\n").writerows(row + [""] * (most - len(row)) for row in rows)
        self.write("wide.csv", "")
        (self.at / "wide.csv").write_bytes(b"\xef\xbb\xbf" + out.getvalue().encode())
        self.assertEqual(run("import", "csv", self.at / "wide.csv")[:2], (0, self.take(tables)))
        self.assertEqual(self.take(tables.replace("\n\n", "\n")), self.take(tables))

    def test_changed(self):
        """A table is changed, a row is put between two others."""
        tables = self.export(EXAMPLES / "two-streams.xml")
        back = self.take(tables)
        more = tables.replace("150,20,filter,100ms,", "150,20,filter,50ms,").replace("120,100,s1,non-blocking", "120,100,s1,non-blocking\n115,100,s9,null")
        self.assertEqual(self.take(more), back.replace('"filter" period="100ms"', '"filter" period="50ms"').replace(
            '<stream id="s0" kind="non-blocking"/>', '<stream id="s0" kind="non-blocking"/>\n    <stream id="s9" kind="null"/>'))

    def test_golden(self):
        """What import writes of the fixture, as tables."""
        here = ROOT / "tests" / "import"
        self.assertEqual(self.export(here / "golden" / "csv.xml"), (here / "fixtures" / "tables_written.csv").read_text())

    def test_what_stands_there(self):
        """References, ends of lines, sections of characters, comments everywhere."""
        path = self.at / "small.xml"
        path.write_bytes('\ufeff<?xml version="1.0"?>\r\n<!-- one\r\n  two -->\r\n<platform xmlns="urn:gpubound:platform:1" id=\'a&#x20AC;&quot;&#10;\r\n\t&amp;lt;\'>'
                         "<a>x&#65;<!-- in a text --><![CDATA[<&amp;>]]>\r\n</a><b/></platform>\n<!--last-->".encode())
        tables = self.export(path, None)
        self.assertEqual(list(csv.reader(io.StringIO(tables, newline=""))), [
            ["(comment)", "(in)", "(text)"], ["10", "", "one\n  two"], ["40", "30", "in a text"], ["60", "", "last"], [],
            ["platform", "(in)", "xmlns", "id"], ["20", "", "urn:gpubound:platform:1", "a\u20ac\"\n  &lt;"], [],
            ["a", "(in)", "(text)"], ["30", "20", "xA<&amp;>"], [], ["b", "(in)"], ["50", "20"]])

    def test_refused(self):
        def small(inside="", head=""):
            return f'{head}<platform xmlns="urn:gpubound:platform:1" id="p">{inside}</platform>'
        for text, code, line in (
            (small("<a"), "xml-malformed", ""),
            (small('<a b=""/>'), "export-lossy", ":1"),
            (small("\n<a>text<b/></a>"), "export-lossy", ":2"),
            (small("\n<a><b/>text<c/></a>"), "export-lossy", ":2"),
            (small("\n<a><b/>text</a>"), "export-lossy", ""),
            ((ROOT / "tests" / "attacks" / "reports" / "false-signed.xml").read_text(), "export-lossy", ""),
            (small(head="<!DOCTYPE platform>\n"), "xml-doctype", ":1"),
            ("<other/>", "xml-root", ""),
            ("", "xml-root", ""),
            ('<taskset xmlns="urn:other"/>', "xml-root", ":1"),
            ('<taskset xmlns="urn:gpubound:taskset:2"/>', "xml-version", ":1"),
            (None, "file-unreadable", ""),
        ):
            with self.subTest(text=text and text[:100]):
                path = self.write("refused.xml", text) if text is not None else self.at / "none.xml"
                status, text, errors = run("export", "csv", path, "-o", self.at / "out.csv")
                self.assertEqual((status, text), (3, ""), errors)
                self.assertRegex(errors, rf"{path}{line}[:0-9]*: error: .*\[{code}\]")
                self.assertFalse((self.at / "out.csv").exists())

    def test_rows_are_named(self):
        """A fault in the file that tables make is one of the table and the row that it comes from."""
        run("export", "csv", f"--folder={self.at / 'tables'}", EXAMPLES / "cockpit.xml")
        path = self.at / "tables" / "kernel.csv"
        lines = path.read_text().split("\n")
        for line in range(1, len(lines) - 1):
            path.write_text("\n".join(lines[:line] + [lines[line].replace(",block,", ",blok,").replace(",grid,", ",gird,")] + lines[line + 1:]))
            status, text, errors = run("import", "csv", *sorted((self.at / "tables").iterdir()))
            self.assertEqual((status, text), (3, ""))
            self.assertIn(f"{path}:{line + 1}: error: attribute \"scope\"", errors)

    def test_instructions(self):
        path = self.write("model.xml", '<?xml version="1.0"?><?xml-model href="platform-1.xsd"?><platform xmlns="urn:gpubound:platform:1"/>')
        self.assertIn("1 processing instructions are left out [export-left-out]", run("export", "csv", path)[2])

    def test_memory(self):
        """Whichever allocation fails: one message, status 5, nothing written. Needs -Dtesting=true."""
        for allocation in [1, 2, 3] + list(range(5, 400, 23)):
            done = subprocess.run([GPUBOUND, "export", "csv", f"--folder={self.at / 'tables'}", EXAMPLES / "cockpit.xml"],
                                  capture_output=True, text=True, env=dict(os.environ, GPUBOUND_FAIL_ALLOCATION=str(allocation)))
            if allocation == 1 and done.returncode == 0:
                self.skipTest("built without -Dtesting=true")
            if done.returncode == 0:
                break
            self.assertEqual((done.returncode, done.stdout, done.stderr), (5, "", "gpubound: out of memory\n"), allocation)
            self.assertEqual(list(self.at.iterdir()), [])

    def test_usage(self):
        for words, said in ((["xls", "a"], "there is: csv"), (["csv"], "missing operand"), (["csv", "a", "b"], "b")):
            status, text, errors = run("export", *words)
            self.assertEqual((status, text), (2, ""))
            self.assertIn(said, errors)


sys.argv[1:] = sys.argv[3:]
unittest.main()
