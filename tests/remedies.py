"""--explain of a task without a bound, or with one that is too large, ends in what an engineer can do: who is charged what, named by what they
are, and the remedies with their XML. Usage: remedies.py GPUBOUND SOURCE_ROOT"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(2))
GPUBOUND = sys.argv.pop(1)

# A controller of the highest priority with a short kernel, above a kernel of long blocks: seen on a Jetson AGX Orin with made-up times.
LEVELS = """<taskset xmlns="urn:gpubound:taskset:1" id="levels" platform="jetson-agx-orin" origin="o">
  <origins><origin id="o" kind="declared" source="made up" by="test"/></origins>
  <declare name="concurrent-kernels" value="yes" source="t" by="t"/>
  <declare name="overhead.launch" value="10us" source="t" by="t"/>
  <declare name="overhead.block" value="1us" source="t" by="t"/>
  <declare name="overhead.dependency" value="5us" source="t" by="t"/>
  <declare name="queues.priorities" value="6" source="t" by="t"/>
  <declare name="queues.resident-grids" value="128" source="t" by="t"/>
  <interference from="all" victim="any" value="1.2" source="t" by="t"/>
  <assume id="A-HOL" source="t" by="t"/>
  <assume id="A-PRIO" source="t" by="t"/>
  <assume id="A-WC" source="t" by="t"/>
  <application id="vision"><stream id="s0" priority="2" kind="non-blocking"/><stream id="s1" priority="1" kind="non-blocking"/>
    <stream id="s2" priority="0" kind="non-blocking"/></application>
  <task id="detect" period="33ms" deadline="33ms">
    <kernel id="net" stream="s0" scope="block" grid="64" block="128" registers="32" wcet="1350us"/>
  </task>
  <task id="track" period="20ms" deadline="DEADLINE">
    <kernel id="k1" stream="s1" TRACK wcet="1ms"/>
  </task>
  <task id="control" period="2500us"><kernel id="filter" stream="s2" scope="block" grid="4" block="128" registers="32" wcet="20us"/></task>
</taskset>
"""
FACTS = """
  <origins><origin id="o" kind="declared" source="made up" by="test"/></origins>
  <declare name="overhead.launch" value="1ns" source="t" by="t"/>
  <declare name="overhead.block" value="0ns" source="t" by="t"/>
  <declare name="overhead.dependency" value="0ns" source="t" by="t"/>
  <declare name="overhead.copy" value="10us" source="t" by="t"/>
  <declare name="runlist.switch" value="200us" source="t" by="t"/>
  <declare name="concurrent-kernels" value="yes" source="t" by="t"/>
  <interference from="all" victim="any" value="1" source="t" by="t"/>
  <assume id="A-WC" source="t" by="t"/><assume id="A-RUNLIST" source="t" by="t"/>
"""
SLICES = '<taskset xmlns="urn:gpubound:taskset:1" id="slices" platform="jetson-agx-orin" origin="o">' + FACTS + """
  <application id="camproc" timeslice="1ms"><stream id="camera"/></application>
  <application id="detproc" timeslice="2ms"><stream id="detector"/></application>
  <application id="ctlproc" timeslice="500us"><stream id="control"/></application>
  <task id="camera" period="33ms"><kernel id="resize" stream="camera" scope="grid" grid="64" block="128" registers="16" wcet="1800us"/></task>
  <task id="detect" period="100ms"><kernel id="find" stream="detector" scope="grid" grid="64" block="128" registers="16" wcet="9ms"/></task>
  <task id="steer" period="10ms"><kernel id="solve" stream="control" scope="grid" grid="4" block="128" registers="16" wcet="150us"/></task>
</taskset>
"""
STREAM = '<taskset xmlns="urn:gpubound:taskset:1" id="one" platform="jetson-agx-orin" origin="o">' + FACTS + """
  <application id="all"><stream id="s"/></application>
  <task id="long" period="100ms"><kernel id="a" stream="s" scope="grid" grid="64" block="128" registers="16" wcet="8ms"/>
    <kernel id="b" stream="s" scope="grid" grid="64" block="128" registers="16" wcet="8ms"/></task>
  <task id="short" period="50ms"><kernel id="c" stream="s" scope="grid" grid="4" block="128" registers="16" wcet="3ms"/></task>
</taskset>
"""
BLOCKS = 'scope="block" grid="4" block="128" registers="32"'


def explain(text, task, statuses=(0, 1, 4)):
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        result = subprocess.run([GPUBOUND, "analyze", "-q", f"--explain={task}", file.name], capture_output=True, text=True, timeout=60)
    if result.returncode not in statuses or result.stderr:
        raise AssertionError((result.returncode, result.stderr))
    return result.stdout


def check(text):
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        return subprocess.run([GPUBOUND, "models", "--check", file.name], capture_output=True, text=True, timeout=60, check=True).stdout


def joined(text):
    """Without line breaks inside of paragraphs."""
    return re.sub(r"\s+", " ", text)


class Remedies(unittest.TestCase):
    def test_no_bound(self):
        text = explain(LEVELS.replace("TRACK", 'scope="grid"').replace("DEADLINE", "33ms"), "track")
        flat = joined(text)
        self.assertIn("track/op:k1: WCET 1 ms, charged", flat)
        self.assertIn("only its whole time is known", flat)
        self.assertRegex(flat, r"control/op:filter: WCET 20 us, charged [^:]*: 1.62 ms of it is a block of a lower level, 'net'")
        for line in ('<kernel id="k1" scope="block"', 'stream="s0" in every operation', '<application id="track-process" timeslice="..."><stream',
                     '<kernel id="net"', '<task id="track" period="...">'):
            self.assertIn(line, text)
        self.assertIn("none of it was tried", text)

    def test_does_not_point_to_itself(self):
        track = LEVELS.replace("TRACK", 'scope="grid"').replace("DEADLINE", "33ms")
        late = LEVELS.replace("TRACK", BLOCKS).replace("DEADLINE", "1ms")
        for text in (track, late):
            self.assertNotIn("--explain", explain(text, "track"))

    def test_one_operation(self):
        many = "".join(f'<kernel id="n{i}" stream="s0" scope="block" grid="1" block="32" registers="32" wcet="1us"/>' for i in range(4))
        text = LEVELS.replace("TRACK", BLOCKS).replace("DEADLINE", "1ms").replace("  </task>", many + "  </task>", 1)
        self.assertIn("and 1 operation with", explain(text, "track"))

    def test_whatever_is_stated(self):
        """That no declaration helps is said with the list of what is missing, and what does help."""
        track = LEVELS.replace("TRACK", 'scope="grid"').replace("DEADLINE", "33ms")
        bare = re.sub(r"  <(declare name=.overhead|interference|assume).*\n", "", track)
        for text, lead in ((bare, "Whatever of this is stated, 'detect', 'track' will not be proven"), (track, "Yet 'detect', 'track' will not")):
            said = joined(check(text))
            self.assertIn(lead, said)
            self.assertIn("'k1' is charged 16 times its time: only the whole kernel's is known", said)
            for remedy in ('scope="block"', 'timeslice="..."', "one stream for all"):
                self.assertIn(remedy, said)
            self.assertIn("'k1' is charged 16 times its time, as only the whole kernel's is known", joined(explain(text, "track")))
        self.assertNotIn("will not be proven", check(LEVELS.replace("TRACK", BLOCKS).replace("DEADLINE", "33ms")))
        self.assertNotIn("will not be proven", check(re.sub(r"  <(declare|interference|assume).*\n", "", STREAM)))

    def test_whose_and_why(self):
        """A circle of responses and jitters says whose they are and what is charged most there."""
        text = joined(explain(LEVELS.replace("TRACK", 'scope="grid"').replace("DEADLINE", "33ms"), "track"))
        self.assertRegex(text, r"responses and jitters of task:track grow beyond the horizon: most of what is charged where it runs is of "
                               r"task:track/op:k1, \S+ ms every 20 ms")

    def test_reasons_once(self):
        for words in (["--explain=track"], []):
            with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
                file.write(LEVELS.replace("TRACK", 'scope="grid"').replace("DEADLINE", "33ms"))
                file.flush()
                text = joined(subprocess.run([GPUBOUND, "analyze", "-q", *words, file.name], capture_output=True, text=True, timeout=60).stdout)
            part = text if words else text[text.index("task track: no-bound"):text.index("The bounds rest on")]
            self.assertEqual(len(re.findall(r"the load, the sum of cost over period, is 1\.8", part)), 1, part)

    def test_culprits(self):
        """What takes the time is named, not whom it delays: the drain of another kernel's block."""
        text = joined(explain(LEVELS.replace("TRACK", BLOCKS).replace("DEADLINE", "1ms"), "track"))
        self.assertRegex(text, r"What dominates: work of task detect, with \S+ \w+ of \S+ ms(, \S+ \w+ of it by|:) (blocks|a block) of detect/op:net")
        self.assertIn("What may give a bound, or a smaller one", text)
        many = LEVELS.replace("TRACK", BLOCKS.replace('grid="4"', 'grid="400"')).replace("DEADLINE", "1ms").replace("2500us", "5ms")
        text = joined(explain(many, "track"))
        self.assertIn("blocks of detect/op:net whose end control/op:filter waits for, of a higher level: 2 * 1658000 = 3316000", text)
        self.assertIn("W is the drain of blocks whose end it waits for, at most one of detect/op:net", text)

    def test_slices_are_others(self):
        """Of a kernel in time slices its own are its blocks; the gaps are of the contexts that have their turns in them."""
        text = joined(explain(SLICES, "steer"))
        self.assertIn("P 3.750001 ms", text.replace(" = 3750001 ns", ""))
        self.assertRegex(text, r"\+ 150001: jobs of steer, cost of a job besides \[\d+\], but for gaps between slices, 3750001 - 3600000 = 150001 each")
        self.assertIn("+ 1000000: turns of kernels of camproc, in each gap its slice and its overrun: 1 * 1000000 = 1000000", text)
        self.assertIn("+ 2000000: turns of kernels of detproc", text)
        self.assertIn("+ 600000: switches", text)
        self.assertIn("What dominates: turns of context detproc, with 2 ms of 3.750001 ms", text)

    def test_impossible_deadline(self):
        """A deadline below what a job takes alone is said to be one, with the numbers, with and without a bound."""
        text = joined(explain(SLICES.replace('period="10ms"', 'period="10ms" deadline="100us"'), "steer"))
        self.assertRegex(text, r"the deadline of 0.1 ms cannot be met, whatever is declared: .* a job takes 0.150001 ms alone, 0.150001 ms of it 'solve'")
        none = SLICES.replace('period="10ms"', 'period="10ms" deadline="100us"').replace('name="overhead.launch"', 'name="overhead.block"', 1)
        none = none.replace('<declare name="overhead.block" value="0ns" source="t" by="t"/>', "")
        self.assertRegex(joined(explain(none, "steer")), r"besides, the deadline of 0.1 ms cannot be met")
        waves = LEVELS.replace("TRACK", BLOCKS.replace('grid="4"', 'grid="4000"')).replace("DEADLINE", "3ms")
        self.assertRegex(joined(explain(waves, "track")), r"the deadline of 3 ms cannot be met, .* alone, \S+ ms of it 'k1'")
        self.assertNotIn("cannot be met", explain(SLICES.replace('period="10ms"', 'period="10ms" deadline="1ms"'), "steer"))

    def test_stream_is_others(self):
        """On one stream what others' jobs take is theirs, though the own kernel is the longest term at the engine."""
        text = joined(explain(STREAM, "short"))
        self.assertRegex(text, r"What dominates: work of task long, with 1\d\.\S+ ms of 1\d\.\S+ ms: jobs of long")
        text = joined(explain((ROOT / "examples/pipeline.xml").read_text(), "camera"))
        self.assertRegex(text, r"What dominates: work of task fuse, .* by a job of fuse that waits for an event")

    def test_proven_needs_none(self):
        text = explain((ROOT / "examples/two-streams.xml").read_text(), "resize")
        self.assertNotIn("What may give a bound", text)


if __name__ == "__main__":
    unittest.main()
