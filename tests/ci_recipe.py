"""The job of doc/ci.md does what the page says: it passes, publishes, and fails on a lost proof. Usage: ci_recipe.py GPUBOUND SOURCE_ROOT"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
ENVIRONMENT["PATH"] = f"{GPUBOUND.parent}:{ENVIRONMENT['PATH']}"


class Recipe(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.sets = self.folder / "tasksets"
        self.sets.mkdir()
        for name in ("two-streams", "waters2019-overload"):  # all proven; not all
            (self.sets / f"{name}.xml").write_text((ROOT / "examples" / f"{name}.xml").read_text())
        (self.folder / "bounds.sh").write_text(re.search(r"```sh\n(.*?)```", (ROOT / "doc/ci.md").read_text(), re.S).group(1))

    def run_job(self, *words):
        result = subprocess.run(["sh", "bounds.sh", *words], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
        return result.returncode, result.stdout

    def change(self, name, old, new):
        path = self.sets / name
        self.assertIn(old, path.read_text())
        path.write_text(path.read_text().replace(old, new))

    def test_job(self):
        self.assertEqual(self.run_job(), (0, ""))
        public = self.folder / "public"
        for end in ("csv", "html", "junit.xml", "report.xml", "sarif", "tar"):
            self.assertTrue((public / f"two-streams.{end}").stat().st_size)
        self.assertEqual(self.run_job("--accept"), (0, ""))
        accepted = (self.sets / "proven.txt").read_text()
        self.assertIn("two-streams filter\n", accepted)
        self.assertEqual(self.run_job(), (0, ""))

        self.change("two-streams.xml", '<task id="filter" period="100ms" deadline="100ms">', '<task id="filter" period="100ms" deadline="10ms">')
        status, said = self.run_job()
        self.assertEqual((status, said), (1, "lost proof: task filter of tasksets/two-streams.xml; see public/two-streams.html#task-filter\n"))
        self.assertIn('id="task-filter"', (public / "two-streams.html").read_text())
        self.assertEqual((self.sets / "proven.txt").read_text(), accepted)
        self.assertEqual(self.run_job("--accept")[0], 0)
        self.assertEqual(self.run_job(), (0, ""))

        self.change("two-streams.xml", 'deadline="10ms"', 'deadline="10"')
        status, said = self.run_job()
        self.assertEqual(status, 3)
        self.assertIn("refused", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
