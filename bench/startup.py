"""How long a process of gpubound takes, beside what loading libxml2 alone does.

Time passed of a process that does nothing, of one that only initialises libxml2, of xmllint, which parses examples/two-streams.xml, and
validates it besides, of `gpubound help`, `gpubound version` and `gpubound analyze` of that file, run in turns: the least and the median of each, in
milliseconds; then how many libraries each loads before it begins. Another build's program is run beside this one where it is named.

usage: startup.py GPUBOUND [TURNS [OTHER]]
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = "examples/two-streams.xml"
PROGRAMS = {"nothing": ("int main(void) { return 0; }", ()),
            "libxml2 alone": ("#include <libxml/parser.h>\nint main(void) { xmlInitParser(); return 0; }", ("libxml-2.0",))}


def compiled(folder, name):
    text, packages = PROGRAMS[name]
    source, program = folder / "program.c", folder / name.replace(" ", "-")
    source.write_text(text)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True, check=True).stdout.split() if packages else []
    subprocess.run([os.environ.get("CC", "cc"), "-O2", source, "-o", program, *flags], check=True)
    return [str(program)]


def passed(command):
    began = time.perf_counter()
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def libraries(program):
    ldd = shutil.which("ldd")
    return str(sum("=>" in line for line in subprocess.run([ldd, program], capture_output=True, text=True).stdout.splitlines())) if ldd else "?"


def main():
    programs = dict(zip(("gpubound", "other"), map(os.path.abspath, (sys.argv[1], *sys.argv[3:]))))
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        commands = {name: compiled(pathlib.Path(folder), name) for name in PROGRAMS}
        if shutil.which("xmllint"):
            commands["xmllint"] = [shutil.which("xmllint"), "--noout", EXAMPLE]
            commands["xmllint --schema"] = [shutil.which("xmllint"), "--noout", "--schema", "schema/taskset-1.xsd", EXAMPLE]
        for name, program in programs.items():
            commands[f"{name} help"] = [program, "help"]
            commands[f"{name} version"] = [program, "version"]
            commands[f"{name} analyze"] = [program, "analyze", "-q", "--format=csv", EXAMPLE]
        times = {name: [] for name in commands}
        for _ in range(turns):
            for name, command in commands.items():
                times[name].append(passed(command))
        for name, command in commands.items():
            all_times = sorted(times[name])
            print(f"{name:18} least {all_times[0] * 1e3:5.2f} ms, median {all_times[len(all_times) // 2] * 1e3:5.2f} ms, libraries {libraries(command[0])}")


if __name__ == "__main__":
    main()
