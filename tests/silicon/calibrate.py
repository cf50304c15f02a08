"""gpubound calibrate on recordings of an H200: the model beside the shipped one, field by field, and what is refused.

usage: calibrate.py GPUBOUND SOURCE_ROOT [--update]        --update writes tests/silicon/golden anew
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
RECORDINGS = ROOT / "tests" / "silicon" / "h200"
OTHER_BOARD = ROOT / "tests" / "silicon" / "h200-b"
WHOLE = ROOT / "tests" / "silicon" / "h200-c"  # all that record.sh records, of one board
GOLDEN = ROOT / "tests" / "silicon" / "golden"
UPDATE = "--update" in sys.argv
NS = "{urn:gpubound:platform:1}"
UNITS = {"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "ns": 1, "Hz": 1}

# Where the model of the recordings differs from models/h200.xml, and why. All other fields are equal.
MEASURED_NOW = "only the programs in probe/ measure it"
DIFFERENCES = {
    "parameter copy.engines": "the driver's answer; the shipped model does not rely on it",
    "parameter cache.l2": "the driver's answer",
    "parameter clock.sm": "the clock that was recorded at",
    "parameter clock.memory": "the driver's answer",
    "parameter overhead.launch": MEASURED_NOW,
    "parameter overhead.block": MEASURED_NOW,
    "parameter overhead.dependency": MEASURED_NOW,
    "parameter overhead.copy": MEASURED_NOW,
    "parameter runlist.timeslice": MEASURED_NOW,
    "parameter runlist.switch": MEASURED_NOW,
    "parameter switch.refill": MEASURED_NOW,
    "attribute id": "a name",
    "directions": "engines of copies follow from both directions at once; the shipped model does not say them",
    "engines": "preemption and copy-runlist are measured now",
    "status A-EXCL": "measured now: runs of two processes never overlap",
    "status A-RUNLIST": "measured now: processes take turns",
    "status A-PENDING": "measured now: graphs keep their turn",
    "status A-MPS-ORDER": "no recording of a board looks for it",
    "status A-WC": "few configurations in these excerpts, and no host-memory traffic, with which it broke most",
    "status A-STRESS": "the register's default",
    "status A-COMPOSE": "the register's default",
    "status A-SM": "found by resident blocks, not by predicted placements",
    "factors": "measured again, with other aggressors: compared below",
}


def calibrate(*words):
    return subprocess.run([GPUBOUND, "calibrate", *map(str, words)], capture_output=True, text=True, timeout=120, cwd=ROOT)


def recordings():
    return [str(path.relative_to(ROOT)) for path in sorted(WHOLE.glob("*.csv.gz"))]


def base_value(text):
    number, unit = re.fullmatch(r"(\d+) ?(\w*)", text).groups()
    return int(number) * UNITS[unit]


def fields(path):
    """Everything a model says, by name; sources and words for a reader left out."""
    root = ElementTree.parse(path).getroot()
    found = {"attribute " + name: value for name, value in root.attrib.items()}
    for node in root.iter(NS + "parameter"):
        found["parameter " + node.get("name")] = base_value(node.get("value"))
    for node in root.iter(NS + "gpc"):
        found["gpc " + node.get("id")] = (node.get("ring"), sorted(sorted(map(int, tpc.text.split())) for tpc in node))
    for name in ("order", "carveouts"):
        node = root.find(NS + name)
        if node is not None:
            found[name] = [base_value(word) for word in node.text.split()]
    found["placement"] = root.find(NS + "placement").get("policy")
    engines = root.find(NS + "engines")
    found["engines"] = {name: value for name, value in engines.attrib.items() if name not in ("source",) and value != "unknown"}
    found["directions"] = {node.get("name"): node.get("engine") for node in engines}
    for node in root.iter(NS + "assumption"):
        found["status " + node.get("id")] = node.get("status")
    found["factors"] = {(n.get("victim"), n.get("footprint"), n.get("from"), n.get("count")): float(n.get("value")) for n in root.iter(NS + "factor")}
    return found


class Model(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "board.xml"
        cls.page = cls.path.with_suffix(".html")
        cls.result = calibrate("--margin=0", "-b", "h200", "--samples=20", "-o", cls.path, "--report", cls.page, *recordings())
        cls.text = cls.path.read_text() if cls.path.exists() else ""

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_written_and_valid(self):
        self.assertEqual((self.result.returncode, self.result.stderr), (0, ""))
        check = subprocess.run([GPUBOUND, "models", "--check", str(self.path)], capture_output=True, text=True)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        asked = re.findall(r"declare: (.*)", check.stdout)
        self.assertEqual(asked, ["from=sm"], "what a probe could have told")

    def test_golden(self):
        """The model, what bounds can rest on, and the page, byte by byte."""
        for name, text in (("board.xml", self.text), ("board.txt", self.result.stdout), ("board.html", self.page.read_text())):
            with self.subTest(name):
                if UPDATE:
                    GOLDEN.mkdir(exist_ok=True)
                    (GOLDEN / name).write_text(text)
                self.assertEqual((GOLDEN / name).read_text(), text, "if it is meant: ninja calibrate-update")

    def test_page_is_whole(self):
        """Every number, every assumption and every recording is on it, and its elements are closed."""
        page = self.page.read_text()
        root = ElementTree.fromstring(page.replace("<!DOCTYPE html>", "").replace('<meta charset="utf-8">', ""))
        said = "".join(root.itertext())
        for node in ElementTree.fromstring(self.text).iter(NS + "parameter"):
            self.assertIn(node.get("name"), said)
        for path in recordings():
            self.assertIn(pathlib.Path(path).name, said)
        self.assertGreater(len(root.findall(".//svg")), 8)

    def test_without_a_base(self):
        """A board of which nobody knows a policy has its start delays all the same."""
        result = calibrate("--margin=0", "--samples=20", *recordings())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r'name="dispatch.delay" value="\d+ns" note="for how long an SM was empty')
        self.assertRegex(result.stdout, r'id="A-ORDER" status="assumed"')
        self.assertIn("fewer than 10000000 samples", result.stdout)
        self.assertIn("[recording-rare]", result.stderr)

    def test_policy_is_judged(self):
        """Where two SMs have changed places in the recordings, the policy does not predict them and is left out."""
        self.assertIn("99.", re.search(r"<!-- exact_block: .*", self.text)[0])
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder) / "random.csv"
            text = gzip.decompress((WHOLE / "random.csv.gz").read_bytes()).decode()
            swap = {"0": "124", "124": "0"}
            rows = [line.split(",") for line in text.splitlines()]
            changed.write_text("".join(",".join(swap.get(c, c) if i == 14 and len(row) > 15 else c for i, c in enumerate(row)) + "\n" for row in rows))
            others = [path for path in recordings() if pathlib.Path(path).name.split(".")[0] in ("limits", "map", "next")]
            result = calibrate("--margin=0", "-b", "h200", "--samples=20", *others, changed)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("too few, so that the policy is unknown", result.stdout)
        self.assertIsNone(ElementTree.fromstring(result.stdout).find(NS + "placement"))

    def test_beside_the_shipped_model(self):
        ours, shipped = fields(self.path), fields(ROOT / "models" / "h200.xml")
        differ = {name for name in ours.keys() | shipped.keys() if ours.get(name) != shipped.get(name)}
        for name in sorted(differ | DIFFERENCES.keys()):
            with self.subTest(name):
                self.assertIn(name, DIFFERENCES, f"{ours.get(name)} where the shipped model has {shipped.get(name)}")
                self.assertIn(name, differ, "listed as different, but equal")
        self.assertGreater(len(set(ours) - differ), 22)

    def test_order(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "board.xml"
            result = calibrate("--margin=0", "-b", "h200", "--samples=20", "-o", path, *sorted(OTHER_BOARD.glob("*.csv.gz")))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            ours, shipped = fields(path), fields(ROOT / "models" / "h200.xml")
        self.assertEqual(ours["order"], shipped["order"])
        self.assertEqual([ours[f"gpc {i}"] for i in range(8)], [shipped[f"gpc {i}"] for i in range(8)])

    def test_partitions(self):
        """Tries of all tests against A-PARTITION, and what is recorded beside them is none; one break is said with its test."""
        result = calibrate("--margin=0", WHOLE / "granularity.csv.gz", WHOLE / "partition.csv.gz")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn('<parameter name="partition.unit" value="8"', result.stdout)
        self.assertRegex(result.stdout, r'<assumption id="A-PARTITION" status="assumed" source="partition-2">Held in (\d+) of \1 tries.</assumption>')
        lines = gzip.open(WHOLE / "partition.csv.gz", "rt").read().splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("partition-wait,") and ",1,0,0," in line)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "partition.csv"
            path.write_text("\n".join(lines[:at] + [lines[at].replace(",1,0,0,", ",1,1,77,", 1)] + lines[at + 1:]) + "\n")
            self.assertRegex(calibrate("--margin=0", path).stdout, r'id="A-PARTITION" status="broken".*Broken in 1 of \d+ tries, by up to 77 ns: partition-wait\.')

    def test_granularity(self):
        """A group that is no multiple of the least one is refused."""
        text = gzip.open(WHOLE / "granularity.csv.gz", "rt").read()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "granularity.csv"
            path.write_text(text.replace("\n0,24,5,24,", "\n0,24,5,23,", 1))
            result = calibrate("--margin=0", path)
        self.assertEqual(result.returncode, 3)
        self.assertIn("groups of 8 SMs, and of 23 [recording-contradiction]", result.stderr)

    def test_least_warps(self):
        """The tests with blocks of two warps are left out where the kernels have none such."""
        with_them = calibrate("--margin=0", "--samples=20", OTHER_BOARD / "order.csv.gz").stdout
        without = calibrate("--margin=0", "--samples=20", "--least-warps=3", OTHER_BOARD / "order.csv.gz").stdout
        tries = [int(re.search(r'id="A-HOL".*?(\d+) tries', text).group(1)) for text in (with_them, without)]
        self.assertEqual(tries, [600, 450])
        self.assertIn("looked for only where every block has at least 3 warps", without)

    def test_factors_are_near(self):
        """Other aggressors, another run: neighbours' factors of both within a factor of two, and no victim faster in company."""
        ours, shipped = fields(self.path)["factors"], fields(ROOT / "models" / "h200.xml")["factors"]
        seen = 0
        for (victim, footprint, source, count), value in shipped.items():
            if source != "out" or (victim, footprint, source, count) not in ours:
                continue
            seen += 1
            with self.subTest(f"{victim} {footprint} {source}"):
                self.assertLess(max(value, ours[victim, footprint, source, count]) / min(value, ours[victim, footprint, source, count]), 2)
        self.assertGreater(seen, 8)
        self.assertGreaterEqual(min(ours.values()), 1)

    def test_provenance(self):
        root = ElementTree.fromstring(self.text)
        sources = {node.get("id"): node.text for node in root.iter(NS + "source")}
        for node in root.iter(NS + "parameter"):
            source = sources[node.get("source")]
            self.assertTrue("sha256" in source or source.startswith("from the model h200"), source)
            if node.get("name").startswith("overhead."):
                self.assertRegex(node.get("note"), r"the greatest of \d+ samples is \d+ns.*; 0% margin added; measured, not proven")
        for node in root.iter(NS + "assumption"):
            if node.get("id") not in ("A-RATE", "A-WC(g)"):  # what is said of these is why no factor is stated, and what g is
                self.assertRegex(node.text, r"^(Held in (\d+) of \2|Broken in \d+ of \d+) tries")

    def test_margin(self):
        result = calibrate("--margin=50", "--samples=20", WHOLE / "overheads.csv.gz")
        def launch(text):
            return int(re.search(r'overhead.launch" value="(\d+)ns', text).group(1))
        self.assertEqual(launch(result.stdout), -(-launch(self.text) * 3 // 2))

    def test_worse_values_of_the_base(self):
        """What many boards have seen counts more than what one did not see; --own states what it did."""
        root = ElementTree.fromstring(self.text)
        sources = {node.get("id"): node.text for node in root.iter(NS + "source")}
        found = {node.get("name"): node for node in root.iter(NS + "parameter")}
        for name, value, own in (("dispatch.delay", "10100ns", "448ns"), ("dispatch.stall", "17500ns", "16960ns"), ("dispatch.nonempty-sms", "66", "132")):
            self.assertEqual(found[name].get("value"), value)
            self.assertIn(f"kept from the base, as it is worse than the {own} of these recordings", found[name].get("note"))
            self.assertTrue(sources[found[name].get("source")].startswith("from the model h200: "))
        with tempfile.TemporaryDirectory() as folder:
            base = pathlib.Path(folder) / "base.xml"
            base.write_text((ROOT / "models" / "h200.xml").read_text().replace('name="dispatch.stall" value="17500ns"', 'name="dispatch.stall" value="16600ns"'))
            self.assertIn('name="dispatch.stall" value="16960ns"', calibrate("--margin=0", "-b", base, "--samples=20", *recordings()).stdout)
        own = calibrate("--margin=0", "-b", "h200", "--own", "--samples=20", *recordings())
        self.assertEqual(own.returncode, 0, own.stderr)
        self.assertIn('name="dispatch.delay" value="448ns"', own.stdout)
        self.assertIn('name="dispatch.nonempty-sms" value="132"', own.stdout)
        self.assertRegex(own.stderr, r"fair.csv.gz: warning: dispatch.delay, 448ns, rests on 12764 samples, where 10000000 are wanted.*\[recording-rare\]")

    def test_same_bytes(self):
        again = calibrate("--margin=0", "-b", "h200", "--samples=20", *recordings())
        self.assertEqual(again.stdout, self.text)


class H100(unittest.TestCase):
    """models/h100.xml is what two boards' recordings say: map, order and limits of both, of factors the greater."""

    @classmethod
    def setUpClass(cls):
        cls.boards = []
        for name in ("h100", "h100-b"):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "board.xml"
                cls.result = calibrate("--margin=0", "-b", "h200", "--samples=20", "-o", path, *sorted((ROOT / "tests" / "silicon" / name).glob("*.csv.gz")))
                cls.boards.append((fields(path), path.read_text()))
        cls.shipped = fields(ROOT / "models" / "h100.xml")

    def test_map_and_limits(self):
        first, other = (ours for ours, _ in self.boards)
        for name in ("order", "carveouts", "placement", *(f"gpc {i}" for i in range(10))):
            self.assertEqual(first[name], self.shipped[name], name)
        for name in (f"gpc {i}" for i in range(8)):  # what groups single TPCs is not in the excerpt
            self.assertEqual(other[name], self.shipped[name], name)
        for name in ("sm.count", "sm.warps", "sm.blocks", "sm.registers", "sm.shared", "queues.resident-grids", "queues.priorities"):
            for ours in (first, other):
                self.assertEqual(ours["parameter " + name], self.shipped["parameter " + name], name)

    def test_placement(self):
        self.assertRegex(self.boards[0][1], r"exact_block: the policy hopper puts every block of \d+ of \d+ kernels that were launched one by one where it was, (99\.[5-9]|100)")

    def test_factors(self):
        one, other = (ours["factors"] for ours, _ in self.boards)
        self.assertEqual(one.keys(), other.keys())
        self.assertEqual({key: max(one[key], other[key]) for key in one if key[2] != "cpu"}, self.shipped["factors"])


class OtherWays(unittest.TestCase):
    """Two more H100s: what their recordings say that record.sh does not make everywhere."""

    def board(self, name, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "board.xml"
            result = calibrate("--margin=0", "-b", "h100", "--samples=1", "-o", path, *words, *sorted((ROOT / "tests" / "silicon" / name).glob("*.csv.gz")))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            return fields(path), path.read_text()

    def test_without_clusters(self):
        """The clocks of SMs give the GPCs that clusters give, and one to each single TPC; contention of two SMs tells no TPC on this chip, however they access memory."""
        def gpcs(model):
            return [{sm for tpc in model[name][1] for sm in tpc} for name in sorted(model) if name.startswith("gpc ")]
        ours, text = self.board("h100-c")
        shipped = gpcs(fields(ROOT / "models" / "h100.xml"))[:8]
        found = gpcs(ours)
        singles = set(range(124, 132))
        self.assertEqual([gpc - singles for gpc in found], shipped)
        self.assertEqual(set().union(*(gpc & singles for gpc in found)), singles)
        self.assertEqual({len(tpc) for name, value in ours.items() if name.startswith("gpc ") for tpc in value[1]}, {1})
        self.assertNotIn("no map", text)

    def test_queues_of_partitions(self):
        """A-QUEUE's note is of all recordings: the NULL stream's is in one, that across partitions in another."""
        _, text = self.board("h100-c")
        self.assertRegex(text, r'id="A-QUEUE" status="assumed".*With work on the NULL stream 101 of 404 waited, .*beside as many of another partition of SMs as '
                               r"queues 64 of 64 waited: queues are the process's")

    def test_host_traffic(self):
        """Blocks that add to host memory are read like others, and break A-WC; an SM counts as empty once, however many kernels wait."""
        ours, text = self.board("h100-d")
        self.assertEqual(ours["status A-WC"], "broken")
        self.assertEqual(ours["parameter dispatch.nonempty-sms"], 34)
        self.assertIn("recorded by probe/placement", text)


class Refused(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.target = pathlib.Path(self.folder.name) / "model.xml"

    def changed(self, name, change):
        path = pathlib.Path(self.folder.name) / (name + ".csv")
        path.write_text(change(gzip.decompress((RECORDINGS / (name + ".csv.gz")).read_bytes()).decode()))
        return path

    def refused(self, code, *words):
        result = calibrate("--margin=10", "-o", self.target, *words)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(f"[{code}]", result.stderr)
        self.assertFalse(self.target.exists())
        return result.stderr

    def test_cut_off(self):
        self.refused("recording-truncated", self.changed("order", lambda text: text[:len(text) // 2]))
        self.refused("recording-truncated", self.changed("limits", lambda text: text.replace("sm.count", "sm.count\nsm.blocks", 1)))
        lines = lambda text: text.splitlines(keepends=True)
        self.refused("recording-truncated", self.changed("slices", lambda text: "".join(lines(text)[:-3] + lines(text)[-1:])))
        path = pathlib.Path(self.folder.name) / "cut.csv.gz"
        path.write_bytes((RECORDINGS / "map.csv.gz").read_bytes()[:5000])
        self.refused("recording-truncated", path)

    def test_mixed_boards(self):
        other = self.changed("order", lambda text: re.sub(r"uuid=\w+", "uuid=" + "0" * 32, text))
        text = self.refused("recording-boards", RECORDINGS / "limits.csv.gz", other)
        self.assertIn("order.csv", text)
        self.refused("recording-boards", RECORDINGS / "limits.csv.gz", OTHER_BOARD / "limits.csv.gz")
        self.refused("recording-boards", RECORDINGS / "limits.csv.gz", self.changed("order", lambda text: re.sub(r" driver=\d+", " driver=12040", text)))
        self.refused("recording-boards", "-b", "jetson-agx-orin", RECORDINGS / "limits.csv.gz")

    def test_clocks(self):
        self.refused("recording-clocks", self.changed("overheads", lambda text: text.replace("clock_moved=no", "clock_moved=yes")))
        self.refused("recording-clocks", RECORDINGS / "limits.csv.gz",
                     self.changed("overheads", lambda text: re.sub(r"clock_khz=\d+", "clock_khz=1500000", text)))

    def test_samples(self):
        self.refused("recording-samples", "--samples=100000", RECORDINGS / "overheads.csv.gz")
        self.refused("recording-samples", "--samples=100000", RECORDINGS / "order.csv.gz")
        self.refused("recording-samples", "--samples=100000", RECORDINGS / "slices.csv.gz")

    def test_nonsense(self):
        self.refused("recording-head", ROOT / "models" / "h200.xml")
        self.refused("recording-value", self.changed("limits", lambda text: text.replace("sm.warps,64", "sm.warps,many")))
        self.refused("recording-value", self.changed("limits", lambda text: text.replace("name,value", "nom,value")))
        self.refused("recording-value", self.changed("limits", lambda text: text.replace("sm.warps,64", "sm.warps,-64")))
        self.refused("recording-value", self.changed("order", lambda text: text.replace("hol,0,1,0,0,", "hol,0,-1,0,0,")))
        self.refused("recording-head", self.changed("limits", lambda text: text.replace(" sms=132", " sms=100000000000")))
        self.refused("recording-contradiction", self.changed("limits", lambda text: text.replace("sm.blocks,32,count,measured", "sm.blocks,31,count,measured")))
        self.refused("file-unreadable", self.target)

    def test_margin_is_the_users(self):
        result = calibrate(RECORDINGS / "limits.csv.gz")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--margin", result.stderr)


class Tables(unittest.TestCase):
    """What follows from few rows, worked out by hand."""

    HEAD = ("# gpubound-probe 1\n# measurement={} board=X uuid=1 compute-capability=9.0 sms={} driver=1 runtime=1 integrated=no seed=1 "
            "date=2026-11-22T00:00:00Z clock_khz=1000\n{}\n")
    END = "# complete rows={} seconds=0.1 clock_khz=1000 clock_moved=no\n"

    def model(self, measurement, sms, columns, rows):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.csv"
            path.write_text(self.HEAD.format(measurement, sms, columns) + "".join(row + "\n" for row in rows) + self.END.format(len(rows)))
            result = calibrate("--margin=0", "--samples=1", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        return ElementTree.fromstring(result.stdout)

    def test_interference(self):
        rows = ["read,65536,1024,0,none,0,-,0,1000", "read,65536,1024,0,none,0,-,1,900", "read,65536,1024,0,tpc,1,read,0,1350",
                "read,65536,1024,0,out,3,read,0,1800", "read,65536,1024,0,all,4,write,0,3600",
                "read,1048576,1024,0,none,0,-,0,9000", "read,1048576,1024,0,tpc,1,read,0,9900", "read,1048576,1024,0,out,3,read,0,18900",
                "read,65536,1024,-1,none,0,-,0,1000", "read,65536,1024,-1,bidirectional,1,-,0,1200", "read,65536,1024,-1,h2d,2,-,0,1050",
                "h2d,65536,0,-1,none,0,-,0,5000", "h2d,65536,0,-1,ee,132,read,0,10001"]
        root = self.model("interference", 5, "victim,footprint,threads,sm,source,count,operation,repetition,ns", rows)
        found = {(n.get("victim"), n.get("footprint"), n.get("from"), n.get("count")): n.get("value") for n in root.iter(NS + "factor")}
        self.assertEqual(found, {
            ("read", "64KiB", "tpc", "1"): "1.50",  # over the least time alone
            ("read", "1MiB", "tpc", "1"): "1.50",   # 1.10, but the next smaller footprint had 1.50
            ("read", "64KiB", "out", "3"): "2.67",  # 2.00, but 1.50 * 2.00 has to cover the joint 4.00
            ("read", "1MiB", "out", "3"): "2.67",   # and so at the next footprint
            ("read", "64KiB", "h2d", "1"): "1.20",  # both directions count for each
            ("read", "64KiB", "d2h", "1"): "1.20",
            ("read", "64KiB", "h2d", "2"): "1.20",  # two are no better than one
            ("transfer", "64KiB", "ee", "132"): "2.01"})

    def test_each_row_by_its_own(self):
        """Kernels of unlike many blocks, and waits beside unlike many processes, in one recording."""
        spread = self.model("overheads", 4, "what,repetition,amount,ns,clock_error_ns", ["idle,0,1,9,0", "dependent,0,1,9,0", "h2d,0,1,9,0", "spread,0,2,100,0", "spread,1,101,500,0"])
        self.assertEqual(spread.find(f'.//{NS}parameter[@name="overhead.block"]').get("value"), "100ns")
        slices = self.model("slices", 4, self.SLICES, self.there(["2,0,2000,1300,1000", "2,1,900,1150,0", "3,2,10000,2150,0"]))
        self.assertEqual(slices.find(f'.//{NS}parameter[@name="runlist.switch"]').get("value"), "150ns")

    def recorded(self, *recordings, words=()):
        """The model of several: (measurement, columns, rows)."""
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for measurement, columns, rows in recordings:
                paths.append(pathlib.Path(folder) / f"{len(paths)}.csv")
                paths[-1].write_text(self.HEAD.format(measurement, 2, columns) + "".join(row + "\n" for row in rows) + self.END.format(len(rows)))
            result = calibrate("--margin=0", "--samples=1", *words, *paths)
        self.assertEqual(result.returncode, 0, result.stderr)
        root = ElementTree.fromstring(result.stdout)
        return ({n.get("name"): n for n in root.iter(NS + "parameter")}, {n.get("id"): n for n in root.iter(NS + "assumption")}, root, result.stdout)

    OVERHEADS = "what,repetition,amount,ns,clock_error_ns"
    SLICES = "processes,process,begin_ns,gap_ns,ran_ns"
    TURNS = "test,other,run,count,amount,span_ns,gap_ns"
    PASSING = ("test,repetition,ahead_blocks,ahead_threads,ahead_shared,ahead_registers,behind_blocks,behind_threads,waited_ns,room_ns,passed,"
               "passed_ns,after_ns")
    STALLS = ("repetition,loop,old,warps,work,run_us,blocks,warps_beside,begin,warp_begin,above_1us,above_17us,longest,blocks_alone,begin_alone,"
              "longest_alone,old_outlast")
    DELAYS = "exp,cfg,rep,mode,kernel,stream,prio,gx,gy,gz,threads,smem,variant,block,smid,ticket,t0,t1"

    @staticmethod
    def there(rows):
        """All processes are there from before the first row until behind the last."""
        processes = sorted({tuple(row.split(",")[:2]) for row in rows})
        return [f"{n},{p},0,1,0" for n, p in processes] + rows + [f"{n},{p},90000000,1,0" for n, p in processes]

    def test_growth(self):
        """Over two recordings, as if they were one."""
        parameters, *_ = self.recorded(("overheads", self.OVERHEADS, ["idle,0,1,9,0", "idle,0,1,7,0"]),
                                       ("overheads", self.OVERHEADS, ["idle,0,1,12,0", "idle,0,1,3,0"]))
        self.assertEqual(parameters["overhead.launch"].get("value"), "12ns")
        self.assertIn("of 4 samples is 12ns, raised last by sample 3 from 9ns; of the first half it is 9ns", parameters["overhead.launch"].get("note"))

    def test_the_call_is_the_hosts(self):
        """overhead.launch counts from the call's return, where the row before says how long it took."""
        parameters, *_ = self.recorded(("overheads", self.OVERHEADS, ["call,0,1,30,0", "idle,0,1,37,2", "idle,1,1,8,0", "call,2,1,9,0", "idle,2,1,5,0"]))
        self.assertEqual(parameters["overhead.launch"].get("value"), "9ns")

    def test_empty_counts_once(self):
        """Of four SMs one is empty while several kernels wait: one less, not one for each of them."""
        columns = "exp,cfg,rep,mode,kernel,stream,prio,gx,gy,gz,threads,smem,variant,block,smid,ticket,t0,t1"

        def blocks(kernel, *places):
            return [f"waves,0,0,1,{kernel},{kernel},0,{len(places)},1,1,1024,0,0,{b},{sm},0,{begin},{end}" for b, (sm, begin, end) in enumerate(places)]

        rows = blocks(0, (0, 0, 60000), (2, 0, 70000), (3, 0, 70000), (0, 60100, 70000)) + blocks(1, (0, 200, 60000), (1, 59000, 70000))
        for more in ([], blocks(2, (0, 300, 400), (0, 10000, 70000), (0, 59500, 70000))):
            root = self.model("placement", 4, columns, rows + more)
            self.assertEqual(root.find(f'.//{NS}parameter[@name="dispatch.nonempty-sms"]').get("value"), "3")

    def test_engines(self):
        """Two copies at once that both end before one engine could have served them have two, also where they slow one another; where one of two
        does, or none, they share one."""
        alone = ["h2d,0,64,100,0", "d2h,0,64,100,0"]
        for up, down, engines in (([120], [120], ["0", "1"]), ([160], [102], ["0", "1"]), ([190], [190], ["0", "0"]), ([100], [200], ["0", "0"]),
                                  ([100, 200], [200, 100], ["0", "0"]), ([170, 170, 200], [170, 170, 200], [])):
            rows = alone + [f"h2d-bidirectional,{i},64,{ns},0" for i, ns in enumerate(up)] + [f"d2h-bidirectional,{i},64,{ns},0" for i, ns in enumerate(down)]
            _, _, root, _ = self.recorded(("overheads", self.OVERHEADS, rows))
            self.assertEqual([n.get("engine") for n in root.iter(NS + "direction")], engines, (up, down))

    def test_processes(self):
        """Two take turns; then both run at once, and then one runs twice while the other waits."""
        turns = ["2,0,1000,1100,0", "2,1,2050,1100,950", "2,0,3100,1100,1000", "2,1,4150,1100,1000"]
        parameters, found, root, _ = self.recorded(("slices", self.SLICES, self.there(turns)))
        self.assertEqual({found[a].get("status") for a in ("A-EXCL", "A-RUNLIST")}, {"assumed"})
        self.assertEqual(root.find(NS + "engines").get("preemption"), "instruction")
        _, found, *_ = self.recorded(("slices", self.SLICES, self.there([*turns, "2,1,9000,1100,7000", "2,0,9000,1100,7000"])))
        self.assertEqual(found["A-EXCL"].get("status"), "broken")
        twice = ["2,0,10000,30000,0", "2,1,10000,100,0", "2,1,20100,5000,10000", "2,1,35100,9000,10000", "2,0,90000,10,50000"]
        _, found, *_ = self.recorded(("slices", self.SLICES, self.there(twice)))
        self.assertEqual(found["A-RUNLIST"].get("status"), "broken")
        self.assertIn("two turns of one process", found["A-RUNLIST"].text)

    def test_a_process_that_ends(self):
        """It had nine short turns in one wait of another, and the runs of the third were cut to 0.2 ms: said, and not taken for slices."""
        result = calibrate("--margin=0", ROOT / "tests" / "silicon" / "h200-d" / "slices-3.csv.gz")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("of 734 waits 38 are left out, as one of the processes had not begun or had ended; there a run was as short as 204480ns, a "
                      "wait as long as 5693920ns", result.stdout)
        self.assertIn('name="runlist.timeslice" value="2072448ns"', result.stdout)
        self.assertRegex(result.stdout, r'id="A-RUNLIST" status="assumed" [^>]*>Held in (\d+) of \1 tries')

    def test_turns(self):
        """The slice is 1 ms: a graph of 0.5 ms that lost its turn, one that kept it, caches, and copies that waited or not."""
        slices = ("slices", self.SLICES, self.there(["2,0,1000000,1100000,0", "2,1,2050000,1100000,1000000"]))
        base = ["graph,none,0,50,10000,510000,700", "refill,none,0,4,1024,5000,500", "refill,none,1,4,1024,5100,500", "h2d,none,0,1,1024,9000,0"]
        kept = base + ["graph,long,0,50,10000,520000,900", "refill,reads,0,4,1024,7500,600", "h2d,long,0,1,1024,20000,0",
                       "launches,long,0,50,10000,2500000,1900000"]
        parameters, found, root, text = self.recorded(slices, ("pending", self.TURNS, kept))
        self.assertEqual(found["A-PENDING"].get("status"), "assumed")
        self.assertIn("lost it in 0 of 0", found["A-PENDING"].text)  # nobody knows what these launches take alone
        self.assertEqual(parameters["switch.refill"].get("value"), "2500ns")
        self.assertEqual(root.find(NS + "engines").get("copy-runlist"), "own")
        hosts = kept + ["launches,none,0,50,10000,510000,900", "launches,idle,0,50,10000,600000,90000"]
        _, found, *_ = self.recorded(slices, ("pending", self.TURNS, hosts))
        self.assertNotIn("A-RUNLIST", found)  # the host was late with a launch: nothing against round robin, nor for it
        lost = kept + ["graph,short,1,50,10000,2600000,1900000", "h2d,long,1,1,1024,900000,0", "graph,idle,1,50,10000,2600000,1900000"]
        _, found, root, _ = self.recorded(slices, ("pending", self.TURNS, lost))
        self.assertEqual(found["A-PENDING"].get("status"), "broken")
        self.assertIn("by up to 1900000 ns", found["A-PENDING"].text)
        self.assertEqual(found["A-RUNLIST"].get("status"), "broken")  # a process without work took a turn
        self.assertNotEqual(root.find(NS + "engines").get("copy-runlist"), "own")

    def stalls(self, *begins):
        return "stalls", self.STALLS, [f"0,{loop},8,4,0,1500,9,36,{ns},{ns},0,0,100,1,50,100,5" for loop, ns in begins]

    def test_stalls_without_host_traffic(self):
        parameters, *_ = self.recorded(self.stalls((0, 16000), (9, 900000)))
        self.assertEqual(parameters["dispatch.stall"].get("value"), "16000ns")

    def fair(self, second):
        """Two SMs; the third block comes `second` ns after an SM was empty."""
        return "delays", self.DELAYS, [f"fair,0,0,1,0,0,0,3,1,1,128,0,0,{b},{sm},{b},{t0},{t0 + 50000}"
                                       for b, sm, t0 in ((0, 0, 0), (1, 1, 0), (2, 0, 50000 + second))]

    def passing(self, *rows):
        return "passing", self.PASSING, [f"{test},0,9,96,0,16,1,32,1000,{room},{int(passed > 0)},{passed},0" for test, room, passed in rows]

    def test_order(self):
        """dispatch.delay is the time for which an SM was empty; who passes by longer breaks A-ORDER, who may pass does not."""
        both = self.fair(3000), self.stalls((0, 16000))
        parameters, found, *_ = self.recorded(*both, self.passing(("warps", 90000, 0), ("high-behind", 90000, 70000), ("registers", 0, 420)))
        self.assertEqual(parameters["dispatch.delay"].get("value"), "3000ns")
        self.assertEqual(found["A-ORDER"].get("status"), "assumed")
        self.assertEqual(found["A-FIT"].get("status"), "broken")  # room for 90 us, while it waited
        _, found, *_ = self.recorded(*both, self.passing(("warps", 0, 0), ("shared", 0, 50000)))
        self.assertEqual(found["A-ORDER"].get("status"), "broken")
        self.assertIn("by up to 50000 ns: shared", found["A-ORDER"].text)
        for without in ((both[1], self.passing(("warps", 0, 0))), (both[0], self.passing(("warps", 0, 0))), both):
            *_, text = self.recorded(*without)
            self.assertIn("A-ORDER was not judged", text)

    def test_worse_than_the_base(self):
        """The worse of both, by number; assumptions are judged by the recordings alone, and what was not measured is not taken."""
        sequence = (self.stalls((0, 16000)), self.passing(("warps", 0, 5000)))
        for delay, stated in ((3000, 10100), (12000, 12000)):
            parameters, *_ = self.recorded(self.fair(delay), self.stalls((0, 16000)), words=("-b", "h200"))
            self.assertEqual(parameters["dispatch.delay"].get("value"), f"{stated}ns")
        parameters, found, *_ = self.recorded(self.fair(3000), *sequence, words=("-b", "h200"))
        self.assertEqual((parameters["dispatch.delay"].get("value"), found["A-ORDER"].get("status")), ("10100ns", "broken"))
        self.assertNotIn("dispatch.delay", self.recorded(*sequence, words=("-b", "h200"))[0])
        text = (ROOT / "models/h200.xml").read_text().replace("<parameters>", "<parameters>" + "".join(
            f'<parameter name="{name}" value="{value}us" source="guide"/>' for name, value in
            (("overhead.launch", 99), ("overhead.dependency", 1), ("runlist.switch", 700), ("runlist.timeslice", 600))))
        with tempfile.TemporaryDirectory() as folder:
            base = pathlib.Path(folder) / "base.xml"
            base.write_text(text)
            slices = ("slices", self.SLICES, self.there(["2,0,1000000,1100000,0", "2,1,2050000,1100000,1000000"]))
            recordings = (("overheads", self.OVERHEADS, ["idle,0,1,9,0", "dependent,0,1,5000,0"]), slices)
            parameters, *_ = self.recorded(*recordings, words=("-b", base))
            own, *_ = self.recorded(*recordings, words=("-b", base, "--own"))
        names = ("overhead.launch", "overhead.dependency", "runlist.switch", "runlist.timeslice")
        self.assertEqual([parameters[name].get("value") for name in names], ["99000ns", "5000ns", "700000ns", "1000000ns"])
        self.assertEqual([own[name].get("value") for name in names], ["9ns", "5000ns", "50000ns", "1000000ns"])

    def test_queues(self):
        columns = "connections,streams,kind,busy,tries,waited,late"
        rows = ["4,8,non-blocking,3,50,0,0", "4,8,non-blocking,4,9,9,0", "4,8,null,3,20,7,0", "4,3,non-blocking,2,11,0,0"]
        _, found, *_ = self.recorded(("queues", columns, rows))
        self.assertIn("Held in 50 of 50 tries. With work on the NULL stream 7 of 20 waited, with as many streams at work as queues 9 of 9",
                      found["A-QUEUE"].text)
        _, found, *_ = self.recorded(("queues", columns, rows + ["4,8,levels,3,50,2,0"]))
        self.assertEqual(found["A-QUEUE"].get("status"), "broken")

    def test_memsets(self):
        """The size that needs most counts, and what it was refused."""
        rows = ["memset,256,threads,128,3,3", "memset,65536,threads,128,3,0", "memset,65536,threads,256,3,2", "memset,65536,threads,512,3,3",
                "memset-odd,65536,threads,512,3,0", "memset-odd,65536,threads,768,3,3", "d2d,256,threads,128,3,0"]
        *_, text = self.recorded(("memsets", "what,bytes,limit,free,tries,began", rows))
        self.assertIn("memset, where it runs as a kernel: a block needs at most 768 threads and more than 512; registers not told", text)
        self.assertIn("d2d, where it runs as a kernel: a block needs threads not told", text)

    def test_quiet(self):
        rows = ["hypervisor,0,1,1,0,0", "host,0,1,2,83000,90000", "gpu,0,132,0,0,0"]
        _, found, _, text = self.recorded(("quiet", "what,run,tries,gaps,longest_ns,total_ns", rows))
        self.assertEqual(found["A-ISO"].get("status"), "assumed")
        self.assertIn("Accesses to the GPU's memory by other GPUs, network cards and CPU cores were not tried", found["A-ISO"].text)
        self.assertIn("a virtual machine", text)
        _, found, *_ = self.recorded(("quiet", "what,run,tries,gaps,longest_ns,total_ns", rows + ["gpu,1,132,9,2070000,18000000"]))
        self.assertIn("by up to 2070000 ns", found["A-ISO"].text)
        self.assertEqual(found["A-ISO"].get("status"), "broken")

    def test_resident_grids(self):
        columns = "name,value,unit,how,samples"
        for most, stated in ((100, "100"), (300, None)):
            parameters, *_ = self.recorded(("limits", columns, ["sm.count,2,count,query,1", f"queues.resident-grids,{most},count,measured,300"]))
            self.assertEqual(parameters["queues.resident-grids"].get("value") if "queues.resident-grids" in parameters else None, stated)

    def test_clocks_tell_gpcs(self):
        """Without clusters, SMs 0 1 4 and 2 3 5; a third repetition that says otherwise leaves the map out."""
        def rows(repetition, *groups):
            return [f"clock,{repetition},0,0,{sm},{group * 100000 + 7 * sm + repetition * 999983}" for sm, group in enumerate(groups)]
        columns = "method,repetition,group,rank,sm,value"
        agree = rows(0, 1, 1, 5, 5, 1, 5) + rows(1, 1, 1, 5, 5, 1, 5)
        root = self.model("map", 6, columns, agree)
        groups = {tuple(sorted(int(sm) for tpc in gpc for sm in tpc.text.split())) for gpc in root.iter(NS + "gpc")}
        self.assertEqual(groups, {(0, 1, 4), (2, 3, 5)})
        self.assertIsNone(self.model("map", 6, columns, agree + rows(2, 1, 5, 5, 5, 1, 5)).find(NS + "sms"))
        near = [f"clock,0,0,0,{sm},{sm // 3 * 1000000 + 1500 * sm}" for sm in range(6)]  # two heaps, but within them nothing is together
        self.assertIsNone(self.model("map", 6, columns, near).find(NS + "sms"))


class Findings(unittest.TestCase):
    """A planted break is found, by what and by how much."""

    def model(self, name, change):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / (name + ".csv")
            path.write_text(change(gzip.decompress((RECORDINGS / (name + ".csv.gz")).read_bytes()).decode()))
            result = calibrate("--margin=0", "--samples=1", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        root = ElementTree.fromstring(result.stdout)
        nonempty = root.find(f'.//{NS}parameter[@name="dispatch.nonempty-sms"]')
        return {n.get("id"): (n.get("status"), n.text) for n in root.iter(NS + "assumption")}, nonempty

    def test_direct(self):
        found, _ = self.model("order", lambda text: text.replace("priority,0,1,0,0,", "priority,0,1,1,777,"))
        self.assertEqual(found["A-PRIO"][0], "broken")
        self.assertIn("by up to 777 ns", found["A-PRIO"][1])

    TRACE = ("# gpubound-probe 1\n# measurement=placement board=X uuid=1 compute-capability=9.0 sms=2 driver=1 runtime=1 integrated=no seed=1 "
             "date=2026-11-22T00:00:00Z clock_khz=1000\nexp,cfg,rep,mode,kernel,stream,prio,gx,gy,gz,threads,smem,variant,block,smid,ticket,t0,t1\n{}"
             "# complete rows={} seconds=0.1 clock_khz=1000 clock_moved=no\n")

    def trace(self, *blocks):
        """(kernel, prio, blocks, block, SM, begin, end), one configuration."""
        rows = "".join(f"x,0,0,1,{k},{k},{p},{n},1,1,128,0,0,{b},{sm},0,{t0},{t1}\n" for k, p, n, b, sm, t0, t1 in blocks)
        return self.model("limits", lambda text: self.TRACE.format(rows, len(blocks)))

    def test_order_kept(self):
        found, nonempty = self.trace((0, 0, 4, 0, 0, 0, 10000), (0, 0, 4, 1, 1, 0, 10000), (0, 0, 4, 2, 0, 10300, 20000), (0, 0, 4, 3, 1, 10300, 20000),
                                     (1, 0, 2, 0, 0, 20300, 25000), (1, 0, 2, 1, 1, 20300, 25000))
        self.assertEqual({found[a][0] for a in ("A-HOL", "A-WC")}, {"assumed"})
        self.assertEqual(nonempty.get("value"), "2")

    def test_overlap(self):
        found, _ = self.trace((0, 0, 3, 0, 0, 0, 10000), (0, 0, 3, 1, 1, 0, 10000), (0, 0, 3, 2, 0, 15000, 25000),
                              (1, 0, 1, 0, 1, 10300, 20000))
        self.assertEqual(found["A-HOL"][0], "broken")
        self.assertIn("by up to 4700 ns", found["A-HOL"][1])
        self.assertIn("4 warps", found["A-HOL"][1])

    def test_empty_sm(self):
        found, nonempty = self.trace((0, 0, 3, 0, 0, 0, 30000), (0, 0, 3, 1, 1, 0, 10000), (0, 0, 3, 2, 1, 25000, 30000))
        self.assertEqual(found["A-WC"][0], "broken")
        self.assertIn("by up to 15000 ns", found["A-WC"][1])
        self.assertEqual(nonempty.get("value"), "1")

    def test_low_among_high(self):
        found, _ = self.trace((0, 0, 2, 0, 0, 0, 10000), (0, 0, 2, 1, 1, 12000, 20000), (1, 1, 2, 0, 0, 10300, 20000), (1, 1, 2, 1, 0, 20300, 30000))
        self.assertEqual(found["A-PRIO"][0], "broken")
        self.assertIn("by up to 8300 ns", found["A-PRIO"][1])

    def test_stretched(self):
        found, _ = self.trace((0, 0, 2, 0, 0, 0, 10000), (0, 0, 2, 1, 1, 0, 19000))
        self.assertEqual(found["A-ISO"][0], "broken")
        self.assertIn("by up to 9000 ns", found["A-ISO"][1])


if __name__ == "__main__":
    sys.argv[1:] = [word for word in sys.argv[3:] if word != "--update"]
    unittest.main()
