"""gpubound import: what each fixture becomes, byte by byte, and how broken ones are refused.

usage: run.py GPUBOUND SOURCE_ROOT [--update]

A case of ACCEPTED writes golden/NAME.xml and golden/NAME.err; with what only the user knows added (COMPLETE), `gpubound analyze -` must
take the output. A case of REFUSED gives a code of src/base/diagnostics.def, status 3, and no output. Every import code must have a case.
How the fixtures were made is in fixtures/README.
"""
import csv
import decimal
import json
import math
import os
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
import databases  # noqa: E402
import served  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "fixtures")
GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PROGRAM = served.Program(GPUBOUND)
UPDATE = "--update" in sys.argv
DECLARED = ["-d", "overhead.launch=10us", "-d", "overhead.block=1us", "-d", "overhead.dependency=5us", "-d", "overhead.copy=10us",
            "-d", "runlist.timeslice=2ms", "-d", "runlist.switch=200us", "-d", "engine.h2d=0", "-d", "engine.d2h=0", "-d", "engine.peer=0", "-d", "engine.d2d=compute", "-d", "engine.memset=compute", "-d", "concurrent-kernels=yes", "-d", "queues.priorities=2"]
COMPLETE = ["--platform=jetson-agx-orin", "--period=1s", "--deadline=1s", "--by=test"] + DECLARED

# What says of its GPU that it is no Orin.
HOPPER = ("kineto_open.json", "run.rec", "unclustered.sqlite")

import cases  # noqa: E402
from cases import ACCEPTED, REFUSED  # noqa: E402


def run(words, **more):
    return PROGRAM.run(words, **{"cwd": FIXTURES, **more})


def complete(words):
    """The same import with all that a user has to give; what is given already stays."""
    if words[:1] == ["csv"]:
        return list(words)
    if not any(word.startswith("--platform=") for word in words):
        words = list(words) + ["--platform=h200"] * any(word in HOPPER for word in words)
    given = {word.split("=")[0] for word in words}
    return list(words) + [word for word in COMPLETE if word.split("=")[0] not in given or not word.startswith("--")]


class Import(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        databases.write_all(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def place(self, word):
        """Names that end in .sqlite are made by databases.py, broken files by cases.py."""
        option, equals, name = word.rpartition("=")
        return option + equals + (os.path.join(self.folder.name, name) if name.endswith((".sqlite", ".made")) else name)

    def shown(self, data):
        return data.decode().replace(self.folder.name + "/", "")

    def compare(self, path, text):
        if UPDATE:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), text, path)

    def test_golden(self):
        for name, words in ACCEPTED.items():
            with self.subTest(name):
                done = run(["import", *map(self.place, words)])
                self.assertEqual(done.returncode, 0, done.stderr.decode())
                self.compare(os.path.join(HERE, "golden", name + ".xml"), self.shown(done.stdout))
                self.compare(os.path.join(HERE, "golden", name + ".err"), self.shown(done.stderr))

    def test_same_bytes_twice(self):
        for name, words in ACCEPTED.items():
            first, second = (run(["import", *map(self.place, words)]).stdout for _ in range(2))
            self.assertEqual(first, second, name)

    def test_analysis_takes_it(self):
        for name, words in ACCEPTED.items():
            if words[0] == "poet":
                continue
            with self.subTest(name):
                done = run(["import", *map(self.place, complete(words))])
                analysed = run(["analyze", "-f", "csv", "-"], input=done.stdout)
                said = analysed.stderr.decode()
                wanted = (3,) if name in NOT_MODELLED else (0, 1, 4)
                self.assertIn(analysed.returncode, wanted, said)
                self.assertEqual("[origin-incomplete]" in said, False, said)

    def kernels(self, words):
        """Registers and static shared memory of each kernel, by the last part of its name and its grid."""
        text = run(["import", *words]).stdout.decode()
        found = re.findall(r'<kernel id="(\w+)-\d+" .* grid="([^"]*)".* registers="(\d+)" shared-static="(\d+)B"', text)
        self.assertTrue(found, text)
        return {(name, grid): (int(registers), int(shared)) for name, grid, registers, shared in found}

    def test_stale(self):
        """The GPU that a trace names is held against the board that the platform model states."""
        with tempfile.TemporaryDirectory() as folder:
            imported = run(["import", *complete(["nsys", "gpu_trace.csv"])]).stdout.decode()
            with open(os.path.join(ROOT, "models/jetson-agx-orin.xml")) as file:
                model = file.read()
            for board, stale in (("Demo GPU", False), ("Another GPU", True)):
                with open(os.path.join(folder, "model.xml"), "w") as file:
                    file.write(model.replace("<platform ", f'<platform board="{board}" ', 1))
                text = imported.replace('platform="jetson-agx-orin"', f'platform="{folder}/model.xml"')
                said = run(["analyze", "-"], input=text.encode()).stderr.decode()
                self.assertEqual("was measured with board 'Demo GPU'; expected 'Another GPU'" in said, stale, said)

    def test_delays_round_up(self):
        """A delay between launches, in seconds: not a nanosecond less than it says, and no more where it says whole ones."""
        delays = ["1e-9", "0.3e-9", "2.4e-9", "0.0011", "0.1000000004", "0.123456789", "999999.999999999"]
        steps = [{"delay": float(delay), "kernel_label": "k", "duration": 5} for delay in delays]
        text = json.dumps({"benchmarks": [{"filename": "multikernel.so", "thread_count": 1, "block_count": 1, "additional_info": steps}]})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(text)
            file.flush()
            found = re.findall(r'<host [^>]*wcet="([0-9]*)ns"', run(["import", "examiner", file.name, "--margin=0%"]).stdout.decode())
        self.assertEqual([int(wcet) for wcet in found], [math.ceil(decimal.Decimal(delay) * 10**9) for delay in delays])

    def test_tool_failed(self):
        """What kept the tool from profiling is quoted."""
        self.assertIn(b"ncu says: ERR_NVGPUCTRPERM - The user does not have permission", run(["import", "ncu", "ncu_refused.csv"]).stderr)

    def test_tools_agree(self):
        """What ncu read of the launches is what ptxas and cuobjdump say of the same binary: the reserve is taken out of the one that has
        it. The driver gives 16 registers at least."""
        launched = self.kernels(["ncu", "h200/ncu_raw.csv", "--jobs=2"])
        self.assertEqual(len(launched), 6)
        for tool, file in (("ptxas", "h200/ptxas_two.log"), ("cuobjdump", "h200/cuobjdump.txt"), ("cuobjdump", "h200/cuobjdump_cubin.txt")):
            compiled = self.kernels([tool, file, "--architecture=sm_90", "--map=h200/map_pipeline.csv"])
            self.assertEqual(compiled[("histogram", "24")], (14, 256))
            for key, (registers, shared) in compiled.items():
                self.assertEqual(launched[key], (max(registers, 16), shared), (tool, key))
            merged = run(["import", "ncu", "h200/ncu_mangled.csv", tool, file, "--architecture=sm_90"])
            self.assertNotIn(b"[import-contradiction]", merged.stderr)
            self.assertIn(b'registers="16"', merged.stdout)
            self.assertNotIn(b'registers="14"', merged.stdout)

    def test_occupancy(self):
        """The analysis' limits of each kernel on an SM are those that Nsight Compute computed on the device. Its limit of shared memory is
        that of the configuration at the launch, ours that of the largest."""
        words = ["ncu", "h200/ncu_raw.csv", "--jobs=2", "--trust-profiler", *complete([]), "--platform=h200"]
        report = os.path.join(self.folder.name, "occupancy.xml")
        run(["analyze", "-q", "-o", report, "-"], input=run(["import", *words]).stdout)
        with open(os.path.join(FIXTURES, "h200", "ncu_raw.csv"), encoding="utf-8") as file:
            lines = [line for line in file if line.startswith('"')]
        launches = list(csv.DictReader(lines))[1:7]
        kernels = list(ElementTree.parse(report).iter("{urn:gpubound:report:1}kernel"))
        self.assertEqual((len(kernels), len(launches)), (6, 6))
        for kernel, launch in zip(kernels, launches):
            limits = {resource.get("name"): int(resource.get("limit")) for resource in kernel.iter("{urn:gpubound:report:1}resource")}
            for name in ("warps", "blocks", "registers"):
                self.assertEqual(limits[name], int(launch["launch__occupancy_limit_" + name]), (launch["Kernel Name"], name))
            self.assertGreaterEqual(limits["shared"], int(launch["launch__occupancy_limit_shared_mem"]))
            shared = kernel.find("{urn:gpubound:report:1}occupancy").get("shared")
            self.assertEqual(shared, launch["launch__shared_mem_per_block_allocated"].replace(",", ""))

    def test_cut_off(self):
        """No time is less than it was before a tool cut its digits off: to thousands of nanoseconds, or, a Kineto of before 2024, to microseconds."""
        def times(words, text):
            imported = run(["import", *words, "-", "--margin=0%", "--jobs=1"], input=text.encode()).stdout.decode()
            return [int(value) for value in re.findall(r' (?:wcet|longest)="(\d+)ns"', imported)]

        rows = [cases.ROW.replace("100,30,", f"100,{duration},").replace(",k\n", f",k{duration}\n") for duration in ("1499", "2000", "7999")]
        exact = cases.GPU + "".join(rows)
        cut = re.sub(r"^100,(\d)\d*,", r"100,0.00\1,", cases.GPU.replace("Duration (ns)", "Duration (ms)") + "".join(rows), flags=re.M)
        whole = re.sub(r'"(ts|dur)": (\d+)\.\d+', r'"\1": \2', cases.KINETO)
        for words, before, behind in ((["nsys"], exact, cut), (["kineto"], cases.KINETO, whole)):
            before, behind = times(words, before), times(words, behind)
            self.assertEqual(len(before), len(behind))
            self.assertGreater(len(before), 2)
            for least, value in zip(before, behind):
                self.assertGreaterEqual(value, least, (words, before, behind))
                self.assertLess(value, least + 3000)

    def test_examiner(self):
        """Every configuration of the examiner that has GPU work becomes a task set in which each benchmark with GPU work is a task."""
        names = sorted(name for name in os.listdir(os.path.join(FIXTURES, "examiner")) if name.endswith(".json"))
        self.assertEqual(len(names), 44)
        taken, refused = 0, []
        for name in names:
            with self.subTest(name):
                done = run(["import", "examiner", "examiner/" + name, *complete(["--registers=16"])])
                self.assertEqual(done.returncode, 3 if name == "cpu_random_walk.json" else 0, done.stderr.decode())
                if done.returncode == 0:
                    with open(os.path.join(FIXTURES, "examiner", name), encoding="utf-8") as file:
                        wanted = sum(1 for library in re.findall(r'"filename": *"([^"]*)"', file.read())
                                     if "cpu_" not in library and "task_host" not in library)
                    self.assertEqual(done.stdout.count(b"<task "), wanted)
                    status = run(["analyze", "-f", "csv", "-"], input=done.stdout).returncode
                    self.assertIn(status, (0, 1, 3, 4))
                    taken += status != 3
                    refused += [] if status != 3 else [(name, done.stdout.decode())]
        self.assertEqual((taken, len(refused)), (26, 17))
        for name, text in refused:
            with self.subTest(name):
                done = run(["import", "examiner", "examiner/" + name, "--map=" + self.fill(text), *complete(["--registers=16"])])
                analysed = run(["analyze", "-f", "csv", "-"], input=done.stdout)
                wanted = (3,) if name == "volta_mps_base.json" else (0, 1, 4)
                self.assertIn(analysed.returncode, wanted, done.stderr.decode() + analysed.stderr.decode())

    def fill(self, text):
        """A mapping file with what an imported task set lacks: durations, grids, blocks and shared memory."""
        path = os.path.join(self.folder.name, "fill.csv")
        rows = {}
        for tag in re.findall("<(?:kernel|copy|memset) [^>]*/>", text):
            kernel = re.sub("^_(?=[0-9])", "", re.search(' id="(.*?)-[0-9]+"', tag).group(1))
            lacks = [" %s=" % name not in tag for name in ("wcet", "grid", "block", "shared-static")]
            known = rows.setdefault(kernel, [False] * 4)
            rows[kernel] = [a or (b and (i == 0 or tag.startswith("<kernel"))) for i, (a, b) in enumerate(zip(known, lacks))]
        with open(path, "w", encoding="utf-8") as file:
            file.write("kernel,wcet,grid,block,shared-static,shared-dynamic\n")
            for kernel, lacks in rows.items():
                cells = [value if lack else "" for value, lack in zip(("1ms", "2", "32", "0B"), lacks)]
                file.write(",".join([kernel, *cells, cells[3]]) + "\n")
        return path

    def test_refused(self):
        shown = set()
        for name, (code, words, text) in REFUSED.items():
            with self.subTest(name):
                if text is not None:
                    data = text if isinstance(text, bytes) else text.encode()
                    made = next(word.rpartition("=")[2] for word in words if word.endswith(".made"))
                    with open(os.path.join(self.folder.name, made), "wb") as file:
                        file.write(data)
                done = run(["import", "--color=never", *map(self.place, words)])
                said = done.stderr.decode()
                self.assertEqual((done.returncode, done.stdout), (3, b""), said)
                self.assertIn("[%s]" % code, said)
                shown.add(code)
        for name in ACCEPTED:
            with open(os.path.join(HERE, "golden", name + ".err"), encoding="utf-8") as file:
                shown |= set(re.findall(r"\[(import-[a-z-]+)\]$", file.read(), re.M))
        with open(os.path.join(ROOT, "src/base/diagnostics.def"), encoding="utf-8") as file:
            table = set(re.findall(r'^DIAGNOSTIC\(\w+, "(import-[a-z-]+)"', file.read(), re.M))
        self.assertEqual(table - shown, set(), "codes without a case")

    def test_declared_sms(self):
        """A board of the model's kind with fewer SMs: refused until they are declared."""
        path = os.path.join(self.folder.name, "fewer.json")
        with open(os.path.join(FIXTURES, "kineto.json"), encoding="utf-8") as kineto, open(path, "w", encoding="utf-8") as file:
            file.write(kineto.read().replace('"numSms": 16', '"numSms": 14'))
        for declared, status in (([], 3), (["-d", "sm.count=14"], 0)):
            done = run(["import", "kineto", path, "--platform=jetson-agx-orin", *declared])
            self.assertEqual(done.returncode, status, done.stderr)

    def test_exhausted(self):
        """Whichever allocation fails, those of the libraries included: one message, status 5, no output. Needs -Dtesting=true."""
        for words in (["nsys", self.place("trace.sqlite")], ["kineto", "kineto.json"], ["recorder", "run.rec"], ["examiner", "examiner_result_1.json"], ["nsys", "gpu_trace.csv"], ["csv", "tables.csv"]):
            for allocation in [1, 2, 3] + list(range(5, 80, 9)):
                done = run(["import", *words], env=dict(os.environ, GPUBOUND_FAIL_ALLOCATION=str(allocation)))
                if allocation == 1 and done.returncode == 0:
                    self.skipTest("built without -Dtesting=true")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (5, b"", b"gpubound: out of memory\n"), (words, allocation))

    def test_usage(self):
        for words, said in (
            (["nsight", "x"], "there are:"),
            (["poet"], "missing operand"),
            (["poet", "a", "b"], "this format takes one file"),
            (["ptxas", "b", "poet", "a"], "this format stands alone"),
            (["ptxas", "poet", "a"], "expected a file behind 'ptxas'"),
            (["poet", "a", "--margin=20"], "wants a percentage"),
            (["poet", "a", "--margin=-1%"], "wants a percentage"),
            (["poet", "a", "--period=20"], "wants a time"),
            (["poet", "a", "--declare=overhead.launch"], "wants NAME=VALUE"),
            (["poet", "a", "--jobs=0"], "whole number from 1"),
            (["ptxas", "a", "--platform-output=p.xml"], "is for poet"),
            (["csv", "a", "--period=3ms"], "option '--period' is not for csv"),
            (["csv", "a", "ptxas", "b"], "this format stands alone"),
        ):
            done = run(["import", *words])
            self.assertEqual((done.returncode, done.stdout), (2, b""), words)
            self.assertIn(said, done.stderr.decode())

    def test_poet_platform(self):
        """The platform that is written beside a task set of POET is valid, and the two give a bound."""
        with tempfile.TemporaryDirectory() as folder:
            done = run(["import", "poet", os.path.join(FIXTURES, "poet.yaml"), "-o", "set.xml", "--platform-output", "one.xml"], cwd=folder)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            checked = run(["models", "--check", "./one.xml"], cwd=folder)
            self.assertEqual(checked.returncode, 0, checked.stdout)
            with open(os.path.join(folder, "one.xml"), encoding="utf-8") as file:
                self.compare(os.path.join(HERE, "golden", "poet-platform.xml"), file.read())
            analysed = run(["analyze", "-f", "csv", "set.xml"], cwd=folder)
            self.assertIn(analysed.returncode, (0, 1), analysed.stderr)
            self.assertEqual(re.findall(r"^task,(\w+),", analysed.stdout.decode(), re.M), ["t7", "t2", "t11"])

    def test_output_file(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(["import", "poet", os.path.join(FIXTURES, "poet.yaml"), "-o", os.path.join(folder, "set.xml")])
            self.assertEqual((done.returncode, done.stdout, os.listdir(folder)), (0, b"", ["set.xml"]))
            done = run(["import", "poet", os.path.join(FIXTURES, "poet.yaml"), "-o", os.path.join(folder, "none", "set.xml")])
            self.assertEqual(done.returncode, 2)


from cases import NOT_MODELLED  # noqa: E402

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
