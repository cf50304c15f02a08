"""What analyze writes verify takes, however large the numbers are; what would be refused as too large is refused before it is written.

Each number of a task set, one at a time and all of a kind together, is set to the greatest that its attribute takes and to some below it:
the sums and products of it leave 64 bits somewhere. `long`: a report of just as many bytes as may be written, and one of a byte more.

`crafted`: a report whose steps form one chain.

usage: limits.py GPUBOUND SOURCE_ROOT numbers EXAMPLE... | crafted | long
"""
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

LIMIT = 64 * 2**20
TIMES = ["9223372036854775806ns", "9200000000s", "4611686018427387904ns", "3000000000s", "90000000s", "1000000s"]
NUMBERS = {
	"wcet": TIMES, "period": TIMES, "deadline": TIMES, "jitter": TIMES, "bcet": TIMES, "offset": TIMES, "timeslice": TIMES,
	"min-distance": TIMES, "bytes": ["9223372036854775806B", "4GiB"], "grid": ["2147483647", "2147483647x65535", "65536x65535x65535"],
	"registers": ["255"], "shared-dynamic": ["9223372036854775806B", "48KiB"], "blocks": ["1", "2147483647"],
}
VALUES = TIMES + ["9223372036854775806", "9223372036854775806/9223372036854775805", "1000000007/1000000006"]


def run(*arguments):
	return subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)


def changed(text):
	"""(what, task set) with one number changed, or one attribute everywhere."""
	for name, values in NUMBERS.items():
		places = list(re.finditer(rf' {name}="[^"]*"', text))
		for value in values:
			for place in places[:3]:
				yield f"{name}={value} at {place.start()}", text[:place.start()] + f' {name}="{value}"' + text[place.end():]
			if places:
				yield f"every {name}={value}", re.sub(rf' {name}="[^"]*"', f' {name}="{value}"', text)
	for place in re.finditer(r'(<(?:declare|interference) [^>]*value=")[^"]*"', text):
		for value in VALUES:
			yield f"value {value} at {place.start()}", text[:place.start()] + place.group(1) + value + '"' + text[place.end():]


class Checker:
	def __init__(self, program, folder):
		self.program, self.folder, self.failures, self.verified, self.refused = program, pathlib.Path(folder), 0, 0, 0

	def fail(self, what, why):
		self.failures += 1
		print(f"{what}: {why}")

	def check(self, what, path):
		report = self.folder / "report.xml"
		report.unlink(missing_ok=True)
		done = run(self.program, "analyze", "--output", report, path)
		if done.returncode == 3 and not report.exists() and done.stdout == "" and "error:" in done.stderr:
			self.refused += 1
			return done.stderr
		if done.returncode not in (0, 1, 4):
			return self.fail(what, f"analyze ends with {done.returncode}: {done.stderr[-300:]}")
		verified = run(self.program, "verify", report)
		self.verified += 1
		if verified.returncode != 0:
			self.fail(what, f"verify ends with {verified.returncode}: {verified.stderr[:400]}")
		return report


def numbers(checker, root, names):
	for name in names:
		text = (root / "examples" / f"{name}.xml").read_text()
		for what, other in changed(text):
			path = checker.folder / "taskset.xml"
			path.write_text(other)
			checker.check(f"{name}: {what}", path)
	if checker.verified < 50 or checker.refused < 5:
		checker.fail("numbers", f"only {checker.verified} verified and {checker.refused} refused")


def padded(text, characters):
	"""Requirements of tasks, which a report repeats once, so many characters longer together."""
	def pad(place):
		nonlocal characters
		more = min(characters, 60000)
		characters -= more
		return f'{place.group(0)} requirement="R{"x" * more}"'
	text = re.sub(r"<task id=\"[^\"]*\"", pad, text)
	assert characters == 0
	return text


def long(checker, root):
	sys.path.insert(0, str(root / "bench"))
	import growth
	model, body = growth.copies(2200, growth.Numbers())
	text = ('<taskset xmlns="urn:gpubound:taskset:1" id="bench" platform="./platform.xml" origin="o">\n'
		f'<origins><origin id="o" kind="declared" source="made up" by="limits.py"/></origins>\n{body}</taskset>\n')
	(checker.folder / "platform.xml").write_text(model)
	path = checker.folder / "taskset.xml"

	def check(characters):
		path.write_text(padded(text, characters))
		return checker.check(f"{characters} characters more", path)
	first = check(0)
	if not isinstance(first, pathlib.Path):
		return checker.fail("long", first)
	characters = LIMIT - first.stat().st_size - 100000
	for _ in range(2):  # attributes have names; then a number in the report may have a digit more
		report = check(characters)
		if not isinstance(report, pathlib.Path):
			return checker.fail("long", report)
		characters += LIMIT - report.stat().st_size
	report = check(characters)
	if not isinstance(report, pathlib.Path) or report.stat().st_size != LIMIT:
		checker.fail("long", f"a report of {LIMIT} bytes: {report}")
	refused = check(characters + 1)
	if not isinstance(refused, str) or f"this one has {LIMIT + 1} [report-too-large]" not in refused:
		checker.fail("long", f"a byte more: {refused}")


def crafted(checker, root):
	"""A bound that nobody knows rests on a chain of steps as long as a report may be: refused, in the time and memory of its length."""
	report = checker.check("two-streams", root / "examples" / "two-streams.xml")
	text, count = report.read_text(), 400000
	last = len(re.findall("<step ", text))
	steps = "\n".join(f'<step id="s{last + i}" rule="sum" about="task:resize" value="1" unit="ns"><from role="C" step="s{last + i - 1}"/></step>'
		for i in range(1, count + 1))
	text = text.replace("</derivation>", steps + "</derivation>")
	text = re.sub(r'<bound name="TT" reason="[^"]*"/>', f'<bound name="TT9" value="1" step="s{last + count}" assumptions="A-WCET"/>', text, count=1)
	report.write_text(text)

	def limit():
		resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
		resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
	done = subprocess.run([checker.program, "verify", str(report)], capture_output=True, text=True, preexec_fn=limit)
	if done.returncode != 1 or "TT9" not in done.stderr or done.stderr.count("that none rests on") > 3:
		checker.fail("crafted", f"verify ends with {done.returncode}: {done.stderr[-400:]}")


def main():
	program, root, what = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
	with tempfile.TemporaryDirectory() as folder:
		checker = Checker(program, folder)
		if what == "numbers":
			numbers(checker, root, sys.argv[4:])
		elif what == "crafted":
			crafted(checker, root)
		else:
			long(checker, root)
	print(f"{checker.verified} verified, {checker.refused} refused, {checker.failures} failed")
	return checker.failures > 0


if __name__ == "__main__":
	sys.exit(main())
