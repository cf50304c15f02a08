"""Cases of the library in threads: every file that a thread writes holds, to the byte, what the command says of that task set.

usage: api_threads.py API_THREADS GPUBOUND SOURCE_ROOT [ROUNDS]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, GPUBOUND, ROOT = sys.argv[1:4]
ROUNDS = sys.argv[4] if len(sys.argv) > 4 else "4"
THREADS = 6
SETS = [os.path.join(ROOT, name) for name in (
    "examples/two-streams.xml", "examples/copies.xml", "examples/programs.xml", "examples/known-phases.xml", "examples/nowhere.xml",
    "tests/golden/verdicts.xml", "README.md")]
# A report says which program made it and by which command, with sums over both; these differ from the command's. Among threads all is the same.
MADE_BY = re.compile(rb"<environment [^>]*/>|<invocation>.*?</invocation>|<invocation/>", re.S)
FORMATS = {"txt": "text", "csv": "csv", "xml": "xml"}


def said(path, form):
    result = subprocess.run([GPUBOUND, "analyze", "-q", "-f", form, path], capture_output=True, timeout=120)
    return result.stdout.rsplit(b"\n\n", 1)[0] + b"\n" if form == "text" and result.stdout else result.stdout  # the command says the verdict once more


def same(ours, theirs):
    return MADE_BY.sub(b"", ours) == MADE_BY.sub(b"", theirs)


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([PROGRAM, folder, ROUNDS, str(THREADS), *SETS], capture_output=True, text=True, timeout=600)
        if result.returncode != 0:
            print(f"exit {result.returncode}: {result.stderr[:4000]}")
            return 1
        files = 0
        for number, path in enumerate(SETS):
            for ending, form in FORMATS.items():
                expected = said(path, form)
                for thread in range(THREADS):
                    file = pathlib.Path(folder) / f"{thread}-{number}.{ending}"
                    if file.exists() != bool(expected):
                        wrong.append(f"{file.name}: {'is' if file.exists() else 'is not'} there")
                    elif expected and not same(file.read_bytes(), expected):
                        wrong.append(f"{file.name}: not what gpubound analyze says of {path}")
                    elif expected and file.read_bytes() != (pathlib.Path(folder) / f"0-{number}.{ending}").read_bytes():
                        wrong.append(f"{file.name}: not what thread 0 wrote")
                    files += bool(expected)
        left = [name for name in os.listdir(folder) if not re.fullmatch(r"\d+-\d+\.(txt|csv|xml)", name)]
    for text in wrong + [f"left behind: {name}" for name in left]:
        print(text)
    print(f"{files} files of {THREADS} threads, {len(wrong)} wrong, {len(left)} left behind")
    return 1 if wrong or left or files < THREADS * 12 else 0


sys.exit(main())
