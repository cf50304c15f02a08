"""How analysis and verification grow with the task set: time and memory of the commands for ever more operations, shape by shape.

usage: growth.py GPUBOUND [N...] [--beside GPUBOUND] [--only SHAPE]... [--most SECONDS] [--markdown]

Each row: operations, seconds of processor time and MB of `analyze --output` and of `verify`, MB of the report, and the exponents by which both
times grew since the row before: 1 is in proportion to the operations, 2 with their square. `verify` has an analysis in it, as it compares bytes.
Fails where one of them is refused for another reason than the length of the report, or where a row breaks a bar:
- memory of both, and time of `verify`, grow by at most 1.41 times what the report, the operations or the analysis grow by, beyond what a start takes;
- `verify` takes at most 2.5 times as long as `analyze`, and a second a 40 MB of report;
- time of `analyze` grows by at most 1.41 times the square of what the operations grow by.
--beside: another build, in turns with the first one. --most: an N is left out behind one that took longer.
Shapes are below. In `slices` and `copies` the report itself lists pairs; in `one-context` each operation's window looks at all streams of the
context, in `contexts` each context at all others. doc/growth.md has the table.
"""
import argparse
import collections
import math
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HEAD = """<platform xmlns="urn:gpubound:platform:1" id="bench" name="Benchmark" architecture="none" compute-capability="7.0" integrated="false">
<sources><source id="bench" kind="data">made up</source></sources>
<parameters>%s</parameters>
<engines source="bench" copy-runlist="own" preemption="instruction" concurrent-kernels="yes" per-sm-carveout="yes">
<direction name="h2d" engine="0"/><direction name="d2h" engine="1"/></engines>
<assumptions>%s</assumptions>
<interference composition="joint">%s</interference>
</platform>
"""
PARAMETERS = {
	"sm.count": "80", "sm.warps": "64", "sm.blocks": "32", "sm.subpartitions": "4", "sm.registers": "65536", "sm.shared": "96KiB",
	"register.unit": "256", "shared.unit": "256B", "shared.reserved": "0B", "block.threads": "1024", "block.registers": "65536",
	"block.shared": "48KiB", "block.shared-optin": "96KiB", "thread.registers": "255", "queues.hardware": "32", "copy.engines": "2",
	"overhead.launch": "5us", "overhead.block": "100ns", "overhead.dependency": "2us", "overhead.copy": "5us",
}
SLICES = {"runlist.timeslice": "2ms", "runlist.switch": "100us"}
ASSUMED = ("A-HOL", "A-PRIO", "A-WC", "A-RUNLIST", "A-CE")
FACTORS = '<factor victim="any" from="all" value="2" source="bench"/><factor victim="transfer" from="all" value="3/2" source="bench"/>'
COUNTED = "".join(f'<factor victim="any" from="sm" count="{count}" value="{10 + count}/10" source="bench"/>' for count in range(1, 32)) + "".join(
	f'<factor victim="any" from="{ring}" value="{value}" source="bench"/>' for ring, value in (("tpc", "11/10"), ("gpc", "11/10"), ("out", "11/10"), ("h2d", "6/5"), ("d2h", "6/5")))


def platform(parameters=(), factors=FACTORS):
	values = dict(PARAMETERS, **dict(parameters))
	return HEAD % (
		"".join(f'<parameter name="{name}" value="{value}" source="bench"/>\n' for name, value in values.items()),
		"".join(f'<assumption id="{name}" status="assumed" source="bench">made up</assumption>' for name in ASSUMED), factors)


class Numbers:
	"""Numbers that look arbitrary and are the same everywhere."""

	def __init__(self):
		self.state = 1

	def next(self, least, greatest):
		self.state = (self.state * 1664525 + 1013904223) % 2**32
		return least + (self.state >> 8) % (greatest - least + 1)


def kernel(name, stream, numbers, threads=None):
	return (f'<kernel id="{name}" stream="{stream}" scope="block" grid="{numbers.next(1, 400)}" block="{threads or 32 * numbers.next(1, 16)}" '
		f'registers="32" wcet="{numbers.next(5, 20)}us" bcet="1us"/>\n')


def copy(name, stream, direction):
	return f'<copy id="{name}" stream="{stream}" direction="{direction}" bytes="1MiB" wcet="100us"/>\n'


def task(number, operations, period="1000ms"):
	return f'<task id="t{number}" period="{period}" deadline="{period}" jitter="1ms">\n{operations}</task>\n'


def tasks(count, each, numbers, stream, only_copies=False):
	"""Tasks of `each` operations, the last ones shorter; stream: of a task, by its number."""
	text, done, number = [], 0, 0
	while done < count:
		operations = []
		for i in range(min(each, count - done)):
			name, at = f"o{number}_{i}", stream(number)
			whole = only_copies or (i in (0, each - 1) and each > 2)
			operations.append(copy(name, at, "h2d" if i % 2 == 0 else "d2h") if whole else kernel(name, at, numbers))
		text.append(task(number, "".join(operations), f"{numbers.next(10000, 40000)}ms"))
		done, number = done + each, number + 1
	return "".join(text), number


def streams(names, extra=""):
	return "".join(f'<stream id="{name}" kind="non-blocking"{extra}/>\n' for name in names)


def applications(number, each):
	"""Streams s0..., so many an application."""
	return "".join(
		f'<application id="a{first}">\n{streams([f"s{i}" for i in range(first, min(first + each, number))])}</application>\n'
		for first in range(0, number, each))


def many_streams(count, numbers):
	text, number = tasks(count, 11, numbers, lambda t: f"s{t}")
	return platform(SLICES), applications(number, 8) + text


def many_tasks(count, numbers):
	text, _ = tasks(count, 2, numbers, lambda t: f"s{t % 8}")
	return platform(), applications(8, 8) + text


def many_contexts(count, numbers):
	text, number = tasks(count, 4, numbers, lambda t: f"s{t}")
	return platform(), applications(number, 1) + text


def one_stream(count, numbers):
	text, _ = tasks(count, count, numbers, lambda t: "s0")
	return platform(), applications(1, 1) + text


def one_context(count, numbers):
	text, number = tasks(count, 11, numbers, lambda t: f"s{t}")
	return platform({"queues.hardware": "1000"}), applications(number, number) + text


def by_blocks(count, numbers):
	text, number = tasks(count, 11, numbers, lambda t: f"s{t}")
	return platform(SLICES, COUNTED), applications(number, 8) + text


def slices(count, numbers):
	text, number = tasks(count, 4, numbers, lambda t: f"s{t}")
	return platform(SLICES), applications(number, 2) + text


def copies(count, numbers):
	text, number = tasks(count, 4, numbers, lambda t: f"s{t}", True)
	return platform(), applications(number, 8) + text


def late(count, numbers):
	"""Blocks may begin late, and one of each kernel fills an SM: who comes beside it?"""
	text, number = tasks(count, 11, numbers, lambda t: f"s{t}")
	text = re.sub(r'block="[0-9]*"', 'block="1024"', text)
	return platform({"dispatch.delay": "1us", "dispatch.stall": "2us", "sm.warps": "32"}), applications(number, 8) + text


def levels(count, numbers):
	text, number = tasks(count, 11, numbers, lambda t: f"s{t}")
	parts = []
	for first in range(0, number, 8):
		inside = "".join(streams([f"s{i}"], f' priority="{i % 2}"') for i in range(first, min(first + 8, number)))
		parts.append(f'<application id="a{first}">\n{inside}</application>\n')
	return platform({"queues.priorities": "2"}), "".join(parts) + text


def events(count, numbers):
	"""A task: a copy, an event, a kernel on another stream, an event, a copy on a third one."""
	number = max(1, count // 7)
	names = "".join(f'<event id="e{t}"/><event id="f{t}"/>\n' for t in range(number))
	text = "".join(
		task(t, copy(f"i{t}", f"s{3 * t}", "h2d") + f'<record id="r{t}" stream="s{3 * t}" event="e{t}"/>'
			f'<wait id="w{t}" stream="s{3 * t + 1}" event="e{t}"/>\n' + kernel(f"k{t}", f"s{3 * t + 1}", numbers) +
			f'<record id="q{t}" stream="s{3 * t + 1}" event="f{t}"/><wait id="v{t}" stream="s{3 * t + 2}" event="f{t}"/>\n' +
			copy(f"o{t}", f"s{3 * t + 2}", "d2h"), "20000ms") for t in range(number))
	return platform(), applications(3 * number, 9) + names + text


def hosts(count, numbers):
	"""Segments: a kernel, a piece on the host, and so on."""
	parts, number = [], max(1, count // 20)
	for t in range(number):
		inside = "".join(kernel(f"k{t}_{i}", f"s{t}", numbers) + f'<host id="h{t}_{i}" wcet="10us" bcet="1us"/>\n' for i in range(10))
		parts.append(task(t, inside, "20000ms"))
	return platform(), applications(number, 8) + "".join(parts)


def chain(count, numbers):
	text, number = tasks(count, 4, numbers, lambda t: f"s{t % 64}")
	members = "".join(f'<member task="t{t}"/>' for t in range(number))
	return platform(), applications(64, 8) + text + f'<chain id="c" kind="reaction" deadline="100000s">{members}</chain>\n'


SHAPES = {
	"streams": many_streams, "tasks": many_tasks, "contexts": many_contexts, "one-stream": one_stream, "one-context": one_context,
	"by-blocks": by_blocks, "slices": slices, "copies": copies, "late": late, "levels": levels, "events": events, "hosts": hosts, "chain": chain,
}


START_S, START_MB, MORE = 0.1, 20, 2**0.5
TOO_LONG = "report-too-large"
LINE = "{:<12} {:>6} {:>9} {:>7} {:>7} {:>9} {:>7} {:>7} {:>9}  {} {}"
Row = collections.namedtuple("Row", "count analysis analysis_mb verification verification_mb report_mb complaint")


def run(arguments, patience):
	"""Exit status, its messages, seconds of processor time, the most memory in MB."""
	with tempfile.TemporaryFile() as errors:
		def limit():
			resource.setrlimit(resource.RLIMIT_CPU, (patience, patience))
		process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limit)
		_, status, used = os.wait4(process.pid, 0)
		process.returncode = os.waitstatus_to_exitcode(status)
		errors.seek(0)
		wrong = [line for line in errors.read().decode().splitlines() if "error:" in line]
		return process.returncode, wrong, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(program, folder, patience):
	"""(analyze s, MB, verify s, MB, report MB, complaint)"""
	report = folder / "report.xml"
	report.unlink(missing_ok=True)
	status, wrong, analysis, analysis_mb = run([program, "analyze", "--output", str(report), str(folder / "taskset.xml")], patience)
	if status not in (0, 1, 4) or not report.exists():
		return analysis, analysis_mb, 0, 0, 0, f"analyze: {status} {wrong[:1]}"
	status, wrong, verification, verification_mb = run([program, "verify", str(report)], patience)
	complaint = "" if status == 0 else f"verify: {status} {wrong[:1]}"
	return analysis, analysis_mb, verification, verification_mb, report.stat().st_size / 2**20, complaint


def exponent(before, after, operations):
	"""Of a time; of what is mostly a start, none."""
	return "" if before is None or before < START_S or after == 0 else f"{math.log(after / before) / math.log(operations):.1f}"


def row(program, shape, count, folder, patience, beside, last, markdown):
	model, body = SHAPES[shape](count, Numbers())
	(folder / "platform.xml").write_text(model)
	(folder / "taskset.xml").write_text(
		'<taskset xmlns="urn:gpubound:taskset:1" id="bench" platform="./platform.xml" origin="o">\n'
		f'<origins><origin id="o" kind="declared" source="made up" by="bench"/></origins>\n{body}</taskset>\n')
	found = Row(count, *measure(program, folder, patience))
	refused = TOO_LONG in found.complaint
	times = [exponent(last and getattr(last, name), getattr(found, name), count / last.count if last else 1) for name in ("analysis", "verification")]
	cells = [shape, count, f"{found.analysis:.2f}", f"{found.analysis_mb:.0f}", times[0],
		*(["too long"] + [""] * 3 if refused else [f"{found.verification:.2f}", f"{found.verification_mb:.0f}", times[1], f"{found.report_mb:.1f}"])]
	name = pathlib.Path(program).name if beside else ""
	print("| " + " | ".join(map(str, cells)) + " |" if markdown else LINE.format(*map(str, cells), name, "" if refused else found.complaint), flush=True)
	return found


def broken(before, after):
	"""Which bars a row breaks."""
	operations, report = after.count / before.count, after.report_mb / before.report_mb
	analysis = (after.analysis + START_S) / (before.analysis + START_S)
	verification = (after.verification + START_S) / (before.verification + START_S)
	memory = [(getattr(after, name) + START_MB) / (getattr(before, name) + START_MB) for name in ("analysis_mb", "verification_mb")]
	bars = {
		"memory": max(memory) <= MORE * max(operations, report),
		"verify beside its report and the analysis": verification <= MORE * max(operations, report, analysis),
		"verify beside analyze": after.verification <= 2.5 * after.analysis + after.report_mb / 40 + START_S,
		"analyze": analysis <= MORE * operations**2,
	}
	return [bar for bar, kept in bars.items() if not kept]


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("program")
	parser.add_argument("--beside")
	parser.add_argument("--only", action="append")
	parser.add_argument("--most", type=float, default=60)
	parser.add_argument("counts", nargs="*", type=int, default=[1000, 2000, 4000, 8800])
	parser.add_argument("--markdown", action="store_true")
	arguments = parser.parse_args()
	head = ("shape", "n", "analyze s", "MB", "growth", "verify s", "MB", "growth", "report MB")
	print("| " + " | ".join(head) + " |\n" + "| --- " * len(head) + "|" if arguments.markdown else LINE.format(*head, "", ""))
	failed = False
	programs = [arguments.program] + ([arguments.beside] if arguments.beside else [])
	with tempfile.TemporaryDirectory() as name:
		for shape in arguments.only or SHAPES:
			last = {}
			for count in arguments.counts:
				for program in programs:
					before = last.get(program)
					if before and (before.complaint or max(before.analysis, before.verification) > arguments.most):
						continue
					found = last[program] = row(
						program, shape, count, pathlib.Path(name), int(8 * arguments.most) + 1, len(programs) > 1, before, arguments.markdown)
					wrong = broken(before, found) if before and not found.complaint else []
					wrong += [found.complaint] if found.complaint and TOO_LONG not in found.complaint else []
					failed |= wrong != []
					if wrong:
						print(f"{shape} {count}: breaks {', '.join(wrong)}", file=sys.stderr, flush=True)
	return failed


if __name__ == "__main__":
	sys.exit(main())
