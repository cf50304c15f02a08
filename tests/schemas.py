"""The names that the schemas enumerate are those of the program's tables: a name in one and not in the other is an error. What parameters
and assumptions are is written from the tables into the schemas, word for word.

usage: schemas.py SOURCE_ROOT [--update]   (--update writes those anew: ninja schema-update)
"""
import itertools
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree
import xml.sax.saxutils as saxutils

ROOT = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "man"))
from tables import UNITS, rows

XS = "{http://www.w3.org/2001/XMLSchema}"
MODEL = ROOT / "src" / "model"

# Lists of words that the program compares or writes one by one: the files of src that do, with what stands around a word there, and the words that no
# file names because the program takes the rest for them.
COMPARED = {
    "freedom-word": ([("advise/space.c", r'strcmp\(said->value, "([^"]+)"\)')], {"fixed"}),
    "launch": ([("input/refuse.c", r'\{"kernel", "launch", "([^"]+)"'), ("input/read_operation.c", r'strcmp\(launch, "([^"]+)"\)')], {"host"}),
    "mps": ([("input/refuse.c", r'\{"taskset", "mps", "([^"]+)"'), ("input/read_taskset.c", r'strcmp\(mps, "([^"]+)"\)')], {"off"}),
    "best-effort-contexts": ([("input/read_taskset.c", r'strcmp\(best_effort [^,]*, "([^"]+)"\)')], {"one"}),
    "direction of frame-1.xsd": ([("input/read_frame.c", r'strcmp\(direction, "([^"]+)"\)')], {"horizontal"}),
    "input-role": ([("report/xml_inputs.c", r'add_input\(\s*&x->xml, "([^"]+)"')], set()),
    "unit": ([("model/rules.c", r'"([^"\n]+)"(?=(?:, "[^"\n]+")*\};\n\treturn names\[unit\])'), ("base/units.c", r'\[UNIT_\w+\] = \{"[^"]*", "([^"]+)"\}')], set()),
}
# The program leaves these to readers; the shipped models use each, and no other.
READ_BY_PEOPLE = {"source-kind": ("models/*.xml", r'<source\b[^>]* kind="([^"]+)"')}


def enumerations(path):
    """Simple type -> its enumerated values, in order; one without a name has that of the element or attribute around it."""
    tree = ElementTree.parse(path)
    around = {simple: parent for parent in tree.iter() for simple in parent.findall(XS + "simpleType")}
    types = {}
    for simple in tree.iter(XS + "simpleType"):
        values = [entry.get("value") for entry in simple.iter(XS + "enumeration")]
        kind = simple.get("name") or around[simple].get("name")
        if values:
            assert kind not in types, f"{path}: two types {kind}"
            types[kind] = values
    return types


def names(path, array):
    """The strings of a C array of names."""
    body = re.search(re.escape(array) + r"\[\] = \{(.*?)\}", (ROOT / "src" / path).read_text(), re.S).group(1)
    return re.findall(r'"([^"]+)"', body)


def parameters():
    for _, name, unit, *_, meaning, _ in rows(MODEL / "parameters.def", "PARAMETER"):
        yield name, f"{meaning}; {UNITS[unit]}"


def assumptions():
    for _, name, _, statement, _ in rows(MODEL / "assumptions.def", "ASSUMPTION"):
        yield name, statement


def choices(directions):
    """What a task set may declare beside numbers."""
    for direction in directions:
        yield f"engine.{direction}", f"which copy engine serves {direction}: its number, or compute"
    yield "copy-runlist", "own, shared or unknown"
    yield "preemption", "block, instruction or unknown"
    yield "concurrent-kernels", "yes, no or unknown"
    yield "per-sm-carveout", "yes, no or unknown"


def written():
    """The lists that are written from the tables: file, type, names and what they are."""
    directions = names("model/platform.c", "direction_names")
    yield "platform-1.xsd", "parameter", list(parameters())
    yield "platform-1.xsd", "assumption-id", list(assumptions())
    yield "taskset-1.xsd", "declared-name", [*parameters(), *choices(directions)]
    yield "taskset-1.xsd", "assumption-id", list(assumptions())
    yield "frame-1.xsd", "declared-name", [row for row in parameters() if row[0].startswith("raster.")]


def expectations():
    """The lists that are only held against the tables: file, and the names of each type."""
    platform, taskset = "model/platform.c", "model/taskset.c"
    directions = names(platform, "direction_names")
    every_status = names(platform, "status_names")
    common = {
        "boolean": ["true", "false"],
        "unit-of": names("input/numbers.c", "per_names"),
        "victim": names(platform, "access_names") + ["transfer"],
        "interferer": names(platform, "interferer_names"),
        "origin-kind": names(taskset, "origin_names"),
        "chain-kind": names(taskset, "end_to_end_names"),
        "handover": names(taskset, "handover_names"),
        "overflow": names(taskset, "overflow_names"),
        "scope": names(taskset, "scope_names"),
        "composition": names("report/wcet_xml.c", "composition_words"),
    }
    yield "platform-1.xsd", common | {
        "assumption-status": [name for name in every_status if name not in ("unstated", "conditional")],
        "placement-policy": names(platform, "placement_names"),
        "copy-runlist": names(platform, "copy_runlist_names"),
        "preemption": names(platform, "preemption_names"),
        "ternary": names(platform, "ternary_names"),
        "direction": directions,
        "composition": names(platform, "composition_names"),
    }
    yield "program-1.xsd", common | {
        "class": [row[1] for row in rows(MODEL / "instruction_classes.def", "INSTRUCTION_CLASS")],
        "unlisted": names("input/read_program.c", "unlisted_names"),
        "slots": names("input/read_program.c", "slots_names"),
        "relation": names("input/read_program.c", "relation_names"),
        "served-from": names("input/sass_opcodes.c", "served_names"),
    }
    yield "frame-1.xsd", common | {"primitive": [name for name in names("model/frame.c", "primitive_names") if name != "triangle"]}
    yield "taskset-1.xsd", common | {
        "copy-direction": [name for name in directions if name != "memset"],
        "access": names(platform, "access_names"),
        "stream-kind": names(taskset, "stream_names"),
        "interleave": names(taskset, "interleave_names"),
        "partition-kind": names(taskset, "partition_names"),
        "arrival-kind": names(taskset, "arrival_names"),
        "cache": names(taskset, "cache_names"),
        "kernel-memory": names(taskset, "kernel_memory_names"),
        "lock-protocol": names(taskset, "lock_names"),
    }
    yield "report-1.xsd", common | {
        "assumption-status": every_status,
        "verdict": names("response/response.c", "verdict_names"),
        "operation-kind": names(taskset, "operation_names"),
        "resource-name": names("map/occupancy.c", "resource_names"),
        "level": re.findall(r'\[LEVEL_\w+\] = \{"(\w+)"', (ROOT / "src/base/diagnostics.c").read_text()),
    }
    yield "wcet-1.xsd", common | {"solver": names("report/wcet_xml.c", "status_names")}


def rewrite(text, kind, entries):
    """The schema's text with the enumeration of a type as the table has it."""
    lines = "".join(f'\t\t\t<xs:enumeration value="{name}"><xs:annotation><xs:documentation>{saxutils.escape(said)}'
                    "</xs:documentation></xs:annotation></xs:enumeration>\n" for name, said in entries)
    found = re.search(rf'<xs:simpleType name="{kind}">.*?<xs:restriction [^>]*>\n(.*?)\t\t</xs:restriction>', text, re.S)
    return text[:found.start(1)] + lines + text[found.end(1):]


def hold_written(update):
    failures = 0
    for file, kind, entries in written():
        path = ROOT / "schema" / file
        text = path.read_text()
        wanted = rewrite(text, kind, entries)
        if update:
            path.write_text(wanted)
        elif wanted != text:
            failures += 1
            line = next(a for a, b in zip(wanted.splitlines() + [""], text.splitlines() + [""]) if a != b)
            print(f"{file}: type {kind} is not as the table has it; ninja schema-update writes\n{line}")
    return failures


def hold_compared(file, kind, found, sources, rest):
    wanted = rest.union(*(re.findall(pattern, (ROOT / "src" / source).read_text()) for source, pattern in sources))
    if wanted != set(found):
        print(f"{file}: type {kind}: {found}; {[source for source, _ in sources]} have {sorted(wanted)}")
    return wanted != set(found)


def hold_used(file, kind, found, files, pattern):
    used = {word for path in ROOT.glob(files) for word in re.findall(pattern, path.read_text())}
    if used != set(found):
        print(f"{file}: type {kind}: {found}; {files} use {sorted(used)}")
    return used != set(found)


def hold_names():
    failures = 0
    of_table, flags, held = {(file, kind) for file, kind, _ in written()}, set(of_flags()), dict(expectations())
    for file in {path.name for path in (ROOT / "schema").glob("*.xsd")} ^ set(held):
        print(f"{file}: a schema that is not held against the tables, or is not there")
        failures += 1
    for file, expected in held.items():
        for kind, found in enumerations(ROOT / "schema" / file).items():
            if (file, kind) in of_table or (file, kind) in flags:
                continue
            compared = COMPARED.get(f"{kind} of {file}", COMPARED.get(kind)) if kind not in expected else None
            if compared is not None:
                failures += hold_compared(file, kind, found, *compared)
                continue
            if kind in READ_BY_PEOPLE:
                failures += hold_used(file, kind, found, *READ_BY_PEOPLE[kind])
                continue
            wanted = expected.get(kind)
            if wanted is None or sorted(found) != sorted(wanted):
                print(f"{file}: type {kind}: {found}; the table has {wanted}")
                failures += 1
    return failures


# ---- attributes of task sets and platform models

# Rows of vocabulary.def that are of several elements of the schema.
ROWS_OF = {"kernel": ("operation", "work", "kernel"), "sequence": ("operation", "work", "sequence"), "copy": ("operation", "work", "transfer"), "memset": ("operation", "work", "transfer"),
           "host": ("operation", "work", "host"), "fragment": ("operation", "work", "fragment"), "wait": ("operation",), "record": ("operation",), "arrival-curve": ("arrival_curve",)}
OF_FILE = {"taskset-1.xsd": {"declare", "assume", "interference"}, "platform-1.xsd": set()}  # in a task set, of the platform: input/declare.c
TYPES = {"TIME": {"time"}, "BYTES": {"size"}, "FREQUENCY": {"frequency"}, "COUNT": {"count", "positive", "percent"}}


def attribute_rows():
    """Element -> attribute -> the row's macro and what stands behind the name."""
    found = {}
    for macro in ("TEXT", "NUMBER", "LEVEL", "CHOICE", "FLAG", "FACTOR", "EXTENTS", "BY_HAND"):
        for element, *row in rows(MODEL / "vocabulary.def", macro):
            row = row if macro == "BY_HAND" else row[1:]
            found.setdefault(element, {})[row[0]] = (macro, row[1:])
    return found


def hold_order():
    """Rows of an element stand together, in the order of enum element_kind, in which attribute_rows_of looks for them."""
    wanted = re.findall(r"ELEMENT_([a-z]+)", (MODEL / "vocabulary.h").read_text())
    macros = re.findall(r"^(?!BY_HAND)[A-Z]+\((\w+),", (MODEL / "vocabulary.def").read_text(), re.M)
    found = [name for name, _ in itertools.groupby(macros)]
    if found != wanted:
        print(f"vocabulary.def: rows of {found}; enum element_kind has {wanted}")
    return found != wanted


def schema_attributes(tree):
    """Each element with its attributes; an element has them in its type or in itself."""
    named = {node.get("name"): node for kind in ("complexType", "attributeGroup") for node in tree.findall(XS + kind)}

    def of(node):
        for child in node:
            if child.tag == XS + "attribute":
                yield child
            elif child.tag == XS + "attributeGroup":
                yield from of(named[child.get("ref")])
            elif child.tag in (XS + "simpleContent", XS + "complexContent", XS + "extension"):
                yield from of(child)

    for element in tree.iter(XS + "element"):
        kind = named.get(element.get("type"), element.find(XS + "complexType"))
        if element.get("name") is not None and kind is not None:
            yield element.get("name"), list(of(kind))


def of_flags():
    """Files and types of attributes that are a flag of the model: hold_attributes looks at their words."""
    table = attribute_rows()
    for file in OF_FILE:
        for element, attributes in schema_attributes(ElementTree.parse(ROOT / "schema" / file).getroot()):
            for attribute in attributes:
                macros = [table[place][attribute.get("name")][0] for place in ROWS_OF.get(element, (element,)) if attribute.get("name") in table.get(place, {})]
                if "FLAG" in macros:
                    yield file, attribute.get("type")


def refused(element, name):
    """Words that a file may say and that are refused by a code of their own."""
    text = (ROOT / "src/input/refuse.c").read_text()
    return set(re.findall(rf'\{{"{element}", "{name}", "([^"]+)"', text))


def fits(tree, element, attribute, macro, row):
    """Is the attribute's type the row's unit, and its default what the row takes an absent one for?"""
    kind = attribute.get("type")
    if macro == "NUMBER":
        return kind in TYPES[row[1]]
    if macro == "FLAG":
        words = [entry.get("value") for entry in tree.find(f"{XS}simpleType[@name='{kind}']").iter(XS + "enumeration")]
        return {row[1], row[2]} | refused(element, attribute.get("name")) == set(words) and attribute.get("default", row[1]) == row[1]
    return True


def hold_attributes():
    """An attribute of the schemas has a row, a row an attribute of its element."""
    table, failures, used = attribute_rows(), 0, set()
    for file, declarations in OF_FILE.items():
        tree = ElementTree.parse(ROOT / "schema" / file).getroot()
        for element, attributes in schema_attributes(tree):
            if element in declarations:
                continue
            for attribute in attributes:
                name = attribute.get("name")
                places = [place for place in ROWS_OF.get(element, (element,)) if name in table.get(place, {})]
                used |= {(place, name) for place in places}
                if len(places) != 1 or not fits(tree, element, attribute, *table[places[0]][name]):
                    print(f"{file}: <{element} {name}>: {len(places)} rows in vocabulary.def, expected one of its type")
                    failures += 1
    for place, name in sorted({(place, name) for place, names in table.items() for name in names} - used):
        print(f"vocabulary.def: {place} {name}: in no schema")
        failures += 1
    return failures


sys.exit(1 if hold_written("--update" in sys.argv[2:]) + hold_names() + hold_attributes() + hold_order() else 0)
