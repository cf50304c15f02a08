"""Do encodings say for what a warp waits? The first instruction that reads what a load wrote, in line, or one before it, waits for the load's scoreboard.

usage: scoreboards.py SOURCE [FOLDER]

Reads the disassembled kernels of examples/kernels, and of FOLDER. Results without a scoreboard are passed over. [WCET-WAITS] rests on what bits of an
encoding mean.
"""
import pathlib
import re
import sys

INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;\s*/\* (0x[0-9a-f]{16}) \*/\s*\n\s*/\* (0x[0-9a-f]{16}) \*/")
LOAD = re.compile(r"(LDG|LD|LDL|TEX|TLD4?|ATOMG?)\b")
CONTROL = re.compile(r"(BRA|BRX|EXIT|BSYNC|CALL|RET|JMP|WARPSYNC|BREAK)\b")


def check(text, counts):
    instructions = [(mnemonic, operands, int(word, 16)) for _, mnemonic, operands, _, word in INSTRUCTION.findall(text)]
    for i, (mnemonic, operands, word) in enumerate(instructions):
        wrote = re.match(r"(?:PT, |P\d, )?R(\d+)\b", operands)
        if not LOAD.match(mnemonic) or not wrote:
            continue
        scoreboard, register = word >> 46 & 7, re.compile(rf",.*\bR{wrote.group(1)}\b")
        if scoreboard > 5:
            continue
        for later, others, at in instructions[i + 1:]:
            if at >> 52 >> scoreboard & 1 or (later.startswith("DEPBAR") and f"SB{scoreboard}" in others):
                counts["waited"] += register.search(others) is not None
                break
            if register.search(others):
                counts["wrong"] += 1
                print(f"{mnemonic} {operands}, scoreboard {scoreboard}: {later} {others} does not wait")
                break
            if CONTROL.match(later):
                break


def main():
    counts = {"waited": 0, "wrong": 0}
    files = sorted((pathlib.Path(sys.argv[1]) / "examples/kernels").glob("*.sass"))
    files += sorted(pathlib.Path(sys.argv[2]).rglob("*.sass")) if len(sys.argv) > 2 else []
    for file in files:
        for function in file.read_text(errors="replace").split("Function : ")[1:]:
            check(function, counts)
    print(f"{len(files)} files: {counts['waited']} first readers wait for the scoreboard, {counts['wrong']} do not")
    return 0 if counts["wrong"] == 0 and counts["waited"] > 15 else 1


if __name__ == "__main__":
    sys.exit(main())
