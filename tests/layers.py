"""The layers of src/ are those that src/LAYERS permits, and every header says what it is.

- a file includes headers only of its own folder and of those that its line in LAYERS names
- a foreign library's header is included only by the files that LAYERS names; what is unknown is refused
- the arrows of LAYERS themselves have no cycle
- include/gpubound.h includes nothing of ours
- each src/*/*.h begins with a comment; the header of a stage has Requires, Provides, Source and Fails in it

usage: layers.py SOURCE_ROOT
"""
import fnmatch
import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|(<[^>]+>))', re.M)
STAGES = ["input/input.h", "map/map.h", "map/occupancy.h", "map/hazards.h", "interference/inflation.h", "response/response.h",
          "machine/placement.h", "machine/chip.h", "machine/sm.h", "machine/room.h", "machine/shape.h", "machine/limits.h",
          "simulate/trace.h", "simulate/replay.h", "simulate/judge.h", "simulate/validate.h", "kernel/frame_bound.h", "kernel/frames.h", "machine/fragments.h",
          "verify/verify.h", "verify/resident.h", "verify/inflate.h", "verify/work.h", "verify/bounds.h", "verify/engines.h"]
CONTRACT = ["Requires", "Provides", "Source", "Fails"]
SYSTEM = {f"<{name}.h>" for name in (
    "assert ctype errno inttypes limits locale setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string time "
    "dirent fcntl fnmatch libgen pthread strings unistd sys/mman sys/resource sys/stat sys/time sys/types sys/wait").split()}


def read_layers(path):
    """The folders' table and the foreign headers' table, as dictionaries of lists."""
    folders, foreign = {}, {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        name, colon, words = line.partition(":")
        table = foreign if name.startswith("<") else folders
        if not colon or name in table:
            raise SystemExit(f"{path}:{number}: not a new line of the table: {line}")
        table[name] = words.split()
    return folders, foreign


def cycles(folders):
    """The folders that can be reached from themselves."""
    def reached(name, seen):
        for other in folders.get(name, []):
            if other not in seen:
                seen.add(other)
                reached(other, seen)
        return seen
    return [name for name in folders if name in reached(name, set())]


def folder_of(path):
    """The layer of a file or of an included header, both relative to src/."""
    head, slash, _ = path.partition("/")
    return head if slash else pathlib.PurePath(path).stem


def check_include(file, own, foreign_header, folders, foreign):
    """What is wrong with one include, or None."""
    layer = folder_of(file)
    if foreign_header:
        if foreign_header in SYSTEM:
            return None
        for pattern, files in foreign.items():
            if fnmatch.fnmatchcase(foreign_header, pattern):
                return None if file in files else f"{foreign_header} belongs to {' '.join(files)}"
        return f"{foreign_header} is no header of C or POSIX and not in LAYERS"
    target = folder_of(own)
    if own == "config.h" or target == layer or own == "gpubound.h":
        return None
    if target not in folders:
        return f'"{own}" is of no layer; write includes from src/ on: "folder/file.h"'
    return None if target in folders[layer] else f'{layer} may not include {target} ("{own}")'


def without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)


def check_file(root, path, folders, foreign):
    name = path.relative_to(root / "src").as_posix()
    text = path.read_text()
    layer = folder_of(name)
    if layer not in folders and layer != "config":
        yield f"src/{name}: {layer} is not in LAYERS"
        return
    clean = without_comments(text)
    for match in INCLUDE.finditer(clean):
        wrong = check_include(name, match.group(1), match.group(2), folders, foreign)
        if wrong:
            yield f"src/{name}:{clean.count(chr(10), 0, match.start()) + 1}: {wrong}"
    if path.suffix == ".h":
        yield from check_header(name, text)


def check_header(name, text):
    if not text.startswith("/*"):
        yield f"src/{name}:1: a header begins with a comment that says what it is"
        return
    comment = text[:text.find("*/")]
    if name in STAGES:
        for word in CONTRACT:
            if not re.search(rf"^ \* {word}:", comment, re.M):
                yield f"src/{name}:1: the contract of a stage has a line \"{word}:\""


def check_public(root):
    path = root / "include" / "gpubound.h"
    for match in INCLUDE.finditer(without_comments(path.read_text())):
        if match.group(1) or match.group(2) not in SYSTEM:
            yield f"include/gpubound.h: includes {match.group(1) or match.group(2)}; the public header includes nothing of ours"


def check(root):
    folders, foreign = read_layers(root / "src" / "LAYERS")
    yield from (f"src/LAYERS: {name} reaches itself" for name in cycles(folders))
    for name in sorted({name for files in foreign.values() for name in files} | set(STAGES)):
        if not (root / "src" / name).is_file():
            yield f"src/{name} does not exist, and src/LAYERS or tests/layers.py names it"
    for path in sorted((root / "src").rglob("*.[ch]")):
        yield from check_file(root, path, folders, foreign)
    yield from check_public(root)


def main(root):
    wrong = list(check(pathlib.Path(root)))
    print("\n".join(wrong) if wrong else "layers: as src/LAYERS permits")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
