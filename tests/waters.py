"""WATERS 2019 to and fro: AMALTHEA in, tables of CSV out and in, a model of MAST out, and the numbers of all of them those of the challenge.

usage: waters.py GPUBOUND SOURCE_ROOT

The challenge's numbers are waters2019/waters2019_*.csv in $GPUBOUND_DATA_DIR, transcribed from its model by somebody else than the fixture; without
that folder the test is skipped. Copies have no duration there: they are taken for 5 bytes a nanosecond, as in examples/waters2019.xml.
"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
DATA = pathlib.Path(os.environ.get("GPUBOUND_DATA_DIR", "/nowhere")) / "waters2019"
if not DATA.is_dir():
    print("skipped: GPUBOUND_DATA_DIR does not say where waters2019/ is: no number was held against the challenge's")
    sys.exit(77)
FIXTURE = ROOT / "tests" / "import" / "fixtures" / "waters2019.amxmi"
DECLARED = ["overhead.launch=10us", "overhead.block=0ns", "overhead.dependency=10us", "overhead.copy=10us", "runlist.timeslice=1024us",
            "runlist.switch=100us", "clock.sm=1.3005GHz"]
CPU, GPU = (2, 1), (13005, 10000)  # ticks a nanosecond: the clocks that the fixture chooses
NAMES = {"Lane_detection": "Lane_Detection"}  # of a GPU task's runnables
LEFT_OUT = ("Detection", "Localization")  # so that the rest has bounds


def up(ticks, clock):
    return -(-int(ticks) * clock[1] // clock[0])


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def data(name):
    return table(DATA / f"waters2019_{name}.csv")


class Waters(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = pathlib.Path(cls.folder.name)
        copies = [f"{NAMES.get(row['gpu_task'], row['gpu_task'])}_{way},{-(-int(row[size]) // 5)}ns" for row in data("copies")
                  for way, size in (("host_to_device", "h2d_bytes"), ("device_to_host", "d2h_bytes"))]
        (cls.at / "map.csv").write_text("\n".join(["kernel,wcet", *copies, ""]))
        imported = cls.run_in("import", "amalthea", str(FIXTURE), "-m", "jetson-tx2", "--map=map.csv", "--by=test", "--deadline=400ms",
                              *[f"--declare={words}" for words in DECLARED]).stdout
        factors = "".join(f'<interference from="all" victim="{victim}" value="1" source="test" by="test"/>' for victim in ("any", "transfer"))
        (cls.at / "waters.xml").write_text(imported.replace("<application", factors + "<application", 1))
        cls.run_in("export", "csv", "waters.xml", "--folder=tables")
        cls.rows = {path.stem: table(path) for path in (cls.at / "tables").iterdir() if path.stem != "comments"}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_in(cls, *words, status=(0,)):
        done = subprocess.run([GPUBOUND, *words], cwd=cls.at, capture_output=True, text=True, timeout=120)
        assert done.returncode in status, done.stderr
        return done

    def children(self, name, task):
        return [row for row in self.rows[name] if row["(in)"] == task["task"]]

    def test_numbers(self):
        """Each task, segment, kernel and copy of the tables has the challenge's period, ticks and bytes."""
        ticks = {(row["runnable"], row["core"]): row["upper_ticks"] for row in data("runnables")}
        copies = {row["gpu_task"]: (row["h2d_bytes"], row["d2h_bytes"]) for row in data("copies")}
        tasks = {row["id"]: row for row in self.rows["task"]}
        stated = [row for row in data("tasks") if "triggered" not in row["period_ms"]]
        self.assertEqual((len(stated), {row["task"] for row in stated}), (10, set(tasks)))
        held = 0
        for row in stated:
            task, core = tasks[row["task"]], tasks[row["task"]]["core"].split("_")[0]
            self.assertEqual(task["period"], f"{row['period_ms']}000000ns", task)
            parts = [part for part in row["runnable_sequence"].split(";") if "_" in part or part.endswith("Function")]
            expected = [up(int(ticks[part, core]) + (int(ticks["AsyncOffloadingCosts", core]) if part.endswith("Preprocessing") else 0), CPU)
                        for part in parts if not part.startswith("trigger") and part != "wait"]
            self.assertEqual([row["wcet"] for row in self.children("host", task)], [f"{wcet}ns" for wcet in expected], task)
            held += 1 + len(expected)
            for name in re.findall(r"trigger (\w+);", row["runnable_sequence"]):
                kernel, = self.children("kernel", task)
                self.assertEqual(kernel["wcet"], f"{up(ticks[NAMES.get(name, name) + '_Function', 'GPU_def'], GPU)}ns")
                self.assertEqual([self.bytes(row["bytes"]) for row in self.children("copy", task)], [int(size) for size in copies[name]], name)
                held += 3
        print(f"{held} numbers are those of the challenge")

    def bytes(self, text):
        number, unit = re.fullmatch(r"([0-9]+)(B|KiB|MiB)", text).groups()
        return int(number) * {"B": 1, "KiB": 1024, "MiB": 1024 * 1024}[unit]

    def back(self, folder, name):
        text = self.run_in("import", "csv", *sorted(str(path) for path in (self.at / folder).iterdir())).stdout
        (self.at / name).write_text(text)
        return text

    def test_there_and_back(self):
        """The tables are the task set: exported again they are the same, and so are bounds."""
        self.back("tables", "back.xml")
        self.run_in("export", "csv", "back.xml", "--folder=again")
        for path in (self.at / "tables").iterdir():
            self.assertEqual(path.read_text(), (self.at / "again" / path.name).read_text(), path.name)
        one, two = (self.run_in("analyze", "-q", "-f", "csv", name, status=(0, 1, 4)) for name in ("waters.xml", "back.xml"))
        self.assertEqual((one.returncode, one.stdout), (two.returncode, two.stdout))

    def gone(self):
        """The rows of the tasks of two functions."""
        gone = {row["task"] for row in self.rows["task"] if row["id"] in [f"PRE_{name}_gpu_POST" for name in LEFT_OUT]}
        self.assertEqual(len(gone), len(LEFT_OUT))
        return gone

    def leave_out(self, place):
        """The tables without these rows, and those that stand in them."""
        (self.at / place).mkdir()
        for path in (self.at / "tables").iterdir():
            with open(path, newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))
            with open(self.at / place / path.name, "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(rows[:1] + [row for row in rows[1:] if row[0] not in self.gone() and row[1] not in self.gone()])

    def test_mast(self):
        """Two functions are taken out of the tables; what is left has bounds, and models of both versions of MAST with these as times."""
        self.leave_out("part")
        self.back("part", "part.xml")
        bounds = self.run_in("analyze", "-q", "-f", "csv", "part.xml", status=(0, 1)).stdout
        self.assertEqual(bounds.count("\ntask,"), 8)
        first, second = (self.run_in("analyze", "-q", "-f", form, "part.xml", status=(0, 1)).stdout for form in ("mast", "mast2"))
        times = re.compile(r'Worst_Case_Execution_Time="([0-9]+)"')
        self.assertEqual(times.findall(first), times.findall(second))
        self.assertEqual((first.count("Regular_Transaction Name"), second.count("Regular_End_To_End_Flow Name")), (8, 8))
        hosts = re.findall(r'Name="host[^"]*" Worst_Case_Execution_Time="([0-9]+)"', first)
        self.assertEqual([f"{wcet}ns" for wcet in hosts], [row["wcet"] for row in self.rows["host"] if row["(in)"] not in self.gone()])
        self.by_mast(first)

    def by_mast(self, model):
        if shutil.which("mast_analysis") is None or shutil.which("mast_xml_convert") is None:
            print("mast_analysis is not installed: the model was not given to MAST itself")
            return
        (self.at / "model.xml").write_text(model)
        done = subprocess.run(["mast_analysis", "offset_based_approx_w_pr", "model.xml", "results.xml"], cwd=self.at, capture_output=True, text=True, timeout=120)
        self.assertIn("Final analysis status: DONE", done.stdout)
        self.assertRegex(self.run_in("import", "mast", "results.xml", "--taskset=part.xml", "-o", "new.xml").stderr, r"\[mast-(open|closed)\]")
        print("MAST itself has analysed the model")


sys.argv[1:] = sys.argv[3:]
unittest.main()
