"""The examples: valid, and ending as they say they do.

usage: examples.py GPUBOUND SOURCE_ROOT
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
EXAMPLES = sorted((ROOT / "examples").glob("*.xml"))
PROVEN, NOT_PROVEN, NO_BOUND = 0, 1, 4
STATUS = {"dnn-inference": PROVEN, "two-streams": PROVEN, "bursts": PROVEN, "programs": PROVEN, "cockpit": PROVEN, "cockpit-one-context": PROVEN, "known-phases": PROVEN, "copies": PROVEN, "pipeline": PROVEN, "late-blocks": PROVEN, "passing": PROVEN, "partitions": PROVEN, "masks": PROVEN, "masks-orin": PROVEN, "thor-mig": PROVEN,
          "waters2019": PROVEN, "waters2019-detection": PROVEN,
          "waters2019-one-context": NOT_PROVEN, "waters2019-overload": NO_BOUND, "best-effort": PROVEN, "threads": PROVEN, "segments": PROVEN, "interleave": PROVEN, "mps": PROVEN,
          "networks-slices": PROVEN, "networks-lock": PROVEN, "networks-partitions": PROVEN, "robot": NO_BOUND, "cores": PROVEN, "deadline-threads": PROVEN, "ros2": PROVEN,
          "gcaps": PROVEN, "gcaps-default": PROVEN, "whole-system": PROVEN, "zero-copy": PROVEN}


def analyze(path):
    """Exit status, {task: (verdict, winner)}, diagnostics."""
    result = subprocess.run([GPUBOUND, "analyze", "--format=csv", str(path)], capture_output=True, text=True, timeout=60)
    rows = [line.split(",") for line in result.stdout.splitlines()]
    return result.returncode, {row[1]: (row[5], row[6]) for row in rows if row[0] == "task"}, result.stderr


def changed(name, *changes):
    """The analysis of an example in which each old text is replaced by a new one."""
    text = (ROOT / "examples" / name).read_text()
    for old, new in changes:
        assert old in text, (name, old)
        text = text.replace(old, new)
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        return analyze(file.name)


class Examples(unittest.TestCase):
    def test_ros2(self):
        """The busy interval of the executor, as the head of ros2.xml works it out, is within the jitter that it stands for."""
        path = ROOT / "examples/ros2.xml"
        model = subprocess.run([GPUBOUND, "analyze", "-q", "-f", "mast", str(path)], capture_output=True, text=True, timeout=60).stdout
        bound = int(re.search(r'Name="gpu2_1" Worst_Case_Execution_Time="(\d+)"', model).group(1))
        length, before = 1, 0
        while length != before:
            before, length = length, -(-length // 100000000) * (1000000 + bound) + -(-length // 10000000) * 200000
        self.assertEqual((bound, length), (12600000, 14000000))
        self.assertLess(length, 16000000)
        self.assertIn("task,on_image,,14200000,", (ROOT / "tests/golden/ros2.csv").read_text())

    def test_whole_system(self):
        """The one change that the head of whole-system.xml names: all tasks meet their deadlines, and the chain does not."""
        for change, status, verdict in ((), PROVEN, "proven"), (("--set=detect.waiting=spin",), NOT_PROVEN, "not-proven"):
            result = subprocess.run([GPUBOUND, "analyze", "-q", "-f", "csv", *change, str(ROOT / "examples/whole-system.xml")],
                                    capture_output=True, text=True, timeout=60)
            rows = [line.split(",") for line in result.stdout.splitlines()[1:]]
            self.assertEqual(result.returncode, status)
            self.assertEqual({row[5] for row in rows if row[0] == "task"}, {"proven"})
            self.assertEqual([row[5] for row in rows if row[0] == "chain"], [verdict])

    def test_valid(self):
        schema = ROOT / "schema" / "taskset-1.xsd"
        result = subprocess.run(["xmllint", "--noout", "--schema", str(schema), *map(str, EXAMPLES)], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_status(self):
        self.assertEqual({path.stem for path in EXAMPLES}, set(STATUS))
        for path in EXAMPLES:
            self.assertEqual(analyze(path)[0], STATUS[path.stem], path.name)

    def test_who_is_proven(self):
        self.assertEqual(analyze(ROOT / "examples/waters2019.xml")[1], {"SFM": ("proven", "CHAIN"), "Lane_detection": ("proven", "P-GPU")})
        tasks = analyze(ROOT / "examples/waters2019-one-context.xml")[1]
        self.assertEqual((tasks["SFM"][0], tasks["Detection"][0]), ("not-proven", "proven"))

    def test_own_segments(self):
        """The sum of eight segments, each alone beside the other context, and of the host between; a run; a job too long for its period."""
        command = [GPUBOUND, "analyze", "--format=csv", str(ROOT / "examples/segments.xml")]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        alone = 5_000_000 + 5 * (1_024_000 + 2 * 200_000)
        self.assertIn(f"task,steps,,{8 * alone + 7_000_000},110000000,proven,P", lines)
        self.assertNotEqual(changed("segments.xml", ('"110ms"', '"100ms"'))[1]["steps"][0], "proven")

    def test_what_the_comments_say(self):
        status, tasks, _ = changed("waters2019.xml", ("4096us", "1024us"))
        self.assertEqual((status, tasks["SFM"]), (0, ("proven", "CHAIN")))
        status, tasks, _ = changed("waters2019.xml", ("4096us", "512us"))
        self.assertEqual((status, tasks["SFM"][0]), (NOT_PROVEN, "not-proven"))
        self.assertIn("[same-sm]", analyze(ROOT / "examples/two-streams.xml")[2])
        self.assertNotIn("[same-sm]", changed("two-streams.xml", ('block="160"', 'block="128"'))[2])
        self.assertEqual(changed("copies.xml", ('from="cpu" victim="any" value="1.1"', 'from="all" victim="any" value="3.3"'))[0], NOT_PROVEN)
        self.assertEqual(changed("waters2019.xml", ("runlist.switch", "runlist.timeslice"))[0], NO_BOUND)
        self.assertEqual(changed("masks-orin.xml", ('id="lane-net"', 'id="lane-net" shared-dynamic="32KiB"'))[0], NO_BOUND)

    def test_copies_have_no_masks(self):
        """Of two masks copies on one engine wait for one another, those of an engine a direction for fewer: masks-orin.xml."""
        def response(*changes):
            text = (ROOT / "examples/masks-orin.xml").read_text()
            for old, new in changes:
                self.assertIn(old, text)
                text = text.replace(old, new)
            lines = subprocess.run([GPUBOUND, "analyze", "-q", "-f", "csv", "-"], input=text, capture_output=True, text=True, timeout=60).stdout
            return int(re.search("task,driver-monitor,,([0-9]+)", lines).group(1))
        one = ('name="engine.d2h" value="1"', 'name="engine.d2h" value="0"')
        self.assertEqual((response(), response(one)), (18053800, 18329800))
        self.assertEqual(response(one), int(re.search("task,driver-monitor,,([0-9]+)", (ROOT / "tests/golden/masks.csv").read_text()).group(1)))

    def test_a_mig_instance_is_a_platform(self):
        """What NVIDIA does not say of it is asked for, and nothing is taken for the whole chip's: without a declaration there is no bound that needs it."""
        check = subprocess.run([GPUBOUND, "models", "--check", str(ROOT / "examples/platforms/thor-mig-1g.xml")], capture_output=True, text=True)
        asked = set(" ".join(line.split("declare: ")[-1] for line in check.stdout.splitlines()[1:]).split())
        self.assertEqual(check.returncode, 0)
        self.assertLess({"overhead.launch", "engine.h2d", "copy-runlist", "from=other", "from=cpu"}, asked)
        self.assertEqual(changed("thor-mig.xml", ("./platforms", f"{ROOT}/examples/platforms"))[0], PROVEN)
        text = (ROOT / "examples/thor-mig.xml").read_text()
        for word, status in (("copy-runlist", NO_BOUND), ("overhead.copy", NO_BOUND), ('from="all" victim="any"', NO_BOUND), ('id="A-WC"', NO_BOUND),
                             ("engine.d2h", 3), ("concurrent-kernels", 3)):
            with self.subTest(word):
                line, = (line for line in text.splitlines(keepends=True) if word in line)
                self.assertEqual(changed("thor-mig.xml", ("./platforms", f"{ROOT}/examples/platforms"), (line, ""))[0], status)

    def test_best_effort(self):
        bounds = {"control": "proven", "camera": "proven", "mapping": "no-bound"}
        def verdicts(*changes):
            return {task: verdict for task, (verdict, _) in changed("best-effort.xml", *changes)[1].items()}
        self.assertEqual(verdicts(), bounds)
        best_effort = ' best-effort="true"'
        self.assertEqual(changed("best-effort.xml", (best_effort, ""))[0], NO_BOUND)
        self.assertEqual(changed("best-effort.xml", (best_effort, ""), ('period="20ms"', 'period="20ms"' + best_effort))[0], PROVEN)
        self.assertEqual(changed("best-effort.xml", ('id="background" kind="non-blocking" priority="1"', 'id="background" kind="non-blocking" priority="0"'))[0], NO_BOUND)
        nobody = changed("best-effort.xml", (' deadline="10ms"', best_effort), (' deadline="33ms"', best_effort), ('<assume id="A-WC"', '<assume id="A-FRAG"'))
        self.assertEqual((nobody[0], {verdict for verdict, _ in nobody[1].values()}), (NO_BOUND, {"no-bound"}))
        level = 'id="{}" kind="non-blocking" priority="{}"'.format
        self.assertEqual(verdicts((level("background", 1), level("background", 0))), bounds | {"control": "no-bound"})
        self.assertEqual(verdicts((level("background", 1), level("background", 0)), (level("eye", 0), level("eye", 1))),
                         dict.fromkeys(bounds, "no-bound"))

    def test_what_would_help(self):
        """All that a bound lacks at once; what several bounds, or tasks, lack in one place; and which of it comes first."""
        def said(name, *changes):
            text = (ROOT / "examples" / name).read_text()
            for old, new in changes:
                self.assertIn(old, text)
                text = text.replace(old, new)
            result = subprocess.run([GPUBOUND, "analyze", "-q", "-"], input=text, capture_output=True, text=True, timeout=60)
            return " ".join(result.stdout.split())
        passing = said("passing.xml", ('<assume id="A-FIT"', '<assume id="A-CE"'))
        self.assertIn("P, P-GPU, H, CHAIN, FP, TT: needs A-HOL, A-WC, for which nobody vouches on this platform", passing)
        self.assertIn("--assume A-HOL --assume A-WC as a condition", passing)
        self.assertIn("6.33 ms above the deadline; --explain control says", passing)
        alone = said("best-effort.xml", ('<assume id="A-WC"', '<assume id="A-FRAG"'))
        self.assertIn("advice no bound: what stands beside P is the first to change", alone)
        self.assertIn("task mapping: no-bound, for the same reasons as task camera", alone)
        factors = said("best-effort.xml", ('from="all" victim="any"', 'from="h2d" victim="any"'))
        self.assertRegex(factors, "VOL-P[^:]*: no factor covers interference")
        self.assertIn("advice no bound: what stands beside VOL-P is the first to change", factors)
        queues = said("best-effort.xml", ('name="queues.hardware" value="32"', 'name="queues.hardware" value="2"'))
        self.assertRegex(queues, "VOL-C, [^:]*: streams may share a hardware queue: queues.hardware is 2, too small")
        self.assertIn("advice no bound: what stands beside VOL-C is the first to change", queues)
        holes = said("best-effort.xml", ('name="queues.hardware" value="32"', 'name="queues.hardware" value="2"'), ('block="128" registers="32"', 'block="128" registers="64"'))
        self.assertRegex(holes, r"others may leave an SM in holes that hold \d+ blocks? of \w+ in place of \d+: --assume A-FRAG")

        engines = "".join(f'<declare name="engine.{of}" value="{i}" source="test" by="test"/>' for i, of in enumerate(("h2d", "d2h")))
        turns = said("best-effort.xml", ('platform="jetson-agx-xavier"', 'platform="h200"'), ('<assume id="A-WC"', engines + '<assume id="A-WC"'))
        self.assertIn('needs A-RUNLIST, for which nobody vouches', turns)
        self.assertIn('<declare name="copy-runlist" value="own" .../> where copies take no turns with kernels', turns)

    def test_how_many_blocks_an_sm_holds(self):
        """128 threads of 32 registers are 4 warps of 1024: of 64 warps and 64 K registers an SM holds 16 such blocks."""
        result = subprocess.run([GPUBOUND, "analyze", "-q", "--explain=control", ROOT / "examples/best-effort.xml"], capture_output=True, text=True, timeout=60)
        self.assertIn("a block is 4 warps of 1024 registers each and 0 B of shared memory; alone an SM holds 16 by its warps, 32 by its blocks, "
                      "16 by its registers, 32 by its shared memory", " ".join(result.stdout.split()))

    def test_networks_as_two_processes(self):
        two = ('<application id="a"><stream id="inference"/></application>'
               '<application id="b"><stream id="second"/></application>')
        text = (ROOT / "examples/dnn-inference.xml").read_text()
        server = text[text.index("  <application"):text.index("  <task")]
        networks = text[text.index('  <task id="mobilenetv2"'):]
        declared = ('<declare name="runlist.switch" value="200us" source="test" by="test"/>'
                    '<declare name="runlist.timeslice" value="2ms" source="test" by="test"/>'
                    '<assume id="A-RUNLIST" source="test" by="test"/>')
        status, tasks, _ = changed("dnn-inference.xml", (server, declared + two), (networks, networks.replace("inference", "second")))
        self.assertEqual((status, tasks["resnet50"][0]), (NO_BOUND, "no-bound"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
