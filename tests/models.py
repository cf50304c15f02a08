"""The shipped platform models say what their sources say: every number, typed here from the sources a second time.

usage: models.py SOURCE_ROOT
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

ROOT = pathlib.Path(sys.argv.pop(1))
NS = "{urn:gpubound:platform:1}"
UNITS = {"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "ns": 1, "us": 1000, "ms": 10**6, "s": 10**9, "MHz": 10**6}

# ---- limits by compute capability: parameter -> (value in base units, where)
GUIDE_1 = "programming guide 4.2, table of technical specifications, column 1.0 and 1.1"
LIMITS = {
    "1.0": {"sm.warps": (24, GUIDE_1), "sm.blocks": (8, GUIDE_1), "sm.registers": (8192, GUIDE_1 + ": 8 K"),
            "sm.shared": (16384, GUIDE_1 + ": 16 KB"), "block.threads": (512, GUIDE_1), "block.shared": (16384, GUIDE_1)},
    "2.0": {"sm.warps": (48, "RTAS'20 VI: 1536 threads"), "sm.blocks": (8, "occupancy header, 2.x"), "sm.subpartitions": (2, "header, 2.x"),
            "sm.registers": (32768, "guide 4.2, 2.x: 32 K"), "sm.shared": (49152, "header: 48 KB"), "register.unit": (64, "header"),
            "shared.unit": (128, "header"), "shared.reserved": (0, "header"), "block.threads": (1024, "guide"),
            "block.registers": (32768, "RTAS'20 VI"), "block.shared": (49152, "RTAS'20 VI"), "thread.registers": (63, "guide, 2.x")},
    "3.0": {"sm.warps": (64, "header, 3.0"), "sm.blocks": (16, "header, 3.0"), "sm.subpartitions": (4, "header"),
            "sm.registers": (65536, "guide 4.2, 3.0: 64 K"), "sm.shared": (49152, "header"), "register.unit": (256, "header"),
            "shared.unit": (256, "header"), "shared.reserved": (0, "header"), "block.threads": (1024, "guide"),
            "block.registers": (65536, "guide, 3.0: 64 K"), "block.shared": (49152, "header"), "thread.registers": (63, "guide, 3.0")},
    "5.0": {"sm.warps": (64, "header, 5.0"), "sm.blocks": (32, "header, 5.0"), "sm.subpartitions": (4, "header"),
            "sm.registers": (65536, "guide, 5.0: 64 K"), "sm.shared": (65536, "guide, 5.0: 64 KB"), "register.unit": (256, "header"),
            "shared.unit": (256, "header"), "shared.reserved": (0, "header"), "block.threads": (1024, "guide"),
            "block.registers": (65536, "guide, 5.0: 64 K"), "block.shared": (49152, "header"), "thread.registers": (255, "header")},
    "5.3": {"sm.warps": (64, "header, 5.3"), "sm.blocks": (32, "header, 5.3"), "sm.subpartitions": (4, "header"),
            "sm.registers": (65536, "guide, 5.3: 64 K"), "sm.shared": (65536, "guide, 5.3: 64 KB"),
            "register.unit": (256, "header"), "shared.unit": (256, "header"), "shared.reserved": (0, "header"),
            "block.threads": (1024, "deviceQuery, 5.3"), "block.registers": (32768, "deviceQuery, 5.3"),
            "block.shared": (49152, "deviceQuery, 5.3"), "thread.registers": (255, "header")},
    "6.2": {"sm.warps": (64, "RTSS'17: 2048 threads"), "sm.blocks": (32, "header, 6.2"), "sm.subpartitions": (4, "header, 6.2"),
            "sm.registers": (65536, "RTSS'17"), "sm.shared": (65536, "RTSS'17: 64 KB"), "register.unit": (256, "header"),
            "shared.unit": (256, "header"), "shared.reserved": (0, "header"), "block.threads": (1024, "RTSS'17"),
            "block.registers": (32768, "RTSS'17; RTAS'20 Table I has 65536"), "block.shared": (49152, "RTSS'17: 48 KB"),
            "thread.registers": (255, "RTSS'17")},
}
# cc: warps, blocks, shared an SM (KB), opt-in (KB), unit, reserved; header and guide of CUDA 12.6, for 11.0 of CUDA 13.3
for cc, warps, blocks, shared, optin, unit, reserved in (
    ("7.0", 64, 32, 96, 96, 256, 0), ("7.2", 64, 32, 96, 96, 256, 0), ("7.5", 32, 16, 64, 64, 256, 0),
    ("8.7", 48, 16, 164, 163, 128, 1024), ("9.0", 64, 32, 228, 227, 128, 1024), ("11.0", 48, 24, 228, 227, 128, 1024),
):
    row = "guide and header, row " + cc
    LIMITS[cc] = {name: (value, row) for name, value in (
        ("sm.warps", warps), ("sm.blocks", blocks), ("sm.subpartitions", 4), ("sm.registers", 65536), ("sm.shared", shared * 1024),
        ("register.unit", 256), ("shared.unit", unit), ("shared.reserved", reserved), ("block.threads", 1024), ("block.registers", 65536),
        ("block.shared", 48 * 1024), ("block.shared-optin", optin * 1024), ("thread.registers", 255))}
LIMITS["1.1"] = LIMITS["1.0"]
# maximum number of resident grids per device: guide of CUDA 8 and 9 for up to 7.0, of CUDA 12 from 7.2 on, of CUDA 13 for 11.0
for cc, grids in (("2.0", 16), ("3.0", 16), ("5.0", 32), ("5.3", 16), ("6.2", 16), ("7.0", 128), ("7.2", 16), ("7.5", 128), ("8.7", 128), ("9.0", 128), ("11.0", 128)):
    LIMITS[cc]["queues.resident-grids"] = (grids, "guide, " + cc)

# ---- what each model has besides: file, compute capability, parameter, value, where
US = 1000
MODELS = {
    "8800-gts": ("1.0", {"sm.count": (12, "G80 III: 12 multiprocessors"), "raster.texture-processors": (6, "G80 III"),
                         "raster.sms-a-texture-processor": (2, "G80 II: pairs"), "raster.tile": (16, "G80 II: 16x16"),
                         "raster.fifo": (26, "G80 5.4: 5000 pixels / 6 / 32"), "watchdog": (8 * 10**9, "G80 E1: 8-10 seconds")}),
    "8600m-gt": ("1.1", {"sm.count": (4, "G80 III: 4 MP"), "raster.texture-processors": (2, "G80 III: 2 TP"),
                         "raster.sms-a-texture-processor": (2, "G80 III"), "raster.tile": (16, "G80 II"),
                         "watchdog": (8 * 10**9, "G80 E1")}),
    "quadro-6000": ("2.0", {"sm.count": (14, "Pai 2")}),
    "tesla-c2070": ("2.0", {"sm.count": (14, "Pai 2")}),
    "gtx-480": ("2.0", {"sm.count": (15, "Pai 2"), "cache.l2": (786432, "deviceQuery")}),
    "gtx-580": ("2.0", {"sm.count": (16, "Fermi benchmark 3.1"), "cache.l2": (786432, "deviceQuery")}),
    "gtx-770": ("3.0", {"sm.count": (8, "deviceQuery: 8 x 192 cores"), "copy.engines": (1, "deviceQuery"), "cache.l2": (524288, "deviceQuery")}),
    "gtx-850m": ("5.0", {"sm.count": (5, "deviceQuery: 5 x 128 cores"), "copy.engines": (1, "deviceQuery"), "cache.l2": (2097152, "deviceQuery"),
                         "queues.priorities": (2, "RTAS'20 III-B")}),
    "jetson-tx1": ("5.3", {"sm.count": (2, "256 cores of Tegra210, 128 an SM"), "queues.priorities": (2, "RTAS'20 III-B")}),
    "jetson-tx2": ("6.2", {"sm.count": (2, "RTSS'17; RTAS'20 Table I"), "queues.priorities": (2, "RTSS'17: -1 and 0"),
                           "copy.engines": (1, "RTSS'17: 1 CE both directions"), "runlist.timeslice": (1024 * US, "RTAS'24"),
                           "runlist.copy-timeslice": (1049 * US, "RTAS'24"), "cache.l2": (524288, "RTAS'20 Table I: 512KB")}),
    "jetson-xavier-nx": ("7.2", {"sm.count": (6, "deviceQuery: 6 x 64 cores"), "copy.engines": (1, "deviceQuery"),
                                 "queues.priorities": (2, "RTAS'20 III-B"), "cache.l2": (524288, "deviceQuery")}),
    "jetson-agx-xavier": ("7.2", {"sm.count": (8, "RTAS'20 Table I"), "queues.hardware": (2, "RTAS'24: CUDA 10.2"),
                                  "queues.priorities": (2, "RTAS'20 III-B"), "copy.engines": (1, "deviceQuery"),
                                  "cache.l2": (524288, "RTAS'20 Table I: 512KB")}),
    "jetson-orin-nano": ("8.7", {}),
    "jetson-orin-nx": ("8.7", {"sm.count": (8, "deviceQuery"), "copy.engines": (2, "deviceQuery"), "cache.l2": (2097152, "deviceQuery")}),
    "jetson-agx-orin": ("8.7", {"sm.count": (16, "deviceQuery"), "queues.hardware": (4, "RTAS'24: CUDA 11.4"),
                                "copy.engines": (2, "RTAS'24: LCE2, LCE3"), "cache.l2": (4194304, "deviceQuery")}),
    "jetson-thor": ("11.0", {"sm.count": (20, "deviceQuery"), "copy.engines": (1, "deviceQuery"), "cache.l2": (33554432, "deviceQuery")}),
    "titan-v": ("7.0", {"sm.count": (80, "deviceQuery"), "queues.hardware": (8, "RTAS'24: x86_64"), "queues.priorities": (2, "RTAS'20 III-B"),
                        "copy.engines": (7, "deviceQuery"), "cache.l2": (4718592, "deviceQuery")}),
    "drive-agx-pegasus": ("7.5", {"sm.count": (44, "RTAS'20 Table I"), "queues.priorities": (2, "RTAS'20 III-B"),
                                  "cache.l2": (4 << 20, "RTAS'20 Table I: 4MB")}),
    "rtx-2080-ti": ("7.5", {"sm.count": (68, "deviceQuery; Gilman: SMs 0 to 67"), "queues.hardware": (8, "RTAS'24: x86_64"),
                            "queues.priorities": (2, "RTAS'20 III-B"), "cache.l2": (5767168, "deviceQuery")}),
    "h200": ("9.0", {"sm.count": (132, "[SILICON]"), "queues.priorities": (6, "[SILICON] 9: 0 to -5"),
                     "dispatch.nonempty-sms": (66, "[A-WC-G]"), "dispatch.delay": (10100, "doc/silicon.md, An H100 and an H200: that of the H100"),
                     "dispatch.stall": (17500, "doc/silicon.md, One script for a board: 17.44 us"),
                     "partition.unit": (8, "doc/silicon.md: Partitions of SMs")}),
    "h100": ("9.0", {"sm.count": (132, "deviceQuery"), "queues.priorities": (6, "deviceQuery"), "dispatch.nonempty-sms": (66, "as h200; 132 seen"),
                     "dispatch.delay": (10100, "doc/silicon.md, Two more H100s: 10.08 us"), "dispatch.stall": (17400, "doc/silicon.md: 17.38 us"),
                     "partition.unit": (8, "doc/silicon.md, Two H100s")}),
}

PLACEMENT = {
    "fermi": ("quadro-6000", "tesla-c2070", "gtx-480"),  # Pai 1
    "most-room": ("gtx-850m", "jetson-tx1", "jetson-tx2", "jetson-xavier-nx", "jetson-agx-xavier", "titan-v", "drive-agx-pegasus", "rtx-2080-ti"),
    "hopper": ("h200", "h100"),  # [HOPPER]; doc/silicon.md, Two H100s
}
KB = 1024
CARVEOUTS = {  # header of CUDA 12.6; h200: [HOPPER] P5
    "titan-v": [0, 8, 16, 32, 64, 96], "drive-agx-pegasus": [32, 64], "rtx-2080-ti": [32, 64],
    "jetson-orin-nano": [0, 8, 16, 32, 64, 100, 132, 164], "jetson-orin-nx": [0, 8, 16, 32, 64, 100, 132, 164],
    "jetson-agx-orin": [0, 8, 16, 32, 64, 100, 132, 164], "h200": [8, 16, 32, 64, 100, 132, 164, 196, 228],
    "jetson-thor": [0, 8, 16, 32, 64, 100, 132, 164, 196, 228],  # guide of CUDA 13, table 32
}
GPCS = {
    "quadro-6000": [{0, 4, 8, 12}, {1, 5, 9}, {2, 6, 10}, {3, 7, 11, 13}],  # Pai 2
    "jetson-agx-xavier": [{0, 1}, {2, 3}, {4, 5}, {6, 7}],  # RTAS'20 V-B
    "h200": [  # [SILICON] 1
        {0, 1, 16, 17, 32, 33, 48, 49}, {2, 3, 18, 19, 34, 35, 50, 51, 64, 65, 78, 79, 92, 93, 106, 107},
        {4, 5, 20, 21, 36, 37, 52, 53, 66, 67, 80, 81, 94, 95, 108, 109}, {6, 7, 22, 23, 38, 39, 54, 55, 68, 69, 82, 83, 96, 97, 110, 111},
        {8, 9, 24, 25, 40, 41, 56, 57, 70, 71, 84, 85, 98, 99, 112, 113}, {10, 11, 26, 27, 42, 43, 58, 59, 72, 73, 86, 87, 100, 101, 114, 115},
        {12, 13, 28, 29, 44, 45, 60, 61, 74, 75, 88, 89, 102, 103, 116, 117, 120, 121},
        {14, 15, 30, 31, 46, 47, 62, 63, 76, 77, 90, 91, 104, 105, 118, 119, 122, 123},
        {124, 125, 126, 127}, {128, 129, 130, 131}],  # the two groups of single TPCs: [HOPPER] P10
}
ORDERS = {  # RTAS'20 III-C; Gilman for the 2080 Ti; [HOPPER] P2 for the H200
    "jetson-tx2": [0, 1], "jetson-agx-xavier": [0, 2, 4, 6, 1, 3, 5, 7],
    "drive-agx-pegasus": [*range(0, 44, 2), *range(1, 44, 2)], "rtx-2080-ti": [*range(0, 67, 2), *range(1, 68, 2)],
    "h200": [124, 126, 128, 130, 125, 127, 129, 131, *range(0, 123, 2), *range(1, 124, 2)],
}
for table in (CARVEOUTS, GPCS, ORDERS):  # both boards came out as the H200: silicon/calibrate.py
    table["h100"] = table["h200"]
ENGINES = {  # copy-runlist, preemption, concurrent-kernels, per-sm-carveout; then the engine of each direction
    "jetson-tx1": (None, "block", None, None, {}),  # RTSS'17
    "jetson-tx2": ("shared", "instruction", "yes", "no", {"h2d": "0", "d2h": "0", "memset": "0"}),  # RTSS'17, RTAS'24, RTAS'20 V-A
    "jetson-xavier-nx": (None, "instruction", None, None, {}),
    "jetson-agx-xavier": ("own", "instruction", "yes", "no", {"h2d": "0", "d2h": "0", "memset": "0"}),  # RTAS'24, RTAS'20 III-C2
    "jetson-agx-orin": ("own", "instruction", None, None, {}),  # RTAS'24
    "jetson-thor": (None, "instruction", None, None, {}),
    "titan-v": (None, "instruction", None, None, {}),
    "drive-agx-pegasus": (None, "instruction", None, None, {}),
    "rtx-2080-ti": (None, "instruction", None, None, {}),
    "h200": ("unknown", None, "yes", "yes", {"d2d": "compute", "memset": "compute"}),  # [SILICON] 7, [HOPPER] P5
    "h100": ("own", "instruction", "yes", "yes", {"h2d": "0", "d2h": "1", "d2d": "compute", "memset": "compute"}),  # doc/silicon.md, Two H100s
}
FACTORS = {  # victim, footprint, source, count, factor
    "jetson-tx2": [("any", "50MB", "h2d", None, "3"), ("any", "50MB", "d2h", None, "3"), ("any", "50MB", "d2d", None, "3"),
                   ("any", "50MB", "memset", None, "8")],  # RTAS'20 V-A: "almost 3x", "almost 8x", 50MB
    "jetson-agx-xavier": [("any", None, "gpc", "1", "10")],  # RTAS'20 V-B: "up to 10x"
}
STATUS = {
    "gtx-850m": {"A-PRIO": "assumed"},
    "jetson-tx1": {"A-PRIO": "assumed", "A-EXCL": "assumed"},
    "jetson-tx2": {"A-HOL": "assumed", "A-PRIO": "assumed", "A-WC": "assumed", "A-CE": "assumed", "A-RUNLIST": "assumed", "A-EXCL": "assumed"},
    "jetson-xavier-nx": {"A-PRIO": "assumed", "A-RUNLIST": "assumed", "A-EXCL": "assumed"},
    "jetson-agx-xavier": {"A-HOL": "assumed", "A-PRIO": "assumed", "A-RUNLIST": "assumed", "A-EXCL": "assumed"},
    "jetson-orin-nano": {"A-RUNLIST": "assumed"},
    "jetson-agx-orin": {"A-EXCL": "assumed"},
    "titan-v": {"A-HOL": "assumed", "A-PRIO": "assumed", "A-EXCL": "assumed"},
    "drive-agx-pegasus": {"A-HOL": "assumed", "A-PRIO": "assumed", "A-RUNLIST": "assumed", "A-EXCL": "assumed"},
    "rtx-2080-ti": {"A-HOL": "assumed", "A-PRIO": "assumed", "A-EXCL": "assumed"},
    "h200": {"A-QUEUE": "assumed", "A-MPS-ORDER": "broken", "A-HOL": "broken", "A-PRIO": "broken", "A-WC": "broken", "A-ORDER": "assumed", "A-WC(g)": "assumed", "A-FIT": "broken", "A-CE": "broken", "A-FRAG": "broken", "A-FRAG-REGISTERS": "assumed", "A-ISO": "assumed",
             "A-RATE": "assumed", "A-SM": "holds", "A-STRESS": "assumed", "A-COMPOSE": "assumed", "A-PARTITION": "assumed"},  # [SILICON] 10 to 12
}
STATUS["h100"] = {**STATUS["h200"], "A-EXCL": "assumed", "A-RUNLIST": "assumed", "A-PENDING": "assumed"}  # doc/silicon.md, Two H100s


def load(name):
    return ElementTree.parse(ROOT / "models" / (name + ".xml")).getroot()


def base(text):
    number, unit = re.fullmatch(r"([0-9.]+)([A-Za-z]*)", text).groups()
    return Fraction(number) * UNITS[unit]


def numbers(text):
    return [int(word) for word in text.split()]


class Models(unittest.TestCase):
    def test_files(self):
        self.assertEqual({path.stem for path in (ROOT / "models").glob("*.xml")}, set(MODELS))

    def test_schema(self):
        xmllint = shutil.which("xmllint")
        if xmllint is None:
            self.skipTest("xmllint is not installed")
        files = sorted((ROOT / "models").glob("*.xml"))
        result = subprocess.run([xmllint, "--noout", "--schema", ROOT / "schema" / "platform-1.xsd", *files], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_parameters(self):
        """All of them, and no other."""
        for name, (cc, more) in MODELS.items():
            root = load(name)
            self.assertEqual(root.get("compute-capability"), cc, name)
            wanted = {parameter: value for parameter, (value, where) in {**LIMITS[cc], **more}.items()}
            found = {p.get("name"): base(p.get("value")) for p in root.iter(NS + "parameter")}
            self.assertEqual(found, wanted, name)

    def test_integrated(self):
        for name in MODELS:
            self.assertEqual(load(name).get("integrated"), "true" if name.startswith("jetson") else "false", name)

    def test_sources(self):
        """Every number names one of the file's sources, and each source is there for something."""
        for name in MODELS:
            root = load(name)
            listed = {source.get("id"): source for source in root.iter(NS + "source")}
            used = {element.get("source") for element in root.iter() if element.get("source")}
            self.assertEqual(used | {"capability"}, set(listed), name)
            self.assertTrue(all(len(source.text) > 20 for source in listed.values()), name)

    def test_carveouts(self):
        for name in MODELS:
            element = load(name).find(NS + "carveouts")
            found = None if element is None else [base(word) / KB for word in element.text.split()]
            self.assertEqual(found, CARVEOUTS.get(name), name)

    def test_maps(self):
        for name in MODELS:
            gpcs = list(load(name).iter(NS + "gpc"))
            found = [{sm for tpc in gpc for sm in numbers(tpc.text)} for gpc in gpcs]
            self.assertEqual(found, GPCS.get(name, []), name)
            self.assertEqual([gpc.get("id") for gpc in gpcs], [str(i) for i in range(len(gpcs))], name)

    def test_h200_map(self):
        """A partition of the 132 SMs into pairs {2k, 2k+1}; ring 1 is that of the single TPCs."""
        root = load("h200")
        tpcs = [numbers(tpc.text) for tpc in root.iter(NS + "tpc")]
        self.assertEqual(sorted(tpcs), [[2 * k, 2 * k + 1] for k in range(66)])
        self.assertEqual([gpc.get("ring") for gpc in root.iter(NS + "gpc")], ["0"] * 8 + ["1"] * 2)

    def test_orders(self):
        for name in MODELS:
            root = load(name)
            element = root.find(NS + "order")
            self.assertEqual(None if element is None else numbers(element.text), ORDERS.get(name), name)
            if element is not None:
                self.assertEqual(sorted(ORDERS[name]), list(range(MODELS[name][1]["sm.count"][0])), name)

    def test_placement(self):
        policies = {name: policy for policy, names in PLACEMENT.items() for name in names}
        for name in MODELS:
            element = load(name).find(NS + "placement")
            self.assertEqual(None if element is None else element.get("policy"), policies.get(name), name)

    def test_engines(self):
        for name in MODELS:
            element = load(name).find(NS + "engines")
            found = None
            if element is not None:
                attributes = [element.get(key) for key in ("copy-runlist", "preemption", "concurrent-kernels", "per-sm-carveout")]
                found = (*attributes, {d.get("name"): d.get("engine") for d in element})
            self.assertEqual(found, ENGINES.get(name), name)

    def test_assumptions(self):
        for name in MODELS:
            elements = list(load(name).iter(NS + "assumption"))
            self.assertEqual({e.get("id"): e.get("status") for e in elements}, STATUS.get(name, {}), name)
            self.assertTrue(all(len(e.text) > 20 for e in elements), name)

    def test_factors(self):
        for name in MODELS:
            if name in ("h200", "h100"):
                continue  # silicon/interference_table.py and silicon/calibrate.py compute them
            found = [tuple(f.get(key) for key in ("victim", "footprint", "from", "count", "value")) for f in load(name).iter(NS + "factor")]
            self.assertEqual(found, FACTORS.get(name, []), name)

    def test_h200_factors(self):
        """The figures that [SILICON] 6 prints are not above those of the table."""
        factors = {(f.get("victim"), f.get("footprint"), f.get("from"), f.get("count")): Fraction(f.get("value")) for f in load("h200").iter(NS + "factor")}
        self.assertGreaterEqual(factors["read", "8MiB", "gpc", "17"], Fraction("2.7"))
        self.assertGreaterEqual(factors["read", "1MiB", "out", "130"], Fraction("7.5"))
        self.assertGreaterEqual(max(value for key, value in factors.items() if key[2] in ("d2d", "memset")), Fraction("9.5"))
        self.assertTrue(all(value >= 1 for value in factors.values()))
        self.assertFalse([key for key in factors if key[0] == "compute" and key[2] in ("tpc", "gpc", "out", "sm")])  # not measured

    def test_integrated_have_no_cpu_factor(self):
        for name in MODELS:
            self.assertNotIn("cpu", [f.get("from") for f in load(name).iter(NS + "factor")], name)

    def test_gtx_480(self):
        """The source does not say which GPC is short, and the file says so."""
        note = next(p for p in load("gtx-480").iter(NS + "parameter") if p.get("name") == "sm.count").get("note")
        self.assertRegex(note, "does not say which")

    def test_tx2_registers(self):
        note = next(p for p in load("jetson-tx2").iter(NS + "parameter") if p.get("name") == "block.registers").get("note")
        self.assertIn("65536", note)

    def test_pipelines(self):
        found = {name: [tuple(p.get(key) for key in ("class", "group", "lanes", "latency")) for p in load(name).iter(NS + "pipeline") if p.get("lanes")] for name in MODELS}
        # Fermi benchmark 4.1, 7.1: 32 and 16 lanes; tables 1 and 2: 18 cycles an operation (1,992,038 / 0.110518 for a million)
        self.assertEqual({k: v for k, v in found.items() if v}, {"gtx-580": [("fp32", "cuda", "32", "18"), ("int32", "cuda", "16", "18")]})

    def test_measured_pipelines(self):
        """(latency, occupancy), doc/silicon.md, What warps cost, Families and Stall counts, and whose the unit is."""
        expected = {"fp32": (6, 3, 1), "int32": (6, 5, 1), "wide": (10, 10, 1), "half": (10, 5, 1), "fp64": (11, 8, 1), "sfu": (20, 10, 1), "special": (34, 34, 1),
                    "convert": (19, 10, 1), "convert64": (20, 11, 1), "bits": (19, 10, 1), "vote": (16, 8, 1), "match": (371, 281, 0), "redux": (44, 12, 0),
                    "shuffle": (27, 2, 0), "shared": (24, 2, 0), "conflict": (5, 2, 0), "ldsm": (29, 2, 0), "hmma": (25, 17, 1), "imma": (25, 12, 1), "dmma": (82, 65, 1),
                    "branch": (16, 2, 1), "barrier": (16, 3, 0), "call": (56, 16, 0)}
        for name in MODELS:
            found = {p.get("class"): (int(p.get("latency")), int(p.get("occupancy")), p.get("per") == "partition") for p in load(name).iter(NS + "pipeline") if p.get("occupancy")}
            self.assertEqual(found, expected if name in ("h200", "h100") else {}, name)

    def test_divergence(self):
        keys = ("depth", "entries-a-spill", "cycles-a-divergence", "cycles-a-spill")
        found = {name: tuple(int(d.get(key)) for key in keys) for name in MODELS for d in load(name).iter(NS + "divergence")}
        # Divergence IV: stack of 16, four at a time; Kepler 32 and 84, Maxwell 26 and 176
        self.assertEqual(found, {"gtx-770": (16, 4, 32, 84), "gtx-850m": (16, 4, 26, 176), "h200": (32, 1, 19, 0), "h100": (32, 1, 19, 0),
                                 **{name: (32, 1, 19, 0) for name in ("jetson-agx-orin", "jetson-orin-nano", "jetson-orin-nx", "jetson-thor")}})
        for name in ("jetson-agx-orin", "jetson-orin-nano", "jetson-orin-nx", "jetson-thor"):  # nobody measured these chips
            self.assertIn("Not measured on this chip", " ".join(source.text for source in load(name).iter(NS + "source")))


if __name__ == "__main__":
    unittest.main()
