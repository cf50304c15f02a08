"""Sectors and passes that gpubound wcet finds from addresses: worked by hand, and drawn ones counted here, lane by lane, at every place.

usage: accesses.py GPUBOUND [CASES [SEED [PLANTED PLANT]]]

PLANTED is tests/wcet_planted of a testing build: then the faulty analysis is asked, and has to be found out.
"""
import hashlib
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import cubin as binaries

from forged import mended

GPUBOUND = sys.argv[1]
CASES, SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 120, int(sys.argv[3]) if len(sys.argv) > 3 else 1
PLANTED = sys.argv[4:6]
SPACE = "{urn:gpubound:wcet:1}"
CLASSES = "rare int32 load store branch constant uniform special wide shared conflict sector atomic"
COSTS = "".join(f'<cost class="{name}" latency="20" occupancy="4" source="x" by="x"/>' for name in CLASSES.split())
TASKSET = """<taskset xmlns="urn:gpubound:taskset:1" id="t" platform="h200" origin="o"><origins><origin id="o" kind="declared" source="x" by="x"/></origins>
<declare name="clock.sm" value="1300MHz" source="x" by="x"/><declare name="overhead.launch" value="10us" source="x" by="x"/>
<declare name="overhead.block" value="1us" source="x" by="x"/><declare name="overhead.dependency" value="10us" source="x" by="x"/>
<declare name="concurrent-kernels" value="yes" source="x" by="x"/><interference from="all" victim="any" value="3" source="x" by="x"/>
<application id="a"><stream id="s0" kind="non-blocking"/></application>
<task id="k" period="2000s" deadline="2000s"><kernel id="k" stream="s0" scope="block" grid="16" block="{shape}" registers="32"><program file="a.xml"/></kernel></task>
</taskset>"""
ODD = ("LOP3.LUT R9, R0, 0x1, RZ, 0xc0, !PT", "ISETP.NE.AND P0, PT, R9, RZ, PT")
# threads, code before the access, the access: its sectors or passes at most
BY_HAND = [
    ("64", ["S2R R0, SR_TID.X", "IMAD.SHL.U32 R1, R0, 0x4, RZ"], "LDS R2, [R1]", 1),
    ("64", ["S2R R0, SR_TID.X", "IMAD.SHL.U32 R1, R0, 0x8, RZ"], "LDS R2, [R1]", 2),
    ("64", ["S2R R0, SR_TID.X", "IMAD.SHL.U32 R1, R0, 0x80, RZ"], "STS [R1+0x40], R2", 32),
    ("64", ["S2R R0, SR_TID.X", "IMAD R1, R0, 0x84, RZ"], "LDS R2, [R1]", 1),  # rows of 33 words
    ("64", ["S2R R0, SR_TID.X", "IMAD.SHL.U32 R1, R0, 0x10, RZ"], "LDS.128 R4, [R1]", 4),
    ("64", ["S2R R0, SR_TID.X"], "LDS R2, [R0.X4+0x10]", 1),
    ("64", ["S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0x1f, RZ, 0xc0, !PT", "SHF.L.U32 R1, R1, 0x2, RZ"], "LDS R2, [R1]", 1),
    ("64", ["S2R R0, SR_TID.X", "SHF.R.U32.HI R1, RZ, 0x5, R0", "LEA R1, R1, UR4, 0x2"], "LDS R2, [R1]", 1),  # one word a warp
    ("64", ["S2R R0, SR_TID.X", "LDC.64 R2, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x4, R2"], "LDG.E R4, desc[UR4][R2.64]", 5),  # wherever the array begins
    ("64", ["S2R R0, SR_TID.X", "LDC.64 R2, c[0x0][0x210]", "IMAD.WIDE.U32 R2, R0, 0x10, R2"], "LDG.E.128 R4, desc[UR4][R2.64]", 17),
    ("64", ["S2R R0, SR_TID.X", "LDC.64 R2, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x80, R2"], "STG.E desc[UR4][R2.64], R4", 32),
    ("64", ["S2R R0, SR_CTAID.X", "LDC.64 R2, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x4, R2"], "LDG.E R4, desc[UR4][R2.64]", 1),
    ("64", ["S2R R0, SR_TID.X", "LDC.64 R2, c[0x0][0x210]", "LEA R2, P0, R0, R2, 0x2", "LEA.HI.X R3, R0, R3, R5, 0x2, P0"], "LDG.E R4, desc[UR4][R2.64]", 5),
    # half a warp a row, whose pitch is an argument: of each row 64 bytes, wherever they begin
    ("16x16", ["S2R R0, SR_TID.Y", "S2R R1, SR_TID.X", "LDC R5, c[0x0][0x218]", "IMAD R0, R0, R5, R1", "LDC.64 R2, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x4, R2"],
     "LDG.E R4, desc[UR4][R2.64]", 6),
    ("16x16", ["S2R R0, SR_TID.Y", "S2R R1, SR_TID.X", "IMAD R0, R0, 0x10, R1", "SHF.L.U32 R0, R0, 0x2, RZ"], "LDS R4, [R0]", 1),
    ("16x16", ["S2R R0, SR_TID.Y", "IMAD R0, R0, 0x40, RZ"], "LDS R4, [R0]", 1),  # two words, in two banks
    ("48", ["S2R R0, SR_TID.X", "IMAD.SHL.U32 R1, R0, 0x4, RZ"], "LDS R2, [R1]", 1),
    ("24x4", ["S2R R0, SR_TID.X", "IMAD.SHL.U32 R1, R0, 0x4, RZ"], "LDS R2, [R1]", 3),  # rows end within warps, at another lane in each
    # nothing is known: loaded, under a predicate that lanes may have apart, of the other lanes
    ("64", ["S2R R0, SR_TID.X", "LDG.E R1, desc[UR4][R2.64]"], "LDS R2, [R1]", 32),
    ("64", ["S2R R0, SR_TID.X", "MOV R1, RZ", "ISETP.NE.AND P0, PT, R0, 0x5, PT", "@P0 IMAD.SHL.U32 R1, R0, 0x4, RZ"], "LDS R2, [R1]", 32),
    ("64", ["S2R R0, SR_CTAID.X", "MOV R1, 0x40", "ISETP.NE.AND P0, PT, R0, 0x5, PT", "@P0 IMAD R1, R0, 0x4, RZ"], "LDS R2, [R1]", 1),
    ("64", ["S2R R0, SR_TID.X", "IMAD R1, R0, R5, RZ"], "LDS R2, [R1]", 32),
    ("64", ["S2R R0, SR_TID.X", "MUFU.RCP R1, R0"], "LDS R2, [R1]", 32),
    ("64", ["LDC R1, c[0x0][0x28]"], "LDL R2, [R1+0x8]", 4),
    ("64", ["LDC R1, c[0x0][0x28]"], "STL.128 [R1], R4", 16),
    ("64", ["S2R R0, SR_TID.X", "SHF.L.U32 R0, R0, 0x2, RZ"], "LDL R2, [R0]", 32),
    # lanes whose address would be a fault are off: rows of 33 words, of which every other one begins at a multiple of 8; by a predicate, or they have ended
    ("33x3", ["S2R R0, SR_TID.X", *ODD, "LDC.64 R2, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x84, R2"], "@!P0 LDG.E.64 R4, desc[UR4][R2.64]", 17),
    ("33x3", ["S2R R0, SR_TID.X", *ODD, "LDC.64 R2, c[0x0][0x210]", "IMAD.WIDE R2, R0, 0x84, R2", "@P0 EXIT"], "LDG.E.64 R4, desc[UR4][R2.64]", 17),
    ("32", ["S2R R0, SR_TID.X", *ODD, "IMAD R1, R0, 0x84, RZ"], "@!P0 LDS.64 R4, [R1]", 2),
    ("32", ["S2R R0, SR_TID.X", "SHF.L.U32 R0, R0, 0x7, RZ", "IADD3 R1, R0, 0x4, RZ"], "@P0 LDS.64 R4, [R1]", 32),  # none is possible: nothing is claimed
    # the addend of a product's upper word is a pair, here (R4, R5)
    ("64", ["S2R R5, SR_TID.X", "MOV R4, RZ", "LDC R8, c[0x0][0x210]", "LDC R9, c[0x0][0x214]", "IMAD.HI.U32 R7, R8, R9, R4", "IMAD.SHL.U32 R7, R7, 0x80, RZ"],
     "LDS R2, [R7]", 32),
    ("64", ["S2R R9, SR_TID.X", "LDC R8, c[0x0][0x210]", "MOV R10, RZ", "IMAD.HI.U32 R7, R8, R10, RZ", "IMAD.SHL.U32 R7, R7, 0x80, RZ"], "LDS R2, [R7]", 1),
    # they may lead to local memory, where one address is that of 32 words; or to shared memory
    ("64", ["LDC.64 R2, c[0x0][0x210]"], "LD.E R4, desc[UR4][R2.64]", 32),
    ("64", ["LDC.64 R2, c[0x0][0x210]"], "LD.E.128 R4, desc[UR4][R2.64]", 128),
    ("64", ["LDC.64 R2, c[0x0][0x210]"], "ST.E.64 desc[UR4][R2.64], R4", 64),
    ("64", ["LDC.64 R2, c[0x0][0x210]"], "ATOM.E.ADD R4, desc[UR4][R2.64], R6", 32),
    # atomics on one word
    ("64", ["LDC.64 R2, c[0x0][0x210]"], "ATOMG.E.CAS R4, desc[UR4][R2.64], R6, R7", 32),
    ("64", ["LDC.64 R2, c[0x0][0x210]"], "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R6", 32),
]


def case(threads, lines, folder):
    """Writes a program of these instructions and EXIT."""
    code = "\tcode for sm_90\n\t\tFunction : f\n" + "\n".join(f"        /*{16 * i:04x}*/                   {text} ;" for i, text in enumerate((*lines, "EXIT"))) + "\n"
    binary = binaries.make(code, "f", 90)
    (folder / "a.sass").write_text(code)
    (folder / "a.cubin").write_bytes(binary)
    digests = [hashlib.sha256(content).hexdigest() for content in (code.encode(), binary)]
    (folder / "a.xml").write_text(
        f'<program xmlns="urn:gpubound:program:1" id="p" platform="h200" threads="{threads}" unlisted="divergent" slots="in-turn">{COSTS}\n<sass file="a.sass" '
        f'sha256="{digests[0]}" cubin="a.cubin" cubin-sha256="{digests[1]}" function="f"/>\n</program>\n')
    return folder / "a.xml"


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60)


def units(threads, lines):
    """Of the last access: what is claimed."""
    with tempfile.TemporaryDirectory() as name:
        path = case(threads, lines, pathlib.Path(name))
        if PLANTED:
            result = run(PLANTED[0], PLANTED[1], path, "--accesses")
            return int(result.stdout.split()[-1])
        result = run(GPUBOUND, "wcet", "--format=xml", path)
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return int(list(ElementTree.fromstring(result.stdout).iter(SPACE + "access"))[-1].get("units"))


def is_alone(report):
    """Is lane 0 a group of its own, of which nothing is known, where lanes are stated first? Then its offset says nothing."""
    aligned, groups = re.search(r'<lanes [^>]*aligned="(\d+)"[^>]*groups="([^"]*)"', report).groups()
    return aligned == "0" and groups.split().count("0") == 1


def counted(shared, addresses, width):
    """Sectors, or passes of as many lanes as 128 bytes serve; of those lanes whose address is no fault."""
    if not shared:
        return len({address // 32 for address in addresses if address % width == 0})
    total, served = 0, 32 if width <= 4 else 128 // width
    for first in range(0, 32, served):
        words = {address // 4 for address in addresses[first:first + served] if address % width == 0}
        total += max(sum(word % 32 == bank for word in words) for bank in range(32))
    return total


def draw(generator):
    """An address that is a sum of parts of the thread's place, and what it is in each lane; the rest is the same in the warp, a multiple of `step`."""
    width = generator.choice((1, 2, 4, 4, 4, 8, 16))
    step = generator.choice((width, width, max(width // 2, 1), max(width // 4, 1)))  # below the width some lanes fault, unless they are off
    lines, place, words = ["S2R R0, SR_TID.X", "MOV R1, RZ"], [*range(32)], [0] * 32
    for _ in range(generator.randrange(1, 4)):
        kind, number = generator.randrange(5), generator.randrange(1, 9)
        if kind == 0:  # some bits of the lane
            part, text = [lane & number for lane in place], [f"LOP3.LUT R2, R0, {number:#x}, RZ, 0xc0, !PT"]
        elif kind == 1:
            part, text = [(lane & 31) >> (number % 5) for lane in place], ["LOP3.LUT R2, R0, 0x1f, RZ, 0xc0, !PT", f"SHF.R.U32.HI R2, RZ, {number % 5:#x}, R2"]
        elif kind == 2:
            part, text = [(lane & 31) ^ number for lane in place], ["LOP3.LUT R2, R0, 0x1f, RZ, 0xc0, !PT", f"LOP3.LUT R2, R2, {number:#x}, RZ, 0x3c, !PT"]
        elif kind == 3:
            part, text = [-lane for lane in place], ["IADD3 R2, -R0, RZ, RZ"]
        else:
            part, text = place, ["MOV R2, R0"]
        factor = step * generator.choice((1, 1, 2, 3, 4, 8, 16, 33, 64))
        lines += [*text, f"IMAD R1, R2, {factor:#x}, R1"]
        words = [word + one * factor for word, one in zip(words, part)]
    lines.append(f"LEA R1, UR4, R1, {step.bit_length() - 1:#x}")
    return width, step, lines, words


class Accesses(unittest.TestCase):
    def test_by_hand(self):
        for threads, lines, access, expected in BY_HAND:
            with self.subTest(lines=lines, access=access):
                self.assertEqual(units(threads, [*lines, access]), expected)

    def test_drawn(self):
        """What is claimed is the most that any place of the warp's common part needs, where the machine allows that place."""
        generator = random.Random(SEED)
        for _ in range(CASES):
            width, step, lines, words = draw(generator)
            shared = generator.random() < 0.5
            suffix = {1: ".U8", 2: ".U16", 4: "", 8: ".64", 16: ".128"}[width]
            access = f"LDS{suffix} R4, [R1]" if shared else f"LDG.E{suffix} R4, desc[UR6][R1.64]"
            most = max(counted(shared, [(1 << 20) + base * step + word for word in words], width) for base in range(128 // step))
            claimed = units("128", [*lines, access])
            self.assertGreaterEqual(claimed, most, (lines, access))
            self.assertLessEqual(claimed, most, (lines, access))

    @unittest.skipIf(PLANTED, "the faulty analysis writes no report")
    def test_verified(self):
        """verify derives the same, and finds each statement and each number that is changed."""
        for threads, lines, access, _ in BY_HAND[::3]:
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                case(threads, [*lines, access], folder)
                (folder / "t.xml").write_text(TASKSET.format(shape=threads))
                analysed = run(GPUBOUND, "analyze", "--quiet", "-o", folder / "r.xml", folder / "t.xml")
                self.assertEqual(analysed.stderr, "", lines)
                self.assertEqual(run(GPUBOUND, "verify", folder / "r.xml").returncode, 0, lines)
                report = (folder / "r.xml").read_text()
                for old, new in ((' units="', ' units="1'), (' offsets="0 ', ' offsets="1 '), (' aligned="', ' aligned="3'), (' groups="0 1 ', ' groups="0 0 ')):
                    if old not in report or ("offsets" in new and is_alone(report)):
                        continue
                    (folder / "r.xml").write_text(mended(report.replace(old, new, 1)))
                    said = run(GPUBOUND, "verify", "--without-prose", folder / "r.xml").stderr
                    self.assertRegex(said, "an access to memory.*not-reproduced" if "units" in new else "words of lanes: .*not-reproduced", (lines, new))

    @unittest.skipIf(PLANTED, "the faulty analysis writes no report")
    def test_assumed(self):
        """Where sectors are charged, the bound and the report say that addresses of 64 bits are followed by their lower words, and verify asks for it."""
        claim = "what the threads of a warp access at once in global memory lies within 4 GiB"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            case("128", ["S2R R0, SR_TID.X", "LEA R1, R0, R2, 0x2", "LDG.E R4, desc[UR6][R1.64]"], folder)
            self.assertIn(claim, " ".join(run(GPUBOUND, "wcet", folder / "a.xml").stdout.split()))
            (folder / "t.xml").write_text(TASKSET.format(shape="128"))
            run(GPUBOUND, "analyze", "--quiet", "-o", folder / "r.xml", folder / "t.xml")
            report = (folder / "r.xml").read_text()
            self.assertEqual((report.count(claim), run(GPUBOUND, "verify", folder / "r.xml").returncode), (1, 0))
            without = re.sub(rf" *<claim [^>]*>{claim}[^<]*</claim>\n", "", report)
            for forged in (without, report.replace("4 GiB", "8 GiB")):
                self.assertNotEqual(forged, report)
                (folder / "r.xml").write_text(mended(forged))
                self.assertIn("4 GiB", run(GPUBOUND, "verify", "--without-prose", folder / "r.xml").stderr)
            program = (folder / "a.xml").read_text()
            (folder / "a.xml").write_text(re.sub(r'<cost class="sector"[^>]*/>', "", program))
            self.assertNotIn("4 GiB", run(GPUBOUND, "wcet", folder / "a.xml").stdout)

    @unittest.skipIf(PLANTED, "the faulty analysis says nothing else")
    def test_constants(self):
        """Code that reads variables in constant memory rests on that nobody writes them meanwhile; arguments are nobody's to write."""
        for operand, printed in (("c[0x0][0x210]", False), ("c[0x3][0x0]", True), ("c[0x3][R0]", True)):
            with self.subTest(operand), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                case("128", ["MOV R0, RZ", f"LDC R3, {operand}", "LDG.E R4, desc[UR6][R8.64]"], folder)
                said = run(GPUBOUND, "wcet", folder / "a.xml").stdout
                self.assertEqual("nobody writes constant memory while the kernel runs" in said, printed, said)


if __name__ == "__main__":
    if PLANTED:  # found out: a test fails
        result = unittest.TextTestRunner(stream=open("/dev/null", "w")).run(unittest.defaultTestLoader.loadTestsFromTestCase(Accesses))
        sys.exit(0 if not result.wasSuccessful() else "the planted fault was not found")
    unittest.main(argv=sys.argv[:1])
