"""Priorities as CUDA has them: the same bounds as by levels, the other end where they are forgotten. Usage: priorities.py GPUBOUND SOURCE_ROOT"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(2))
GPUBOUND = sys.argv.pop(1)
TEXT = (ROOT / "examples/best-effort.xml").read_text()


def analyze(text, *words):
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        return subprocess.run([GPUBOUND, "analyze", *words, file.name], capture_output=True, text=True, timeout=60)


def streams(*attributes):
    """The example's three streams, of which the last is of a lower level."""
    text = TEXT
    for name, attribute in zip(("arm", "eye", "background"), attributes):
        text = re.sub(rf'<stream id="{name}"[^>]*/>', f'<stream id="{name}" kind="non-blocking" {attribute}/>', text)
    return re.sub(r'<declare name="queues.priorities"[^>]*/>\s*', "", text).replace(
        "  <application", '  <declare name="queues.priorities" value="6" source="t" by="t"/>\n  <application', 1)


def rows(text):
    result = analyze(text, "-q", "--format=csv")
    assert not result.stderr, result.stderr
    return result.stdout


class Priorities(unittest.TestCase):
    def test_same_bounds(self):
        by_level = rows(streams('priority="0"', 'priority="0"', 'priority="5"'))
        self.assertEqual(rows(streams('cuda-priority="-5"', 'cuda-priority="-5"', 'cuda-priority="0"')), by_level)
        self.assertNotEqual(rows(streams('cuda-priority="0"', 'cuda-priority="0"', 'cuda-priority="-5"')), by_level)

    def test_forgotten(self):
        """By CUDA's numbers a stream without one is the lowest; by levels the highest. Both are said."""
        full = rows(streams('cuda-priority="-5"', 'cuda-priority="-5"', 'cuda-priority="0"'))
        forgotten = analyze(streams('cuda-priority="-5"', 'cuda-priority="-5"', ''))
        self.assertEqual(rows(streams('cuda-priority="-5"', 'cuda-priority="-5"', '')), full)
        self.assertRegex(forgotten.stderr, r"stream 'background' has no priority beside 'arm'.* the lowest \[priorities-mixed\]")
        levels = analyze(streams('priority="1"', 'priority="1"', ''))
        self.assertRegex(levels.stderr, r"stream 'background' has no priority beside 'arm'.*the highest, and CUDA would make it the lowest "
                                        r"\[priorities-mixed\]")
        for none in (streams("", "", ""), streams('priority="0"', 'priority="0"', 'priority="1"')):
            self.assertNotIn("priorities-mixed", analyze(none).stderr)

    def test_refused(self):
        self.assertRegex(analyze(streams('cuda-priority="-6"', 'cuda-priority="-5"', 'cuda-priority="0"')).stderr,
                         r"stream 'arm' has cuda-priority -6; \S+ has the levels 0 \(highest\) to 5, which are cuda-priority -5 to 0 \[priority-range\]")
        self.assertIn("[priority-kinds]", analyze(streams('cuda-priority="-5"', 'priority="0"', 'priority="1"')).stderr)
        self.assertIn("cuda-priority", analyze(streams('priority="-5"', 'priority="0"', 'priority="1"')).stderr)
        self.assertEqual(analyze(streams('cuda-priority="5"', "", "")).returncode, 3)
        unknown = re.sub(r'<declare name="queues.priorities"[^>]*/>\s*', "", streams('cuda-priority="-5"', 'cuda-priority="-5"', 'cuda-priority="0"'))
        self.assertIn("[priorities-undeclared]", analyze(unknown, "--platform=jetson-agx-orin").stderr)


if __name__ == "__main__":
    unittest.main()
