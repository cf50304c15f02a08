"""What is missing is asked for at once: gpubound models --check TASKSET lists it, gpubound init writes it. Filled in, nothing is missing.
Usage: init.py GPUBOUND SOURCE_ROOT"""
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import served

ROOT = pathlib.Path(sys.argv.pop(2))
GPUBOUND = sys.argv.pop(1)
PROGRAM = served.Program(GPUBOUND)
MODELS = sorted(path.stem for path in (ROOT / "models").glob("*.xml"))
OLD = {path.stem for path in (ROOT / "models").glob("*.xml") if re.search(r'compute-capability="([12]\.|3\.0)', path.read_text())}
SKELETONS = ("process", "streams", "processes", "network")
FACT = re.compile(r"^  <(declare|interference|assume) .*/>$", re.M)
LACK = re.compile(r"is not known|nobody vouches|no factor covers|nothing says|does not state")
CHOICES = {"concurrent-kernels": "yes", "copy-runlist": "own", "preemption": "block", "engine.h2d": "0", "engine.d2h": "0", "engine.peer": "0",
           "engine.d2d": "compute", "engine.memset": "compute"}
NUMBERS = {"sm.count": "8", "sm.warps": "64", "sm.blocks": "32", "sm.registers": "65536", "sm.shared": "64KiB", "sm.subpartitions": "1", "register.unit": "256", "shared.unit": "512B", "shared.reserved": "0B", "queues.priorities": "6",
           "queues.resident-grids": "128", "queues.hardware": "32", "runlist.timeslice": "2ms", "runlist.switch": "20us", "runlist.copy-timeslice": "1ms", "overhead.copy": "10us"}


def gpubound(*words, status=0):
    result = PROGRAM.run([*map(str, words)], text=True)
    if result.returncode not in (status if isinstance(status, tuple) else (status,)):
        raise AssertionError(f"{words}: {result.returncode}, expected {status}\n{result.stdout}\n{result.stderr}")
    return result


def fill(line, old=False):
    """The line with a value, as somebody who knows the board would write it. old: of a compute capability with one hardware queue."""
    name = re.search(r'name="([^"]*)"', line)
    value = "1" if name is None or (old and name[1] == "queues.hardware") else CHOICES.get(name[1]) or NUMBERS.get(name[1]) or "1us"
    return line.replace('value="..."', f'value="{value}"').replace('"..."', '"test"')


def lines(text):
    return [match[0] for match in FACT.finditer(text)]


def reasons(path):
    report = gpubound("analyze", "--format=xml", path, status=(0, 1, 4))
    root = ElementTree.fromstring(report.stdout)
    return re.sub(r".*: hazard: .*\n", "", report.stderr) + "\n".join(e.get(a) for e in root.iter() for a in e.keys() if a == "reason"), root


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "set.xml"

    def hold_complete(self, text, facts):
        """Filled in at once, no bound lacks a fact any more."""
        self.path.write_text(text.replace("  <application", "\n".join(map(fill, facts)) + "\n  <application", 1))
        self.assertIn("nothing is missing", gpubound("models", "--check", self.path).stdout)
        text, root = reasons(self.path)
        self.assertIsNone(LACK.search(text), (self.path.read_text(), text))
        return root

    def test_examples_without_their_facts(self):
        """Every fact that an example declares is asked for where it is taken away."""
        for example in ("two-streams", "copies", "waters2019", "waters2019-one-context", "dnn-inference", "pipeline", "bursts"):
            with self.subTest(example=example):
                text = re.sub(r"^\s*<(declare name=\"(?!clock)|interference|assume)\b[^>]*/>\n", "", (ROOT / f"examples/{example}.xml").read_text(), flags=re.M)
                self.path.write_text(text)
                self.hold_complete(text, lines(gpubound("models", "--check", self.path).stdout))

    def test_levels(self):
        """Seven rounds it took an engineer with three streams; this is one."""
        text = """<taskset xmlns="urn:gpubound:taskset:1" id="three" platform="jetson-agx-orin" origin="o">
  <origins><origin id="o" kind="declared" source="test" by="test"/></origins>
  <application id="a"><stream id="s0" priority="2"/><stream id="s1" priority="1"/><stream id="s2" priority="0"/></application>
  <task id="t0" period="90ms" deadline="90ms"><copy id="in" stream="s0" direction="h2d" wcet="1ms"/><kernel id="k0" stream="s0" scope="grid" wcet="1ms"/></task>
  <task id="t1" period="90ms" deadline="90ms"><kernel id="k1" stream="s1" scope="block" grid="4" block="128" registers="32" wcet="1ms"/></task>
  <task id="t2" period="90ms" deadline="90ms"><memset id="m" stream="s2" wcet="1ms"/><kernel id="k2" stream="s2" scope="grid" wcet="1ms"/></task>
</taskset>
"""
        self.path.write_text(text)
        checked = gpubound("models", "--check", self.path)
        self.assertEqual(checked.stderr, "")
        facts = lines(checked.stdout)
        for name in ("queues.priorities", "concurrent-kernels", "engine.h2d", "engine.memset", "A-HOL", "A-PRIO", "A-WC"):
            self.assertTrue(any(f'"{name}"' in line for line in facts), (name, facts))
        self.assertEqual(len(facts), len(set(facts)))
        self.hold_complete(text, facts)
        self.path.write_text(text.replace("jetson-agx-orin", "jetson-thor"))
        facts = lines(gpubound("models", "--check", self.path).stdout)
        self.assertFalse(any("queues.resident-grids" in line for line in facts), "the model has them")
        self.hold_complete(text.replace("jetson-agx-orin", "jetson-thor"), facts)

    def test_wrong_stays_wrong(self):
        """What is not a missing fact is refused as ever, with all that is wrong."""
        self.path.write_text((ROOT / "examples/two-streams.xml").read_text().replace('deadline="100ms"', 'deadline="0ms"', 1))
        result = gpubound("models", "--check", self.path, status=3)
        self.assertIn("deadline-zero", result.stderr)
        self.assertIn("invalid", result.stdout)

    def test_csv(self):
        self.path.write_text((ROOT / "examples/two-streams.xml").read_text())
        self.assertEqual(gpubound("models", "--check", "--format=csv", self.path).stdout.splitlines()[1],
                         f'{self.path},valid,"<assume id=""A-WC"" source=""..."" by=""...""/>"')


class Init(unittest.TestCase):
    def test_every_skeleton_on_every_model(self):
        """What it writes is accepted, says what it lacks, and has a bound for each task once that is filled in."""
        with tempfile.TemporaryDirectory() as folder:
            for model in MODELS:
                for skeleton in SKELETONS:
                    with self.subTest(model=model, skeleton=skeleton):
                        path = pathlib.Path(folder) / f"{model}-{skeleton}.xml"
                        gpubound("init", "--skeleton", skeleton, "-o", path, model)
                        text = path.read_text()
                        checked = gpubound("models", "--check", path)
                        self.assertIn("valid, on " + model, checked.stdout)
                        self.assertRegex(checked.stderr, r"^\S+: warning: origin 'placeholder' [^\n]*\[origin-incomplete\]\n$")
                        self.assertEqual(lines(text), lines(checked.stdout))
                        self.assertGreater(len(lines(text)), 2)
                        path.write_text(FACT.sub(lambda match: "-->" + fill(match[0], model in OLD) + "<!--", text))
                        self.assertIn("nothing is missing", gpubound("models", "--check", path).stdout)
                        found, root = reasons(path)
                        self.assertIsNone(LACK.search(found), found)
                        tasks = [e for e in root.iter("{urn:gpubound:report:1}task") if e.get("verdict")]
                        self.assertTrue(tasks)
                        for task in tasks:
                            self.assertNotEqual(task.get("verdict"), "no-bound", task.get("id"))

    def test_runs_to_the_first_bound(self):
        """An Orin with a camera, a detector and a control loop of one's own: init, filled in once, then the first bound."""
        own = """  <application id="robot">
    <stream id="camera" kind="non-blocking" cuda-priority="0"/><stream id="detector" kind="non-blocking" cuda-priority="0"/>
    <stream id="control" kind="non-blocking" cuda-priority="-5"/>
  </application>
  <event id="frame"/>
  <task id="perception" period="33ms" deadline="33ms">
    <copy id="upload" stream="camera" direction="h2d" bytes="6MB" wcet="1.2ms"/>
    <kernel id="preprocess" stream="camera" scope="block" grid="2040" block="256" registers="32" wcet="20us"/>
    <record id="ready" stream="camera" event="frame"/><wait id="begin" stream="detector" event="frame"/>
    <kernel id="backbone" stream="detector" scope="block" grid="512" block="256" registers="96" wcet="150us"/>
    <kernel id="head" stream="detector" scope="block" grid="64" block="128" registers="64" wcet="80us"/>
    <copy id="boxes" stream="detector" direction="d2h" bytes="16kB" wcet="30us"/>
  </task>
  <task id="control-loop" period="10ms" deadline="5ms">
    <kernel id="mpc" stream="control" scope="block" grid="8" block="128" registers="64" wcet="200us"/>
  </task>
</taskset>
"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mine.xml"
            gpubound("init", "-s", "streams", "-o", path, "jetson-agx-orin")
            text = FACT.sub(lambda match: "-->" + fill(match[0]) + "<!--", path.read_text())
            path.write_text(text[:text.index("  <application")] + own)
            result = gpubound("analyze", "-f", "csv", path)
            self.assertEqual(re.findall("^task,([^,]*),.*,(proven),", result.stdout, re.M), [("perception", "proven"), ("control-loop", "proven")])

    def test_streams_and_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "new.xml"
            shown = gpubound("init", "jetson-tx2").stdout
            gpubound("init", "-o", path, "jetson-tx2")
            self.assertEqual(path.read_text(), shown)
            self.assertIn("is there already", gpubound("init", "-o", path, "jetson-tx2", status=2).stderr)
            self.assertEqual(path.read_text(), shown)

    def test_refused(self):
        self.assertIn("did you mean", gpubound("init", "jetson-tx3", status=3).stderr)
        gpubound("init", "--skeleton=nothing", "jetson-tx2", status=2)
        gpubound("init", status=2)


if __name__ == "__main__":
    unittest.main()
