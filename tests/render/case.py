"""The assurance case of a report, as GSN (SVG) and as SACM 2.2 (XMI): both say what the report says, and no more.

- SACM: each element is of a class of the metamodel, with the attributes, references and parts that its class has, as many as it may have; what is
  referred to is there, and of the right class; the argument has no cycle, and every claim that is asserted leads to evidence
- GSN: each node once, of its shape; what is drawn is the same case; nothing reaches out of the page, boxes do not overlap
- both against the report: a claim for each task and chain, asserted iff it is proven or conditional; assumptions that are used, with who discharges
  them; the hashes of all inputs
- a report that is kept here gives the same bytes

usage: case.py GPUBOUND SOURCE_ROOT [--update]   (--update writes the kept pictures anew: ninja case-update)
"""
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
CASES = [("examples/two-streams.xml",), ("examples/two-streams.xml", "-a", "A-WC"), ("examples/best-effort.xml",), ("examples/cockpit.xml",),
         ("examples/programs.xml",), ("examples/waters2019.xml",), ("examples/waters2019-overload.xml",), ("tests/golden/verdicts.xml",), ("tests/golden/chains.xml",)]
R, S, X, V = "{urn:gpubound:report:1}", "{http://www.omg.org/spec/SACM/2.2}", "{http://www.omg.org/spec/XMI/20131001}", "{http://www.w3.org/2000/svg}"

# The metamodel, as far as it is written: class: (superclass, attributes, {reference: (class, least, most)}, {part: (class, least, most)}).
MANY = 10**9
CLASSES = {
    "SACMElement": (None, {"gid"}, {}, {}),
    "ModelElement": ("SACMElement", set(), {}, {"name": ("LangString", 1, 1), "description": ("Description", 0, 1), "taggedValue": ("TaggedValue", 0, MANY)}),
    "LangString": (None, {"lang", "content"}, {}, {}),
    "MultiLangString": (None, set(), {}, {"value": ("LangString", 1, MANY)}),
    "UtilityElement": ("SACMElement", set(), {}, {"content": ("MultiLangString", 1, 1)}),
    "Description": ("UtilityElement", set(), {}, {}),
    "TaggedValue": ("UtilityElement", set(), {}, {"key": ("MultiLangString", 1, 1)}),
    "ArtifactElement": ("ModelElement", set(), {}, {}),
    "AssuranceCasePackage": ("ArtifactElement", set(), {}, {"artifactPackage": ("ArtifactPackage", 0, MANY), "argumentPackage": ("ArgumentPackage", 0, MANY)}),
    "ArtifactPackage": ("ArtifactElement", set(), {}, {"artifactElement": ("ArtifactElement", 0, MANY)}),
    "ArtifactAsset": ("ArtifactElement", set(), {}, {}),
    "Artifact": ("ArtifactAsset", {"version", "date"}, {}, {}),
    "ArgumentationElement": ("ArtifactElement", set(), {}, {}),
    "ArgumentPackage": ("ArgumentationElement", set(), {}, {"argumentationElement": ("ArgumentationElement", 0, MANY)}),
    "ArgumentAsset": ("ArgumentationElement", set(), {}, {}),
    "Assertion": ("ArgumentAsset", {"assertionDeclaration"}, {}, {}),
    "Claim": ("Assertion", set(), {}, {}),
    "ArgumentReasoning": ("ArgumentAsset", set(), {}, {}),
    "ArtifactReference": ("ArgumentAsset", set(), {"referencedArtifactElement": ("ArtifactElement", 0, MANY)}, {}),
    "AssertedRelationship": ("Assertion", {"isCounter"}, {"source": ("ArgumentAsset", 1, MANY), "target": ("ArgumentAsset", 1, 1),
                                                           "reasoning": ("ArgumentReasoning", 0, 1)}, {}),
    "AssertedInference": ("AssertedRelationship", set(), {}, {}),
    "AssertedEvidence": ("AssertedRelationship", set(), {}, {}),
    "AssertedContext": ("AssertedRelationship", set(), {}, {}),
    "AssertedArtifactContext": ("AssertedRelationship", set(), {}, {}),
}
DECLARATIONS = {"asserted", "needsSupport", "assumed", "axiomatic", "defeated", "asCited"}
PLAIN = {"LangString", "MultiLangString", "Description", "TaggedValue"}  # without type and id: what the part's class is


def run(*words, **more):
    return subprocess.run([GPUBOUND, *map(str, words)], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, **more)


def render(report, form):
    result = run("report", "-f", form, "-", input=report)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr
    return result.stdout


def ancestors(name):
    while name in CLASSES:
        yield name
        name = CLASSES[name][0]


def has(name, which):
    found = {}
    for one in ancestors(name):
        part = CLASSES[one][which]
        found.update(part if isinstance(part, dict) else dict.fromkeys(part))
    return found


def class_of(node, otherwise):
    kind = node.get(X + "type")
    return otherwise if kind is None else kind.removeprefix("sacm:")


def check_sacm(text):
    """The faults of a file; a set of sentences."""
    root = ElementTree.fromstring(text)
    faults, ids = set(), {}
    for node in root.iter():
        if node.get(X + "id") is not None:
            if node.get(X + "id") in ids:
                faults.add(f"two elements are {node.get(X + 'id')}")
            ids[node.get(X + "id")] = node

    def walk(node, name):
        if name not in CLASSES or name in {"SACMElement", "ModelElement", "UtilityElement", "ArtifactElement", "ArtifactAsset", "ArgumentationElement",
                                           "ArgumentAsset", "Assertion", "AssertedRelationship"}:
            faults.add(f"{name} is no class that can be there")
            return
        attributes, references, parts = has(name, 1), has(name, 2), has(name, 3)
        given = {key: value for key, value in node.attrib.items() if not key.startswith(X)}
        for key, value in given.items():
            if key not in attributes and key not in references:
                faults.add(f"{name} has no {key}")
            if key == "assertionDeclaration" and value not in DECLARATIONS or key == "isCounter" and value not in ("true", "false"):
                faults.add(f"{key} is {value}")
        for key, (kind, least, most) in references.items():
            words = given.get(key, "").split()
            if not least <= len(words) <= most:
                faults.add(f"{name} has {len(words)} {key}")
            for word in words:
                if word not in ids or kind not in ancestors(class_of(ids[word], "AssuranceCasePackage")):
                    faults.add(f"{key} is {word}, which is no {kind}")
        for key, (kind, least, most) in parts.items():
            children = node.findall(key)
            if not least <= len(children) <= most:
                faults.add(f"{name} has {len(children)} {key}")
            for child in children:
                own = class_of(child, kind)
                if own in CLASSES and kind not in ancestors(own):
                    faults.add(f"{own} is no {kind}")
                if (child.get(X + "id") is None) != (own in PLAIN):
                    faults.add(f"{own} and its id")
                walk(child, own)
        for child in node:
            if child.tag not in parts:
                faults.add(f"{name} has no part {child.tag}")

    if root.tag != S + "AssuranceCasePackage":
        faults.add(f"{root.tag} is no assurance case")
    walk(root, "AssuranceCasePackage")
    return faults


class Sacm:
    def __init__(self, text):
        root = ElementTree.fromstring(text)
        self.elements = {node.get(X + "id"): node for node in root.find("argumentPackage").findall("argumentationElement")}
        self.artifacts = {node.get(X + "id"): node for node in root.find("artifactPackage").findall("artifactElement")}
        self.relations = [node for node in self.elements.values() if (node.get(X + "type") or "").startswith("sacm:Asserted")]
        self.claims = {key: node for key, node in self.elements.items() if node.get(X + "type") == "sacm:Claim"}

    def text(self, node):
        return node.find("description/content/value").get("content")

    def tag(self, node, key):
        for tag in node.findall("taggedValue"):
            if tag.find("key/value").get("content") == key:
                return tag.find("content/value").get("content")
        return None

    def below(self, target, *kinds):
        return {word for one in self.relations if one.get("target") == target and one.get(X + "type").removeprefix("sacm:") in kinds
                for word in one.get("source").split()}


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reports = {case: run("analyze", "-q", "-f", "xml", *case[1:], case[0]).stdout for case in CASES}
        cls.made = {case: (report, render(report, "sacm"), render(report, "gsn")) for case, report in cls.reports.items()}

    def test_metamodel(self):
        for case, (_, text, _) in self.made.items():
            self.assertEqual(check_sacm(text), set(), case)

    def test_metamodel_would_find(self):
        text = self.made[CASES[0]][1]
        for what, changed in {
                "no name": re.sub(r'<name [^>]*/>', "", text, count=1), "two names": re.sub(r'(<name [^>]*/>)', r"\1\1", text, count=1),
                "a reference to nothing": re.sub(r'source="[^"]*"', 'source="G99"', text, count=1),
                "a target that is an artifact": re.sub(r'target="[^"]*"', 'target="artifact-C1"', text, count=1),
                "another declaration": text.replace('"needsSupport"', '"proven"', 1), "another class": text.replace("sacm:Claim", "sacm:Goal", 1),
                "an abstract class": text.replace("sacm:Claim", "sacm:Assertion", 1), "an id twice": text.replace('xmi:id="G2"', 'xmi:id="G1"', 1),
                "another attribute": text.replace(' assertionDeclaration="', ' strength="5" assertionDeclaration="', 1),
                "a part that is none": text.replace("<name ", "<gsn/><name ", 1)}.items():
            self.assertNotEqual(changed, text, what)
            self.assertNotEqual(check_sacm(changed), set(), what)

    def test_says_what_the_report_says(self):
        shown = 0
        for case, (report, text, _) in self.made.items():
            root, sacm = ElementTree.fromstring(report), Sacm(text)
            by_name = {node.find("name").get("content"): (key, node) for key, node in sacm.claims.items() if node.get("assertionDeclaration") != "assumed"}
            wanted = {"deadlines", "derived", "inputs"}
            used = {one.get("id"): one for one in root.iter(R + "assumption") if one.get("used") == "true"}
            for one in root.find(R + "results"):
                kind = one.tag.removeprefix(R)
                if kind == "stream" or one.get("best-effort") and one.get("verdict") == "no-bound" and root.get("left-out"):
                    continue
                wanted.add(f"{kind} {one.get('id')}")
                key, node = by_name[f"{kind} {one.get('id')}"]
                proven = one.get("verdict") in ("proven", "conditional")
                self.assertEqual(node.get("assertionDeclaration"), "asserted" if proven else "needsSupport", (case, one.get("id")))
                assumed = {sacm.elements[word].find("name").get("content") for word in sacm.below(key, "AssertedContext")}
                evidence = sacm.below(key, "AssertedEvidence")
                if not proven:
                    self.assertEqual((assumed, evidence), (set(), set()))
                    self.assertIn("Not shown", sacm.text(node))
                    continue
                shown += 1
                self.assertIn(f"at most {one.get('response')} ns", sacm.text(node))
                self.assertEqual(assumed, set((one.get("assumptions") or " ".join(used)).split()))
                self.assertIn(f"step {one.get('step')}", [sacm.elements[word].find("name").get("content") for word in evidence])
                self.assertEqual(sacm.tag(node, "condition") is not None, one.get("verdict") == "conditional")
            self.assertEqual(set(by_name), wanted, case)
            self.assertEqual(by_name["deadlines"][1].get("assertionDeclaration"),
                             "asserted" if root.get("verdict") in ("proven", "conditional") else "needsSupport")
            for name in ("derived", "inputs"):
                self.assertEqual(by_name[name][1].get("assertionDeclaration"), "needsSupport")
                self.assertIsNotNone(sacm.tag(by_name[name][1], "shown-by"))
            assumptions = {node.find("name").get("content"): node for node in sacm.claims.values() if node.get("assertionDeclaration") == "assumed"}
            self.assertEqual(set(assumptions), set(used), case)
            for name, node in assumptions.items():
                self.assertEqual(sacm.text(node), " ".join(used[name].findtext(R + "statement").split()))
                self.assertEqual(sacm.tag(node, "discharged-by"), " ".join(used[name].findtext(R + "discharge").split()))
                self.assertEqual(sacm.tag(node, "condition") is not None, used[name].get("status") == "conditional")
            hashes = {sacm.tag(node, "sha256") for node in sacm.artifacts.values()}
            for one in root.iter(R + "input"):
                self.assertIn(one.get("sha256"), hashes)
            self.assertIn(hashlib.sha256(report.encode()).hexdigest(), hashes)
            names = {node.find("name").get("content") for node in sacm.artifacts.values()}
            self.assertLessEqual({f"origin {one.get('id')}" for one in root.iter(R + "origin")}, names)
        self.assertGreater(shown, 10)

    def test_argument(self):
        """From the root everything is reached, nothing twice on one way; what is asserted ends in evidence."""
        for case, (_, text, _) in self.made.items():
            sacm = Sacm(text)
            kinds = ("AssertedInference", "AssertedEvidence", "AssertedContext", "AssertedArtifactContext")
            reached, way = set(), []

            def walk(key):
                self.assertNotIn(key, way, "a circle")
                reached.add(key)
                way.append(key)
                for word in sorted(sacm.below(key, *kinds)):
                    walk(word)
                way.pop()
            walk("G1")
            self.assertEqual(reached, {key for key, node in sacm.elements.items() if node.get(X + "type") in ("sacm:Claim", "sacm:ArtifactReference")}, case)
            for key, node in sacm.claims.items():
                if node.get("assertionDeclaration") == "asserted":
                    self.assertTrue(sacm.below(key, "AssertedInference", "AssertedEvidence"), key)

    def test_drawn(self):
        for case, (_, text, svg) in self.made.items():
            sacm, root = Sacm(text), ElementTree.fromstring(svg)
            shapes = {"goal": "rect", "strategy": "path", "solution": "circle", "context": "rect", "assumption": "ellipse"}
            drawn = {}
            for group in root.iter(V + "g"):
                kind = group.get("class").split()[0]
                self.assertIsNotNone(group.find(V + shapes[kind]))
                if group.get("id") is not None:
                    self.assertNotIn(group.get("id"), drawn)
                    drawn[group.get("id")] = group
            self.assertEqual(set(drawn), {key for key in sacm.elements if re.fullmatch(r"(G|S|Sn|C|A)\d+", key)}, case)
            for key, group in drawn.items():
                if key in sacm.claims:
                    self.assertEqual(group.find(f"{V}path[@class='diamond']") is not None,
                                     sacm.claims[key].get("assertionDeclaration") == "needsSupport", (case, key))
                    self.assertIn(sacm.text(sacm.claims[key]), group.findtext(V + "title"))
                    self.assertEqual("unvouched" in group.get("class").split(), sacm.tag(sacm.claims[key], "condition") is not None)

    def boxes(self, root):
        for group in root.iter(V + "g"):
            for shape in group:
                if shape.get("class") == "diamond":
                    continue
                number = {key: float(value) for key, value in shape.attrib.items() if re.fullmatch(r"-?[0-9.]+", value)}
                if shape.tag == V + "rect":
                    yield number["x"], number["y"], number["x"] + number["width"], number["y"] + number["height"]
                elif shape.tag in (V + "circle", V + "ellipse"):
                    rx, ry = number.get("rx", number.get("r")), number.get("ry", number.get("r"))
                    yield number["cx"] - rx, number["cy"] - ry, number["cx"] + rx, number["cy"] + ry
                elif shape.tag == V + "path":
                    x = [float(one) for one in re.findall(r"[MLH](-?\d+)", shape.get("d"))]
                    y = [float(one) for one in re.findall(r"(?:M|L)-?\d+ (-?\d+)", shape.get("d"))]
                    yield min(x), min(y), max(x), max(y)

    def test_layout(self):
        """Whatever is drawn lies on the page and over nothing else; lines of text are in their boxes, by the width of letters that is reckoned with."""
        for case, (_, _, svg) in self.made.items():
            root = ElementTree.fromstring(svg)
            width, height = int(root.get("width")), int(root.get("height"))
            boxes = sorted(self.boxes(root), key=lambda box: box[1])
            for i, (left, top, right, bottom) in enumerate(boxes):
                self.assertTrue(0 <= left < right <= width and 0 <= top < bottom <= height, (case, left, top, right, bottom))
                for other in boxes[i + 1:]:
                    self.assertFalse(left < other[2] and other[0] < right and top < other[3] and other[1] < bottom, (case, boxes[i], other))
            for text in root.iter(V + "text"):
                self.assertTrue(0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height)

    def test_strange_names(self):
        """Names that are long, or have what XML and paths have for themselves."""
        text = (ROOT / "examples/two-streams.xml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a &amp; b <é>'.xml"
            path.write_text(text.replace('id="resize"', 'id="' + "r" * 190 + '"'))
            report = run("analyze", "-q", "-f", "xml", path).stdout
        self.assertEqual(check_sacm(render(report, "sacm")), set())
        ElementTree.fromstring(render(report, "gsn"))

    def test_kept(self):
        report = (HERE / "case-report.xml").read_text()
        for form, name in (("sacm", "case.sacm"), ("gsn", "case.svg")):
            text = render(report, form)
            if "--update" in sys.argv:
                (HERE / name).write_text(text)
            self.assertEqual(text, (HERE / name).read_text(), f"{name}: ninja case-update, and look at it")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + [word for word in sys.argv[3:] if word != "--update"])
