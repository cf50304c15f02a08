"""Every model and every example, read and written: what was written is read as the same, written as the same bytes, and bounded as the same.

usage: round_trip.py REWRITE READ_INPUT GPUBOUND SOURCE_ROOT
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

REWRITE, READ, GPUBOUND, ROOT = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
MODELS = sorted((ROOT / "models").glob("*.xml"))
SETS = sorted((ROOT / "examples").glob("*.xml")) + sorted((ROOT / "tests" / "golden").glob("*.xml"))
# What a written model does not have: lines, where the number stood; that it was in cycles, or a fraction of its unit.
NOT_WRITTEN = re.compile(r" (line|exact)=\S+")


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def read(kind, path):
    """All fields of the model, as tests/read_input prints them."""
    code, text, errors = run(READ, kind, path)
    return code, NOT_WRITTEN.sub("", text), errors if code != 0 else ""


def bounds(path):
    code, text, errors = run(GPUBOUND, "analyze", "-q", "--format=csv", path)
    return code, text, errors


class RoundTrip(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def place(self, name, *sources):
        """A folder with what a task set names beside itself: kernels, frames."""
        place = pathlib.Path(self.folder.name) / name
        place.mkdir()
        for source in sources:
            for beside in source.iterdir():
                if beside.is_dir():
                    shutil.copytree(beside, place / beside.name)
        return place

    def rewritten(self, path, name, *words):
        place = self.place(name, *([] if words else [path.parent]))
        self.assertEqual(run(REWRITE, *words, path, place)[::2], (0, ""), path)
        return place

    def same_bytes(self, one, other, name):
        self.assertEqual((one / name).read_text(), (other / name).read_text(), name)

    def test_models(self):
        for number, path in enumerate(MODELS):
            with self.subTest(path.name):
                once = self.rewritten(path, f"{number}a", "--model")
                twice = self.rewritten(once / "platform.xml", f"{number}b", "--model")
                self.same_bytes(once, twice, "platform.xml")
                expected = read("platform", path)
                self.assertEqual(expected[0], 0)
                self.assertEqual(read("platform", once / "platform.xml"), expected)

    def test_sets(self):
        for number, path in enumerate(SETS):
            with self.subTest(path.name):
                once = self.rewritten(path, f"{number}a")
                twice = self.rewritten(once / "taskset.xml", f"{number}b")
                self.same_bytes(once, twice, "taskset.xml")
                self.same_bytes(once, twice, "platform.xml")
                expected = bounds(path)
                self.assertGreater(len(expected[1].splitlines()), 1)
                self.assertEqual(bounds(once / "taskset.xml"), expected)


sys.argv[1:] = sys.argv[5:]
unittest.main()
