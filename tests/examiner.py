"""validate on results of cuda_scheduling_examiner made up here, or made from a recorded trace. Usage: examiner.py GPUBOUND TRACES"""
import csv
import gzip
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, TRACES = sys.argv[1], pathlib.Path(sys.argv[2])


def kernel(launch, threads, blocks, shared=0):
    return {"kernel_name": "k", "block_count": len(blocks), "thread_count": threads, "shared_memory": shared,
            "cuda_launch_times": [launch - 0.00001, launch, 0], "cpu_core": 0,
            "block_times": [t for _, begin, end in blocks for t in (begin, end)], "block_smids": [sm for sm, _, _ in blocks]}


def result(*kernels, name="two streams"):
    return {"scenario_name": name, "benchmark_name": "timer_spin", "max_resident_threads": 1024, "data_size": 0,
            "release_time": 0, "PID": 1, "times": [{}, {"cpu_times": [0.1, 0.2]}, *kernels]}


def text_of(value):
    """A line for each kernel, so that lines can be told apart."""
    return json.dumps(value).replace('{"kernel_name"', '\n{"kernel_name"')


class Examiner(unittest.TestCase):
    def validate(self, *texts, model="jetson-agx-xavier", words=("--registers=16",)):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i}.json" for i in range(len(texts))]
            for path, text in zip(paths, texts):
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
            return subprocess.run([GPUBOUND, "validate", "-m", model, "--format=csv", *words, *paths], capture_output=True, text=True)

    def rows(self, *texts, **more):
        done = self.validate(*texts, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def test_scenario_of_two_files(self):
        # Both streams in one configuration, in the order in which launches returned; later, alone, another one. Xavier: SMs 0, 2, 4, ..
        for sm, consistent in ((2, "3"), (0, "2")):  # SM 0 is half full: a rule that prefers room does not take it
            one = result(kernel(1.0, 1024, [(sm, 1.1, 1.4)]), kernel(2.0, 1024, [(0, 2.1, 2.2)]))
            two = result(kernel(0.9, 1024, [(0, 1.000000001, 1.5)]))
            row, total = self.rows(json.dumps(one), json.dumps(two))
            self.assertEqual((row["experiment"], row["configurations"], row["kernels"], row["held"], row["consistent"]),
                             ("two-streams", "2", "3", "3", consistent))
            self.assertTrue(row["file"].endswith("0.json"))
            self.assertEqual(total["kernels"], "3")

    def test_scenarios_are_kept_apart_and_compressed_ones_read(self):
        one, two = result(kernel(1.0, 64, [(0, 1.1, 1.4)]), name="one"), result(kernel(1.0, 64, [(0, 1.1, 1.4)]), name="two")
        rows = self.rows(gzip.compress(json.dumps(one).encode()), json.dumps(two), json.dumps(one))
        self.assertEqual([(r["experiment"], r["kernels"]) for r in rows], [("one", "2"), ("two", "1"), ("", "3")])

    def test_older_results_and_shapes(self):
        old = result(kernel(1.0, [8, 8], [(0, 1.1, 1.4), (2, 1.1, 1.4)]))
        old["block_count"], old["thread_count"] = [2, 1, 1], old["times"][2].pop("thread_count")
        del old["times"][2]["block_count"]
        self.assertEqual(self.rows(json.dumps(old))[0]["exact_set"], "1")

    def test_shared_memory_counts(self):
        # 4,096 words of 96 KiB: six blocks an SM, so that a seventh on SM 0 is more than it has.
        blocks = [(0, 1.1, 1.4)] * 7
        self.assertEqual(self.validate(json.dumps(result(kernel(1.0, 32, blocks[:6], 16384)))).returncode, 0)
        done = self.validate(json.dumps(result(kernel(1.0, 32, blocks, 16384))))
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"0\.json:1: error: .*shared memory.*\[trace-occupancy\]")

    def test_the_same_as_the_trace(self):
        """A recorded trace, turned into results, a file for each stream: the same figures."""
        path = TRACES / "paper_random.csv.gz"
        done = subprocess.run([GPUBOUND, "validate", "-m", "h200", "--format=csv", path], capture_output=True, text=True, check=True)
        expected = list(csv.DictReader(io.StringIO(done.stdout)))[-1]
        files, blocks = {}, {}
        for row in csv.DictReader(gzip.open(path, "rt")):
            blocks.setdefault((int(row["cfg"]), int(row["kernel"]), row["stream"], int(row["threads"])), []).append(row)
        for (configuration, number, stream, threads), rows in blocks.items():
            base = 1 + configuration
            files.setdefault(stream, []).append(kernel(base + number * 1e-6, threads, [
                (int(r["smid"]), round(base + int(r["t0"]) / 1e9, 9), round(base + int(r["t1"]) / 1e9, 9)) for r in rows]))
        self.assertGreater(len(files), 4)
        got = self.rows(*(json.dumps(result(*files[s], name="random")) for s in sorted(files)), model="h200", words=())[-1]
        self.assertGreater(int(expected["held"]), 200)
        for name in expected:
            self.assertEqual(got[name], expected[name], name)

    def refused(self, bad, line, code):
        good = text_of(result(kernel(1.0, 32, [(0, 1.1, 1.2)]), kernel(1.0, 32, [(0, 1.1, 1.2)])))
        self.assertNotEqual(good, bad)
        done = self.validate(good, bad if isinstance(bad, bytes) else bad(good))
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertRegex(done.stderr, rf"1\.json:{line}: error: .*\[{code}\]")

    def test_refusals(self):
        last = lambda old, new: lambda text: new.join(text.rsplit(old, 1))
        self.refused(lambda text: text[:-20], 3, "trace-malformed")
        self.refused(lambda text: "{}", 1, "trace-incomplete")
        self.refused(lambda text: "[1]", 1, "trace-incomplete")
        self.refused(lambda text: text.replace("scenario_name", "name"), 1, "trace-incomplete")
        self.refused(last('"block_count": 1', '"block_count": 2'), 3, "trace-incomplete")
        self.refused(last('"block_count": 1', '"block_count": 0'), 3, "trace-incomplete")
        self.refused(last('"block_count": 1', '"block_count": [1, 65536, 65536]'), 3, "trace-incomplete")
        self.refused(last("1.2]", "1.0]"), 3, "trace-incomplete")
        self.refused(last("1.2]", "-1.2]"), 3, "trace-incomplete")
        self.refused(last("1.2]", '"1.2"]'), 3, "trace-incomplete")
        self.refused(last('"block_smids": [0]', '"block_smids": [0, 1]'), 3, "trace-incomplete")
        self.refused(last('"block_smids": [0]', '"block_smids": [-1]'), 3, "trace-incomplete")
        self.refused(last('"block_smids": [0]', '"block_smids": [8]'), 3, "trace-sm")
        self.refused(last('"thread_count": 32', '"thread_count": 4096'), 3, "trace-occupancy")
        self.refused(last('"shared_memory": 0', '"shared_memory": -1'), 3, "trace-incomplete")
        self.refused(last("cuda_launch_times", "launch_times"), 3, "trace-incomplete")
        self.refused(gzip.compress(json.dumps(result(kernel(1.0, 32, [(0, 1.1, 1.2)]))).encode())[:-9], r"\d+", "trace-truncated")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
