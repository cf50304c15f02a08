"""What whoever relies on `gpubound verify` has to trust: the files whose code a derivation can run, in lines, and the libraries that they call.

usage: trusted-base.py BUILD_ROOT [--files]

Found by the linker's own names: from verify_report on, each function that is called or read leads to the object that has it. An object counts whole.
What is printed: each folder with its files and lines of code (without blank lines and comments), generated files, and each library with
the number of its functions that are called. --files lists each file with its lines.

The analysis is no part of it: verify has an analysis made, by a function that it is given, to compare words with, and believes no bound of it.
tests/trusted_base.py holds that no object of the analysis can be reached.
"""
import pathlib
import re
import subprocess
import sys

ROOTS = {"verify_report"}


def symbols(archive):
    """{object: (defined, undefined)}"""
    text = subprocess.run(["nm", "-A", "-P", archive], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        match = re.match(r"[^\[]*\[(.*)\]: (\S+) (\S)", line)
        if match is None:
            continue
        name, symbol, kind = match.groups()
        defined, undefined = found.setdefault(name, (set(), set()))
        if kind in "Uwv":
            undefined.add(symbol)
        elif kind.isupper() or kind == "i":
            defined.add(symbol)
    return found


def reach(objects, roots):
    """The objects that the roots lead to, and what none of them defines."""
    where = {symbol: name for name, (defined, _) in objects.items() for symbol in defined}
    reached, foreign, waiting = set(), set(), list(roots)
    while waiting:
        symbol = waiting.pop()
        if symbol not in where:
            foreign.add(symbol)
        elif where[symbol] not in reached:
            reached.add(where[symbol])
            waiting += objects[where[symbol]][1]
    return reached, foreign


def source_of(name, source):
    """'verify_bounds_p.c.o' or a path ending in it: src/verify/bounds/p.c; None: the build has written it."""
    flat = pathlib.PurePath(name).name.removesuffix(".o")
    return source.get(flat)


def code_lines(path):
    """Lines that are neither blank nor comment alone."""
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), path.read_text(), flags=re.S)
    return sum(1 for line in text.splitlines() if line.split("//")[0].strip())


def called_late(path):
    """Functions of libraries that are loaded when one is called (src/base/late.h): they have no symbols in the object."""
    return re.findall(r"^#define (\w+) LATE\(", path.read_text(), re.M)


def libraries_of(files, foreign):
    """{library: how many of these functions it has}, by the dynamic symbols of what these files load."""
    text = "".join(subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout for file in files)
    found = {}
    for name, path in sorted(set(re.findall(r"^\s*(\S+) => (\S+)", text, re.M))):
        listed = subprocess.run(["nm", "-D", "-P", "--defined-only", path], capture_output=True, text=True).stdout
        has = {line.split()[0].split("@")[0] for line in listed.splitlines()} & foreign
        if has:
            found[name] = len(has)
            foreign = foreign - has
    return found


def measure(build):
    root = pathlib.Path((build / "gpubound-source-folder").read_text().strip())
    source = {str(path.relative_to(root / "src")).replace("/", "_"): path for path in (root / "src").rglob("*.c")}
    reached, foreign = reach(symbols(build / "src" / "libgpubound-internal.a"), ROOTS)
    files = {name: source_of(name, source) for name in reached}
    headers, waiting = set(), [path for path in files.values() if path is not None]
    foreign.update(name for path in waiting for name in called_late(path))
    while waiting:
        for name in re.findall(r'^#include "([^"]+)"', waiting.pop().read_text(), re.M):
            path = root / "src" / name
            if path.exists() and path not in headers:
                headers.add(path)
                waiting.append(path)
    return root, files, headers, libraries_of((build / "gpubound", build / "src" / "libgpubound-late.so"), foreign)


def main():
    build = pathlib.Path(sys.argv[1])
    root, files, headers, libraries = measure(build)
    lines = {}
    for path in [path for path in files.values() if path is not None] + sorted(headers):
        lines[path.relative_to(root)] = code_lines(path)
    folders = {}
    for path, count in lines.items():
        folder = path.parts[1] if len(path.parts) > 2 else "."
        many, all_lines = folders.get(folder, (0, 0))
        folders[folder] = (many + 1, all_lines + count)
    print(f"{'folder':10} {'files':>6} {'lines':>7}")
    for folder, (many, count) in sorted(folders.items()):
        print(f"{folder:10} {many:6} {count:7}")
    print(f"{'all':10} {len(lines):6} {sum(lines.values()):7}")
    print("written by the build:", " ".join(sorted(pathlib.PurePath(name).name.removesuffix(".o") for name, path in files.items() if path is None)) or "nothing")
    print("libraries, with functions called:", ", ".join(f"{name} {count}" for name, count in sorted(libraries.items())))
    if "--files" in sys.argv:
        for path, count in sorted(lines.items()):
            print(f"{count:7} {path}")


if __name__ == "__main__":
    main()
