"""What a program of hundreds of kernels can hurt fits on a screen, and the verdict is the last line. Usage: screen.py GPUBOUND SOURCE_ROOT"""
import contextlib
import os
import pathlib
import pty
import random
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(2)).resolve()
GPUBOUND = str(pathlib.Path(sys.argv.pop(1)).resolve())
HEAD = """<taskset xmlns="urn:gpubound:taskset:1" id="networks" platform="{platform}" origin="o">
  <origins><origin id="o" kind="declared" source="made up" by="test"/></origins>
  {engines}
  <application id="nets"><stream id="s0"/><stream id="s1"/><stream id="s2"/></application>
"""
ENGINES = '<declare name="concurrent-kernels" value="yes" source="t" by="t"/><declare name="engine.memset" value="compute" source="t" by="t"/>'


def networks(platform="jetson-agx-orin", engines=ENGINES):
    """Three networks of 634 operations in all, in the shapes that the kernels of networks have."""
    choice, text = random.Random(7).choice, HEAD.format(platform=platform, engines=engines)
    for task in range(3):
        text += f'  <task id="net{task}" period="100ms" deadline="100ms">\n'
        for k in range(210 + (task == 0)):
            text += f'    <kernel id="{choice(("conv", "relu", "pool", "gemm"))}-{task}-{k}" stream="s{task}" scope="block" grid="{choice((1, 4, 8, 64))}"' \
                    f' block="{choice((64, 128, 256, 1024))}" registers="{choice((32, 64))}" wcet="{choice((2, 9, 20))}us"/>\n'
        text += f'    <memset id="m{task}" stream="s{task}" wcet="10us"/>\n  </task>\n'
    return text + "</taskset>\n"


def analyze(text, *words):
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        return subprocess.run([GPUBOUND, "analyze", *words, file.name], capture_output=True, text=True, timeout=120)


def run_on_terminal(words):
    """What it writes to standard error, which is a terminal."""
    own, other = pty.openpty()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=other)
    os.close(other)
    text = b""
    with contextlib.suppress(OSError):  # the terminal's end
        while part := os.read(own, 4096):
            text += part
    os.close(own)
    process.wait(timeout=60)
    return text.decode()


def rows(text):
    """On a terminal of 80 columns."""
    return sum(max(1, -(-len(line) // 80)) for line in text.splitlines())


class Screen(unittest.TestCase):
    def test_hazards(self):
        shown, every = analyze(networks()), analyze(networks(), "-v")
        self.assertLessEqual(rows(shown.stderr), 24, shown.stderr)
        self.assertGreater(every.stderr.count("hazard: "), 300)
        codes = set(re.findall(r"(?:hazard|warning): .*\[([a-z-]+)\]$", every.stderr, re.M))
        for code in codes:
            self.assertIn(f"[{code}]", shown.stderr)
        order = [shown.stderr.index(f"[{code}]") for code in ("overhead-undeclared", "same-sm", "idle-sms")]
        self.assertEqual(order, sorted(order), "what may cost the bound first, what only wastes last")
        self.assertIn("-v prints all", shown.stderr)
        self.assertIn("models --check", shown.stderr)

    def test_counts(self):
        """What is shown and what is counted is all there is."""
        shown, every = analyze(networks()).stderr, analyze(networks(), "-v").stderr
        for code in ("same-sm", "idle-sms"):
            number = every.count(f"[{code}]\n")
            more = re.search(rf"and (\d+) more of \[{code}\]", shown)
            only = re.search(rf"hazard: (\d+) of \[{code}\]", shown)
            self.assertEqual(int(more[1]) + 1 if more else int(only[1]), number, code)

    def test_one_fact_once(self):
        result = analyze(networks("jetson-agx-orin", ""))
        self.assertEqual(result.returncode, 3)
        self.assertEqual(result.stderr.count("[copy-no-engine]"), 1, "three memsets lack one engine")
        self.assertLessEqual(rows(result.stderr), 24)
        wrong = analyze(networks().replace('registers="64"', 'registers="0"'))
        self.assertEqual(wrong.returncode, 3)
        self.assertEqual(wrong.stderr.count("error: kernel"), 2)
        self.assertRegex(wrong.stderr, r"\d+ more errors of \[kernel-registers-missing\]")
        self.assertLessEqual(rows(wrong.stderr), 24)

    def test_few_are_all_shown(self):
        path = ROOT / "examples/two-streams.xml"
        result = subprocess.run([GPUBOUND, "analyze", path], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.stderr.count("hazard: "), 5)
        self.assertNotIn("-v prints all", result.stderr)

    def test_tables_are_80_columns_wide(self):
        for words in (["--slack", "examples/two-streams.xml"], ["--slack", "examples/waters2019.xml"], ["examples/waters2019-overload.xml"]):
            result = subprocess.run([GPUBOUND, "analyze", "-q", *words], capture_output=True, text=True, timeout=60, cwd=ROOT)
            for line in result.stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_examples_are_80_columns_wide(self):
        for path in sorted((ROOT / "examples").glob("*.xml")):
            result = subprocess.run([GPUBOUND, "analyze", "-q", path.name], capture_output=True, text=True, timeout=60, cwd=path.parent)
            for line in result.stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_quoted_lines(self):
        """A line of the file is cut at the terminal's edge, and what is no UTF-8 in it cannot steer the terminal."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.xml"
            path.write_text((ROOT / "examples/two-streams.xml").read_text().replace('wcet="800us"', 'wcet="800"').replace('id="resize_kernel"', 'id="\u00fc' + "\u00e9" * 200 + '"'))
            said = run_on_terminal([GPUBOUND, "analyze", path])
            lines = [line for line in said.splitlines() if re.match(" *[0-9]+ [|] ", line)]
            self.assertEqual([len(line) for line in lines], [80, 80])
            self.assertTrue(all(line.endswith(" ...") for line in lines), lines)
            path.write_bytes(b"<taskset \x9b31m\xc3>\n")
            said = run_on_terminal([GPUBOUND, "analyze", path])
            self.assertIn(r"1 | <taskset \x9B31m\xC3>", said)

    def test_one_fault_once(self):
        """What follows from a wrong number is not a second fault."""
        for old, wrong in (("registers", 'registers="32" shared-static="1MiB"'), ("registers", 'registers="600"'), ("block", 'block="2000"')):
            result = analyze(re.sub(rf' {old}="\d+"', f" {wrong}", networks(), count=1))
            self.assertEqual(result.stderr.count("error: "), 1, result.stderr)

    def test_mistyped_task(self):
        """No hazard stands before what is to be mended."""
        result = subprocess.run([GPUBOUND, "analyze", "--explain=resise", ROOT / "examples/two-streams.xml"], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 2)
        self.assertTrue(result.stderr.startswith("gpubound analyze: there is no task or chain 'resise'"), result.stderr)
        self.assertEqual(result.stdout, "")

    def test_quiet_has_no_progress(self):
        falsify = [GPUBOUND, "falsify", "--systems=40", "--runs=2"]
        self.assertIn("40 of 40 systems", run_on_terminal(falsify))
        self.assertEqual(run_on_terminal([*falsify, "-q"]), "")

    def test_words_of_cuda(self):
        """What the profiler calls it is far by its letters from what it is called here."""
        text = (ROOT / "examples/two-streams.xml").read_text()
        for wrong, right in (("regs", "registers"), ("threads", "block"), ("smem", "shared-static"), ("duration", "wcet")):
            stderr = analyze(text.replace('registers="32"', f'registers="32" {wrong}="32"', 1)).stderr
            self.assertIn(f"Did you mean '{right}'?", stderr)
        copies = (ROOT / "examples/copies.xml").read_text()
        self.assertIn("Did you mean 'bytes'?", analyze(copies.replace('direction="h2d"', 'direction="h2d" size="2MB"', 1)).stderr)

    def test_verdict_last(self):
        one, two = str(ROOT / "examples/two-streams.xml"), str(ROOT / "examples/waters2019-overload.xml")
        for paths, last in (([one], f"proven      {one}"), ([two], f"no-bound    {two}"), ([one, two], "1 proven, 0 conditional, 0 not proven, 1 no bound")):
            result = subprocess.run([GPUBOUND, "analyze", "-q", *paths], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.stdout.splitlines()[-1], last)


if __name__ == "__main__":
    unittest.main()
