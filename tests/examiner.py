"""scripts/examiner-to-trace.py on results made up here. Usage: examiner.py GPUBOUND SCRIPT"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, SCRIPT = sys.argv[1], sys.argv[2]


def kernel(launch, threads, blocks):
    return {"kernel_name": "k", "block_count": len(blocks), "thread_count": threads, "shared_memory": 0,
            "cuda_launch_times": [launch - 0.00001, launch, 0], "cpu_core": 0,
            "block_times": [t for _, begin, end in blocks for t in (begin, end)], "block_smids": [sm for sm, _, _ in blocks]}


def result(*kernels):
    return {"scenario_name": "two streams", "benchmark_name": "timer_spin", "max_resident_threads": 1024, "data_size": 0,
            "release_time": 0, "PID": 1, "times": [{}, {"cpu_times": [0.1, 0.2]}, *kernels]}


class Examiner(unittest.TestCase):
    def convert(self, *texts):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i}.json" for i in range(len(texts))]
            for path, text in zip(paths, texts):
                path.write_text(text)
            return subprocess.run([sys.executable, SCRIPT, *paths], capture_output=True, text=True)

    def test_scenario_of_two_files(self):
        # Both streams in one configuration, in the order in which launches returned; later, alone, another one. Xavier: SMs 0, 2, 4, ..
        for sm, consistent in ((2, "3"), (0, "2")):  # SM 0 is half full: a rule that prefers room does not take it
            self.check(sm, consistent)

    def check(self, sm, consistent):
        one = result(kernel(1.0, 1024, [(sm, 1.1, 1.4)]), kernel(2.0, 1024, [(0, 2.1, 2.2)]))
        two = result(kernel(0.9, 1024, [(0, 1.000000001, 1.5)]))
        trace = self.convert(json.dumps(one), json.dumps(two))
        rows = list(csv.DictReader(io.StringIO(trace.stdout)))
        self.assertEqual([(r["cfg"], r["kernel"], r["stream"], r["smid"], r["t0"]) for r in rows],
                         [("0", "0", "1", "0", "0"), ("0", "1", "0", str(sm), "99999999"), ("1", "0", "0", "0", "0")])
        judged = subprocess.run([GPUBOUND, "validate", "-m", "jetson-agx-xavier", "--format=csv", "--registers=16", "-"], input=trace.stdout,
                                capture_output=True, text=True)
        row = list(csv.DictReader(io.StringIO(judged.stdout)))[0]
        self.assertEqual((row["experiment"], row["configurations"], row["held"], row["consistent"]), ("two-streams", "2", "3", consistent))

    def test_refusals(self):
        good = json.dumps(result(kernel(1.0, 32, [(0, 1.1, 1.2)])))
        for bad in (good[:-20], "[]", "{}", good.replace('"block_count": 1', '"block_count": 2'), good.replace("1.2]", "1.0]")):
            printed = self.convert(good, bad)
            self.assertEqual(printed.returncode, 3, printed.stderr)
            self.assertIn("1.json", printed.stderr)
            self.assertEqual(printed.stdout, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
