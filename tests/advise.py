"""gpubound advise, and analyze --set and --scale.

- robot: what is printed is recorded beside this file (tests/golden/advise/, --update)
- every figure is the ordinary analysis': the best design is written, analysed to the same responses, and its report is verified
- nothing is missed: all designs of small task sets are written here, by other code, and none of them is better
- the same bytes with any number of threads, and for one seed where there are more designs than may be tried
- a design in which kernels meet that did not is never called proven
- what if: an option has the effect of an edited file, verify takes the recorded command line and nothing else

usage: advise.py GPUBOUND SOURCE_ROOT quick|slow [--update]
"""
import csv
import io
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from forged import mended

GPUBOUND, ROOT, UPDATE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), "--update" in sys.argv
SLOW = sys.argv[3] == "slow"
GOLDEN = ROOT / "tests/golden/advise"
ROBOT = ROOT / "examples/robot.xml"
LARGE = {"dnn-inference.xml", "waters2019-overload.xml", "passing.xml", "segments.xml", "late-blocks.xml", "gcaps.xml", "gcaps-default.xml"}
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.xml")) if SLOW or path.name not in LARGE]
UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


def run(*words, text=None, timeout=300):
    return subprocess.run([GPUBOUND, *map(str, words)], cwd=ROOT, input=text, capture_output=True, text=True, timeout=timeout)


def advise(path, *words, **more):
    result = run("advise", "-q", *words, path, **more)
    assert result.returncode in (0, 1, 4, 7), (path, result)
    return result.stdout


def responses(text):
    """task -> response in ns, None without a bound; or the message, where the task set is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "case.xml"
        path.write_text(text)
        result = run("analyze", "-q", "--format=csv", path)
    if result.returncode not in (0, 1, 4, 7):
        return result.stderr
    return {row["task"]: int(row["response_ns"]) if row["response_ns"] else None
            for row in csv.DictReader(io.StringIO(result.stdout)) if row["kind"] == "task"}


def designs(printed):
    """What is printed of each design: the sentence, the verdict, the responses as printed."""
    for part in re.split(r"^\d\.  ", printed.split("\nTried as well")[0].split("\nNot tried")[0], flags=re.M)[1:]:
        sentence, rest = part.split("    verdict   ")
        rows = re.findall(r"^    (\S+) +(?:\S+ ms~?|-) +(\S+ \w+~?|-) +(\S+)$", rest.split("    chain ")[0], re.M)
        yield " ".join(sentence.split()), " ".join(rest.split("    task ")[0].split()), {name: value for name, value, _ in rows if name != "task"}


def ns(text):
    number, unit = text.rstrip("~").split()
    return float(number) * UNITS[unit]


class Robot(unittest.TestCase):
    maxDiff = None

    def test_golden(self):
        """What is printed of each example is recorded."""
        for path in EXAMPLES:
            with self.subTest(path.name):
                printed = advise(path)
                recorded = GOLDEN / f"{path.stem}.txt"
                if UPDATE:
                    recorded.parent.mkdir(exist_ok=True)
                    recorded.write_text(printed)
                self.assertEqual(recorded.read_text(), printed)
                self.assertLessEqual(max(map(len, printed.splitlines())), 80)

    def test_different(self):
        """No two of those shown are of one kind with the same processes, but for one that says what it has more of."""
        for path in EXAMPLES:
            shown = advise(path).split("\nTried as well")[0].split("\nNot tried")[0]
            designs_of = re.split(r"^\d\.  ", shown, flags=re.M)[1:]
            without = [re.sub(r"; time slices of[^;]*", "", " ".join(text.split("    verdict")[0].split())) for text in designs_of if "\n    has  " not in text]
            without = [re.sub(r"; (one priority for|priorities:)[^;]*", "", text) for text in without]
            self.assertEqual(len(without), len(set(without)), path.name)
            self.assertLessEqual(len(designs_of), 3)

    def test_story(self):
        """One process has no bound, though every number is declared; processes with slices have; and it is said what to measure."""
        self.assertEqual(set(responses(ROBOT.read_text()).values()), {None})
        printed = advise("examples/robot.xml")
        sentence, verdict, _ = next(designs(printed))
        self.assertIn("each in a process of its own", sentence)
        self.assertIn("proven, once what stands below is measured", verdict)
        for words in ("runlist.switch between these processes (200us is stated)", "WCETs of whole kernels", "overheads"):
            self.assertIn(words, " ".join(printed.split()))
        self.assertRegex(printed, r"as it stands: no-bound")


class Figures(unittest.TestCase):
    def test_examples(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        shutil.copytree(ROOT / "examples", folder / "examples") # designs name files beside the task set
        for path in EXAMPLES:
            with self.subTest(path.name):
                written = folder / "examples" / "design.xml"
                printed = advise(folder / "examples" / path.name, "-o", written)
                result = run("analyze", "-q", "--format=csv", "-o", written.with_suffix(".report"), written)
                self.assertIn(result.returncode, (0, 1, 4, 7), result.stderr)
                found = {row["task"]: row["response_ns"] for row in csv.DictReader(io.StringIO(result.stdout)) if row["kind"] == "task"}
                _, verdict, shown = next(designs(printed))
                self.assertEqual(set(found), set(shown))
                for task, value in shown.items():
                    self.assertEqual(value == "-", found[task] == "", task)
                    if value != "-":
                        self.assertLessEqual(int(found[task]), ns(value), task)
                        self.assertGreater(int(found[task]) + 1001, ns(value), task)
                self.assertEqual(verdict.startswith("proven"), result.returncode == 0)
                verified = run("verify", "--without-prose", written.with_suffix(".report"))
                self.assertEqual(verified.returncode, 0, verified.stderr)

    def test_slack(self):
        """Each figure of an operation alone is proven with --set, and is not with a thousandth more."""
        with tempfile.TemporaryDirectory() as folder:
            written = pathlib.Path(folder) / "design.xml"
            printed = " ".join(advise("examples/robot.xml", "-o", written).split())
            figures = re.findall(r"'(\w+)' at most (\S+ \w+)~?", printed.split("rests on")[0])
            self.assertEqual(len(figures), 3)
            for name, value in figures:
                at = run("analyze", "-q", f"--set={name}.wcet={value.replace(' ', '').rstrip('~')}", written)
                past = run("analyze", "-q", f"--set={name}.wcet={ns(value) * 1.002:.0f}ns", written)
                self.assertEqual((at.returncode, past.returncode), (0, 1 if "not-proven" in past.stdout else 4), (name, value))
            grows = float(re.search(r"all WCETs may grow by (\S+) %", printed).group(1))
            names = re.findall(r'<(?:kernel|copy) id="(\w+)"', written.read_text())
            for by, proven in ((grows, True), (grows + 0.1, False)):
                scaled = run("analyze", "-q", *(f"--scale={name}.wcet={1 + by / 100:.4f}" for name in names), written)
                self.assertEqual(scaled.returncode == 0, proven, scaled.stdout)


class Chains(unittest.TestCase):
    """A design is proven only if its chains are; they are listed, and what they rest on is among what the design rests on."""

    def same_as_analyze(self, path):
        printed = advise(path)
        analysed = run("analyze", "-q", "--format=csv", path)
        found = {row["task"]: (row["response_ns"], row["verdict"]) for row in csv.DictReader(io.StringIO(analysed.stdout)) if row["kind"] == "chain"}
        design = printed.split(".  the task set as it stands\n")[1].split("\n\n")[0]
        shown = dict((name, (value, verdict)) for name, value, verdict in
                     re.findall(r"^    (\S+) +\S+ ms~? +(\S+ \w+~?|-) +(\S+)$", design.split("    chain ")[1], re.M))
        self.assertEqual({name: verdict for name, (_, verdict) in found.items()}, {name: verdict for name, (_, verdict) in shown.items()})
        for name, (value, _) in shown.items():
            self.assertEqual(value == "-", found[name][0] == "", name)
            if value != "-":
                self.assertLessEqual(int(found[name][0]), ns(value), name)
                self.assertGreater(int(found[name][0]) + 1001, ns(value), name)
        self.assertEqual("    verdict   proven\n" in design, analysed.returncode == 0)
        rests = run("analyze", "-q", path).stdout.split("\nThe bounds rest on")[1]
        self.assertEqual(set(re.findall(r"A-[A-Z0-9-]+(?:\(\w+\))?", design.split("rests on")[1])),
                         {name for name, status in re.findall(r"^  (A-\S+) +(\w+) ", rests, re.M) if status not in ("holds", "discharged")})
        return design

    def test_shown(self):
        for path in ("examples/whole-system.xml", "examples/ros2.xml", "tests/golden/rates.xml"):
            with self.subTest(path):
                self.same_as_analyze(ROOT / path)
        self.assertIn("A-DATA", self.same_as_analyze(ROOT / "examples/whole-system.xml"))

    def test_a_chain_alone_is_late(self):
        """Each task meets its deadline, and no design is proven that has the chain late; the one that has it in time is the best."""
        text = (ROOT / "examples/whole-system.xml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "case.xml"
            path.write_text(text.replace('deadline="250ms"', 'deadline="100ms"'))
            self.assertIn("chain camera-to-actuator: its bound is above its deadline", " ".join(self.same_as_analyze(path).split()))
            path.write_text(text.replace('deadline="250ms"', 'deadline="215ms"'))
            sentence, verdict, _ = next(designs(advise(path)))
        self.assertIn("of 5ms for plan", sentence)
        self.assertIn("proven, once", verdict)


def partitions(items):
    """All ways to put them into groups."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for i, group in enumerate(rest):
            yield [*rest[:i], [items[0], *group], *rest[i + 1:]]


def orders(items):
    """All levels of them, equal ones included, without gaps."""
    for levels in itertools.product(range(len(items)), repeat=len(items)):
        if set(levels) == set(range(max(levels) + 1)):
            yield dict(zip(items, levels))


class Exhaustive(unittest.TestCase):
    """The designs of a task set of one stream a task, written by other code than advise's."""
    SLICES = ("1ms", "4ms")

    def all_designs(self, head, tail, tasks):
        for groups in partitions(tasks):
            for levels in itertools.product(*(list(orders(group)) for group in groups)):
                for slices in itertools.product(self.SLICES if len(groups) > 1 else (None,), repeat=len(groups)):
                    text = ""
                    for i, (group, level, slice_) in enumerate(zip(groups, levels, slices)):
                        length = f' timeslice="{slice_}"' if slice_ else ""
                        text += f'  <application id="p{i}"{length}>\n' + "".join(
                            f'    <stream id="{task}-stream" kind="non-blocking" priority="{level[task]}"/>\n' for task in group) + "  </application>\n"
                    yield groups, head + text + tail

    def check(self, text, by):
        tasks = re.findall(r'<task id="(\w+)"', text)
        head, tail = text[:text.index("  <application")], text[text.index("</application>\n") + len("</application>\n"):]
        deadlines = {task: ns(re.sub("ms", " ms", value)) for task, value in re.findall(r'<task id="(\w+)" .*?deadline="(\w+)"', text)}
        proven, together = [], []
        for groups, design in self.all_designs(head, tail, tasks):
            found = responses(design)
            if isinstance(found, dict) and all(found[task] is not None and found[task] <= deadlines[task] for task in tasks):
                proven.append(found[by])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "case.xml"
            path.write_text(text.replace("</taskset>", f'  <freedom slices="{" ".join(self.SLICES)}"/>\n</taskset>'))
            written = pathlib.Path(folder) / "design.xml"
            printed = advise(path, f"--by=response:{by}", "-o", written)
            self.assertIn("all that there are here", " ".join(printed.split()))
            best = responses(written.read_text())[by]
        self.assertTrue(proven)
        self.assertEqual(best, min(proven), printed)
        return len(proven)

    def test_robot(self):
        self.check(ROBOT.read_text(), "control")

    def test_two(self):
        text = ROBOT.read_text()
        text = re.sub(r'  <task id="camera".*?</task>\n', "", text, flags=re.S).replace(
            '    <stream id="camera-stream" kind="non-blocking" priority="1"/>\n', "")
        self.check(text, "detector")
        self.check(text.replace('scope="grid"', 'scope="block" grid="16" block="256" registers="32"'), "control")

    def test_slack(self):
        """By slack: the best design is proven with all WCETs grown by what is printed, and none of all designs with a thousandth more."""
        text = re.sub(r'  <task id="camera".*?</task>\n', "", ROBOT.read_text(), flags=re.S).replace(
            '    <stream id="camera-stream" kind="non-blocking" priority="1"/>\n', "")
        with tempfile.TemporaryDirectory() as folder:
            path, design = pathlib.Path(folder) / "case.xml", pathlib.Path(folder) / "design.xml"
            path.write_text(text.replace("</taskset>", f'  <freedom slices="{" ".join(self.SLICES)}"/>\n</taskset>'))
            printed = advise(path, "--by=slack", "-o", design)
            grows = float(re.search(r"all WCETs may grow by (\S+) %", printed).group(1))
            names = re.findall(r'<(?:kernel|copy) id="(\w+)"', text)

            def proven(by):
                return run("analyze", "-q", *(f"--scale={name}.wcet={1 + by / 100:.4f}" for name in names), design).returncode in (0, 7)
            self.assertTrue(proven(grows), printed)
            head, tail = text[:text.index("  <application")], text[text.index("</application>\n") + len("</application>\n"):]
            count = 0
            for _, one in self.all_designs(head, tail, ["detector", "control"]):
                design.write_text(one)
                self.assertFalse(proven(grows + 0.1), one)
                count += 1
            self.assertGreater(count, 6)

    def test_locks(self):
        """One process and a lock: all orders of priorities of streams, and of units, and who comes first."""
        slow = ('id="control" period="10ms" deadline="10ms"', 'id="control" period="50ms" deadline="50ms"')
        text = ROBOT.read_text().replace(*slow)
        tasks = re.findall(r'<task id="(\w+)"', text)
        proven = []
        for level in orders(tasks):
            streams, units = text, text
            for task in tasks:
                streams = re.sub(rf'(<stream id="{task}-stream" kind="non-blocking" priority=)"\d"', rf'\1"{level[task]}"', streams)
                units = re.sub(rf'(<task id="{task}"[^>]*>\n)(.*?)(  </task>)', rf'\1<locked lock="gpu" hold="50us" priority="{level[task]}">\2</locked>\3',
                               units, flags=re.S)
            units = units.replace("  </application>\n", '  </application>\n  <lock id="gpu" protocol="priority"/>\n')
            for design in (streams, units, re.sub(r' hold="50us" priority="\d"', ' hold="50us"', units).replace('"gpu" protocol="priority"', '"gpu" protocol="fifo"')):
                found = responses(design)
                self.assertIsInstance(found, dict, design)
                if None not in found.values() and all(found[task] <= limit for task, limit in (("camera", 33e6), ("detector", 100e6), ("control", 50e6))):
                    proven.append(found["camera"])
        with tempfile.TemporaryDirectory() as folder:
            path, written = pathlib.Path(folder) / "case.xml", pathlib.Path(folder) / "design.xml"
            path.write_text(text.replace("</taskset>", '  <freedom contexts="fixed" hold="50us"/>\n</taskset>'))
            printed = advise(path, "--by=response:camera", "-o", written)
            best = responses(written.read_text())["camera"]
        self.assertTrue(proven)
        self.assertEqual(best, min(proven), printed)

    @unittest.skipUnless(SLOW, "three tasks of blocks, a hundred designs: in the suite slow")
    def test_blocks(self):
        text = ROBOT.read_text().replace('scope="grid"', 'scope="block" grid="16" block="256" registers="32"')
        for by in ("camera", "detector", "control"):
            self.assertGreater(self.check(text, by), 5)


class Search(unittest.TestCase):
    def test_threads(self):
        self.assertEqual(len({advise("examples/robot.xml", f"-j{jobs}") for jobs in (1, 2, 5)}), 1)

    def test_limit(self):
        """More designs than may be tried: drawn from the seed, said so, the same for any threads; the best is found here all the same."""
        drawn = {advise("examples/robot.xml", "--limit=80", f"-j{jobs}") for jobs in (1, 3)}
        self.assertEqual(len(drawn), 1)
        text = " ".join(drawn.pop().split())
        self.assertIn("80 designs tried of more than 80, drawn from seed 1", text)
        self.assertIn("each in a process of its own", text)
        self.assertNotEqual(advise("examples/robot.xml", "--limit=40", "--seed=2"), advise("examples/robot.xml", "--limit=40"))

    def test_gap(self):
        """What no design is better than is said, and is not passed by the best of all designs."""
        for by, pattern in (("response:control", r"response is (\d+) ns at the best one found, and no design has less than (\d+) ns"),
                            ("slack", r"grow by (\S+) % at the best one found, and by more than (\S+) % in no design")):
            text = " ".join(advise("examples/robot.xml", "--limit=80", f"--by={by}").split())
            found, limit = map(float, re.search(pattern, text).groups())
            whole = advise("examples/robot.xml", f"--by={by}")
            if by == "slack":
                self.assertLessEqual(limit, min(33 / 1.6, 100 / 17.55, 10 / 0.4) * 100 - 100)
                self.assertTrue(found <= float(re.search(r"all WCETs may grow by (\S+) %", whole).group(1)) <= limit)
            else:
                self.assertGreaterEqual(limit, 400000)
                self.assertTrue(limit <= ns(next(designs(whole))[2]["control"]) <= found)

    def test_branch_and_bound(self):
        """Five tasks have 17,255 designs; a tenth of them is enough to say that none is better, with any number of threads."""
        tasks = "".join(f'  <task id="t{i}" period="{period}ms" deadline="{period}ms"><kernel id="k{i}" stream="s{i}" scope="grid" wcet="{wcet}us"/></task>\n'
                        for i, (period, wcet) in enumerate(((20, 400), (33, 1600), (100, 9000), (50, 2000), (40, 1200))))
        text = ROBOT.read_text()
        text = text[:text.index("  <application")] + "".join(
            f'  <application id="p{i}"><stream id="s{i}" kind="non-blocking"/></application>\n' for i in range(5)) + tasks + "</taskset>\n"
        printed = {run("advise", "-q", "-", "--by=response:t2", "--limit=1700", f"-j{jobs}", text=text).stdout for jobs in (1, 3)}
        self.assertEqual(len(printed), 1)
        some = printed.pop()
        self.assertIn("by branch and bound: none of the others is better, by limits that no design passes", " ".join(some.split()))
        if SLOW:
            everything = run("advise", "-q", "-", "--by=response:t2", "--limit=20000", text=text).stdout
            self.assertIn("17255 designs tried, all that there are here", " ".join(everything.split()))
            self.assertEqual(next(designs(everything))[2]["t2"], next(designs(some))[2]["t2"])

    @unittest.skipUnless(SLOW, "4,683 designs: in the suite slow")
    def test_orders(self):
        """All orders of six tasks in as many levels are tried: [BRANCH-AND-BOUND] says why none is assigned."""
        text = ROBOT.read_text()
        text = text[:text.index("  <application")] + '  <application id="p">' + "".join(f'<stream id="s{i}" kind="non-blocking"/>' for i in range(6)) + (
            "</application>\n" + "".join(f'  <task id="t{i}" period="{20 + 10 * i}ms" deadline="20ms"><kernel id="k{i}" stream="s{i}" scope="grid" wcet="1ms"/></task>\n'
                                         for i in range(6)) + '  <freedom contexts="fixed"/>\n</taskset>\n')
        self.assertIn("4683 designs tried, all that there are here", " ".join(run("advise", "-q", "-", text=text).stdout.split()))

    def test_interrupted(self):
        with subprocess.Popen([GPUBOUND, "advise", "-q", "-j1", "--limit=100000", "examples/waters2019-overload.xml"], cwd=ROOT,
                              stdout=subprocess.PIPE, text=True) as process:
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        self.assertIn(process.returncode, (1, 4))
        self.assertRegex(" ".join(output.split()), r"interrupted: \d+ of \d+ designs tried|all that there are here")

    def test_company(self):
        """Two processes put into one: their kernels meet as they never did, and whatever the numbers say, that is not proven yet."""
        text = (ROOT / "examples/two-streams.xml").read_text()
        self.assertEqual(run("analyze", "-q", "-", text=text).returncode, 0)
        text = text.replace('    <stream id="s1"', '  </application>\n  <application id="other">\n    <stream id="s1"')
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "case.xml"
            path.write_text(text)
            printed = advise(path)
        sentence, verdict, _ = next(designs(printed))
        self.assertIn("in one process", sentence)
        self.assertTrue(verdict.startswith("proven, once what stands below is measured"), verdict)
        self.assertIn("the interference factors", printed)
        self.assertNotIn("verdict   proven\n", printed)

    def test_command_line(self):
        for words, expected in ((("--by=slak",), "wants assumptions, slack or response:TASK"), (("--by=response:kamera",), "did you mean 'camera'"),
                                (("--limit=0",), "--limit"), (("--design=4",), "--design")):
            result = run("advise", *words, "examples/robot.xml")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(expected, result.stderr)
        self.assertEqual(run("advise", "tests/reject/xml-malformed.xml").returncode, 3)

    def test_other_spellings(self):
        """A file may be written in ways that advise does not change: it says so, or does what it does with the plain one."""
        plain = advise("examples/robot.xml")
        for old, new, same in (("<", "<t:", False), ('id="camera-stream"', 'id="camera&#45;stream"', False), ('"33ms"', "'33ms'", True),
                               ('<task id="camera"', '<!-- > <task id="x"> --><task\n id = "camera"', True),
                               ("<title>Camera", "<title><![CDATA[<task id='y'>]]> Camera", True)):
            text = ROBOT.read_text()
            if new == "<t:":
                text = re.sub(r"<(/?)(?=[a-z])", r"<\1t:", text).replace("xmlns=", "xmlns:t=")
            text = text.replace(old, new) if new != "<t:" else text
            result = run("advise", "-q", "-", text=text)
            self.assertEqual(result.returncode, 7 if same else 3, (new, result.stderr))
            if same:
                self.assertEqual(result.stdout, plain)
            else:
                self.assertIn("expected elements without a namespace prefix", result.stderr)

    def test_designs(self):
        """Each of those printed can be written, and nothing but what is named differs."""
        texts = {number: advise("examples/robot.xml", "-o-", f"--design={number}") for number in (1, 2)}
        self.assertEqual(len(set(texts.values())), 2)
        self.assertEqual(run("advise", "-q", "-o-", "--design=3", "examples/robot.xml").returncode, 2, "there are no three that differ")
        for text in texts.values():
            self.assertIn("<!-- A robot on a Jetson AGX Orin", text)
            self.assertEqual(re.sub(r"  <application.*</application>\n", "", text, flags=re.S),
                             re.sub(r"  <application.*</application>\n", "", ROBOT.read_text(), flags=re.S))


class Freedom(unittest.TestCase):
    def advise(self, freedom, *words):
        with tempfile.TemporaryDirectory() as folder:
            path, written = pathlib.Path(folder) / "case.xml", pathlib.Path(folder) / "design.xml"
            path.write_text(ROBOT.read_text().replace("</taskset>", f"  {freedom}\n</taskset>"))
            printed = advise(path, "-o", written, *words)
            self.assertIn(run("analyze", "-q", path).returncode, (0, 4), "analyze reads past it")
            return " ".join(printed.split()), written.read_text()

    def test_fixed(self):
        printed, written = self.advise('<freedom contexts="fixed" priorities="fixed" lock="fixed"/>')
        self.assertIn("1 design tried", printed)
        self.assertIn("None of them is proven", printed)
        self.assertNotIn("<freedom", written)
        self.assertIn('timeslice="300us"', self.advise('<freedom slices="300us"/>')[1])

    def test_lock(self):
        printed, written = self.advise('<freedom contexts="fixed" hold="50us"/>', "--by=slack")
        self.assertRegex(printed, r"1\. a lock round the GPU work of every task")
        self.assertIn("the hold time", printed)
        self.assertEqual(written.count("<locked "), 3)

    def test_lock_and_cores(self):
        """Threads on cores take no lock; beside cores on which nothing is that issues work on the GPU a lock is one as elsewhere."""
        text = (ROOT / "examples/cores.xml").read_text().replace("</taskset>", '<freedom contexts="fixed" hold="10us"/></taskset>')
        threaded = advise("-", text=text)
        self.assertIn("  - a lock of the GPU: of threads on cores nothing is known", threaded)
        self.assertNotIn("refused", threaded)
        apart = re.sub(' core="cpu." fifo-priority="[67]0" waiting="[a-z]*"', "", text)
        self.assertRegex(advise("-", text=apart), r"2\. +a lock round the GPU work of every task")

    def test_streams(self):
        printed, written = self.advise('<freedom contexts="fixed" priorities="fixed" streams="free"/>')
        self.assertIn("one stream for all tasks of a process", printed)
        self.assertEqual(len(set(re.findall(r' stream="([^"]*)"', written))), 1 if "1. one stream" in printed else 3)

    def test_options(self):
        """Numbers of an option count in its designs only; operations are replaced in theirs."""
        printed, written = self.advise('''<freedom contexts="fixed" priorities="fixed">
    <choose>
      <option says="all kernels as blocks"><set target="backbone.wcet" value="15ms"/><set target="nms.wcet" value="1ms"/></option>
      <option says="the backbone in two parts"><replace operation="backbone">
        <kernel id="first-half" stream="detector-stream" scope="grid" wcet="8ms"/><kernel id="second-half" stream="detector-stream" scope="grid" wcet="7ms"/>
      </replace></option>
      <option says="nothing that is there"><set target="backbon.wcet" value="15ms"/></option>
    </choose>
  </freedom>''', "--design=1")
        self.assertIn("4 designs tried", printed)
        self.assertIn("as it stands, nothing that is there: refused: --set=backbon.wcet", printed)
        renamed, _ = self.advise('''<freedom contexts="fixed" priorities="fixed">
    <choose><option says="another name"><set target="camera-stream.id" value="other"/></option></choose></freedom>''')
        self.assertIn("another name: refused: an option gives", renamed)
        parts, text = self.advise('''<freedom contexts="fixed" priorities="fixed">
    <choose><option says="fewer frames"><set target="camera.period" value="1s"/><set target="detector.period" value="10s"/><set target="control.period" value="1s"/></option></choose>
  </freedom>''')
        self.assertIn("1. fewer frames", parts)
        self.assertIn('period="10s"', text)

    def test_range(self):
        """Each value of a range is a design, also where the last one is less; the file's own stays one."""
        for ends, expected in (('from="10ms" to="20ms"', ("10000000", "15000000", "20000000")), ('from="40ms" to="5ms"', ("40000000", "22500000", "5000000"))):
            printed, written = self.advise(f'<freedom contexts="fixed" priorities="fixed"><range target="camera.period" {ends} values="3"/></freedom>')
            self.assertIn("4 designs tried", printed)
            self.assertIn("split kernels", printed)
            self.assertTrue(any(f'period="{value}ns"' in written for value in expected) or 'period="33ms"' in written)
            for number in (1, 2):
                self.advise(f'<freedom contexts="fixed" priorities="fixed"><range target="camera.period" {ends} values="3"/></freedom>', f"--design={number}")
        printed, written = self.advise('<freedom priorities="fixed"><range target="control.period" from="20ms" to="40ms" values="2"/></freedom>', "--by=slack")
        self.assertRegex(printed, r"1\. .*control\.period of (20|40)ms")
        self.assertRegex(written, r'period="(20|40)000000ns"')
        refused, _ = self.advise('<freedom contexts="fixed" priorities="fixed"><range target="nobody.period" from="20ms" to="40ms" values="2"/></freedom>')
        self.assertIn("another nobody.period (the best of 2): refused: --set=nobody.period", refused)

    def test_refused(self):
        for freedom, code in (('<freedom><range target="camera.period" from="1ms" to="2ms" values="1"/></freedom>', 3),
                              ('<freedom><range target="camera.period" from="1000cycles" to="2ms" values="2"/></freedom>', 3), ('<freedom slices="1 ms"/>', 3), ('<freedom hold="soon"/>', 3), ('<freedom contexts="maybe"/>', 3)):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "case.xml"
                path.write_text(ROBOT.read_text().replace("</taskset>", f"  {freedom}\n</taskset>"))
                self.assertEqual(run("analyze", path).returncode, code, freedom)


class Ranked(unittest.TestCase):
    """Applications with priorities stay as they are: a process of two of them would have nobody's priority, or lose it without a word."""

    def test(self):
        text = (ROOT / "examples/gcaps.xml").read_text()
        text = text.replace('<declare name="runlist.timeslice"', '<declare name="concurrent-kernels" value="yes" source="t" by="t"/><declare name="runlist.timeslice"')
        text = text.replace('wcet="16ms"/>', 'wcet="250ms"/>')
        printed = advise("--limit=200", "-", text=text.replace("</taskset>", '<freedom hold="60us"/></taskset>'))
        self.assertNotIn("in one process:", printed)
        self.assertNotIn("time slices", printed)
        self.assertNotIn(" lock ", printed)
        self.assertIn("other processes, their slices, and locks: applications have priorities", " ".join(printed.split()))


class Levels(unittest.TestCase):
    """Likewise with interleave levels."""

    def test(self):
        text = (ROOT / "examples/interleave.xml").read_text().replace('wcet="4ms"', 'wcet="5ms"')
        printed = advise("--limit=200", "-", text=text)
        self.assertNotIn("in one process:", printed)
        self.assertIn("other processes: applications have interleave levels", " ".join(printed.split()))


class Sizes(unittest.TestCase):
    """Partitions have the sizes that were measured, and no others."""
    CASE = """<taskset xmlns="urn:gpubound:taskset:1" id="parted" platform="h200" origin="t"><title>t</title>
<origins><origin id="t" kind="declared" source="made up" by="the tests"/></origins>
<declare name="partition.unit" value="8" source="made up" by="the tests"/>{}
<interference from="all" victim="any" value="1" source="made up" by="the tests"/>
<partition id="left" kind="green" size="{}"/><partition id="right" kind="green" size="48"/>
<application id="a"><stream id="s0" kind="non-blocking" partition="left"/><stream id="s1" kind="non-blocking" partition="right"/></application>
<task id="t0" period="4ms" deadline="2ms"><kernel id="k0" stream="s0" scope="grid">{}</kernel></task>
<task id="t1" period="9ms" deadline="9ms"><kernel id="k1" stream="s1" scope="grid"><at sms="48" wcet="2ms"/><at sms="96" wcet="1ms"/></kernel></task>{}</taskset>"""
    TIMES = '<at sms="32" wcet="3ms"/><at sms="64" wcet="1.5ms"/><at sms="50" wcet="1ms"/><at sms="96" wcet="0.9ms"/>'
    DECLARED = "".join(f'<declare name="{name}" value="{value}" source="made up" by="the tests"/>' for name, value in
                       (("overhead.launch", "6us"), ("overhead.block", "10ns"), ("overhead.dependency", "2us"), ("queues.hardware", 8), ("copy-runlist", "own")))

    def advise(self, *parts):
        with tempfile.TemporaryDirectory() as folder:
            path, written = pathlib.Path(folder) / "case.xml", pathlib.Path(folder) / "design.xml"
            path.write_text(self.CASE.format(self.DECLARED, *parts))
            printed = advise(path, "-o", written)
            return " ".join(printed.split()), written.read_text()

    def test_sizes(self):
        """32 misses its deadline; 64 + 48 fits, 50 is no size of the board, 96 + 48 are more than there are."""
        printed, written = self.advise(32, self.TIMES, '<freedom priorities="fixed"/>')
        self.assertIn("1. partition left of 64 SMs", printed)
        self.assertIn('<partition id="left" kind="green" size="64"/>', written)
        self.assertNotIn("left of 96 SMs; partition right of 48", printed)
        self.assertNotIn("of 50 SMs", printed)
        self.assertIn("3 designs tried", printed)  # 32 and 48, 64 and 48, 32 and 96; 64 and 96 are too many

    def test_fixed(self):
        printed, _ = self.advise(32, self.TIMES, '<freedom partitions="fixed"/>')
        self.assertNotIn("partition left of", printed)

    def test_not_measured(self):
        printed, _ = self.advise(32, '<at sms="32" wcet="3ms"/>', "")
        self.assertNotIn("partition left of", printed)
        self.assertIn("other sizes of partitions", printed)


class WhatIf(unittest.TestCase):
    SET = "examples/two-streams.xml"

    def csv(self, *words, path=SET):
        return run("analyze", "-q", "--format=csv", *words, path)

    def test_as_if_edited(self):
        text = (ROOT / self.SET).read_text()
        for words, old, new in ((["--set=resize.period=50ms"], 'id="resize" period="100ms"', 'id="resize" period="50ms"'),
                                (["--scale=resize_kernel.wcet=1.25"], 'wcet="800us" bcet="200us"/>\n  </task>\n  <task id="filter"',
                                 'wcet="1ms" bcet="200us"/>\n  </task>\n  <task id="filter"'),
                                (["--set=platform.overhead.launch=30us"], 'name="overhead.launch" value="10us"', 'name="overhead.launch" value="30us"'),
                                (["--set=interference[1].value=3"], 'value="12"', 'value="3"'),
                                (["--set=task:filter.deadline=9ms"], 'id="filter" period="100ms" deadline="100ms"',
                                 'id="filter" period="100ms" deadline="9ms"')):
            self.assertEqual(text.count(old), 1)
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "edited.xml"
                path.write_text(text.replace(old, new))
                changed, edited = self.csv(*words), self.csv(path=path)
            self.assertEqual((changed.stdout, changed.returncode), (edited.stdout, edited.returncode), words)
            self.assertNotEqual(changed.stdout, self.csv().stdout)

    def test_declares(self):
        """What the task set does not declare is declared; the report says by whom."""
        result = run("analyze", "-q", "--format=xml", "--set=platform.runlist.switch=70us", self.SET)
        self.assertIn('<declaration name="runlist.switch" value="70000" unit="ns" source="what if: --set" by="the command line"/>', result.stdout)

    def test_verified(self):
        """verify does what the recorded command line says, and takes no other one."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "what-if.report"
            words = ["--set=resize.period=90ms", "--scale=filter_kernel.wcet=1.01", "--slack"]
            self.assertEqual(run("analyze", "-q", "-o", path, *words, self.SET).returncode, 0)
            self.assertEqual(run("verify", path).returncode, 0)
            good = path.read_text()
            self.assertIn('code="what-if"', good)
            for old, new in (("period=90ms", "period=91ms"), ("wcet=1.01", "wcet=1.02"), ("    <argument>--scale=filter_kernel.wcet=1.01</argument>\n", ""),
                             ("<argument>--set=", "<argument>--scale=")):
                self.assertIn(old, good)
                path.write_text(mended(good.replace(old, new)))
                self.assertEqual(run("verify", "--without-prose", path).returncode, 1, (old, new))

    def test_said(self):
        result = run("analyze", "--set=resize.period=50ms", self.SET)
        self.assertIn("what if    --set=resize.period=50ms", result.stdout)
        self.assertTrue(result.stdout.splitlines()[-1].endswith("examples/two-streams.xml, what if"))
        self.assertIn("period is taken to be 50ms, in place of 100ms [what-if]", result.stderr)

    def test_refused(self):
        for word, expected in (("--set=resiz.period=5ms", 'did you mean "resize"'), ("--set=resize.perod=5ms", "not allowed"),
                               ("--set=resize.period=5", "expected a time"), ("--scale=resize.jitter=2", "there is none"),
                               ("--scale=resize.period=fast", "expected a factor"), ("--set=resize", "expected TARGET=VALUE"),
                               ("--scale=platform.runlist.switch=2", "expected a parameter that the task set declares"),
                               ("--set=interference[2].value=2", 'there is no "interference[2]"'), ("--set=s0.stream[1].id=x", "there is no")):
            result = run("analyze", word, self.SET)
            self.assertEqual((result.returncode, result.stdout), (3, ""), word)
            self.assertIn(expected, result.stderr)
        for word, code in (("--set=resiz.period=5ms", "change-target"), ("--scale=resize.period=fast", "change-value")):
            self.assertIn(f"[{code}]", run("analyze", word, self.SET).stderr)

    def test_ambiguous(self):
        text = (ROOT / self.SET).read_text().replace('id="resize_kernel"', 'id="resize"')
        result = run("analyze", "--set=resize.origin=example", "-", text=text)
        self.assertIn('2 have the id "resize": say which, as in task:resize.origin', result.stderr)
        self.assertEqual(run("analyze", "-q", "--set=kernel:resize.wcet=900us", "-", text=text).returncode, 0)

    def test_residents(self):
        """Times by residents are one number as far as --scale goes, and several as far as --set does."""
        text = (ROOT / self.SET).read_text()
        curve = '<resident blocks="1" wcet="700us"/><resident blocks="16" wcet="800us"/></kernel>'
        text = text.replace('wcet="800us" bcet="200us"/>\n  </task>\n  <task id="filter"', f'bcet="200us">{curve}\n  </task>\n  <task id="filter"')

        def result(*words):
            return run("analyze", "-q", "--format=csv", *words, "-", text=text)
        self.assertNotEqual(result("--scale=resize_kernel.wcet=1.5").stdout, result().stdout)
        self.assertEqual(result("--scale=resize_kernel.wcet=1").stdout, result().stdout)
        self.assertEqual(result("--scale=resize_kernel.wcet=1.5").stdout,
                         result(*(f"--scale=resize_kernel.resident[{i}].wcet=1.5" for i in (1, 2))).stdout)
        self.assertIn("this one has times by residents", result("--set=resize_kernel.wcet=1ms").stderr)

    def test_slack_under_conditions(self):
        text = " ".join(run("analyze", "-q", "--slack", "-a", "A-WC", self.SET).stdout.split())
        self.assertIn("All stays proven, under conditions, while one of these alone grows: '", text)

    def test_slack_of_operations(self):
        """--slack says of single operations how much they may take; --set says the same of each."""
        for path, proven in ((self.SET, True), ("examples/waters2019-one-context.xml", False)):
            text = " ".join(run("analyze", "-q", "--slack", path).stdout.split())
            said = re.search(r"(All stays proven while one of these|All would be proven, were one of these|No single operation)(.*?)(proven|not-proven|$)", text)
            self.assertIsNotNone(said, text)
            self.assertEqual(said.group(1).startswith("All stays"), proven)
            for name, value in re.findall(r"'(\S+)' to at most (\S+ [a-z]+)", text):
                self.assertEqual(run("analyze", "-q", f"--set={name}.wcet={value.replace(' ', '')}", f"--set={name}.bcet=0ns", path).returncode, 0, name)
                past = f"{ns(value) * 1.02:.0f}ns"
                self.assertNotEqual(run("analyze", "-q", f"--set={name}.wcet={past}", f"--set={name}.bcet=0ns", path).returncode, 0, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
