"""Programs that gave bounds below what an H100 took, and code that must not be believed: tests/attacks/wcet/README.

usage: wcet.py GPUBOUND SOURCE_ROOT
"""
import csv
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import cubin as binaries  # noqa: E402
import served  # noqa: E402

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
PROGRAM = served.Program(GPUBOUND)
CASES = ROOT / "tests" / "attacks" / "wcet"
SPACE = "{urn:gpubound:wcet:1}"
INVALID = 3

# What probe/warps.cu measured on an H200 (doc/silicon.md, What warps cost); memory made up. Class: latency, occupancy, whose the unit is.
MEASURED = {"fp32": (4, 2, "partition"), "int32": (5, 3, "partition"), "fp64": (9, 3, "partition"), "sfu": (18, 10, "partition"),
            "tensor": (9, 3, "partition"), "load": (1000, 4, "sm"), "store": (1000, 4, "sm"), "shared": (24, 2, "sm"), "branch": (16, 2, "partition"),
            "barrier": (16, 3, "sm")}
# The families of which attack.cu measured one (doc/silicon.md, Families), and others of the same kernels, made up.
FAMILIES = {"match": (369, 369, "sm"), "redux": (44, 44, "sm"), "vote": (16, 16, "sm"), "hmma": (25, 7, "partition"), "dmma": (26, 26, "sm"),
            "conflict": (5, 2, "sm"), "rare": (10, 10, "sm"), "bits": (19, 19, "sm"), "convert64": (19, 19, "sm"), "special": (34, 34, "sm"),
            "shuffle": (24, 2, "sm"), "atomic-shared": (27, 27, "sm"), "constant": (14, 2, "sm"), "uniform": (20, 20, "sm"), "half": (9, 3, "partition"),
            "convert": (19, 19, "sm"), "atomic": (1000, 4, "sm")}
# Of these kernels' classes the platform model has no cost.
NOT_MODELLED = {name: {**MEASURED, **FAMILIES}[name] for name in ("load", "store", "constant", "uniform", "atomic", "atomic-shared", "rare")}
SHARED = '<shared conflicts="{}" source="made up" by="the test"/>'
# Of each kernel the family whose cost the old classes did not have, and its first instruction.
FAMILY = {"k_match": ("match", "MATCH.ANY"), "k_redux": ("redux", "REDUX.SUM"), "k_ballot": ("vote", "VOTE.ANY"), "k_hmma": ("hmma", "HMMA.16816.F32"),
          "k_dmma": ("dmma", "DMMA.8x8x4"), "k_conflict": ("conflict", "LDS"), "k_mulhi": ("rare", "IMAD.HI.U32"), "k_popc": ("bits", "POPC"),
          "k_f2d": ("convert64", "F2F.F64.F32"), "k_clock": ("special", "S2R"), "k_shfl": ("shuffle", "SHFL.BFLY"), "k_atomsnc": ("atomic-shared", "ATOMS.ADD")}


def costs(table):
    return "".join(f'<cost class="{name}" latency="{latency}" occupancy="{occupancy}" per="{per}" group="{name}" source="x" by="x"/>'
                   for name, (latency, occupancy, per) in table.items())


class Case:
    """A function of a disassembly, with what its program declares."""

    def __init__(self, sass, function="f", declared=None, before="", after="", threads=32, cubin=None, platform="h200", loops="", target=90, modelled=True):
        self.sass, self.function = sass, function
        self.binary = binaries.make(sass, function, target) if cubin is None else cubin
        self.head = f'<program xmlns="urn:gpubound:program:1" id="p" platform="{platform}" threads="{threads}" unlisted="uniform">'
        self.modelled = modelled
        self.costs = costs({**MEASURED, **FAMILIES} if declared is None else declared)
        self.before, self.after, self.loops, self.bounds = before, after, loops, []

    def xml(self):
        files = f'<sass file="a.sass" sha256="{digest(self.sass.encode())}" cubin="a.cubin" cubin-sha256="{digest(self.binary)}" function="{self.function}"/>'
        bounds = "".join(f'<loop header="{header}" bound="63" uniform="true"{self.loops}/>' for header in self.bounds)
        return f"{self.head}{self.costs}{self.before}\n{files}\n{self.after}{bounds}</program>\n"

    def run(self, *words):
        """Bounds all loops at 63 ways back, as the sources have them at most."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "a.sass").write_text(self.sass)
            (root / "a.cubin").write_bytes(self.binary)
            (root / "bare.xml").write_text(re.sub(r"(?s)<pipelines.*</pipelines>", "", (ROOT / "models" / "h200.xml").read_text()).replace('id="h200"', 'id="bare"', 1))
            words = (*words, *(() if self.modelled else (f"--platform={root / 'bare.xml'}",)))
            while True:
                (root / "a.xml").write_text(self.xml())
                result = PROGRAM.run(["wcet", *words, str(root / "a.xml")], text=True)
                more = [header for header in re.findall(r'header "(\w+)"; there is none \[loop-unbounded\]', result.stderr) if header not in self.bounds]
                if not more:
                    return result
                self.bounds += more


def digest(content):
    return hashlib.sha256(content).hexdigest()


def code(*instructions):
    """A disassembly of these and EXIT, as cuobjdump has it."""
    lines = [f"        /*{16 * i:04x}*/                   {text} ;" for i, text in enumerate((*instructions, "EXIT"))]
    return "\tcode for sm_90\n\t\tFunction : f\n" + "\n".join(lines) + "\n\t\t..........\n"


def bounds(result):
    return int(ElementTree.fromstring(result.stdout).get("cycles"))


def line_of(sass, text):
    return sass[:sass.index(text)].count("\n") + 1


ATTACK = (CASES / "attack.sm_90.sass").read_text()
KERNELS = re.findall(r"Function : (\w+)", ATTACK)
NOP = code("NOP")

# (instructions, elements behind <sass>, the code, a part of the message): a wait that <opcode> made an instruction like another.
WAITS = [("UCGABAR_WAIT", "UCGABAR_WAIT"), ("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2", "SYNCS"), ("ACQBULK", "ACQBULK"), ("NANOSLEEP 0x20", "NANOSLEEP"),
         ("USETMAXREG.DEALLOC.CTAPOOL 0x28", "USETMAXREG")]

# (the disassembly, the code, a part of the message)
UNREADABLE = [
    ((CASES / "gap.sass").read_text(), "sass-gap", "0x0010 in line 9 of the disassembly; got 0x0110"),
    ((CASES / "hidden-line.sass").read_text(), "sass-malformed", "line 9"),
    ((CASES / "target-sm75.sass").read_text(), "sass-target", "expected code for sm_90"),
    ((CASES / "target-sm100.sass").read_text(), "sass-target", "got sm_100"),
    ((CASES / "twice.sass").read_text(), "sass-twice", "line 5, another in line 13"),
    ((CASES / "predbar.sass").read_text(), "sass-control", "line 7, BAR.SYNC.DEFER_BLOCKING: threads whose predicate is false"),
    (NOP.replace("\tcode for sm_90\n", ""), "sass-target", "got no target"),
    (NOP.replace("/*0000*/", "/*0010*/").replace("/*0010*/                   EXIT", "/*0020*/                   EXIT"), "sass-gap", "0x0000"),
    (NOP.replace("NOP ;", "NOP ; MATCH.ANY R0, R0 ;"), "sass-malformed", "behind the semicolon"),
    (NOP.replace("\t\t..", "        MATCH.ANY R0, R0 ;\n\t\t.."), "sass-malformed", "line 5"),
    (code(".L_x_0:").replace("        /*0000*/                   .L_x_0: ;", ".L_x_0:\n.L_x_0:").replace("/*0010*/", "/*0000*/"), "sass-malformed", "label"),
    (code("BAR.ARV 0x0"), "sass-control", "not one of the whole block"),
    (code("BAR.RED.AND.DEFER_BLOCKING 0x0, 0x40, P0"), "sass-control", "not one of the whole block"),
    (code("BAR.RED.AND.DEFER_BLOCKING 0x1, P0"), "sass-control", "not one of the whole block"),
    (code("BAR.RED.AND.DEFER_BLOCKING R2, P0"), "sass-control", "not one of the whole block"),
    (code("@P1 BAR.RED.AND.DEFER_BLOCKING 0x0, P0"), "sass-control", "threads whose predicate is false"),
]


class Attacks(unittest.TestCase):
    def refused(self, case, status_code, message):
        result = case.run()
        self.assertEqual((result.returncode, result.stdout), (INVALID, ""), (status_code, message, result.stderr))
        self.assertIn(f"[{status_code}]", result.stderr)
        self.assertIn(message, result.stderr)
        self.assertRegex(result.stderr, r"a\.xml:", status_code)

    def test_families_refused(self):
        """With the costs that were measured of other families each is refused: its instruction, the line, the element to add."""
        for kernel, (family, instruction) in FAMILY.items():
            others = {name: cost for name, cost in {**MEASURED, **FAMILIES}.items() if name != family}
            body = ATTACK[ATTACK.index(f"Function : {kernel}\n"):]
            line = line_of(ATTACK, f"Function : {kernel}\n") + line_of(body, f" {instruction} ") - 1
            self.refused(Case(ATTACK, kernel, others, SHARED.format(32), loops=' polls="true"', modelled=False), "cost-undeclared",
                         f'expected <cost class="{family}" latency="..." occupancy="..." source="..." by="..."/> for {instruction}, line {line} of the')

    def test_degree_unknown(self):
        """Without a declared degree an access whose address is not understood takes 32 passes, whatever its width."""
        for text in ("LDS R4, [R2]", "LDS.64 R4, [R2]", "LDS.128 R4, [R2]", "LDSM.16.M88 R4, [R2]"):
            result = Case(code(text), declared={**MEASURED, **FAMILIES, "ldsm": (24, 2, "sm")}).run("--format=xml")
            self.assertEqual((bounds(result), result.stderr), (24 + 31 * FAMILIES["conflict"][0] + 16, ""), text)

    def test_measured(self):
        """With the costs of its own family no kernel takes longer than its bound, declared or of the platform model."""
        for declared in ({**MEASURED, **FAMILIES}, NOT_MODELLED):
            self.hold(declared)

    def hold(self, declared):
        checked = 0
        for row in csv.reader(line for line in (CASES / "measured.csv").read_text().splitlines() if not line.startswith("#")):
            kernel, threads, took = row[0], int(row[1]), int(row[2])
            if kernel not in KERNELS or kernel == "k_predbar":
                continue
            result = Case(ATTACK, kernel, declared, before=SHARED.format(32 if kernel == "k_conflict" else 1), threads=threads, loops=' polls="true"').run("--format=xml")
            self.assertEqual((result.returncode, result.stderr), (0, ""), kernel)
            self.assertGreaterEqual(bounds(result), took, kernel)
            checked += 1
        self.assertEqual(checked, len(KERNELS))  # k_lds128 twice, k_predbar never

    def test_conflicts(self):
        """Of degree d, 32 d bits at a time: each pass beyond the first is charged."""
        access = "LDS.128 R4, [R2]"
        for degree, text, passes in ((1, "LDS R4, [R2]", 0), (32, "LDS R4, [R2]", 31), (1, "LDS.64 R4, [R2]", 1), (1, access, 3), (2, access, 7),
                                     (1, "LDSM.16.M88.4 R4, [R2]", 3), (2, "STS.U8 [R2], R4", 1)):
            declared = {**MEASURED, **FAMILIES, "ldsm": (24, 2, "sm")}
            result = Case(code(text), before=SHARED.format(degree), declared=declared).run("--format=xml")
            self.assertEqual(result.stderr, "", text)
            self.assertEqual(bounds(result), 24 + passes * FAMILIES["conflict"][0] + 16, text)

    def test_constants(self):
        """An operand that is a constant is a read of one; a descriptor is none."""
        for text, cycles in (("IMAD R0, R1, c[0x0][0x160], R2", 5 + 14), ("FADD R0, R1, cx[UR4][0x10]", 4 + 14), ("FADD R0, R1, -c[0x2][R3]", 4 + 14),
                             ("LDG.E R0, desc[UR4][R2.64]", 1000), ("LDC R0, c[0x0][0x28]", 14)):
            self.assertEqual(bounds(Case(code(text)).run("--format=xml")), cycles + 16, text)

    def test_fetch(self):
        """Nothing says what a line of code takes to be fetched: that is printed. Where somebody does, each is charged whenever a block passes it."""
        assumed = "instructions are in the instruction cache"
        text = code(*["NOP"] * 12, "@P0 BRA 0x70", "NOP")  # of lines of eight the first block has one, the second two, the third one
        for costs_of, lines in (({}, 0), ({"fetch": (500, 500, "sm")}, 1 + 64 * 2 + 1)):
            case = Case(text, declared={**MEASURED, **costs_of})
            result = case.run("--format=xml")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(bounds(result), 7 * 5 + 64 * (5 * 5 + 16) + 5 + 16 + lines * 500)
            self.assertEqual(assumed in result.stdout, lines == 0)

    def test_predicated_barrier(self):
        self.refused(Case(ATTACK, "k_predbar", threads=64), "sass-control", "threads whose predicate is false do not come to the barrier")
        self.assertEqual(Case(code("@PT BAR.SYNC.DEFER_BLOCKING 0x0")).run().returncode, 0)

    def test_reduction(self):
        """What a barrier of the whole block makes of all predicates, B2R reads; both cost what is declared, and the warp does not split behind it."""
        def case(read, declared):
            one = Case(code("S2R R5, SR_TID.X", "ISETP.EQ.AND P0, PT, R5, 0x3, PT", "BAR.RED.OR.DEFER_BLOCKING 0x0, P0", read, "@P0 BRA 0x60", "FADD R1, R1, R1",
                            "BAR.SYNC.DEFER_BLOCKING 0x0"), threads=64, declared={**MEASURED, **FAMILIES, **declared})
            one.head = one.head.replace("uniform", "divergent")
            return one
        self.assertEqual([bounds(case("B2R.RESULT RZ, P0", {"rare": (latency, 1, "sm")}).run("--format=xml")) - latency for latency in (100, 900)],
                         [bounds(case("B2R.RESULT RZ, P0", {"rare": (200, 1, "sm")}).run("--format=xml")) - 200] * 2)
        self.refused(case("MOV R7, RZ", {"rare": (100, 1, "sm")}), "divergence-unstructured", "the divergent branch of block")
        self.refused(Case(code("B2R.RESULT RZ, P0"), declared=MEASURED), "cost-undeclared", "rare")

    def test_waits(self):
        for text, name in WAITS:
            self.refused(Case(code(text)), "sass-waits", name)
            self.refused(Case(code(text), after=f'<opcode name="{name}" class="int32"/>'), "sass-waits", f"{name}")
            self.refused(Case(code(text), after=f'<opcode name="{text.split()[0]}" class="int32"/>'), "sass-waits", f"{name}")

    def test_polls(self):
        """A loop on what others write: its bound has to say that it holds for all that they do."""
        for text in ("ATOMS.CAS R4, [R2], R4, R5", "ATOMG.E.EXCH.STRONG.GPU PT, R2, desc[UR4][R2.64], R3", "LDG.E.STRONG.SYS R4, desc[UR4][R2.64]"):
            loop = code(text, "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 BRA 0x0")
            self.refused(Case(loop), "loop-polls", f"{text.split()[0]}, line 3 of the disassembly")
            result = Case(loop, loops=' polls="true"').run()
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("loop b0000: comes back at most 63 times, all warps of a block as often, whatever others write to memory meanwhile",
                          " ".join(result.stdout.split()))

    def test_pairs(self):
        """The addend of IMAD.HI is a pair of registers: what the second one has by thread decides a branch."""
        for name, registers in (("IMAD.HI.U32", "R7, R8, R9, R4"), ("IMAD.HI", "R7, P1, R8, R9, R4"), ("IMAD.HI.U32", "R7, R5, R9, R8"), ("IMAD.HI.U32", "R7, R8, R9, R8")):
            case = Case(code("S2R R5, SR_TID.X", "MOV R4, RZ", "LDC R8, c[0x0][0x210]", "LDC R9, c[0x0][0x214]", f"{name} {registers}",
                             "ISETP.EQ.AND P0, PT, R7, 0x3, PT", "@P0 BRA 0x90", "FADD R1, R1, R1", "BAR.SYNC.DEFER_BLOCKING 0x0"), threads=64)
            case.head = case.head.replace("uniform", "divergent")
            if registers.endswith("R9, R8"):  # (R8, R9) are the warp's
                self.assertEqual(case.run().returncode, INVALID if "R5" in registers else 0, registers)
            else:
                self.refused(case, "barrier-divergent", "a warp may have split")

    def test_generic(self):
        """LD, ST and ATOM may lead to shared memory, with conflicts as of any access to it."""
        for text, passes in (("LDG.E R4, desc[UR4][R2.64]", 1), ("LD.E R4, desc[UR4][R2.64]", 32), ("ST.E.128 desc[UR4][R2.64], R4", 32),
                             ("ATOM.E.ADD R4, desc[UR4][R2.64], R6", 32)):
            result = Case(code(text)).run("--format=xml")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(bounds(result), 1000 + 16 + FAMILIES["conflict"][0] * (passes - 1), text)

    def test_wide(self):
        """Of accesses of 256 bits, two times four registers, it is not known what they write: nothing is claimed of what comes behind them."""
        text = code("S2R R4, SR_CTAID.X", "LDG.E.ENL2.256 R12, R4, desc[UR4][R2.64]", "LDS R2, [R4]")
        self.refused(Case(text), "opcode-unknown", "LDG.E.ENL2.256 (line 4)")
        result = Case(text, after='<opcode name="LDG.E.ENL2.256" class="load"/>').run("--format=xml")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('units="32" space="shared" mnemonic="LDS"', result.stdout)
        self.refused(Case(code("STG.E.ENL2.256 desc[UR4][R2.64], R4, R12")), "opcode-unknown", "STG.E.ENL2.256 (line 3)")

    def test_unreadable(self):
        for sass, status_code, message in UNREADABLE:
            target = int((re.findall(r"(?:code for|target)\s+sm_(\d+)", sass) or ["90"])[-1])
            self.refused(Case(sass, target=target), status_code, message)

    def test_nvdisasm(self):
        """Its directives, comments and labels; also those of functions within the code, which nothing may call."""
        text = code("BSSY B0, `(.L_x_1)", "@P0 BRA `(.L_x_0)").replace("\tcode for sm_90\n\t\tFunction : f\n", """\t.headerflags\t@"EF_CUDA_SM90"
\t.target\tsm_90
//--------------------- .text.f --------------------------
\t.section\t.text.f,"ax",@progbits
\t.align\t128
f:
.text.f:
""").replace("        /*0020*/                   EXIT ;", """.L_x_0:
        /*0020*/                   BSYNC B0 ;
.L_x_1:
        /*0030*/                   EXIT ;
\t.type\t$f$inner,@function
$f$inner:
        /*0040*/                   NOP;
.L_x_2:""")
        result = Case(text).run("--format=xml")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(bounds(result), 4 * 16)

    def test_binary(self):
        """The binary is one of CUDA for this chip, has the function, as many instructions, and the encodings that the text shows."""
        encoded = NOP.replace("NOP ;", "NOP ;   /* 0x0000000000007918 */\n          /* 0x000fc00000000000 */")
        good = binaries.make(encoded, "f")
        self.assertEqual(Case(encoded, cubin=good).run().returncode, 0)
        self.assertEqual(Case(encoded, cubin=binaries.make(encoded, "f", abi=7)).run().returncode, 0)  # before CUDA 13 the target stands elsewhere
        for binary, status_code, message in (
                ((CASES / "any.cubin").read_bytes(), "cubin-invalid", "ELF file of 64 bits"),
                (b"", "cubin-invalid", "ELF file of 64 bits"),
                (binaries.make(NOP, "f", machine=62), "cubin-invalid", "machine 190"),
                (binaries.make(NOP, "f", target=80), "cubin-invalid", "is for sm_80"),
                (binaries.make(NOP, "f", target=80, abi=7), "cubin-invalid", "is for sm_80"),
                (binaries.make(NOP, "f", section="g"), "cubin-invalid", "one section .text.f"),
                (binaries.make(NOP, "f", more=1), "sass-gap", "expected 3 instructions"),
                (binaries.make(NOP, "f"), "cubin-invalid", "encoding that"),
                (good[:-1], "cubin-invalid", "table of sections"),
                (good[:100], "cubin-invalid", "table of sections")):
            self.refused(Case(encoded, cubin=binary), status_code, message)
        for at in range(0, len(good), 7):  # no damage is more than a refusal
            damaged = good[:at] + bytes([good[at] ^ 0xff]) + good[at + 1:]
            self.assertIn(Case(encoded, cubin=damaged).run().returncode, (0, INVALID))

    def test_damaged(self):
        """A disassembly with a byte changed, a line left out or twice is refused or is another program: never a crash."""
        whole = code("S2R R0, SR_TID.X", "BSSY B0, 0x50", "@P0 BRA 0x40", "FADD R1, R1, c[0x0][0x160]", "BSYNC B0", "LDS.128 R4, [R2]", "@!P1 BRA 0x10")
        binary, lines, statuses = binaries.make(whole, "f"), whole.splitlines(True), []
        damaged = [whole[:at] + chr(ord(whole[at]) ^ flip) + whole[at + 1:] for at in range(0, len(whole), 11) for flip in (1, 16)]
        damaged += ["".join(lines[:at] + lines[at + 1:]) for at in range(len(lines))] + ["".join(lines[:at] + lines[at:at + 1] + lines[at:]) for at in range(len(lines))]
        for text in damaged:
            result = Case(text, cubin=binary, before=SHARED.format(1)).run()
            self.assertIn(result.returncode, (0, INVALID), text)
            statuses.append(result.returncode)
        self.assertEqual(set(statuses), {0, INVALID})
        for at in range(3, len(lines) - 1):  # without an instruction it is not the code that the binary has
            self.assertIn("[sass-", Case("".join(lines[:at] + lines[at + 1:]), cubin=binary, before=SHARED.format(1)).run().stderr, lines[at])

    def test_opcodes(self):
        """What is known keeps its family; what is not is charged as the program says, and that is printed."""
        for name in ("MATCH", "MATCH.ANY", "HMMA.16816.F32", "IMAD.HI"):
            self.refused(Case(NOP, after=f'<opcode name="{name}" class="int32"/>'), "opcode-known", name)
        result = Case(code("QFMA.X R0, R0"), after='<opcode name="QFMA.X" class="int32"/>').run()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("opcode QFMA.X: costs what class int32 does", result.stdout)
        self.refused(Case(code("QFMA.X R0, R0")), "opcode-unknown", "QFMA.X (line 3)")


class Claims(unittest.TestCase):
    """What a program's file says is in each form of the result, and a report that leaves a claim out does not verify."""

    def test_printed(self):
        path = ROOT / "examples/kernels/matrix-multiply.sm_90.xml"
        text = " ".join(PROGRAM.run(["wcet", path], text=True).stdout.split())
        tree = ElementTree.fromstring(PROGRAM.run(["wcet", "--format=xml", path], text=True).stdout)
        claims = [(claim.get("kind"), claim.get("of"), claim.text) for claim in tree.find(SPACE + "claims")]
        for kind, of, says in (("unlisted", None, "all threads of a warp go the same way at each branch that the file does not list"),
                               ("loop", "b0200", "comes back at most 63 times, all warps of a block as often"), ("fact", None, "b0000>b0510 = 0")):
            self.assertIn((kind, of, says), claims)
            self.assertIn(f"- {kind}{' ' + of if of else ''}: {says}", text)
        self.assertTrue(any(kind == "shared" and "degree 1" in says for kind, _, says in claims))
        self.assertTrue(any(kind == "cost" and of == "load" and "latency 1000" in says and "made up" in says for kind, of, says in claims))
        self.assertFalse(any(of == "fp64" for _, of, _ in claims), "no instruction of the class")
        text = " ".join(PROGRAM.run(["wcet", ROOT / "examples/kernels/mandelbrot.sm_90.xml"], text=True).stdout.split())
        self.assertIn("- branch b0130: the threads of a warp go at most 32 ways", text)

    def test_beside(self):
        path, other = (ROOT / "examples/kernels" / f"{name}.sm_90.xml" for name in ("matrix-multiply", "reduction"))
        words = [GPUBOUND, "wcet", "--beside", other, path]
        self.assertIn("loop b00f0: comes back at most 7 times", " ".join(subprocess.run(words, capture_output=True, text=True).stdout.split()))
        tree = ElementTree.fromstring(subprocess.run([*words, "--format=xml"], capture_output=True, text=True).stdout)
        self.assertIn("comes back at most 7 times, all warps of a block as often", [claim.text for claim in tree.find(f"{SPACE}beside/{SPACE}claims")])

    def test_report(self):
        """In the text, in an explanation, and in the report; without one of them the report is refused."""
        path = ROOT / "examples/programs.xml"
        for words in ((), ("--explain=product",)):
            text = " ".join(PROGRAM.run(["analyze", "--quiet", *words, path], text=True).stdout.split())
            self.assertIn("comes back at most 63 times, all warps of a block as often", text, words)
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.xml"
            PROGRAM.run(["analyze", "--quiet", "-o", report, path])
            whole = report.read_text()
            self.assertEqual(PROGRAM.run(["verify", report]).returncode, 0)
            claims = re.findall(r"\n *<claim .*</claim>", whole)
            self.assertGreater(len(claims), 40)
            for claim in claims[::5] + [claims[-1]]:
                self.verify(report, whole.replace(claim, "", 1), "claims")
            self.verify(report, whole.replace("comes back at most 63 times", "comes back at most 64 times", 1), "claims")
            self.verify(report, whole.replace('<claim kind="loop" of="b02a0">', '<claim kind="loop">', 1), "claims@of")
            self.verify(report, whole.replace(claims[0], claims[0] * 2, 1), "claims")
            self.assertEqual(self.verify(report, re.sub(r"<claims>.*?</claims>", "", whole, count=1, flags=re.S), "claims"), INVALID)

    def verify(self, report, text, message):
        report.write_text(text)
        result = PROGRAM.run(["verify", report], text=True)
        self.assertIn(result.returncode, (1, INVALID), result.stderr)
        self.assertIn(message, result.stderr)
        return result.returncode


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
