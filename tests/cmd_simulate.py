"""gpubound simulate: what it prints and writes, that a seed is a run, what it refuses. Usage: cmd_simulate.py GPUBOUND SOURCE_ROOT"""
import csv
import io
import json
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(sys.argv.pop(2))
GPUBOUND = sys.argv.pop(1)
TWO, WATERS = ROOT / "examples" / "two-streams.xml", ROOT / "examples" / "waters2019.xml"


def run(*words):
    return subprocess.run([GPUBOUND, "simulate", "--quiet", *map(str, words)], capture_output=True, text=True, timeout=60)


def jobs(*words):
    result = run(*words, "--format=csv")
    return list(csv.DictReader(io.StringIO(result.stdout)))


def is_at_work(process):
    """So much time of the processor goes into the work alone: all that comes before takes some milliseconds."""
    times = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return int(times[11]) + int(times[12]) >= 20  # ticks of 10 ms


class Simulate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def write(self, name, *words):
        """A file that the option of its name writes, and the text of it."""
        path = self.path("out")
        result = run(*words, f"--{name}={path}")
        self.assertEqual(result.returncode, 0, result.stderr)
        return path, path.read_text()

    def changed(self, old, new, example=TWO):
        path = self.path("case.xml")
        text = example.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))
        return path

    def test_a_row_for_each_job(self):
        rows = jobs(TWO, "--jobs=3")
        self.assertEqual([(row["task"], row["job"]) for row in rows if row["task"] == "resize"], [("resize", str(i)) for i in range(3)])
        for row in rows:
            self.assertEqual(int(row["completion_ns"]) - int(row["release_ns"]), int(row["response_ns"]))
            self.assertEqual(int(row["completion_ns"]) - int(row["nominal_ns"]), int(row["nominal_response_ns"]))
            self.assertEqual(row["late"], "0")
        # both kernels at once: o_dep 10 us, o_launch 10 us, 8 blocks of 1 us each to place, the last of them runs 800 us
        self.assertEqual(max(int(row["response_ns"]) for row in rows), 828000)

    def test_same_seed_same_bytes(self):
        drawn = [WATERS, "--durations=uniform", "--phases=drawn", "--jitter=uniform", "--stops=mixed", "--interference=drawn", "--jobs=4"]
        outputs = [run(*drawn, f"--seed={seed}", "--format=csv").stdout for seed in (7, 7, 8)]
        self.assertEqual(outputs[0], outputs[1])
        self.assertNotEqual(outputs[0], outputs[2])
        for name in ("trace", "chrome", "svg"):
            self.assertEqual(self.write(name, *drawn)[1], self.write(name, *drawn)[1])

    def test_seed_is_printed(self):
        self.assertIn("seed 41, 1 run:", run(TWO, "--seed=41").stdout.splitlines()[0])

    def test_runs_have_seeds_in_turn(self):
        several = jobs(WATERS, "--durations=uniform", "--runs=3", "--seed=5", "--jobs=1")
        self.assertEqual({row["seed"] for row in several}, {"5", "6", "7"})
        self.assertEqual([row for row in several if row["seed"] == "6"], jobs(WATERS, "--durations=uniform", "--seed=6", "--jobs=1"))

    def test_trace_is_predicted_by_the_model_that_made_it(self):
        path, _ = self.write("trace", TWO, "--in-order")
        for model, status in (("jetson-agx-xavier", 0), ("jetson-orin-nx", 1)):
            result = subprocess.run([GPUBOUND, "validate", "-m", model, "--require=consistent=100,blocks_consistent=100,exact_set=100", str(path)],
                                    capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, status, result.stdout + result.stderr)

    def test_same_sm(self):
        """What the example is about: the blocks of both kernels share four of eight SMs."""
        rows = list(csv.DictReader(io.StringIO(self.write("trace", TWO, "--in-order", "--jobs=1")[1])))
        self.assertEqual(sorted(row["smid"] for row in rows), ["0", "0", "2", "2", "4", "4", "6", "6"])

    def test_chrome(self):
        events = json.loads(self.write("chrome", WATERS)[1])["traceEvents"]
        spans = [event for event in events if event["ph"] == "X"]
        self.assertTrue(all(event["dur"] >= 0 for event in spans))
        names = {event["args"]["name"] for event in events if event["name"] == "process_name"}
        self.assertEqual(names, {"tasks", "streams", "engines", "SMs"})
        self.assertTrue(any(event["name"].startswith("deadline") for event in events))

    def test_svg(self):
        root = ElementTree.fromstring(self.write("svg", WATERS, "--stops=half")[1])
        texts = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
        for label in ("SFM", "Lane_detection", "sfm0", "lane0", "copy engine 0", "SM 0", "SM 1", "Tasks", "Streams"):
            self.assertIn(label, texts)
        classes = {node.get("class").split()[0] for node in root.iter() if node.get("class")}
        self.assertLessEqual({"release", "deadline", "job", "host", "work", "block", "slice"}, classes)

    def test_late_jobs(self):
        late = self.changed('deadline="100ms"', 'deadline="827us"')
        result = run(late, "--in-order")
        self.assertEqual(result.returncode, 1)
        self.assertIn("missed", self.write_late(late))

    def write_late(self, late):
        path = self.path("late.svg")
        run(late, f"--svg={path}")
        return path.read_text()

    def test_refuses_what_cannot_run(self):
        """Two contexts, and nothing says how long a slice is."""
        case = self.changed('<task id="filter"', '<task id="filter2"')
        text = case.read_text().replace('<stream id="s1" kind="non-blocking"/>\n  </application>',
                                        '</application><application id="other"><stream id="s1" kind="non-blocking"/></application>')
        case.write_text(text)
        result = run(case, "--svg", self.path("none.svg"))
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("[not-simulated]", result.stderr)
        self.assertIn("runlist.timeslice", result.stderr)
        self.assertFalse(self.path("none.svg").exists())

    def test_refuses_what_analyze_refuses(self):
        for name, code in (("kernel-fits-no-sm", 3), ("event-cycle", 3)):
            result = run(ROOT / "tests" / "reject" / f"{name}.xml")
            self.assertEqual(result.returncode, code)
            self.assertIn(name, result.stderr)

    def test_usage(self):
        for words in (["--horizon=5"], ["--horizon=0ns"], ["--seed=-1"], ["--durations=long"], ["--jobs=0"], ["--lateness=1m"], ["--delay=1m"], ["--stall=late"]):
            result = run(TWO, *words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)

    def test_limit(self):
        result = run(TWO, "--limit=5")
        self.assertEqual(result.returncode, 4)
        self.assertIn("ended before", result.stdout)

    def test_interrupt_leaves_what_there_is(self):
        """SIGTERM and SIGHUP as well as SIGINT; of a hunt, too."""
        for number, words, said in ((signal.SIGINT, ["simulate", "-q", str(TWO), "--runs=100000000"], ("ended before", "resize")),
                                    (signal.SIGTERM, ["simulate", "-q", str(TWO), "--runs=100000000"], ("ended before", "resize")),
                                    (signal.SIGTERM, ["falsify", "--systems=100000000"], ("Interrupted", "VOL-P", "observed/bound")),
                                    (signal.SIGHUP, ["falsify", "--exhaustive", "--systems=100000000"], ("VOL-P",))):
            process = subprocess.Popen([GPUBOUND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))  # nohup and a shell's & have it ignored
            while not is_at_work(process):
                self.assertIsNone(process.poll(), words)
                time.sleep(0.01)
            process.send_signal(number)
            output, _ = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 4, words)
            for word in said:
                self.assertIn(word, output)

    def test_ends_by_itself(self):
        """A grid of 2^31 blocks, jobs without number, and jobs that come faster than they end: there are limits, and the output names them."""
        huge = self.path("huge.xml")
        huge.write_text(re.sub(r'grid="[^"]*"', 'grid="2147483647"', TWO.read_text()))
        fast = self.path("fast.xml")
        fast.write_text(re.sub(r'period="[^"]*"', 'period="23us"', TWO.read_text()))
        for words, said in (([huge], "20000000 events are the limit"), ([fast, "--horizon=1000s"], "more than 100000 jobs waited"),
                            ([TWO, "--jobs=1000000000", f"--trace={self.path('x')}"], "1000000 events are the limit"),
                            ([TWO, "--jobs=1000000000", f"--svg={self.path('x')}"], "50000 events are the limit")):
            result = subprocess.run([GPUBOUND, "simulate", *map(str, words)], capture_output=True, text=True, timeout=120,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (30, 31)))
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn("ended before all jobs were complete: " + said, result.stdout)
            self.assertIn(said, result.stderr)
            self.assertIn("[simulation-limit]", result.stderr)
        result = run(TWO, "--jobs=1000000000", "--format=csv", "--limit=100000")
        self.assertEqual((result.returncode, result.stdout.count("\n") > 1000), (4, True))
        self.assertEqual(run(TWO, "--jobs=2000", "--limit=100000000").returncode, 0)

    def test_switches_change_what_happens(self):
        """Each switch has an effect on some example; none breaks the run."""
        for example, words in ((TWO, ["--placement=tightest"]), (TWO, ["--dispatcher=lazy"]), (TWO, ["--lateness=9us"]), (TWO, ["--delay=9us"]), (TWO, ["--stall=9us"]),
                               (TWO, ["--interference=full"]), (WATERS, ["--preemption=kernel"]), (WATERS, ["--durations=best"]),
                               (TWO, ["--launch=head"]), (WATERS, ["--phases=drawn"])):
            plain, switched = (self.write("chrome", example, "--in-order", *more)[1] for more in ([], words))
            self.assertFalse(plain == switched, words)


if __name__ == "__main__":
    unittest.main()
