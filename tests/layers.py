"""The layers of src/ are those that src/LAYERS permits, and every header says what it is.

- a file includes headers only of its own folder and of those that its line in LAYERS names
- a foreign library's header is included only by the files that LAYERS names; what is unknown is refused
- the arrows of LAYERS themselves have no cycle
- include/gpubound.h includes nothing of ours
- a model is written only where models are made, read, drawn or recorded: elsewhere nobody includes model/draft.h
- the analysis, verify and the machine ask which SMs a stream or a context may use; only the files that have to know how many the chip has
  read sm.count
- what the GPU does and what is proved about it have nothing in common but numbers and the model, whatever LAYERS permits; nor verify and the proof
- a file's name says what is in it: no two folders have one of the same name, but for verify, where it says that the same claim is derived again
- each src/*/*.h begins with a comment; the header of a stage has Requires, Provides, Source and Fails in it

usage: layers.py SOURCE_ROOT
"""
import fnmatch
import pathlib
import re
import sys

SM_COUNT = re.compile(r"\bSM_COUNT\b|\bPARAMETER_SM_COUNT\b")
ASK_FOR_SETS = {"map", "timing", "interference", "response", "slack", "machine", "verify"}
MAKE_MODELS = {"input", "import", "calibrate", "falsify", "study"}
KNOW_THE_CHIP = {"response/operation_cost.c", "verify/usable_sms.c", "verify/resident.c", "verify/environment.c"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|(<[^>]+>))', re.M)
STAGES = ["input/input.h", "map/map.h", "map/occupancy.h", "map/hazards.h", "interference/inflation.h", "response/response.h",
          "placement/placement.h", "placement/chip.h", "placement/sm.h", "placement/room.h", "placement/shape.h", "placement/sm_limits.h",
          "simulate/trace.h", "simulate/trace_replay.h", "simulate/judge.h", "simulate/validate_traces.h", "g80/bound/frame_bound.h", "g80/bound/frame_kernels.h", "g80/machine/fragments.h",
          "timing/timing.h", "verify/times_of_code.h", "verify/verify.h", "verify/resident.h", "verify/inflation.h", "verify/operation_cost.h", "verify/claimed_bounds.h", "verify/engines.h"]
# Rooms that may have only base, model and, for verify, the reading of files in common, with all that they reach: the argument of the program.
DOES = ["placement", "warps", "machine", "g80/machine"]
PROVES = ["wcet", "g80/bound", "map", "timing", "interference", "response"]
VERIFIES = ["verify"]
COMMON = {"base", "model"}
CONTRACT = ["Requires", "Provides", "Source", "Fails"]
SYSTEM = {f"<{name}.h>" for name in (
    "assert ctype errno inttypes limits locale setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string time "
    "dirent dlfcn fcntl fnmatch libgen pthread spawn strings unistd sys/mman sys/resource sys/stat sys/time sys/types sys/wait").split()}


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


def reached(folders, name, seen):
    """Adds to `seen` the folders that can be reached from one, and returns it."""
    for other in folders.get(name, []):
        if other not in seen:
            seen.add(other)
            reached(folders, other, seen)
    return seen


def cycles(folders):
    """The folders that can be reached from themselves."""
    return [name for name in folders if name in reached(folders, name, set())]


def shared(folders):
    """What two sides of the argument have in common although they must not."""
    def side(names):
        return set(names).union(*(reached(folders, name, set()) for name in names))
    for one, other, common in ((DOES, PROVES, COMMON), (DOES, VERIFIES, COMMON), (VERIFIES, PROVES, COMMON)):
        for name in sorted(side(one) & side(other) - common):
            yield f"src/LAYERS: {' '.join(one)} and {' '.join(other)} have {name} in common"


def names_twice(names):
    """Files of one name in several folders. verify may have one of a name that the proof has, as it derives the same once more."""
    by_base = {}
    for name in names:
        by_base.setdefault(pathlib.PurePath(name).name, []).append(name)
    for base, found in sorted(by_base.items()):
        others = [name for name in found if not name.startswith("verify/")]
        proof = any(name.startswith(folder + "/") for name in others for folder in PROVES + ["slack"])
        if base != "meson.build" and (len(others) > 1 or len(found) > len(others) + 1 or (len(found) > 1 and not proof)):
            yield f"src/{found[-1]}: a file of this name is src/{found[0]}; name both after what is in them"


def folder_of(path, folders):
    """The layer of a file or of an included header, both relative to src/: a part of a folder where that has a line of its own."""
    head, slash, _ = path.partition("/")
    part = "/".join(path.split("/")[:2])
    return part if part in folders else head if slash else pathlib.PurePath(path).stem


def check_include(file, own, foreign_header, folders, foreign):
    """What is wrong with one include, or None."""
    layer = folder_of(file, folders)
    if foreign_header:
        if foreign_header in SYSTEM:
            return None
        for pattern, files in foreign.items():
            if fnmatch.fnmatchcase(foreign_header, pattern):
                return None if file in files else f"{foreign_header} belongs to {' '.join(files)}"
        return f"{foreign_header} is no header of C or POSIX and not in LAYERS"
    target = folder_of(own, folders)
    if own in ("config.h", "late_sonames.h", "requirements.def", "gpubound.h") or target == layer:
        return None
    if target not in folders:
        return f'"{own}" is of no layer; write includes from src/ on: "folder/file.h"'
    return None if target in folders[layer] else f'{layer} may not include {target} ("{own}")'


def without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)


def check_file(root, path, folders, foreign):
    name = path.relative_to(root / "src").as_posix()
    text = path.read_text()
    layer = folder_of(name, folders)
    if layer not in folders and layer != "config":
        yield f"src/{name}: {layer} is not in LAYERS"
        return
    clean = without_comments(text)
    for match in INCLUDE.finditer(clean):
        wrong = check_include(name, match.group(1), match.group(2), folders, foreign)
        if wrong:
            yield f"src/{name}:{clean.count(chr(10), 0, match.start()) + 1}: {wrong}"
    if layer in ASK_FOR_SETS and name not in KNOW_THE_CHIP and SM_COUNT.search(clean):
        yield f"src/{name}: reads sm.count; how many SMs a stream or a context may use says model/sm_set.h (verify: verify/usable_sms.h)"
    if '"model/draft.h"' in clean and layer not in MAKE_MODELS:
        yield f"src/{name}: writes into a model (model/draft.h), which only {' '.join(sorted(MAKE_MODELS))} may"
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
    yield from shared(folders)
    yield from names_twice([path.relative_to(root / "src").as_posix() for path in sorted((root / "src").rglob("*.*"))])
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
