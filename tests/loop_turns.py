"""Bounds of loops that gpubound wcet finds in code: worked by hand, and drawn loops executed here, instruction by instruction, as the manual says.

usage: loop_turns.py GPUBOUND [SYSTEMS [SEED [PLANTED PLANT]]]

PLANTED is tests/wcet_planted of a testing build: then the faulty analysis is asked, and has to be found out.
"""
import functools
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

import served
from forged import mended

ROOT = pathlib.Path(__file__).resolve().parent.parent
GPUBOUND = sys.argv[1]
PROGRAM = served.Program(GPUBOUND)
SYSTEMS, SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 150, int(sys.argv[3]) if len(sys.argv) > 3 else 1
PLANTED = sys.argv[4:6]
CLASSES = "int32 load store branch constant uniform special bits wide call rare reconverge barrier shared texture half"
COSTS = "".join(f'<cost class="{name}" latency="20" occupancy="4" source="x" by="x"/>' for name in CLASSES.split())
WORD, STEPS = 1 << 32, 20000
ARGUMENT, ARGUMENTS = 0x220, (3, 100)  # an argument and from where to where it may be declared to be


TASKSET = """<taskset xmlns="urn:gpubound:taskset:1" id="t" platform="h200" origin="o"><origins><origin id="o" kind="declared" source="x" by="x"/></origins>
<declare name="clock.sm" value="1300MHz" source="x" by="x"/><declare name="overhead.launch" value="10us" source="x" by="x"/>
<declare name="overhead.block" value="1us" source="x" by="x"/><declare name="overhead.dependency" value="10us" source="x" by="x"/>
<declare name="concurrent-kernels" value="yes" source="x" by="x"/><interference from="all" victim="any" value="3" source="x" by="x"/>
<application id="a"><stream id="s0" kind="non-blocking"/></application>
<task id="k" period="2000s" deadline="2000s"><kernel id="k" stream="s0" scope="block" grid="16" block="64" registers="32"><program file="a.xml"/></kernel></task>
</taskset>"""


def listing(lines):
    """Instructions, 16 bytes apart; a line that ends with a colon is a label, by whose name branches go there. Lines of the source stay."""
    labels, code = {}, []
    for line in lines:
        if line.endswith(":"):
            labels[line[:-1]] = 16 * sum(not one.startswith("//") for one in code)
        else:
            code.append(line)
    return [re.sub(r"\b(L\w*)$", lambda name: f"{labels[name[1]]:#x}", line) for line in code]


def argument(offset=ARGUMENT, least=ARGUMENTS[0], most=ARGUMENTS[1]):
    return f'<argument offset="{offset:#x}" at-least="{least}" at-most="{most}" source="x" by="x"/>'


def write(root, lines, words):
    """a.xml, the program, with its files."""
    sass, count = "\tcode for sm_90\n\t\tFunction : f\n", 0
    for line in listing(lines):
        sass += f"\t{line}\n" if line.startswith("//") else f"        /*{16 * count:04x}*/    {line} ;\n"
        count += not line.startswith("//")
    sass += "\t\t..........\n"
    binary = binaries.make(sass, "f", 90)
    digests = [hashlib.sha256(content).hexdigest() for content in (sass.encode(), binary)]
    (root / "a.sass").write_text(sass)
    (root / "a.cubin").write_bytes(binary)
    (root / "a.xml").write_text(
        f'<program xmlns="urn:gpubound:program:1" id="p" platform="h200" threads="64" unlisted="uniform" slots="in-turn">{COSTS}<sass file="a.sass" sha256="{digests[0]}" '
        f'cubin="a.cubin" cubin-sha256="{digests[1]}" function="f"/>{words}</program>')


def run(lines, words=argument(), nests=None):
    """{header: bound} of all loops, or None: one has no bound; what the command said. nests gets {header: (of the loop around it, in all turns of that)}."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        write(root, lines, words)
        command = [PLANTED[0], PLANTED[1], root / "a.xml"] if PLANTED else [GPUBOUND, "wcet", "--format=xml", root / "a.xml"]
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
    if result.returncode == 3 and re.search(r"\[(loop-unbounded|program-too-long)\]", result.stderr):
        return None, result.stderr
    assert result.returncode == 0, result.stderr + "\n".join(lines)
    if PLANTED:
        found = re.findall(r"(?m)^b(\w+) (\d+)(?: b(\w+) (\d+))?$", result.stdout)
        (nests if nests is not None else {}).update((int(header, 16), (int(within, 16), int(in_all))) for header, _, within, in_all in found if within)
        return {int(header, 16): int(bound) for header, bound, *_ in found}, ""
    loops = list(ElementTree.fromstring(result.stdout).iter("{urn:gpubound:wcet:1}loop"))
    (nests if nests is not None else {}).update((int(loop.get("header")[1:], 16), (int(loop.get("within")[1:], 16), int(loop.get("in-all")))) for loop in loops if loop.get("within"))
    return {int(loop.get("header")[1:], 16): int(loop.get("bound")) for loop in loops}, result.stdout


UP_TO_100 = ["VIADD R5, R9, 0xfffffffc", "ISETP.GT.U32.AND P1, PT, R5, 0x60, PT", "@P1 BRA Lout"]  # R9 is from 4 on

# ---- worked by hand: what is before the loop, the loop from its header on, the bound; None: there is none
BY_HAND = {
    "up": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], 9),
    "down": (["MOV R2, 0x64"], ["L:", "VIADD R2, R2, 0xfffffff0", "ISETP.GT.AND P0, PT, R2, 0xc, PT", "@P0 BRA L"], 5),
    "tested first": (["MOV R2, RZ"], ["L:", "ISETP.GE.AND P0, PT, R2, 0xa, PT", "@P0 BRA Lout", "IADD3 R2, R2, 0x3, RZ", "BRA L", "Lout:"], 4),
    "argument": (["MOV R2, RZ", "ULDC UR4, c[0x0][0x220]"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.GE.AND P0, PT, R2, UR4, PT", "@!P0 BRA L"], 99),
    "thread": (["S2R R2, SR_TID.X"], ["L:", "IADD3 R2, R2, 0x40, RZ", "ISETP.LT.U32.AND P0, PT, R2, 0x400, PT", "@P0 BRA L"], 15),
    "blocks": (["S2R R2, SR_TID.X", "LDC R3, c[0x0][0x0]"], ["L:", "IADD3 R2, R2, R3, RZ", "ISETP.LT.U32.AND P0, PT, R2, 0x400, PT", "@P0 BRA L"], 15),
    "moved": (["MOV R2, RZ"], ["L:", "IADD3 R3, R2, 0x1, RZ", "IMAD.MOV.U32 R2, RZ, RZ, R3", "ISETP.NE.AND P0, PT, R3, 0x20, PT", "@P0 BRA L"], 31),
    "uniform": (["UMOV UR4, URZ"], ["L:", "UIADD3 UR4, UR4, 0x1, URZ", "UISETP.GE.U32.AND UP0, UPT, UR4, 0x8, UPT",
                                    "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0", "@!P0 BRA L"], 7),
    "halved": (["MOV R2, 0x20"], ["L:", "LEA.HI R6, R2, R2, RZ, 0x1", "ISETP.GT.AND P0, PT, R2, 0x3, PT", "SHF.R.S32.HI R2, RZ, 0x1, R6", "@P0 BRA L"], 4),
    "shifted": (["LDG.E R2, desc[UR4][R8.64]"], ["L:", "SHF.R.U32.HI R2, RZ, 0x1, R2", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L"], 32),
    "doubled": (["MOV R2, 0x1"], ["L:", "IMAD.SHL.U32 R2, R2, 0x2, RZ", "ISETP.LT.U32.AND P0, PT, R2, 0x40, PT", "@P0 BRA L"], 6),
    "doubled zero": (["MOV R2, RZ"], ["L:", "IMAD.SHL.U32 R2, R2, 0x2, RZ", "ISETP.LT.U32.AND P0, PT, R2, 0x40, PT", "@P0 BRA L"], None),
    "doubled, its greatest word": (["LDG.E R2, desc[UR4][R8.64]", "IMNMX.U32 R2, R2, 0x1, !PT"],  # 2^31 becomes 0: for ever
                                   ["L:", "IMAD.SHL.U32 R2, R2, 0x2, RZ", "ISETP.LT.U32.AND P0, PT, R2, 0x64, PT", "@P0 BRA L"], None),
    "doubled behind the test": (["LDG.E R2, desc[UR4][R8.64]", "IMNMX.U32 R2, R2, 0x1, !PT"],
                                ["L:", "ISETP.LT.U32.AND P0, PT, R2, 0x64, PT", "IMAD.SHL.U32 R2, R2, 0x2, RZ", "@P0 BRA L"], 7),
    "entered twice": (["MOV R2, RZ", "LDG.E R5, desc[UR4][R8.64]", "ISETP.NE.AND P1, PT, R5, RZ, PT", "@P1 BRA Lother"],  # each way over Lother begins anew
                      ["L:", "IADD3 R2, R2, 0x1, RZ", "LDG.E R5, desc[UR4][R8.64]", "ISETP.NE.AND P1, PT, R5, RZ, PT", "@P1 BRA Lother",
                       "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L", "EXIT", "Lother:", "MOV R2, RZ", "LDG.E R5, desc[UR4][R8.64]",
                       "ISETP.NE.AND P1, PT, R5, RZ, PT", "@P1 BRA L"], None),
    "dividing": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x3, RZ", "ISETP.NE.AND P0, PT, R2, 0x9, PT", "@P0 BRA L"], 2),
    "not dividing": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x3, RZ", "ISETP.NE.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], None),
    "past the limit": (["MOV R2, 0xa"], ["L:", "IADD3 R2, R2, 0x2, RZ", "ISETP.NE.AND P0, PT, R2, 0x9, PT", "@P0 BRA L"], None),
    "never again": (["MOV R5, 0x3"], ["L:", "ISETP.GT.AND P3, PT, R3, RZ, PT", "@!P3 BRA Lout", "VIADD R5, R5, 0x20000000", "ISETP.LT.U32.AND P0, PT, R5, 0x2, PT", "LDG.E R9, desc[UR8][R10.64]",  # none below 2 leaves 3
                                      "ISETP.NE.AND P4, PT, R9, RZ, PT", "@P4 BRA Lover", "VIADD R6, R6, 0x1", "Lover:", "@P0 BRA L", "Lout:"], 0),
    "left by a call": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x3, RZ", "ISETP.GE.AND P0, PT, R2, 0xa, PT", "@P0 CALL.REL.NOINC Lout", "BRA L", "Lout:"], 3),
    "left by a call, where it is less": (["MOV R2, 0x64"], ["L:", "IADD3 R2, R2, 0x3, RZ", "ISETP.GE.AND P0, PT, R2, 0xa, PT", "@!P0 CALL.REL.NOINC Lout", "BRA L", "Lout:"],
                                         None),
    **{f"a word less another, {name}": (["LDG.E R2, desc[UR8][R10.64]", "MOV R7, 0x64", *before, f"ISETP.{relation} P1, PT, R6, {limit}, PT", *behind, "@P1 BRA Lout"],
                                        ["L:", "VIADD R2, R2, 0xffffffff", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L", "Lout:"], bound)
       for name, before, relation, limit, behind, bound in (
           ("tested", ["IADD3 R6, -R2, 0x40, RZ"], "GT.U32.AND", "0x30", [], 63), ("a sum", ["IADD3 R6, R2, 0xffffffff, RZ"], "GT.U32.AND", "0x30", [], 48),
           ("inverted", ["IADD3 R6, ~R2, 0x41, RZ"], "GT.U32.AND", "0x30", [], 63), ("with 0", ["IADD3 R6, -R2, 0x40, RZ"], "GT.U32.AND", "0x40", [], None),
           ("twice turned", ["IADD3 R5, -R2, 0x40, RZ", "IADD3 R6, -R5, 0x8, RZ"], "GE.U32.AND", "0x10", [], 70),
           ("twice turned, above 0", ["IADD3 R5, -R2, 0x40, RZ", "IADD3 R6, -R5, 0x3f, RZ"], "GE.U32.AND", "0x10", [], 15),
           ("a copy of it moved", ["IADD3 R6, -R2, 0x40, RZ", "IMAD.MOV.U32 R5, RZ, RZ, R6", "MOV R6, R5", "MOV R5, RZ"], "GT.U32.AND", "0x30", [], 63),
           ("written before", ["IADD3 R6, -R2, 0x40, RZ", "IMAD R2, R2, R7, RZ"], "GT.U32.AND", "0x30", [], None),
           ("moved before", ["IADD3 R6, -R2, 0x40, RZ", "VIADD R2, R2, 0xffffffff"], "GT.U32.AND", "0x30", [], None),
           ("written behind it", ["IADD3 R6, -R2, 0x40, RZ"], "GT.U32.AND", "0x30", ["LDG.E R2, desc[UR8][R10.64]"], None),
           ("written by some threads", ["IADD3 R6, -R2, 0x40, RZ"], "GT.U32.AND", "0x30", ["@P2 IMAD R2, R2, R7, RZ"], None),
           ("made by some threads", ["MOV R6, RZ", "@P2 IADD3 R6, -R2, 0x40, RZ"], "GT.U32.AND", "0x30", [], None),
           ("the other one written", ["IADD3 R6, -R2, 0x40, RZ"], "GT.U32.AND", "0x30", ["MOV R6, RZ"], 63),
           ("in another block", ["IADD3 R6, -R2, 0x40, RZ", "@P2 BRA Lother", "VIADD R7, R7, 0x1", "Lother:"], "GT.U32.AND", "0x30", [], None))},
    "remainder": (["LDC R9, c[0x0][0x220]", "LOP3.LUT R2, R9, 0x3, RZ, 0xc0, !PT", "ISETP.NE.AND P1, PT, R2, RZ, PT", "@!P1 BRA Lout"],
                  ["L:", "VIADD R2, R2, 0xffffffff", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L", "Lout:"], 2),
    "remainder zero": (["LDC R9, c[0x0][0x220]", "LOP3.LUT R2, R9, 0x3, RZ, 0xc0, !PT"],
                       ["L:", "VIADD R2, R2, 0xffffffff", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L"], None),
    **{f"remainder tested at once, {name}": (["LDC R9, c[0x0][0x220]", f"{guard}LOP3.LUT P1, {to}, R9, 0x3, RZ, 0xc0, {more}", f"{branch} BRA Lout"],
                                             ["L:", "VIADD R2, R2, 0xffffffff", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L", "Lout:"], bound)
       for name, guard, to, more, branch, bound in (("left where it is 0", "", "R2", "!PT", "@!P1", 2), ("left where it is not", "", "R2", "!PT", "@P1", None),
                                                    ("or a predicate", "", "R2", "P2", "@!P1", None), ("or always", "", "R2", "PT", "@!P1", None),
                                                    ("by some threads", "@P3 ", "R2", "!PT", "@!P1", None), ("of another", "", "R3", "!PT", "@!P1", None),
                                                    ("of nothing", "", "RZ", "!PT", "@!P1", None))},
    **{f"multiple, {name}": (["LDC R9, c[0x0][0x220]", *before, "ISETP.NE.AND P1, PT, R2, RZ, PT", "@!P1 BRA Lout"],
                             ["L:", f"VIADD R2, R2, {step}", f"ISETP.NE.AND P0, PT, R2, {limit}, PT", "@P0 BRA L", "Lout:"], bound)
       for name, before, step, limit, bound in (
           ("masked", ["LOP3.LUT R2, R9, 0xfffffffc, RZ, 0xc0, !PT"], "0xfffffffc", "RZ", 24),
           ("of more", ["LOP3.LUT R2, R9, 0xfffffff0, RZ, 0xc0, !PT"], "0xfffffffc", "RZ", 23),
           ("of less", ["LOP3.LUT R2, R9, 0xfffffffe, RZ, 0xc0, !PT"], "0xfffffffc", "RZ", None),
           ("negative", ["LOP3.LUT R2, R9, 0xfffffffc, RZ, 0xc0, !PT", "IADD3 R2, -R2, RZ, RZ"], "0x4", "RZ", 24),
           ("with a rest", ["LOP3.LUT R2, R9, 0xfffffffc, RZ, 0xc0, !PT", "VIADD R2, R2, 0x7"], "0xfffffffc", "0x3", 25),
           ("with another rest", ["LOP3.LUT R2, R9, 0xfffffffc, RZ, 0xc0, !PT", "VIADD R2, R2, 0x6"], "0xfffffffc", "0x3", None),
           ("scaled", ["IMAD.SHL.U32 R2, R9, 0x4, RZ"], "0xfffffffc", "RZ", 99),
           ("halved", ["LOP3.LUT R2, R9, 0xfffffff8, RZ, 0xc0, !PT", "SHF.R.U32.HI R2, RZ, 0x1, R2"], "0xfffffffc", "RZ", 11),
           ("a product", ["LOP3.LUT R3, R9, 0xfffffffe, RZ, 0xc0, !PT", "IMAD R2, R3, R3, RZ"], "0xfffffffc", "RZ", 2499),
           ("a sum", ["LOP3.LUT R3, R9, 0xfffffffc, RZ, 0xc0, !PT", "IADD3 R2, R3, R9, 0x8"], "0xfffffffc", "RZ", None),
           ("the other way", ["LOP3.LUT R2, R9, 0xfffffffc, RZ, 0xc0, !PT"], "0x4", "RZ", (1 << 30) - 2))},
    **{f"behind a loop, {name}": (
        ["S2R R2, SR_TID.X", "LDC R9, c[0x0][0x220]", "LOP3.LUT P1, R6, R9, 0x7, RZ, 0xc0, !PT", "@!P1 BRA Lnext"],
        ["Lseven:", *moves, "VIADD R6, R6, 0xffffffff", "ISETP.NE.AND P0, PT, R6, RZ, PT", "@P0 BRA Lseven", "Lnext:", "VIADD R3, R2, 0x1", "L:", "VIADD R2, R2, 0x400",
         f"ISETP.{relation} P0, PT, R2, {limit}, PT", "@P0 BRA L"], bounds)
       for name, moves, relation, limit, bounds in (
           ("up", ["VIADD R2, R2, 0x100"], "LT.AND", "0x1000", [3, 6]), ("down", ["VIADD R2, R2, 0xffffff00"], "LT.AND", "0x1000", [5, 6]),
           ("by some turns", ["LDG.E R8, desc[UR8][R10.64]", "ISETP.NE.AND P2, PT, R8, RZ, PT", "@P2 VIADD R2, R2, 0xffffff00"], "LT.AND", "0x1000", [5, 6]),
           ("twice a turn", ["VIADD R2, R2, 0xffffff00", "VIADD R2, R2, 0xffffff00"], "LT.AND", "0x1000", [7, 6]),
           ("by what is loaded", ["LDG.E R8, desc[UR8][R10.64]", "IADD3 R2, R2, R8, RZ"], "LT.AND", "0x1000", [2097156, 6]),
           ("in a loop in it", ["MOV R7, 0x4", "Lfour:", "VIADD R2, R2, 0xffffffff", "VIADD R7, R7, 0xffffffff", "ISETP.NE.AND P2, PT, R7, RZ, PT", "@P2 BRA Lfour"],
            "LT.AND", "0x1000", [2097156, 6, 3]),
           ("around 0", ["VIADD R2, R2, 0xffffff00"], "LT.U32.AND", "0x1000", [4, 6]))},
    **{f"multiple, of what is made once, {name}": (
        ["LDG.E R9, desc[UR8][R10.64]", *before], ["L:", "VIADD R2, R2, 0xfffffffc", f"ISETP.NE.AND P0, PT, R2, {limit}, PT", "@P0 BRA L", "Lout:", *behind], bound)
       for name, before, limit, behind, bound in (
           ("tested", [*UP_TO_100, "LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R4, R9, RZ"], "RZ", [], 24),
           ("tested behind it", ["LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R4, R9, RZ", *UP_TO_100], "RZ", [], 24),
           ("by some threads", ["@P4 LDG.E R9, desc[UR8][R10.64]", *UP_TO_100, "LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R4, R9, RZ"], "RZ", [], None),
           ("by some threads behind it", ["LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "@P4 LDG.E R9, desc[UR8][R10.64]", *UP_TO_100, "IADD3 R2, -R4, R9, RZ"], "RZ", [], None),
           ("again behind it", ["LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "LDG.E R9, desc[UR8][R10.64]", *UP_TO_100, "IADD3 R2, -R4, R9, RZ"], "RZ", [], None),
           ("one more", [*UP_TO_100, "VIADD R8, R9, 0x1", "LOP3.LUT R4, R8, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R4, R9, RZ"], "0xffffffff", [], 24),
           ("one more, until another", [*UP_TO_100, "VIADD R8, R9, 0x1", "LOP3.LUT R4, R8, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R4, R9, RZ"], "RZ", [], None),
           ("less its rest and one", [*UP_TO_100, "VIADD R8, R9, 0xffffffff", "LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R4, R8, RZ"], "0xffffffff", [], 24),
           ("in a loop", [*UP_TO_100, "MOV R6, 0x3", "Lagain:", "LDG.E R9, desc[UR8][R10.64]", *UP_TO_100, "LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R4, R9, RZ"],
            "RZ", ["VIADD R6, R6, 0xffffffff", "ISETP.NE.AND P2, PT, R6, RZ, PT", "@P2 BRA Lagain"], None))},
    "multiple, perhaps zero": (["LDC R9, c[0x0][0x220]", "LOP3.LUT R2, R9, 0xfffffffc, RZ, 0xc0, !PT"],  # then it comes around to 0
                               ["L:", "VIADD R2, R2, 0xfffffffc", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L"], None),
    **{f"multiple, less its rest, {name}": (["LDC R9, c[0x0][0x220]", *before], ["L:", f"VIADD R2, R2, {step}", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L", "Lout:"], bound)
       for name, before, step, bound in (
           ("tested", ["VIADD R4, R9, 0xffffffff", "ISETP.GE.U32.AND P1, PT, R4, 0x3, PT", "LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "@!P1 BRA Lout",
                       "IADD3 R2, -R4, R9, RZ"], "0xfffffffc", 24),
           ("tested behind it", ["VIADD R4, R9, 0xffffffff", "LOP3.LUT R5, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R5, R9, RZ",
                                 "ISETP.GE.U32.AND P1, PT, R4, 0x3, PT", "@!P1 BRA Lout"], "0xfffffffc", 24),
           ("the constant tested", ["LOP3.LUT R5, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R5, R9, RZ", "LDC R5, c[0x0][0x220]",
                                    "ISETP.LT.AND P1, PT, R5, 0x4, PT", "@P1 BRA Lout"], "0xfffffffc", 24),
           ("not tested", ["LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R4, R9, RZ"], "0xfffffffc", None),
           ("tested for less", ["ISETP.GE.U32.AND P1, PT, R9, 0x3, PT", "LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "@!P1 BRA Lout", "IADD3 R2, -R4, R9, RZ"],
            "0xfffffffc", None),
           ("of another", ["LDG.E R8, desc[UR8][R10.64]", "ISETP.GE.U32.AND P1, PT, R9, 0x4, PT", "LOP3.LUT R4, R8, 0x3, RZ, 0xc0, !PT", "@!P1 BRA Lout",
                           "IADD3 R2, -R4, R9, RZ"], "0xfffffffc", None),
           ("of one more", ["ISETP.GE.U32.AND P1, PT, R9, 0x4, PT", "VIADD R8, R9, 0x1", "LOP3.LUT R4, R8, 0x3, RZ, 0xc0, !PT", "@!P1 BRA Lout",
                            "IADD3 R2, -R4, R9, RZ"], "0xfffffffc", None),
           ("tested in another block", ["LOP3.LUT R5, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R5, R9, RZ", "LDG.E R8, desc[UR8][R10.64]",
                                        "ISETP.NE.AND P2, PT, R8, RZ, PT", "@P2 BRA Lover", "VIADD R6, R6, 0x1", "Lover:", "VIADD R4, R9, 0xffffffff",
                                        "ISETP.GE.U32.AND P1, PT, R4, 0x3, PT", "@!P1 BRA Lout"], "0xfffffffc", 24),
           ("of fewer bits", ["ISETP.GE.U32.AND P1, PT, R9, 0x4, PT", "LOP3.LUT R4, R9, 0x1, RZ, 0xc0, !PT", "@!P1 BRA Lout", "IADD3 R2, -R4, R9, RZ"],
            "0xfffffffc", None),
           ("the other way round", ["VIADD R6, R9, 0xffffffff", "SHF.R.U32.HI R0, RZ, 0x1, R6", "IADD3 R7, R0, 0x1, RZ", "LOP3.LUT R7, R7, 0x3, RZ, 0xc0, !PT",
                                    "IADD3 R2, -R0, -0x1, R7", "ISETP.GE.U32.AND P1, PT, R6, 0x6, PT", "@!P1 BRA Lout"], "0x4", 11),
           ("upper bits", ["LEA.HI R6, R9, 0x1, RZ, 0x1f", "LOP3.LUT R7, R6, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R7, R6, RZ",
                           "ISETP.GE.U32.AND P1, PT, R9, 0x6, PT", "@!P1 BRA Lout"], "0xfffffffc", 11),
           ("around 0", ["VIADD R9, R9, 0xfffffffd", "VIADD R4, R9, 0xffffffff", "ISETP.GE.U32.AND P1, PT, R4, 0x3, PT",  # 0 - 1 is above 3
                         "LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "@!P1 BRA Lout", "IADD3 R2, -R4, R9, RZ"], "0xfffffffc", None),
           ("in other turns", ["LOP3.LUT R4, R9, 0x3, RZ, 0xc0, !PT", "IADD3 R2, -R4, R9, RZ", "LDG.E R8, desc[UR8][R10.64]", "ISETP.NE.AND P2, PT, R8, RZ, PT",
                               "@P2 BRA Lover", "MOV R2, 0x10", "Lover:", "ISETP.GE.U32.AND P1, PT, R9, 0x4, PT", "@!P1 BRA Lout"], "0xfffffffc", None))},
    **{f"multiple, one of two predicates, {name}": (
        ["LDC R9, c[0x0][0x220]", "LOP3.LUT R2, R9, 0xfffffffc, RZ, 0xc0, !PT", "ISETP.GE.AND P1, PT, R9, 0x4, PT", "@!P1 BRA Lout",
         "ISETP.GT.AND P1, PT, R2, 0xc, PT", "PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0", *more, "@!P1 BRA Lfour", before],
        ["Lsix:", "VIADD R2, R2, 0xfffffff0", "ISETP.GT.AND P1, PT, R2, 0xc, PT", "@P1 BRA Lsix", "Lfour:", either, "@!P0 BRA Lout",
         "L:", "VIADD R2, R2, 0xfffffffc", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L", "Lout:"], bounds)
       for name, more, before, either, bounds in (
           ("each made", [], "PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0", "ISETP.NE.OR P0, PT, R2, RZ, P0", [2, 5]),
           ("both true", [], "PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0", "ISETP.NE.OR P0, PT, R2, RZ, P0", None),
           ("by some threads", [], "@P3 PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0", "ISETP.NE.OR P0, PT, R2, RZ, P0", None),
           ("moved behind it", ["VIADD R2, R2, 0xfffffffc"], "PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0", "ISETP.NE.OR P0, PT, R2, RZ, P0", None),
           ("of another", [], "PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0", "ISETP.NE.OR P0, PT, R3, RZ, P0", None),
           ("negated", [], "PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0", "ISETP.NE.OR P0, PT, R2, RZ, !P0", None),
           ("another one", [], "PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0", "ISETP.NE.OR P0, PT, R2, RZ, P2", None))},
    # The counter is written once more, where its predicate is false already; below, where it is made (test_redefined).
    "multiple, one of two predicates, made before": (
        ["LDC R9, c[0x0][0x220]", "LOP3.LUT R2, R9, 0xfffffffc, RZ, 0xc0, !PT", "ISETP.GE.AND P1, PT, R9, 0x4, PT", "@!P1 BRA Lout",
         "ISETP.GT.AND P1, PT, R2, 0xc, PT", "PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0", "@!P1 BRA Lfour", "PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0",
         "VIADD R2, R2, 0x10"],
        ["Lsix:", "VIADD R2, R2, 0xfffffff0", "ISETP.GT.AND P1, PT, R2, 0xc, PT", "@P1 BRA Lsix", "Lfour:", "ISETP.NE.OR P0, PT, R2, RZ, P0", "VIADD R6, R6, 0x1",
         "@!P0 BRA Lout", "L:", "VIADD R2, R2, 0xfffffffc", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L", "Lout:"], [2, 6]),
    "multiple of 3": (["LDC R9, c[0x0][0x220]", "IMAD R2, R9, 0x3, RZ"],
                      ["L:", "VIADD R2, R2, 0xfffffffd", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L"], None),
    **{f"multiple, by 16 and by 4, {name}": (["LDC R9, c[0x0][0x220]", "LOP3.LUT R2, R9, 0xfffffffc, RZ, 0xc0, !PT"],
                                            ["L1:", "VIADD R2, R2, 0xfffffff0", f"ISETP.GT.AND P0, PT, R2, {least}, PT", "@P0 BRA L1", "VIADD R2, R2, 0x10",
                                             "ISETP.EQ.AND P0, PT, R2, RZ, PT", "@P0 BRA Lout", "L:", "VIADD R2, R2, 0xfffffffc",
                                             "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L", "Lout:"], bounds)
       for name, least, bounds in (("as a word", "0xc", [6, 5]), ("with a gap", "0xd", [6, 5]), ("too early", "-0x10", [(1 << 30) - 2, 7]))},
    "wraps": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x40000000, RZ", "ISETP.LE.U32.AND P0, PT, R2, 0xfffffff0, PT", "@P0 BRA L"], None),
    "wraps signed": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x40000000, RZ", "ISETP.LE.AND P0, PT, R2, 0x7ffffff0, PT", "@P0 BRA L"], None),
    "signed": (["MOV R2, 0xfffffffb"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], 14),
    "unsigned": (["MOV R2, 0xfffffffb"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.U32.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], 0),
    "no step": (["MOV R2, RZ", "S2R R3, SR_TID.X"], ["L:", "IADD3 R2, R2, R3, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], None),
    "predicated": (["MOV R2, RZ", "ISETP.NE.AND P1, PT, R5, RZ, PT"],
                   ["L:", "@P1 IADD3 R2, R2, 0x1, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], None),
    "passed by": (["MOV R2, RZ"], ["L:", "ISETP.NE.AND P1, PT, R5, RZ, PT", "@P1 BRA Lnext", "IADD3 R2, R2, 0x1, RZ", "Lnext:", "LDG.E R5, desc[UR4][R8.64]",
                                   "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], None),
    "not tested": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "LDG.E R5, desc[UR4][R8.64]", "ISETP.NE.AND P1, PT, R5, RZ, PT", "@P1 BRA L",
                                    "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], None),
    "both ways": (["MOV R2, RZ"], ["L:", "ISETP.NE.AND P1, PT, R5, RZ, PT", "@P1 BRA Lmore", "IADD3 R2, R2, 0x1, RZ", "BRA Lnext", "Lmore:",
                                   "IADD3 R2, R2, 0x2, RZ", "Lnext:", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], 9),
    "left early": (["MOV R2, RZ"], ["L:", "LDG.E R5, desc[UR4][R8.64]", "ISETP.EQ.AND P1, PT, R5, RZ, PT", "@P1 BRA Lout", "IADD3 R2, R2, 0x1, RZ",
                                    "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L", "Lout:"], 9),
    "from memory": (["LDG.E R2, desc[UR4][R8.64]"], ["L:", "IADD3 R2, R2, 0x1, RZ", "LDG.E R2, desc[UR4][R8.64]", "ISETP.LT.AND P0, PT, R2, 0xa, PT",
                                                     "@P0 BRA L"], None),
    "any start": (["LDG.E R2, desc[UR4][R8.64]"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.U32.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], 10),
    "and": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, P1", "@P0 BRA L"], 9),
    "or": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.OR P0, PT, R2, 0xa, P1", "@P0 BRA L"], None),
    "64 bits": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.U32.AND P0, PT, R2, 0xa, PT", "ISETP.LT.AND.EX P0, PT, R3, RZ, PT, P0",
                                 "@P0 BRA L"], None),
    "wide": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "IMAD.WIDE R2, R4, 0x4, R6", "ISETP.LT.U32.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], None),
    "wide above": (["MOV R3, RZ"], ["L:", "IADD3 R3, R3, 0x1, RZ", "IMAD.WIDE R2, R4, 0x4, R6", "ISETP.LT.U32.AND P0, PT, R3, 0xa, PT", "@P0 BRA L"], None),
    "vector": (["MOV R5, RZ"], ["L:", "IADD3 R5, R5, 0x1, RZ", "LDG.E.128 R4, desc[UR4][R8.64]", "ISETP.LT.AND P0, PT, R5, 0xa, PT", "@P0 BRA L"], None),
    **{f"texture, {name}": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", texture, "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L"], bound)
       for name, texture, bound in (("a part", "TEX.LL RZ, R1, R6, R8, UR4, 0x0, 2D, 0x4", 9), ("two parts", "TEX.LL RZ, R1, R6, R8, UR4, 0x0, 2D, 0x3", None),
                                    ("three parts", "TLD.LZ R1, R6, R4, UR4, 0x0, 1D, 0x7", 9), ("all", "TEX.LL R1, R6, R6, R8, UR4, 0x0, ARRAY_2D", None),
                                    ("three parts, of which it is one", "TEX R2, R6, R8, UR4, 0x0, CUBE, 0xd", None),
                                    ("a part and two registers", "TEX.LL R1, R6, R6, R8, UR4, 0x0, 2D, 0x1", None),
                                    ("another form", "TEX.LL RZ, R1, R6, R8, UR4, 0x0, 2D, 0x1, NODEP", None),
                                    ("another word", "TEX.LL RZ, R1, R6, R8, UR4, 0x0, 0x1", None), ("of slopes", "TXD RZ, R1, R6, R8, UR4, 0x0, 2D, 0x1", None))},
    **{f"halves {operands}": ([f"HFMA2.MMA R2, {operands}"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.NE.AND P0, PT, R2, 0x20, PT", "@P0 BRA L"], bound)
       for operands, bound in (("-RZ, RZ, 0, 0", 31), ("-RZ, RZ, 0, 1.78813934326171875e-07", 28), ("-RZ, RZ, 0, 1.847743988037109375e-06", 0),
                               ("-RZ, RZ, 0, 5.9604644775390625e-08", 30), ("-RZ, RZ, 0, 0.00000762939453125", None), ("-RZ, RZ, 0, 7e-06", None),
                               ("-RZ, RZ, 1.875, 0", None), ("-RZ, RZ, 0, 0.0001220703125", None), ("-RZ, RZ, 0, -5.9604644775390625e-08", None),
                               ("RZ, RZ, 0, 0", None), ("-RZ, R5, 0, 0", None), ("-RZ, RZ, 0, -0", None), ("-RZ, RZ, 0, 2.98023223876953125e-08", None))},
    "unknown": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "R2P PR, R4, 0x7f", "ISETP.LT.AND P1, PT, R2, 0xa, PT", "@P0 BRA L"], None),
    "64 bits, upper zero": (["MOV R2, RZ", "MOV R3, RZ"],
                            ["L:", "IADD3 R2, P1, R2, 0x1, RZ", "IMAD.X R3, RZ, RZ, R3, P1", "ISETP.LT.U32.AND P0, PT, R2, 0xa, PT",
                             "ISETP.LT.U32.AND.EX P0, PT, R3, RZ, PT, P0", "@P0 BRA L"], 9),
    "64 bits, left": (["LDC R4, c[0x0][0x220]", "SHF.R.S32.HI R5, RZ, 0x1f, R4", "MOV R2, RZ"],
                      ["L:", "VIADD R2, R2, 0x2", "SHF.R.S32.HI R3, RZ, 0x1f, R2", "ISETP.GE.U32.AND P0, PT, R2, R4, PT",
                       "ISETP.GE.U32.AND.EX P0, PT, R3, R5, PT, P0", "@!P0 BRA L"], 49),
    "64 bits, upper one": (["MOV R2, RZ", "MOV R3, RZ"],
                           ["L:", "IADD3 R2, P1, R2, 0x1, RZ", "IMAD.X R3, RZ, RZ, R3, P1", "ISETP.LT.U32.AND P0, PT, R2, 0xa, PT",
                            "ISETP.LT.U32.AND.EX P0, PT, R3, 0x1, PT, P0", "@P0 BRA L"], None),
    "64 bits, another order": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.GE.U32.AND P0, PT, R2, 0xa, PT",
                                                "ISETP.LT.U32.AND.EX P0, PT, R3, RZ, PT, P0", "@P0 BRA L"], None),
    "64 bits, signed below": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, PT",
                                               "ISETP.LT.U32.AND.EX P0, PT, RZ, RZ, PT, P0", "@P0 BRA L"], None),
    "64 bits, upper equal": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.NE.U32.AND P0, PT, R2, 0xa, PT",
                                            "ISETP.NE.AND.EX P0, PT, RZ, RZ, PT, P0", "@P0 BRA L"], 9),
    "64 bits, different": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.NE.U32.AND P0, PT, R2, 0xa, PT",
                                            "ISETP.NE.AND.EX P0, PT, R3, RZ, PT, P0", "@P0 BRA L"], None),
    "step in a register": (["S2R R2, SR_TID.X", "LDC R3, c[0x0][0x0]"],
                           ["L:", "IMAD.IADD R2, R3, 0x1, R2", "ISETP.LT.U32.AND P0, PT, R2, 0x400, PT", "@P0 BRA L"], 15),
    "step masked": (["S2R R2, SR_TID.X", "LDC R3, c[0x0][0x0]", "LOP3.LUT R3, R3, 0xffffff, RZ, 0xc0, !PT"],
                    ["L:", "IMAD.IADD R2, R3, 0x1, R2", "ISETP.LT.U32.AND P0, PT, R2, 0x400, PT", "@P0 BRA L"], 15),
    "step masked, the mask first": (["S2R R2, SR_TID.X", "LDC R3, c[0x0][0x220]", "LOP3.LUT R3, 0x7f, R3, RZ, 0xc0, !PT"],
                                    ["L:", "IMAD.IADD R2, R3, 0x1, R2", "ISETP.LT.U32.AND P0, PT, R2, 0x12c, PT", "@P0 BRA L"], 99),
    "step masked to nothing": (["S2R R2, SR_TID.X", "LDC R3, c[0x0][0x220]", "LOP3.LUT R3, R3, 0x3f, RZ, 0xc0, !PT"],
                               ["L:", "IMAD.IADD R2, R3, 0x1, R2", "ISETP.LT.U32.AND P0, PT, R2, 0x400, PT", "@P0 BRA L"], None),
    "step masked with a gap": (["S2R R2, SR_TID.X", "LDC R3, c[0x0][0x220]", "LOP3.LUT R3, R3, 0x7d, RZ, 0xc0, !PT"],
                               ["L:", "IMAD.IADD R2, R3, 0x1, R2", "ISETP.LT.U32.AND P0, PT, R2, 0x400, PT", "@P0 BRA L"], None),
    "counter masked": (["MOV R2, RZ"], ["L:", "LOP3.LUT R2, R2, 0xff, RZ, 0xc0, !PT", "VIADD R2, R2, 0x1", "ISETP.LT.U32.AND P0, PT, R2, 0x40, PT", "@P0 BRA L"], 63),
    "counter masked too early": (["MOV R2, RZ"], ["L:", "LOP3.LUT R2, R2, 0x1f, RZ, 0xc0, !PT", "VIADD R2, R2, 0x1", "ISETP.LT.U32.AND P0, PT, R2, 0x40, PT", "@P0 BRA L"], None),
    "step as wide": (["S2R R2, SR_TID.X", "LDC R3, c[0x0][0x220]"],
                     ["L:", "IADD3 R2, R3, R2, RZ", "ISETP.LT.U32.AND P0, PT, R2, 0x62, PT", "@P0 BRA L"], 32),
    "two steps": (["MOV R2, RZ", "LDC R3, c[0x0][0x220]"], ["L:", "IADD3 R2, R3, R2, R3", "ISETP.LT.U32.AND P0, PT, R2, 0x400, PT", "@P0 BRA L"], 170),
    "compared before": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "LDG.E R5, desc[UR4][R8.64]",
                                         "ISETP.NE.AND P1, PT, R5, RZ, PT", "@P1 BRA Lnext", "VIADD R6, R6, 0x1", "Lnext:", "@P0 BRA L"], 9),
    "compared on one way": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "LDG.E R5, desc[UR4][R8.64]", "ISETP.NE.AND P1, PT, R5, RZ, PT",
                                             "@P1 BRA Lnext", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "Lnext:", "@P0 BRA L"], None),
    "compared again on one way": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "LDG.E R5, desc[UR4][R8.64]",
                                                   "ISETP.NE.AND P1, PT, R5, RZ, PT", "@P1 BRA Lnext", "ISETP.LT.AND P0, PT, R5, 0xa, PT", "Lnext:",
                                                   "@P0 BRA L"], None),
    "compared otherwise on one way": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "LDG.E R5, desc[UR4][R8.64]", "ISETP.NE.AND P0, PT, R5, 0x7, PT",
                                                       "ISETP.NE.AND P1, PT, R5, RZ, PT", "@P1 BRA Lnext", "ISETP.LT.AND P0, PT, R2, 0xa, PT",
                                                       "Lnext:", "@P0 BRA L"], None),
    "compared in the turn before": (["MOV R2, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, PT"],
                                    ["L:", "@!P0 BRA Lout", "IADD3 R2, R2, 0x1, RZ", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "BRA L", "Lout:"], None),
    **{f"tested before, {name}": (["LDC R9, c[0x0][0x220]", "LOP3.LUT R2, R9, 0x3, RZ, 0xc0, !PT", first, "LDG.E R5, desc[UR4][R8.64]", "ISETP.NE.AND P2, PT, R5, RZ, PT",
                                   "@P2 BRA Lover", between, "Lover:", "@!P1 BRA Lout"],
                                  ["L:", "VIADD R2, R2, 0xffffffff", "ISETP.NE.AND P0, PT, R2, RZ, PT", "@P0 BRA L", "Lout:"], bound)
       for name, first, between, bound in (("kept", "ISETP.NE.AND P1, PT, R2, RZ, PT", "VIADD R6, R6, 0x1", 2),
                                           ("the other way round", "ISETP.NE.AND P1, PT, RZ, R2, PT", "VIADD R6, R6, 0x1", 2),
                                           ("counter written", "ISETP.NE.AND P1, PT, R2, RZ, PT", "LOP3.LUT R2, R9, 0x1, RZ, 0xc0, !PT", None),
                                           ("test written", "ISETP.NE.AND P1, PT, R2, RZ, PT", "ISETP.NE.AND P1, PT, R5, 0x3, PT", None),
                                           ("of another", "ISETP.NE.AND P1, PT, R9, RZ, PT", "VIADD R6, R6, 0x1", None),
                                           ("by some threads", "@P3 ISETP.NE.AND P1, PT, R2, RZ, PT", "VIADD R6, R6, 0x1", None))},
    "exit": (["MOV R2, RZ"], ["L:", "IADD3 R2, R2, 0x1, RZ", "ISETP.GE.AND P0, PT, R2, 0xa, PT", "@P0 EXIT", "BRA L"], 9),
    "subroutine": (["MOV R2, RZ"], ["L:", "MOV R20, 0x40", "MOV R21, 0x0", "CALL.REL.NOINC Lsub", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L", "EXIT",
                                    "Lsub:", "IADD3 R2, R2, 0x1, RZ", "RET.REL.NODEC R20 0x0"], 9),
    "subroutine of threads": (["MOV R2, RZ"], ["L:", "MOV R20, 0x40", "MOV R21, 0x0", "CALL.REL.NOINC Lsub", "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L",
                                               "EXIT", "Lsub:", "@P3 IADD3 R2, R2, 0x1, RZ", "RET.REL.NODEC R20 0x0"], None),
}


def nest(first="MOV R2, RZ", begin=("MOV R3, R2",), step=1, test="LT.U32.AND P0, PT, R3, 0x30, PT", again=(), move=("VIADD R2, R2, 0x1",), outer="LT.U32.AND P0, PT, R2, 0x30, PT",
         skip=None, inside=()):
    return [first, "Louter:", *begin, *([f"ISETP.{skip.replace('P0', 'P1')}", "@P1 BRA Lnext"] if skip else []), "L:", *inside, f"VIADD R3, R3, {step % WORD:#x}", f"ISETP.{test}", "@P0 BRA L",
            "Lnext:", *again, *move, f"ISETP.{outer}", "@P0 BRA Louter"]


LOADED = ["LDG.E R9, desc[UR8][R10.64]", "ISETP.NE.AND P4, PT, R9, RZ, PT"]
# ---- a loop in another one, and how often it comes back in all turns of that one; None: not known
NESTS = {
    "from the counter up": (nest(), 47 * 48 // 2), "a constant further": (nest(begin=["VIADD R3, R2, 0x4"]), 43 * 44 // 2), "by three": (nest(step=3), 360),
    "from the counter up, signed": (nest(test="LT.AND P0, PT, R3, 0x30, PT"), 47 * 48 // 2),
    "until it is different": (nest(test="NE.AND P0, PT, R3, 0x30, PT"), 47 * 48 // 2),
    "up to the counter": (nest(begin=["MOV R3, RZ"], test="LT.U32.AND P0, PT, R3, R2, PT"), 46 * 47 // 2),
    "up to the counter, with it": (nest(begin=["MOV R3, RZ"], test="LE.U32.AND P0, PT, R3, R2, PT"), 47 * 48 // 2),
    "down to the counter": (nest(begin=["MOV R3, 0x30"], step=-1, test="GT.AND P0, PT, R3, R2, PT"), 47 * 48 // 2),
    "down from the counter": (nest(step=-1, test="GT.AND P0, PT, R3, RZ, PT"), 46 * 47 // 2),
    "the outer one down": (nest("MOV R2, 0x2f", move=["VIADD R2, R2, 0xffffffff"], outer="GE.AND P0, PT, R2, RZ, PT"), 47 * 48 // 2),
    "the outer one down, to the counter": (nest("MOV R2, 0x2f", ["MOV R3, RZ"], test="LT.AND P0, PT, R3, R2, PT", move=["VIADD R2, R2, 0xffffffff"], outer="GE.AND P0, PT, R2, RZ, PT"),
                                           46 * 47 // 2),
    "by two": (nest(move=["VIADD R2, R2, 0x2"]), 24 * 47 - 23 * 24),
    "an argument": (nest("MOV R2, RZ", ["ULDC UR4, c[0x0][0x220]", "MOV R3, R2"], test="LT.U32.AND P0, PT, R3, UR4, PT"), sum(99 - i for i in range(48))),
    "from any thread's index on": (nest("S2R R2, SR_TID.X"), 47 * 48 // 2),
    "down from any thread's index": (nest("S2R R2, SR_TID.X", step=-1, test="GT.AND P0, PT, R3, RZ, PT", move=["VIADD R2, R2, 0xffffffff"], outer="GT.AND P0, PT, R2, RZ, PT"), 62 * 63 // 2),
    "left early": (nest(inside=[*LOADED, "@P4 BRA Lnext"]), 47 * 48 // 2),
    "passed by": (nest(skip="GE.U32.AND P0, PT, R2, 0x20, PT"), sum(47 - i for i in range(48))),
    "entered twice": (nest(begin=["MOV R6, RZ", "Lmiddle:", "MOV R3, R2"], again=["VIADD R6, R6, 0x1", "ISETP.LT.AND P0, PT, R6, 0x2, PT", "@P0 BRA Lmiddle"]), None),
    "entered as often as memory says": (nest(begin=["Lmiddle:", "MOV R3, R2"], again=[*LOADED, "VIADD R6, R6, 0x1", "ISETP.LT.U32.AND P0, PT, R6, 0x2, P4", "@P0 BRA Lmiddle"]), None),
    "a counter that may stand still": (nest(move=[*LOADED, "@P4 VIADD R2, R2, 0x1", "VIADD R7, R7, 0x1"], outer="LT.U32.AND P0, PT, R7, 0x30, PT", first="MOV R2, RZ"), None),
    "a counter that stands still": (nest(move=["VIADD R7, R7, 0x1"], outer="LT.U32.AND P0, PT, R7, 0x30, PT"), None),
    "a counter that the inner one moves": (nest(inside=["VIADD R2, R2, 0x1"], begin=["MOV R3, R2"]), None),
    "a counter that goes around": (nest("MOV R2, RZ", move=["VIADD R2, R2, 0x10000000", "VIADD R7, R7, 0x1"], outer="LT.U32.AND P0, PT, R7, 0x30, PT"), None),
    "twice the counter": (nest(begin=["IADD3 R3, R2, R2, RZ"]), None),
}
NESTS = {name: (["MOV R7, RZ", *lines], in_all) for name, (lines, in_all) in NESTS.items()}

EXECUTED = [*(name for name in BY_HAND if name.startswith(("multiple", "behind", "a word less")) and name != "behind a loop, in a loop in it"), "remainder tested at once, left where it is 0", "remainder tested at once, left where it is not", "step masked", "counter masked", "counter masked too early", "tested before, kept", "tested before, the other way round", "tested before, counter written", "tested before, test written", "up", "down", "predicated", "wraps", "wraps signed", "any start", "shifted", "halved", "64 bits, upper zero", "64 bits, left",
            "64 bits, upper one", "64 bits, another order", "64 bits, signed below", "64 bits, different", "step in a register", "compared before",
            "compared on one way", "compared again on one way", "compared otherwise on one way", "compared in the turn before",
            "doubled, its greatest word", "doubled behind the test", "entered twice"]


# ---- drawn, and executed

def draw(rng):
    """A loop whose test every turn passes, over R2 to R5, which are what is drawn; some steps under a predicate or passed by."""
    registers, lines = ["R2", "R3", "R4", "R5"], []

    def number():
        return f"{rng.choice([0, 1, 2, 3, 4, 8, 10, 16, 100, 0x7ffffff0, 0x80000000, 0xfffffff0, 0xffffffff, rng.randrange(WORD)]):#x}"

    def step():
        to, one, other = rng.choice(registers), rng.choice(registers), rng.choice(registers)
        small = rng.choice(["0x1", "0x2", "0x3", "0x10", "0xffffffff", "0xfffffffe", "0xfffffff0", "0x40000000"])
        return rng.choice([f"IADD3 {to}, {one}, {small}, RZ", f"VIADD {to}, {to}, {small}", f"IADD3 {to}, {to}, {small}, RZ", f"VIADD {to}, {to}, {small}",
                           f"IMAD.MOV.U32 {to}, RZ, RZ, {one}", f"IADD3 {to}, {one}, -{other}, RZ", f"SHF.R.U32.HI {to}, RZ, 0x1, {to}",
                           f"SHF.R.S32.HI {to}, RZ, 0x1, {one}", f"IMAD.SHL.U32 {to}, {one}, 0x2, RZ", f"LOP3.LUT {to}, {one}, 0x3, RZ, 0xc0, !PT",
                           f"SEL {to}, {one}, {other}, P1", f"IMNMX {to}, {one}, {other}, PT", f"IMNMX.U32 {to}, {one}, {small}, !PT",
                           f"IMAD {to}, {one}, {small}, {other}", f"LEA.HI {to}, {one}, {one}, RZ, 0x1", f"IMAD.IADD {to}, {to}, 0x1, {other}",
                           f"LEA {to}, {one}, {to}, 0x2", f"LOP3.LUT {to}, {one}, {rng.choice(['0xff', '0x7', '0xffffff'])}, RZ, 0xc0, !PT", f"LOP3.LUT {to}, {one}, 0xfffffffc, RZ, 0xc0, !PT"])

    def test(predicate, target, tested=None):
        relation, kind = rng.choice(["LT", "LE", "GT", "GE", "EQ", "NE"]), rng.choice(["", ".U32"])
        limit = rng.choice([number(), "RZ", rng.choice(registers), "UR4"])
        sign = rng.choice(["", "!"])
        if tested is not None and rng.random() < 0.6:
            sign, relation = "", rng.choice(["LT", "LE", "NE", "GT"])
        return [f"ISETP.{relation}{kind}.AND {predicate}, PT, {tested or rng.choice(registers)}, {limit}, PT", f"@{sign}{predicate} BRA {target}"]

    for register in registers:
        lines.append(rng.choice([f"MOV {register}, {number()}", f"S2R {register}, SR_TID.X", f"LDC {register}, c[0x0][{ARGUMENT:#x}]",
                                 f"LDG.E {register}, desc[UR8][R10.64]", f"MOV {register}, RZ"]))
    lines += [f"ULDC UR4, c[0x0][{ARGUMENT:#x}]", "ISETP.NE.AND P1, PT, R9, RZ, PT"]
    if rng.random() < 0.4:
        lines += test("P2", "Lout")
    if rng.random() < 0.3:
        lines += [f"LOP3.LUT P2, {rng.choice([*registers, 'RZ'])}, {rng.choice(registers)}, {rng.choice(['0x3', '0x1', '0xff'])}, RZ, 0xc0, !PT", "@!P2 BRA Lout"]
    if rng.random() < 0.3:  # a test whose branch stands in another block, of what may be written meanwhile
        early = test("P6", "Lout")
        lines += [early[0], "LDG.E R9, desc[UR8][R10.64]", "ISETP.NE.AND P4, PT, R9, RZ, PT", "@P4 BRA Learly", step(), "Learly:", early[1]]
    if rng.random() < 0.3:  # a test of a word that is another one turned, or moved, or was it
        lines += [f"IADD3 R6, {rng.choice(['', '-', '-'])}{rng.choice(registers)}, {rng.choice(['RZ', '0x1', '0x40', '0xffffff00'])}, RZ",
                  *rng.choice([[], [], [step()], ["VIADD R6, R6, 0x8"]])]
        lines += test("P5", "Lout", "R6")
        lines[-1:-1] = rng.choice([[], [], [step()]])
    lines.append("L:")
    for i in range(rng.randrange(1, 4)):
        kind = rng.random()
        if kind < 0.15:
            lines += ["LDG.E R9, desc[UR8][R10.64]", "ISETP.NE.AND P1, PT, R9, RZ, PT", f"@P1 {step()}"]
        elif kind < 0.3:
            lines += ["LDG.E R9, desc[UR8][R10.64]", "ISETP.NE.AND P1, PT, R9, RZ, PT", f"@P1 BRA L{i}", step(), f"L{i}:"]
        elif kind < 0.4:
            lines += test("P3", "Lout")
        else:
            lines.append(step())
    counter = rng.choice(registers) if rng.random() < 0.8 else None
    if counter is not None:
        guard = rng.choice(["", "", "", "@P1 "])
        lines.append(guard + rng.choice([f"VIADD {counter}, {counter}, {rng.choice(['0x1', '0x3', '0x8', '0xffffffff', '0xfffffff0', '0x20000000'])}",
                                         f"IADD3 {counter}, {counter}, UR4, RZ", f"SHF.R.U32.HI {counter}, RZ, 0x1, {counter}",
                                         f"SHF.R.S32.HI {counter}, RZ, 0x1, {counter}", f"IMAD.SHL.U32 {counter}, {counter}, 0x2, RZ"]))
    compared, branch = test("P0", "L", counter)
    if rng.random() < 0.3:  # a counter of which a rest is known, or not, until it is equal
        counter, unit = rng.choice(registers), rng.choice([2, 4, 8])
        lines[lines.index("L:"):lines.index("L:")] = [f"LDC {counter}, c[0x0][{ARGUMENT:#x}]", *rng.choice([[], [f"VIADD {counter}, {counter}, 0x40"]]), *rng.choice([
            [], [f"LOP3.LUT {counter}, {counter}, {WORD - rng.choice([2, 4, 8]):#x}, RZ, 0xc0, !PT"], [f"IMAD.SHL.U32 {counter}, {counter}, {rng.choice([2, 4, 8]):#x}, RZ"]]),
            *rng.choice([[], [f"VIADD {counter}, {counter}, {rng.choice([1, 4, 6, WORD - 4]):#x}"], [f"IADD3 {counter}, -{counter}, RZ, RZ"]])]
        if rng.random() < 0.5:  # the constant, or some more or less, without its rest, and a test of one less
            more, rest = rng.choice([0, 0, 1, WORD - 3, WORD - 4]), rng.choice(["R6", "R7"])
            parts = [f"LOP3.LUT R7, {rng.choice([counter, counter, 'R6'])}, {rng.choice([1, 3, 3, 7]):#x}, RZ, 0xc0, !PT", f"IADD3 {counter}, -{rest}, {counter}, RZ"]
            tests = [f"ISETP.GE.U32.AND P5, PT, {rng.choice(['R6', 'R6', counter])}, {rng.choice([1, 3, 3, 7]):#x}, PT", "@!P5 BRA Lout"]
            lines[lines.index("L:"):lines.index("L:")] = [
                rng.choice([f"LDC {counter}, c[0x0][{ARGUMENT:#x}]"] * 2 + [f"LDG.E {counter}, desc[UR8][R10.64]"]), *([f"VIADD {counter}, {counter}, {more:#x}"] if more else []), f"VIADD R6, {counter}, 0xffffffff",
                *rng.choice([[*parts, *tests], [*tests, *parts], [tests[0], *parts, tests[1]]])]
        if rng.random() < 0.4:  # by 16 before it, and a test of two predicates
            made = [rng.choice(["", "", "", "@P4 "]) + f"PLOP3.LUT P0, PT, PT, PT, PT, {table}, 0x0" for table in rng.choice([("0x80", "0x8"), ("0x80", "0x8"), ("0x8", "0x80"), ("0x80", "0x80")])]
            lines[lines.index("L:"):lines.index("L:")] = [
                f"ISETP.GT.AND P1, PT, {counter}, 0xc, PT", made[0], *rng.choice([[], [], [f"VIADD {counter}, {counter}, 0xfffffffc"]]), "@!P1 BRA Lfour", made[1],
                "Lsix:", f"VIADD {counter}, {counter}, 0xfffffff0", f"ISETP.GT.AND P1, PT, {counter}, 0xc, PT", "@P1 BRA Lsix", "Lfour:",
                f"ISETP.{rng.choice(['NE', 'NE', 'GT'])}.OR P0, PT, {counter}, RZ, {rng.choice(['P0', 'P0', 'P2', '!P0'])}", "@!P0 BRA Lout"]
        if rng.random() < 0.5:  # behind a loop that moves it
            move = rng.choice([f"VIADD {counter}, {counter}, {rng.choice([1, 64, 0x10000000, WORD - 1, WORD - 64]):#x}", "IADD3 {0}, {0}, R9, RZ".format(counter)])
            guarded = ["LDG.E R9, desc[UR8][R10.64]", "ISETP.NE.AND P1, PT, R9, RZ, PT", f"@P1 {move}"]
            turns = rng.choice([["MOV R8, 0x6"], ["LDC R8, c[0x0][0x220]", "LOP3.LUT R8, R8, 0x7, RZ, 0xc0, !PT", "IMNMX.U32 R8, R8, 0x1, !PT"]])
            lines[lines.index("L:"):lines.index("L:")] = [*turns, "Lseven:", *rng.choice([[move], [move, move], guarded]), "VIADD R8, R8, 0xffffffff",
                                                          "ISETP.NE.AND P1, PT, R8, RZ, PT", "@P1 BRA Lseven"]
            unit = rng.choice([unit, 64])
        lines.append(f"VIADD {counter}, {counter}, {rng.choice([unit, WORD - unit]):#x}")
        compared, branch = f"ISETP.NE.AND P0, PT, {counter}, {rng.choice(['RZ', 'RZ', '0x1', '0x6', '0x100', '0xffffffff'])}, PT", "@P0 BRA L"
        if rng.random() < 0.4:
            compared = f"ISETP.{rng.choice(['LT', 'GT'])}{rng.choice(['', '.U32'])}.AND P0, PT, {counter}, {rng.choice(['0x1', '0x100', '0x1000'])}, PT"
    lines.append(compared)
    if rng.random() < 0.3:  # the upper halves of 64-bit words behind them
        signed, halves = rng.choice(["", ".U32"]), [rng.choice(["RZ", "R6", "R7", "0x1"]) for _ in range(2)]
        if rng.random() < 0.8:
            lines[-1] = re.sub(r"^ISETP\.(..)(\.U32)?", r"ISETP.\1.U32", compared)
        lines.append(re.sub(r"^ISETP\.(..).*", rf"ISETP.\1{signed}.AND.EX P0, PT, {halves[0]}, {halves[1]}, PT, P0", compared))
        upper = rng.choice(["MOV R6, RZ", "MOV R6, 0xffffffff", "LDG.E R6, desc[UR8][R10.64]", f"SHF.R.S32.HI R6, RZ, 0x1f, {rng.choice(registers)}"])
        lines.insert(lines.index("L:") + (upper[0] == "S"), upper)
        lines.insert(lines.index("L:"), rng.choice(["MOV R7, RZ", "MOV R7, 0x1", "S2R R7, SR_TID.X"]))
        if counter is not None and rng.random() < 0.5:
            lines[-2:-2] = [f"IADD3 {counter}, P5, {counter}, {rng.choice(['0x1', '0x8', '0x40000000'])}, RZ", "IMAD.X R6, RZ, RZ, R6, P5"]
    if rng.random() < 0.4:  # the branch stands in another block than the comparison
        between = rng.choice([step(), step(), "ISETP.NE.AND P0, PT, R9, RZ, PT", test("P0", "L", counter)[0]])
        lines += ["LDG.E R9, desc[UR8][R10.64]", "ISETP.NE.AND P4, PT, R9, RZ, PT", "@P4 BRA Lover", between, "Lover:"]
    return lines + [branch, "Lout:", "EXIT"]


@functools.cache
def parts(line):
    """Its guard or None, its opcode with and without what modifies it, and its operands."""
    guard, name, operands = re.fullmatch(r"(?:@(\S+) )?(\S+) ?(.*)", line).groups()
    return guard, name, name.split(".")[0], operands.split(", ")


class Thread:
    """One thread. What it reads of memory, and what nobody set, is drawn."""

    def __init__(self, rng):
        self.rng, self.registers, self.predicates = rng, {}, {}
        self.argument, self.thread = rng.choice([*ARGUMENTS, *[rng.randrange(ARGUMENTS[0], ARGUMENTS[1] + 1)] * 3]), rng.randrange(64)

    def any(self):
        return self.rng.choice([0, 1, 2, 5, WORD - 1, WORD // 2, WORD // 2 - 1, self.rng.randrange(WORD), self.rng.randrange(200)])

    def word(self, text):
        if text.startswith("-"):
            return -self.word(text[1:]) % WORD
        if text.startswith("~"):
            return WORD - 1 - self.word(text[1:])
        if text in ("RZ", "URZ"):
            return 0
        if text.startswith("c["):
            return 64 if text == "c[0x0][0x0]" else self.argument
        if text == "SR_TID.X":
            return self.thread
        if text[0] in "RU":
            if text not in self.registers:
                self.registers[text] = self.any()
            return self.registers[text]
        return int(text, 16) % WORD

    def holds(self, text):
        negated, name = text.startswith("!"), text.strip("!")
        if name != "PT" and name not in self.predicates:
            self.predicates[name] = self.rng.random() < 0.5
        return (name == "PT" or self.predicates[name]) != negated

    def execute(self, line):
        """Where a branch goes; None: to the next."""
        guard, name, base, operands = parts(line)
        if guard is not None and not self.holds(guard):
            return None
        if base in ("BRA", "EXIT"):
            return int(operands[0], 16) if base == "BRA" else -1

        def signed(word):
            return word - WORD if word >= WORD // 2 else word
        if base == "ISETP":
            one, other = (self.word(text) if ".U32" in name else signed(self.word(text)) for text in operands[2:4])
            relation = name.split(".")[1]
            joined = self.holds(operands[4])
            holds = {"LT": one < other, "LE": one <= other, "GT": one > other, "GE": one >= other, "EQ": one == other, "NE": one != other}[relation]
            if name.endswith(".EX"):  # where the upper halves are equal the lower ones decide
                holds = self.holds(operands[5]) if one == other else holds
            self.predicates[operands[0]] = holds or joined if ".OR" in name else holds and joined
            return None
        if base == "PLOP3":  # of constants
            self.predicates[operands[0]] = int(operands[5], 16) >> 7 & 1 == 1
            return None
        if base == "IADD3" and operands[1].startswith("P"):
            total = sum(self.word(text) for text in operands[2:])
            self.registers[operands[0]], self.predicates[operands[1]] = total % WORD, total >= WORD
            return None
        if name == "IMAD.X":
            words = [self.word(text) for text in operands[1:4]]
            self.registers[operands[0]] = (words[0] * words[1] + words[2] + self.holds(operands[4])) % WORD
            return None
        if base == "LOP3" and operands[0].startswith("P"):
            self.registers[operands[1]] = self.word(operands[2]) & self.word(operands[3])
            self.predicates[operands[0]] = self.registers[operands[1]] != 0 or self.holds(operands[6])
            self.registers.pop("RZ", None)
            return None
        if base in ("LDG",):
            self.registers[operands[0]] = self.any()
            return None
        words = [self.word(text) if text[0] != "P" and text[:2] != "!P" else None for text in operands[1:]]
        if name.startswith("LEA.HI"):
            result = (words[0] >> 32 - words[3]) + words[1]
        elif base == "IADD3":
            result = words[0] + words[1] + words[2]
        elif base == "VIADD":
            result = words[0] + words[1]
        elif base == "IMAD":
            result = words[0] * words[1] + words[2]
        elif base == "LEA":
            result = (words[0] << words[2]) + words[1]
        elif base == "SHF":
            result = (signed(words[2]) if ".S32" in name else words[2]) >> words[1]
        elif base == "LOP3":
            result = words[0] & words[1]
        elif base == "SEL":
            result = words[0] if self.holds(operands[3]) else words[1]
        elif base == "IMNMX":
            pick = min if self.holds(operands[3]) else max
            result = pick(words[:2], key=(lambda word: word) if ".U32" in name else signed)
        else:  # MOV, S2R, LDC, ULDC
            result = words[0]
        self.registers[operands[0]] = result % WORD
        return None


def turns(code, header, rng):
    """How often a thread comes back to the header, until it ends or has made so many steps."""
    thread, at, back = Thread(rng), 0, 0
    for _ in range(STEPS):
        target = thread.execute(code[at // 16])
        if target == -1:
            break
        back += target is not None and target == header
        at = at + 16 if target is None else target
    return back


def draw_nest(rng):
    """A loop over R2 and one in it over R3, one of whose ends may be R2 and a number more; left early, passed by, entered again, or with its counter changed."""
    loaded = ["LDG.E R9, desc[UR8][R10.64]", "ISETP.NE.AND P4, PT, R9, RZ, PT"]

    def number(most=40):
        return rng.randrange(most) % WORD

    def near():
        return rng.choice([0, 0, 1, 2, WORD - 1, 5, WORD - 7])

    def loop(register, up, limit):
        """A step, a test to stay, whether it is signed."""
        step, kind = rng.choice([1, 1, 1, 2, 3, 7]), rng.choice(["", ".U32"])
        relation = rng.choice(["LT", "LT", "LE", "NE"] if up else ["GT", "GT", "GE", "NE"])
        return f"VIADD {register}, {register}, {step if up else WORD - step:#x}", f"ISETP.{relation}{kind}.AND P0, PT, {register}, {limit}, PT"
    up, inner_up = rng.random() < 0.5, rng.random() < 0.5
    low, high = number(8), 8 + number(40)
    outer_step, outer_test = loop("R2", up, rng.choice([f"{high if up else low:#x}"] * 4 + ["UR4"]))
    first = rng.choice([f"MOV R2, {low if up else high:#x}"] * 5 + [f"LDC R2, c[0x0][{ARGUMENT:#x}]", "S2R R2, SR_TID.X", f"MOV R2, {rng.choice([0, 0x7ffffff0, 0x80000000, WORD - 4]):#x}"])
    ends = {"begins": f"{low if inner_up else high:#x}", "limit": f"{high if inner_up else low:#x}"}
    which = rng.choice(["begins", "begins", "limit", "limit", "both"])
    begin, prelude = [f"MOV R3, {ends['begins']}"], []
    limit = rng.choice([ends["limit"]] * 4 + ["UR4"])
    if which != "limit":
        begin = [f"VIADD R3, R2, {near():#x}"] if rng.random() < 0.8 else ["IADD3 R3, R2, R2, RZ"]
    elif rng.random() < 0.2:
        begin = rng.choice([["S2R R3, SR_TID.X"], [f"LDC R3, c[0x0][{ARGUMENT:#x}]"]])
    if which != "begins":
        prelude, limit = [f"VIADD R4, R2, {near():#x}"], "R4"
        if rng.random() < 0.4:
            prelude, limit = [], "R2"
    step, test = loop("R3", inner_up, limit)
    lines = [first, f"ULDC UR4, c[0x0][{ARGUMENT:#x}]", "MOV R7, RZ"]
    outermost = rng.random() < 0.3
    if outermost:  # the whole nest three times
        lines += ["Lall:", *rng.choice([[], [first]])]
    lines += ["MOV R6, RZ", "Louter:"]
    if rng.random() < 0.4:
        lines += [outer_test.replace("P0", "P5"), "@!P5 BRA Lout"]
    middle = rng.random() < 0.2
    if middle:
        lines += ["MOV R8, RZ", "Lmiddle:"]
    lines += [*prelude, *begin]
    if rng.random() < 0.6:
        lines += [test.replace("P0", "P6"), "@!P6 BRA Lnext"]
    if rng.random() < 0.2:
        lines += [*loaded, "@P4 BRA Lnext"]
    lines.append("L:")
    if rng.random() < 0.3:
        lines += [*loaded, f"@P4 BRA {rng.choice(['Lnext', 'Lnext', 'Lout'])}"]
    if rng.random() < 0.15:
        lines.append(rng.choice(["VIADD R2, R2, 0x1", "@P4 VIADD R2, R2, 0xffffffff", "VIADD R4, R4, 0x1", "@P4 VIADD R3, R3, 0x1"]))
    lines += [step, test, "@P0 BRA L", "Lnext:"]
    if middle:
        lines += rng.choice([["VIADD R8, R8, 0x1", "ISETP.LT.AND P0, PT, R8, 0x3, PT", "@P0 BRA Lmiddle"], ["VIADD R8, R8, 0x1", "ISETP.LT.AND P0, PT, R8, 0x3, PT", "@P0 BRA L"],
                             [*loaded, "VIADD R8, R8, 0x1", "ISETP.LT.AND P0, PT, R8, 0x3, P4", "@P0 BRA Lmiddle"]])
    if rng.random() < 0.15:
        lines += [*loaded, "@P4 " + outer_step]
    else:
        lines.append(outer_step)
    if rng.random() < 0.15:
        lines += [*loaded, "@P4 " + rng.choice([outer_step, "VIADD R2, R2, 0x1", "MOV R2, RZ"])]
    if rng.random() < 0.3:  # the turns are counted in a register of their own
        outer_test = f"ISETP.LT.U32.AND P0, PT, R6, {1 + number(50):#x}, PT"
    lines += ["VIADD R6, R6, 0x1", outer_test, "@P0 BRA Louter"]
    if outermost:
        lines += ["VIADD R7, R7, 0x1", "ISETP.LT.AND P0, PT, R7, 0x3, PT", "@P0 BRA Lall"]
    return lines + ["Lout:", "EXIT"]


def turns_in_all(code, inner, outer, rng):
    """How often a thread comes back to the inner header at most each time that it comes to the outer one from before it."""
    thread, at, back, most = Thread(rng), 0, 0, 0
    for _ in range(STEPS):
        target = thread.execute(code[at // 16])
        if target == -1:
            break
        back += target == inner and at >= inner
        most, before, at = max(most, back), at, at + 16 if target is None else target
        back = 0 if at == outer and before < outer else back
    return most


def hunt_nests():
    """(loops whose turns in all turns of another one are known, what exceeded that); of a faulty analysis up to the first that did."""
    found, closest, exceeded = 0, 0, []
    for system in range(-len(NESTS), SYSTEMS // 2):
        rng, nests = random.Random(f"nest {SEED} {system}"), {}
        lines = draw_nest(rng) if system >= 0 else [*[*NESTS.values()][system][0], "EXIT"]
        code, _ = listing(lines), run(lines, nests=nests)
        for header, (outer, in_all) in nests.items():
            most = max(turns_in_all(code, header, outer, rng) for _ in range(12))
            found, closest = found + 1, closest + (most == in_all)
            if most > in_all:
                exceeded.append(f"{most} for {in_all}:\n" + "\n".join(lines))
        if PLANTED and exceeded:
            break
    return found, closest, exceeded


def hunt():
    """(loops with a bound, what exceeded one); of a faulty analysis up to the first that did."""
    found, exceeded = 0, []
    for system in range(-len(EXECUTED), SYSTEMS):
        rng = random.Random(f"{SEED} {system}")
        lines = draw(rng) if system >= 0 else [*BY_HAND[EXECUTED[system]][0], *BY_HAND[EXECUTED[system]][1], "EXIT"]
        code, (bounds, said) = listing(lines), run(lines)
        for header, bound in (bounds or {}).items():
            found += 1
            most = max(turns(code, header, rng) for _ in range(60))
            if most > bound:
                exceeded.append(f"{most} for {bound}:\n" + "\n".join(lines))
        if PLANTED and exceeded:
            break
    return found, exceeded


def source(line, file="/home/x/src/sum.cu", more=""):
    return f'//## File "{file}", line {line}{more}'


# Two loops of one line, of which the code bounds the first only, and one of another line.
COPIES = [source(3), "MOV R2, RZ", "L1:", source(6), "IADD3 R2, R2, 0x1, RZ", source(5), "ISETP.LT.AND P0, PT, R2, 0xa, PT", "@P0 BRA L1",
          "L2:", source(2, "/home/x/src/add.cuh", ' inlined at "/home/x/src/sum.cu", line 6'), source(6), "LDG.E R5, desc[UR4][R8.64]",
          source(5), "ISETP.NE.AND P0, PT, R5, RZ, PT", "@P0 BRA L2", "L3:", source(9), "LDG.E R5, desc[UR4][R8.64]", "ISETP.NE.AND P0, PT, R5, RZ, PT",
          "@P0 BRA L3", source(11), "EXIT"]


class LoopLines(unittest.TestCase):
    def test_asked(self):
        """Each loop without a bound is asked for by its line, with a place for each loop of the line."""
        bounds, said = run(COPIES, words="")
        self.assertIsNone(bounds)
        self.assertIn('<loop at="/home/x/src/sum.cu:5" bounds="- ..."/>, for the loop with header "b0040"; there is none [loop-unbounded]', said)
        self.assertIn('<loop at="/home/x/src/sum.cu:9" bounds="..."/>, for the loop with header "b0070"', said)
        bounds, said = run(COPIES, words='<loop at="sum.cu:9" bounds="7"/>')
        self.assertNotIn("sum.cu:9", said)

    def test_served(self):
        """Loads of one line of the source that are said to hit."""
        loads = [source(5), "LDG.E R5, desc[UR4][R8.64]", source(9), "LDG.E R6, desc[UR4][R8.64]", "EXIT"]
        for at, code in (("sum.cu:5", 0), ("src/sum.cu:9", 0), ("sum.cu:6", 3)):
            with tempfile.TemporaryDirectory() as folder:
                write(pathlib.Path(folder), loads, f'<served from="l2" at="{at}" source="x" by="x"/>')
                path = pathlib.Path(folder) / "a.xml"
                path.write_text(path.read_text().replace("<sass", '<cost class="load-l2" latency="7" occupancy="1" source="x" by="x"/><sass', 1))
                result = subprocess.run([GPUBOUND, "wcet", "--format=xml", path], capture_output=True, text=True, timeout=60)
                self.assertEqual((result.returncode, result.stdout.count('class="load-l2"'), "served-nothing" in result.stderr), (code, code == 0, code > 0), result.stderr)

    def test_many(self):
        """A line with more loops than a message lists."""
        many = [line for i in range(40) for line in (f"L{i}:", source(5), "LDG.E R5, desc[UR4][R8.64]", "ISETP.NE.AND P0, PT, R5, RZ, PT", f"@P0 BRA L{i}")]
        bounds, said = run([*many, "EXIT"], words="")
        self.assertIn('a bound, <loop header="b0750" bound="..."/>, for', said)
        bounds, said = run([*many, "EXIT"], words=f'<loop at="sum.cu:5" bounds="{" ".join(map(str, range(40)))}"/>')
        self.assertEqual([bounds[header] for header in sorted(bounds)], list(range(40)), said)

    def test_stated(self):
        for at in ("/home/x/src/sum.cu", "src/sum.cu", "sum.cu"):
            bounds, said = run(COPIES, words=f'<loop at="{at}:5" bounds="- 20"/><loop at="{at}:9" bounds="7"/>')
            self.assertEqual(bounds, {0x10: 9, 0x40: 20, 0x70: 7}, said)
        bounds, said = run(COPIES, words='<loop at="sum.cu:5" bounds="3 20"/><loop header="b0070" bound="7"/>')
        self.assertEqual(bounds, {0x10: 3, 0x40: 20, 0x70: 7}, said)

    def test_refused(self):
        for words, code in (('at="sum.cu:5" bounds="20"', "loop-copies"), ('at="sum.cu:5" bounds="1 2 3"', "loop-copies"),
                            ('at="sum.cu:6" bounds="1"', "loop-unknown"), ('at="um.cu:5" bounds="1 2"', "loop-unknown"),
                            ('at="sum.cu:5" bound="1"', "loop-copies"), ('header="b0040" bounds="1"', "loop-copies"),
                            ('header="b0040" at="sum.cu:5" bounds="1 2"', "loop-copies"), ('at="sum.cu:5" bounds="1 x"', "schema-violation"),
                            ('at="sum.cu:5" bounds="1 2"/><loop header="b0040" bound="2"', "duplicate-id")):
            with self.subTest(words), tempfile.TemporaryDirectory() as folder:
                write(pathlib.Path(folder), COPIES, f"<loop {words}/>")
                result = PROGRAM.run(["wcet", f"{folder}/a.xml"], text=True)
                self.assertEqual((result.returncode, result.stdout), (3, ""), result.stderr)
                self.assertIn(f"[{code}]", result.stderr)

    def test_lines(self):
        """By hand, at 20 cycles an instruction: the loop of line 5 turns 10 times, its copy 21 times, that of line 9 8 times."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            write(root, COPIES, '<loop at="sum.cu:5" bounds="- 20"/><loop at="sum.cu:9" bounds="7"/>')
            (root / "sum.cu").write_text("".join(f"line {number}\n" for number in range(1, 21)))
            (root / "add.cuh").write_text("first\n\tsecond\x1b[31m\n")
            by_hand = {("add.cuh", 2): 21, ("sum.cu", 3): 1, ("sum.cu", 5): 2 * 10 + 2 * 21, ("sum.cu", 6): 10, ("sum.cu", 9): 3 * 8, ("sum.cu", 11): 1}
            result = PROGRAM.run(["wcet", "--format=xml", root / "a.xml"], text=True)
            lines = {(line.get("file").split("/")[-1], int(line.get("number"))): (int(line.get("instructions")), int(line.get("cycles")))
                     for line in ElementTree.fromstring(result.stdout).iter("{urn:gpubound:wcet:1}line")}
            self.assertEqual(lines, {place: (count, 20 * count) for place, count in by_hand.items()})
            sources = [f"--source={root}/{name}" for name in ("sum.cu", "add.cuh")]
            result = PROGRAM.run(["wcet", "--annotate", *sources, "--svg", root / "a.svg", root / "a.xml"], text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stdout, r"(?m)^ +62 +1240 +5  line 5$")
            self.assertRegex(result.stdout, r"(?m)^ +21 +420 +2          second\?\[31m$")
            self.assertRegex(result.stdout, r"(?m)^ +13  line 13$")
            self.assertNotRegex(result.stdout, r"(?m)^ +14  line 14$")
            self.assertRegex(result.stdout, r"(?m)^sum.cu:5 +62 +1240$")
            self.assertLessEqual(max(map(len, result.stdout.splitlines())), 80)
            self.assertIn("sum.cu:5: 62 instructions, 1240 cycles", (root / "a.svg").read_text())
            result = PROGRAM.run(["wcet", "--annotate", sources[1], root / "a.xml"], text=True)
            self.assertEqual((result.returncode, result.stdout), (3, ""))
            self.assertIn("/home/x/src/sum.cu: error:", result.stderr)
            write(root, [line for line in COPIES if not line.startswith("//")], '<loop header="b0040" bound="1"/><loop header="b0070" bound="1"/>')
            result = PROGRAM.run(["wcet", "--annotate", root / "a.xml"], text=True)
            self.assertIn("[source-unknown]", result.stderr)

    def test_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            write(root, COPIES, '<loop at="sum.cu:5" bounds="- 20"/><loop at="sum.cu:9" bounds="7"/>')
            (root / "t.xml").write_text(TASKSET)
            PROGRAM.run(["analyze", "--quiet", "-o", root / "r.xml", root / "t.xml"])
            self.assertIn("its copies come back at most - 20 times", (root / "r.xml").read_text())
            result = PROGRAM.run(["verify", root / "r.xml"], text=True)
            self.assertEqual(result.returncode, 0, result.stderr)


class LoopTurns(unittest.TestCase):
    def test_by_hand(self):
        for name, (before, loop, bound) in BY_HAND.items():
            with self.subTest(name):
                bounds, said = run([*before, *loop, "EXIT"])
                self.assertEqual(None if bounds is None else list(bounds.values()), bound if bound is None or isinstance(bound, list) else [bound], said)

    def test_asked(self):
        before, loop, _ = BY_HAND["argument"]
        bounds, said = run([*before, *loop, "EXIT"], words="")
        self.assertIsNone(bounds)
        self.assertIn(f"of {ARGUMENT:#x} [loop-unbounded]", said)

    def test_arguments(self):
        for words, code in ((argument(0x222), "argument-impossible"), (argument(least=5, most=4), "argument-impossible"),
                            (argument(most=1 << 32), "argument-impossible"), (argument(0x0, 65, 70), "argument-impossible"),
                            (argument() * 2, "duplicate-id")):
            with tempfile.TemporaryDirectory() as folder:
                write(pathlib.Path(folder), ["EXIT"], words)
                result = PROGRAM.run(["wcet", f"{folder}/a.xml"], text=True)
                self.assertEqual((result.returncode, result.stdout), (3, ""))
                self.assertIn(f"[{code}]", result.stderr)

    def test_forged(self):
        """Every number, register and block of what certifies a bound, changed: verify does not accept it, or the statement is a weaker one."""
        for name in ("argument", "blocks", "moved", "uniform", "halved", "shifted", "doubled", "remainder", "both ways", "64 bits, left", "compared before", "multiple, masked",
                     "multiple, with a rest", "multiple, less its rest, tested in another block", "multiple, one of two predicates, each made", "multiple, of what is made once, tested behind it", "behind a loop, down", "a word less another, tested"):
            before, loop, _ = BY_HAND[name]
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                report = self.analyzed(root, [*before, *loop, "EXIT"])
                turns = re.search(r"(?s)<turns>.*?</turns>", report)[0]
                bound, turns_test = re.search(r' bound="(\d+)"', turns)[0], re.search(r' test="\w+"', turns)[0]
                lower = f' bound="{int(bound[8:-1]) - 1}"'
                self.assertNotEqual(self.verify(root, report.replace(turns, turns.replace(bound, lower))), 0)
                narrower = 0
                for found in re.finditer(r'<(?:range|from) [^>]*?least="(-?\d+)" most="(-?\d+)"', turns):
                    least, most = map(int, found.groups())
                    for changed in ((least + 1, most), (least, most - 1)) if least < most else ((least + 1, most + 1), (least - 1, most - 1)):
                        text = found[0].replace(f'least="{least}" most="{most}"', f'least="{changed[0]}" most="{changed[1]}"')
                        narrower += self.verify(root, report.replace(found[0], text, 1)) != 0
                if "<range" in turns or "<from" in turns:
                    self.assertGreater(narrower, 0)
                rests = [found.groups() for found in re.finditer(r'( modulus="(\d+)" rest="(\d+)")', turns)]
                self.assertTrue(rests or "multiple" not in name)
                for text, modulus, rest in rests if "multiple" in name else []:
                    for changed in (f' modulus="{int(modulus) * 2}" rest="{rest}"', f' modulus="{modulus}" rest="{int(rest) ^ 1}"', ' modulus="3" rest="0"', ""):
                        self.assertNotEqual(self.verify(root, report.replace(turns, turns.replace(text, changed))), 0, changed)
                functions = [found.groups() for found in re.finditer(r'( function="(0x220.*?)")', turns)]
                self.assertTrue(functions or "less its rest" not in name)
                for text, function in functions if "less its rest" in name else []:
                    for changed in ("0x224" + function[5:], function + " plus 1", function.replace("0x220", "0x220 plus 1"), function + " high 3"):
                        self.assertNotEqual(self.verify(root, report.replace(turns, turns.replace(text, f' function="{changed}"'))), 0, changed)
                implied = re.findall(r"<implied .*?/>", turns)
                self.assertEqual(bool(implied), "two predicates" in name)
                for text in implied:
                    least = re.search(r'least="(-?\d+)"', text)
                    forged = [text.replace(f' least="{least[1]}"', f' least="{int(least[1]) + 8}"'), text.replace('"R2"', '"R6"'),
                              re.sub(' least=.*"', "", text)] if least else [text.replace('"P0"', '"P1"'), ""]
                    for changed in forged:
                        self.assertNotEqual(self.verify(root, report.replace(turns, turns.replace(text, changed, 1))), 0, text + changed)
                for attribute in ("counter", "test", "header", "compared"):
                    old = re.search(rf' {attribute}="(\w+)"', turns)
                    if old is None:
                        self.assertEqual((attribute, "compared" in name), ("compared", False))
                        continue
                    old = old[0]
                    if attribute == "compared":
                        for other in ("", turns_test.replace("test", "compared")):
                            self.assertNotEqual(self.verify(root, report.replace(turns, turns.replace(old, other))), 0)
                    self.assertNotEqual(self.verify(root, report.replace(turns, turns.replace(old, f' {attribute}="R77"'))), 0)

    def test_forged_once(self):
        """What an instruction makes once is that instruction's, and what another one makes is another word."""
        before, loop, _ = BY_HAND["multiple, of what is made once, tested behind it"]
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            report = self.analyzed(root, [*before, *loop, "EXIT"])
            own = '        <once at="0"/>\n'
            self.assertEqual(report.count(own), 1)

            def forged(*numbers):
                return self.verify(root, report.replace(own, "".join(own.replace("0", str(number)) for number in numbers)))
            self.assertEqual([forged(0), forged(0, 1)], [0, 0])
            for numbers in ((), (1,), (2,), (6,), (900,), (999999999,), *((0, number) for number in (6, 7, 8))):  # from 6 on in the loop
                self.assertNotEqual(forged(*numbers), 0, numbers)

    def test_never(self):
        """Where no word of the range leaves the rest control never comes, and verify says no more of it than the analysis."""
        before, loop, _ = BY_HAND["never again"]
        with tempfile.TemporaryDirectory() as folder:
            self.analyzed(pathlib.Path(folder), [*before, *loop, "EXIT"])

    def test_forged_moves(self):
        """What a loop has moved a register by at most is derived from its bound: a range at its header that is narrower by one is refused."""
        before, loop, _ = BY_HAND["behind a loop, twice a turn"]
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            report = self.analyzed(root, [*before, *loop, "EXIT"])
            stated = '<range block="b0040" register="R2" least="-3072" most="63"'
            self.assertEqual(report.count(stated), 1)
            for changed in (stated.replace("3072", "3071"), stated.replace("63", "62"), stated.replace("-3072", "0")):
                self.assertNotEqual(self.verify(root, report.replace(stated, changed)), 0, changed)

    def test_redefined(self):
        """The counter is written where its predicate is false already, which changes nothing of that; the report of this code, put to code that writes it where
        the predicate may be true, is refused."""
        before, loop, _ = BY_HAND["multiple, one of two predicates, made before"]
        code, kept = [*before, *loop, "EXIT"], "VIADD R6, R6, 0x1"
        for written, code_of_it in (("VIADD R7, R7, 0x1", 0), ("MOV R2, R8", 1), ("VIADD R2, R2, 0x1", 1), ("@P3 MOV R2, R8", 1),
                                    ("IMAD.SHL.U32 R2, R8, 0x4, RZ", 1), ("@P3 LOP3.LUT R2, R8, 0xfffffffc, RZ, 0xc0, !PT", 1)):
            with self.subTest(written), tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                report = self.analyzed(root, code)
                hashes = [hashlib.sha256((root / f"a.{kind}").read_bytes()).hexdigest() for kind in ("xml", "sass", "cubin")]
                self.assertIn("<implied", report)
                write(root, [written if line == kept else line for line in code], argument())
                for old, kind in zip(hashes, ("xml", "sass", "cubin")):
                    changed = (root / f"a.{kind}").read_bytes()
                    report = re.sub(f'bytes="[0-9]+" sha256="{old}"', f'bytes="{len(changed)}" sha256="{hashlib.sha256(changed).hexdigest()}"', report)
                self.assertEqual(self.verify(root, report), code_of_it)

    def report(self, root, code):
        """Of a task set with the program; empty: analyze refuses it."""
        write(root, code, argument())
        (root / "t.xml").write_text(TASKSET)
        PROGRAM.run(["analyze", "--quiet", "-o", root / "r.xml", root / "t.xml"])
        return (root / "r.xml").read_text() if (root / "r.xml").exists() else ""

    def analyzed(self, root, code):
        """The report of a task set with the program, which verify accepts."""
        report = self.report(root, code)
        self.assertEqual(self.verify(root, report), 0)
        return report

    def verify(self, root, report):
        (root / "forged.xml").write_text(mended(report))
        return PROGRAM.run(["verify", "--without-prose", root / "forged.xml"]).returncode

    def test_drawn_verified(self):
        """verify derives each bound of a drawn loop again."""
        verified = 0
        for system in range(SYSTEMS):
            lines = draw(random.Random(f"verified {SEED} {system}"))
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                report = self.report(root, lines)
                verified += report != ""
                self.assertEqual(self.verify(root, report) if report else 0, 0, "\n".join(lines))
        self.assertGreater(verified, SYSTEMS // 40)

    def test_nests(self):
        """The linear program has the row: a worst path comes back to the inner header so often."""
        for name, (lines, in_all) in NESTS.items():
            with self.subTest(name):
                nests = {}
                bounds, said = run([*lines, "EXIT"], nests=nests)
                self.assertEqual([found for _, found in nests.values()], [in_all] if in_all is not None else [], said)
                for header in nests:
                    chain = ElementTree.fromstring(said).find("{urn:gpubound:wcet:1}chain")
                    back = [edge.get("count") for edge in chain.iter("{urn:gpubound:wcet:1}edge") if edge.get("to") == f"b{header:04x}" and int(edge.get("from")[1:], 16) >= header]
                    self.assertEqual(back, [str(in_all)])

    def test_nests_forged(self):
        """Less turns in all, another loop or counter, and other words from it: verify accepts none."""
        for name in ("from the counter up", "up to the counter", "down to the counter", "until it is different", "the outer one down, to the counter", "down from any thread's index"):
            lines, in_all = NESTS[name]
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                report = self.analyzed(root, [*lines, "EXIT"])
                nest = re.search(r'(?s)<nest within="(\w+)" counter="(\w+)" in-all="(\d+)".*?(?:</nest>|/>)', report)
                forged = [nest[0].replace(f'in-all="{in_all}"', f'in-all="{less}"') for less in (in_all - 1, 0, 1)]
                forged += [nest[0].replace(f'within="{nest[1]}"', f'within="{other}"') for other in ("b0000", re.search(r'<turn header="(\w+)"[^>]*>(?:(?!</turn>).)*<nest', report, re.S)[1])]
                forged += [nest[0].replace(f'counter="{nest[2]}"', f'counter="{other}"') for other in ("R3", "R77")]
                for found in re.finditer(r'least="(-?\d+)" most="(-?\d+)"', nest[0]):
                    forged.append(nest[0].replace(found[0], f'least="{int(found[1]) + 1}" most="{int(found[2]) + 1}"'))
                for changed in ["", *forged]:  # without the row the multipliers prove less
                    self.assertNotEqual(self.verify(root, report.replace(nest[0], changed)), 0, changed)

    def test_nests_of_other_code(self):
        """The report of a nest, put to code in which the inner loop is entered again, or the counter may stand still, is refused."""
        same = nest(begin=["MOV R3, R2", "MOV R6, RZ"], again=[*LOADED, "@!P4 BRA Lmove", "VIADD R6, R6, 0x1", "Lmove:"])
        for was, written in (("@!P4 BRA Lmove", "@!P4 BRA L"), ("VIADD R2, R2, 0x1", "@P4 VIADD R2, R2, 0x1"), ("MOV R3, R2", "@P3 MOV R3, R2")):
            with self.subTest(written), tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                report = self.analyzed(root, [*same, "EXIT"])
                self.assertIn("<nest", report)
                hashes = [hashlib.sha256((root / f"a.{kind}").read_bytes()).hexdigest() for kind in ("xml", "sass", "cubin")]
                write(root, [written if line == was else line for line in [*same, "EXIT"]], argument())
                for old, kind in zip(hashes, ("xml", "sass", "cubin")):
                    changed = (root / f"a.{kind}").read_bytes()
                    report = re.sub(f'bytes="[0-9]+" sha256="{old}"', f'bytes="{len(changed)}" sha256="{hashlib.sha256(changed).hexdigest()}"', report)
                self.assertNotEqual(self.verify(root, report), 0)

    def test_nests_drawn(self):
        found, closest, exceeded = hunt_nests()
        self.assertEqual(exceeded, [])
        self.assertGreater(found, len([in_all for _, in_all in NESTS.values() if in_all is not None]) + SYSTEMS // 20)
        self.assertGreater(closest, found // 4)

    def test_nests_drawn_verified(self):
        verified = 0
        for system in range(SYSTEMS // 4):
            lines = draw_nest(random.Random(f"nest verified {SEED} {system}"))
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                report = self.report(root, lines)
                verified += "<nest" in report
                self.assertEqual(self.verify(root, report) if report else 0, 0, "\n".join(lines))
        self.assertGreater(verified, SYSTEMS // 50)

    def test_drawn(self):
        found, exceeded = hunt()
        self.assertEqual(exceeded, [])
        self.assertGreater(found, SYSTEMS // 12)


if __name__ == "__main__":
    if PLANTED:
        found, *_, exceeded = hunt_nests() if PLANTED[1] in ("goes-around", "stands-still") else hunt()
        print(f"{PLANTED[1]}: {found} bounds, exceeded: {exceeded}")
        sys.exit(0 if exceeded else 1)
    unittest.main(argv=sys.argv[:1])
