"""The manual: mandoc has nothing to complain about, and nothing is without its page.

- mandoc -T lint -W warning is silent on every page
- every command of src/cli/commands.def has its page
- every diagnostic, parameter, assumption, rule and bound has its item in the page that lists it
- every element, attribute and value of a schema occurs in the page of its format
- commands to be typed in are no wider than a terminal: what man(1) breaks, a shell takes for two
- the options of every command's --help and of its page are the same
- every page that .Xr names exists, and the manual as HTML (manual.py) is whole

usage: man.py SOURCE_ROOT BUILD_ROOT
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from source_tables import source_tables

ROOT, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
XS = "{http://www.w3.org/2001/XMLSchema}"
LISTS = [("base/diagnostics.def", "DIAGNOSTIC", "gpubound-diagnostics.7"), ("model/parameters.def", "PARAMETER", "gpubound-platform.5"),
         ("model/assumptions.def", "ASSUMPTION", "gpubound-machine.7"), ("response/bounds/bounds.def", "BOUND", "gpubound-machine.7"),
         ("model/rules.def", "RULE", "gpubound-report.5")]


def pages():
    found = {}
    for folder in (ROOT / "man", BUILD / "man"):
        found.update({path.name: path for path in folder.glob("*.[1-8]")})
    return found


PAGES = pages()


def words(page):
    """What a reader can find in a page: its text without macros and punctuation that mdoc adds."""
    lines = PAGES[page].read_text().splitlines()
    return set(re.findall(r"[^\s,;]+", "\n".join(line for line in lines if not line.startswith('.\\"')).replace("\\&", "")))


def items(page):
    """What a page has an item about."""
    return set(re.findall(r"^\.It Cm (\S+)", PAGES[page].read_text(), re.M))


def lacking(table, found):
    """The rows of a table that the page has no item about."""
    return [row[1] for row in table if row[1] not in found]


def schema_names(path):
    for node in ElementTree.parse(path).iter():
        if node.tag in (XS + "element", XS + "attribute") and node.get("name"):
            yield node.get("name")


def help_of(command):
    return subprocess.run([BUILD / "gpubound", "help", command], capture_output=True, text=True, check=True).stdout


def options_of_help(text):
    return set(re.findall(r"^  (?:-\w, |    )--([a-z-]+)|", text, re.M)) - {""} | set(re.findall(r"^  -(\w), --", text, re.M))


def options_of_page(page):
    items = "\n".join(line for line in PAGES[page].read_text().splitlines() if line.startswith(".It Fl "))
    return set(re.findall(r"Fl -([a-z-]+)", items)) | set(re.findall(r"Fl (\w)\b", items))


class Manual(unittest.TestCase):
    def test_lint(self):
        self.assertGreater(len(PAGES), 3)
        for page in sorted(PAGES.values()):
            result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(page)], capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""), page)

    def test_howto(self):
        """Every listing is a part of a task set that is accepted, and every code of a message exists."""
        text = PAGES["gpubound-howto.7"].read_text()
        codes = {row[1] for row in source_tables(ROOT).rows(ROOT / "src/base/diagnostics.def", "DIAGNOSTIC")}
        named = set(re.findall(r"^\.Li ([a-z]+(?:-[a-z]+)+)", text, re.M))
        self.assertGreater(len(named), 10)
        self.assertEqual(named - codes, set())
        listings = [listing for listing in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", text, re.M | re.S) if not listing.startswith("$")]
        self.assertGreater(len(listings), 7)
        for listing in listings:
            with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
                file.write('<taskset xmlns="urn:gpubound:taskset:1" id="t" platform="jetson-agx-orin" origin="o"><origins>'
                           f'<origin id="o" kind="declared" source="page" by="page"/></origins>{listing}</taskset>')
                file.flush()
                result = subprocess.run([BUILD / "gpubound", "models", "--check", file.name], capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""), listing)

    def test_width(self):
        for page, path in PAGES.items():
            for line in path.read_text().splitlines():
                if line.startswith(".Dl ") or re.match(r" *(gpubound [a-z]+ -|for \w+ in )", line):
                    self.assertLessEqual(len(line.removeprefix(".Dl ")), 72 if line[0] != "." else 68, (page, line))

    def test_commands(self):
        for row in source_tables(ROOT).rows(ROOT / "src/cli/commands.def", "COMMAND"):
            self.assertIn(f"gpubound-{row[0]}.1", PAGES)

    def test_options(self):
        """What --help says and what the page says are the same options; those of all commands are in gpubound(1)."""
        for row in source_tables(ROOT).rows(ROOT / "src/cli/commands.def", "COMMAND"):
            own, _, common = help_of(row[0]).partition("Common options:")
            self.assertEqual(options_of_help(own), options_of_page(f"gpubound-{row[0]}.1"), row[0])
            self.assertEqual(options_of_help(common), options_of_page("gpubound.1"), row[0])

    def test_lists(self):
        for table, macro, page in LISTS:
            rows = list(source_tables(ROOT).rows(ROOT / "src" / table, macro))
            self.assertTrue(rows, table)
            self.assertEqual(lacking(rows, items(page)), [], f"{page} lacks rows of {table}")
            invented = ["SYMBOL", "no-such-name"]
            self.assertEqual(lacking([*rows, invented], items(page)), [invented[1]])

    def test_formats(self):
        for schema in sorted((ROOT / "schema").glob("*.xsd")):
            page = "gpubound-" + schema.name.split("-")[0] + ".5"
            found = words(page)
            for name in schema_names(schema):
                self.assertIn(name, found, f"{page} lacks {name} of {schema.name}")

    def test_references(self):
        for page, path in PAGES.items():
            for name, section in re.findall(r"Xr (gpubound\S*) ([0-9])", path.read_text()):
                self.assertIn(f"{name}.{section}", PAGES, f"{page} refers to it")

    def test_html(self):
        """The manual in a browser: every page is there, links lead to pages and places that are there, nothing is loaded from elsewhere."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([sys.executable, ROOT / "man/manual.py", ROOT, BUILD, folder], check=True, capture_output=True, timeout=60)
            texts = {path.name: path.read_text() for path in folder.glob("*.html")}
            self.assertEqual(set(texts), {page + ".html" for page in PAGES} | {"index.html"})
            self.assertEqual(set(re.findall(r'href="([^"#]*)"', texts["index.html"])), set(texts) - {"index.html"} | {"manual.css"})
            for page, text in texts.items():
                for target, place in re.findall(r'href="([^"#]*)(?:#([^"]*))?"', text):
                    self.assertTrue((folder / (target or page)).is_file(), (page, target))
                    self.assertTrue(not place or f'id="{place}"' in texts[target or page], (page, place))
                self.assertNotIn("src=", re.sub(r"<pre>.*?</pre>|<code[^>]*>.*?</code>", "", text, flags=re.S), page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
