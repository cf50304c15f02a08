"""Whatever sources, manual, tables and reports cite of the theory is there, on a page of doc/theory/ that is installed with the program.

- a citation is a name in brackets, as [SER]; each has one anchor, a heading "## NAME: ..." of a page of doc/theory/
- no source, manual page, schema, model, example, test or report cites the documents of before, by file and section number
- each rule and each bound cites something, each bound and each assumption has an anchor of its name
- each anchor stands in the index, doc/theory/README.md, with its page; it is cited outside of doc/theory/, or stands there under "Background"
- equations that are cited by number stand on a page
- files, functions, rules, plants and tests that a page names exist; the links at the end of each page are those of its citations

usage: citations.py SOURCE_ROOT [BUILD_ROOT] [--links]       --links: write the links anew
"""
import json
import pathlib
import re
import sys

ARGUMENTS = [argument for argument in sys.argv[1:] if argument != "--links"]
ROOT = pathlib.Path(ARGUMENTS[0])
PAGES = ROOT / "doc/theory"
NAME = r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*(?:\(g\))?"
ANCHOR = re.compile(rf"^## ({NAME})(?::.*)?$", re.M)
# Not an index of an array, not a designated initializer, not a link's definition, not a link with a text of its own.
CITATION = re.compile(rf"(?<![\w\])}}\\^])\[({NAME})\](?!\s*=|\()")
QUOTED = re.compile(rf"\[({NAME})\](?!\()")
OLD = re.compile(r"(?<![\w-])(?:docs?/)?(?:theory|theory-review|hardware|placement-rules|product)\.md|(?<![\w/-])silicon\.md")
EQUATION = re.compile(r"\((?:[5-9]\.\d|[VC]\.\d)\)")
# Brackets that are no citations: classes of characters, and what may be left out where a command is called.
OTHER = {"A-Z", "A-F", "A-Z0-9", "CDATA", "PLANT", "OPTIONS", "OPTION", "FILE", "COMMAND", "NAME", "BUILD", "COUNT", "FOLDER", "SERVE", "EXPECTED",
         "TASKSET", "SM"}
REGISTER = re.compile(r"U?R\d+")  # of a GPU, in disassembled code
FOLDERS = ("src", "man", "schema", "include", "models", "examples", "bench", "probe", "scripts", "completion", "tests")
SUFFIXES = {".c", ".h", ".def", ".py", ".xml", ".xsd", ".xsl", ".in", ".report", ".txt", ".csv", ".md", ".cu", ".sh", ".build", ".expected",
            ".1", ".5", ".7"}
# Where the old names may stand: where they are explained, and what looks for them; and in what was recorded, or forged (corpus, attacks).
EXEMPT = {"tests/citations.py", "doc/theory/old-names.md"}
BIBLIOGRAPHY = {"given", "sum"}  # rules that need none


def texts(folders=FOLDERS):
    """The files whose citations count, with their texts."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.is_file() and path.suffix in SUFFIXES and name not in EXEMPT and "/corpus/" not in name and "tests/attacks/" not in name:
                yield name, path.read_text(errors="replace")
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("doc/*.md")]):
        yield str(path.relative_to(ROOT)), path.read_text()


def line_of(text, position):
    return text.count("\n", 0, position) + 1


class Theory:
    """The pages with their anchors and their index."""

    def __init__(self):
        self.pages = {path.name: path.read_text() for path in sorted(PAGES.glob("*.md"))}
        self.problems = []
        self.anchors = {}
        self.slugs = {}
        for page, text in self.pages.items():
            for heading in ANCHOR.finditer(text):
                if heading[1] in self.anchors:
                    self.problems.append(f"doc/theory/{page}: [{heading[1]}] has an anchor on {self.anchors[heading[1]]}, too")
                self.anchors[heading[1]] = page
                self.slugs[heading[1]] = slug(heading[0][3:])
        index, _, background = self.pages["README.md"].partition("\n## Background")
        self.index = dict(re.findall(rf"^\| \[({NAME})\] \| \[([\w.-]+)\]\([\w.-]+\) \|", index + background, re.M))
        self.background = set(re.findall(rf"^\| \[({NAME})\] \|", background, re.M))

    def say(self, *words):
        self.problems.append(" ".join(words))


def slug(heading):
    """The fragment that renderers of Markdown make of a heading."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


def check_old_and_new(theory):
    """The first two rules, and the names that are cited outside of the pages."""
    cited, equations = set(), {}
    for name, text in texts():
        for found in OLD.finditer(text):
            if name.startswith("doc/") and found[0] == "silicon.md":  # the page beside it
                continue
            theory.say(f"{name}:{line_of(text, found.start())}: a citation of before: {found[0]}")
        for found in CITATION.finditer(text):
            line = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
            if found[1] in theory.anchors:
                cited.add(found[1])
            elif found[1] not in OTHER and not REGISTER.fullmatch(found[1]) and "usage" not in line.lower():
                theory.say(f"{name}:{line_of(text, found.start())}: [{found[1]}] has no anchor in doc/theory/")
        if name.startswith("src/"):
            for found in EQUATION.finditer(text):
                equations.setdefault(found[0], f"{name}:{line_of(text, found.start())}")
    everything = "\n".join(theory.pages.values())
    for equation, where in sorted(equations.items()):
        if equation not in everything:
            theory.say(f"{where}: equation {equation} is on no page of doc/theory/")
    return cited


def rows(path, macro):
    """The strings of each MACRO(...) of a table."""
    for row in re.finditer(rf"^{macro}\((.*)\)$", (ROOT / path).read_text(), re.M):
        yield re.findall(r'"((?:[^"\\]|\\.)*)"', row[1])


def check_tables(theory):
    """Rules, bounds, assumptions."""
    for strings in rows("src/model/rules.def", "RULE"):
        if strings[0] not in BIBLIOGRAPHY and not CITATION.search(strings[-1]):
            theory.say(f"src/model/rules.def: rule {strings[0]} cites no claim: {strings[-1]}")
    for strings in rows("src/response/bounds/bounds.def", "BOUND"):
        if f"[{strings[0]}]" not in strings[-1] or strings[0] not in theory.anchors:
            theory.say(f"src/response/bounds/bounds.def: bound {strings[0]} has no anchor, or does not cite it")
    ids = {strings[0] for strings in rows("src/model/assumptions.def", "ASSUMPTION")}
    for name in sorted(ids - theory.anchors.keys()):
        theory.say(f"src/model/assumptions.def: {name} has no anchor on doc/theory/assumptions.md")
    for name, page in theory.anchors.items():
        if page == "assumptions.md" and name.startswith("A-") and name not in ids:
            theory.say(f"doc/theory/{page}: {name} is no assumption of src/model/assumptions.def")
    return ids | {strings[0] for strings in rows("src/response/bounds/bounds.def", "BOUND")}


def check_index(theory, cited):
    for name, page in theory.anchors.items():
        if theory.index.get(name) != page and page != "README.md":
            theory.say(f"doc/theory/README.md: the index has no row for [{name}] of {page}")
        if name not in cited and name not in theory.background:
            theory.say(f"doc/theory/{page}: nobody cites [{name}], and it does not stand under Background")
    for name in theory.index.keys() - theory.anchors.keys():
        theory.say(f"doc/theory/README.md: the index has [{name}], no page does")


def known_tests():
    """Names of tests of the build; None without one, or where it leaves some out: without hooks, or with sanitizers."""
    info = pathlib.Path(ARGUMENTS[1]) / "meson-info" if len(ARGUMENTS) > 1 else None
    if info is None or not (info / "intro-tests.json").exists():
        return None
    options = {option["name"]: option["value"] for option in json.loads((info / "intro-buildoptions.json").read_text())}
    if not options["testing"] or options["b_sanitize"] != "none":
        return None
    return {test["name"] for test in json.loads((info / "intro-tests.json").read_text())}


def matches(pattern, names):
    return any(re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), name) for name in names)


def fields_of(text, label):
    """What stands behind *Label:* up to the next such label or the end of the paragraph."""
    for found in re.finditer(rf"\*{label}:\*(.*?)(?=\*[A-Z][\w ,]*:\*|\n\n|\Z)", text, re.S):
        yield found[1]


def check_names(theory):
    """Files, functions, rules, plants and tests that pages name."""
    rules = {strings[0] for strings in rows("src/model/rules.def", "RULE")}
    plants = {strings[0] for strings in rows("src/base/plants.def", "PLANT")}
    tests = known_tests()
    for page, text in theory.pages.items():
        if page in ("old-names.md",):
            continue
        for path in set(re.findall(r"`((?:src|tests|examples|models|doc|schema|scripts|probe)/[\w./*-]+)`", text)):
            if not list(ROOT.glob(path.rstrip("/"))):
                theory.say(f"doc/theory/{page}: there is no {path}")
        for names, path in re.findall(r"((?:`\w+`(?:,| and)? )+)in `(src/[\w/]+\.[ch])`", text):
            code = (ROOT / path).read_text() if (ROOT / path).exists() else ""
            for name in re.findall(r"`(\w+)`", names):
                if not re.search(rf"\b{name}\b", code):
                    theory.say(f"doc/theory/{page}: there is no {name} in {path}")
        for field, known, what in [("Rules", rules, "rule"), ("Plants", plants, "plant"), ("Plant", plants, "plant")]:
            for names in fields_of(text, field):
                for name in re.findall(r"`([\w*-]+)`", names):
                    if not matches(name, known):
                        theory.say(f"doc/theory/{page}: there is no {what} {name}")
        for names in fields_of(text, "Tests") if tests is not None else ():
            for name in re.findall(r"`([\w*-]+)`", names):
                if not matches(name, tests):
                    theory.say(f"doc/theory/{page}: there is no test {name}")


def check_architecture(theory):
    """Files and functions that doc/architecture.md names; those without a folder are in that of the last path of their sentence."""
    text = (ROOT / "doc" / "architecture.md").read_text()
    code = "".join(path.read_text() for path in ROOT.glob("src/**/*.[ch]"))
    for path in set(re.findall(r"`((?:src|tests|examples|models|doc|schema|scripts|probe|man|include)/[\w./*-]+)`", text)):
        if not list(ROOT.glob(re.sub(r"[A-Z]{4,}", "*", path).rstrip("/"))):
            theory.say(f"doc/architecture.md: there is no {path}")
    for name in set(re.findall(r"`([\w/]+\.(?:c|h|def))`", text)):
        if "/" in name and (ROOT / name).exists():
            continue
        if not list(ROOT.glob("src/**/" + re.sub(r"[A-Z]{4,}", "*", name.removeprefix("src/")))):
            theory.say(f"doc/architecture.md: there is no file {name}")
    for name in set(re.findall(r"`([a-z]\w*_\w+)`", text)):
        if not re.search(r"\b" + re.sub(r"[A-Z]{4,}", r"\\w+", name) + r"\b", code):
            theory.say(f"doc/architecture.md: there is no {name} in src")


def links(theory, page):
    """The page with the links of its citations at its end."""
    body = re.sub(rf"\n*(?:^\[{NAME}\]: \S+\n)+\Z", "\n", theory.pages[page], flags=re.M).rstrip("\n") + "\n"
    names = sorted({name for name in QUOTED.findall(body) if name in theory.anchors})
    lines = [f"[{name}]: {'' if theory.anchors[name] == page else theory.anchors[name]}#{theory.slugs[name]}\n" for name in names]
    return body + ("\n" + "".join(lines) if lines else "")


def check_links(theory):
    for page in theory.pages:
        text = links(theory, page)
        for name in QUOTED.findall(text):
            if name not in theory.anchors and name not in OTHER:
                theory.say(f"doc/theory/{page}: [{name}] has no anchor")
        if text != theory.pages[page]:
            theory.say(f"doc/theory/{page}: its links are not those of its citations: python3 tests/citations.py . --links")


def check_installed(theory):
    if not re.search(r"install_subdir\('doc/theory'", (ROOT / "meson.build").read_text()):
        theory.say("meson.build: doc/theory is not installed")


def main():
    theory = Theory()
    if "--links" in sys.argv:
        for page in theory.pages:
            (PAGES / page).write_text(links(theory, page))
        return 0
    cited = check_old_and_new(theory)
    named = check_tables(theory)
    check_index(theory, cited | named)
    check_names(theory)
    check_architecture(theory)
    check_links(theory)
    check_installed(theory)
    for problem in theory.problems:
        print(problem)
    print(f"{len(theory.anchors)} claims on {len(theory.pages)} pages, {len(cited)} of them cited, {len(theory.problems)} problems")
    return 1 if theory.problems else 0


sys.exit(main())
