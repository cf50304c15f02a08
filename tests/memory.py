"""What large input and long runs take of memory: less than 200 MB, seen as the greatest resident size of the process.

- 100 MB of what the compilers print about resources, of many kernels and of kernels with long names
- 6,000 task sets of one analyze
- a trace, and a drawing for browsers, of a run of a million events, which is where a run that is written ends

usage: memory.py GPUBOUND SOURCE_ROOT
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
MOST = 200_000_000
TEXT = 100_000_000


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_within(self, statuses, *words):
        process = subprocess.Popen([GPUBOUND, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={"GPUBOUND_DATA": str(ROOT)})
        said = process.stderr.read()
        process.stderr.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        print(f"{words[0]} {words[1]}: {used.ru_maxrss / 1000:.0f} MB")
        self.assertIn(process.returncode, statuses, said[-2000:])
        self.assertLess(used.ru_maxrss * 1024, MOST)
        return said

    def write(self, block):
        """Blocks, numbered, up to so much text."""
        path, number = self.folder / "text", 0
        with path.open("w") as file:
            file.write("arch = sm_87\n")
            while file.tell() < TEXT:
                file.write("".join(block(number + i) for i in range(1000)))
                number += 1000
        return path

    def test_many_kernels(self):
        path = self.write(lambda i: f" Function _Z{i:09d}k:\n  REG:32 STACK:0 SHARED:2048 LOCAL:0 CONSTANT[0]:380 TEXTURE:0 SURFACE:0 SAMPLER:0\n")
        self.assertIn("[import-limit]", self.run_within([3], "import", "cuobjdump", path))
        path = self.write(lambda i: f" Function k{i}:\n REG:1 SHARED:0\n")
        self.assertIn("compiled kernels in all files [import-limit]", self.run_within([3], "import", "cuobjdump", path))
        path = self.write(lambda i: f"ptxas info : Compiling entry function '_Z{i:07d}k' for 'sm_87'\nptxas info : Used 32 registers, 380 bytes cmem[0]\n")
        self.assertIn("[import-limit]", self.run_within([3], "import", "ptxas", path))

    def test_long_names(self):
        path = self.write(lambda i: f" Function _Z{i:09d}{'k' * 6600}:\n  REG:32 STACK:0 SHARED:2048\n")
        self.run_within([0], "import", "cuobjdump", path, "-o", self.folder / "taskset.xml")

    def test_many_files(self):
        self.run_within([0], "analyze", "-q", "--format=csv", *[ROOT / "examples" / "two-streams.xml"] * 6000)

    def test_simulate(self):
        for name in ("trace", "chrome"):
            said = self.run_within([4], "simulate", "--jobs=100000", f"--{name}={self.folder / 'run'}", ROOT / "examples" / "two-streams.xml")
            self.assertIn("1000000 events are the limit", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
