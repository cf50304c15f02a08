"""Kernels of other people made ready to be measured: each entry of their PTX gets readings of the clock, and is assembled and disassembled.

usage: instrumented.py FOLDER OUT [--arch sm_90] [--jobs N] [--each N] [-I FOLDER]...

FOLDER has sources (*.cu, in folders). OUT gets, of each that compiles, NAME.cubin and NAME.sass, and kernels.txt: a line for each kernel, as
probe/instrumented.cu reads it: cubin, function, the block's extents, dynamic shared memory, arguments (p, l, i, f, d: pointer or word of 64 bits, other
word of 64 bits, int, float, double; with their offsets; "-": none). Needs nvcc and cuobjdump.

The first instruction of an entry reads clock64, and so does the last before each end; both readings are stored, a pair for each warp. What is measured
lies between these readings; the code whose time is bounded is all of it, the stores too. Kernels whose arguments are structures are left out.
"""
import argparse
import multiprocessing
import pathlib
import re
import subprocess
import sys

ENTRY = re.compile(r"(?m)^(?:\.visible |\.weak )?\.entry (\w+)\s*(\([^)]*\))?([^{;]*)\{")
PARAMETER = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)(?:\s+\.ptr[^,)]*?)?\s+(\w+)(\[\d+\])?\s*(?=[,)]|$)")
END = re.compile(r"(?m)^(\s*)(@(!?)(%p\d+)\s+)?(ret|exit)(?:\.uni)?;")
KINDS = {"u64": ("p", 8), "b64": ("p", 8), "s64": ("l", 8), "u32": ("i", 4), "s32": ("i", 4), "b32": ("i", 4), "f32": ("f", 4), "f64": ("d", 8)}
DECLARED = """\t.reg .b64 %when<8>;
\t.reg .b32 %place<12>;
\tmov.u64 %when0, %clock64;
"""
# 16 bytes for each warp, at the block's number times its warps and the warp's: one address for all threads of a warp, as the code shows.
RECORD = """\tmov.u64 %when1, %clock64;
{place}
\tshr.u32 %place0, %place0, 5; mov.u32 %place1, %ctaid.x; mad.lo.u32 %place0, %place1, {warps}, %place0;
\tmov.u64 %when2, instrumented_times; mul.wide.u32 %when3, %place0, 16; add.u64 %when2, %when2, %when3;
\tst.global.v2.u64 [%when2], {{%when0, %when1}};
"""
TIMES = ".visible .global .align 16 .b8 instrumented_times[4194304];\n"


def body_end(text, at):
    """Behind the brace that closes the one before `at`."""
    depth = 1
    while depth > 0:
        at = re.compile(r"[{}]").search(text, at).end()
        depth += 1 if text[at - 1] == "{" else -1
    return at


def instrument(body, number, shape):
    x, y, z = shape
    place = "\tmov.u32 %place0, %tid.x;"
    for word, factor, many in (("y", x, y), ("z", x * y, z)):
        place += f" mov.u32 %place1, %tid.{word}; mad.lo.u32 %place0, %place1, {factor}, %place0;" if many > 1 else ""
    stored = RECORD.format(place=place, warps=(x * y * z + 31) // 32)

    def record(match, label=iter(range(1 << 20))):
        blanks, guard, negated, predicate, end = match.groups()
        if not guard:
            return f"{stored}{blanks}{end};"
        name = f"$instrumented_{number}_{next(label)}"
        return f"{blanks}@{'' if negated else '!'}{predicate} bra {name};\n{stored}{blanks}{end};\n{name}:"
    return "\n" + DECLARED + END.sub(record, body)


def arguments(parameters):
    """[(kind, offset)], or None where one is a structure."""
    found, offset = [], 0
    for kind, _, array in PARAMETER.findall(parameters or ""):
        if array or kind not in KINDS:
            return None
        letter, size = KINDS[kind]
        offset += -offset % size
        found.append((letter, offset))
        offset += size
    return found if (parameters or "").count(".param") == len(found) else None


def extents(directives, body):
    fixed = re.search(r"\.(?:reqntid|maxntid)\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?", directives)
    if fixed and int(fixed.group(1)) > 1:
        return [int(word or 1) for word in fixed.groups()]
    return [8, 8, 4] if "%tid.z" in body and "%ctaid.z" in body else [16, 16, 1] if "%tid.y" in body else [256, 1, 1]


def rewrite(ptx):
    """The PTX with readings, and what its kernels are: [(function, extents, dynamic, arguments)]."""
    pieces, kernels, at = [], [], 0
    for number, match in enumerate(ENTRY.finditer(ptx)):
        end = body_end(ptx, match.end())
        body = ptx[match.end():end]
        asked, shape = arguments(match.group(2)), extents(match.group(3), body)
        pieces += [ptx[at:match.end()], instrument(body, number, shape)]
        at = end
        if asked is not None:
            dynamic = 32768 if re.search(r"\.extern \.shared", ptx) else 0
            kernels.append((match.group(1), shape, dynamic, asked))
    text = "".join(pieces) + ptx[at:]
    return re.sub(r"(?m)^(\.address_size 64)$", r"\1\n" + TIMES, text, count=1), kernels


def spread(items, most):
    return items if len(items) <= most else [items[i * len(items) // most] for i in range(most)]


def run(command, output=None):
    try:
        done = subprocess.run(command, stdout=output or subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=90)
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False


def prepare(work):
    source, name, options = work
    out = pathlib.Path(options.out)
    ptx, cubin, sass = out / f"{name}.ptx", out / f"{name}.cubin", out / f"{name}.sass"
    includes = [word for folder in [source.parent, *options.include] for word in ("-I", str(folder))]
    if not run(["nvcc", "-ptx", "-arch", options.arch, "-O3", "-std=c++17", *includes, "-o", str(ptx), str(source)]):
        return name, None
    text, kernels = rewrite(ptx.read_text())
    if not kernels:
        return name, []
    ptx.write_text(text)
    made = run(["ptxas", "-arch", options.arch, "-O3", "-o", str(cubin), str(ptx)])
    if made and not options.assemble_only:
        with open(sass, "w") as file:
            made = run(["cuobjdump", "-sass", str(cubin)], file)
    return name, kernels if made else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--each", type=int, default=16, help="of each source at most so many kernels, spread over it")
    parser.add_argument("--assemble-only", action="store_true", help="no cuobjdump")
    parser.add_argument("-I", dest="include", action="append", default=[], help="folder of headers")
    options = parser.parse_args()
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    root = pathlib.Path(options.folder)
    sources = [path for path in sorted(root.rglob("*.cu")) if "__global__" in path.read_text(errors="replace")]
    work = [(path, str(path.relative_to(root)).removesuffix(".cu").replace("/", "__"), options) for path in sources]
    with multiprocessing.Pool(options.jobs) as pool, open(pathlib.Path(options.out) / "kernels.txt", "w") as listing:
        failed = 0
        for name, kernels in pool.imap(prepare, work):
            failed += kernels is None
            for function, shape, dynamic, asked in spread(kernels or [], options.each):
                words = ",".join(f"{letter}{offset}" for letter, offset in asked) or "-"
                listing.write(f"{name} {function} {' '.join(map(str, shape))} {dynamic} {words}\n")
    print(f"{len(work)} sources, {failed} not compiled", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
