"""Hostile files end in a diagnostic: exit 3 within 5 seconds and 200 MB, with the line where there is one, and nothing else opened.

usage: hostile.py PROGRAM [--no-limits]   (PROGRAM: read_input; sanitizers need more address space)
"""
import itertools
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent / "input"
SECONDS = 5
BYTES = 200 * 1000 * 1000
ROOT = b'<taskset xmlns="urn:gpubound:taskset:1" id="a" platform="./platform.xml" origin="o">'
MEGABYTE = 1000 * 1000


def doctype(body):
	return b"<?xml version=\"1.0\"?>\n<!DOCTYPE taskset [\n" + body + b"\n]>\n" + ROOT + b"<title>&z;</title></taskset>"


def laughs():
	lines = [b'<!ENTITY a "lol">'] + [b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(24)]
	return doctype(b"\n".join(lines + [b'<!ENTITY z "&y;">']))


def kernels(count):
	head = ROOT + b'<origins><origin id="o" kind="declared" source="s"/></origins><application id="a"><stream id="s"/></application><task id="t">'
	kernel = b'<kernel id="k%d" stream="s" scope="block"><resident blocks="99" wcet="1ms"/></kernel>'
	return head + b"".join(kernel % i for i in range(count)) + b"</task></taskset>"


def deep(depth):
	return ROOT + b"<task>" * depth + b"</task>" * depth + b"</taskset>"


def valid():
	return (HERE / "taskset.xml").read_bytes()


def inside(text):
	"""A valid file with something in place of its title."""
	return valid().replace(b"Two kernels that meet on one SM", text)


def host_tasks(count):
	"""As many tasks as an attacker likes, each valid."""
	head = ROOT + b'<origins><origin id="o" kind="declared" source="s"/></origins>'
	tasks = b"".join(b'<task id="t%d" period="1ms"><host id="h%d" wcet="1ns"/></task>\n' % (i, i) for i in range(count))
	return head + tasks + b"</taskset>"


def streams(count):
	head = ROOT + b'<origins><origin id="o" kind="declared" source="s"/></origins><application id="a">'
	return head + b"".join(b'<stream id="s%d"/>\n' % i for i in range(count)) + b"</application></taskset>"


# (name, bytes, code, line or 0 where the file as a whole is wrong, None where it does not matter)
def cases():
	secret = b'<!ENTITY z SYSTEM "secret.txt">'
	yield "billion laughs", laughs(), "xml-doctype", 2
	yield "quadratic blow-up", doctype(b'<!ENTITY z "' + b"a" * MEGABYTE + b'">').replace(b"&z;", b"&z;" * 100000), "xml-doctype", 2
	yield "external entity", doctype(secret), "xml-doctype", 2
	yield "external parameter entity", doctype(b'<!ENTITY % p SYSTEM "secret.txt">%p;'), "xml-doctype", 2
	yield "external subset", b'<!DOCTYPE taskset SYSTEM "secret.txt">' + ROOT + b"</taskset>", "xml-doctype", 1
	yield "document type behind the root", ROOT + b"</taskset>\n" + b"<!DOCTYPE a []>", "xml-doctype", 2
	yield "undeclared entity", inside(b"&z;"), "xml-malformed", 2
	yield "XInclude", inside(b'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="secret.txt" parse="text"/>'), "schema-violation", 2
	yield "schema location", valid().replace(b"<taskset ", b'<taskset xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
		b'xsi:schemaLocation="urn:gpubound:taskset:1 secret.txt" ', 1).replace(b'period="33ms"', b'period="33"'), "schema-violation", 16
	yield "stylesheet", b'<?xml-stylesheet href="secret.txt"?>\n' + ROOT + b"</taskset>", "schema-violation", 2
	yield "nested 100", deep(100), "xml-too-deep", 1
	yield "nested half a million", deep(MEGABYTE // 2), "xml-too-deep", 1
	yield "open tags only", ROOT + b"<task>" * MEGABYTE, "xml-too-deep", 1
	yield "attribute of 100 MB", valid().replace(b'id="detect"', b'id="' + b"a" * 100 * MEGABYTE + b'"'), "file-too-large", 0
	yield "attribute of 8 MB", valid().replace(b'id="detect"', b'id="' + b"a" * 8 * MEGABYTE + b'"'), "xml-too-large", 16
	yield "attribute of 60 kB", valid().replace(b'period="33ms"', b'period="' + b"1" * 60000 + b'"'), "schema-violation", 16
	yield "a fraction of 60 kB", valid().replace(b'period="33ms"', b'period="' + b"1" * 30000 + b"." + b"1" * 30000 + b'ms"'), "number-too-large", 16
	yield "name of 8 MB", ROOT + b"<" + b"a" * 8 * MEGABYTE + b"/></taskset>", "xml-too-large", 1
	yield "a million attributes", ROOT + b"<task" + b"".join(b' a%d=""' % i for i in range(MEGABYTE // 2)) + b"/></taskset>", "xml-too-large", 1
	yield "a thousand namespaces", ROOT.replace(b">", b"".join(b' xmlns:a%d="u"' % i for i in range(1000)) + b">") + b"</taskset>", "xml-too-large", 1
	yield "a million elements", ROOT + b"<a/>" * 2 * MEGABYTE + b"</taskset>", "xml-too-large", 1
	yield "as many elements as allowed", ROOT + b"<a/>" * 249900 + b"</taskset>", "schema-violation", 1
	yield "as many attributes as allowed", ROOT + (b"<a" + b"".join(b' a%d=""' % i for i in range(60)) + b"/>") * 2000 + b"</taskset>", "schema-violation", 1
	yield "text of 8 MB", inside(b"a" * 8 * MEGABYTE), "xml-too-large", 2
	yield "CDATA of 8 MB", inside(b"<![CDATA[" + b"a" * 8 * MEGABYTE + b"]]>"), "xml-too-large", 2
	yield "texts of 8 MB", inside((b"a" * 60000 + b"<!-- -->") * 130).replace(b'period="33ms"', b'period="33"'), "schema-violation", None
	yield "character references", inside(b"&#65;" * 12000).replace(b'period="33ms"', b'period="33"'), "schema-violation", 16
	yield "comment of hyphens", ROOT + b"<!--" + b"-" * 8 * MEGABYTE, "xml-malformed", 1
	yield "comment that does not end", ROOT + b"\n<!-- a\n b", "xml-malformed", 2
	yield "comment of 8 MB", ROOT + b"<!--" + b"a" * 8 * MEGABYTE + b"-->", "xml-too-large", 1
	yield "instruction that does not end", ROOT + b"\n<?a", "xml-malformed", 2
	yield "CDATA that does not end", inside(b"<![CDATA[ a ]]"), "xml-malformed", 2
	for what, mistake in (
		("end of CDATA", b"]]>"), ("ampersands", b"&"), ("character reference to NUL", b"&#0;"), ("control characters", b"\x01"),
		("entity references", b"&a;"), ("references that do not end", b"&a"), ("huge character references", b"&#99999999999;"),
		("colons", b"<a::b/>"), ("no name", b"<:/>"), ("digits", b"<1/>"), ("wrong end", b"<a></b>"), ("too many ends", b"</a>"),
		("ampersands in values", b"<a b='&'/>"), ("prefixes", b"<x:a/>"), ("empty prefixes", b"<a xmlns:x=''/>"), ("spaces", b"< a/>"),
		("instructions", b"<?xml?>"), ("instructions without a name", b"<??>"), ("the xml prefix", b"<a xmlns:xml='u'/>"),
	):
		yield f"many: {what}", ROOT + mistake * (2 * MEGABYTE // len(mistake)), "", None
		yield f"some: {what}", ROOT + (mistake * (60000 // len(mistake)) + b"<a/>") * 2, "", None
	yield "comment that is too short", ROOT + b"<!-->" + b"<task>" * 10, "xml-malformed", 1
	yield "value without quotes", ROOT + b"\n<task id=1 x=\"<task" + b" a='1'" * MEGABYTE + b"/></taskset>", "xml-malformed", 2
	yield "tag in a value", ROOT + b"\n<task id='<task>'/></taskset>", "xml-malformed", 2
	yield "NUL in the text", inside(b"a\0b"), "xml-encoding", 2
	yield "NUL at the end", valid() + b"\0", "xml-encoding", 31
	yield "zeros", bytes(MEGABYTE), "xml-encoding", 1
	yield "zeros, many", bytes(20 * MEGABYTE), "file-too-large", 0
	yield "escape characters", inside(b"\x1b[2J"), "xml-malformed", 2
	yield "UTF-16", valid().decode().encode("utf-16"), "xml-encoding", 1
	yield "UTF-16 without a mark", valid().decode().encode("utf-16-be"), "xml-encoding", 1
	yield "UTF-32", valid().decode().encode("utf-32"), "xml-encoding", 1
	yield "Latin-1", inside("Größe".encode("latin-1")), "xml-encoding", 2
	yield "Latin-1, declared", b'<?xml version="1.0" encoding="ISO-8859-1"?>\n' + inside("Größe".encode("latin-1")), "xml-encoding", 3
	yield "Latin-1, declared and not used", b'<?xml version="1.0" encoding="ISO-8859-1"?>\n' + valid(), "xml-encoding", 1
	yield "UTF-7, declared", b"<?xml version='1.0' encoding = 'UTF-7'?>" + valid(), "xml-encoding", 1
	yield "overlong UTF-8", inside(b"\xc0\xbc"), "xml-encoding", 2
	yield "surrogate in UTF-8", inside(b"\xed\xa0\x80"), "xml-encoding", 2
	yield "cut UTF-8 at the end", valid() + b"\xe2\x82", "xml-encoding", 31
	yield "empty", b"", "xml-malformed", 1
	yield "blank", b" \n\n", "xml-malformed", None
	yield "no XML", b"period=33ms\n" * 1000, "xml-malformed", 1
	yield "JSON", b'{"tasks": []}', "xml-malformed", 1
	yield "two roots", valid() + valid(), "xml-malformed", 31
	yield "wrong root", b"<html><body/></html>", "xml-root", 1
	yield "future version", valid().replace(b"taskset:1", b"taskset:18"), "xml-version", 1
	yield "long namespace", valid().replace(b"taskset:1", b"taskset:1" + b"0" * 60000), "xml-version", 1
	yield "undeclared prefix", valid().replace(b"<title>", b"<x:title>").replace(b"</title>", b"</x:title>"), "xml-malformed", 2
	yield "twice the same attribute", valid().replace(b'period="33ms"', b'period="33ms" period="33ms"'), "xml-malformed", 16
	far = valid().replace(b"<title>", (b"\n" * 60000 + b"<!-- -->") * 2 + b"<title>")
	yield "a schema's violation beyond line 65535", far.replace(b'period="33ms"', b'period="33"'), "schema-violation", 120016
	yield "a mistake beyond line 65535", far.replace(b'id="plan"', b'id="detect"'), "duplicate-id", 120027
	yield "many duplicates", host_tasks(20000).replace(b'"t1', b'"t2'), "duplicate-id", None
	yield "many kernels", kernels(14000), "kernel-incomplete", 1
	yield "many streams, none used", streams(60000), "schema-violation", None
	yield "many unknown attributes", ROOT + b"<task b='1'/>" * 50000 + b"</taskset>", "schema-violation", 1


def truncations():
	whole = valid()
	for length in range(0, len(whole) - 2, 97):
		yield f"cut after {length} bytes", whole[:length], "", None


def limit():
	resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
	resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def run(program, path, stdin=subprocess.DEVNULL):
	start = time.monotonic()
	limits = None if "--no-limits" in sys.argv else limit
	# meson sets it: the C library then fills a megabyte at each of half a million errors, where libxml2's text of one stands before free memory
	environment = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}
	result = subprocess.run([program, "taskset", str(path)], stdin=stdin, capture_output=True, timeout=60, preexec_fn=limits, env=environment)
	return result, time.monotonic() - start


def judge(name, result, seconds, code, line):
	text = result.stderr.decode(errors="replace")
	errors = [entry for entry in text.splitlines() if ": error: " in entry]
	hit = [entry for entry in errors if code in entry and (line is None or (f":{line}: error:" in entry if line else True))]
	faults = []
	if result.returncode != 3 or not errors or result.stdout:
		faults.append(f"exit {result.returncode}, {len(errors)} errors")
	if not hit:
		faults.append(f"no {code} at line {line}")
	if any("SECRET" in entry for entry in text.splitlines()):
		faults.append("another file's content")
	if any(len(entry) > 4000 or "\x1b" in entry for entry in errors):
		faults.append("a diagnostic that is not fit to print")
	if seconds > (6 * SECONDS if "--no-limits" in sys.argv else SECONDS):
		faults.append(f"{seconds:.1f} s")
	return [f"{name}: {', '.join(faults)}\n{text[:600]}"] if faults else []


def special(program, folder):
	fifo = folder / "nothing.xml"
	yield "missing file", run(program, fifo), "file-unreadable"
	yield "directory", run(program, folder), "file-unreadable"
	yield "endless device", run(program, "/dev/zero"), "file-unreadable"
	yield "empty standard input", run(program, "-"), "xml-malformed"
	with open("/dev/zero", "rb") as zeros:
		yield "endless standard input", run(program, "-", zeros), "file-too-large"


def main(program):
	failures, count, slowest = [], 0, (0.0, "")
	with tempfile.TemporaryDirectory() as name:
		folder = pathlib.Path(name)
		(folder / "platform.xml").write_bytes((HERE / "platform.xml").read_bytes())
		(folder / "secret.txt").write_text("SECRET")
		for what, content, code, line in itertools.chain(cases(), truncations()):  # one at a time: a child is a copy of this process
			(folder / "taskset.xml").write_bytes(content)
			result, seconds = run(program, folder / "taskset.xml")
			failures += judge(what, result, seconds, code, line)
			slowest = max(slowest, (seconds, what))
			count += 1
		for what, (result, seconds), code in special(program, folder):
			failures += judge(what, result, seconds, code, 0)
			count += 1
	for failure in failures:
		print(failure)
	print(f"{count - len(failures)} passed, {len(failures)} failed, "
		f"{slowest[0]:.2f} s at most ({slowest[1]})")
	return 1 if failures else 0


sys.exit(main(sys.argv[1]))
