"""gpubound wcet: the examples have bounds, the results are valid XML, and every mistake in a program is named with file and line.

usage: cmd_wcet.py GPUBOUND SOURCE_ROOT
"""
import fractions
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import cubin as binaries

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
EXAMPLES = sorted((ROOT / "examples" / "kernels").glob("*.xml"))
NEST = ROOT / "examples" / "kernels" / "fermi-nest.xml"
SPACE = "{urn:gpubound:wcet:1}"
INVALID = 3


def wcet(*words):
    return subprocess.run([GPUBOUND, "wcet", *map(str, words)], capture_output=True, text=True, timeout=60)


def changed(*changes, path=NEST):
    """The run on an example in which each old text is replaced by a new one."""
    text = path.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        return wcet("--format=xml", file.name)


def cycles(result):
    return int(ElementTree.fromstring(result.stdout).get("cycles"))


# (what is changed, into what, the code, a part of the message, on a line that has this text in the changed file)
REFUSED = [
    ('\t<loop header="inner" bound="31"/>\n', "", "loop-unbounded", '"inner"', 'block id="inner"'),
    ('<loop header="inner" bound="31"/>', '<loop header="inner" bound="-1"/>', "schema-violation", "", 'bound="-1"'),
    ('<loop header="inner" bound="31"/>', '<loop header="inner" bound="31"/><loop header="end" bound="3"/>', "loop-unknown", '"end"',
     'header="end"'),
    ('<loop header="inner" bound="31"/>', '<loop header="inner" bound="31"/><loop header="inner" bound="3"/>', "duplicate-id", '"inner"',
     'header="inner"'),
    ('<loop header="inner" bound="31"/>', '<loop header="innner" bound="31"/>', "unknown-reference", '"innner"', "innner"),
    ('<term block="inner"/>', '<term block="inner" to="start"/>', "unknown-reference", "edge", 'to="start"'),
    ('relation="at-most" count="100"', 'relation="at-least" count="1000"', "facts-contradictory", "", "at-least"),
    ('<edge from="next" to="end"/>', '<edge from="end" to="end"/>', "block-unreachable", '"end"', 'block id="end"'),
    ('<edge from="next" to="end"/>', '<edge from="next" to="end"/>' * 2, "duplicate-id", "edge", 'to="end"'),
    ('<block id="end" int32="1"/>', '<block id="end" int32="1" sfu="1"/>', "cost-undeclared", "sfu", None),
    ('<cost class="load"', '<cost class="branch"', "duplicate-id", '"branch"', "600"),
    ("</program>", '<branch block="start" paths="2"/></program>', "branch-unknown", '"start"', "<branch"),
    ("</program>", '<branch block="outer" paths="2"/></program>', "cost-undeclared", "divergent", 'id="outer"'),
    ('platform="gtx-580"', 'platform="gtx-5800"', "platform-unknown", "gtx-5800", None),
    ('bound="31"', 'bound="999999999999999999"', "program-too-long", "64 bits", None),
]


# A loop with a barrier, and a fork that BSSY and BSYNC hold together, in the form of cuobjdump; then as nvdisasm has it, with labels.
SASS = """
	code for sm_90
		Function : other
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   EXIT ;                      /* 0x000000000000794d */
		Function : demo
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   MOV R1, c[0x0][0x28] ;      /* 0x00000a0000017a02 */
                                                               /* 0x000fe40000000f00 */
        /*0010*/                   S2R R0, SR_TID.X ;          /* 0x0000000000007919 */
                                                               /* 0x000e280000002100 */
        /*0020*/              @P1 EXIT ;                      /* 0x000000000000194d */
        /*0030*/                   FFMA R2, R2, R3, R4 ;
        /*0040*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0050*/                   BSSY B0, 0xa0 ;
        /*0060*/              @!P0 BRA 0x90 ;
        /*0070*/                   FADD R5, R5, R6 ;
        /*0080*/                   LDG.E R6, desc[UR4][R2.64] ;
        /*0090*/                   BSYNC B0 ;
        /*00a0*/              @P2 BRA 0x30 ;
        /*00b0*/                   STG.E desc[UR4][R2.64], R6 ;
        /*00c0*/                   EXIT ;
        /*00d0*/                   BRA 0xd0;
        /*00e0*/                   NOP;
"""
LABELLED = (SASS.replace("		Function : demo", ".text.demo:").replace("        /*0030*/", ".L_x_1:\n        /*0030*/")
            .replace("        /*0090*/", ".L_x_0:\n        /*0090*/").replace("        /*00a0*/", ".L_x_2:\n        /*00a0*/")
            .replace("BRA 0x30 ", "BRA `(.L_x_1) ").replace("BRA 0x90 ", "BRA `(.L_x_0) ").replace("B0, 0xa0 ", "B0, `(.L_x_2) "))
PROGRAM = """<program xmlns="urn:gpubound:program:1" id="demo" platform="h200" threads="64" unlisted="uniform">
{costs}<sass file="demo.sass" sha256="{sass}" cubin="demo.cubin" cubin-sha256="{cubin}" function="demo"/>{more}
<loop header="b0030" bound="7" uniform="true"/></program>
"""
COSTS = "".join(f'<cost class="{name}" latency="{latency}" occupancy="1" source="made up" by="the test"/>\n'
                for name, latency in {"fp32": 4, "int32": 5, "special": 20, "constant": 7, "load": 600, "store": 50, "branch": 10, "barrier": 30,
                                      "reconverge": 10}.items())


def disassembled(text=SASS, program=PROGRAM, more="", cubin=None, of_cubin=None, of_sass=None, name="demo.sass", target=90):
    """The run on a program that is a disassembly; the hashes stated are those of of_cubin and of_sass."""
    cubin = binaries.make(text, "demo", target) if cubin is None else cubin
    of_cubin = cubin if of_cubin is None else of_cubin
    def digest(content):
        return hashlib.sha256(content).hexdigest()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / name).write_text(text)
        (root / "demo.cubin").write_bytes(cubin)
        (root / "demo.xml").write_text(program.format(costs=COSTS, more=more, cubin=digest(of_cubin), sass=digest((of_sass or text).encode())))
        return wcet("--format=xml", root / "demo.xml")


# (what is changed in the disassembly, into what, the code, a part of the message)
REFUSED_SASS = [
    ("FFMA R2", "QFMA.X R2", "opcode-unknown", "QFMA.X"),
    ("FADD R5, R5, R6", "BRX R2 -0x10", "sass-control", "BRX"),
    ("FADD R5, R5, R6", "CALL.ABS.NOINC 0x30", "sass-control", "CALL.ABS.NOINC"),
    ("BAR.SYNC.DEFER_BLOCKING 0x0", "BAR.SYNC.DEFER_BLOCKING 0x1, 0x40", "sass-control", "BAR.SYNC"),
    ("BRA 0x30 ", "BRA 0x38 ", "sass-control", "target"),
    ("BSSY B0", "BSSY B1", "sass-control", "BSSY"),
    ("BSYNC B0", "BSYNC R0", "sass-control", "BSSY"),
    ("BSYNC B0", "BSYNC B77", "sass-control", "BSSY"),
    ("Function : demo", "Function : demon", "sass-function", '"demo"; the disassembly has other, demon'),
    ("FADD R5, R5, R6 ;", "FADD R5, R5, R6", "sass-malformed", "line"),
    ("@P2 BRA 0x30", "@P2 BRA 0x10", "loop-unknown", '"b0030"'),
]


# A fork whose ways meet at 0x60, from where one line leads to the BSYNC.
LINE = ["MOV R1, c[0x0][0x28]", "BSSY B0, 0x90", "@!P0 BRA 0x80", "@!P1 BRA 0x60", "FADD R5, R5, R6", "FADD R5, R5, R6", "FADD R7, R7, R5", "FADD R7, R7, R5",
        "BSYNC B0", "EXIT"]

# Two calls of one subroutine, each of which says where to return.
CALLS = ["MOV R4, 0x30", "MOV R5, 0x0", "CALL.REL.NOINC 0x80", "MOV R4, 0x60", "MOV R5, 0x0", "CALL.REL.NOINC 0x80", "EXIT", "NOP",
         "FADD R7, R7, R8", "RET.REL.NODEC R4 0x0"]
CALL_COST = '<cost class="call" latency="10" occupancy="2" source="made up" by="the test"/>'


def calling(changes=(), more="", costs=CALL_COST):
    """The run on CALLS, in which the instructions with these numbers are others."""
    code = [dict(changes).get(number, instruction) for number, instruction in enumerate(CALLS)]
    head = SASS[:SASS.index("/*0000*/", SASS.index("Function : demo"))]
    text = head + "\n        ".join(f"/*{16 * i:04x}*/                   {instruction} ;" for i, instruction in enumerate(code)) + "\n"
    cost = costs + '<cost class="dmma" latency="30" occupancy="16" source="made up" by="the test"/><sass'
    return disassembled(text, program=re.sub("<loop [^>]*>", "", PROGRAM).replace("<sass", cost), more=more)


class Wcet(unittest.TestCase):
    def test_examples(self):
        self.assertTrue(EXAMPLES)
        for path in EXAMPLES:
            result = wcet("--format=xml", path)
            self.assertEqual((result.returncode, result.stderr), (0, ""), path)
            with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
                file.write(result.stdout)
                file.flush()
                check = subprocess.run(["xmllint", "--noout", "--schema", str(ROOT / "schema/wcet-1.xsd"), file.name], capture_output=True,
                                       text=True)
                self.assertEqual(check.returncode, 0, check.stderr)
            schema = subprocess.run(["xmllint", "--noout", "--schema", str(ROOT / "schema/program-1.xsd"), str(path)], capture_output=True,
                                    text=True)
            self.assertEqual(schema.returncode, 0, schema.stderr)

    def test_sources_of_the_platform(self):
        """Each stands there once, with all classes of which it is the source."""
        text = (ROOT / "examples/kernels/reduction.sm_90.xml").read_text().replace('file="', f'file="{ROOT.resolve()}/examples/kernels/').replace(
            'cubin="', f'cubin="{ROOT.resolve()}/examples/kernels/')
        text = re.sub(r'\s*<cost class="(?!load|store|uniform|constant)[^>]*/>', "", text)
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(text)
            file.flush()
            result = wcet(file.name)
        self.assertEqual(result.stdout.count("probe/warps.cu"), 1, result.stderr)
        self.assertIn("- fp32, int32, shared, branch, barrier, half, special, wide: One H200", " ".join(result.stdout.split()))

    def test_nest(self):
        """By hand: 10 turns of 18 * (2 + 2) + 600 + 18 less the jumps to outer, 100 times inner at 18 * 11, the ends 18 * 5."""
        tree = ElementTree.fromstring(wcet("--format=xml", NEST).stdout)
        self.assertEqual(int(tree.find(SPACE + "chain").get("cycles")), 18 * 4 + 10 * (36 + 636) + 100 * 198 + 18)
        self.assertEqual(int(tree.find(SPACE + "others").get("cycles")), 2 * 4 + 10 * (4 + 36) + 100 * 22 + 2)
        self.assertEqual(int(tree.get("cycles")), 26610 + 7 * 2610)

    def test_w15(self):
        """Seed 004, all 32 bounds different: beside the path 31 divergences of 32 cycles and 4 spills of 84, 1328 in all."""
        tree = ElementTree.fromstring(wcet("--format=xml", ROOT / "examples/kernels/kepler-single-loop.xml").stdout)
        path = 9 * (2 + 32 * 3 + 1) + 16 * (2 + 32)
        self.assertEqual(int(tree.get("cycles")), path + 1328)
        self.assertEqual(int(tree.find(SPACE + "divergence").get("spill-cycles")), 336)
        self.assertEqual(int(tree.find(SPACE + "divergence").get("cycles")), 1328)

    def test_counts_and_closed_form(self):
        """Without the fact the path is there, and its counts give the bound."""
        result = changed(('<fact relation="at-most" count="100"><term block="inner"/></fact>', ""))
        chain = ElementTree.fromstring(result.stdout).find(SPACE + "chain")
        self.assertEqual({block.get("id"): int(block.get("count")) for block in chain.findall(SPACE + "block")},
                         {"start": 1, "outer": 10, "inner": 320, "next": 10, "end": 1})
        self.assertEqual(chain.get("cycles"), chain.get("closed-form"))

    def test_refused(self):
        for old, new, code, message, at in REFUSED:
            result = changed((old, new))
            self.assertEqual((result.returncode, result.stdout), (INVALID, ""), (code, result.stderr))
            self.assertIn(f"[{code}]", result.stderr)
            self.assertIn(message, result.stderr)
            if at is not None:
                lines = NEST.read_text().replace(old, new).splitlines()
                line = next(number for number, text in enumerate(lines, 1) if at in text)
                self.assertRegex(result.stderr, rf"\.xml:{line}:", code)

    def test_divergence_refused(self):
        """Paths that meet where another way leads, and a barrier on one of two paths."""
        fork = ("</program>", '<branch block="outer" paths="2"/></program>')
        result = changed(fork, ('<edge from="start" to="outer"/>', '<edge from="start" to="outer"/><edge from="start" to="inner"/>'))
        self.assertIn('block "outer"', result.stderr)
        self.assertIn("[divergence-unstructured]", result.stderr)
        result = changed(fork, ('<block id="inner" ', '<block id="inner" barrier="1" '))
        self.assertIn('block "inner"', result.stderr)
        self.assertIn("[barrier-divergent]", result.stderr)

    def test_stuck(self):
        result = changed(('<edge from="next" to="end"/>', '<edge from="outer" to="end"/>'), ('<edge from="next" to="outer"/>', '<edge from="next" to="next"/>'))
        self.assertIn('from block "inner"', result.stderr)
        self.assertIn("[block-stuck]", result.stderr)

    def test_sass(self):
        """7 ways back, 8 times each block of the loop; the exit in the third instruction ends one block."""
        for text in (SASS, LABELLED):
            result = disassembled(text)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            tree = ElementTree.fromstring(result.stdout)
            counts = {block.get("id"): int(block.get("count")) for block in tree.find(SPACE + "chain").findall(SPACE + "block")}
            self.assertEqual(counts, {"b0000": 1, "b0030": 8, "b0070": 8, "b0090": 8, "b00a0": 8, "b00b0": 1})
            turn = 4 + 30 + 10 + 10 + 4 + 600 + 10 + 10
            self.assertEqual(int(tree.find(SPACE + "chain").get("cycles")), 5 + 7 + 20 + 10 + 8 * turn + 50 + 10)  # 7: the constant operand
            self.assertEqual(tree.get("composition"), "aligned")  # warps that left before the barrier count as arrived

    def test_sass_flags(self):
        """nvdisasm names the target at the head of the text only, among the flags; where two places name one they have to name the same."""
        head = '\t.headerflags\t@"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM{} EF_CUDA_VIRTUAL_SM(EF_CUDA_SM{})"\n\t.elftype\t@"ET_EXEC"\n'
        bare = re.sub(r"(?m)^\t(code for|\.headerflags).*\n", "", LABELLED)
        self.assertEqual(cycles(disassembled(head.format(90, 75) + bare)), cycles(disassembled()))
        self.assertIn("[sass-target]", disassembled(bare).stderr)
        self.assertIn("[sass-target]", disassembled(head.format(75, 90) + bare).stderr)
        result = disassembled(SASS.replace("EF_CUDA_SM90", "EF_CUDA_SM87"))
        self.assertIn("the target that is named before the function", result.stderr)
        self.assertIn("[sass-malformed]", result.stderr)

    def test_sass_mapped(self):
        text = SASS.replace("FFMA R2", "QFMA.X R2")
        for name in ("QFMA", "QFMA.X"):
            result = disassembled(text, more=f'<opcode name="{name}" class="fp32"/>')
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(result.stdout.count('class="fp32"'), 1)

    def test_first_reads(self):
        """A line of constants is charged its first reading once, and each reading what one takes that finds it; by hand, 8 turns and one before."""
        def bounded(operand, words, more=""):
            costs = COSTS.replace('class="constant" latency="7"', f'class="constant" latency="700" {words}')
            return disassembled(SASS.replace("R2, R3, R4", f"R2, R3, {operand}"), program=PROGRAM.replace("{costs}", costs), more=more)
        self.assertIn('class="constant" latency="7"', COSTS)
        plain = cycles(disassembled())
        cold = cycles(bounded("c[0x0][0x210]", ""))
        self.assertEqual(cold, plain - 7 + 9 * 700 + 8)  # 8: occupancy of the other warp's operands
        code = (max(int(address, 16) for address in re.findall(r"/\*([0-9a-f]{4})\*/", SASS)) + 16 + 63) // 64  # it takes room in the cache, too
        for operand, lines, runs in (("c[0x0][0x210]", 2, 2), ("c[0x0][0x80]", 2, 2), ("c[0x0][0x3c]", 1, 1), ("-c[0x0][0x40]", 2, 1), ("c[0x4][RZ]", 2, 2)):
            result = bounded(operand, f'again="7" lines="{code + lines}"')
            self.assertEqual(cycles(result), cold - 9 * 693 + lines * 700, operand)
            self.assertIn(f'first-reads="{lines * 700}"', result.stdout)
            self.assertIn("7 of a line of 64 bytes that is there", result.stdout)
            result = bounded(operand, f'again="7" lines="{code + lines - 1}"')
            self.assertIn("code and constants that it reads have more lines than there may be", result.stderr)
            result = bounded(operand, f'again="7" lines="{code + lines}" further="90"')
            self.assertEqual(cycles(result), cold - 9 * 693 + runs * 700 + (lines - runs) * 90, operand)
            self.assertIn("in the latency each, but 90 cycles for each that follows another one", result.stdout)
            result = bounded(operand, f'again="7" lines="{code + lines}" further="90" apart="120"')
            self.assertEqual(cycles(result), cold - 9 * 693 + 700 + (runs - 1) * 120 + (lines - runs) * 90, operand)
            self.assertIn("all together in the latency and 90 cycles for each that follows another one and 120 for each further one that does not", result.stdout)
        for operand in ("c[0x0][R4]", "c[0x3][R4+0x10]", "c[0x3][UR4]", "cx[UR4][0x8]"):
            result = bounded(operand, 'again="7" lines="99"')
            self.assertIn("[cost-undeclared]", result.stderr, operand)
            self.assertIn("an address of a constant is computed", result.stderr, operand)
        for words in ('again="7"', 'lines="7"', 'again="701" lines="2"', 'again="7" lines="2" issue="2" under-way="2"', 'further="7"', 'again="7" lines="2" further="701"', 'again="7" lines="2" apart="7"', 'again="7" lines="2" further="7" apart="701"'):
            self.assertIn("[schema-violation]", bounded("R4", words).stderr, words)
        self.assertIn("[schema-violation]", disassembled(program=PROGRAM.replace("{costs}", COSTS.replace('class="fp32"', 'again="1" lines="2" class="fp32"'))).stderr)

    def test_stall_counts(self):
        """By hand: of an addition at the beginning the stall count, what is declared beyond it where it reads three registers, or the occupancy, in place of the latency of 5."""
        def encoded(stall, sets=7, operands="R1, R2, R3, R4"):
            return SASS.replace("MOV R1, c[0x0][0x28]", f"IADD3 {operands}").replace("/* 0x000fe40000000f00 */", f"/* {0xf00 | stall << 41 | sets << 46 | 7 << 49:#018x} */")
        def declared(words, name="int32"):
            return PROGRAM.replace("{costs}", "{costs}").format(costs=COSTS.replace(f'class="{name}"', f'class="{name}" {words}'), more="{more}", cubin="{cubin}", sass="{sass}")
        whole = cycles(disassembled(encoded(2)))
        self.assertEqual(cycles(disassembled(encoded(2, operands="R1, R2, R3, RZ"), program=declared('beyond-stall="2"'))), whole - 3)
        for stall, beyond, takes in ((2, 0, 2), (2, 1, 3), (0, 0, 1), (9, 0, 9), (13, 2, 15)):
            result = disassembled(encoded(stall), program=declared(f'beyond-stall="{beyond}"'))
            self.assertEqual(cycles(result), whole + takes - 5, (stall, beyond))
            self.assertIn(f"stall count in bits 105 to 108 of its encoding later, and {beyond} cycles more where", result.stdout)
            self.assertIn(f' beyond-stall="{beyond}" spared="{5 - takes}"', result.stdout)
        self.assertEqual(cycles(disassembled(encoded(2, sets=1), program=declared('beyond-stall="0"'))), whole)  # a result of variable latency
        for wrong in (declared('beyond-stall="0" issue="2" under-way="2"'), declared('beyond-stall="0"', "barrier"), declared('beyond-stall="-1"')):
            self.assertIn("[schema-violation]", disassembled(program=wrong).stderr)

    def test_spaced(self):
        """By hand, of the other warp of a sub-partition: the lesser occupancy of an addition at the beginning if its stall count is 4 to 14 and it sets no scoreboard."""
        def bounded(stall, words='spaced="2"', sets=7, occupancy=5, per="partition"):
            text = SASS.replace("MOV R1, c[0x0][0x28]", "IADD3 R1, R2, R3, RZ").replace("/* 0x000fe40000000f00 */", f"/* {0xf00 | stall << 41 | sets << 46 | 7 << 49:#018x} */")
            costs = COSTS.replace('class="int32" latency="5" occupancy="1"', f'class="int32" beyond-stall="0" per="{per}" latency="5" occupancy="{occupancy}" {words}')
            return disassembled(text, program=PROGRAM.replace("{costs}", costs).replace('threads="64"', 'threads="256"'))
        def others(result):
            return int(ElementTree.fromstring(result.stdout).find(SPACE + "others").get("cycles"))
        whole = others(bounded(7, ""))
        for stall, less in ((0, 0), (3, 0), (4, 3), (14, 3), (15, 0)):
            self.assertEqual(others(bounded(stall)), whole - less, stall)
        self.assertEqual(others(bounded(7, sets=1)), whole)
        self.assertEqual(cycles(bounded(7)), cycles(bounded(7, "")) - 3)
        self.assertIn("occupancy 5 cycles, or 2 behind a stall count of 4 to 14, a unit of each sub-partition", bounded(7).stdout)
        for wrong in (bounded(7, 'spaced="6"'), bounded(7, per="sm"), disassembled(program=PROGRAM.replace("{costs}", COSTS.replace('class="int32"', 'spaced="1" class="int32"')))):
            self.assertIn("[schema-violation]", wrong.stderr)

    def test_served(self):
        """Loads that are said to hit have the cost of their cache: by hand, one in each of 8 turns."""
        costs = "".join(f'<cost class="load-l{level}" latency="{latency}" occupancy="1" source="made up" by="the test"/>\n' for level, latency in ((1, 40), (2, 300)))
        program, whole = PROGRAM.replace("{costs}", "{costs}" + costs), cycles(disassembled())
        self.assertEqual(cycles(disassembled(program=program)), whole)
        for words, latency in (('from="l2"', 300), ('from="l2" name="LDG"', 300), ('from="l1" name="LDG.E"', 40)):
            served = f'<served {words} source="sizes" by="the test"/>'
            result = disassembled(program=program, more=served)
            self.assertEqual(cycles(result), whole - 8 * (600 - latency), words)
            claim = re.search(r'<claim kind="served"[^>]*>([^<]*)</claim>', result.stdout)
            self.assertIn("the L2 cache or a nearer one, never from farther" if latency == 300 else "the L1 cache, never", claim.group(1))
            self.assertIn("sizes; declared by the test", claim.group(1))
            self.assertIn("[served-nothing]", disassembled(program=program, more=served * 2).stderr)
            self.assertIn("[cost-undeclared]", disassembled(more=served).stderr)
        for words in ('name="LDG.E.64"', 'name="STG"', 'name="LD"', 'at="demo.cu:3"'):
            self.assertIn("[served-nothing]", disassembled(program=program, more=f'<served from="l2" {words} source="x" by="x"/>').stderr, words)

    def test_served_by_its_opcode(self):
        """An access of 256 bits, of which somebody says what it costs, has as many sectors whichever cache that names."""
        costs = "".join(f'<cost class="{name}" latency="{latency}" occupancy="1" source="made up" by="the test"/>\n'
                        for name, latency in (("load-l1", 600), ("load-l2", 600), ("sector", 4)))
        program, text = PROGRAM.replace("{costs}", "{costs}" + costs), SASS.replace("LDG.E ", "LDG.E.256 ")
        self.assertNotEqual(text, SASS)
        found = {cycles(disassembled(text, program=program, more=f'<opcode name="LDG.E.256" class="{name}"/>')) for name in ("load", "load-l1", "load-l2")}
        self.assertEqual(len(found), 1, found)

    def test_sass_calls(self):
        """Each call has a copy of the subroutine: by hand, 5 moves or additions of a way, 4 calls and returns, the end."""
        result = calling()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        chain = ElementTree.fromstring(result.stdout).find(SPACE + "chain")
        self.assertEqual({block.get("id"): block.get("count") for block in chain.findall(SPACE + "block")},
                         {"b0000": "1", "b0030": "1", "b0060": "1", "b0080.1": "1", "b0080.2": "1"})
        self.assertEqual(int(chain.get("cycles")), 4 * 5 + 2 * 4 + 4 * 10 + 10)
        chain = ElementTree.fromstring(calling(costs="").stdout).find(SPACE + "chain")
        self.assertEqual(int(chain.get("cycles")), 4 * 5 + 2 * 4 + 4 * 56 + 10)  # of the model

    def test_sass_calls_refused(self):
        """A return whose register may hold anything but the address behind its call; a call of itself."""
        for changes in ({0: "MOV R4, 0x40"}, {1: "MOV R5, 0x1"}, {3: "@P0 MOV R4, 0x60"}, {3: "IADD3 R4, R4, 0x30, RZ"}, {5: "RET.REL.NODEC R4 0x0"},
                        {8: "LDG.E.64 R4, [R8]"}, {8: "LDG.E.128 R4, [R8]"}, {8: "DMMA.16x8x16 R0, R8, R8, R8"}, {8: "FROB R7"},
                        {8: "IMAD.WIDE R4, R8, R9, R10"}, {8: "CALL.REL.NOINC 0x80"}, {8: "WARPSYNC.COLLECTIVE R7, 0x90"}, {8: "RET.ABS.NODEC R4 0x0"}):
            result = calling(changes, '<opcode name="FROB" class="fp32"/>' if "FROB" in str(changes) else "")
            self.assertEqual(result.returncode, INVALID, changes)
            self.assertIn("[sass-control]", result.stderr, changes)

    def test_sass_moves(self):
        """Barrier registers cleared as compute capabilities 7.5 and 8.7 do it; a BSYNC of one is refused, and so is a move to a register."""
        for move in ("BMOV.32.CLEAR RZ, B0", "BMOV.32 B0, 0xffffffff", "BMOV.32.CLEAR B1, B0"):
            for at, code in (("MOV R1, c[0x0][0x28]", None), ("FADD R5, R5, R6", "a BMOV of its register reaches it")):
                result = disassembled(SASS.replace(at, move))
                self.assertEqual(result.returncode, INVALID if code else 0, (move, at, result.stderr))
                self.assertIn(code or "", result.stderr)
        result = disassembled(SASS.replace("MOV R1, c[0x0][0x28]", "BMOV.32.CLEAR R1, B0"))
        self.assertIn("[sass-control]", result.stderr)

    def test_sass_divergence(self):
        """The fork that BSSY and BSYNC hold together may split a warp; not without BSYNC, nor where its BSSY may be jumped over, nor with
        a BREAK."""
        fork = '<branch block="b0030" paths="2"/>'
        costs = '<divergence depth="32" entries-a-spill="1" cycles-a-divergence="13" cycles-a-spill="0" source="made up" by="the test"/>'
        program = PROGRAM.replace("<sass", costs + "<sass").replace("</program>", fork + "</program>")
        result = disassembled(program=program)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        alone = cycles(disassembled())
        self.assertEqual(cycles(result), alone + 2 * 8 * 13)  # a divergence in each of 8 turns, in chain and the other warp's others; both sides ran anyway
        for old, new in (("BSYNC B0", "NOP"), ("FADD R5, R5, R6", "BREAK P0, B0"), ("FFMA R2, R2, R3, R4", "@P3 BRA 0x60")):
            result = disassembled(SASS.replace(old, new), program=program)
            self.assertEqual(result.returncode, INVALID, new)
            self.assertRegex(result.stderr, r"demo\.xml:11: .*BSYNC at block .*\[divergence-unstructured\]" if new != "@P3 BRA 0x60" else r"\[")
        without = program.replace(costs, "")
        self.assertEqual(cycles(disassembled(program=without)), alone + 2 * 8 * 19)  # measured, models/h200.xml
        orin = disassembled(SASS.replace("code for sm_90", "code for sm_87").replace("SM90", "SM87"), without.replace('platform="h200"', 'platform="jetson-agx-orin"'), target=87)
        self.assertEqual((cycles(orin), orin.stderr), (alone + 2 * 8 * 19, ""))  # assumed, models/jetson-agx-orin.xml
        self.assertIn("[cost-undeclared]", disassembled(
            SASS.replace("code for sm_90", "code for sm_75").replace("SM90", "SM75"), without.replace('platform="h200"', 'platform="rtx-2080-ti"'), target=75).stderr)

    def test_sass_line(self):
        """From where the ways of a fork meet each thread goes in line to the BSYNC, in whatever groups; not over one of others, over a barrier or
        a way back, nor where the BSSY is not above the fork."""
        costs = '<divergence depth="32" entries-a-spill="1" cycles-a-divergence="13" cycles-a-spill="0" source="made up" by="the test"/>'
        program = re.sub(r"<loop .*/>", '<branch block="b0030" paths="2"/>', PROGRAM).replace("<sass", costs + "<sass")

        def chain(changes, program=program):
            code = [changes.get(i, line) for i, line in enumerate(LINE)]
            text = "\tcode for sm_90\n\t\tFunction : demo\n" + "".join(f"        /*{16 * i:04x}*/    {line} ;\n" for i, line in enumerate(code))
            result = disassembled(text, program=program)
            return (int(ElementTree.fromstring(result.stdout).find(SPACE + "chain").get("cycles")) if result.returncode == 0 else None), result.stderr
        whole, said = chain({}, program.replace('paths="2"', 'paths="1"'))
        self.assertEqual(chain({}), (whole + 13 + 31 * 2 * 4, ""))
        self.assertEqual(chain({6: "NOP", 7: "BRA 0x80"})[0], whole - 4 - 4 + 5 + 10 + 13 + 31 * (5 + 10))
        for changes in ({1: "NOP", 4: "BSSY B0, 0x90"}, {6: "BAR.SYNC.DEFER_BLOCKING 0x0"}, {7: "WARPSYNC.ALL"}, {7: "@P2 EXIT"}, {7: "@P2 BRA 0x60"},
                        {0: "BSSY B1, 0x80", 7: "BSYNC B1"}, {8: "@P3 BSYNC B0"}, {5: "BREAK P0, B0"}):
            cycles_of_chain, said = chain(changes)
            self.assertIsNone(cycles_of_chain, changes)
            self.assertRegex(said, r"\[(divergence-unstructured|sass-control|loop-unbounded|barrier-divergent)\]", changes)

    def test_never(self):
        """What a fact says is never executed is no part of the graph: the inner loop, its bound, and its instructions."""
        result = changed(('<fact relation="at-most" count="100"><term block="inner"/></fact>', '<fact relation="equal" count="0"><term block="inner"/></fact>'))
        tree = ElementTree.fromstring(result.stdout)
        self.assertEqual([loop.get("header") for loop in tree.iter(SPACE + "loop")], ["outer"])
        self.assertEqual(int(tree.find(SPACE + "chain").get("cycles")), 18 * 4 + 10 * (36 + 636) + 18)
        result = changed(('<fact relation="at-most" count="100"><term block="inner"/></fact>', '<fact relation="equal" count="0"><term block="end"/></fact>'))
        self.assertIn("[block-stuck]", result.stderr)

    def test_curve(self):
        """C_K[r] by hand: 8 warps of the nest on units of the SM. A turn of the load's unit, with which the branches may share, is 32."""
        tree = ElementTree.fromstring(wcet("--format=xml", NEST).stdout)
        curve = tree.find(SPACE + "curve")
        turn = 2 * 4 + 10 * (2 + 32) + 10 * (2 + 2 * 32) + 100 * (20 + 32) + 2
        crossed = 32 * (4 + 10 * 2 + 10 * 3 + 100 * 11 + 1)  # a load of the other sub-partition behind each instruction, which are 2 or 32 long
        alone, others = int(tree.get("cycles")), int(tree.find(SPACE + "others").get("cycles"))
        for name, value in {"by-age": 8 * crossed, "blocking": turn + 7 * (crossed - others), "plain-age": 8 * others, "plain-blocking": turn,
                            "burst": 8 * 32, "by-turns": 8 * turn, "turns-own": 8 * turn}.items():
            self.assertEqual(int(curve.get(name)), value, name)
        self.assertEqual(fractions.Fraction(curve.get("share")), fractions.Fraction(8 * 32, 3))  # of the block `next`: nobody says that three take longer
        self.assertGreaterEqual(int(curve[1].get("cycles")), alone + 8 * crossed + turn)
        tree = ElementTree.fromstring(changed(('<cost class="load"', '<cost class="load" least="600"')).stdout)
        curve, share = tree.find(SPACE + "curve"), fractions.Fraction(8 * 32, 2 + 600)
        self.assertEqual(fractions.Fraction(curve.get("share")), share)
        points, expected = [int(point.get("cycles")) for point in curve], [alone]
        for more in range(1, len(points)):
            age = alone + more * 8 * crossed + turn + 7 * (crossed - others)
            if more * share < 1:
                age = min(age, int((alone + more * 8 * (others + 32) + turn) / (1 - more * share)))
            expected.append(max(age, alone + (more + 1) * 8 * turn))
        self.assertEqual(points, expected)

    def test_kernels(self):
        """Of two other kernels one takes the slot and the other the unit: 10 turns of its own, and 10 more behind a warp of the first."""
        costs = "".join(f'<cost class="{name}" latency="{cycles}" occupancy="{cycles}" per="{per}" group="{group}" source="x" by="x"/>'
                        for name, cycles, per, group in (("fp32", 1, "sm", "a"), ("sfu", 100, "sm", "a"), ("int32", 1, "partition", "b")))
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, counts in (("own", 'fp32="10"'), ("short", 'int32="1"'), ("long", 'sfu="1"')):
                paths.append(pathlib.Path(folder) / f"{name}.xml")
                paths[-1].write_text(f'<program xmlns="urn:gpubound:program:1" id="{name}" platform="h200" threads="32" unlisted="uniform">{costs}'
                                     f'<block id="a" {counts}/></program>')
            own, short, long = paths
            for beside, expected in (((short, long), 10 + 10 + 2 * 10 * 100), ((short, short), 10 + 2 * 10), ((long, long), 10 + 2 * 10 * 100)):
                result = wcet("--format=xml", *(f"--beside={path}" for path in beside), own)
                self.assertEqual(result.stderr, "")
                self.assertEqual(int(ElementTree.fromstring(result.stdout).findall(SPACE + "beside")[1].get("cycles")), expected)

    def test_lanes(self):
        """Integers on 16 of 32 lanes, as a GTX 580 has it: an instruction on any lanes may keep these, for two cycles, whose it may be."""
        with tempfile.TemporaryDirectory() as folder:
            paths = {name: pathlib.Path(folder) / f"{name}.xml" for name in ("int32", "fp32")}
            for name, path in paths.items():
                path.write_text(f'<program xmlns="urn:gpubound:program:1" id="{name}" platform="gtx-580" threads="32" unlisted="uniform">'
                                f'<block id="a" {name}="100"/></program>')
            for own, other in (("int32", "fp32"), ("fp32", "int32")):
                tree = ElementTree.fromstring(wcet("--format=xml", f"--beside={paths[other]}", paths[own]).stdout)
                beside = tree.find(SPACE + "beside")
                self.assertEqual([int(beside.get(name)) for name in ("by-age", "by-turns", "blocking", "cycles")], [200, 200, 200, 1800 + 400])
            tree = ElementTree.fromstring(wcet("--format=xml", paths["fp32"]).stdout)
            self.assertEqual(int(tree.find(SPACE + "curve").get("by-age")), 100)

    def test_beside(self):
        """Blocks of the kernel itself named one by one are the curve."""
        product, other = (ROOT / "examples/kernels" / f"{name}.sm_90.xml" for name in ("matrix-multiply", "reduction"))
        tree = ElementTree.fromstring(wcet("--format=xml", "--beside", product, "--beside", product, product).stdout)
        points = [int(point.get("cycles")) for point in tree.find(SPACE + "curve")]
        self.assertEqual([int(item.get("cycles")) for item in tree.findall(SPACE + "beside")], points[1:3])
        tree = ElementTree.fromstring(wcet("--format=xml", "--beside", other, product).stdout)
        self.assertGreater(int(tree.find(SPACE + "beside").get("cycles")), points[0])
        self.assertEqual(wcet("--beside", ROOT / "missing.xml", product).returncode, INVALID)

    def test_svg(self):
        tree = ElementTree.fromstring(wcet("--svg=-", ROOT / "examples/kernels/matrix-multiply.sm_90.xml").stdout)
        space = "{http://www.w3.org/2000/svg}"
        boxes = tree.findall(space + "g")
        self.assertEqual([box.get("class") for box in boxes], ["worst"] * 4)
        self.assertEqual([path.get("class") for path in tree.findall(space + "path")], ["worst"] * 4)
        self.assertIn("64 × 2790 cycles", "".join(tree.itertext()))

    def test_sass_refused(self):
        for old, new, code, message in REFUSED_SASS:
            self.assertIn(old, SASS)
            result = disassembled(SASS.replace(old, new))
            self.assertEqual((result.returncode, result.stdout), (INVALID, ""), (code, result.stderr))
            self.assertIn(f"[{code}]", result.stderr)
            self.assertIn(message, result.stderr)
        unbounded = disassembled(program=PROGRAM.replace('<loop header="b0030" bound="7" uniform="true"/>', ""))
        self.assertIn('header "b0030"', unbounded.stderr)
        self.assertIn("[loop-unbounded]", unbounded.stderr)

    def test_sass_changed(self):
        for result in (disassembled(of_cubin=b"another"), disassembled(of_sass=SASS + " ")):
            self.assertEqual(result.returncode, INVALID)
            self.assertRegex(result.stderr, r"demo\.xml:11: .*\[hash-mismatch\]")
        self.assertIn("[file-unreadable]", disassembled(name="elsewhere.sass").stderr)

    def test_limit(self):
        """A solver that is stopped: a warning, and a bound that is not smaller."""
        best = cycles(wcet("--format=xml", NEST))
        result = wcet("--format=xml", "--limit=1", NEST)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("[solver-fallback]", result.stderr)
        self.assertGreaterEqual(cycles(result), best)

    def test_dot(self):
        result = wcet("--dot=-", NEST)
        self.assertTrue(result.stdout.startswith('digraph "fermi-nest" {'))
        self.assertEqual(len(re.findall(r"->", result.stdout)), 7)

    def test_deterministic(self):
        self.assertEqual(wcet("--format=xml", NEST).stdout, wcet("--format=xml", NEST).stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
