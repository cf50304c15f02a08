"""The recorder without a GPU: what it writes of records that a CUPTI of our own feeds it, what it counts as lost, and what the import makes of it.

usage: recorder.py GPUBOUND SOURCE_ROOT SAMPLE [FAKE_CUPTI]

SAMPLE writes a recording through the recorder's writer; FAKE_CUPTI, built where CUPTI's headers are, is the recorder with tests/recorder/
fake_cupti.c in place of CUPTI.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT, SAMPLE = (os.path.abspath(word) for word in sys.argv[1:4])
FAKE = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else None
DECLARED = ["--platform=h200", "--period=4ms", "--deadline=4ms", "--jobs=3", "-d", "overhead.launch=10us", "-d", "overhead.dependency=5us", "-d", "overhead.copy=10us",
            "-d", "overhead.block=1us", "-d", "engine.h2d=0", "-d", "engine.d2h=0", "-d", "engine.memset=compute"]


class Recorder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "run.rec")
        self.addCleanup(self.folder.cleanup)

    def sample(self, *words):
        return subprocess.run([SAMPLE, self.path, *words], capture_output=True).returncode

    def fake(self, *words, path=None, **variables):
        if FAKE is None:
            self.skipTest("CUPTI's headers are not here: only the recorder's writer was tested")
        return subprocess.run([FAKE, *words], capture_output=True, env={**os.environ, "GPUBOUND_RECORDING": path or self.path, **variables})

    def read(self, *words):
        return subprocess.run([GPUBOUND, "import", "--color=never", "recorder", self.path, *words], capture_output=True, text=True,
                              env={**os.environ, "GPUBOUND_DATA": ROOT})

    def refused(self, code):
        done = self.read()
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertIn("[%s]" % code, done.stderr)
        return done.stderr

    def accepted(self, *words):
        done = self.read(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def check_jobs(self, text):
        """Three jobs, with a graph of two kernels, and a host segment where the host waited."""
        self.assertIn("3 jobs were recorded, released 4 ms to 4 ms apart", text)
        self.assertEqual((text.count("<sequence "), text.count("<host "), text.count("<kernel ")), (1, 1, 1), text)
        self.assertIn('operations="2" longest="48000ns" branches="1" wcet="72000ns"', text) # 40 and 60 us, with a margin
        self.assertIn("the longest of 3 durations is 60000ns, in this row", text)
        self.assertIn('kind="non-blocking"', text)

    def test_sample(self):
        self.assertEqual(self.sample(), 0)
        done = self.accepted()
        self.check_jobs(done.stdout)
        self.assertIn('cuda-priority="-1"', done.stdout)
        self.assertIn('<declare name="sm.count" value="132"', done.stdout)
        self.assertIn('board="Demo GPU 100% new"', done.stdout)

    def test_analysis_takes_it(self):
        self.assertEqual(self.sample(), 0)
        done = self.accepted(*DECLARED)
        analysed = subprocess.run([GPUBOUND, "analyze", "-f", "csv", "-"], input=done.stdout, capture_output=True, text=True, env={**os.environ, "GPUBOUND_DATA": ROOT})
        self.assertIn(analysed.returncode, (0, 1, 4), analysed.stderr)

    def test_lost(self):
        self.assertEqual(self.sample("lost", "7"), 1)
        self.assertIn("7 records were lost", self.refused("import-lost"))

    def test_disk_full(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        self.assertEqual(subprocess.run([SAMPLE, "/dev/full"]).returncode, 1)

    def test_cut(self):
        self.sample()
        with open(self.path) as file:
            lines = file.read().splitlines(keepends=True)
        wait = next(i for i, line in enumerate(lines) if "StreamSynchronize" in line)
        for kept in (lines[:-1], lines[:wait] + lines[wait + 1:]):
            with open(self.path, "w") as file:
                file.writelines(kept)
            self.refused("import-lost")

    def test_long_name(self):
        self.sample("long-name")
        with open(self.path) as file:
            self.assertLess(max(map(len, file)), 4096)
        self.check_jobs(self.accepted().stdout)

    def test_cluster(self):
        self.sample("cluster")
        self.assertIn('cluster="4"', self.accepted().stdout)

    def test_copy_in_graph(self):
        """A copy parts the sequence; a memset does where it runs on a copy engine."""
        self.sample("wide")
        done = self.accepted()
        self.assertIn("whose launch reaches the GPU in parts", done.stderr)
        self.assertEqual(done.stdout.count('launch="single"'), 2)
        self.assertEqual(re.findall('operations="(.*?)".*? wcet="(.*?)"', done.stdout), [("3", "72600ns"), ("1", "2400ns")], done.stdout)
        done = self.accepted("-d", "engine.memset=1")
        self.assertEqual(re.findall('operations="(.*?)".*? wcet="(.*?)"', done.stdout), [("2", "72000ns"), ("1", "2400ns")], done.stdout)

    def test_overlap(self):
        self.sample("overlap")
        done = self.accepted()
        self.assertIn("began before the one before it in its stream had ended", done.stderr)
        self.assertIn('launch="programmatic"', done.stdout)

    def test_green(self):
        self.sample("green")
        self.assertIn("expected green-sms= and parent= of green context 1", self.refused("import-unsupported"))
        self.sample("green", "parent")
        text = self.accepted().stdout
        self.assertIn('<partition id="green-1" kind="green" size="56"/>', text)
        self.assertIn('<application id="c2">', text)
        self.assertIn('<stream id="c1-s13" kind="non-blocking" cuda-priority="-1" partition="green-1"/>', text)

    def test_fake(self):
        done = self.fake()
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        imported = self.accepted()
        self.check_jobs(imported.stdout)
        self.assertIn('cuda-priority="-3"', imported.stdout)
        self.assertIn('registers="40" shared-static="256B" shared-dynamic="4KiB"', imported.stdout)
        with open(self.path) as file:
            self.assertNotIn("cudaGetLastError", file.read())

    def test_fake_dropped(self):
        self.assertIn(b"12 records at least were lost", self.fake("dropped", "12").stderr)
        with open(self.path) as file:
            self.assertIn("lost records=12 why=dropped-by-cupti\n", file.read())
        self.refused("import-lost")

    def test_fake_short_of_memory(self):
        small = {"GPUBOUND_RECORDER_BUFFER": "1"}
        self.assertEqual(self.fake("together", **small, GPUBOUND_RECORDER_LIMIT="3").stderr, b"")
        self.accepted()
        self.assertIn(b"records at least were lost", self.fake("together", **small, GPUBOUND_RECORDER_LIMIT="2").stderr)
        self.refused("import-lost")

    def test_fake_unreadable(self):
        self.assertIn(b"records at least were lost", self.fake("unreadable").stderr)
        self.refused("import-lost")

    def test_fake_not_enabled(self):
        self.assertIn(b"does not record", self.fake("refuse", "10").stderr)
        self.refused("import-lost")

    def test_fake_killed(self):
        self.fake("killed")
        self.refused("import-format" if os.path.getsize(self.path) == 0 else "import-lost")

    def test_fake_register(self):
        self.assertIn(b"is another profiler there?", self.fake("register").stderr)
        self.refused("import-format" if os.path.getsize(self.path) == 0 else "import-lost")

    def test_fake_full(self):
        if FAKE is not None and os.path.exists("/dev/full"):
            self.assertIn(b"is no whole recording", self.fake(path="/dev/full").stderr)

    def test_fake_process(self):
        done = self.fake(path=os.path.join(self.folder.name, "run-%p.rec"))
        self.assertEqual(done.returncode, 0)
        names = os.listdir(self.folder.name)
        self.assertEqual(len(names), 1)
        self.assertRegex(names[0], r"^run-[0-9]+\.rec$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
