"""What a board of one's own goes through, without one: record.sh with programs that only write recordings, and calibrate on recordings of a GPU that
shares the memory of the CPU.

usage: board.py GPUBOUND SOURCE_ROOT
"""
import gzip
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

GPUBOUND, ROOT = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
WHOLE = ROOT / "tests" / "silicon" / "h200-c"
COPIES = ROOT / "tests" / "silicon" / "h100-e"  # copies beside host threads, too
NS = "{urn:gpubound:platform:1}"
PROGRAMS = ("limits", "map", "placement", "quiet", "overheads", "order", "passing", "slices", "pending", "queues", "memsets", "delays", "stalls",
            "starve", "interference", "blocks", "partition")
# FOLDER/calls gets a line a call. Where FOLDER/fails or FOLDER/kills has the call's name, the program fails, or ends the script, half-way.
PROGRAM = """#!/bin/sh
echo "${0##*/} $*" >> '{folder}/calls'
echo '# gpubound-probe 1'
case "${0##*/} $*" in
*"$(cat '{folder}/fails' 2> /dev/null || echo none)"*) exit 1 ;;
*"$(cat '{folder}/kills' 2> /dev/null || echo none)"*) kill -9 $PPID; exit 1 ;;
esac
echo '# complete rows=0 seconds=0.1 clock_khz=1000 clock_moved=no'
"""


class Record(unittest.TestCase):
    """probe/record.sh"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.recordings = self.folder / "recordings"
        for name in (*PROGRAMS, "gpubound"):
            path = self.folder / name
            path.write_text(PROGRAM.replace("{folder}", str(self.folder)))
            path.chmod(0o755)

    def record(self, *options, factor="0.01"):
        """Exit status, what is printed, and the calls, but for the question whether there are partitions."""
        calls = self.folder / "calls"
        calls.write_text("")
        done = subprocess.run(["sh", str(ROOT / "probe/record.sh"), *options, str(self.folder), str(self.recordings), factor],
                              capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr, [line for line in calls.read_text().splitlines() if line != "partition --quiet granularity"]

    def names(self):
        return {path.stem for path in self.recordings.glob("*.csv")}

    def test_all_then_nothing(self):
        status, text, calls = self.record()
        self.assertEqual((status, len(calls)), (0, len(self.names())), text)
        self.assertIn("complete; next: gpubound calibrate", text)
        self.assertLess({path.name.split(".")[0] for path in WHOLE.glob("*.csv.gz")}, self.names())
        self.assertEqual(set(PROGRAMS), {call.split()[0] for call in calls})
        status, text, calls = self.record()
        self.assertEqual((status, calls), (0, []))
        self.assertEqual(text.count("there already"), len(self.names()))

    def test_what_is_not_whole_is_recorded_again(self):
        self.record()
        cut, gone = self.recordings / "slices-3.csv", self.recordings / "late.csv"
        cut.write_text(cut.read_text().splitlines()[0] + "\n")
        gone.rename(self.recordings / "late.csv.part")
        status, text, calls = self.record()
        self.assertEqual((status, [call.split(" ", 6)[-1] for call in calls]), (0, ["3", "late 2"]), text)
        self.assertEqual(len(list(self.recordings.glob("*.part"))), 0)

    def test_killed(self):
        """Half a recording is none; the others are kept."""
        (self.folder / "kills").write_text("overheads --")
        status, _, before = self.record()
        self.assertNotEqual(status, 0)
        self.assertNotIn("overheads", self.names())
        (self.folder / "kills").unlink()
        status, text, after = self.record()
        self.assertEqual(status, 0, text)
        self.assertEqual(before[-1], after[0])
        self.assertEqual(len(before) - 1 + len(after), len(self.names()))

    def test_a_program_fails(self):
        """The others are recorded all the same, nothing is calibrated, and the end says what is missing."""
        (self.folder / "fails").write_text("order --")
        status, text, calls = self.record("--gpubound", str(self.folder / "gpubound"))
        self.assertEqual((status, text.splitlines()[-1]), (1, "not recorded, as the program failed: order"))
        self.assertFalse(any(call.startswith("gpubound") for call in calls))
        self.assertNotIn("order", self.names())
        (self.folder / "fails").unlink()
        status, _, calls = self.record("--gpubound", str(self.folder / "gpubound"), "--margin", "30", "--base", "h100")
        self.assertEqual((status, [call.split()[:2] for call in calls]), (0, [["order", "--quiet"], ["gpubound", "calibrate"], ["gpubound", "models"]]))
        self.assertIn("--margin=30 -b h100", calls[1])
        self.assertEqual({pathlib.Path(word).stem for word in calls[1].split() if word.endswith(".csv")}, self.names())

    def test_without_green_contexts(self):
        (self.folder / "fails").write_text("partition --")
        status, text, calls = self.record()
        self.assertEqual(status, 0, text)
        self.assertIn("no green contexts here", text)
        self.assertFalse(any("partition" in call for call in calls))

    def test_blocks(self):
        """More of fair with seeds of their own, until there are so many blocks; what is there counts; one that brings none ends it."""
        self.record()
        delays = self.folder / "delays"
        delays.write_text(delays.read_text().replace("rows=0", "rows=400000"))
        status, text, calls = self.record("--blocks", "2")
        self.assertEqual((status, [re.search(r"--seed (\d+) fair", call)[1] for call in calls]), (0, [str(1001 + i) for i in range(5)]), text)
        self.assertLess({f"fair-more-{i}" for i in range(1, 6)}, self.names())
        self.assertEqual(self.record("--blocks", "2")[2], [])
        self.assertEqual(len(self.record("--blocks", "3")[2]), 3)
        delays.write_text(delays.read_text().replace("rows=400000", "rows=0"))
        status, text, calls = self.record("--blocks", "4")
        self.assertEqual((status, len(calls), text.splitlines()[-1]), (1, 1, "not recorded, as the program failed: blocks"))

    def test_a_night(self):
        """Rounds have other seeds and names; what cannot change is measured once; a night that was cut off goes on."""
        _, _, once = self.record("--seed", "7")
        status, text, calls = self.record("--hours", "0.02", "--seed", "7")
        self.assertEqual(status, 0, text)
        rounds = int(re.search(r"round 1 of (\d+)", text)[1])
        self.assertGreater(rounds, 1)
        self.assertTrue(all("--seed 7 " in call + " " for call in once))
        self.assertEqual({re.search(r"--seed (\d+)", call)[1] for call in calls}, {str(6 + n) for n in range(2, rounds + 1)})
        again = {name.removesuffix("-2") for name in self.names() if name.endswith("-2")}
        self.assertEqual({name for name in self.names() if not re.search("-2$", name)} - again, {"limits", "map", "next", "pairs", "granularity"})
        self.assertEqual(self.record("--hours", "0.02", "--seed", "7")[2], [])


class Integrated(unittest.TestCase):
    """The recordings of an H200 as those of a GPU that shares the memory of the CPU, with one copy engine."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.board = self.folder / "board.xml"

    @staticmethod
    def one_engine(row):
        """Two copies of 64 MiB at once need as long as one after the other."""
        cells = row.split(",")
        if cells[0] in ("h2d-bidirectional", "d2h-bidirectional"):
            cells[3] = str(10 * int(cells[3]))
        return ",".join(cells)

    def recording(self, name, integrated="yes", row=1, folder=WHOLE):
        text = gzip.decompress((folder / f"{name}.csv.gz").read_bytes()).decode()
        text = text.replace("integrated=no", f"integrated={integrated}").replace("\nintegrated,0,", f"\nintegrated,{row},")
        path = self.folder / f"{name}.csv"
        path.write_text("\n".join(self.one_engine(line) for line in text.splitlines()) + "\n" if name == "overheads" else text)
        return path

    def calibrate(self, *recordings, base="h200"):
        return subprocess.run([GPUBOUND, "calibrate", "--margin=0", "-b", base, "--samples=20", "-o", self.board, *recordings], capture_output=True,
                              text=True, timeout=120)

    def test_board(self):
        names = ("limits", "overheads", "order", "interference", "slices", "pending")
        result = self.calibrate(*map(self.recording, names))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        root = ElementTree.parse(self.board).getroot()
        self.assertEqual(root.get("integrated"), "true")
        self.assertEqual({node.get("name"): node.get("engine") for node in root.iter(NS + "direction") if node.get("name") in ("h2d", "d2h")},
                         {"h2d": "0", "d2h": "0"})
        self.assertTrue(any(node.get("from") == "cpu" for node in root.iter(NS + "factor")))
        asked = self.asked()
        self.assertLess({"from=other", "from=other,victim=transfer"}, asked, "no probe measures cameras and codecs")
        self.assertNotIn("from=cpu", asked)
        self.assertIn("from=cpu,victim=transfer", asked, "what the CPU does to blocks says nothing of copies")
        self.bounds()

    def asked(self):
        check = subprocess.run([GPUBOUND, "models", "--check", self.board], capture_output=True, text=True)
        return set(" ".join(re.sub(r"\n +", " ", part) for part in re.findall(r"declare: ((?:.*\n?)(?:      .*\n?)*)", check.stdout)).split())

    def test_copies_beside_host_threads(self):
        result = self.calibrate(*(self.recording(name, folder=COPIES) for name in ("limits", "interference")), base="h100")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        factors = [node for node in ElementTree.parse(self.board).getroot().iter(NS + "factor")
                   if (node.get("from"), node.get("victim")) == ("cpu", "transfer")]
        self.assertEqual({node.get("footprint") for node in factors}, {"64KiB", "1MiB", "32MiB"})
        self.assertGreater(max(float(node.get("value")) for node in factors), 1)
        self.assertFalse({"from=cpu", "from=cpu,victim=transfer", "from=ee,victim=transfer"} & self.asked())

    def bounds(self):
        """What CPU cores and other masters do to copies nobody measured: it is asked for. Copies of both directions are on one engine."""
        transfers = [f'<interference from="{source}" victim="transfer" value="1.5" source="t" by="t"/>' for source in ("cpu", "other")]
        for declared in ("", *transfers):
            printed, responses = self.analyze(declared)
            self.assertIn("no factor covers interference from", printed)
            self.assertEqual(responses, [])
        _, responses = self.analyze("".join(transfers))
        self.assertGreater(min(responses), 500000)

    def analyze(self, declared):
        """What is printed, and the responses of a copy in each direction."""
        (self.folder / "s.xml").write_text(f'''<taskset xmlns="urn:gpubound:taskset:1" id="s" platform="./board.xml" origin="t"><title>s</title>
<origins><origin id="t" kind="declared" source="t" by="t"/></origins>{declared}
<application id="a"><stream id="up" kind="non-blocking"/><stream id="down" kind="non-blocking"/></application>
<task id="to" period="20ms" deadline="20ms"><copy id="u" stream="up" direction="h2d" bytes="1MiB" wcet="200us"/></task>
<task id="from" period="20ms" deadline="20ms"><copy id="d" stream="down" direction="d2h" bytes="1MiB" wcet="300us"/></task></taskset>''')
        result = subprocess.run([GPUBOUND, "analyze", "-q", "-o", self.folder / "r.xml", self.folder / "s.xml"], capture_output=True, text=True, timeout=60)
        self.assertIn(result.returncode, (0, 4), result.stderr)
        report = (self.folder / "r.xml").read_text()
        return report, [int(response) for response in re.findall(r'<task id="[^>]* response="(\d+)"', report)]

    def test_contradictions(self):
        """A head against a row, and a recording against another one."""
        for row, order, code in ((0, "yes", "recording-contradiction"), (1, "no", "recording-boards"), (1, "perhaps", "recording-head")):
            result = self.calibrate(self.recording("limits", row=row), self.recording("order", order))
            self.assertEqual(result.returncode, 3, code)
            self.assertIn(f"[{code}]", result.stderr)
            self.assertFalse(self.board.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
