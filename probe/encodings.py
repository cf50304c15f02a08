"""Cases for probe/encodings.cu: straight code with other stall counts, operands and neighbours than compilers write, and pieces of what they write.

usage: encodings.py FOLDER CASES NAMES [beside]

FOLDER has disassembled code of sm_90 with encodings (*.sass of cuobjdump). CASES gets 128 instructions a case, of 16 bytes each, NAMES a line for each: its kind, the
instructions and the stall counts. Taken are instructions of fixed latency without uniform registers and constants; all wait for nothing, and use the registers R4 to R26,
where the kernels of encodings.cu, compiled with at most 64, have nothing that they need (seen in the disassembly; CUDA 13.0).
With `beside` a case is two pieces, each of one mnemonic or of all, of one stall count or of drawn ones, or what a compiler wrote; then a line of NAMES has
of each piece, as tests/silicon/encodings.py reads it, class:stall count x how many ("+": it reads three registers or writes two).
"""
import collections
import pathlib
import random
import re
import struct
import sys

COUNT, FIRST, REGISTERS, NONE, TRUE = 128, 4, 20, 255, 7
FIXED = set("FFMA FADD FMUL FMNMX FSEL FSETP IMAD IADD3 LOP3 LEA SHF PRMT SEL ISETP VIADD VIMNMX MOV SGXT IABS DFMA DADD DMUL DSETP HFMA2 PLOP3 P2R R2P IDP CS2R".split())
LINE = re.compile(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?);\s+/\* 0x([0-9a-f]+) \*/\n\s+/\* 0x([0-9a-f]+) \*/")
STALL, YIELD, SETS, HOLDS, WAITS, REUSE = 41, 45, 46, 49, 52, 58  # in the upper word


def with_stall(code, stall, kept):
    low, high = code
    high &= (1 << STALL) - 1
    return low, high | stall << STALL | kept << YIELD | 7 << SETS | 7 << HOLDS


def in_frame(text, low, high):
    """Its registers moved where the frame has none of its own, and its guard taken away."""
    numbers = {int(number) for number in re.findall(r"\bR(\d+)\b", text)}
    form = low >> 9 & 7
    def moved(word, bit):
        number = word >> bit & 255
        return word & ~(255 << bit) | (FIRST + number % REGISTERS) << bit if number in numbers and number != NONE else word
    for bit in (16, 24) + ((32,) if form == 1 else ()):
        low = moved(low, bit)
    high = moved(high, 0) if form in (1, 2, 4) else high
    return low & ~(15 << 12) | TRUE << 12, high


def class_of(text):
    """None: of no class whose costs are by the encoding; products' high halves are none."""
    name = text.split()[0]
    if name.startswith("IMAD.HI"):
        return None
    for prefix, found in (("IMAD.WIDE", "wide"), ("HFMA2", "half"), ("FFMA", "fp32"), ("FADD", "fp32"), ("FMUL", "fp32"), ("DFMA", "fp64"), ("DADD", "fp64"), ("DMUL", "fp64"),
                          *((one, "int32") for one in ("IMAD", "IADD3", "LOP3", "LEA", "SHF", "PRMT", "SEL", "ISETP", "VIADD", "MOV", "IDP", "SGXT"))):
        if name.startswith(prefix):
            operands = text[len(name):].split(",")
            read = {int(number) % REGISTERS for number in re.findall(r"\bR(\d+)\b", ",".join(operands[1:]))}
            late = len(read) > 2 or found in ("wide", "fp64") or sum(bool(re.search(r"\bP\d", operand)) for operand in operands[:2]) > 1
            return found + "+" * late
    return None


def told(piece):
    """[(class, code, stall count)] in words."""
    counts = collections.Counter(f"{name}:{code[1] >> STALL & 15}" for name, code in piece)
    return " ".join(f"{name}x{count}" for name, count in sorted(counts.items()))


def beside(folder):
    """Pairs of pieces: (words of both, code of both)."""
    _, runs, named = pieces(folder)
    runs = [run for run in runs if all(name is not None for name, _ in run)]
    def drawn():
        way = random.choice(("one", "one", "stalls", "stalls", "stalls", "all", "all", "run"))
        if way == "run":
            run = random.choice(runs)
            return [run[i % len(run)] for i in range(COUNT)]
        among = random.choice(sorted(named.values())) if way != "all" else [one for some in named.values() for one in some]
        stalls = [random.randint(1, 8)] if way == "one" else random.choice(((1, 2, 3), (2, 6), (3, 4), (1, 8), (4, 5, 6), range(1, 9), range(1, 16)))
        alike = [random.choice(among)] if way == "one" else among
        return [(name, with_stall(code, random.choice(stalls), random.choice((0, 1, 1)))) for name, code in random.choices(alike, k=COUNT)]
    for _ in range(2100):
        one, other = drawn(), drawn()
        yield f"{told(one)}\t{told(other)}", [code for _, code in one + other]


def pieces(folder):
    """Per mnemonic some instructions, and runs of eight and more of fixed latency; per class some with its name."""
    kinds, runs, named = {}, [], {}
    for path in sorted(folder.glob("*.sass")):
        run = []
        for found in LINE.finditer(path.read_text()):
            text, low, high = found.group(2), int(found.group(3), 16), int(found.group(4), 16)
            bare = re.sub(r"^@\S+\s+", "", text).split()
            fixed = bare[0].split(".")[0] in FIXED and not re.search(r"UR|UP|c\[|SR_", text) and high >> SETS & 63 == 63
            if not fixed or found.group(1) == "0000":
                runs += [run] if len(run) >= 8 else []
                run = []
            if fixed:
                code = in_frame(text, low, high)
                kinds.setdefault(bare[0], []).append(code)
                name = class_of(" ".join(bare))
                if name is not None:
                    named.setdefault(bare[0], []).append((name, code))
                run = [*run, (name, with_stall(code, high >> STALL & 15, high >> YIELD & 1))]
    return kinds, runs, named


def main():
    random.seed(7)
    kinds, runs, _ = pieces(pathlib.Path(sys.argv[1]))
    cases = []
    logic = kinds["LOP3.LUT"][0]
    for name, codes in sorted(kinds.items()):
        some, one = random.sample(codes, min(30, len(codes))), random.choice(codes)
        for stall in (1, 2, 3, 4, 5, 8):
            cases += [(f"one {name} {stall}", [with_stall(one, stall, kept)] * COUNT) for kept in (0, 1)]
            cases.append((f"mixed {name} {stall}", [with_stall(some[i % len(some)], stall, 1) for i in range(COUNT)]))
            cases.append((f"with LOP3 {name} {stall}", [with_stall(logic if i % 2 else some[i % len(some)], stall, 1) for i in range(COUNT)]))
            cases.append((f"pairs {name} {stall}", [with_stall(some[i % len(some)], stall if i % 2 else 8, 1) for i in range(COUNT)]))
    random.shuffle(runs)
    cases += [("run", [run[i % len(run)][1] for i in range(COUNT)]) for run in runs[:400]]
    if sys.argv[4:] == ["beside"]:
        cases = list(beside(pathlib.Path(sys.argv[1])))
    with open(sys.argv[2], "wb") as binary, open(sys.argv[3], "w") as names:
        for name, codes in cases:
            binary.write(b"".join(struct.pack("<2Q", *code) for code in codes))
            names.write(f"{name}\t{sum(high >> STALL & 15 for _, high in codes)}\n")


if __name__ == "__main__":
    main()
