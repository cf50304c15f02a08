"""How large the program is, and how many files a change touches.

Lines are of C: .c, .h and .def, with comments, by folder of src, at each of the commits (default: as it is checked out).

What a change touches is counted from the tree as it is: in how many files of src the name of each row of the tables of bounds, parameters of
the platform, hazards, importers and commands stands; a new one has to be written into about as many. Printed are the least, the median and the
greatest of all rows, with the row that has it. Of partitions it is the files of the bounds (response, interference, slack) that know of them.

usage: upkeep.py [COMMIT...]
"""
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = (  # what, file, what of its rows counts, what its name is in other files: of the row's symbol and its further words
    ("a bound", "src/response/bounds/bounds.def", r'^BOUND\((\w+), "([^"]+)", (\w+)',
     r"\b(BOUND|CLAIMED)_{0}\b|\bRULE_{0}(_\w+)?\b|\b{2}_(applies|compute|terms)\b|\bclaimed_{2}_\w+|\b{2}\.[ch]\b"),
    ("a parameter", "src/model/parameters.def", r'^PARAMETER\((\w+), "([^"]+)"', r"\bPARAMETER_{0}\b|(?<![\w.-]){1}(?![\w-])"),
    ("a hazard", "src/base/diagnostics.def", r'^DIAGNOSTIC\((\w+), "([^"]+)", HAZARD', r"\bDIAGNOSTIC_{0}\b|(?<![\w-]){1}(?![\w-])"),
    ("an importer", "src/import/formats.def", r"^FORMAT\((\w+)",
     r"\bimport_(read_)?{0}\w*|import/{0}|\b{0}(_\w+)?\.[ch]\b"),
    ("a command", "src/cli/commands.def", r"^COMMAND\((\w+)", r"\bcommand_{0}\b|cmd_{0}\b|gpubound[- ]{0}\b"),
)
BOUNDS = ("src/response/", "src/interference/", "src/slack/")


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True).stdout


def lines_of(commit):
    """{folder: lines}; None: as it is checked out."""
    words = [commit] if commit else []
    found = {}
    for line in git("grep", "-c", "", *words, "--", "src/*.c", "src/*.h", "src/*.def").splitlines():
        path, count = line.rsplit(":", 1)
        folder = path.split(":")[-1].split("/")[1]
        folder = "(top)" if "." in folder else folder
        found[folder] = found.get(folder, 0) + int(count)
    return found


def print_lines(commits):
    columns = [lines_of(commit) for commit in commits or [None]]
    print("| lines of C | " + " | ".join(commits or ["as it is"]) + " |")
    print("| --- |" + " --- |" * len(columns))
    for folder in sorted(set().union(*columns)):
        print(f"| {folder} | " + " | ".join(f"{column.get(folder, 0):,}" for column in columns) + " |")
    print("| all | " + " | ".join(f"{sum(column.values()):,}" for column in columns) + " |\n")


def texts():
    """{path: text} of src."""
    return {path: (ROOT / path).read_text() for path in git("ls-files", "src").splitlines()}


def rows_of(table, row, name, files):
    """How many files name a row, and the row's name, for each."""
    for match in re.finditer(row, files[table], re.MULTILINE):
        words = match.groups()
        pattern = re.compile(name.format(*[re.escape(word) for word in words]))
        found = {path for path, text in files.items() if pattern.search(path) or pattern.search(text)} | {table}
        yield len(found), words[0] if len(words) == 1 else words[1]


def print_changes():
    files = texts()
    print("| a change | rows | files of src: least | median | greatest |\n| --- | --- | --- | --- | --- |")
    for what, table, row, name in TABLES:
        rows = sorted(rows_of(table, row, name, files))
        median = statistics.median_low(count for count, _ in rows)
        print(f"| {what} | {len(rows)} | {rows[0][0]} ({rows[0][1]}) | {median} | {rows[-1][0]} ({rows[-1][1]}) |")
    bounds = [path for path in files if path.startswith(BOUNDS)]
    aware = [path for path in bounds if re.search("partition", files[path], re.IGNORECASE)]
    chip = [path for path in bounds if "PARAMETER_SM_COUNT" in files[path]]
    print(f"\nPartitions of SMs: {len(aware)} of {len(bounds)} files of the bounds name them; {len(chip)} ask how many SMs the chip has.")


print_lines(sys.argv[1:])
print_changes()
