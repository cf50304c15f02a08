"""How far gpubound wcet comes with kernels that nobody wrote for it: how many are read, have a flow graph, are bounded, and why the others are not.

usage: funnel.py GPUBOUND [--sass FOLDER] [--list] [--loops] [--threads N] [--target N] [--each N] [--part I/N] [--jobs N] [--verify]

What the turns of the loops depend on that have to be stated is read off the text, and no bound rests on it.
FOLDER, or else GPUBOUND_DATA_DIR/sass, has *.sass as cuobjdump writes them (encodings may be left out), or archives *.txz of such files. Each kernel
is a program of its own: all costs are declared, bank conflicts are of degree 32, branches that nobody lists split warps as far as they can. Nothing
else is said of it, but for the stage "bounded with arguments given", in which each word of an argument or of the grid that is asked for is from 1
to 65536, and "bounded with loops given", in which each loop that is asked for gets a bound. The cubin is made up, as its
encodings are left out. Where there is no SASS the command says so and ends with 77.
"""
import argparse
import collections
import hashlib
import itertools
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
import cubin as binaries  # noqa: E402

SKIPPED = 77
CLASSES = ("fp32 int32 fp64 sfu load store shared branch barrier half rare uniform special convert convert64 bits vote match redux shuffle ldsm conflict "
           "constant texture atomic atomic-shared async fence reconverge hmma imma dmma gmma call wide").split()
PLATFORMS = {90: "h200", 87: "jetson-agx-orin", 75: "rtx-2080-ti", 72: "jetson-agx-xavier"}
COSTS = "".join(f'<cost class="{name}" latency="20" occupancy="4" source="made up" by="funnel"/>' for name in CLASSES)
COSTS += '<divergence depth="9999" entries-a-spill="1" cycles-a-divergence="13" cycles-a-spill="0" source="made up" by="funnel"/>'
SHARED = '<shared conflicts="32" source="the most there are" by="funnel"/>'
NOT_READ = {"sass-malformed", "sass-gap", "sass-twice", "sass-function", "sass-target", "opcode-unknown", "schema-violation", "cubin-invalid",
            "file-too-long", "program-too-long"}
NO_GRAPH = {"sass-control", "sass-waits"}
TASKSET = """<taskset xmlns="urn:gpubound:taskset:1" id="t" platform="{platform}" origin="o"><origins><origin id="o" kind="declared" source="made up" by="funnel"/></origins>
<declare name="clock.sm" value="1300MHz" source="made up" by="funnel"/>
<declare name="overhead.launch" value="10us" source="made up" by="funnel"/>
<declare name="overhead.block" value="1us" source="made up" by="funnel"/>
<declare name="overhead.dependency" value="10us" source="made up" by="funnel"/>
<declare name="concurrent-kernels" value="yes" source="made up" by="funnel"/>
<interference from="all" victim="any" value="3" source="made up" by="funnel"/>
<application id="a"><stream id="s0" kind="non-blocking"/></application>
<task id="k" period="2000s" deadline="2000s"><kernel id="k" stream="s0" scope="block" grid="16" block="{threads}" registers="32"><program file="a.xml"/></kernel></task></taskset>
"""
STAGES = ("kernels", "read", "flow graph", "bounded with loops given", "bounded with arguments given", "bounded, nothing said but costs",
          "  of these with loops")
MOST = {0x10: 4096, 0x14: 4096}  # of a grid's extents in y and z; of other words 65536


def texts(folder):
    """(name, text) of each disassembly."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".sass":
            yield path.name, path.read_text(errors="replace")
        elif path.suffix in (".txz", ".xz", ".tgz", ".tar"):
            with tarfile.open(path) as archive:
                for member in sorted(archive.getmembers(), key=lambda one: one.name):
                    if member.name.endswith(".sass"):
                        yield pathlib.Path(member.name).name, archive.extractfile(member).read().decode(errors="replace")


def kernels(name, text):
    """(file, function, target, code) of each function of a disassembly."""
    target = None
    for part in re.split(r"(?m)^(?=[ \t]*Function : |[ \t]*(?:code for |\.target))", text):
        found = re.search(r"(?:code for|\.target)\s*sm_(\d+)", part)
        target = int(found.group(1)) if found else target
        found = re.match(r"[ \t]*Function : (\S+)\n", part)
        if found:
            yield name, found.group(1), target, f"\tcode for sm_{target}\n" + part


class Kernel:
    def __init__(self, options, folder, file, function, target, sass):
        self.options, self.folder, self.file, self.function, self.target, self.sass = options, folder, file, function, target, sass
        self.loops, self.words = [], []

    def write(self):
        binary = binaries.make(self.sass, self.function, self.target)
        digests = [hashlib.sha256(content).hexdigest() for content in (self.sass.encode(), binary)]
        bounds = "".join(f'<loop header="{header}" bound="9" polls="true"/>' for header in self.loops)
        bounds = "".join(f'<argument offset="{word}" at-least="1" at-most="{MOST.get(int(word, 16), 65536)}" source="made up" by="funnel"/>'
                         for word in self.words) + bounds
        (self.folder / "a.sass").write_text(self.sass)
        (self.folder / "a.cubin").write_bytes(binary)
        (self.folder / "a.xml").write_text(
            f'<program xmlns="urn:gpubound:program:1" id="p" platform="{PLATFORMS.get(self.target, "h200")}" threads="{self.options.threads}" '
            f'unlisted="divergent" slots="in-turn">{COSTS}{SHARED}\n<sass file="a.sass" sha256="{digests[0]}" cubin="a.cubin" cubin-sha256="{digests[1]}" '
            f'function="{self.function}"/>\n{bounds}</program>\n')

    def run(self):
        self.write()
        result = subprocess.run([self.options.gpubound, "wcet", str(self.folder / "a.xml")], capture_output=True, text=True, timeout=300)
        self.loop_count = len(re.findall(r"(?m)^- loop ", result.stdout))
        return result.returncode, result.stderr

    def verified(self):
        """What verify says of a report of a task that is this kernel; "": that all is well."""
        taskset, report = self.folder / "t.xml", self.folder / "r.xml"
        taskset.write_text(TASKSET.format(platform=PLATFORMS.get(self.target, "h200"), threads=self.options.threads))
        first = subprocess.run([self.options.gpubound, "analyze", "--quiet", "-o", str(report), str(taskset)], capture_output=True, text=True, timeout=300)
        if not report.exists():
            return f"not analysed: {first.stderr[-300:]}"
        result = subprocess.run([self.options.gpubound, "verify", str(report)], capture_output=True, text=True, timeout=300)
        return "" if result.returncode == 0 else (result.stderr + result.stdout)[:300]

    def outcome(self):
        """(stage, code, reason): the last stage that it came to, and why not to the next."""
        status, said = self.run()
        if status == 0:
            return 5, None, None
        if status != 3:
            return 0, f"exit {status}", said[-300:]
        while status == 3:
            more = [word for words in re.findall(r"at-most=\"...\"/> of (0x[0-9a-f, x]*)", said) for word in re.findall("0x[0-9a-f]+", words) if word not in self.words]
            if not more:
                break
            self.words += dict.fromkeys(more)
            status, said = self.run()
        if status == 0:
            return 4, "loop-unbounded", "expected arguments"
        first = said
        while True:
            more = [header for header in re.findall(r'header "([\w.]+)"; there is none', said) if header not in self.loops]
            if status != 3 or not more:
                break
            self.loops += more
            status, said = self.run()
        if status == 0:
            return 3, "loop-unbounded", re.findall(r"error: (.*)", first)[0]
        found = re.search(r"(?m)^.*?error: (.*) \[([\w-]+)\]$", said)
        message, code = found.groups() if found else (said[-300:], "?")
        return 0 if code in NOT_READ else 1 if code in NO_GRAPH else 2, code, message


def reason(code, message):
    """What is counted: without what is of this kernel only."""
    if code == "opcode-unknown":
        return sorted({name.split(".")[0] for name in re.findall(r"(\w[\w.]*) \(line", message)})
    found = re.search(r"disassembly; line \d+, ([\w.]+): (.*)|bounds; line \d+, ([\w.]+): (.*)|shows; line \d+, ([\w.]+): (.*)", message)
    if found:
        words = [word for word in found.groups() if word]
        return [f"{words[0].split('.')[0]}: {words[1]}"]
    return [re.sub(r'"[^"]*"', '"..."', message)]


# What a loop's turns depend on, by what is computed in it for a branch that leaves it or goes back: the first class one of whose mnemonics is met.
KINDS = (("what others write: atomics, STRONG loads", r"ATOM|RED|.*\.STRONG"), ("the clock", r"CS2R|S2UR.*CLOCK"), ("what is loaded in each turn", r"LD(?!C)|TEX|TLD|ULD|SULD"),
         ("what threads tell one another: shuffles, votes", r"SHFL|VOTE|MATCH|REDUX|B2R"), ("numbers of floating point", r"(?:F|D|H)(?!FMA2\.MMA)[A-Z0-9]*(SETP|ADD|MUL|FMA|SETP2)|MUFU|F2I"))
BEFORE = (("what is loaded before it", r"LD(?!C)|TEX|TLD|ULD|SULD|ATOM"), ("a quotient, which float arithmetic makes", r"MUFU|F2I|I2F|CALL"))
NAME = re.compile(r"\b(U?R|U?P)(\d+)\b((?:\.reuse)?\.64)?")


def instructions(sass):
    """(address, guard, mnemonic, written names, read names, target) of each line."""
    for address, guard, mnemonic, operands in re.findall(r"/\*([0-9a-f]{4,5})\*/\s+(?:@(\S+) )?([A-Z][\w.]*)\s*([^;]*);", sass):
        operands = operands.strip()
        parts = [part.strip() for part in operands.split(",")]
        writes = 0 if re.match(r"ST|BRA|EXIT|BSSY|BSYNC|BAR|RED|WARPSYNC", mnemonic) else 2 if re.match(r"U?(ISETP|PLOP3)|(?:F|D|H)SETP", mnemonic) else 1
        writes += writes == 1 and len(parts) > 1 and bool(re.fullmatch(r"U?P\d", parts[1])) and not mnemonic.startswith(("SEL", "USEL", "FSEL"))
        width = 4 if ".128" in mnemonic else 2 if re.search(r"\.64|WIDE|CS2R", mnemonic) else 1
        written = {kind + str(int(number) + i) for kind, number, _ in NAME.findall(",".join(parts[:writes])) for i in range(width if kind.endswith("R") else 1)}
        read = {kind + str(int(number) + i) for kind, number, pair in NAME.findall(",".join(parts[writes:]) + "," + guard)
                for i in range(2 if pair or "WIDE" in mnemonic else 1)}
        target = re.search(r"0x([0-9a-f]+)$", operands) if mnemonic.startswith("BRA") else None
        yield int(address, 16), guard, mnemonic + " " + operands, written, read, int(target[1], 16) if target else None


def needed(code, names):
    """What of the code computes the names, read backwards line by line, and what of them is from before it."""
    found = []
    for one in reversed(code):
        if one[3] & names:
            found.append(one)
            names = (names if one[1] else names - one[3]) | one[4]
    return found, names


def kind_of(sass, header):
    """What the turns of the loop at the header depend on; no bound rests on it."""
    code, first = list(instructions(sass)), int(re.match(r"b([0-9a-f]+)", header)[1], 16)
    last = max((one[0] for one in code if one[5] == first and one[0] >= first), default=None)
    if last is None:
        return "not found in the text"
    body = [one for one in code if first <= one[0] <= last]
    inside, names = [], set()
    for i, one in enumerate(body):
        if one[2].startswith(("BRA", "EXIT")) and (one[5] is None or one[5] == first or not first <= one[5] <= last):
            found, open_names = needed(body[:i + 1], set(one[4]))
            inside, names = inside + found, names | open_names
    for _ in range(4):  # what a turn has from the one before it
        found, open_names = needed(body, names)
        inside, names = inside + found, names | open_names
    outside, _ = needed([one for one in code if one[0] < first], names)
    outside += inside
    for kinds, where in ((KINDS, inside), (BEFORE, outside)):
        for kind, mnemonics in kinds:
            if any(re.match(mnemonics, one[2]) for one in where):
                return kind
    words = {word for one in outside for word in re.findall(r"c\[0x0\]\[(0x[0-9a-f]+)\]", one[2]) if int(word, 16) >= 0x160}
    return f"{'several arguments' if len(words) > 1 else 'one argument' if words else 'no argument'}, and the block's and thread's places"


Result = collections.namedtuple("Result", "file function target stage code message loops checked kinds")


def judge(work):
    options, file, function, target, sass = work
    with tempfile.TemporaryDirectory() as folder:
        kernel = Kernel(options, pathlib.Path(folder), file, function, target, sass)
        try:
            stage, code, message = kernel.outcome()
            checked = kernel.verified() if options.verify and stage >= 3 else None
        except subprocess.TimeoutExpired:
            stage, code, message, checked = 0, "timeout", "no answer within 300 s", None
    kinds = [(kind_of(sass, header), header) for header in kernel.loops] if stage == 3 else []
    return Result(file, function, target, stage, code, message, kernel.loop_count if stage >= 5 else 0, checked, kinds)


def count(results, number):
    if number == 6:
        return sum(result.stage >= 5 and result.loops > 0 for result in results)
    return len(results) if number == 0 else sum(result.stage >= number for result in results)


def table(results, targets):
    print(f"{'':34}" + "".join(f"{'sm_' + str(target):>8}" for target in targets))
    for number, name in enumerate(STAGES):
        print(f"{name:34}" + "".join(f"{count([one for one in results if one.target == target], number):8}" for target in targets))
    checked = [result for result in results if result.checked is not None]
    for result in checked:
        if result.checked:
            print(f"not verified: {result.file} {result.function}: {result.checked}")
    if checked:
        print(f"verified: {sum(result.checked == '' for result in checked)} of {len(checked)}")


def reasons(results, targets):
    for target in targets:
        counted = collections.Counter()
        for result in results:
            if result.target == target and result.code is not None:
                counted.update((STAGES[result.stage + 1], result.code, one) for one in reason(result.code, result.message))
        print(f"\nsm_{target}: what keeps kernels from a stage")
        for (stage, code, one), count in sorted(counted.items(), key=lambda item: (STAGES.index(item[0][0]), -item[1], item[0])):
            print(f"{count:6}  {stage}: {code}: {one[:150]}")


def kinds_of_loops(results, each):
    """How many loops have to be stated, and of how many kernels, by what their turns depend on; `each`: which they are, too."""
    by_kind = collections.defaultdict(list)
    for result in results:
        for kind, header in result.kinds:
            by_kind[kind].append(f"sm_{result.target} {result.file} {result.function} {header}")
    if by_kind:
        print(f"\n{sum(map(len, by_kind.values()))} loops of {sum(bool(result.kinds) for result in results)} kernels have to be stated; their turns depend on")
    for kind, loops in sorted(by_kind.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"{len(loops):6}  {kind} ({len({loop.rsplit(' ', 1)[0] for loop in loops})} kernels)")
        for loop in sorted(loops) if each else []:
            print(f"        {loop}")


def spread(items, most):
    return items if len(items) <= most else [items[i * len(items) // most] for i in range(most)]


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gpubound")
    parser.add_argument("--sass", default=os.path.join(os.environ.get("GPUBOUND_DATA_DIR", ""), "sass"), help="folder of disassemblies")
    parser.add_argument("--threads", default="256", help="of a block")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verify", action="store_true", help="verify a report of each that is bounded")
    parser.add_argument("--each", type=int, default=0, help="of each file at most so many kernels, spread over it")
    parser.add_argument("--part", default="1/1", help="2/7: every seventh kernel, from the second on")
    parser.add_argument("--target", type=int, help="only these kernels: 90 for sm_90")
    parser.add_argument("--list", action="store_true", help="a line for each kernel")
    parser.add_argument("--loops", action="store_true", help="a line for each loop that has to be stated")
    return parser.parse_args()


def main():
    options = read_options()
    folder = pathlib.Path(options.sass)
    work = [(options, *kernel) for name, text in texts(folder) for kernel in kernels(name, text)] if folder.is_dir() else []
    work = [one for one in work if options.target in (None, one[3])]
    if not work:
        print(f"skipped: no disassembly in {folder}; name a folder with --sass or GPUBOUND_DATA_DIR")
        return SKIPPED
    if options.each > 0:
        work = [one for _, group in itertools.groupby(work, key=lambda one: one[1]) for one in spread(list(group), options.each)]
    part, parts = map(int, options.part.split("/"))
    work = work[part - 1::parts]
    with multiprocessing.Pool(options.jobs) as pool:
        results = pool.map(judge, work, chunksize=4)
    targets = sorted({result.target for result in results}, reverse=True)
    if options.list:
        for one in sorted(results, key=lambda one: one[:3]):
            print(f"{one.stage} sm_{one.target} {one.file} {one.function} {one.code or ''} {one.message or ''}")
    table(results, targets)
    reasons(results, targets)
    kinds_of_loops(results, options.loops)
    return 0


if __name__ == "__main__":
    sys.exit(main())
