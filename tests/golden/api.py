"""The example of the public interface says what the command says. Usage: api.py BOUNDS GPUBOUND SOURCE_ROOT"""
import csv
import io
import pathlib
import subprocess
import sys
import unittest

BOUNDS, GPUBOUND, ROOT = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
COLUMNS = ["task", "response_ns", "deadline_ns", "verdict", "bound"]


def rows(*words):
    return list(csv.DictReader(io.StringIO(subprocess.run(words, capture_output=True, text=True).stdout)))


class Interface(unittest.TestCase):
    def test_same_bounds(self):
        for example in sorted([*(ROOT / "examples").glob("*.xml"), *(ROOT / "tests/golden").glob("*.xml")]):
            expected = [{name: row[name] for name in COLUMNS} for row in rows(GPUBOUND, "analyze", "-f", "csv", example) if row["kind"] == "task"]
            self.assertTrue(expected)
            self.assertEqual(rows(BOUNDS, example), expected, example.name)

    def test_refusal(self):
        result = subprocess.run([BOUNDS, "nowhere.xml"], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertNotEqual(result.stderr, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
