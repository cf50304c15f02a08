"""gpubound verify: true reports are verified, forged ones are refused.

- the report of every example is verified; what is no report draws exit status 3
- each figure changed: every attribute with a digit, outside of <environment>, one at a time, with the checksum of the text mended, so that it
  is the derivation that finds it; prose (reasons, hazards, diagnostics) without
- each node of the XML changed, dropped, doubled or swapped
- consistent forgeries: one number of the task set or of the platform model changed, analysed, and presented as the report of the original
- each rule of the derivation: a step of it changed alone, with less for all that rests on it, and with all that follows from it
- a task, a step, a chain dropped; inputs swapped; an assumption weakened; a claim lowered with everything that repeats it

What may be tried, and why it has to fail: [FORGERY]. A number that is too low is refused by the derivation alone (refuse_number).

usage: forge.py GPUBOUND SOURCE_ROOT quick|slow SERVE
(SERVE: gpubound as a server, tests/serve.c)
"""
import fractions
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import served
from forged import mended

GPUBOUND, ROOT, SLOW = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3] == "slow"
# what is in tests/forge has steps of the rules that no example has
EXAMPLES = sorted([*(ROOT / "examples").glob("*.xml"), *(ROOT / "tests/golden").glob("*.xml"),
                   *(path for path in (ROOT / "tests/forge").glob("*.xml") if "<taskset" in path.read_text())])
# claims that stand in equations of one another, [JOINT], and examples whose claims may be more
CLAIMS = {"P", "P-GPU", "P-PRIO", "VOL-P", "P-part", "P-GPU-part", "P-PRIO-part", "VOL-P-part", "VOL-C", "H", "CHAIN", "FP", "TT", "LOCK", "claimed-jitter", "claimed-response"}
CLAIMED = [ROOT / "examples/segments.xml", ROOT / "examples/known-phases.xml", ROOT / "examples/networks-lock.xml"]
RULES = re.findall(r'^RULE\(\w+, "([^"]+)"', (ROOT / "src/model/rules.def").read_text(), re.M)
STEP = re.compile(r'<step id="s(\d+)" rule="([^"]+)"(?: about="([^"]*)")? value="([^"]*)"')
PROSE = {"reason"}
PROSE_ELEMENTS = {"hazard", "diagnostic", "diagnostics", "channel"}
SERVE = sys.argv[4]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
LANES = re.compile(r'<lanes at="([^"]*)" cell="([^"]*)" aligned="([^"]*)" offsets="([^"]*)" groups="([^"]*)"/>')
ATTRIBUTE = re.compile(r'<([a-z-]+)|\s([a-zA-Z0-9-]+)="([^"]*)"')


def run(*words, cwd=ROOT, text=None, data=None):
    if data is None:
        return SERVER.run(words, cwd, text)
    environment = ENVIRONMENT | ({"GPUBOUND_DATA": str(data)} if data else {})
    return subprocess.run([GPUBOUND, *map(str, words)], cwd=cwd, env=environment, input=text, capture_output=True, text=True, timeout=120)


def analyze(example, *words, cwd=ROOT, data=None):
    return run("analyze", "--quiet", "--format=xml", *words, example, cwd=cwd, data=data).stdout


def verify(report, *words, cwd=ROOT):
    return run("verify", *words, "-", text=report, cwd=cwd)


def figures(report):
    """(element, attribute, start, end) of each attribute value with a digit, outside of <environment>."""
    element, at = "", report.index("<report")
    for match in ATTRIBUTE.finditer(report, at):
        if match.group(1):
            element = match.group(1)
        elif element != "environment" and re.search(r"\d", match.group(3)):
            yield element, match.group(2), match.start(3), match.end(3)


def flipped(report, start, end):
    """The last digit of a value, one up."""
    for at in range(end - 1, start - 1, -1):
        if report[at].isdigit():
            return report[:at] + str((int(report[at]) + 1) % 10) + report[at + 1:]
    raise AssertionError("no digit")


def numbers(report):
    """The report without its prose: a bound that there is not claims nothing."""
    return re.sub(r' (reason|content-sha256|line-crc32)="[^"]*"|\s*<(hazard|diagnostic|advice|what|bounded-by)\b.*?>.*?</\2>', "", report)


def attributes(report):
    return re.findall(r' ([a-z-]+)="([^"]*)"', report[report.index("<invocation"):])


def statements(report):
    """What is said of lanes, in the order of instructions, for each program: lists of (at, cell, aligned, offsets, groups)."""
    return [sorted(LANES.findall(accesses)) for accesses in re.findall(r"<accesses\b.*?</accesses>", report, re.S)]


def says_no_more(before, after):
    """Of two statements on lanes: does the second follow from the first? How far lanes of one group are apart, and low bits that are known."""
    (known, words, groups), (less, others, parts) = ([[int(number) for number in numbers.split()] for numbers in of[2:]] for of in (before, after))
    by = [word - other for word, other in zip(words, others)]
    return before[:2] == after[:2] and less[0] <= known[0] and all(
        by[lane] % 2**less[0] == 0 and groups[lane] == groups[first] and (by[lane] - by[first]) % 2**32 == 0 for lane, first in enumerate(parts))


def is_weaker(true, forged):
    """Is it the same report but for times that are greater, what is left of deadlines, which is less, what is known of lanes, which is no more,
    and the words on why there is no bound?"""
    def weaker(name, before, after):
        if before == after or name in PROSE:
            return True
        if name not in ("value", "response", "slack", "inflated"):
            return False
        return (fractions.Fraction(after) > fractions.Fraction(before)) == (name != "slack")
    said, now = statements(true), statements(forged)
    before, after = (attributes(LANES.sub("", report)) for report in (true, forged))
    return ([len(lanes) for lanes in said] == [len(lanes) for lanes in now] and [name for name, _ in before] == [name for name, _ in after] and
            all(says_no_more(a, b) for one, two in zip(said, now) for a, b in zip(one, two)) and
            all(weaker(name, a, b) for (name, a), (_, b) in zip(before, after)))


def is_twin(report, one, other):
    """Are two steps the same but for their numbers, and so is all that they rest on? What is derived from one is derived from the other then."""
    steps = [re.search(f'<step id="{step}"(.*?)(?=<step |</derivation>)', report, re.S) for step in (one, other)]
    if not all(steps):
        return False
    inputs = [re.findall(r' step="([^"]+)"', step.group(1)) for step in steps]
    alike = len({re.sub(r' step="[^"]+"', "", step.group(1)).strip() for step in steps}) == 1
    return alike and all(a == b or is_twin(report, a, b) for a, b in zip(*inputs))


def relative(example):
    return example.relative_to(ROOT)


def claims(report):
    """Which bounds have a value, in order."""
    return re.findall(r'<bound name="([^"]+)" (value|reason)=', report)


TOKEN = re.compile(r'<(/?)([a-z0-9-]+)((?:\s+[a-zA-Z0-9:-]+="[^"]*")*)\s*(/?)>|([^<]+)', re.S)


class Node:
    def __init__(self, name, start, end, parent, attributes):
        self.name, self.start, self.end, self.parent, self.attributes = name, start, end, parent, attributes
        self.inside = name == "environment" or (parent is not None and parent.inside)


def nodes(report):
    """Elements in their order, and (element's name, start, end) of each text."""
    open_nodes, elements, texts = [], [], []
    for token in TOKEN.finditer(report, report.index("<report")):
        if token.group(5) is not None:
            if token.group(5).strip() and open_nodes:
                texts.append((open_nodes[-1], token.start(5), token.end(5)))
        elif token.group(1):
            open_nodes.pop().end = token.end()
        else:
            at = token.start(3)
            attributes = [(a.group(1), at + a.start(), at + a.end(), at + a.start(2), at + a.end(2))
                          for a in re.finditer(r'\s+([a-zA-Z0-9:-]+)="([^"]*)"', token.group(3))]
            node = Node(token.group(2), token.start(), token.end(), open_nodes[-1] if open_nodes else None, attributes)
            elements.append(node)
            if not token.group(4):
                open_nodes.append(node)
    return [e for e in elements if not e.inside], [text for text in texts if not text[0].inside]


def mutations(report):
    """(what, element, attribute or "", start, end, text in its place): each attribute another value of its kind, longer, gone; each element gone, twice, in the place of
    its neighbour; each text longer."""
    elements, texts = nodes(report)
    values, children = {}, {}
    for node in elements:
        children.setdefault(id(node.parent), []).append(node)
        for name, _, _, start, end in node.attributes:
            values.setdefault((node.name, name), set()).add(report[start:end])
    for node in elements:
        for name, start, end, first, last in node.attributes:
            value = report[first:last]
            others = sorted(values[node.name, name] - {value})
            if others:
                yield "other", node.name, name, first, last, others[node.start % len(others)]
            yield "longer", node.name, name, last, last, "x"
            yield "gone", node.name, name, start, end, ""
        if node.parent is not None:
            yield "gone", node.name, "", node.start, node.end, ""
            yield "twice", node.name, "", node.end, node.end, report[node.start:node.end]
    for siblings in children.values():
        for one, two in zip(siblings, siblings[1:]):
            texts_of = report[one.start:one.end], report[two.start:two.end]
            if texts_of[0] != texts_of[1]:
                yield "swapped", one.name, "", one.start, two.end, texts_of[1] + report[one.end:two.start] + texts_of[0]
    for node, start, end in texts:
        yield "text", node.name, "", start, end, report[start:end].rstrip() + "x"


# Said again, not derived again: why there is no bound, what to do, hazards, channels, what solvers said. Unchecked --without-prose.
SAID = {("bound", "reason"), ("operation", "reason"), ("advice", ""), ("hazard", ""), ("diagnostic", ""), ("diagnostics", "dropped"),
        ("channel", ""), ("channel", "id"), ("channel", "bounded"), ("what", ""), ("bounded-by", ""),
        *((element, name) for element in ("hazard", "diagnostic") for name in ("code", "level", "file", "line")),
        *((element, "solver") for element in ("chain", "others", "shared", "turn", "turn-shared"))}


def copy_inputs(folder):
    for part in ("examples", "tests/golden", "tests/forge"):
        shutil.copytree(ROOT / part, pathlib.Path(folder) / part, ignore=shutil.ignore_patterns("*.report", "*.py", "*.csv", "*.txt", "api"))


def rules_of(report):
    return {step.group(2) for step in STEP.finditer(report)}


def differing(one, other):
    """The rules whose steps have other values in another report."""
    steps = [sorted((step.group(2), step.group(3) or "", step.group(4)) for step in STEP.finditer(report)) for report in (one, other)]
    return {step[0] for step in set(steps[0]) ^ set(steps[1])}


def longer(match):
    return f"{match.group(1)}{int(match.group(2)) + 1}"


# what is forged: the example, the file that is another one, what is otherwise there. Together they reach every rule.
WCETS, CLOCK = r'(wcet=")(\d+)', r'(name="clock.sm" value=")(\d+)'
OTHERWISE = [
    ("WCETs", "tests/forge/mixed.xml", None, WCETS, longer),
    ("blocks", "tests/forge/mixed.xml", None, r'(block=")\d+', r'\g<1>320'),
    ("an operation less", "tests/forge/mixed.xml", None, r'<copy id="out".*', ""),
    ("factors", "tests/forge/mixed.xml", "tests/forge/chip.xml", r'(from=.* value=")1', r"\g<1>2"),
    ("multiprocessors", "tests/forge/mixed.xml", "tests/forge/chip.xml", r'(sm.count" value=")2(.*\n)(?s:(.*))1</order>', r"\g<1>3\2\g<3>1 2</order>"),
    ("warps that stay", "tests/forge/mixed.xml", None, r'(block="\d+")', r'\1 warps-stay="true"'),
    ("blocks of a whole kernel", "tests/forge/mixed.xml", None, r'(scope="grid" grid=")12', r"\g<1>14"),
    ("BCETs", "tests/forge/mixed.xml", None, r'(bcet=")[\d.]+', r"\g<1>0.75"),
    ("overheads", "tests/forge/mixed.xml", "tests/forge/chip.xml", r'(overhead[a-z.-]*" value=")(\d+)', longer),
    ("WCETs", "tests/forge/sliced.xml", None, WCETS, longer),
    ("factors", "tests/forge/sliced.xml", "tests/forge/sliced-chip.xml", r'(from=.* value=")1', r"\g<1>2"),
    ("slices, switches, stops", "tests/forge/sliced.xml", "tests/forge/sliced-chip.xml", r'((?:runlist|stops)[a-z.-]*" value=")(\d+)', longer),
    ("an operation less", "tests/forge/sliced.xml", None, r'<copy id="in-too".*', ""),
    ("delays, stops", "tests/forge/delayed.xml", "tests/forge/delayed-chip.xml", r'((?:dispatch|stops)[a-z.-]*" value=")(\d+)', longer),
    ("delays", "tests/forge/delayed-whole.xml", "tests/forge/delayed-chip.xml", r'(dispatch[a-z.-]*" value=")(\d+)', longer),
    ("blocks", "tests/golden/cover.xml", None, r'(block=")640', r'\g<1>672'),
    ("blocks", "tests/golden/beside.xml", None, r'(block=")640', r'\g<1>672'),
    ("factors", "tests/golden/beside.xml", None, r'(from="sm".* value=")1', r"\g<1>2"),
    ("WCETs", "examples/waters2019.xml", None, WCETS, longer),
    ("WCETs", "examples/bursts.xml", None, WCETS, longer),
    ("a task less", "examples/bursts.xml", None, r'<task id="log"(?s:.*?)</task>', ""),
    ("a host segment", "tests/golden/chains.xml", None, r'wcet="24ms', 'wcet="34ms'),
    ("factors", "examples/waters2019.xml", None, r'(<interference .* value=")1', r"\g<1>2"),
    ("WCETs", "examples/known-phases.xml", None, WCETS, longer),
    ("a period", "examples/known-phases.xml", None, r'period="60ms"', 'period="90ms"'),
    ("the frame", "examples/cockpit.xml", "examples/frames/night-sky.xml", r'(width=")(\d+)', longer),
    ("clock", "examples/programs.xml", None, CLOCK, longer),
    ("clock", "tests/forge/launched.xml", None, CLOCK, longer),
    ("who waits", "examples/two-streams.xml", None, r'<application', r'<assume id="A-WC" source="forged" by="forger"/><application'),
    ("WCETs", "examples/copies.xml", None, WCETS, longer),
    ("spans", "tests/forge/spans.xml", None, WCETS, longer),
    ("the longest", "tests/forge/spans.xml", None, r'longest="2ms"', 'longest="3ms"'),
    ("switches, refills", "tests/forge/spans.xml", "tests/forge/spans-chip.xml", r'((?:runlist|switch)[a-z.-]*" value=")(\d+)', longer),
    ("parts", "tests/forge/spans.xml", None, r'operations="4"', 'operations="6"'),
    ("WCETs", "tests/forge/ranks.xml", None, WCETS, longer),
    ("nothing held", "tests/forge/ranks.xml", None, ' gpu="held"', ""),
    ("an operation less", "tests/forge/ranks.xml", None, r'<kernel id="two".*', ""),
    ("switches", "tests/forge/ranks.xml", "tests/forge/sliced-chip.xml", r'(runlist.switch" value=")(\d+)', longer),
    ("WCETs", "examples/interleave.xml", None, WCETS, longer),
    ("levels", "examples/interleave.xml", None, r' interleave="[a-z]*"', ""),
    ("a level", "examples/interleave.xml", None, r'interleave="medium"', 'interleave="high"'),
    ("slices", "examples/interleave.xml", None, r'(timeslice=")(\d+)', longer),
    ("a WCET by size", "examples/partitions.xml", None, r'(sms="56" wcet=")640us', r"\g<1>639us"),
    ("companies", "examples/networks-partitions.xml", None, r'(value=")3.75', r"\g<1>3.76"),
    ("a company of more", "examples/networks-partitions.xml", None, r'<company of="control-graph" sms="16" value="3.75">\n    <beside task="segmentation"',
     '<company of="control-graph" sms="16" value="3.8">\n    <beside task="segmentation"'),
    ("spans", "examples/networks-lock.xml", None, WCETS, longer),
    ("a unit less", "examples/networks-lock.xml", None, r'<task id="segmentation"(?s:.*?)</task>', ""),
    ("holds", "examples/networks-lock.xml", None, r'(hold=")(\d+)', longer),
    ("what threads execute", "examples/cores.xml", None, WCETS, longer),
    ("what a reservation gives", "examples/deadline-threads.xml", None, r'(sched-runtime=")1ms', r'\g<1>1001us'),
    ("what wake-ups give", "examples/deadline-threads.xml", None, r'(submission="20us")', r'\1 sched-unit="1us"'),
    ("what a chain waits for", "tests/golden/rates.xml", None, WCETS, longer),
    ("how often a queue is read", "tests/golden/rates.xml", None, r'period="10ms"', 'period="9ms"'),
    ("an operation less", "examples/best-effort.xml", None, r'<[a-z]+ id="scans".*', ""),
]


class Forge(unittest.TestCase):
    def hold_refused(self, result, what, statuses=(1,)):
        self.assertIn(result.returncode, statuses, what)
        self.assertRegex(result.stderr, r"error: .*\[[a-z-]+\]", what)

    def refuse(self, report, what, *words, statuses=(1,), cwd=ROOT):
        self.hold_refused(verify(report, *words, cwd=cwd), what, statuses)

    def refuse_number(self, report, what, statuses=(1,), true=None):
        """By the derivation alone: an analysis made again finds any other number, so it cannot show that a test of the derivation bites.
        true: a report that claims more than the forged one everywhere may leave the forged one to that analysis; this returns True then."""
        result = verify(report, "--without-prose")
        borne = true is not None and result.returncode == 0
        if borne:
            self.assertTrue(is_weaker(true, report), what)
            result = verify(report)
        self.hold_refused(result, what, statuses)
        return borne

    def test_true_reports(self):
        for example in EXAMPLES:
            result = verify(analyze(relative(example)))
            self.assertEqual((result.returncode, result.stderr), (0, ""), example)
            self.assertIn("verified", result.stdout)

    def test_unknown_bound(self):
        report = analyze("tests/golden/verdicts.xml")
        self.refuse(mended(report.replace('<bound name="P" value', '<bound name="Q" value', 1)), "a bound of another program")

    def test_unknown_parameter(self):
        """A step about a parameter that there is not, of a frame and of the platform."""
        true = analyze("examples/cockpit.xml")
        for name in ("frame:night-sky@raster.texture-processors", "platform:sm.count"):
            self.assertIn(f'about="{name}"', true)
            self.refuse(mended(true.replace(f'about="{name}"', f'about="{name}s"', 1)), name)

    def test_conditional_report(self):
        report = analyze("examples/two-streams.xml", "--assume=A-WC")
        self.assertEqual(verify(report).returncode, 0)
        self.refuse(mended(report.replace("<argument>--assume=A-WC</argument>", "")), "without the condition")
        self.refuse(mended(report.replace('status="conditional"', 'status="assumed"')), "not a condition any more")

    def test_best_effort(self):
        """Who is left out of the verdict follows from the task set, in both directions; what a report says of itself alone is a contradiction."""
        path, word = ROOT / "examples/best-effort.xml", ' best-effort="true"'
        with tempfile.TemporaryDirectory() as folder:
            strict = pathlib.Path(folder) / "strict.xml"
            strict.write_text(path.read_text().replace(word, ""))
            left_out, counted = analyze("examples/best-effort.xml"), analyze(str(strict))
            heads = ('verdict="proven" left-out="mapping"', 'verdict="no-bound"')
            self.assertEqual([verify(report).returncode for report in (left_out, counted)], [0, 0])
            self.assertEqual([report.count(head) for report, head in zip((left_out, counted), heads)], [1, 2 + 1])
            self.refuse(mended(left_out.replace(heads[0], 'verdict="proven"')), "nobody named")
            self.refuse(mended(left_out.replace(word, "").replace(*heads)), "counted after all")
            self.refuse(mended(counted.replace(*heads[::-1], 1).replace('<task id="mapping"', '<task id="mapping"' + word)), "left out without a word")
            self.refuse(mended(counted.replace('<task id="control"', '<task id="control"' + word)), "best effort without a word")

    def test_warnings(self):
        """What the inputs warn of stands first in the report: that numbers are stale, that a declaration overrides the model."""
        for file, code in (("tests/reject/evidence-stale.xml", "evidence-stale"), ("examples/best-effort.xml", "declaration-overrides-model")):
            report = analyze(file)
            warnings = re.findall(rf' *<diagnostic code="{code}".*?</diagnostic>\n', report)
            self.assertEqual(verify(report).returncode, 0)
            self.assertGreater(len(warnings), 0)
            for warning in warnings:
                self.refuse(mended(report.replace(warning, "")), "a warning less")
                self.refuse(mended(report.replace(warning, re.sub(r"line=.\d+", 'line="1', warning))), "of another line")
                self.refuse(mended(report.replace(warning, warning.replace("level=\"warning\"", "level=\"note\""))), "a note")
                self.refuse(mended(report.replace(warning, re.sub(r"(>.*)[a-z](.)</", r"\1x\2</", warning))), "another text")
            self.refuse(mended(re.sub(r"(<diagnostics [^>]*[^/])>.*?</diagnostics>", r"\1/>", report, flags=re.S)), "none", statuses=(1,))
            with tempfile.TemporaryDirectory() as folder:
                shutil.copy(ROOT / file, pathlib.Path(folder) / "elsewhere.xml")
                files = [f"{folder}/elsewhere.xml"]
                files += [ROOT.resolve() / "tests/reject/support/gpu.xml"] if "support/gpu.xml" in report else []
                self.assertEqual(verify(report, *(f"--input={file}" for file in files), cwd=folder).returncode, 0)

    def test_other_platform(self):
        """The platform of the command line's --platform, else the task set's: a report on another one says so."""
        option, other = (f"<argument>--platform={name}</argument>" for name in ("models/jetson-agx-xavier.xml", "jetson-tx2"))
        report, own = analyze("examples/two-streams.xml", "--platform=models/jetson-agx-xavier.xml"), analyze("examples/two-streams.xml")
        self.assertIn(option, report)
        twice = analyze("examples/two-streams.xml", "--platform=jetson-tx2", "--platform=models/jetson-agx-xavier.xml")
        self.assertEqual(twice, report, "an option that a later one replaces is recorded")
        self.assertEqual([verify(each).returncode for each in (report, own)], [0, 0])
        for forged in (report.replace(option, other + option), report.replace(option, ""), report.replace(option, other), report.replace(option, option + other),
                       own.replace("<argument>analyze</argument>", "<argument>analyze</argument>" + option)):
            self.refuse(mended(forged), "not on the platform that it says")
        with tempfile.TemporaryDirectory() as folder:
            copy_inputs(folder)
            kinder = pathlib.Path(folder) / "kinder.xml"
            kinder.write_text(re.sub(r'(overhead[a-z.-]*" value=")[1-9]\d*', r"\g<1>0", (ROOT / "tests/forge/chip.xml").read_text()))
            report = analyze("tests/forge/mixed.xml", f"--platform={kinder}", cwd=folder)
            self.assertEqual(verify(report, cwd=folder).returncode, 0)
            self.refuse(mended(re.sub("<argument>--platform.*?</argument>", "", report)), "a model of the forger's", cwd=folder)
            # found elsewhere by their hashes, the inputs are where the report says they were
            own = analyze("tests/forge/mixed.xml")
            files = [f"--input={folder}/tests/forge/{name}.xml" for name in ("mixed", "chip")]
            self.assertEqual(verify(own, *files, cwd="/").returncode, 0)

    def test_invocation(self):
        """What a command line asks for is there; and nothing before the report says how to look at it."""
        report, slack = analyze("tests/golden/verdicts.xml"), analyze("tests/golden/verdicts.xml", "--slack")
        word = "<argument>analyze</argument>"
        self.refuse(mended(report.replace(word, word + "<argument>--slack</argument>")), "no slack")
        self.refuse(mended(slack.replace("<argument>--slack</argument>", "")), "nobody asked")
        self.refuse(mended(report.replace(word, word + "<argument>--limitless</argument>")), "an option that is none")
        declaration = report.splitlines()[0]
        for what in ('<?xml-stylesheet type="text/xsl" href="other.xsl"?>', "<!-- another report -->"):
            self.refuse(report.replace(declaration, declaration + "\n" + what, 1), what)
            self.refuse(report.replace(declaration, what, 1), what)

    def test_no_report(self):
        for text in ("", "<report", "<report/>", (ROOT / "examples/two-streams.xml").read_text()):
            result = verify(text)
            self.assertEqual((result.returncode, result.stdout), (3, ""), text[:40])
        self.assertEqual(run("verify", "nowhere.xml").returncode, 3)

    def flip_all(self, example, every):
        report = analyze(relative(example))
        for number, (element, name, start, end) in enumerate(figures(report)):
            if number % every:
                continue
            forged = flipped(report, start, end)
            line = report.count("\n", 0, start) + 1
            what = f"{example.stem}:{line}: <{element} {name}=\"{report[start:end]}\">"
            if name == "step" and is_twin(report, report[start:end], forged[start:end]):
                continue
            if name in PROSE or element in PROSE_ELEMENTS:
                self.refuse(forged, what, statuses=(1, 3))
            else:
                self.refuse_number(mended(forged), what, statuses=(1, 3), true=report)

    def test_each_figure(self):
        plan = {"dnn-inference": 40, "two-streams": 1} if SLOW else {"dnn-inference": 5000, "two-streams": 11, "verdicts": 37}
        for example in EXAMPLES:
            self.flip_all(example, plan.get(example.stem, 1 if SLOW else 151))

    def present(self, true, forged):
        """A report of other inputs with the names, lengths and hashes of the true ones."""
        inputs = re.search(r"<inputs>.*?</inputs>", true, re.S).group()
        return mended(re.sub(r"<inputs>.*?</inputs>", lambda _: inputs, forged, flags=re.S))

    def changed(self, text):
        """The text with one number changed, for each number that an analysis reads."""
        numbers = re.finditer(r'(wcet|bcet|period|jitter|deadline|value|timeslice|bytes|grid|block|registers|count|width|height|x|y)="(\d+)', text)
        for number in numbers:
            value = int(number.group(2))
            yield number.group(), text[:number.start(2)] + str(value + 1) + text[number.end(2):]
            if value > 1:
                yield number.group(), text[:number.start(2)] + str(value - 1) + text[number.end(2):]

    def test_mutations(self):
        """Whatever is changed in a report outside of <environment> is found; by the derivation alone, or it is prose."""
        tried = 0
        for example in EXAMPLES:
            every = {"dnn-inference": 4001}.get(example.stem, 101) if SLOW else 251
            if not SLOW and example.stem not in ("two-streams", "verdicts", "known-phases"):
                continue
            report = analyze(relative(example))
            for number, (what, element, name, start, end, other) in enumerate(mutations(report)):
                if number % every != len(example.stem) % every:
                    continue
                where = f"{example.stem}: {what}, <{element} {name}>"
                text = report[:start] + other + report[end:]
                whole = "<invocation" in text and "</derivation>" in text
                forged, tried = mended(text) if whole else text, tried + 1
                result = verify(forged, "--without-prose")
                self.assertIn(result.returncode, (0, 1, 3), where)
                if name == "step" and is_twin(report, report[start:end], other):
                    continue
                if element == "from" and what == "swapped" and is_twin(report, *re.findall(r' step="([^"]+)"', other)):
                    continue
                if result.returncode == 0:
                    if not is_weaker(report, forged):
                        self.assertIn((element, name), SAID, where)
                    result = verify(forged)
                self.hold_refused(result, where, (1, 3))
        self.assertGreater(tried, 20)

    def test_prose(self):
        for example in EXAMPLES if SLOW else [ROOT / "examples/two-streams.xml"]:
            self.assertEqual(verify(analyze(relative(example))).returncode, 0, example)
        report = analyze("examples/two-streams.xml", "--assume=A-WC", "--platform=models/jetson-agx-xavier.xml")
        self.assertEqual(verify(report).returncode, 0)
        hazard = re.search(r"    <hazard .*?</hazard>\n", report, re.S).group()
        self.refuse(mended(report.replace(hazard, "")), "a hazard less")
        self.refuse(mended(report.replace(" SMs get none of", " SMs get some of")), "another word")
        if SLOW:
            self.assertEqual(verify(analyze("tests/golden/verdicts.xml", "--slack")).returncode, 0)
        report = analyze("tests/golden/verdicts.xml")
        with tempfile.TemporaryDirectory() as folder:
            self.refuse(report, "inputs that are not where they were", cwd=folder)
            self.assertEqual(verify(report, f"--input={ROOT.resolve()}/tests/golden/verdicts.xml", cwd=folder).returncode, 0, "but named")

    def forge_inputs(self, example, every, file=None):
        """file: the input whose numbers change, the task set itself where there is none."""
        true, tried, file = analyze(relative(example)), 0, file or example
        with tempfile.TemporaryDirectory() as folder:
            copy_inputs(folder)
            for number, (what, text) in enumerate(self.changed(file.read_text())):
                if number % every:
                    continue
                (pathlib.Path(folder) / relative(file)).write_text(text)
                forged = analyze(relative(example), cwd=folder)
                # a report that gives no value for a bound claims less, not something else
                if forged and claims(forged) == claims(true) and numbers(self.present(true, forged)) != numbers(true):
                    self.refuse_number(self.present(true, forged), f"{example.stem}: {what}", true=true)
                    tried += 1
        self.assertGreater(tried, 0, example)

    def test_each_rule_flipped(self):
        """The value of a step of each rule, changed alone."""
        missing = set(RULES)
        for example in EXAMPLES:
            report = analyze(relative(example))
            for step in STEP.finditer(report):
                if step.group(2) not in missing:
                    continue
                missing.discard(step.group(2))
                self.refuse_number(mended(flipped(report, *step.span(4))), f"{example.stem}: a step of {step.group(2)}", true=report)
        self.assertEqual(missing, set(), "rules without a case: give them one in tests/forge")

    def lowered(self, report, which, by=-1):
        """A step less by one unit, and so is each time that rests on it, up to the bounds and the slack: only its equation can tell.
        by=1: greater, but for what is the least of several."""
        steps = {step.group(1): step for step in STEP.finditer(report)}
        users = {}
        for step in re.finditer(r'<step id="s(\d+)"[^>]*[^/]>\n(.*?)</step>', report, re.S):
            for used in re.findall(r'step="s(\d+)"', step.group(2)):
                users.setdefault(used, set()).add(step.group(1))
        values, behind = {which: fractions.Fraction(steps[which].group(4))}, [which]
        while behind:
            for user in users.get(behind.pop(), ()):
                more_than_least = by > 0 and steps[user].group(2) == "nominal-response" and int(steps[user].group(4)) < values[which]
                if user not in values and not more_than_least and 'unit="ns"' in report[steps[user].end():report.index(">", steps[user].end())]:
                    values[user] = int(steps[user].group(4))
                    behind.append(user)
        values = {step: value + by if value >= 1 or by > 0 else value / 2 or 1 for step, value in values.items()}

        def lower(match):
            step = re.search(r' (?:id|step)="s(\d+)"', match.group())
            if step is None or step.group(1) not in values:
                return match.group()
            tag = re.sub(r'( (?:value|response)=")[^"]*', rf"\g<1>{values[step.group(1)]}", match.group())
            return re.sub(r'( slack=")(-?\d+)', lambda match: f"{match.group(1)}{int(match.group(2)) - by}", tag)
        return re.sub(r"<(?:step|bound|task|stream|chain) [^>]*>", lower, report)

    def test_each_rule_lowered(self):
        """A step of each rule with less, and with less for all that rests on it."""
        missing = set(RULES)
        for example in EXAMPLES:
            report = analyze(relative(example))
            for step in STEP.finditer(report):
                if step.group(2) in missing and (step.group(4) != "0" or step.group(2) == "open"):
                    missing.discard(step.group(2))
                    self.refuse_number(mended(self.lowered(report, step.group(1))), f"{example.stem}: a step of {step.group(2)}", statuses=(1, 3))
        self.assertEqual(missing, set(), "rules without a case: give them one in tests/forge")

    def test_each_claim(self):
        """Numbers that are claimed and put into equations: each one less, refused by its own; each one more, which that may bear."""
        borne = set()
        for example in EXAMPLES if SLOW else [ROOT / "tests/forge/equals.xml", ROOT / "tests/golden/verdicts.xml", *CLAIMED]:
            report = analyze(relative(example))
            for number, step in enumerate(step for step in STEP.finditer(report) if step.group(2) in CLAIMS and int(step.group(4)) >= 1):
                if number % (1 if len(report) < 500_000 else 50):
                    continue
                what = f"{example.stem}: s{step.group(1)}, {step.group(2)} of {step.group(3)}"
                less, more = (mended(self.lowered(report, step.group(1), by)) for by in (-1, 1))
                result = verify(less, "--without-prose", "-v")
                self.assertEqual(result.returncode, 1, what)
                self.assertRegex(result.stderr, rf"step s{step.group(1)} \([^)]*\): expected .*(at least|no value)", what)
                if self.refuse_number(more, what, true=report):
                    borne.add(step.group(2))
        self.assertGreaterEqual(borne, {"FP", "TT", "LOCK", "CHAIN", "claimed-jitter", "claimed-response"})

    @unittest.skipUnless(SLOW, "all rules: in the slow suite")
    def test_each_rule_forged(self):
        """A step of each rule with another value or without an input, and all that rests on it derived from that: by the analysis of
        other inputs."""
        missing = set(RULES)
        for what, example, file, pattern, change in OTHERWISE:
            example, file = ROOT / example, ROOT / (file or example)
            with tempfile.TemporaryDirectory() as folder:
                copy_inputs(folder)
                text, count = re.subn(pattern, change, file.read_text())
                self.assertGreater(count, 0, what)
                (pathlib.Path(folder) / relative(file)).write_text(text)
                true, forged = analyze(relative(example)), analyze(relative(example), cwd=folder)
            self.assertTrue(forged, what)
            self.refuse_number(self.present(true, forged), f"{example.stem}: {what}")
            missing -= rules_of(true) & differing(true, forged)
        self.assertEqual(missing, set(), "rules without a case: give them one in OTHERWISE")

    def test_consistent_forgeries(self):
        for example in EXAMPLES:
            if example.stem == "dnn-inference":
                continue
            self.forge_inputs(example, 1 if SLOW else 29)

    def test_forged_frames(self):
        self.forge_inputs(ROOT / "examples/cockpit.xml", 1 if SLOW else 5, ROOT / "examples/frames/night-sky.xml")

    def test_forged_platform(self):
        example = "examples/waters2019.xml"
        true = analyze(example)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("models", "schema"):
                shutil.copytree(ROOT / name, pathlib.Path(folder) / name)
            model = pathlib.Path(folder) / "models/jetson-tx2.xml"
            model.write_text(model.read_text().replace('name="runlist.copy-timeslice" value="1049us"', 'name="runlist.copy-timeslice" value="1050us"'))
            forged = analyze(example, data=folder)
            self.assertNotEqual(true, forged)
            self.refuse(self.present(true, forged), "another copy slice")
            self.refuse(forged, "another model")

    def test_slack(self):
        """At each figure the task is proven again; one more is refused, one less, none, and figures of another task."""
        for example in EXAMPLES if SLOW else [ROOT / "tests/golden/verdicts.xml"]:
            if example.stem == "dnn-inference":
                continue
            report = analyze(relative(example), "--slack")
            result = verify(report)
            figures = re.findall(r' (all-wcets|own-wcets|period)="(-?\d+)"', report)
            self.assertEqual((result.returncode, result.stderr), (0, ""), example)
            if figures:
                self.assertIn(f"slack: at each of {len(figures)} figures proven again", result.stdout)
        report = analyze("tests/golden/verdicts.xml", "--slack")
        for figure in re.finditer(r'(?<=<slack ).*?(?=/>)', report):
            for number in list(re.finditer(r'([a-z-]+)="(-?\d+)"', figure.group()))[:None if SLOW else 2]:
                start, end = figure.start() + number.start(2), figure.start() + number.end(2)
                for by in (1, -1) if SLOW else (1,):
                    forged = report[:start] + str(int(number.group(2)) + by) + report[end:]
                    self.refuse(mended(forged), f"{number.group()} {by:+d}")
                self.refuse(mended(report[:start] + "0" + report[start:]), "another spelling", statuses=(1, 3))
            self.refuse(mended(report.replace(figure.group(), re.sub(r' all-wcets="[^"]*"', "", figure.group()))), "a figure less")
        first, second = re.findall(r"    <slack .*?/>\n", report)
        self.refuse(mended(report.replace(first + second, second + first)), "another order")
        self.refuse(mended(report.replace(second, "")), "a task less")

    def test_dropped(self):
        report = analyze("tests/golden/verdicts.xml")
        task = re.search(r'    <task id="late".*?</task>\n', report, re.S).group()
        without = report.replace(task, "").replace('tasks-out="2"', 'tasks-out="1"')
        self.refuse(mended(without), "a task")
        self.refuse(mended(without.replace('tasks-in="2"', 'tasks-in="1"')), "a task, and its count")
        for pattern in (r"    <stream .*?</stream>\n", r"    <chain .*?</chain>\n", r"      <operation [^>]*/>\n", r"    <assumption .*?</assumption>\n",
                        r"    <origin [^>]*/>\n", r"    <kernel .*?</kernel>\n", r"    <rule .*?</rule>\n", r'      <from role="C"[^>]*/>\n'):
            part = re.search(pattern, report, re.S).group()
            self.refuse(mended(report.replace(part, "", 1)), part, statuses=(1, 3))

    def test_assumptions(self):
        report = analyze("tests/golden/verdicts.xml")
        for before, after in ((' A-WC(g)', ''), ('status="assumed" used="true"', 'status="holds" used="true"'), ('used="true"', 'used="false"'),
                              (' A-ISO', '')):
            self.assertIn(before, report)
            self.refuse_number(mended(report.replace(before, after, 1)), before)
            self.refuse_number(mended(report.replace(before, after)), before + " everywhere")

    def test_weights(self):
        """Weights are a certificate: too light, heavier than they have to be, written otherwise, or for other blocks."""
        report = analyze("tests/golden/cover.xml")
        self.assertEqual(verify(report).returncode, 0)
        weight = r'(<step id="s\d+" rule="cover-weight" about="[^"]*" value=")'
        for what, forged in (
                ("lighter", re.sub(weight + "1/3", r"\g<1>1/4", report)), ("lighter by a little", re.sub(weight + "2/3", r"\g<1>1999/3000", report)),
                ("heavier", re.sub(weight + "2/3", r"\g<1>1", report)), ("one heavier", re.sub(weight + "2/3", r"\g<1>3/4", report, count=1)),
                ("none", re.sub(weight + "[12]/3", r"\g<1>0", report)), ("negative", re.sub(weight + "1/3", r"\g<1>-1/3", report)),
                ("another unit", re.sub(r'(rule="cover" about="[^"]*" value=")3', r"\g<1>6", report)),
                ("other blocks", report.replace('rule="cover-weight" about="task:last/op:four"', 'rule="cover-weight" about="task:wide/op:one"')),
                ("too few", re.sub(r'(rule="cover" about="[^"]*" value="3" unit="1">\n) *<from role="pi" step="s\d+"/>\n', r"\1", report))):
            self.assertNotEqual(forged, report, what)
            self.refuse_number(mended(forged), what, statuses=(1, 3))

    def test_weights_of_engines(self):
        """y of kernels and z of copies that slow each other fourfold: 1 and 3 prove a bound, less of z does not."""
        chip = (ROOT / "tests/forge/sliced-chip.xml").read_text().replace('copy-runlist="shared"', 'copy-runlist="own"')
        chip = re.sub(r'(from="(?:h2d|d2h|ee)" value=)"[0-9.]+"', r'\1"4"', chip)
        tasks = """<taskset xmlns="urn:gpubound:taskset:1" id="four" platform="./chip.xml" origin="o">
<origins><origin id="o" kind="declared" source="made up" by="gpubound tests"/></origins>
<application id="a"><stream id="s" kind="non-blocking"/><stream id="t" kind="non-blocking"/></application>
<task id="k" period="900ms" deadline="900ms"><kernel id="one" stream="s" scope="block" grid="1" block="256" registers="32" wcet="10ms"/></task>
<task id="c" period="900ms" deadline="900ms"><copy id="in" stream="t" direction="h2d" bytes="1MB" wcet="10ms"/></task>
</taskset>
"""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "chip.xml").write_text(chip)
            (pathlib.Path(folder) / "four.xml").write_text(tasks)
            report = analyze("four.xml", cwd=folder, data=ROOT.resolve())
            self.assertRegex(report, 'rule="once-weight" about="gpu:copies" value="3"')
            self.assertEqual(run("verify", "--without-prose", "-", cwd=folder, text=report, data=ROOT.resolve()).returncode, 0)
            for z in ("2", "1", "1/2"):
                forged = mended(report.replace('about="gpu:copies" value="3"', f'about="gpu:copies" value="{z}"'))
                result = run("verify", "--without-prose", "-", cwd=folder, text=forged, data=ROOT.resolve())
                self.assertEqual(result.returncode, 1, z)
                self.assertIn("weights y and z of at least 1 with y / F + z / F' of at least 1", result.stderr)

    def test_neighbours(self):
        """How many blocks are beside one: neither fewer, nor the closed form where nothing says that the solver failed."""
        report = analyze("tests/golden/beside.xml")
        for before, after in (("2", "1"), ("2", "3"), ("2", "5"), ("5", "4")):
            forged = re.sub(rf'(rule="blocks-beside" about="[^"]*" value="){before}"', rf'\g<1>{after}"', report, count=1)
            self.assertNotEqual(report, forged)
            self.refuse_number(mended(forged), f"{after} beside")

    def test_certificates(self):
        """Multipliers of linear programs: none, too few, too many, not in lowest terms, written otherwise; and each of them another one: refused,
        or what is proven is the same value by other multipliers, which is as good."""
        report = analyze("examples/programs.xml")
        certificates = list(re.finditer(r'<certificate denominator="(\d+)" rows="\d+">([^<]*)<', report))
        self.assertGreater(len(certificates), 6)
        accepted = 0
        for number, certificate in enumerate(certificates):
            if number % (1 if SLOW else 8):
                continue
            start, end = certificate.span(2)
            numbers = certificate.group(2).split()
            for what, text in (("none", ""), ("a row less", " ".join(numbers[:-1])), ("a row more", certificate.group(2) + " 0"),
                               ("a zero before", " ".join(["0" + numbers[0], *numbers[1:]])), ("zeros", " ".join("0" for _ in numbers))):
                self.refuse(mended(report[:start] + text + report[end:]), what)
            doubled = report[:certificate.start(1)] + str(2 * int(certificate.group(1))) + report[certificate.end(1):start]
            self.refuse(mended(doubled + " ".join(str(2 * int(n)) for n in numbers) + report[end:]), "not in lowest terms")
            for i, at in enumerate(numbers):
                other = " ".join([*numbers[:i], str(int(at) + 1), *numbers[i + 1:]])
                forged = mended(report[:start] + other + report[end:])
                accepted += verify(forged, "--without-prose").returncode == 0
                self.refuse(forged, "another multiplier")
        self.assertLess(accepted, 3 * len(certificates))

    def test_inputs(self):
        report = analyze("examples/two-streams.xml")
        other = report.replace("examples/two-streams.xml", "examples/waters2019.xml")
        self.refuse(mended(other), "another task set")
        self.refuse(mended(report.replace("examples/two-streams.xml", "nowhere.xml")), "a task set that is not there")
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "copy.xml"
            shutil.copy(ROOT / "examples/two-streams.xml", copy)
            moved = verify(report, cwd=folder)
            self.assertEqual(moved.returncode, 1)
            self.assertRegex(moved.stderr, "found no examples/two-streams.xml: .*--input=FILE says where it is now")
            self.assertEqual(verify(report, "--input", copy, cwd=folder).returncode, 0)
            self.assertEqual(verify(report, "--input", "copy.xml", cwd=folder).returncode, 0)
            copy.write_text(copy.read_text() + "\n")
            self.assertEqual(verify(report, "--input", copy, cwd=folder).returncode, 1)

    def test_parts_of_no_interval(self):
        """Another context's equation takes no part of a busy interval that the report does not claim, so that nobody holds the part to its own."""
        report = analyze(ROOT / "tests/forge/parts-of-another.xml")
        forged = report.replace('rule="P" about="application:a1"', 'rule="P" about="application:zz"')
        self.assertNotEqual(forged, report)
        self.assertRegex(verify(mended(forged), "--without-prose", "-v").stderr, r"\(P, application:a0\): expected no value")

    def test_kept_place(self):
        """[FP-EQUALS]: FP of each task a nanosecond less, and of one whose jobs may wait for one another what it would be if each were
        served once; with all that follows."""
        report = analyze("tests/forge/equals.xml")
        values = dict(re.findall(r'<step id="s\d+" rule="FP" about="task:(\w+)" value="(\d+)"', report))
        self.assertGreater(int(values["often"]), 20_000_000)  # its period: jobs wait
        for old, new in [*((value, int(value) - 1) for value in values.values()), (values["often"], int(values["long"]))]:
            with self.subTest(old, new=new):
                result = verify(mended(report.replace(f'value="{old}"', f'value="{new}"')), "--without-prose")
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, rf"\(FP, [^)]*\): expected [^;]*at least [^;]*; found {new}")

    def test_lowered_claims(self):
        """A claim one lower, with every result that follows from it: only its own equation can find it."""
        for example, rule in (("examples/waters2019.xml", "P"), ("examples/waters2019.xml", "P-GPU"), ("tests/golden/verdicts.xml", "VOL-P"),
                              ("tests/golden/verdicts.xml", "VOL-C"), ("tests/golden/verdicts.xml", "H"), ("tests/golden/verdicts.xml", "CHAIN")):
            report = analyze(example)
            step = re.search(rf'<step id="s\d+" rule="{rule}" about="[^"]*" value="(\d+)"', report)
            value = int(step.group(1))
            forged = re.sub(rf'value="{value}"', f'value="{value - 1}"', report)
            result = verify(mended(forged), "--without-prose")
            self.assertEqual(result.returncode, 1, rule)
            self.assertRegex(result.stderr, rf"\({rule}, [^)]*\): expected [^;]*at least [^;]*; found {value - 1}")


if __name__ == "__main__":
    SERVER = served.Server(SERVE, ROOT, ENVIRONMENT)
    SERVER.test()
