"""A schema that is reduced to what one file needs accepts the file if and only if the whole one does (src/input/schema_reduce.h).

- all examples, models and refused inputs, and what a reader could have written instead: elements and attributes that are renamed, repeated, left out,
  or that have other values, with names and values that the schema has, some thousands of each vocabulary
- where all that an element may contain is left out, white space may still stand there
- of a small file most of the schema goes, as that is what it is for
- each schema as a whole is in the form in which definitions are found, and no wildcard lets pass what is declared beside it

usage: schema_reduce.py REDUCE SOURCE_ROOT COUNT
"""
import collections
import copy
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

REDUCE, ROOT, COUNT = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
XS = "{http://www.w3.org/2001/XMLSchema}"
SMALL = 16384


def schema(vocabulary):
    return re.sub(r"<xs:annotation>.*?</xs:annotation>", "", (ROOT / "schema" / f"{vocabulary}-1.xsd").read_text(), flags=re.S)


def files():
    """{vocabulary: [text]} of what is in the tree and small."""
    found = collections.defaultdict(list)
    for path in sorted([*ROOT.glob("examples/**/*.xml"), *ROOT.glob("models/*.xml"), *ROOT.glob("tests/reject/*.xml")]):
        bytes_ = path.read_bytes()
        match = re.search(rb"urn:gpubound:(\w+):1", bytes_)
        if match and len(bytes_) <= SMALL:
            found[match.group(1).decode()].append(bytes_)
    return found


class Words:
    def __init__(self, text):
        tree = ElementTree.fromstring(text)
        self.elements, self.attributes = ([one.get("name") for one in tree.iter(XS + kind) if one.get("name")] for kind in ("element", "attribute"))
        self.values = [one.get("value") for one in tree.iter(XS + "enumeration")] + ["", "0", "1", "x", "-1", "1.5", "1ms", "4 KiB", "2/3", "true", "a b"]


def change(draw, root, words):
    """One change of a tree."""
    parents = [(parent, at) for parent in root.iter() for at in range(len(parent))]
    parent, at = draw.choice(parents) if parents else (None, 0)
    node = draw.choice(list(root.iter()))
    space = root.tag.partition("}")[0] + "}" if "}" in root.tag else ""
    kind = draw.randrange(8)
    if kind == 0 and node.attrib:
        del node.attrib[draw.choice(sorted(node.attrib))]
    elif kind == 1 and node.attrib:
        node.set(draw.choice(words.attributes), node.attrib.pop(draw.choice(sorted(node.attrib))))
    elif kind == 2 and node.attrib:
        node.set(draw.choice(sorted(node.attrib)), draw.choice(words.values))
    elif kind == 3:
        node.set(draw.choice(words.attributes), draw.choice(words.values))
    elif kind == 4:
        node.tag = space + draw.choice(words.elements)
    elif kind == 5 and parent is not None:
        parent.insert(draw.randrange(len(parent) + 1), copy.deepcopy(parent[at]))
    elif kind == 6 and parent is not None:
        del parent[at]
    elif kind == 7:
        node.insert(draw.randrange(len(node) + 1), ElementTree.Element(space + draw.choice(words.elements)))


def variants(draw, texts, words, count):
    trees = []
    for text in texts:
        try:
            trees.append(ElementTree.fromstring(text))
        except ElementTree.ParseError:
            continue
    for _ in range(count):
        tree = copy.deepcopy(draw.choice(trees))
        for _ in range(draw.choice((1, 1, 1, 2, 3))):
            change(draw, tree, words)
        yield ElementTree.tostring(tree)


def tried(vocabulary, texts):
    """For each text: whether the whole schema and the reduced one accept it ("-": refused before), and how long the reduced one is."""
    with tempfile.NamedTemporaryFile("w", suffix=".xsd") as file:
        file.write(schema(vocabulary))
        file.flush()
        result = subprocess.run([REDUCE, vocabulary, file.name], input=b"".join(b"%d\n%s" % (len(text), text) for text in texts), capture_output=True, check=True)
    return [line.split() for line in result.stdout.decode().splitlines()]


class Reduced(unittest.TestCase):
    def agree(self, vocabulary, texts):
        seen = collections.Counter()
        results = tried(vocabulary, texts)
        self.assertEqual(len(results), len(texts))
        for text, (whole, reduced, _) in zip(texts, results):
            self.assertEqual(whole, reduced, text.decode(errors="replace")[:4000])
            seen[whole] += 1
        return seen

    def test_as_they_are(self):
        for vocabulary, texts in files().items():
            self.assertGreater(self.agree(vocabulary, texts)["1"], 0, vocabulary)

    def test_changed(self):
        draw = random.Random(1)
        for vocabulary, texts in files().items():
            ElementTree.register_namespace("", f"urn:gpubound:{vocabulary}:1")
            seen = self.agree(vocabulary, list(variants(draw, texts, Words(schema(vocabulary)), COUNT)))
            self.assertGreater(seen["1"], COUNT / 20, vocabulary)
            self.assertGreater(seen["0"], COUNT / 4, vocabulary)

    def test_smaller(self):
        example = (ROOT / "examples" / "two-streams.xml").read_bytes()
        (whole, reduced, left), = tried("taskset", [example])
        self.assertEqual((whole, reduced), ("1", "1"))
        self.assertLess(int(left), len(schema("taskset")) / 4)

    def test_no_way_of_a_choice(self):
        text = re.sub(rb"<!--.*?-->|<kernel[^>]*>", b"", (ROOT / "examples" / "two-streams.xml").read_bytes(), flags=re.S)
        self.assertNotIn(b"<kernel", text)
        self.assertEqual(self.agree("taskset", [text]), {"0": 1})

    def test_white_space_alone(self):
        text = (ROOT / "examples" / "two-streams.xml").read_bytes()
        blank, count = re.subn(rb"(<kernel[^>]*[^>/])/?>(\s*</kernel>)?", rb"\1>\n\t</kernel>", text)
        self.assertGreater(count, 0)
        self.assertEqual(self.agree("taskset", [blank]), {"1": 1})

    def test_form(self):
        for path in (ROOT / "schema").glob("*.xsd"):
            text = schema(path.name.removesuffix("-1.xsd"))
            definitions = [one for one in ElementTree.fromstring(text) if one.tag.startswith(XS)]
            self.assertEqual(len(re.findall(r'^\t<xs:\w+ name="', text, re.M)), len(definitions), path.name)
            self.assertNotRegex(re.sub(r'"[^"]*"|<!--.*?-->', "", text, flags=re.S), "'", path.name)
            self.assertNotRegex(text, r'\w\s+=|=\s+"', path.name)
            for one in ElementTree.fromstring(text).iter(XS + "complexType"):
                wild = [each.get("namespace") for kind in ("any", "anyAttribute") for each in one.iter(XS + kind)]
                named = any(each.get("name") for kind in ("element", "attribute") for each in one.iter(XS + kind))
                self.assertFalse(named and ("##any" in wild or None in wild), path.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
