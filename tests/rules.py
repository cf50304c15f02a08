"""doc/theory/rules.md: each rule of the derivation as a formal statement; those that are code hold at every step of the reports that are kept.

- the table has each rule of src/model/rules.def once and no other, in its order; a statement's names are roles that the page lists; conditions are claims
- relation =: the statement has the step's value; relation >=: it is at most the value, and above it for some smaller one that is not below 1 (so the
  statement says something); with exact rationals
- a rule of these relations that no kept report has is evaluated at the numbers below, worked by hand
- a value that is wrong by one is found

usage: rules.py SOURCE_ROOT
"""
import math
import pathlib
import re
import sys
import types
import unittest
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

ROOT = pathlib.Path(sys.argv[1]).resolve()
R = "{urn:gpubound:report:1}"
ROW = re.compile(r"^\| `([^`]+)` \| (\S+) \| (.*) \| (.*) \|$", re.M)
RELATIONS = {"=", ">=", "claim", "list", "given", "page"}
FUNCTIONS = {"max", "min", "sum", "zip", "ceil", "floor", "only", "eta", "gaps", "stops", "millionths", "rational", "value", "items", "groups", "for", "in", "i", "h", "a", "b", "f"}
# Tasks whose arrivals are limited by more than T and J.
WITH_DISTANCES = {"bursts"}
# Rules that no kept report has: inputs in their order, and the value, by hand.
BY_HAND = {
    "slots-taken": ([("Q", 132), ("N", 16)], 16),
    "dispatch-of-grid": ([("o_launch", 5), ("C", 90)], 95), "stop": ([("theta_int", 50), ("o_blk", 2), ("o_blk", 2)], 54),
    "makespan-of-waves": ([("o", 10), ("N", 9), ("Q", 4), ("A", 20), ("C", 30), ("o_blk", 3)], 10 + 2 * 11 + 30),
    "makespan-of-mixed-grid": ([("o_launch", 5), ("Qmax", 8), ("Qmin", 3), ("C", 10)], 5 + 24 + 10),
    "makespan-of-mixed-grid-delayed": ([("o_launch", 5), ("delta", 2), ("Qmax", 8), ("C", 10), ("N", 8), ("R", 12), ("Qmin", 3)], 5 + 2 + 28 + 12),
    "makespan-of-launch": ([("o", 10), ("N", 9), ("Q", 4), ("m", 2), ("latency", 50), ("work", 3), ("once", 5), ("last", 80), ("delta", 2), ("sigma", 1)],
                           10 + 2 + 106 + 12 + 5 + 1 + 80),
    "stop-delayed": ([("theta_int", 50), ("o_blk", 2), ("delta", 7)], 59), "dispatch-delayed": ([("o", 9), ("delta", 7), ("delta", 7)], 23),
    "last-block": ([("C", 10), ("sigma", 4)], 14), "volume-delayed": ([("N", 6), ("R", 12), ("B", 14)], 58),
    "volume-of-grid-delayed": ([("Qmax", 8), ("C", 10), ("N", 6), ("R", 12), ("B", 14)], 78), "volume-of-grid": ([("Qmax", 8), ("C", 10)], 70),
    "dilate-parted": ([("X", 25), ("L", 10), ("G", 7), ("k", 3)], 25 + 5 * 7), "longest-of-span": ([("C", 100), ("c", 80), ("l", 30)], 50),
    "switch-refill": ([("theta", 3), ("refill", 4)], 7), "slice-refill": ([("L", 10), ("refill", 4)], 6), "once-beside": ([("s", Fraction(1, 3)), ("v", 10)], 4),
    "P-GPU-once": ([("L", 10), ("G", 7), ("T", 100), ("J", 0), ("e", 20), ("x", 15), ("k", 1)], 20 + 2 * 7),
    "compose-additive": ([("f", Fraction(3, 2)), ("f", 2)], Fraction(5, 2)), "compose-maximum": ([("f", Fraction(4, 3)), ("f", 1)], Fraction(1333334, 1000000)),
    "compose-saturated": ([("F", 3), ("F_full", 2)], 2)}


def page():
    return (ROOT / "doc/theory/rules.md").read_text()


def rows():
    return {name: (relation, statement, conditions) for name, relation, statement, conditions in ROW.findall(page())}


class Inputs(types.SimpleNamespace):
    def __getattr__(self, name):  # a role that an item lacks
        if name.startswith("__"):
            raise AttributeError(name)
        return Fraction(0)


def grouped(inputs):
    """All items; groups that begin with g or L."""
    items, groups = [], []
    for role, value in inputs:
        if role in ("g", "L", "G") and (not groups or groups[-1].items or role in vars(groups[-1])) or not groups:
            groups.append(Inputs(items=[]))
        if role in ("g", "L", "G"):
            setattr(groups[-1], role, value)
        elif role in ("theta_int", "T_int", "claim"):
            continue
        else:
            if role == "T":
                items.append(Inputs())
                groups[-1].items.append(items[-1])
            if items:
                setattr(items[-1], role, value)
    return items, groups


def eta(length, item):
    return Fraction(math.ceil((length + item.J) / item.T)) if length > 0 else Fraction(0)


def millionths(factors):
    product = Fraction(1)
    for factor in factors:
        product = Fraction(math.ceil(product * factor * 1000000), 1000000)
    return product


def evaluate(statement, inputs, value):
    roles = {}
    for role, number in inputs:
        roles.setdefault(role, []).append(number)
    items, groups = grouped(inputs)
    names = {name: roles[name][0] for name in roles if len(roles[name]) == 1}
    names.update({f"{name}_all": roles.get(name, []) for name in re.findall(r"\b(\w+)_all\b", statement)})

    def stops(length):
        return math.ceil(length / roles["T_int"][0]) * roles["theta_int"][0] if "T_int" in roles else 0

    def gaps(group, length):  # (V.1), P-GPU: slices that end in the group's work, and one for each operation
        if "L" not in vars(group):
            return 0
        x, k = sum(eta(length + i.A, i) * i.x for i in group.items), sum(eta(length + i.A, i) * i.k for i in group.items)
        return (math.floor(x / group.L) + k) * group.G

    names.update(max=max, min=min, sum=sum, zip=zip, ceil=lambda x: Fraction(math.ceil(x)), floor=lambda x: Fraction(math.floor(x)), value=value, items=items,
                 groups=groups, eta=eta, gaps=gaps, stops=stops, millionths=millionths, rational=Fraction)
    code = re.sub(r"\bonly\((\w+), ", lambda match: f"({match.group(1)} if {match.group(1) in names} else ", statement)
    return eval(code, {"__builtins__": {}, **names})  # the page's own text


def steps(path):
    root = ElementTree.parse(path).getroot()
    values = {}
    for step in root.iter(R + "step"):
        if step.get("value") is None:
            continue
        values[step.get("id")] = Fraction(step.get("value"))
        yield step.get("rule"), [(one.get("role"), values[one.get("step")]) for one in step if one.get("step") in values], values[step.get("id")]


class Rules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = rows()
        cls.kept = [(path.stem, rule, inputs, value) for path in sorted((ROOT / "tests/golden").glob("*.report")) for rule, inputs, value in steps(path)]

    def code(self, rule):
        relation, statement, _ = self.rows[rule]
        return statement.strip("`") if relation in ("=", ">=") else None

    def test_complete(self):
        table = re.findall(r'^RULE\(\w+, "([^"]+)"', (ROOT / "src/model/rules.def").read_text(), re.M)
        self.assertEqual([name for name, *_ in ROW.findall(page())], table)
        claims = set(re.findall(r"^\| \[([^\]]+)\] \|", (ROOT / "doc/theory/README.md").read_text(), re.M))
        listed = set(re.findall(r"\w+", " ".join(re.findall(r"^\| ([\w, ]+) \| (?:ns|count|ratio)", page(), re.M))))
        for rule, (relation, statement, conditions) in self.rows.items():
            self.assertIn(relation, RELATIONS, rule)
            self.assertEqual(statement.startswith("`"), relation in ("=", ">="), rule)
            self.assertTrue(conditions == "none" or set(re.findall(r"\[([^\]]+)\]", conditions)) & claims or relation == "given", rule)
            if relation == "page":
                self.assertTrue(set(re.findall(r"\[([^\]]+)\]", statement)) & claims, rule)
            if relation in ("=", ">="):
                words = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\b[ih]\.", "", statement))) - FUNCTIONS
                self.assertLessEqual({word.removesuffix("_all") for word in words}, listed, rule)

    def test_roles(self):
        """Each input that a step has enters its statement, or is said to be for others."""
        aside = {"inflate": {"q"}, "response": {"also"}, "P": {"claim"}, "VOL-P": {"claim", "L", "G", "k"}, "P-GPU": {"claim", "L", "G", "k"}, "queue-delay": {"Q"}, "stage": {"D"}}
        for name, rule, inputs, _ in self.kept:
            code = self.code(rule)
            if code is None:
                continue
            text = set(re.findall(r"\w+", code.replace("_all", "").replace("eta(", "J T ").replace("stops(", "T_int theta_int ")))
            self.assertLessEqual({role for role, _ in inputs} - aside.get(rule, set()), text, (name, rule))

    def test_kept(self):
        evaluated = {}
        for name, rule, inputs, value in self.kept:
            code = self.code(rule)
            if code is None:
                continue
            found = evaluate(code, inputs, value)
            if self.rows[rule][0] == "=":
                self.assertEqual(found, value, (name, rule, inputs))
                self.assertNotEqual(found, value + 1)
            elif name not in WITH_DISTANCES:
                self.assertLessEqual(found, value, (name, rule, inputs))
            evaluated[rule] = evaluated.get(rule, 0) + 1
        missing = {rule for rule in self.rows if self.code(rule) is not None} - set(evaluated)
        self.assertEqual(missing, set(BY_HAND))
        self.assertGreater(sum(evaluated.values()), 1000)
        print(f"{sum(evaluated.values())} steps by {len(evaluated)} rules evaluated, {len(BY_HAND)} rules by hand, of {len(self.rows)}", file=sys.stderr)

    def test_fixed_points(self):
        """A busy interval's claim is a post-fixed point, and one that is a little less is none, where nothing but T and J limits arrivals."""
        tight = 0
        for name, rule, inputs, value in self.kept:
            if self.rows[rule][0] == ">=" and name not in WITH_DISTANCES and value > 1:
                tight += evaluate(self.code(rule), inputs, value - 1) > value - 1
        self.assertGreater(tight, 20)

    def test_by_hand(self):
        for rule, (inputs, value) in BY_HAND.items():
            found = evaluate(self.code(rule), [(role, Fraction(number)) for role, number in inputs], Fraction(value))
            self.assertEqual(found, value, rule)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
