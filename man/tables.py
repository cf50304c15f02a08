"""Writes a manual page from its template: a line @NAME@ becomes the list of the table NAME (the .def files under src/), and @report@ the
elements of the report's schema with what it says of them.

usage: tables.py SOURCE_ROOT TEMPLATE OUTPUT
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

UNITS = {"COUNT": "a count", "TIME": "a time", "BYTES": "a size", "FREQUENCY": "a frequency", "FACTOR": "a factor"}
TOKEN = re.compile(r'"((?:\\.|[^"\\])*)"|([A-Za-z_][A-Za-z0-9_]*|-?[0-9]+)|([(),])')


def rows(path, macro):
    """The rows of a table of macro calls, each a list of its arguments; adjacent strings are one."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    for start in re.finditer(rf"^{macro}\(", text, re.M):
        row = [""]
        for string, word, mark in TOKEN.findall(text[start.end():]):
            if mark == ")":
                break
            if mark == ",":
                row.append("")
            row[-1] += string.replace('\\"', '"') or word
        yield row


def escape(text):
    """Words for a text line of mdoc, a sentence a line."""
    text = text.replace("\\", "\\e")
    lines = re.sub(r"(?<=[.?!]) +(?=\S)", "\n", text).splitlines()
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def item(name, *texts):
    return f".It Cm {name}\n" + "\n".join(escape(text) for text in texts if text)


def listing(items):
    return ".Bl -tag -width Ds\n" + "\n".join(items) + "\n.El"


def parameters(source):
    for _, name, unit, _, least, most, *_, meaning, _ in rows(source / "model/parameters.def", "PARAMETER"):
        limits = f", at least {least}" if most == "NONE" else f", from {least} to {most}"
        yield item(name, f"{meaning[0].upper()}{meaning[1:]}; {UNITS[unit]}{limits}.")


def assumptions(source):
    for _, name, status, statement, discharge in rows(source / "model/assumptions.def", "ASSUMPTION"):
        said = "nobody vouches for it" if status == "UNSTATED" else status.lower()
        yield item(name, statement, f"Discharged by {discharge}.", f"Where the model says nothing: {said}.")


def diagnostics(source):
    for _, code, level, meaning, remedy in sorted(rows(source / "base/diagnostics.def", "DIAGNOSTIC"), key=lambda row: row[1]):
        yield item(f"{code} Pq {level.lower()}", meaning, remedy)


def bounds(source):
    for _, name, _, _, meaning, origin in rows(source / "response/bounds/bounds.def", "BOUND"):
        yield item(name, f"{meaning[0].upper()}{meaning[1:]} ({origin}).")


def rules(source):
    for _, name, unit, equation, origin in rows(source / "model/rules.def", "RULE"):
        kind = "" if unit == "ANY" else f" Pq {unit.lower()}"
        yield item(name + kind, equation, f"Source: {origin}.")


XS = "{http://www.w3.org/2001/XMLSchema}"


def documentation(node):
    """What the schema says of a node, "" where nothing."""
    found = node.find(f"{XS}annotation/{XS}documentation") if node is not None else None
    return found.text.strip() if found is not None else ""


def attributes(node):
    """The attributes of a complex type, or of the extension in it."""
    for attribute in node.iter(f"{XS}attribute"):
        said = documentation(attribute) + ("" if attribute.get("use") == "required" else " Optional.")
        yield f".It Va {attribute.get('name')}\n{escape(said.strip())}"


def element(schema, types, node, seen):
    """The item of an element, and those of the elements in it; each type once."""
    kind = types.get(node.get("type"), node.find(f"{XS}complexType"))
    if kind is None or (node.get("name"), node.get("type")) in seen:
        if kind is None and node.get("name") not in seen:
            seen.add(node.get("name"))
            yield f".It Ic {node.get('name')}\n{escape(documentation(node) or 'Text.')}"
        return
    seen.add((node.get("name"), node.get("type")))
    inside = [child for child in kind.iter(f"{XS}element")]
    text = f".It Ic {node.get('name')}\n{escape(documentation(kind) or documentation(node))}"
    if inside:
        text += "\nHolds\n.Ic " + " , ".join(dict.fromkeys(child.get("name") for child in inside)) + " ."
    own = list(attributes(kind))
    if own:
        text += "\n.Bl -tag -width Ds -compact\n" + "\n".join(own) + "\n.El"
    yield text
    for child in inside:
        yield from element(schema, types, child, seen)


def report(source):
    schema = ElementTree.parse(source.parent / "schema" / "report-1.xsd").getroot()
    types = {kind.get("name"): kind for kind in schema.findall(f"{XS}complexType")}
    yield from element(schema, types, schema.find(f"{XS}element"), set())


TABLES = {"@report@": report, "@parameters@": parameters, "@assumptions@": assumptions, "@diagnostics@": diagnostics, "@bounds@": bounds, "@rules@": rules}


def main(root, template, output):
    source = pathlib.Path(root) / "src"
    lines = pathlib.Path(template).read_text().splitlines()
    lines = [listing(TABLES[line](source)) if line in TABLES else line for line in lines]
    pathlib.Path(output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
