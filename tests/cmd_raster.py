"""gpubound raster: the table, the CSV, the picture, the exit statuses, the example frames. Usage: cmd_raster.py GPUBOUND SOURCE_ROOT"""
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(sys.argv.pop(2)).resolve()
GPUBOUND = sys.argv.pop(1)
FRAMES = sorted((ROOT / "examples" / "frames").glob("*.xml"))
SKY = ROOT / "examples" / "frames" / "night-sky.xml"
SVG = "{http://www.w3.org/2000/svg}"


def run(*words, text=None):
    return subprocess.run([GPUBOUND, "raster", *map(str, words)], input=text, capture_output=True, text=True, timeout=60)


def changed(path, *changes):
    text = path.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return run("--format=csv", "-", text=text)


class Raster(unittest.TestCase):
    def test_examples(self):
        self.assertTrue(FRAMES)
        schema = ROOT / "schema" / "frame-1.xsd"
        result = subprocess.run(["xmllint", "--noout", "--schema", str(schema), *map(str, FRAMES)], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        for path in FRAMES:
            result = run(path)
            self.assertEqual((result.returncode, result.stderr), (0, ""), path)
            self.assertEqual(run(path).stdout, result.stdout)

    def test_text(self):
        lines = run(SKY).stdout.splitlines()
        self.assertTrue(all(len(line) <= 100 for line in lines))
        self.assertEqual(len([line for line in lines if re.match(r"  [0-5] ", line)]), 6)
        self.assertTrue(any(line.startswith("bound      6.16 ms") for line in lines), lines)
        self.assertEqual(run(SKY, SKY).stdout.count("\nbound "), 2)

    def test_csv(self):
        result = run("--format=csv", SKY)
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        kinds = [row["kind"] for row in rows]
        self.assertEqual([kinds.count(kind) for kind in ("frame", "batch", "processor", "tile")], [1, 1, 6, 1024])
        frame = rows[0]
        self.assertLessEqual(int(frame["done_ns"]), int(frame["bound_ns"]))
        self.assertEqual(sum(int(row["warps"]) for row in rows if row["kind"] == "processor"), int(frame["warps"]))
        self.assertEqual(max(int(row["done_ns"]) for row in rows if row["kind"] == "tile"), int(frame["done_ns"]))
        self.assertEqual(result.stdout, run("--format=csv", SKY).stdout)

    def test_seed(self):
        first, second = (run("--format=csv", "--seed", seed, SKY).stdout.splitlines()[1].split(",") for seed in (1, 2))
        self.assertNotEqual(first[8], second[8])
        self.assertEqual(first[9], second[9])

    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "sky.svg"
            result = run("--svg", path, SKY)
            self.assertTrue(result.stdout.startswith("frame "))
            picture = path.read_text()
        self.assertEqual(run("--svg=-", SKY).stdout, picture)
        root = ElementTree.fromstring(picture)
        tiles = "".join(path.get("d") for path in root.iter(SVG + "path") if path.get("fill") != "none")
        self.assertEqual(tiles.count("z"), 2 * 1024)  # each tile once by processor and once by time
        self.assertEqual(len(list(root.iter(SVG + "circle"))), 4)
        width, height = int(root.get("width")), int(root.get("height"))
        for x, y in re.findall(r"M(\d+) (\d+)", tiles):
            self.assertTrue(int(x) < width and int(y) < height)

    def test_beside_kernels_of_its_context(self):
        """A frame of 6.16 ms and a kernel of 6 ms in two streams: whoever is first, the other waits; o_launch and o_dep are 20 us each."""
        path = ROOT / "examples" / "cockpit-one-context.xml"
        result = subprocess.run([GPUBOUND, "analyze", "-q", "--format=csv", path], capture_output=True, text=True, timeout=60)
        tasks = {row["task"]: row for row in csv.DictReader(io.StringIO(result.stdout)) if row["kind"] == "task"}
        both = 6160000 + 6000000 + 2 * (20000 + 20000)
        self.assertEqual({int(row["response_ns"]) for row in tasks.values()}, {both})
        for missing in ("A-HOL", "A-DRAW"):
            text = path.read_text().replace('"frames/', f'"{ROOT}/examples/frames/')
            text = re.sub(f'<assume id="{missing}".*', '<declare name="concurrent-kernels" value="yes" source="test" by="test"/>', text)
            with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
                file.write(text)
                file.flush()
                result = subprocess.run([GPUBOUND, "analyze", "-q", file.name], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn(f"needs {missing}", result.stdout)

    def test_another_context_rests_on_it(self):
        """The filter waits for a slice of 20 ms that ends with a frame of 6.16 ms: slowed by no kernel of that context, by A-DRAW. Kernels there
        are slowed by one another: A-RATE, A-STRESS. No other number of the filter's rests on these."""
        text = (ROOT / "examples/cockpit.xml").read_text().replace('"frames/', f'"{ROOT}/examples/frames/')
        vouched = '<assume id="A-RUNLIST"'
        for old, new in (
            ('<stream id="frames"/>', '<stream id="frames"/><stream id="tones"/><stream id="edges"/>'),
            (vouched, '<declare name="concurrent-kernels" value="yes" source="test" by="test"/>' + vouched),
            ("  <application id=\"display\"", '  <interference from="all" victim="any" value="2" source="test" by="test"/>\n  <application id="display"'),
            ("</taskset>", "".join(f'<task id="{s}" period="80ms"><kernel id="k-{s}" stream="{s}" scope="grid" wcet="1ms"/></task>'
                                   for s in ("tones", "edges")) + "</taskset>"),
        ):
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        with tempfile.TemporaryDirectory() as folder:
            path, report = pathlib.Path(folder) / "set.xml", pathlib.Path(folder) / "report.xml"
            path.write_text(text)
            command = [GPUBOUND, "analyze", "-q", "--assume=A-DRAW", "--assume=A-HOL", "-o", report, path]
            result = subprocess.run(command, capture_output=True, text=True, timeout=60)
            verified = subprocess.run([GPUBOUND, "verify", report], capture_output=True, text=True, timeout=60)
            task = ElementTree.parse(report).find(".//{*}task[@verdict][@id='filter']")
        self.assertEqual(verified.returncode, 0, verified.stderr)
        waits = 20000000 + 6160000 + 2 * 200000 + 6000000  # the other's slice and overrun, switches, and the own kernel may be cut
        self.assertEqual((task.get("verdict"), task.get("response")), ("conditional", str(waits + 6000000 + 2 * 20000)), result.stdout)
        for bound in task.findall("{*}bound[@value]"):
            self.assertLessEqual({"A-DRAW", "A-RATE", "A-STRESS"}, set(bound.get("assumptions").split()), bound.get("name"))
        self.assertRegex(result.stdout, r"\nfilter .* conditional +\S+\*\n")

    def test_hazard_and_no_bound(self):
        slow = changed(SKY, ('wcet="2us"', 'wcet="6ms"'))
        self.assertEqual(slow.returncode, 0)
        self.assertIn("[watchdog-near]", slow.stderr)
        endless = changed(SKY, ('wcet="2us"', 'wcet="9e15us"'))
        self.assertEqual((endless.returncode, endless.stdout.splitlines()[1].split(",")[9]), (4, ""))

    def test_usage(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--svg=-", SKY, SKY).returncode, 2)
        self.assertEqual(run("--seed=x", SKY).returncode, 2)
        self.assertEqual(run("--svg=/nowhere/x.svg", SKY).returncode, 2)
        refused = run("--format=csv", SKY, ROOT / "tests/reject/window-empty.xml")
        self.assertEqual((refused.returncode, refused.stdout), (3, ""))

    def analyze(self, *changes):
        text = (ROOT / "examples/cockpit.xml").read_text().replace('"frames/', f'"{ROOT}/examples/frames/')
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(text)
            file.flush()
            return subprocess.run([GPUBOUND, "analyze", "--format=xml", file.name], capture_output=True, text=True, timeout=60)

    def test_fragment_of_a_task_set(self):
        report = ElementTree.fromstring(self.analyze().stdout)
        bound = run("--format=csv", SKY).stdout.splitlines()[1].split(",")[9]
        operation = next(item for item in report.iter() if item.get("id") == "sky")
        self.assertEqual((operation.get("kind"), operation.get("wcet")), ("fragment", bound))
        self.assertEqual([item.get("role") for item in report.iter() if item.tag.endswith("}input")], ["taskset", "platform", "frame"])
        given = ElementTree.fromstring(self.analyze((f'frame="{SKY}"', f'wcet="{bound}ns"')).stdout)
        def responses(root):
            return [item.get("response") for item in root.iter() if item.tag.endswith("}task")]
        self.assertEqual(responses(given), responses(report))

    def test_analysis_again_from_a_bundle(self):
        with tempfile.TemporaryDirectory() as folder:
            report, tar, unpacked = (pathlib.Path(folder) / name for name in ("report.xml", "bundle.tar", "gpubound-bundle"))
            first = subprocess.run([GPUBOUND, "analyze", "-f", "csv", "-o", report, ROOT / "examples/cockpit.xml"], capture_output=True, text=True)
            subprocess.run([GPUBOUND, "report", "--bundle", tar, report], capture_output=True, check=True)
            subprocess.run(["tar", "xf", tar, "-C", folder], check=True)
            again = subprocess.run([GPUBOUND, "analyze", "-f", "csv", unpacked / "inputs/taskset.xml"], capture_output=True, text=True,
                                   env={**os.environ, "GPUBOUND_DATA": str(unpacked)})
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, first.stdout, ""))

    def test_watchdog_of_a_task_set(self):
        result = self.analyze((f'frame="{SKY}"', 'wcet="5s"'), ('period="80ms" deadline="80ms"', 'period="60s" deadline="60s"'))
        self.assertIn("fragment 'sky' may take 5000000000 ns alone", result.stderr + result.stdout)
        self.assertIn("watchdog-near", result.stderr)

    def test_frame_refused(self):
        result = self.analyze((str(SKY), str(ROOT / "tests/reject/window-empty.xml")))
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("[window-empty]", result.stderr)

    def test_other_parts(self):
        pattern = '<pattern source="test" by="test">0 1</pattern>'
        more = '<declare name="raster.fifo" value="26" source="test" by="test"/>' + pattern + "<window"
        smaller = changed(SKY, ('"8800-gts"', '"8600m-gt"'), ("<window", more))
        self.assertEqual(smaller.returncode, 0, smaller.stderr)
        self.assertEqual(sum(1 for line in smaller.stdout.splitlines() if line.startswith("processor")), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
