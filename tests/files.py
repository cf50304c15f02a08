"""Files that commands read and write: no output replaces an input, links stay links, nothing waits for a pipe, nothing is left behind.

usage: files.py GPUBOUND SOURCE_ROOT SERVE [--no-limits]
(SERVE: gpubound as a server, tests/serve.c, for runs whose process has nothing of its own)
"""
import contextlib
import functools
import gzip
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import unittest

import served

NO_LIMITS = "--no-limits" in sys.argv  # sanitizers need more address space
sys.argv = [word for word in sys.argv if word != "--no-limits"]
SERVE = sys.argv.pop(3)
ROOT = pathlib.Path(sys.argv.pop(2)).resolve()
GPUBOUND = os.path.abspath(sys.argv.pop(1))
EXAMPLES, FIXTURES = ROOT / "examples", ROOT / "tests" / "import" / "fixtures"
TRACE = ROOT / "tests" / "silicon" / "traces" / "fresh.csv.gz"
RECORDING = sorted((ROOT / "tests" / "silicon" / "h200").glob("*.csv.gz"))[0]

# What a command reads (a file's name in the folder and where it comes from), and its words; IN and OUT are filled in.
READS_AND_WRITES = {
    "analyze": (EXAMPLES / "two-streams.xml", ["analyze", "-q", "--output=OUT", "IN"]),
    "analyze --compare": ("report", ["analyze", "-q", "--output=OUT", "--compare=IN", str(EXAMPLES / "two-streams.xml")]),
    "analyze -m": (ROOT / "models" / "h200.xml", ["analyze", "-q", "--output=OUT", "-m", "IN", str(EXAMPLES / "two-streams.xml")]),
    "calibrate": (RECORDING, ["calibrate", "--margin=5", "-b", "h200", "--samples=1", "--output=OUT", "IN"]),
    "export": (EXAMPLES / "two-streams.xml", ["export", "csv", "IN", "--output=OUT"]),
    "import": (FIXTURES / "gpu_trace.csv", ["import", "nsys", "IN", "-m", "h200", "--output=OUT"]),
    "import --map": (FIXTURES / "map_trace.csv", ["import", "nsys", str(FIXTURES / "gpu_trace.csv"), "--map=IN", "--output=OUT"]),
    "import csv": (FIXTURES / "tables.csv", ["import", "csv", "IN", "--output=OUT"]),
    "import --platform-output": (FIXTURES / "poet.yaml", ["import", "poet", "IN", "--platform-output=OUT"]),
    "map": (EXAMPLES / "two-streams.xml", ["map", "--output=OUT", "IN"]),
    "map --svg": (EXAMPLES / "two-streams.xml", ["map", "--svg=OUT", "IN"]),
    "raster": (EXAMPLES / "frames" / "night-sky.xml", ["raster", "--svg=OUT", "IN"]),
    "report": ("report", ["report", "--output=OUT", "IN"]),
    "report --bundle": ("report", ["report", "--bundle=OUT", "IN"]),
    "simulate --trace": (EXAMPLES / "two-streams.xml", ["simulate", "--trace=OUT", "IN"]),
    "simulate --chrome": (EXAMPLES / "two-streams.xml", ["simulate", "--chrome=OUT", "IN"]),
    "simulate --svg": (EXAMPLES / "two-streams.xml", ["simulate", "--svg=OUT", "IN"]),
    "wcet": (EXAMPLES / "kernels" / "fermi-nest.xml", ["wcet", "--output=OUT", "IN"]),
    "wcet --dot": (EXAMPLES / "kernels" / "fermi-nest.xml", ["wcet", "--dot=OUT", "IN"]),
    "wcet --svg": (EXAMPLES / "kernels" / "fermi-nest.xml", ["wcet", "--svg=OUT", "IN"]),
}
# What reads without writing a file.
READS = {
    "accept": ("report", ["accept", "--task-set=none", "--models=none", "--certificate=none", "IN"]),
    "falsify": (EXAMPLES / "two-streams.xml", ["falsify", "-q", "--systems=1", "--runs=1", "--threads=1", "IN"]),
    "validate": (TRACE, ["validate", "-m", "h200", "IN"]),
    "validate -m": (ROOT / "models" / "h200.xml", ["validate", "-m", "IN", str(TRACE)]),
    "verify": ("report", ["verify", "IN"]),
    "verify --input": (EXAMPLES / "two-streams.xml", ["verify", "--input=IN", "REPORT"]),
    "models": (ROOT / "models" / "h200.xml", ["models", "./IN"]),
    "falsify --trace": (TRACE, ["falsify", "-m", "h200", "--trace=IN"]),
    "wcet --beside": (EXAMPLES / "kernels" / "fermi-nest.xml", ["wcet", "--beside=IN", str(EXAMPLES / "kernels" / "fermi-nest.xml")]),
    "calibrate -b": (ROOT / "models" / "h200.xml", ["calibrate", "--margin=5", "--base=./IN", str(RECORDING)]),
    **{f"import {name}": (FIXTURES / "gpu_trace.csv", ["import", name, "IN"])
       for name in ("nsys", "kineto", "ncu", "ptxas", "cuobjdump", "examiner", "orion", "poet", "recorder", "trtexec", "amalthea", "csv")},
    "import mast": (FIXTURES / "waters2019.amxmi", ["import", "mast", "IN", "--taskset=" + str(EXAMPLES / "waters2019.xml")]),
    "import --taskset": (EXAMPLES / "waters2019.xml", ["import", "mast", str(FIXTURES / "waters2019.amxmi"), "--taskset=IN"]),
    "analyze --threads": (EXAMPLES / "waters2019.xml", ["analyze", "-f", "mast", "--threads=IN", str(EXAMPLES / "waters2019.xml")]),
}


@functools.cache
def report_of_two_streams(name):
    with tempfile.TemporaryDirectory() as folder:
        result = SERVER.run(["analyze", "-q", "--slack", f"--output={name}", EXAMPLES / "two-streams.xml"], folder)
        assert result.returncode < 2, result.stderr
        return pathlib.Path(folder, name).read_bytes()


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)

    def run_in(self, words, seconds=60, **more):
        if not more:
            return SERVER.run_bytes(words, self.at)
        return subprocess.run([GPUBOUND, *words], cwd=self.at, capture_output=True, timeout=seconds, **{"stdin": subprocess.DEVNULL, **more})

    def report(self, name):
        (self.at / name).write_bytes(report_of_two_streams(name))

    def place(self, source):
        """The input in the folder, under a name with its ending; its content."""
        if source == "report":
            name = "report.xml"
            self.report(name)
        else:
            name = "input" + "".join(pathlib.Path(source).suffixes)
            shutil.copyfile(source, self.at / name)
        os.chmod(self.at / name, 0o644)
        return name

    def names(self):
        return sorted(os.listdir(self.at))

    def empty(self):
        for entry in self.names():
            path = self.at / entry
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()

    def fill(self, words, name, output="out"):
        return [word.replace("REPORT", "report.xml").replace("IN", name).replace("OUT", output) for word in words]


class Over(Folder):
    """An output that is an input."""

    def test_is_refused_under_every_name(self):
        for what, (source, words) in READS_AND_WRITES.items():
            with self.subTest(what):
                self.empty()
                name = self.place(source)
                content = (self.at / name).read_bytes()
                os.link(self.at / name, self.at / "hard")
                os.symlink(name, self.at / "soft")
                for output in (name, "./" + name, "hard", "soft", str(self.at / name)):
                    before = self.names()
                    result = self.run_in(self.fill(words, name, output))
                    self.assertEqual(result.returncode, 2, (output, result.stderr))
                    self.assertIn(b"not written over", result.stderr)
                    self.assertEqual(result.stdout, b"")
                    self.assertEqual((self.at / name).read_bytes(), content)
                    self.assertEqual(self.names(), before)
                self.assertIn(self.run_in(self.fill(words, name, "out")).returncode, (0, 1, 4))
                self.assertTrue((self.at / "out").exists())

    def test_of_what_inputs_name(self):
        """The platform model of a task set, a program, its code and its binary."""
        for name in ("copies.xml", "programs.xml"):
            shutil.copyfile(EXAMPLES / name, self.at / name)
        shutil.copytree(EXAMPLES / "kernels", self.at / "kernels")
        shutil.copyfile(ROOT / "models" / "titan-v.xml", self.at / "p.xml")
        text = (self.at / "copies.xml").read_text()
        (self.at / "copies.xml").write_text(re.sub(r'platform="[^"]*"', 'platform="./p.xml"', text, count=1))
        named = re.search(r'<program file="([^"]+)"', (self.at / "programs.xml").read_text())[1]
        code = re.search(r'file="([^"]+)"', (self.at / named).read_text())
        cases = [("copies.xml", "p.xml"), ("programs.xml", named)]
        if code is not None:
            cases.append(("programs.xml", str(pathlib.Path(named).parent / code[1])))
        for taskset, output in cases:
            content = (self.at / output).read_bytes()
            result = self.run_in(["analyze", "-q", "-o", output, taskset])
            self.assertEqual(result.returncode, 2, (output, result.stderr))
            self.assertEqual((self.at / output).read_bytes(), content)

    def test_kept_counterexample(self):
        name = self.place(EXAMPLES / "two-streams.xml")
        os.rename(self.at / name, self.at / "counterexample.xml")
        result = self.run_in(["falsify", "--keep=.", "--systems=1", "counterexample.xml"])
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(b"not written over", result.stderr)

    def test_two_outputs_of_one_name(self):
        name = self.place(EXAMPLES / "kernels" / "fermi-nest.xml")
        (self.at / "there").write_text("")
        os.link(self.at / "there", self.at / "too")
        for first, second in (("new", "new"), ("there", "too")):
            result = self.run_in(["wcet", f"--dot={first}", f"--svg={second}", name])
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(b"name the same file", result.stderr)


class Written(Folder):
    """Links, permissions, and what cannot be written."""

    def cases(self):
        for what, (source, words) in READS_AND_WRITES.items():
            with self.subTest(what):
                self.empty()
                yield words, self.place(source)

    def test_links_stay(self):
        for words, name in self.cases():
            (self.at / "target").write_text("old")
            os.chmod(self.at / "target", 0o600)
            os.symlink("target", self.at / "link")
            result = self.run_in(self.fill(words, name, "link"))
            self.assertIn(result.returncode, (0, 1, 4), result.stderr)
            self.assertTrue(os.path.islink(self.at / "link"))
            self.assertNotEqual((self.at / "target").read_text(errors="replace"), "old")
            self.assertEqual(stat.S_IMODE(os.stat(self.at / "target").st_mode), 0o600)
            self.assertEqual(self.names(), sorted([name, "link", "target"]))

    def test_what_cannot_be_written(self):
        for words, name in self.cases():
            os.mkdir(self.at / "folder")
            for output in ("/dev/full", "folder", "nowhere/out", "a/" * 3000 + "out"):
                result = self.run_in(self.fill(words, name, output))
                self.assertEqual(result.returncode, 2, (output, result.stderr))
                self.assertTrue(result.stderr)
            os.rmdir(self.at / "folder")
            self.assertEqual(self.names(), [name])

    def test_standard_output_that_fails(self):
        """A full disk and a closed descriptor are said, of every command."""
        tables = [(source, words) for words_of in (READS_AND_WRITES, READS) for source, words in words_of.values()]
        for source, words in tables + [(EXAMPLES / "two-streams.xml", [name]) for name in ("help", "version", "models")]:
            words = [word for word in words if not word.startswith(("--output", "--plot", "--svg", "--dot", "--trace=OUT", "--chrome", "--bundle"))]
            with self.subTest(words):
                self.empty()
                self.report("report.xml")
                name = self.place(source)
                words = self.fill(words, name)
                if self.run_in(words).stdout == b"":
                    continue
                with open("/dev/full", "wb") as full:
                    result = subprocess.run([GPUBOUND, *words], cwd=self.at, stdout=full, stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(b"standard output", result.stderr)
                result = subprocess.run([GPUBOUND, *words], cwd=self.at, stderr=subprocess.PIPE, timeout=60, preexec_fn=lambda: os.close(1))
                self.assertEqual(result.returncode, 2, result.stderr)

    def test_signal_leaves_nothing(self):
        """The task set is large, so that writing its report takes long enough to be met."""
        head = (f'<taskset xmlns="urn:gpubound:taskset:1" id="many" platform="h200" origin="o"><origins><origin id="o" kind="declared" source="s"'
                ' by="b"/></origins>')
        tasks = "".join(f'<task id="t{i}" period="1s"><host id="h{i}" wcet="1ns"/></task>' for i in range(200))
        (self.at / "set.xml").write_text(head + tasks + "</taskset>")
        met = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) * 4:
            process = subprocess.Popen([GPUBOUND, "analyze", "-q", "-o", "out", "set.xml"], cwd=self.at, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, preexec_fn=lambda number=number: signal.signal(number, signal.SIG_DFL))
            while process.poll() is None and not any(name.startswith("out.") for name in self.names()):
                pass
            process.send_signal(number)
            process.wait(60)
            met += process.returncode == -number
            self.assertIn(process.returncode, (0, -number))
            self.assertIn(self.names(), (["set.xml"], ["out", "set.xml"]))
        print(f"test_signal_leaves_nothing: {met} of 12 met the file half written", file=sys.stderr)

    def test_limit_of_file_size(self):
        name = self.place(EXAMPLES / "two-streams.xml")
        result = self.run_in(["analyze", "-q", "-o", "out", name], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(self.names(), [name])


class Read(Folder):
    """Input that is no regular file, or not what it should be: an answer within seconds."""

    def cases(self):
        for what, (source, words) in {**READS_AND_WRITES, **READS}.items():
            with self.subTest(what):
                self.empty()
                self.report("report.xml")
                name = "input.xml" if source == "report" else "input" + "".join(pathlib.Path(source).suffixes)
                yield words, name

    def refused(self, words, name):
        start = time.monotonic()
        result = self.run_in(self.fill(words, name))
        self.assertLess(time.monotonic() - start, 10)
        return result

    def test_pipe_folder_device(self):
        for words, name in self.cases():
            for make, said in ((os.mkfifo, b"this is a pipe"), (os.mkdir, b"folder"), (lambda path: os.symlink("/dev/zero", path), b"device")):
                make(self.at / name)
                result = self.refused(words, name)
                if "--input=IN" in words:  # what is named has to be an input of the report
                    self.assertEqual(result.returncode, 1, result.stderr)
                    self.assertIn(b"[file-unreadable]", result.stderr)
                else:
                    self.assertEqual(result.returncode, 3, result.stderr)
                    self.assertIn(said, result.stderr)
                    self.assertIn(b"[file-unreadable]", result.stderr)
                    self.assertEqual(result.stdout, b"")
                (os.rmdir if (self.at / name).is_dir() else os.unlink)(self.at / name)

    def test_nonsense(self):
        """Empty, zeros, noise, one endless line, a name that is no UTF-8."""
        pieces = {"empty": b"", "zeros": bytes(100000), "noise": bytes(i * 7919 % 251 for i in range(5000)), "line": b"a" * 3000000,
                  "brackets": b"<" * 1000000, "json": b"[" * 1000000, "commas": b"," * 1000000}
        for words, name in self.cases():
            for what, content in pieces.items():
                (self.at / name).write_bytes(content)
                result = self.refused(words, name)
                if "--input=IN" in words:
                    self.assertEqual(result.returncode, 1, (what, result.stderr[:300]))
                    self.assertIn(b"[no-such-input]", result.stderr)
                    continue
                self.assertEqual(result.returncode, 3, (what, result.stderr[:300]))
                self.assertRegex(result.stderr, rb": error: .*\[[a-z0-9-]+\]")
                self.assertLess(max(map(len, result.stderr.splitlines())), 6000)
                os.unlink(self.at / name)
            strange = "\udcff\udc80" + name
            (self.at / strange).write_bytes(b"x")
            result = self.refused(words, strange)
            self.assertIn(result.returncode, (1, 3) if "--input=IN" in words else (0, 3), result.stderr)

    def replaced(self, pattern, by, text):
        text, count = re.subn(pattern, by, text)
        self.assertGreater(count, 0, pattern)
        return text

    def test_what_files_name(self):
        """A pipe as platform model, program, code, binary and frame, and a report's input that is one."""
        os.mkfifo(self.at / "pipe")
        os.mkfifo(self.at / "pipe.xml")
        cockpit = (EXAMPLES / "two-streams.xml").read_text()
        for platform in ("./pipe", "./pipe.xml", "-", "/dev/stdin"):
            (self.at / "set.xml").write_text(self.replaced(r'platform="[^"]*"', f'platform="{platform}"', cockpit))
            for command in ("analyze", "simulate", "map", "falsify"):
                with self.waiting() as standard:
                    result = self.run_in([command, "set.xml"], seconds=20, stdin=standard)
                self.assertEqual(result.returncode, 3, (platform, command, result.stderr))
        programs = (EXAMPLES / "programs.xml").read_text()
        for name in ("pipe", "-"):
            (self.at / "set.xml").write_text(self.replaced(r'<program file="[^"]*"', f'<program file="{name}"', programs))
            with self.waiting() as standard:
                self.assertEqual(self.run_in(["analyze", "set.xml"], seconds=20, stdin=standard).returncode, 3, name)
        kernel = (EXAMPLES / "kernels" / "mandelbrot.sm_90.xml").read_text()
        for attribute in ("file", "cubin"):
            for name in ("pipe", "-"):
                for other in ("mandelbrot.sm_90.sass", "mandelbrot.sm_90.cubin"):
                    shutil.copyfile(EXAMPLES / "kernels" / other, self.at / other)
                (self.at / "program.xml").write_text(self.replaced(rf'(<sass[^>]* {attribute}=)"[^"]*"', rf'\1"{name}"', kernel))
                with self.waiting() as standard:
                    self.assertEqual(self.run_in(["wcet", "program.xml"], seconds=20, stdin=standard).returncode, 3, name)

    def test_report_that_names_a_pipe(self):
        shutil.copyfile(EXAMPLES / "two-streams.xml", self.at / "set.xml")
        self.run_in(["analyze", "-q", "-o", "r.xml", "set.xml"])
        os.unlink(self.at / "set.xml")
        os.mkfifo(self.at / "set.xml")
        for words in (["verify", "r.xml"], ["verify", "--prose", "r.xml"], ["report", "--bundle=b.tar", "r.xml"], ["report", "--figures", "-o", "x.html", "r.xml"]):
            result = self.run_in(words)
            self.assertIn(result.returncode, (1, 3), (words, result.stderr))

    @contextlib.contextmanager
    def waiting(self):
        """Standard input on which nobody ever writes."""
        ours, theirs = os.pipe()
        try:
            yield ours
        finally:
            os.close(ours)
            os.close(theirs)

    def test_standard_input(self):
        """What can be read from a pipe is: of - the command line says so."""
        for what, (source, words) in {**READS_AND_WRITES, **READS}.items():
            if what.split()[0] not in ("analyze", "map", "simulate", "import", "validate", "calibrate", "raster") or "-m" in what or "-b" in what:
                continue
            if any(word in what for word in ("--", "import ")):
                continue
            with self.subTest(what), open(source, "rb") as file:
                copy = subprocess.run([GPUBOUND, *self.fill(words, str(source), str(self.at / "by-name"))], capture_output=True, timeout=60)
                result = self.run_in(self.fill(words, "-", "out"), input=file.read(), stdin=None)
                self.assertIn(result.returncode, (0, 1, 3, 4), result.stderr)
                self.assertEqual(result.returncode == 3, copy.returncode == 3, result.stderr)


class Bounded(Folder):
    """Much input: seconds, and a few hundred megabytes; beyond a limit it is refused, and the limit is said."""

    def run_within(self, words, megabytes, seconds=15):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            if not NO_LIMITS:
                resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1000000, megabytes * 1000000))
        return self.run_in(words, seconds=100, preexec_fn=limit)

    def test_compressed_gigabytes(self):
        """Comment lines, 1.1 GB of them in some 5 MB: a member of a gzip file, many times."""
        comments = gzip.compress((b"#" + b"x" * 998 + b"\n") * 10000)
        for first, words in ((TRACE, ["validate", "-m", "h200", "bomb.gz"]), (TRACE, ["falsify", "-m", "h200", "--trace=bomb.gz"]),
                             (RECORDING, ["calibrate", "--margin=5", "bomb.gz"])):
            with gzip.open(first) as file:
                head = file.readline()
            (self.at / "bomb.gz").write_bytes(gzip.compress(head) + comments * 110)
            result = self.run_within(words, 200)
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn(b"at most 1000000000 bytes of text, after decompression [file-too-large]", result.stderr)

    def test_export_without_an_index(self):
        """A name of StringIds for each of 20,000 launches, of 100,000: 20 seconds when each is looked for from the beginning."""
        columns = ("start end deviceId contextId streamId globalPid demangledName registersPerThread gridX gridY gridZ blockX blockY blockZ "
                   "staticSharedMemory dynamicSharedMemory").split()
        database = sqlite3.connect(self.at / "trace.sqlite")
        database.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(" + ", ".join(f"{column} INTEGER" for column in columns) + ")")
        database.execute("CREATE TABLE StringIds(id INTEGER, value TEXT)")
        database.executemany("INSERT INTO StringIds VALUES (?, ?)", ((i, f"kernel{i}") for i in range(100000)))
        database.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 7, 1, ?, 32, 4, 1, 1, 128, 1, 1, 0, 0)",
                             ((i * 1000, i * 1000 + 500, 99999 - i % 50) for i in range(20000)))
        database.commit()
        database.close()
        result = self.run_within(["import", "nsys", "trace.sqlite", "-m", "h200", "--jobs=400"], 200, seconds=4 if not NO_LIMITS else 15)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(re.findall(rb"<kernel ", result.stdout)), 50)
        self.assertIn(b"kernel99999", result.stdout)

    def test_large_files(self):
        """60 MB of rows are read; 150 MB are refused without being read; of Orion and of recordings what is kept is limited."""
        trace = (FIXTURES / "gpu_trace.csv").read_text().splitlines(keepends=True)
        first = next(i for i, line in enumerate(trace) if line.startswith("Start"))
        rows = "".join(line for line in trace[first + 1:] if line.strip())
        (self.at / "trace.csv").write_text(trace[first] + rows * (60000000 // len(rows)))
        result = self.run_within(["import", "nsys", "trace.csv", "-m", "h200"], 250)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(b"operations in a job", result.stderr)
        os.truncate(self.at / "trace.csv", 150000000)
        for name in ("nsys", "ncu", "ptxas", "cuobjdump", "orion", "poet", "examiner", "trtexec", "amalthea"):
            result = self.run_within(["import", name, "trace.csv"], 320)
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn(b"expected at most 134217728 bytes in all files", result.stderr)
        with open(self.at / "trace.json", "w") as file:  # a value at a time is in memory, and what is kept of 300,000 launches
            file.write('{"traceEvents": [\n')
            for i in range(300000):
                file.write('{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "tid": 1, "ts": %d, "dur": 2, "args": {"correlation": %d}},\n' % (10 * i, i))
                file.write('{"ph": "X", "cat": "kernel", "name": "k%d", "ts": %d.5, "dur": 3.125, "args": {"device": 0, "context": 1, "stream": 7, "correlation": %d, '
                           '"registers per thread": 32, "shared memory": 0, "grid": [4, 1, 1], "block": [128, 1, 1]}},\n' % (i % 100, 10 * i + 3, i))
            file.write('{"ph": "i"}]}')
        result = self.run_within(["import", "kineto", "trace.json", "--jobs=3000"], 200, seconds=15 if not NO_LIMITS else 80)
        self.assertEqual((result.returncode, len(re.findall(rb"<kernel ", result.stdout))), (0, 100), result.stderr)
        (self.at / "network.csv").write_text("Name,Profile,Memory_footprint,SM_usage,Duration\n" + "Conv,1,0,49,26688\n" * 3000000)
        result = self.run_within(["import", "orion", "network.csv"], 250)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(b"expected at most 20000 operations in a job", result.stderr)
        with gzip.open(ROOT / "tests" / "silicon" / "h200" / "interference.csv.gz", "rt") as file:
            lines = [line for line in file if not line.startswith("# complete")]
        rows = "".join(line for line in lines[-1000:] if not line.startswith("#"))
        (self.at / "recording.csv").write_text("".join(lines) + rows * 1200)
        result = self.run_within(["calibrate", "--margin=5", "-b", "h200", "recording.csv"], 300)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(b"at most 100000000 bytes of rows", result.stderr)


SERVER = served.Server(SERVE, ROOT)
SERVER.test(sys.argv[1:])
