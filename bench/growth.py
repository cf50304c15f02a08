"""How analysis and verification grow with the task set: time and memory of the commands for ever more operations, shape by shape.

usage: growth.py GPUBOUND [N...] [--beside GPUBOUND] [--only SHAPE]... [--most SECONDS]

Each row: operations, seconds of processor time and MB of `analyze --output` and of `verify`, MB of the report. Fails where one of them is
refused for another reason than the length of the report, or where from one N to the next `verify` grows more than a shape permits: its time or its memory by more than 1.41 times what the
report grows by, beyond what a start takes. --beside: another build, in turns with the first one. --most: an N is left out behind
one that took longer. Shapes are below. In `slices` and `copies` the
report itself lists pairs; in `one-context` each operation's window looks at all streams of the context, and time grows with their number.
"""
import argparse
import os
import pathlib
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
	"by-blocks": by_blocks, "slices": slices, "copies": copies, "levels": levels, "events": events, "hosts": hosts, "chain": chain,
}


WINDOWS = ("one-context", "one-stream", "tasks")  # a run of operations, in windows over all others of the context, or over itself


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


def row(program, shape, count, folder, patience, beside):
	model, body = SHAPES[shape](count, Numbers())
	(folder / "platform.xml").write_text(model)
	(folder / "taskset.xml").write_text(
		'<taskset xmlns="urn:gpubound:taskset:1" id="bench" platform="./platform.xml" origin="o">\n'
		f'<origins><origin id="o" kind="declared" source="made up" by="bench"/></origins>\n{body}</taskset>\n')
	found = measure(program, folder, patience)
	name = pathlib.Path(program).name if beside else ""
	print(f"{shape:<12} {count:>6} {found[0]:>9.2f} {found[1]:>7.0f} {found[2]:>9.2f} {found[3]:>7.0f} {found[4]:>8.1f}  {name} {found[5]}", flush=True)
	return found


def grows(shape, before, after):
	"""Does `verify` take longer, or more memory, than the report's growth makes it?"""
	start_s, start_mb, more = 0.1, 20, 2**0.5
	factor = more * max(after[4] / before[4], 1)
	if shape in WINDOWS:
		factor *= after[4] / before[4]
	return after[2] + start_s > factor * (before[2] + start_s) or after[3] + start_mb > factor * (before[3] + start_mb)


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("program")
	parser.add_argument("--beside")
	parser.add_argument("--only", action="append")
	parser.add_argument("--most", type=float, default=60)
	parser.add_argument("counts", nargs="*", type=int, default=[1000, 2000, 4000, 8800])
	arguments = parser.parse_args()
	print(f"{'shape':<12} {'n':>6} {'analyze s':>9} {'MB':>7} {'verify s':>9} {'MB':>7} {'report':>8}")
	failed = False
	programs = [arguments.program] + ([arguments.beside] if arguments.beside else [])
	with tempfile.TemporaryDirectory() as name:
		for shape in arguments.only or SHAPES:
			last = {}
			for count in arguments.counts:
				for program in programs:
					if program in last and (last[program][5] or max(last[program][0], last[program][2]) > arguments.most):
						continue
					found = row(program, shape, count, pathlib.Path(name), int(8 * arguments.most) + 1, len(programs) > 1)
					failed |= found[5] != "" and "report-too-large" not in found[5]
					if program in last and not found[5] and grows(shape, last[program], found):
						print(f"{'':<12} {'':>6} grows faster than the report")
						failed = True
					last[program] = found
	return failed


if __name__ == "__main__":
	sys.exit(main())
