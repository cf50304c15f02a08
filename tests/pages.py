"""The examples in the manual run: every command under EXAMPLES, and every one that gpubound(1) shows, in a folder that has what they name.

Tools of NVIDIA are played by a script that hands over a fixture; numbers of runs are cut, and said to be. gpubound-tutorial(7) has a test of
its own.

usage: pages.py GPUBOUND SOURCE_ROOT
"""
import gzip
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
FIXTURES, KERNEL = ROOT / "tests/import/fixtures", ROOT / "examples/kernels/reduction.sm_90"
BOARD = ROOT / "models/h200.xml"
SHORTER = [("--systems=10000", "--systems=5"), ("falsify --runs=100", "falsify --systems=2 --runs=10"), ("--runs=1000", "--runs=10")]
FINE = (0, 1, 4, 7)  # proven, not proven, no bound, conditional: the example ran
REFUSED = ("gpubound import nsys run.sqlite", "gpubound wcet sum.xml")  # as their pages say: something has to be declared first
# What the played tools write on standard output; the last word names the file that they are to make.
TOOLS = {"nsys": f"case $1 in export) cp trace.sqlite run.sqlite ;; *) cat {FIXTURES}/gpu_trace_mb.csv ;; esac",
         "ncu": f"cat {FIXTURES}/ncu_raw.csv", "nvcc": f"case $1 in -cubin) cp {KERNEL}.cubin $5 ;; *) sed s/_Z3sum/_Z6filter/ {FIXTURES}/ptxas_sm90.log >&2 ;; esac",
         "nvdisasm": f"cat {KERNEL}.sass", "dot": "touch nest.svg"}


def plain(text):
    return text.replace(r"\e", "\\").replace(r"\&", "").replace("\\ ", " ")


def commands(page):
    """The displayed commands, in order: those under EXAMPLES, in gpubound(1) all."""
    text = page.read_text()
    if page.name != "gpubound.1":
        text = "".join(re.findall(r"^\.Sh EXAMPLES\n(.*?)(?=^\.Sh|\Z)", text, re.S | re.M))
    text = re.sub(r"(?:^\.Dl .*\\\n)+^\.Dl .*\n", lambda lines: ".Dl " + re.sub(r"\\?\n?^\.Dl ", " ", lines.group(), flags=re.M).strip() + "\n", text, flags=re.M)
    for line, display in re.findall(r"^\.Dl (.*)|^\.Bd -literal.*\n((?:.*\n)*?)\.Ed", text, re.M):
        yield plain(line or display).strip()


def databases():
    spec = importlib.util.spec_from_file_location("databases", ROOT / "tests/import/databases.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "bin").mkdir()
        for name, script in TOOLS.items():
            path = cls.folder / "bin" / name
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)
        environment = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
        cls.environment = {**environment, "PATH": f"{cls.folder / 'bin'}:{GPUBOUND.parent}:{environment['PATH']}", "HOME": str(cls.folder / "home")}
        cls.trace = cls.output("gpubound simulate -q -m h200 --trace=- examples/two-streams.xml", ROOT).stdout

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def output(cls, text, folder):
        return subprocess.run(["sh", "-c", text], cwd=folder, env=cls.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)

    def prepare(self, name):
        """What the examples of a page name, and nothing else: some take *.xml."""
        folder = self.folder / name
        folder.mkdir()
        (self.folder / "home/.local/share/bash-completion/completions").mkdir(parents=True, exist_ok=True)
        for shared in ("examples", "schema"):
            (folder / shared).symlink_to(ROOT / shared)
        files = {"set.xml": ROOT / "examples/two-streams.xml", "my-board.xml": BOARD, "archive/two-streams.xml": ROOT / "examples/two-streams.xml"}
        if name == "gpubound-falsify.1":
            files["mine.xml"] = ROOT / "examples/two-streams.xml"
        for target, source in files.items():
            if name == "gpubound-analyze.1" and target == "my-board.xml":
                continue
            (folder / target).parent.mkdir(exist_ok=True)
            shutil.copy(source, folder / target)
        (folder / "traces").mkdir()
        for path in ("traces/a.csv.gz", "h_prio.csv.gz"):
            (folder / path).write_bytes(gzip.compress(self.trace.encode()))
        (folder / "run.csv").write_text(self.trace)
        if name == "gpubound-report.5":
            self.assertEqual(self.output("gpubound analyze -q -o report.xml set.xml", folder).returncode, 0)
        if name == "gpubound-accept.1" and shutil.which("xmlsec1") and shutil.which("openssl"):
            self.receive(folder)
        if name == "gpubound-import.1":
            databases().good(str(folder / "trace.sqlite"))
            (folder / "trace.json.gz").write_bytes(gzip.compress((FIXTURES / "kineto_open.json").read_bytes()))
        return folder

    def receive(self, folder):
        """A signed report of mine.xml; whoever signs is his own authority."""
        shutil.copy(ROOT / "examples/two-streams.xml", folder / "mine.xml")
        (folder / "trusted").symlink_to(ROOT / "models")
        for command in ("openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out authority.pem -subj '/O=Works/CN=J. Doe' -days 2",
                        "gpubound analyze -q -o report.xml mine.xml", "{ sed '$d' report.xml; cat schema/signature.xml; echo '</report>'; } >unsigned.xml",
                        "xmlsec1 --sign --privkey-pem key.pem,authority.pem --output received.xml unsigned.xml"):
            self.assertEqual(self.output(command, folder).returncode, 0, command)

    def try_page(self, page):
        tried = list(commands(page))
        folder = self.prepare(page.name.removesuffix(".in"))
        for command in tried:
            for long, short in SHORTER:
                command = command.replace(long, short)
            with self.subTest(page=page.name, command=command):
                if "gpubound accept" in command and (shutil.which("xmlsec1") is None or shutil.which("openssl") is None):
                    self.skipTest("xmlsec1 or openssl is not installed: nothing is signed: " + command)
                if "slurm.sh" in command:
                    self.skipTest("needs a cluster, as the test shards-slurm makes one: " + command)
                if "results/" in command or "recordings/" in command:
                    self.skipTest("no recordings of cuda_scheduling_examiner on a Jetson, or of probe/ on an H200, are kept here: " + command)
                result = self.output(command, folder)
                self.assertIn(result.returncode, (3,) if any(end in command for end in REFUSED) else FINE, result.stderr)
                self.assertNotRegex(result.stderr, r"not found|No such file")
        return len(tried)

    def test_examples(self):
        pages = [path for path in sorted((ROOT / "man").glob("*.[1-8]*")) if "tutorial" not in path.name]
        counts = {page.name: self.try_page(page) for page in pages}
        for name, count in counts.items():
            self.assertTrue(count > 0 or not name.endswith(".1"), f"{name} shows no example")
        self.assertGreater(sum(counts.values()), 30)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
