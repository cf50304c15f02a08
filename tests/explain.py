"""analyze --explain: a reader with a pencil comes to the same numbers.

From the printed text alone, for every task of every example and of the task sets that have what no example has:

- every equation between numbers is one, every list of terms comes to its sum, every value of a term stands behind it: as the result of an
  equation, as the value of a step that is listed below, or as a sum that was printed before
- the sums lead to the bound that is the least, and with the release jitter to the response; nothing is left over without a name
- the least of what is said to be the least is that
- steps by the rules that are plain arithmetic follow from their inputs
- each bound that can be the least is, somewhere
- of TT each latest time is the one before it and the term, from the latest completion to the release; terms are those that the steps and the
  task set have; a text with any other term is refused

usage: explain.py GPUBOUND SOURCE_ROOT quick|slow
"""
import csv
import fractions
import io
import itertools
import math
import os
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import phases

import served

GPUBOUND, ROOT, SLOW = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3] == "slow"
PROGRAM = served.Program(GPUBOUND)
QUICK = ["tests/attacks/bounds/stall-h200", "tests/falsify/overtaken-in-its-level", "examples/bursts", "examples/copies", "examples/known-phases", "examples/two-streams", "examples/waters2019",
         "examples/networks-lock"]
MORE = ["examples/late-blocks", "examples/passing", "examples/pipeline", "tests/golden/cover", "tests/forge/sliced", "tests/forge/spans", "examples/networks-slices", "examples/networks-partitions", "examples/cockpit", "examples/cockpit-one-context", "examples/programs", "examples/waters2019-detection", "examples/waters2019-one-context",
        "tests/golden/beside", "tests/golden/verdicts", "tests/forge/mixed", "tests/forge/delayed", "tests/forge/delayed-whole"]
ITEM = re.compile(r"^\s*([-+=]) (\d+): ")
PATH = re.compile(r": (-?\d+) ([-+]) (\d+) = (-?\d+)$")
ARITHMETIC = re.compile(r"(?:\b\d+\b|ceil|floor|[-+*/()=]|\s)+")
REFERENCE = re.compile(r"\s*\[\d+\]")
UNITS = {"ns": 1, "us": 1000, "ms": 10**6, "s": 10**9}


def run(*words):
    return PROGRAM.run([*words], cwd=ROOT, text=True).stdout


def items(lines):
    """Paragraphs that were wrapped, each as one line: a further line of one stands six columns in."""
    indent = None
    found = []
    for line in lines:
        at = len(line) - len(line.lstrip())
        item = ITEM.match(line)
        if item and item.group(1) == "=" and found and not ITEM.match(found[-1]):
            item = None  # an equation that was wrapped there: sums stand behind terms
        if indent is not None and at == indent + 6 and not item:
            found[-1] += " " + line.strip()
        else:
            found.append(line.strip())
            indent = at
    return found


def evaluate(text):
    """The value of an expression in whole numbers, exactly; None for what is none."""
    if not re.search(r"\d", text):
        return None
    spelled = re.sub(r"(?<![\w.])(\d+)", r"F(\1)", text.strip())
    try:
        return eval(spelled, {"__builtins__": {}}, {"F": fractions.Fraction, "ceil": math.ceil, "floor": math.floor})
    except (SyntaxError, TypeError):
        return None


def equations(text):
    """(sides) of each chain of equations between numbers."""
    for match in ARITHMETIC.finditer(REFERENCE.sub("", text)):
        if "=" not in match.group():
            continue
        sides = [side for side in match.group().split("=")]
        for left, right in zip(sides, sides[1:]):
            one, other = evaluate(left), evaluate(right)
            if one is not None and other is not None:
                yield left.strip(), right.strip(), one, other


def inputs_of(text):
    return [(role, fractions.Fraction(value)) for role, value in re.findall(r"[;,] ([A-Za-z_]+) = \[\d+\] (-?\d+(?:/\d+)?)", text)]


def of(inputs, role, default=None):
    values = [value for name, value in inputs if name == role]
    return values[0] if values else default


# Rules that say all they need.
RULES = {
    "sum": lambda i: sum(value for _, value in i),
    "response": lambda i: sum(value for role, value in i if role in ("P", "C")),
    "inflate": lambda i: math.ceil(of(i, "C") * of(i, "F")),
    "dispatch": lambda i: of(i, "o_launch") + of(i, "N") * of(i, "o_blk"),
    "makespan-of-grid": lambda i: of(i, "o_launch") + of(i, "C"),
    "volume": lambda i: of(i, "N") * of(i, "C") - of(i, "C"),
    "slots": lambda i: of(i, "m") * of(i, "n"),
    "slots-taken": lambda i: min(of(i, "Q"), of(i, "N")),
    "switch-gap": lambda i: of(i, "theta") + of(i, "Omega", 0),
}


class Explanation:
    def __init__(self, example, task):
        self.text = run("analyze", "-q", "--explain", task, example)
        self.sections, name = {}, ""
        lines = self.text.splitlines()
        for line in lines:
            if line and not line.startswith(" "):
                name = line.split(",")[0].split(":")[0].split(" ")[0]
            elif line:
                self.sections.setdefault(name, []).append(line)
        self.sections = {name: items(lines) for name, lines in self.sections.items()}
        self.steps = {}  # listed ones
        for item in self.sections.get("Where", []):
            number = int(re.match(r"\[(\d+)\]", item).group(1))
            value = re.search(r" = (-?\d+(?:/\d+)?)", item)
            self.steps[number] = value.group(1)


class Given:
    """What a task set says of releases and hosts."""
    def __init__(self, path):
        self.tasks, self.declared = {}, {}
        space = "{urn:gpubound:taskset:1}"
        root = xml.etree.ElementTree.parse(path).getroot()
        for task in root.iter(space + "task"):
            number = {name: time(task.get(name, "0ns")) for name in ("period", "offset", "jitter")}
            self.tasks[task.get("id")] = number | {"hosts": [time(host.get("wcet")) for host in task.iter(space + "host")]}
        for declare in root.iter(space + "declare"):
            self.declared[declare.get("name")] = declare.get("value")

    def releases_are(self, item):
        return all((int(at) - self.tasks[task]["offset"]) % self.tasks[task]["period"] == 0
                   for task, at in re.findall(r"(\w+)/op:\w+(?: \[\d+\])? \(released at (\d+)\)", item))

    def has(self, term, item, steps):
        """Is the term of a path what its words say?"""
        text = item.split(": ", 1)[1]
        if not self.releases_are(text):
            return False
        if match := re.match(r"release jitter: so much later task:(\w+) is", text):
            return term == self.tasks[match.group(1)]["jitter"]
        if match := re.match(r"host segments before (\w+)/", text):
            return term in self.tasks[match.group(1)]["hosts"]
        if text.startswith("from the worst job's own release"):
            match = re.search(r"to the nominal release of (\w+)/", text)
            to = int(PATH.search(item).group(4))
            return (to - self.tasks[match.group(1)]["offset"]) % self.tasks[match.group(1)]["period"] == 0
        times = [int(steps[number]) for number in steps if "/" not in steps[number]]
        if text.startswith("a block of a lower priority"):
            return term - time(self.declared["overhead.block"]) in times
        named = int(steps[int(re.search(r"\[(\d+)\]", text).group(1))])
        if match := re.search(r"M \[\d+\] and (\d+) for what is cut off", text):
            return int(match.group(1)) in times and term == named + int(match.group(1))
        count = re.search(r", (\d+) one after another", text)
        return term == named * (int(count.group(1)) if count else 1)


def time(text):
    number, unit = re.match(r"([\d.]+)(\w+)", text).groups()
    return int(fractions.Fraction(number) * UNITS[unit])


class Explain(unittest.TestCase):
    seen, counted, links, folder = set(), 0, 0, None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check_equations(self, item, where):
        for left, right, one, other in equations(item):
            self.assertEqual(one, other, f"{where}: {left} = {right}: {item}")
            Explain.counted += 1

    def stands_behind(self, value, item, explanation, sums, before):
        text = item.split(": ", 1)[1]
        if any(value in (one, other) for _, _, one, other in equations(text)):
            return True
        named = [explanation.steps.get(int(number)) for number in re.findall(r"\[(\d+)\]", text)]
        return str(value) in named or value in sums or re.search(rf"^a: ", text) and f"a = {value} " in before

    def check_terms(self, how, explanation, where):
        """Returns the sums, in order, with their names."""
        sums, terms = [], []
        for item in how:
            match = re.match(r"([-+=]) (\d+): ", item)
            if match is None:
                self.assertEqual(terms, [], f"{where}: a list without a sum before: {item}")
                continue
            sign, value = match.group(1), int(match.group(2))
            self.assertNotIn("no term here", item, where)
            if sign == "=":
                self.assertEqual(sum(terms), value, f"{where}: {item}")
                sums.append((value, item[match.end():]))
                terms = []
                continue
            known = [value for value, _ in sums]
            behind = self.stands_behind(value, item, explanation, known, " ".join(how)) or self.is_count(item)
            self.assertTrue(behind or "release jitter: " in item or PATH.search(item), f"{where}: {item}")
            terms.append(value if sign == "+" else -value)
        self.assertEqual(terms, [], where)
        return sums

    def is_count(self, item):
        return re.search(r": (\S+|one of the stream of \S+|\S+, the most of its stream|a block of a lower level, under way)$", item) is not None

    def check_least(self, how, where):
        for item in how:
            match = re.search(r"R = (?:\d+ \+ )?(\d+)(?: = \d+)? ns.*the least of (.*)$", item)
            if match:
                self.assertEqual(int(match.group(1)), min(int(value) for value in re.findall(r" (\d+)", " " + match.group(2))), f"{where}: {item}")

    def check_ends(self, how, where):
        """When each stream of a job on several is complete: the latest; None where it is on one."""
        latest = None
        for i, item in enumerate(how):
            match = re.match(r"Complete on its stream at most (\d+) ns", item)
            if match is None:
                continue
            ways = itertools.takewhile(lambda way: way.startswith(("what is before it", "the event for which")), how[i + 1:])
            self.assertEqual(int(match.group(1)), max(int(re.search(r" = (\d+)$", way).group(1)) for way in ways), f"{where}: {item}")
            latest = max(latest or 0, int(match.group(1)))
        return latest

    def check_path(self, how, explanation, given, where):
        head = re.search(r"released at (\d+) and complete by (\d+), host segments of (\d+) before", " ".join(how))
        release, at, host = map(int, head.groups())
        first = next(i for i, item in enumerate(how) if item.startswith("From this completion back"))
        for item in itertools.takewhile(lambda item: not item.startswith("= "), how[first + 1:]):
            if not ITEM.match(item):
                continue
            before, sign, term, by = PATH.search(item).groups()
            self.assertEqual(item.split(":")[0], f"{sign} {term}", f"{where}: {item}")
            self.assertEqual((int(by), int(before) + int(sign + term)), (at, at), f"{where}: {item}")
            self.assertTrue(given.has(int(term), item, explanation.steps), f"{where}: {item}")
            at = int(before)
            Explain.links += 1
        self.assertEqual(at, release + host, where)

    def check_steps(self, explanation, where):
        for item in explanation.sections["Where"]:
            match = re.match(r"\[\d+\] .*? = (-?\d+(?:/\d+)?)(?: ns)?: ([\w-]+): ", item)
            inputs = inputs_of(item)
            if match is None or match.group(2) not in RULES or not inputs:
                continue
            self.assertEqual(fractions.Fraction(match.group(1)), RULES[match.group(2)](inputs), f"{where}: {item}")
            Explain.counted += 1

    def check_task(self, example, task):
        where = f"{example}, {task}"
        explanation = Explanation(example, task)
        bounds = dict(re.findall(r"^  ([A-Z][A-Z-]*) .*? = (\d+) ns", explanation.text, re.M))
        least = re.search(r"^  ([A-Z][A-Z-]*) .*? = (\d+) ns, the least", explanation.text, re.M)
        if least is None:
            self.assertNotIn("How", explanation.sections, where)
            return
        how, value = explanation.sections["How"], int(least.group(2))
        for item in how:
            self.check_equations(item, where)
        sums = self.check_terms(how, explanation, where)
        self.check_least(how, where)
        self.check_steps(explanation, where)
        latest = self.check_ends(how, where)
        if least.group(1) == "TT":
            self.check_path(how, explanation, Given(ROOT / example), where)
        self.assertEqual(sums[-1][0] if latest is None else latest, value, where)
        head = " ".join(explanation.sections["Task"])
        response, unit, jitter = re.search(r"response ([\d.]+) (\w+) from .* jitter of (\d+) ns", head).groups()
        nominal = value if least.group(1) == "TT" else value + int(jitter)
        self.assertEqual(fractions.Fraction(response) * UNITS[unit], nominal, where)
        self.assertEqual(nominal, min(int(bound) + (0 if name == "TT" else int(jitter)) for name, bound in bounds.items()), where)
        Explain.seen.add(least.group(1))

    def drawn(self, seed, kind):
        path = os.path.join(self.folder.name, f"{kind}-{seed}.xml")
        pathlib.Path(path).write_text(phases.taskset(seed, kind), encoding="utf-8")
        return path

    def tasks(self, path):
        rows = csv.DictReader(io.StringIO(run("analyze", "-q", "-f", "csv", path)))
        return [row["task"] for row in rows if row["kind"] == "task"]

    def test_known_phases(self):
        Explain.links = 0
        for kind in phases.KINDS:
            for seed in range(20 if SLOW else 2):
                path = self.drawn(seed, kind)
                for task in self.tasks(path):
                    self.check_task(path, task)
        self.assertGreater(Explain.links, 1000 if SLOW else 100)

    def changed(self, how):
        """The texts with one term changed, alone, and with the equation that it is in."""
        for i, item in enumerate(how):
            if match := PATH.search(item):
                before, sign, term, by = match.groups()
                value, less = int(term) + 1, int(before) - int(sign + "1")
                yield how[:i] + [item.replace(f"{sign} {term}:", f"{sign} {value}:", 1)] + how[i + 1:]
                text = item[:match.start()].replace(f"{sign} {term}:", f"{sign} {value}:", 1)
                yield how[:i] + [f"{text}: {less} {sign} {value} = {by}"] + how[i + 1:]

    def test_changed_terms(self):
        refused = 0
        for kind in phases.KINDS:
            path = self.drawn(1, kind)
            for task in self.tasks(path):
                explanation, given = Explanation(path, task), Given(path)
                if "TT" not in explanation.text.split("How ", 1)[-1][:3]:
                    continue
                how = explanation.sections["How"]
                self.check_path(how, explanation, given, path)
                for other in self.changed(how):
                    with self.assertRaises(AssertionError, msg=f"{path}, {task}: {other}"):
                        self.check_path(other, explanation, given, path)
                    refused += 1
        self.assertGreater(refused, 100)

    def test_by_pencil(self):
        for name in QUICK + (MORE if SLOW else []):
            for row in csv.DictReader(io.StringIO(run("analyze", "-q", "-f", "csv", name + ".xml"))):
                if row["kind"] == "task":
                    self.check_task(name + ".xml", row["task"])
        self.assertEqual({"VOL-P", "P", "P-GPU", "VOL-C", "H", "CHAIN", "FP", "TT", "LOCK"} - Explain.seen, set())
        self.assertGreater(Explain.counted, 1000 if SLOW else 200)

    def test_chains(self):
        """A chain's terms add up to its bound, as do the shares of its tasks; with known phases there is no sum; a reason is all without a bound."""
        sums, others = 0, 0
        for path in "examples/whole-system.xml", "examples/ros2.xml", "tests/golden/rates.xml", "tests/golden/chains.xml":
            for row in csv.DictReader(io.StringIO(run("analyze", "-q", "-f", "csv", path))):
                if row["kind"] != "chain":
                    continue
                text = run("analyze", "-q", f"--explain={row['task']}", path)
                self.assertLessEqual(max(len(line) for line in text.splitlines()), 80, row["task"])
                terms = [int(term) for term in re.findall(r"^    \+ (\d+): ", text, re.M)]
                if terms:
                    self.assertEqual(sum(terms), int(row["response_ns"]), row["task"])
                    self.assertIn(f"    = {sum(terms)}: the bound\n", text)
                    self.assertNotIn("no term here", text)
                    shares = [float(share) for share in re.findall(r" (\d+\.\d) %$", text, re.M)]
                    self.assertAlmostEqual(sum(shares), 100, delta=0.05 * len(shares) + 0.001)
                    sums += 1
                else:
                    self.assertRegex(text, r"and\s+no sum over tasks" if row["response_ns"] else r"(?m)^  No bound: \w+")
                    others += 1
        self.assertEqual((sums, others), (9, 7))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
