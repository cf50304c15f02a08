"""Libraries that few commands use are loaded where they are used (src/base/late.h), and nowhere else.

- analyze loads none of them, and neither program nor library is linked with one
- a command that needs one loads that one and no other
- where one is missing, a process that needs it ends with the exit status of the dynamic linker and says which one it is; others do not miss it

usage: late.py SOURCE_ROOT BUILD_ROOT
"""
import contextlib
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
PROGRAM, LATE, EXAMPLE = BUILD / "gpubound", BUILD / "src" / "libgpubound-late.so", ROOT / "examples" / "two-streams.xml"
ANALYZE = ["analyze", "-q", EXAMPLE]
USERS = {"libcsv": ["import", "csv", "streams.csv"], "libglpk": ["version"], "libgmp": ["analyze", "-q", ROOT / "examples" / "ros2.xml"],
         "libjansson": ["import", "examiner", "trace.json"], "libnettle": ["analyze", "-q", ROOT / "examples" / "thor-mig.xml"],
         "libsqlite3": ["import", "nsys", "run.sqlite"], "libxslt": ["report", "report.xml", "-o", "report.html"]}
ALSO = {"libglpk": {"libgmp", "libnettle"}, "libxslt": {"libnettle"}} # version says which; a report's page has its hash


def needed(path):
    text = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"NEEDED\s+(\S+)", text))


class Late(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sonames = {soname.split(".")[0]: soname for soname in needed(LATE) - needed(PROGRAM)}
        cls.stack = contextlib.ExitStack()
        cls.folder = pathlib.Path(cls.stack.enter_context(tempfile.TemporaryDirectory()))
        (cls.folder / "streams.csv").write_text("id,level\n")
        (cls.folder / "trace.json").write_text("{}\n")
        with contextlib.closing(sqlite3.connect(cls.folder / "run.sqlite")) as database:
            database.execute("CREATE TABLE StringIds (id INTEGER, value TEXT)")
            database.commit()
        subprocess.run([PROGRAM, *ANALYZE, "-o", cls.folder / "report.xml"], stdout=subprocess.DEVNULL, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.stack.close()

    def run_in(self, words, program=PROGRAM, **more):
        environment = {**os.environ, "GPUBOUND_DATA": str(ROOT), **more}
        return subprocess.run([program, *words], cwd=self.folder, capture_output=True, text=True, timeout=60, env=environment)

    def loaded(self, words):
        """Which of them the dynamic linker says that it has loaded."""
        said = self.run_in(words, LD_DEBUG="files").stderr
        return {stem for stem, soname in self.sonames.items() if re.search(rf"calling init: \S*/{re.escape(soname)}\n", said)}

    def test_linked(self):
        self.assertEqual(set(self.sonames), set(USERS))
        library = (BUILD / "src" / "libgpubound.so").resolve()
        self.assertEqual(needed(library) & set(self.sonames.values()), set())

    def test_loaded(self):
        self.assertEqual(self.loaded(ANALYZE), set())
        for stem, words in USERS.items():
            self.assertEqual(self.loaded(words), {stem} | ALSO.get(stem, set()), words)

    def without(self, sonames):
        """The program, asking for libraries of names that none has in the place of these."""
        bytes_ = PROGRAM.read_bytes()
        for soname in sonames:
            bytes_ = bytes_.replace(soname.encode(), soname.replace("lib", "bil").encode())
        program = self.folder / "gpubound"
        program.write_bytes(bytes_)
        program.chmod(0o755)
        return program

    def test_missing(self):
        self.assertEqual(self.run_in(ANALYZE, self.without(self.sonames.values())).returncode, 0)
        for stem, words in USERS.items():
            result = self.run_in(words, self.without([self.sonames[stem]]))
            self.assertEqual(result.returncode, 127, words)
            self.assertRegex(result.stderr, rf"(?m)^gpubound: error: .*; {re.escape(self.sonames[stem].replace('lib', 'bil'))}: .* \[library-missing\]$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
