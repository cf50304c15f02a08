"""Writes the tables of form.h from the schemas, so that there is one place that says what a file may hold.

usage: form_tables.py OUTPUT SCHEMA...

What this file does not know of schemas it refuses, and the build with it. Two things are left out, and a file that has them is read with
its schema: elements and attributes that stand for any other, and bytes beyond ASCII in a value that has a pattern.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
import form_patterns

XS = "{http://www.w3.org/2001/XMLSchema}"
PLAIN = "xs:string"
LONG = "-?[0-9]{1,18}"  # of what xs:long allows the part that needs no comparison with its ends


def refuse(node, why):
    raise ValueError(f"{node.tag.removeprefix(XS)} {dict(node.attrib)}: {why}")


def parts_of(node):
    """The children that say something to a validator."""
    return [child for child in node if child.tag != XS + "annotation"]


def expect(node, *known):
    for name in node.attrib:
        if name not in known:
            refuse(node, f"attribute {name}")


class Text:
    """A simple type."""

    def __init__(self, values=(), pattern=None, filled=False, collapsed=False, item=None):
        self.values, self.pattern, self.filled, self.collapsed, self.item = tuple(values), pattern, filled, collapsed, item

    def key(self):
        return (self.values, self.pattern, self.filled, self.collapsed, self.item)


class Type:
    """A complex type: attributes (name, text, required), particles ([names and types], required, how often), the text of its own."""

    def __init__(self):
        self.attributes, self.particles, self.content = [], [], None


class Schema:
    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        expect(self.root, "targetNamespace", "elementFormDefault", "version")
        if self.root.get("elementFormDefault") != "qualified":
            refuse(self.root, "unqualified elements")
        self.named = {(child.tag, child.get("name")): child for child in parts_of(self.root)}
        self.types, self.texts = {}, {}
        elements = [child for child in parts_of(self.root) if child.tag == XS + "element"]
        if len(elements) != 1:
            refuse(self.root, "more than one root")
        self.vocabulary = elements[0].get("name")
        self.begin = self.type_of(elements[0])

    def find(self, kind, name, node):
        found = self.named.get((XS + kind, name))
        return found if found is not None else refuse(node, f"no {kind} {name}")

    # ---- texts

    def text(self, name, node):
        if name == PLAIN:
            return Text()
        if name == "xs:long":
            return Text(pattern=LONG, collapsed=True)
        if name not in self.texts:
            self.texts[name] = self.read_text(self.find("simpleType", name, node))
        return self.texts[name]

    def read_text(self, node):
        expect(node, "name")
        (inner,) = parts_of(node)
        if inner.tag == XS + "list":
            expect(inner, "itemType")
            item = self.text(inner.get("itemType"), inner)
            if item.values or item.pattern is None or item.item:
                refuse(inner, "a list of what has no pattern")
            return Text(pattern=item.pattern, item=item, collapsed=True)
        if inner.tag != XS + "restriction" or inner.get("base") not in (PLAIN, "xs:token"):
            refuse(inner, "a base that is no string")
        expect(inner, "base")
        return self.read_facets(inner, inner.get("base") == "xs:token")

    def read_facets(self, node, collapsed):
        facets = parts_of(node)
        kinds = {facet.tag.removeprefix(XS) for facet in facets}
        for facet in facets:
            expect(facet, "value")
        values = [facet.get("value") for facet in facets]
        if kinds == {"enumeration"}:
            return Text(values=values, collapsed=collapsed)
        if kinds == {"pattern"} and len(values) == 1:
            return Text(pattern=values[0], collapsed=collapsed)
        if kinds == {"minLength"} and values == ["1"]:
            return Text(filled=True, collapsed=collapsed)
        return Text(collapsed=collapsed) if not kinds else refuse(node, f"facets {sorted(kinds)}")

    # ---- types

    def type_of(self, element):
        expect(element, "name", "type", "minOccurs", "maxOccurs")
        name, inner = element.get("type"), parts_of(element)
        if name is None:
            (only,) = inner
            return self.read_type(only, Type())
        if inner:
            refuse(element, "a type twice")
        if (XS + "complexType", name) in self.named:
            if name not in self.types:
                self.types[name] = Type()
                self.read_type(self.named[(XS + "complexType", name)], self.types[name])
            return self.types[name]
        found = Type()
        found.content = self.content(name, element)
        return found

    def content(self, name, node):
        """What stands in an element: there the stream keeps no white space that a list or a token would lose."""
        text = self.text(name, node)
        if (text.pattern or text.values) and not text.collapsed:
            refuse(node, "an element whose white space counts")
        return text

    def read_type(self, node, found):
        expect(node, "name")
        for inner in parts_of(node):
            kind = inner.tag.removeprefix(XS)
            if kind in ("sequence", "choice"):
                found.particles += self.particles(inner)
            elif kind == "simpleContent":
                (extension,) = parts_of(inner)
                if extension.tag != XS + "extension":
                    refuse(extension, "no extension")
                expect(extension, "base")
                found.content = self.content(extension.get("base"), extension)
                found.attributes += self.attributes(parts_of(extension))
            else:
                found.attributes += self.attributes([inner])
        return found

    def attributes(self, nodes):
        for node in nodes:
            if node.tag == XS + "attributeGroup":
                expect(node, "ref")
                yield from self.attributes(parts_of(self.find("attributeGroup", node.get("ref"), node)))
            elif node.tag == XS + "attribute":
                expect(node, "name", "type", "use", "default")  # xml.h: values by default are not there
                if node.get("use", "required") != "required":
                    refuse(node, "a use")
                inner = parts_of(node)
                text = self.read_text(inner[0]) if inner else self.text(node.get("type"), node)
                if text.collapsed and not text.item and " " in (text.pattern or ""):
                    refuse(node, "spaces that a validator collapses before it looks at the pattern")
                yield node.get("name"), text, node.get("use") == "required"
            elif node.tag != XS + "anyAttribute":
                refuse(node, "no attribute")

    def occurs(self, node):
        least, most = node.get("minOccurs", "1"), node.get("maxOccurs", "1")
        if least not in ("0", "1") or not (most == "unbounded" or most.isdecimal() and int(most) > 0):
            refuse(node, "a number of times")
        return least == "1", "INT_MAX" if most == "unbounded" else most

    def choices(self, node):
        """The elements of a choice, each of which may stand there."""
        for child in parts_of(node):
            if child.tag != XS + "element" or self.occurs(child) != (True, "1"):
                refuse(child, "in a choice")
            yield child.get("name"), self.type_of(child)

    def particles(self, node):
        if node.tag == XS + "choice":
            expect(node, "minOccurs", "maxOccurs")
            return [(list(self.choices(node)), *self.occurs(node))]
        expect(node)
        found = []
        for child in parts_of(node):
            kind = child.tag.removeprefix(XS)
            if kind == "element":
                found.append(([(child.get("name"), self.type_of(child))], *self.occurs(child)))
            elif kind == "choice":
                found += self.particles(child)
            elif kind == "group":
                expect(child, "ref", "minOccurs", "maxOccurs")
                (choice,) = parts_of(self.find("group", child.get("ref"), child))
                expect(choice)
                found.append((list(self.choices(choice)), *self.occurs(child)))
            elif kind != "any" or child.get("minOccurs") != "0":
                refuse(child, "in a sequence")
        return found


# ---- writing


class Writer:
    """Each table once: by its text."""

    def __init__(self, nodes):
        self.of_byte, self.nodes = form_patterns.classes(nodes.values()), nodes
        self.lines, self.known, self.count = [], {}, 0

    def table(self, kind, body):
        if body not in self.known:
            self.known[body] = f"table_{len(self.known)}"
            self.lines.append(f"static const {kind} {self.known[body]}[] = {{{body}}};")
        return self.known[body]

    def pattern(self, pattern):
        rows = form_patterns.states(self.nodes[pattern], self.of_byte)
        if len(rows) > 256:
            raise ValueError(f"pattern {pattern!r}: {len(rows)} states")
        return self.table("unsigned char", ", ".join(str(cell) for row in rows for cell in row))

    def text(self, text):
        values = self.table("char *const", ", ".join(quote(value) for value in text.values) + ", NULL") if text.values else "NULL"
        states = self.pattern(text.pattern) if text.pattern else "NULL"
        flags = ", ".join(str(bool(flag)).lower() for flag in (text.filled, text.collapsed, text.item))
        return "&" + self.table("struct form_text", f"{{{values}, {states}, {flags}}}") + "[0]"

    def type(self, name, found, names):
        attributes = [f"{{{quote(key)}, {self.text(text)}, {str(required).lower()}}}" for key, text, required in found.attributes]
        children = [f"{{{quote(key)}, &{names[inner]}, {place}}}"
                    for place, (group, _, _) in enumerate(found.particles) for key, inner in group]
        particles = [f"{{{str(required).lower()}, {most}}}" for _, required, most in found.particles]
        required = sum(required for _, _, required in found.attributes)
        cells = [self.rows("struct form_attribute", attributes), str(len(attributes)), str(required),
                 self.rows("struct form_child", children), str(len(children)), self.rows("struct form_particle", particles),
                 str(len(particles)), self.text(found.content) if found.content else "NULL"]
        self.lines.append(f"static const struct form_type {names[found]} = {{{', '.join(cells)}}};")

    def rows(self, kind, rows):
        return self.table(kind, ", ".join(rows)) if rows else "NULL"


def quote(text):
    if not re.fullmatch(r"[ -~]*", text):
        raise ValueError(f"{text!r} is not ASCII")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def all_types(begin):
    found = [begin]
    for each in found:
        found += [inner for group, _, _ in each.particles for _, inner in group if inner not in found]
    return list(dict.fromkeys(found))


def patterns(types):
    texts = [text for each in types for _, text, _ in each.attributes] + [each.content for each in types if each.content]
    return {text.pattern: form_patterns.read(text.pattern) for text in texts if text.pattern}


def main(output, schemas):
    schemas = [Schema(path) for path in schemas]
    types = {schema.vocabulary: all_types(schema.begin) for schema in schemas}
    nodes = {}
    for each in types.values():
        nodes.update(patterns(each))
    writer = Writer(nodes)
    names = {found: f"{vocabulary}_{index}" for vocabulary, group in types.items() for index, found in enumerate(group)}
    head = ["/* Written by form_tables.py from the schemas. */", '#include "input/form.h"', "", "#include <limits.h>", "#include <stddef.h>", ""]
    head += [f"static const struct form_type {name};" for name in names.values()]
    for group in types.values():
        for found in group:
            writer.type(names[found], found, names)
    head += [f"const int form_classes = {max(writer.of_byte) + 1};",
             f"const unsigned char form_class_of[256] = {{{', '.join(map(str, writer.of_byte))}}};"]
    tail = [f"\t{{\"{schema.vocabulary}\", &{names[schema.begin]}}}," for schema in schemas]
    text = "\n".join(head + writer.lines + ["const struct form forms[] = {"] + tail + ["\t{NULL, NULL},", "};", ""])
    pathlib.Path(output).write_text(text)


main(sys.argv[1], sys.argv[2:])
