"""gpubound map: the paper's placements through the command, its columns, its picture, what it refuses. Usage: cmd_map.py GPUBOUND SOURCE_ROOT"""
import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(sys.argv.pop(2))
GPUBOUND = sys.argv.pop(1)
HEAD = """<taskset xmlns="urn:gpubound:taskset:1" id="case" platform="%s" origin="o"><title>case</title>
<origins><origin id="o" kind="declared" source="a test" by="gpubound tests"/></origins><application id="a">%s</application>%s</taskset>"""


def run(*words):
    return subprocess.run([GPUBOUND, "map", "--quiet", *map(str, words)], capture_output=True, text=True, timeout=60)


def taskset(folder, kernels, platform="jetson-agx-xavier", partitions=()):
    """kernels: (blocks, threads, more attributes), each on a stream of its own, launched in this order; partitions: the sms of each stream's."""
    streams = "".join(f'<stream id="s{i}" kind="non-blocking"' + f' partition="p{i}"' * (i < len(partitions)) + "/>" for i in range(len(kernels)))
    tasks = "".join(
        f'<task id="t{i}" period="100ms"><kernel id="k{i}" stream="s{i}" scope="block" grid="{n}" block="{threads}" registers="16" '
        f'wcet="10us" {more}/></task>' for i, (n, threads, more) in enumerate(kernels))
    path = pathlib.Path(folder) / "case.xml"
    head = HEAD.replace("<application", "".join(f'<partition id="p{i}" kind="green" {sms}/>' for i, sms in enumerate(partitions)) + "<application")
    path.write_text(head % (platform, streams, tasks))
    return path


def placed(kernels, **more):
    with tempfile.TemporaryDirectory() as folder:
        result = run(taskset(folder, kernels, **more), "--format=csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    return {f"k{i}": [(int(r["sm"]), r["rule"]) for r in rows if r["kernel"] == f"k{i}"] for i in range(len(kernels))}


def sms(rows):
    return [sm for sm, _ in rows]


class Map(unittest.TestCase):
    def test_rtas20_figure_5_left(self):
        where = placed([(4, 128, ""), (4, 128, "")])
        self.assertEqual(sms(where["k0"]) + sms(where["k1"]), [0, 2, 4, 6, 1, 3, 5, 7])

    def test_rtas20_figure_5_right(self):
        where = placed([(4, 128, ""), (4, 160, "")])
        self.assertEqual(sms(where["k1"]), [0, 2, 4, 6])
        self.assertEqual({rule for _, rule in where["k1"]}, {"same-sm"})

    def test_rtas20_six_busy_sms(self):
        two = placed([(6, 512, ""), (16, 64, "")])
        four = placed([(6, 512, ""), (16, 128, "")])
        self.assertEqual(sms(two["k0"]), [0, 2, 4, 6, 1, 3])
        self.assertEqual(sms(two["k1"]), [5, 7] * 8)
        self.assertEqual(sms(four["k1"]), [5, 7] * 4 + [0, 2, 4, 6, 1, 3, 5, 7])

    def test_waves(self):
        where = placed([(40, 1024, "")])  # two an SM: 16 at a time
        self.assertEqual([rule for _, rule in where["k0"]].count("waited"), 24)

    def test_partitions(self):
        """Each is a machine of its own: the one full, with a block that waits, and the other empty at the same time; GPC after GPC in both."""
        partitions = ['sms="0-13 16-29 32-45 48-61"', 'sms="14 15 30 31 46 47 62 63"']
        where = placed([(57, 1024, ""), (17, 1024, "")], platform="h200", partitions=partitions)
        self.assertEqual(sms(where["k0"])[:16], [2, 3, 18, 19, 34, 35, 50, 51, 4, 5, 20, 21, 36, 37, 52, 53])
        self.assertEqual(sms(where["k1"])[:16], [14, 15, 30, 31, 46, 47, 62, 63] * 2)
        self.assertEqual([rule for _, rule in where["k1"]].count("waited"), 1)
        self.assertFalse(set(sms(where["k0"])) & set(sms(where["k1"])))
        for partitions, text in (['size="8"'], "give sms in place of size"), (['sms="0-7"'], "others none"):
            with self.subTest(text), tempfile.TemporaryDirectory() as folder:
                result = run(taskset(folder, [(1, 1024, ""), (1, 1024, "")], platform="h200", partitions=partitions))
                self.assertEqual(result.returncode, 3)
                self.assertIn(text, result.stderr)

    def test_columns_and_alternatives(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = list(csv.DictReader(io.StringIO(run(taskset(folder, [(20, 1024, "")]), "-f", "csv").stdout)))
        self.assertEqual(list(rows[0]), ["kernel", "stream", "block", "sm", "rule", "alternatives"])
        self.assertEqual([int(r["block"]) for r in rows], list(range(20)))
        for row in rows:
            self.assertNotIn(row["sm"], row["alternatives"].split())

    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder) / "map.svg"
            text = run(ROOT / "examples/two-streams.xml", "--svg", picture)
            self.assertEqual(text.returncode, 0)
            root = ElementTree.parse(picture).getroot()
            bars = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.find("{http://www.w3.org/2000/svg}title") is not None]
            self.assertEqual(len(bars), 8)
            self.assertEqual(picture.read_text(), run(ROOT / "examples/two-streams.xml", "-f", "svg").stdout)

    def test_programs(self):
        """Blocks of kernels that name their programs last as long as these are bounded to."""
        text = run(ROOT / "examples/programs.xml").stdout
        shown = dict(re.findall(r"^(\w+), stream \w+: (\d+) blocks", text, re.M))
        rows = list(csv.DictReader(io.StringIO(run(ROOT / "examples/programs.xml", "-f", "csv").stdout)))
        placed = [row["kernel"] for row in rows]
        self.assertEqual(shown, {kernel: str(placed.count(kernel)) for kernel in placed})
        self.assertIn('<program', (ROOT / "examples/programs.xml").read_text())
        self.assertNotRegex(run(ROOT / "examples/programs.xml", "-f", "svg").stdout, '"-[0-9]')

    def test_refused(self):
        for name, code in (("examples/waters2019.xml", "map-impossible"), ("examples/absent.xml", "file-unreadable")):
            result = run(ROOT / name)
            self.assertEqual((result.returncode, result.stdout), (3, ""))
            self.assertIn(f"[{code}]", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
