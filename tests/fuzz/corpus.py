"""What fuzzers found worth keeping is read again by the program itself: exit 0 with a task set, or 3 with a diagnostic and nothing else.

usage: corpus.py GPUBOUND SOURCE_ROOT
"""
import os
import pathlib
import subprocess
import sys
import unittest

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
CORPUS = ROOT / "tests/fuzz/corpus"
COMMANDS = {"taskset": ["analyze", "-f", "csv", "-m", "jetson-agx-xavier"], "platform": ["models", "--check"], "program": ["wcet"], "frame": ["raster"],
            "report": ["report", "-f", "csv"], "trace": ["validate", "-m", "h200"]}


def command(folder, path):
    kind, name = folder.name.split("_")
    return ["import", name, path] if kind == "import" else [*COMMANDS[name], path]


class Corpus(unittest.TestCase):
    def test_read_again(self):
        folders = sorted(path for path in CORPUS.iterdir() if path.is_dir())
        self.assertEqual(len(folders), 18)
        for folder in folders:
            statuses = set()
            for path in sorted(folder.iterdir()):
                done = subprocess.run([GPUBOUND, *command(folder, path)], capture_output=True, timeout=20, env={**os.environ, "GPUBOUND_DATA": str(ROOT)})
                statuses.add(done.returncode)
                self.assertIn(done.returncode, (0, 1, 3, 4), (path, done.stderr))
                if done.returncode == 3 and folder.name != "input_platform":
                    self.assertEqual(done.stdout, b"", path)
                    self.assertRegex(done.stderr.decode(errors="replace"), r"error: .*\[[a-z-]+\]", path)
            self.assertIn(3, statuses, folder)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
