"""analyze --explain: a reader with a pencil comes to the same numbers.

From the printed text alone, for every task of every example and of the task sets that have what no example has:

- every equation between numbers is one, every list of terms comes to its sum, every value of a term stands behind it: as the result of an
  equation, as the value of a step that is listed below, or as a sum that was printed before
- the sums lead to the bound that is the least, and with the release jitter to the response; nothing is left over without a name
- the least of what is said to be the least is that
- steps by the rules that are plain arithmetic follow from their inputs
- each bound that can be the least is, somewhere

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
import subprocess
import sys
import unittest

GPUBOUND, ROOT, SLOW = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3] == "slow"
QUICK = ["examples/bursts", "examples/copies", "examples/known-phases", "examples/two-streams", "examples/waters2019"]
MORE = ["examples/late-blocks", "examples/passing", "examples/pipeline", "tests/golden/cover", "tests/forge/sliced", "examples/cockpit", "examples/cockpit-one-context", "examples/programs", "examples/waters2019-detection", "examples/waters2019-one-context",
        "tests/golden/beside", "tests/golden/verdicts", "tests/forge/mixed", "tests/forge/delayed", "tests/forge/delayed-whole"]
ITEM = re.compile(r"^\s*([-+=]) (\d+): ")
ARITHMETIC = re.compile(r"(?:\b\d+\b|ceil|floor|[-+*/()=]|\s)+")
REFERENCE = re.compile(r"\s*\[\d+\]")
UNITS = {"ns": 1, "us": 1000, "ms": 10**6, "s": 10**9}


def run(*words):
    return subprocess.run([GPUBOUND, *words], cwd=ROOT, capture_output=True, text=True, timeout=120).stdout


def items(lines):
    """Paragraphs that were wrapped, each as one line: a further line of one stands six columns in."""
    indent = None
    found = []
    for line in lines:
        at = len(line) - len(line.lstrip())
        if indent is not None and at == indent + 6 and not ITEM.match(line):
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


class Explain(unittest.TestCase):
    seen, counted = set(), 0

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
            self.assertTrue(behind or "release jitter: " in item or "in the worst of all orders" in item or "in any order" in item, f"{where}: {item}")
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
        self.assertEqual(sums[-1][0] if latest is None else latest, value, where)
        head = " ".join(explanation.sections["Task"])
        response, unit, jitter = re.search(r"response ([\d.]+) (\w+) from .* jitter of (\d+) ns", head).groups()
        nominal = value if least.group(1) == "TT" else value + int(jitter)
        self.assertEqual(fractions.Fraction(response) * UNITS[unit], nominal, where)
        self.assertEqual(nominal, min(int(bound) + (0 if name == "TT" else int(jitter)) for name, bound in bounds.items()), where)
        Explain.seen.add(least.group(1))

    def test_by_pencil(self):
        for name in QUICK + (MORE if SLOW else []):
            for row in csv.DictReader(io.StringIO(run("analyze", "-q", "-f", "csv", name + ".xml"))):
                if row["kind"] == "task":
                    self.check_task(name + ".xml", row["task"])
        self.assertEqual({"VOL-P", "P", "P-GPU", "VOL-C", "H", "CHAIN", "FP", "TT"} - Explain.seen, set())
        self.assertGreater(Explain.counted, 1000 if SLOW else 200)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
