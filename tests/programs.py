"""Task sets whose kernels name programs: analyze bounds them, verify derives the bounds again, and what does not fit is refused.

usage: programs.py GPUBOUND SOURCE_ROOT
"""
import hashlib
import pathlib
import random
import re
import shutil
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import served
from forged import mended

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
PROGRAM = served.Program(GPUBOUND)
REPORT = "{urn:gpubound:report:1}"
WCET = "{urn:gpubound:wcet:1}"
INVALID, NOT_VERIFIED = 3, 1
PROGRAMS = 12


def run(*words):
    return PROGRAM.run([*map(str, words)], text=True)


def copied(folder, *changes):
    """The example and its programs, each (file, old, new) applied."""
    root = pathlib.Path(folder)
    shutil.copytree(ROOT / "examples" / "kernels", root / "kernels", dirs_exist_ok=True)
    shutil.copy(ROOT / "examples" / "programs.xml", root / "programs.xml")
    for file, old, new in changes:
        text = (root / file).read_text()
        assert old in text, old
        (root / file).write_text(text.replace(old, new))
    return root / "programs.xml"


# (file, what is changed, into what, the code, the file and a text of the line that is named)
REFUSED = [
    ("programs.xml", 'grid="32" block="256"', 'grid="32" block="128"', "program-contradictory", "programs.xml", '<kernel id="sum"'),
    ("programs.xml", "kernels/reduction", "kernels/deduction", "file-unreadable", "deduction", None),
    ("programs.xml", '  <declare name="clock.sm"', '  <declare name="copy.o"', None, "", None),
    ("kernels/mandelbrot.sm_87.xml", '<loop header="b0250" bound="254"/>', "", "loop-unbounded", "mandelbrot.sm_87.xml", None),
    ("kernels/reduction.sm_87.xml", 'bound="7"', 'bound="-7"', "schema-violation", "reduction.sm_87.xml", 'bound="-7"'),
    ("kernels/reduction.sm_87.xml", 'header="b0200"', 'header="b0140"', "loop-unknown", "reduction.sm_87.xml", None),
    ("kernels/reduction.sm_87.sass", "FADD R3, R3, R2", "FADD R3, R3, R4", "hash-mismatch", "reduction.sm_87.xml", "<sass"),
    ("kernels/reduction.sm_87.xml", '<cost class="shared"', '<cost class="tensor2"', "schema-violation", "reduction.sm_87.xml", None),
]


class Draw:
    """A random program of nested loops and branches, as XML. Reducible; at times with barriers in line, or with branches that split warps."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.blocks, self.edges, self.loops, self.facts = [], [], [], []
        self.barriers, self.alike, self.splits = seed % 3 == 0, seed % 2 == 0, [] if seed % 3 == 1 else None
        self.partitions = seed % 4 != 2
        last = self.sequence(self.block(), 3)
        self.edges.append((last, self.block()))

    def block(self, barrier=False):
        r = self.random
        counts = {name: r.randrange(4) for name in ("fp32", "int32", "load", "branch") if r.random() < 0.7}
        self.blocks.append((f"b{len(self.blocks)}", counts | ({"barrier": 1} if barrier else {})))
        return len(self.blocks) - 1

    def split(self, block, paths):
        if self.splits is not None and self.random.random() < 0.8:
            self.splits.append((block, paths))

    def sequence(self, at, depth):
        for _ in range(self.random.randrange(1, 4)):
            kind = self.random.choice(["line", "branch", "loop"]) if depth else "line"
            if kind == "line":
                to = self.block(self.barriers and self.random.random() < 0.5)
                self.edges.append((at, to))
            elif kind == "branch":
                self.split(at, 2)
                to = self.block()
                for _ in range(2):
                    side = self.block()
                    self.edges.append((at, side))
                    barriers, self.barriers = self.barriers, self.barriers and not self.alike
                    self.edges.append((self.sequence(side, 0) if self.random.random() < 0.5 else side, to))
                    self.barriers = barriers
            else:
                header = self.block()
                self.edges.append((at, header))
                end = self.sequence(header, depth - 1)
                self.edges.append((end, header))
                self.split(end, self.random.randrange(2, 33))
                self.loops.append((header, self.random.randrange(9), self.alike or self.random.random() < 0.8))
                if self.random.random() < 0.3:
                    self.facts.append((end, self.random.randrange(1, 30)))
                to = self.block()
                self.edges.append((end, to))
            at = to
        return at

    def xml(self):
        r = self.random
        lines = ['<program xmlns="urn:gpubound:program:1" id="drawn" platform="jetson-agx-orin" threads="192" unlisted="uniform">']
        for name in ("fp32", "int32", "load", "branch", "barrier"):
            more = ('per="partition" ' if self.partitions and r.random() < 0.5 else "") + (f'group="{r.choice("ab")}" ' if r.random() < 0.7 else "")
            more += f'least="{r.randrange(1, 20)}" ' if r.random() < 0.5 else ""
            lines.append(f'<cost class="{name}" latency="{r.randrange(1, 20)}" occupancy="{r.randrange(1, 8)}" {more}source="x" by="x"/>')
        for name, counts in self.blocks:
            lines.append(f'<block id="{name}" ' + " ".join(f'{key}="{value}"' for key, value in counts.items()) + "/>")
        if self.splits:
            lines.insert(6, '<divergence depth="9999" entries-a-spill="1" cycles-a-divergence="13" cycles-a-spill="0" source="x" by="x"/>')
        lines += [f'<edge from="b{a}" to="b{b}"/>' for a, b in dict.fromkeys(self.edges)]
        lines += [f'<loop header="b{header}" bound="{bound}" uniform="{str(uniform).lower()}"/>' for header, bound, uniform in self.loops]
        lines += [f'<fact relation="at-most" count="{count}"><term block="b{block}"/></fact>' for block, count in self.facts]
        lines += [f'<branch block="b{block}" paths="{paths}"/>' for block, paths in self.splits or []]
        return "\n".join(lines) + "\n</program>\n"


# Bounds beside which the solver of linear programs lost everything else, so that the number was the closed form's and its certificate another one's.
LONG_TURNS = """<program xmlns="urn:gpubound:program:1" id="long" platform="jetson-agx-orin" threads="192" unlisted="uniform">
<cost class="int32" latency="20" occupancy="4" source="x" by="x"/>
<block id="a" int32="3"/><block id="b" int32="2"/><block id="c" int32="5"/><block id="d" int32="1"/><block id="e" int32="7"/><block id="f" int32="7"/>
<block id="g" int32="9"/><edge from="a" to="b"/><edge from="b" to="b"/><edge from="b" to="c"/><edge from="c" to="c"/><edge from="c" to="d"/>
<edge from="a" to="d"/><edge from="d" to="e"/><edge from="d" to="f"/><edge from="f" to="f"/><edge from="f" to="g"/><edge from="e" to="g"/>
<loop header="b" bound="4095"/><loop header="c" bound="134221824"/><loop header="f" bound="134221824"/></program>
"""
LONGEST = 20 * (3 + 4096 * 2 + 134221825 * 5 + 1 + 134221825 * 7 + 9)


class Programs(unittest.TestCase):
    def test_bounds(self):
        """The WCET of each kernel is the point of its curve for as many blocks as its grid and an SM allow."""
        report = ElementTree.fromstring(run("analyze", "--format=xml", "--quiet", ROOT / "examples/programs.xml").stdout)
        steps = {step.get("about"): int(step.get("value")) for step in report.iter(REPORT + "step") if step.get("rule") == "program"}
        kernels = {kernel.get("operation"): int(kernel.find(REPORT + "occupancy").get("greatest")) for kernel in report.iter(REPORT + "kernel")}
        names = {"multiply": "matrix-multiply", "turn": "transpose", "draw": "mandelbrot", "sum": "reduction"}
        self.assertEqual(len(steps), len(names))
        for about, value in steps.items():
            kernel = about.split("op:")[1].split("@")[0]
            text = run("wcet", "--format=xml", ROOT / f"examples/kernels/{names[kernel]}.sm_87.xml").stdout
            blocks = min(kernels[kernel], 16)
            points = {int(point.get("blocks")): int(point.get("cycles")) for point in ElementTree.fromstring(text).iter(WCET + "resident")}
            self.assertEqual(value, -(-points[blocks] * 10 // 13), kernel)  # 1.3 GHz

    def test_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.xml"
            run("analyze", "--quiet", "-o", report, copied(folder))
            result = run("verify", report)
            self.assertEqual(result.returncode, 0, result.stderr)
            text = report.read_text()
            numbers = re.search(r">(\d+)( -\d+)", text)
            for old, new, what in (
                    (numbers.group(0), f">{int(numbers.group(1)) + 1}{numbers.group(2)}", "chain@linear-program"),
                    ('composition="aligned"', 'composition="free"', "composition"),
                    ('near="8"', 'near="2"', "near"),
                    ('by-turns="', 'by-turns="1', "by-turns"),
                    ('rule="program" about="task:product/op:multiply@wcet" value="', 'rule="program" about="task:product/op:multiply@wcet" value="1',
                     "multiply")):
                self.assertIn(old, text)
                report.write_text(mended(text.replace(old, new, 1)))
                result = run("verify", "--without-prose", report)
                self.assertEqual(result.returncode, NOT_VERIFIED, what)
                self.assertTrue(any(what in line and "not-reproduced" in line for line in result.stderr.splitlines()), (what, result.stderr))
            report.write_text(mended(text))
            program = pathlib.Path(folder) / "kernels/reduction.sm_87.xml"
            program.write_text(program.read_text().replace('bound="7"', 'bound="6"'))
            self.assertEqual(run("verify", report).returncode, NOT_VERIFIED)

    def test_first_reads(self):
        """First readings of lines of constants stand in the report, and verify counts the lines again."""
        with tempfile.TemporaryDirectory() as folder:
            cost = 'class="constant" latency="800"'
            declared = ("kernels/matrix-multiply.sm_87.xml", cost, cost + ' again="100" lines="160"')
            result = run("analyze", copied(folder, declared))
            self.assertEqual(result.returncode, INVALID)
            self.assertIn("launches on other streams, of a graph, or of who stops the GPU may begin while it runs", result.stderr)
            path = copied(folder, declared, ("programs.xml", '<stream id="s1" kind="non-blocking"/>', ""), ("programs.xml", 'stream="s1"', 'stream="s0"'))
            report = pathlib.Path(folder) / "report.xml"
            run("analyze", "--quiet", "-o", report, path)
            result = run("verify", report)
            self.assertEqual(result.returncode, 0, result.stderr)
            text = report.read_text()
            lines = int(re.search(r'first-reads="(\d+)"', text).group(1)) // 800
            self.assertGreater(lines, 1)
            report.write_text(text.replace(f'first-reads="{lines * 800}"', 'first-reads="800"'))
            result = run("verify", report)
            self.assertEqual(result.returncode, NOT_VERIFIED)
            self.assertIn("first-reads", result.stderr)
            # A stream more, unused, on which another program's launches could come, or a client that stops the GPU: analyze refuses it, and so does verify
            # what is claimed for it.
            stops = "".join(f'  <declare name="stops.{name}" value="{value}" source="made up" by="the test"/>\n' for name, value in (("length", "1us"), ("distance", "1ms")))
            one_stream_program, one_stream = (report.parent / declared[0]).read_bytes(), path.read_bytes()
            in_turn = ("programs.xml", 'stream="s1"', 'stream="s0"')
            stopped = ("programs.xml", '  <interference', stops + '  <interference')
            for changes in ((in_turn,), (in_turn, ("programs.xml", '<stream id="s1" kind="non-blocking"/>', ""), stopped)):
                result = run("analyze", copied(folder, declared, *changes))
                self.assertEqual(result.returncode, INVALID)
                self.assertIn("or of who stops the GPU may begin while it runs", result.stderr)
                run("analyze", "--quiet", "-o", report, copied(folder, *changes))
                diagnostics = [re.search(r"(?s)<diagnostics[^>]*/>|<diagnostics.*?</diagnostics>", written)[0] for written in (text, report.read_text())]
                (report.parent / declared[0]).write_bytes(one_stream_program)
                files = [f'bytes="{len(content)}" sha256="{hashlib.sha256(content).hexdigest()}"' for content in (one_stream, path.read_bytes())]
                self.assertIn(files[0], text)
                report.write_text(mended(text.replace(*files).replace(*diagnostics)))
                result = run("verify", "--without-prose", report)
                self.assertEqual(result.returncode, NOT_VERIFIED)
                self.assertIn("first-reads", result.stderr)

    def test_encoded(self):
        """Verify counts again which instructions keep their unit for less, and what lines of constants take together."""
        plain = 'class="int32" latency="20" occupancy="4"'
        encoded = plain + ' beyond-stall="1" per="partition"'
        first = 'class="constant" latency="800"', 'class="constant" latency="800" again="100" lines="160" further="300" apart="500"'
        numbers = []
        for cost in (encoded, encoded + ' spaced="2"'):
            with tempfile.TemporaryDirectory() as folder:
                name = "kernels/matrix-multiply.sm_87.xml"
                path = copied(folder, (name, plain, cost), (name, *first), ("programs.xml", '<stream id="s1" kind="non-blocking"/>', ""), ("programs.xml", 'stream="s1"', 'stream="s0"'))
                report = pathlib.Path(folder) / "report.xml"
                run("analyze", "--quiet", "-o", report, path)
                result = run("verify", report)
                self.assertEqual(result.returncode, 0, result.stderr)
                program = next(ElementTree.parse(report).getroot().iter(REPORT + "programs"))[0]
                numbers.append(int(program.find(REPORT + "others").get("cycles")))
                self.assertEqual((int(program.get("first-reads")) - 800 - 500) % 300, 0)  # the line at 0x28, and those from 0x160 on
        self.assertLess(numbers[1], numbers[0])

    def test_cold_caches(self):
        """Who says that loads hit a cache is told so where another context's turns or stops come between, and nothing is declared for what they leave cold."""
        served = [("kernels/reduction.sm_87.xml", "\t<shared ", '\t<cost class="load-l2" latency="300" occupancy="4" group="memory" source="made up" by="the test"/>\n\t<shared '),
                  ("kernels/reduction.sm_87.xml", "\t<!-- 128", '\t<served from="l2" source="made up" by="the test"/>\n\t<!-- 128')]
        other = [("programs.xml", '    <stream id="s1" kind="non-blocking"/>\n', '  </application>\n  <application id="other">\n    <stream id="s1" kind="non-blocking"/>\n')]
        def declared(**values):
            return [("programs.xml", "  <interference", "".join(f'  <declare name="{name}" value="{value}us" source="made up" by="the test"/>\n' for name, value in values.items()) + "  <interference")]
        stops = declared(**{"stops.length": 1, "stops.distance": 1000})
        for changes, words in (([], None), (served, None), (other, None), (stops, None), (served + other, "behind another context's turn"),
                               (served + other + declared(**{"switch.refill": 100}), None), (served + stops, "behind a stop")):
            with tempfile.TemporaryDirectory() as folder:
                result = run("analyze", copied(folder, *changes))
                self.assertNotEqual(result.returncode, INVALID, result.stderr)
                lines = [line for line in result.stderr.splitlines() if "[cold-caches]" in line]
                self.assertEqual(len(lines), words is not None, (changes, lines))
                self.assertTrue(all("kernel 'sum'" in line and words in line for line in lines), lines)

    def test_greedy_warps(self):
        """On a chip where a warp that never stalls keeps its slot, who takes times of blocks beside one another from code is told so."""
        on_h200 = [("programs.xml", 'platform="jetson-agx-orin"', 'platform="h200"')] + [("programs.xml", f"kernels/{name}.sm_87.xml", f"kernels/{name}.sm_90.xml")
                                                                                         for name in ("matrix-multiply", "transpose", "mandelbrot", "reduction")]
        vouched = [(f"kernels/{name}.sm_90.xml", ' unlisted="', ' slots="in-turn" unlisted="') for name in ("matrix-multiply", "transpose", "mandelbrot", "reduction")]
        alone = [("programs.xml", 'grid="32" block="256"', 'grid="1" block="256"')]
        for changes, expected in (([], 0), (on_h200, 4), (on_h200 + alone, 3)):
            with tempfile.TemporaryDirectory() as folder:
                result = run("analyze", "--verbose", copied(folder, *changes))
                self.assertEqual(result.returncode == INVALID, expected > 0, result.stderr)
                self.assertEqual(result.stderr.count("keeps its slot from older blocks; expected all kernels of its process on one stream"), expected, result.stderr)
            with tempfile.TemporaryDirectory() as folder:
                report, path = pathlib.Path(folder) / "report.xml", copied(folder, *changes, *(vouched if expected else ()))
                result = run("analyze", "--verbose", "-o", report, path)
                self.assertNotEqual(result.returncode, INVALID, result.stderr)
                self.assertEqual(result.stderr.count("[greedy-warps]"), expected, result.stderr)
                self.assertEqual(report.read_text().count('kind="slots"'), 4 if expected else 0)
                self.assertEqual(run("verify", report).returncode, 0)
                text = re.sub(r'\s*<claim kind="slots"[^\n]*', "", report.read_text())
                for program in pathlib.Path(folder, "kernels").glob("*.sm_90.xml") if expected else ():
                    before = program.read_bytes()
                    program.write_bytes(before.replace(b' slots="in-turn"', b" " * 16))
                    text = text.replace(hashlib.sha256(before).hexdigest(), hashlib.sha256(program.read_bytes()).hexdigest())
                report.write_text(mended(text))
                self.assertEqual("@verdict: expected no-bound; found proven" in run("verify", "--verbose", report).stderr, expected > 0)

    def test_any_order(self):
        """On a chip where a warp that never stalls keeps its slot a kernel that nothing else is beside is charged with all other blocks of its launch."""
        names = {"multiply": ("matrix-multiply", 16), "turn": ("transpose", 2112), "draw": ("mandelbrot", 4), "sum": ("reduction", 32)}
        one_stream = [("programs.xml", '    <stream id="s1" kind="non-blocking"/>\n', ""), ("programs.xml", 'stream="s1"', 'stream="s0"'),
                      ("programs.xml", 'id="draw" stream="s0" scope="block" grid="16"', 'id="draw" stream="s0" scope="block" grid="4"'),
                      ("programs.xml", 'grid="64"', 'grid="2112"'), ("programs.xml", 'platform="jetson-agx-orin"', 'platform="h200"')]
        one_stream += [("programs.xml", f"kernels/{name}.sm_87.xml", f"kernels/{name}.sm_90.xml") for name, _ in names.values()]
        vouched = [(f"kernels/{name}.sm_90.xml", ' unlisted="', ' slots="in-turn" unlisted="') for name, _ in names.values()]
        written = {}
        for changes in ((), vouched):
            with tempfile.TemporaryDirectory() as folder:
                report, path = pathlib.Path(folder) / "report.xml", copied(folder, *one_stream, *changes)
                result = run("analyze", "--verbose", "-o", report, path)
                self.assertEqual((result.returncode, result.stderr.count("[greedy-warps]")), (0, 4 if changes else 0), result.stderr)
                self.assertEqual(run("verify", report).returncode, 0)
                text = report.read_text()
                launches = re.findall(r'rule="makespan-of-launch" about="[^"]*" value="(\d+)"', text)
                self.assertEqual(len(launches), 0 if changes else 4)
                for value in launches:
                    report.write_text(mended(text.replace(f'rule="makespan-of-launch" about="task:product/op:turn" value="{value}"',
                                                          f'rule="makespan-of-launch" about="task:product/op:turn" value="{int(value) - 1}"')))
                    self.assertEqual(run("verify", "--without-prose", report).returncode == NOT_VERIFIED, value == launches[1])
                for operation, (name, grid) in names.items():
                    curve = ElementTree.fromstring(run("wcet", "--format=xml", path.parent / f"kernels/{name}.sm_90.xml").stdout).find(WCET + "curve")
                    orders = [int(point.get("any-order")) for point in curve]
                    turns = [int(point.get("cycles")) for point in curve]
                    self.assertTrue(all(one <= two for one, two in zip(orders, turns)))
                    held = int(re.search(f'<kernel operation="{operation}".*?<occupancy greatest="(\\d+)"', text, re.DOTALL).group(1))
                    all_blocks = orders[0] + (grid - 1) * (orders[1] - orders[0])
                    cycles = min(all_blocks, turns[min(held, grid) - 1]) if changes else all_blocks
                    value = re.search(f'rule="program" about="[^"]*op:{operation}@wcet" value="(\\d+)"', text)
                    self.assertEqual(int(value.group(1)), -(-cycles * 10 // 13), operation)
                    written.setdefault(operation, []).append(int(value.group(1)))
                    if not changes: # a thousand cycles less are found out
                        report.write_text(mended(text.replace(value.group(0), value.group(0).replace(value.group(1), str(-(-(cycles - 1000) * 10 // 13))))))
                        self.assertEqual(run("verify", "--without-prose", report).returncode, NOT_VERIFIED)
        self.assertTrue(any(free > in_turn for free, in_turn in written.values()) and any(free == in_turn for free, in_turn in written.values()), written)

    def test_drawn(self):
        """What the analyser and the verification say of programs that are drawn is the same: their graphs are read by other means."""
        kinds, split, crossed = set(), 0, 0
        for seed in range(PROGRAMS):
            with tempfile.TemporaryDirectory() as folder:
                draw = Draw(seed)
                (pathlib.Path(folder) / "drawn.xml").write_text(draw.xml())
                path = copied(folder, ("programs.xml", 'kernels/mandelbrot.sm_87.xml', "drawn.xml"),
                              ("programs.xml", 'id="draw" stream="s1" scope="block" grid="16" block="16x16"',
                               'id="draw" stream="s1" scope="block" grid="16" block="192"'))
                report = pathlib.Path(folder) / "report.xml"
                result = run("analyze", "--quiet", "-o", report, path)
                self.assertNotEqual(result.returncode, INVALID, (seed, result.stderr))
                bound = next(item for item in ElementTree.parse(report).iter(REPORT + "program") if item.get("id") == "drawn")
                split += bool(draw.splits)
                crossed += bound.find(REPORT + "crossed") is not None
                kinds.add((bound.get("composition"), bound.get("near")))
                result = run("verify", report)
                self.assertEqual(result.returncode, 0, (seed, result.stderr))
        self.assertEqual({composition for composition, _ in kinds}, {"free", "aligned", "serial"})
        self.assertGreater(split, 1)
        self.assertEqual({near for _, near in kinds}, {"2", "6"})
        self.assertGreater(crossed, PROGRAMS // 4)

    def test_long_turns(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "drawn.xml").write_text(LONG_TURNS)
            path = copied(folder, ("programs.xml", 'kernels/mandelbrot.sm_87.xml', "drawn.xml"),
                          ("programs.xml", 'id="draw" stream="s1" scope="block" grid="16" block="16x16"',
                           'id="draw" stream="s1" scope="block" grid="16" block="192"'))
            report = pathlib.Path(folder) / "report.xml"
            run("analyze", "--quiet", "-o", report, path)
            self.assertIn(f'<chain cycles="{LONGEST}" linear-program="{LONGEST}"', report.read_text())
            result = run("verify", report)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_refused(self):
        for file, old, new, code, named, at in REFUSED:
            with tempfile.TemporaryDirectory() as folder:
                path = copied(folder, (file, old, new))
                result = run("analyze", path)
                self.assertEqual((result.returncode, result.stdout), (INVALID, ""), (code, result.stderr))
                if code is not None:
                    self.assertIn(f"[{code}]", result.stderr)
                    self.assertIn(named, result.stderr)
                if at is not None:
                    lines = (pathlib.Path(folder) / file if file.endswith("xml") else pathlib.Path(folder) / "kernels" / named).read_text()
                    number = next(number for number, line in enumerate(lines.splitlines(), 1) if at in line)
                    self.assertIn(f"{named}:{number}:", result.stderr)

    def test_cubin_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = copied(folder)
            with open(pathlib.Path(folder) / "kernels/reduction.sm_87.cubin", "ab") as file:
                file.write(b"!")
            result = run("analyze", path)
            self.assertEqual((result.returncode, result.stdout), (INVALID, ""))
            self.assertRegex(result.stderr, r"reduction\.sm_87\.xml:\d+: .*reduction\.sm_87\.cubin.*\[hash-mismatch\]")

    def test_clock(self):
        """Without the clock cycles are no time."""
        text = (ROOT / "examples/programs.xml").read_text()
        line = next(line for line in text.splitlines() if 'name="clock.sm"' in line)
        with tempfile.TemporaryDirectory() as folder:
            result = run("analyze", copied(folder, ("programs.xml", line + "\n", "")))
            self.assertEqual(result.returncode, INVALID)
            self.assertRegex(result.stderr, r"kernel 'multiply': expected clock\.sm .*\[cost-undeclared\]")

    def test_simulated(self):
        """No simulated block is longer than the bound that follows from its program."""
        result = run("simulate", "--to", "200ms", ROOT / "examples/programs.xml")
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
