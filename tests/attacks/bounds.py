"""Task sets whose bounds were too low: by hand, in the simulator or on an H200 each took longer. No bound is below that now, or the set is refused.

usage: bounds.py GPUBOUND SOURCE_ROOT
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
CASES = ROOT / "tests" / "attacks" / "bounds"
REPORT = "{urn:gpubound:report:1}"
TAKES = {  # ns, of a run that the assumptions permit
    "delay-one-kernel": {"t2": 8201},  # the model's own delay
    "stall-h200": {"t2": 26002},  # its delay and stall, beside another kernel
    "stall-volp": {"t2": 21393},
    "sync-call": {"t1": 200},  # the thread waits for its copy, then launches the kernel
    "idle-streams": {"t2": 300},  # the ninth stream shares the first one's queue
    "ticks": {"k": 210},  # an o_dep of one nanosecond, with ticks of ten: ready between two of them
    "configured": {"short": 30100},  # it waits until no other block is on the whole chip
    "one-by-one": {"three": 457},  # a thread launches a kernel at once, and a copy when its host segment ends
}
REFUSED = {"graph-streams": "unsupported-graph-streams", "graph-host": "unsupported-graph-host", "ce": "parameter-below-assumption"}


def gpubound(*words):
    return subprocess.run([GPUBOUND, *map(str, words)], env={"GPUBOUND_DATA": str(ROOT)}, capture_output=True, text=True, timeout=60)


class Bounds(unittest.TestCase):
    def test_none_is_below(self):
        for name, takes in TAKES.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                report = pathlib.Path(folder) / "report.xml"
                gpubound("analyze", "-q", "-o", report, CASES / f"{name}.xml")
                verified = gpubound("verify", report)
                self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
                tasks = {task.get("id"): task for task in ElementTree.parse(report).getroot().find(REPORT + "results").iter(REPORT + "task")}
                for task, least in takes.items():
                    bounds = {bound.get("name"): int(bound.get("value")) for bound in tasks[task].iter(REPORT + "bound") if bound.get("value")}
                    self.assertTrue(bounds)
                    for bound, value in bounds.items():
                        self.assertGreaterEqual(value, least, (task, bound))

    def test_refused(self):
        for name, code in REFUSED.items():
            with self.subTest(name):
                result = gpubound("analyze", CASES / f"{name}.xml")
                self.assertEqual((result.returncode, result.stdout), (3, ""))
                self.assertRegex(result.stderr, rf"{re.escape(name)}\.xml:\d+: error: .*\[{code}\]")

    def test_all_are_named(self):
        self.assertEqual({path.stem for path in CASES.glob("*.xml")} - {"plat", "ticks-plat", "configured-plat"}, set(TAKES) | set(REFUSED))


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
