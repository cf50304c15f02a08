"""gpubound-tutorial(7), typed in by a program: every command of the page is run, and what the page shows is what is printed.

In the page a -literal display is what the reader types; all of them run in one folder. An -unfilled display right behind one is what that
prints: line by line, "..." for any lines, a line that ends with a backslash goes on in the next, and a line may be cut at its end.

usage: tutorial.py GPUBOUND SOURCE_ROOT
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
PAGE = ROOT / "man" / "gpubound-tutorial.7"
DATA = "/usr/local/share/gpubound"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
ENVIRONMENT["PATH"] = f"{GPUBOUND.parent}:{ENVIRONMENT['PATH']}"
STATUSES = {"not-proven  whole": 1, "no-bound": 4, "error: ": 3, "FAIL": 1}  # what a display shows, and the status that goes with it; else 0


def plain(text):
    """What a reader sees of a display's source."""
    return text.replace(r"\e", "\\").replace(r"\&", "")


def displays():
    """(commands, shown or None) in the page's order."""
    parts = re.findall(r"^\.Bd -(literal|unfilled)(?: -offset indent)?\n(.*?)^\.Ed\n", PAGE.read_text(), re.S | re.M)
    for number, (kind, text) in enumerate(parts):
        if kind == "literal":
            after = parts[number + 1] if number + 1 < len(parts) else ("", "")
            yield plain(text), plain(after[1]) if after[0] == "unfilled" else None


def as_pattern(shown):
    lines = []
    for line in shown.replace("\\\n", "").splitlines():
        lines.append(r"(?:.*\n)*" if line == "..." else re.escape(line) + r".*\n")
    return re.compile("".join(lines))


class Tutorial(unittest.TestCase):
    def setUp(self):
        for needed in ("xmlsec1", "openssl"):
            if shutil.which(needed) is None:
                self.skipTest(f"{needed} is not installed: the tutorial is not tried")

    def test_every_command(self):
        tried = list(displays())
        self.assertGreater(len(tried), 15)
        with tempfile.TemporaryDirectory() as folder:
            for commands, shown in tried:
                result = subprocess.run(["sh", "-e", "-c", commands.replace(DATA, str(ROOT))], cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=60)
                expected = next((status for word, status in STATUSES.items() if word in (shown or "")), 0)
                self.assertEqual(result.returncode, expected, f"{commands}\n{result.stdout}")
                if shown is not None:
                    self.assertRegex(result.stdout, as_pattern(shown), commands)
            made = {path.name for path in pathlib.Path(folder).iterdir()}
            self.assertLessEqual({"report.html", "junit.xml", "results.reqif", "drive-evidence.tar", "signed.xml"}, made)

    def test_from_a_clone(self):
        """The first display fetches the files from a clone, too, where the reader says where that is, as the page has it."""
        self.assertIn("export DATA=", PAGE.read_text())
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["sh", "-e", "-c", next(displays())[0]], cwd=folder, env={**ENVIRONMENT, "DATA": str(ROOT)}, check=True, timeout=60)
            self.assertEqual({path.name for path in pathlib.Path(folder).iterdir()}, {"map.csv", "trace.csv"})

    def test_names_the_installed_folder(self):
        self.assertIn(DATA, PAGE.read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
