"""The names that the schemas enumerate are those of the program's tables: a name in one and not in the other is an error.

usage: schemas.py SOURCE_ROOT
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

XS = "{http://www.w3.org/2001/XMLSchema}"


def enumerations(path):
	"""Simple type -> its enumerated values, in order."""
	types = {}
	for simple in ElementTree.parse(path).iter(XS + "simpleType"):
		values = [entry.get("value") for entry in simple.iter(XS + "enumeration")]
		if values:
			types[simple.get("name")] = values
	return types


def rows(path, macro, column):
	"""The strings in a column (0: the first quoted one) of a table of macro calls."""
	lines = [line for line in path.read_text().splitlines() if line.startswith(macro + "(")]
	return [re.findall(r'"([^"]*)"', line)[column] for line in lines]


def names(path, array):
	"""The strings of a C array of names."""
	body = re.search(re.escape(array) + r"\[\] = \{(.*?)\}", path.read_text(), re.S).group(1)
	return re.findall(r'"([^"]*)"', body)


def expectations(model):
	platform, taskset = model / "platform.c", model / "taskset.c"
	parameters = rows(model / "parameters.def", "PARAMETER", 0)
	assumptions = rows(model / "assumptions.def", "ASSUMPTION", 0)
	directions = names(platform, "direction_names")
	choices = ["copy-runlist", "preemption", "concurrent-kernels", "per-sm-carveout"]
	victims = names(platform, "access_names") + ["transfer"]
	statuses = [name for name in names(platform, "status_names") if name not in ("unstated", "conditional")]
	interferers = names(platform, "interferer_names")
	yield "platform-1.xsd", {
		"parameter": parameters,
		"assumption-id": assumptions,
		"assumption-status": statuses,
		"placement-policy": names(platform, "placement_names"),
		"copy-runlist": names(platform, "copy_runlist_names"),
		"preemption": names(platform, "preemption_names"),
		"ternary": names(platform, "ternary_names"),
		"direction": directions,
		"victim": victims,
		"interferer": interferers,
		"composition": names(platform, "composition_names"),
	}
	yield "program-1.xsd", {"class": rows(model / "classes.def", "INSTRUCTION_CLASS", 0)}
	yield "frame-1.xsd", {
		"declared-name": [name for name in parameters if name.startswith("raster.")],
		"primitive": [name for name in names(model / "frame.c", "primitive_names") if name != "triangle"],
	}
	yield "taskset-1.xsd", {
		"declared-name": parameters + ["engine." + name for name in directions] + choices,
		"assumption-id": assumptions,
		"copy-direction": [name for name in directions if name != "memset"],
		"victim": victims,
		"interferer": interferers,
		"access": names(platform, "access_names"),
		"origin-kind": names(taskset, "origin_names"),
		"stream-kind": names(taskset, "stream_names"),
		"arrival-kind": names(taskset, "arrival_names"),
		"scope": names(taskset, "scope_names"),
		"cache": names(taskset, "cache_names"),
		"chain-kind": names(taskset, "chain_names"),
	}


def main(root):
	failures = 0
	for file, expected in expectations(root / "src" / "model"):
		found = enumerations(root / "schema" / file)
		for kind, wanted in expected.items():
			missing = set(wanted) - set(found.get(kind, []))
			extra = set(found.get(kind, [])) - set(wanted)
			if missing or extra or len(found[kind]) != len(wanted):
				print(f"{file}: type {kind}: missing {sorted(missing)}, not in the table {sorted(extra)}")
				failures += 1
	return 1 if failures else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
