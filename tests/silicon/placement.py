"""Block placement against recorded traces. Usage: placement.py GPUBOUND FOLDER [--all]

Without --all the excerpts in FOLDER/traces; with it the whole folder named by GPUBOUND_TRACES, skipped aloud where that is not set."""
import csv
import gzip
import io
import os
import pathlib
import subprocess
import sys
import unittest
from random import Random

GPUBOUND, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
ALL = "--all" in sys.argv[3:]
EXCERPTS = FOLDER / "traces"

HELD = ("paper_pairs", "paper_balance", "paper_random", "h_random", "h_wide", "h_res", "h_resmax")
MOVING = ("quiet_mixed", "quiet_prio", "quiet_waves", "quiet_carveout_mixed", "quiet_carveout_prio", "quiet_carveout_waves", "mixed")
# The unknown ring pointers at the beginning cost the first kernels of a file, which weigh more in an excerpt.
EXACT_BLOCK = 99.5 if ALL else 97


def validate(*words, **more):
    return subprocess.run([GPUBOUND, "validate", *map(str, words)], capture_output=True, text=True, timeout=600, **more)


def rows(*words):
    result = validate("-m", "h200", "--format=csv", *words)
    assert result.returncode == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


def percent(row, figure, among):
    return 100 * int(row[figure]) / int(row[among])


class Rates(unittest.TestCase):
    folder = EXCERPTS

    def files(self, names):
        return [path for path in (self.folder / (name + ".csv.gz") for name in names) if path.exists()]

    def test_held_kernels(self):
        table = rows(*self.files(HELD))
        self.assertEqual(table[-1]["file"], "total")
        for row in table:
            with self.subTest(row["file"]):
                self.assertGreater(int(row["held"]), 20)
                self.assertGreaterEqual(percent(row, "consistent", "held"), 99.99)
                self.assertGreaterEqual(percent(row, "exact_set", "held"), 99.99)
                self.assertGreaterEqual(percent(row, "exact_block", "held"), EXACT_BLOCK)
                self.assertLess(percent(row, "round_robin_exact_set", "held"), 91)

    def test_moving_kernels(self):
        for row in rows(*self.files(MOVING))[:-1]:
            with self.subTest(row["file"]):
                self.assertGreaterEqual(percent(row, "blocks_consistent", "blocks"), 99)
                self.assertLess(float(row["permitted_mean"]), 0.6 * float(row["fitting_mean"]))
                self.assertGreaterEqual(percent(row, "exact_set", "held"), 99.9)


class Probed(unittest.TestCase):
    """What was recorded to decide between rules: traces/README.md."""

    def exact(self, name, *words):
        row = rows("--carveout=default", *words, EXCERPTS / (name + ".csv.gz"))[-1]
        return int(row["held"]) - int(row["exact_set"]), int(row["held"])

    def test_registers_and_static(self):
        self.assertEqual(self.exact("registers"), (0, 78))
        self.assertEqual(self.exact("static"), (1, 82))

    def test_carveouts(self):
        self.assertEqual(self.exact("carveout"), (0, 241))
        self.assertEqual(self.exact("carveout_fresh"), (0, 76))  # made after the rule
        text = gzip.open(EXCERPTS / "carveout.csv.gz", "rt").read().splitlines()
        unsaid = "\n".join(line.rsplit(",", 1)[0] for line in text) + "\n"
        for percent in (0, 50, 100):
            result = validate("-m", "h200", "--format=csv", f"--carveout={percent}", "-", input=unsaid)
            row = list(csv.DictReader(io.StringIO(result.stdout)))[-1]
            self.assertLess(percent_of(row), 90, percent)

    def test_partitions(self):
        """Kernels of up to five partitions, the pointers of one chip; the first one of a recording is not known."""
        for name, held, missed in (("partition_random", 322, 1), ("partition_wide", 72, 1), ("partition_deep", 28, 0), ("partition_static", 65, 0)):
            row = rows("--carveout=default", EXCERPTS / (name + ".csv.gz"))[-1]
            self.assertEqual([int(row[f]) for f in ("held", "exact_set", "exact_block")], [held, held, held - missed], name)
            self.assertLess(percent(row, "round_robin_exact_set", "held"), 95)

    def test_rests(self):
        """The rest comes before all whole layers are served (P17); the pointers are not known at the first kernel, and after those left out."""
        row = list(csv.DictReader(io.StringIO(validate("-m", "h100", "--carveout=default", "--format=csv", FOLDER / "h100-e/rests.csv.gz").stdout)))[-1]
        self.assertEqual([int(row[f]) for f in ("held", "exact_set", "exact_block")], [22, 22, 20])

    def test_pointers_of_a_new_process(self):
        header, *lines = gzip.open(EXCERPTS / "fresh.csv.gz", "rt").read().splitlines(keepends=True)
        processes = {}
        for line in lines:
            processes.setdefault(line.split(",")[0], [header]).append(line)
        self.assertEqual(len(processes), 12)
        for name, text in processes.items():
            result = validate("-m", "h200", "--format=csv", "-", input="".join(text))
            row = list(csv.DictReader(io.StringIO(result.stdout)))[-1]
            self.assertEqual(row["exact_block"], row["held"], name)


class Holes(unittest.TestCase):
    """What fits into what others left: holes.py."""

    def counts(self, kind, *names):
        printed = subprocess.run([sys.executable, FOLDER / "holes.py", kind, *(EXCERPTS / (n + ".csv.gz") for n in names)],
                                 capture_output=True, text=True, check=True).stdout
        return {name: int(number) for name, number in (line.split(",") for line in printed.splitlines())}

    def test_registers(self):
        for name, kernels, waited in (("holes_layers", 32, 6), ("holes_registers", 32, 7)):
            got = self.counts("registers", name)
            self.assertEqual((got["kernels"], got["as the rule says"], got["waited"], got["not admitted"]), (kernels, kernels, waited, 0))

    def test_shared_memory(self):
        got = self.counts("shared", "holes_shared")
        self.assertEqual([got[n] for n in ("sequences", "ring", "line")], [6, 6, 2])

    def test_one_warp_waits_not_its_block(self):
        late = {"t0": 0, "tlast": 0}
        for row in csv.DictReader(gzip.open(EXCERPTS / "delays.csv.gz", "rt")):
            first = min(int(row["t0"]), int(row["tlast"]))
            if row["kernel"] == "1":
                late = {name: max(late[name], int(row[name]) - first) for name in late}
        self.assertEqual(late, {"t0": 96, "tlast": 16544})


class Late(unittest.TestCase):
    """late.py on blocks made up here: one SM stands empty for 5 us, and the second kernel begins 1 us before the first one's last block."""

    def test_made_up_blocks(self):
        rows_of = [(0, 0, 2, 0, 0, 9000), (0, 1, 2, 1, 6000, 9000), (1, 0, 1, 2, 5000, 9000)]
        text = "exp,cfg,rep,kernel,prio,threads,smid,block,t0,t1\n" + "".join(
            f"e,0,0,{k},0,{w * 32},{sm},{b},{t0},{t1}\n" for k, b, w, sm, t0, t1 in rows_of)
        path = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"gpubound-late-{os.getpid()}.csv"
        path.write_text(text)
        printed = subprocess.run([sys.executable, FOLDER / "late.py", path], capture_output=True, text=True, check=True).stdout
        path.unlink()
        self.assertEqual(printed.splitlines()[1:], ["1,0,0,0,0,0,0,0", "2,1,1,1000,0,6000,1,6000"])


def percent_of(row):
    return percent(row, "exact_set", "held")


class Excerpts(unittest.TestCase):
    """Options and refusals."""

    def run_on(self, text, *words, name=None):
        return validate("-m", "h200", *words, name or "-", **({} if name else {"input": text}))

    def text(self, name="paper_pairs"):
        return gzip.open(EXCERPTS / (name + ".csv.gz"), "rt").read()

    def test_order_in_many_levels(self):
        table = rows(EXCERPTS / "paper_waves.csv.gz")
        self.assertEqual((table[0]["held"], table[0]["exact_set"]), ("2", "2"))
        self.assertEqual(table[0]["exact_block"], "1")  # the ring pointers are unknown at the first

    def test_what_is_inferred(self):
        table = validate("-m", "h200", EXCERPTS / "h_resmax.csv.gz", EXCERPTS / "quiet_mixed.csv.gz").stdout.splitlines()
        self.assertIn(" 100 %; 18,64,101 ", table[1])
        self.assertIn(" default; 16,64,101 ", table[2])

    def test_a_wrong_assumption_is_seen(self):
        exact = [rows(f"--carveout={c}", EXCERPTS / "h_res.csv.gz")[0]["exact_set"] for c in ("default", "100")]
        self.assertGreater(int(exact[0]), int(exact[1]))

    def test_delays(self):
        # Two blocks fill an SM. Two more wait: the first could begin at the end at 10,000, the second once that one was placed.
        header = self.text().splitlines()[0]
        rows_of = [(b, b % 132, 64, 10000 + 40 * b) for b in range(264)] + [(264, 0, 10500, 20000), (265, 1, 10500, 20000)]
        text = header + "\n" + "".join(f"e,0,0,1,0,0,0,266,1,1,1024,0,0,{b},{sm},0,{t0},{t1}\n" for b, sm, t0, t1 in rows_of)
        result = validate("-m", "h200", "--format=csv", "--delays", "-", input=text)
        table = list(csv.DictReader(io.StringIO(result.stdout)))
        self.assertEqual([list(row.values()) for row in table],
                         [["32", "265", "32", "32", "500", "500", "0", "0"], ["total", "265", "32", "32", "500", "500", "0", "0"]])
        late = text.replace(",10500,20000\n", ",39000,50000\n")  # 29 us after the end, where A-ORDER of the model has 27.6
        last = validate("-m", "h200", "--format=csv", "--delays", "-", input=late).stdout.splitlines()[-1]
        self.assertEqual(last.split(",")[-3:], ["29000", "1", "1"])
        self.assertIn("longest ns", validate("-m", "h200", "--delays", "-", input=text).stdout)

    def test_late_beside_none_that_starves(self):
        """Two configurations of an H100, of 2,400: the model states more than their longest start delay, which A-ORDER with 1.2 us alone would not."""
        last = list(csv.DictReader(io.StringIO(validate("-m", "h100", "--carveout=default", "--format=csv", "--delays", FOLDER / "h100-d/late/fair.csv.gz").stdout)))[-1]
        self.assertEqual((last["blocks"], last["longest_ns"], last["above_order"]), ("4532", "8128", "0"))

    def test_recorded_delays(self):
        # Shapes that do not starve one another begin within 1 us of the instant at which they could.
        row = list(csv.DictReader(io.StringIO(validate("-m", "h200", "--format=csv", "--delays", EXCERPTS / "quiet_carveout_mixed.csv.gz").stdout)))[-1]
        self.assertGreater(int(row["blocks"]), 5000)
        self.assertLess(int(row["longest_ns"]), 1000)

    def test_require(self):
        path = EXCERPTS / "paper_random.csv.gz"
        self.assertEqual(validate("-m", "h200", "-r", "exact_set=99.99,blocks_consistent=99", path).returncode, 0)
        result = validate("-m", "h200", "-r", "round_robin_exact_set=99", path)
        self.assertEqual(result.returncode, 1)
        self.assertIn("round_robin_exact_set", result.stderr)

    def test_usage(self):
        path = EXCERPTS / "paper_pairs.csv.gz"
        for words in ([], ["-m", "h200"], ["-m", "h200", "--require=nothing=1", path], ["-m", "h200", "--require=exact_set=101", path],
                      ["-m", "h200", "--carveout=101", path], ["-m", "h200", "--registers=18,x", path],
                      ["-m", "h200", "--registers=1|2|3|4,1|2|3|4,5|6", path]):
            with self.subTest(words):
                self.assertEqual(validate(*words).returncode, 2)

    def test_columns_in_any_order_and_further_ones(self):
        lines = [line.split(",") for line in self.text().splitlines()]
        extra = [["note", "registers", "carveout"]] + [["x", "18", ""]] * (len(lines) - 1)
        text = "\n".join(",".join(e + list(reversed(line))) for e, line in zip(extra, lines)) + "\n"
        plain = validate("-m", "h200", "--format=csv", "-", input=self.text()).stdout
        self.assertEqual(validate("-m", "h200", "--format=csv", "-", input=text).stdout, plain)

    def refused(self, text, line, code, data=None):
        if data is not None:
            path = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"gpubound-{os.getpid()}.csv.gz"
            path.write_bytes(data)
            result = validate("-m", "h200", path)
            path.unlink()
        else:
            result = validate("-m", "h200", "-", input=text)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, rf":{line}: error: .*\[{code}\]")

    def test_refusals(self):
        text = self.text()
        lines = text.splitlines(keepends=True)
        field = {name: i for i, name in enumerate(lines[0].strip().split(","))}

        def changed(number, name, value):
            cells = lines[number].rstrip("\n").split(",")
            cells[field[name]] = value
            return "".join(lines[:number] + [",".join(cells) + "\n"] + lines[number + 1:])

        self.refused("", 1, "trace-column")
        self.refused(text.replace("smid", "sm", 1), 1, "trace-column")
        self.refused(text.replace("rep", "cfg", 1), 1, "trace-column")
        self.refused(lines[0] + "a,b\n", 2, "trace-malformed")
        self.refused(changed(3, "t0", "-5"), 4, "trace-malformed")
        self.refused(changed(3, "threads", "9" * 30), 4, "trace-malformed")
        self.refused(lines[0] + "x" * 5000 + "\n", 2, "trace-malformed")
        self.refused(changed(4, "smid", "132"), 5, "trace-sm")
        self.refused(changed(4, "gx", "2"), "[56]", "trace-incomplete")
        self.refused(changed(4, "gx", "0"), 5, "trace-incomplete")
        self.refused(changed(4, "kernel", "7"), 5, "trace-incomplete")
        self.refused(changed(4, "t1", "0"), 5, "trace-incomplete")
        self.refused(changed(3, "threads", "4096"), 4, "trace-occupancy")

    def test_blocks_beyond_capacity(self):
        header = self.text().splitlines()[0]
        rows_of = lambda count, threads: "".join(
            f"e,0,0,0,0,0,0,{count},1,1,{threads},0,0,{b},5,{b},0,1000\n" for b in range(count))
        self.assertEqual(validate("-m", "h200", "-", input=header + "\n" + rows_of(2, 1024)).returncode, 0)
        self.refused(header + "\n" + rows_of(3, 1024), 4, "trace-occupancy")
        self.refused(header + "\n" + rows_of(33, 32), 34, "trace-occupancy")

    def test_times_that_no_machine_makes(self):
        # Blocks shorter than the times between which a decision lies, kernels that overtake one another: judged or refused, no more.
        header, random, seen = self.text().splitlines()[0], Random(5), set()
        for model in ("h200", "jetson-agx-xavier", "quadro-6000"):
            for _ in range(8):
                rows_of = []
                for configuration in range(12):
                    for kernel in range(random.randint(1, 5)):
                        count, threads, priority = random.randint(1, 9), random.choice((32, 100, 512, 1024)), random.randint(0, 1)
                        for block in range(count):
                            begin = random.randint(0, 3000)
                            end = begin + random.choice((0, 1, 30, 100, 500, 2000))
                            rows_of.append(f"e,{configuration},0,1,{kernel},{kernel},{priority},{count},1,1,{threads},0,0,{block},"
                                           f"{random.randint(0, 7)},0,{begin},{end}\n")
                result = subprocess.run([GPUBOUND, "validate", "-m", model, "--registers=16", "-"], input=header + "\n" + "".join(rows_of),
                                        capture_output=True, text=True, timeout=60)
                self.assertIn(result.returncode, (0, 3), result.stderr)
                seen.add(result.returncode)
        self.assertEqual(seen, {0, 3})

    def test_partitions(self):
        """Two kernels of one block in partitions: each goes to the first SM of its own; a block elsewhere is not as the rule says."""
        header = self.text().splitlines()[0] + ",partition\n"

        def made(*rows_of):
            return header + "".join(f"e,0,0,0,{k},{k},0,1,1,1,1024,0,0,0,{sm},{k},{k * 50000},200000,{sms}\n" for k, (sm, sms) in enumerate(rows_of))

        for third, right in (("40", 3), ("41", 2), ("16", 2)):
            text = made(("0", "0-7"), ("16", "16-19 32"), (third, "40-47"))
            result = validate("-m", "h200", "--format=csv", "-", input=text)
            row = list(csv.DictReader(io.StringIO(result.stdout)))[-1]
            self.assertEqual((row["held"], row["exact_set"], row["blocks_consistent"]), ("3", str(right), str(right)), result.stderr)
        self.assertEqual(validate("-m", "h200", "-", input=made(("2", "0-7"), ("3", "0 1-7"))).returncode, 0)
        for sms in ("7-0", "0-5000", "a", "0-3;4", "0-"):
            self.refused(made(("2", "0-7"), ("8", sms)), 3, "trace-partition")
        self.refused(made(("2", "0-7"), ("7", "7-8")), 3, "trace-partition")
        self.refused(made(("2", "0-7"), ("9", "")), 3, "trace-partition")

    def test_a_block_too_short_to_meet_another(self):
        header = self.text().splitlines()[0]
        text = header + "\ne,0,0,0,0,0,0,2,1,1,32,0,0,0,124,0,0,1000\ne,0,0,0,0,0,0,2,1,1,32,0,0,1,126,1,50,60\n"
        result = validate("-m", "h200", "--format=csv", "-", input=text)
        row = list(csv.DictReader(io.StringIO(result.stdout)))[-1]
        self.assertEqual((row["held"], row["exact_set"], row["blocks_consistent"]), ("1", "1", "2"))

    def test_truncated(self):
        data = (EXCERPTS / "h_res.csv.gz").read_bytes()
        self.refused(None, r"\d+", "trace-(truncated|malformed)", data[:len(data) // 2])
        self.refused(None, r"\d+", "trace-truncated", gzip.compress(self.text().encode())[:-4])

    def test_a_model_that_cannot_place(self):
        result = validate("-m", "jetson-orin-nano", EXCERPTS / "paper_pairs.csv.gz")
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stderr, r"sm\.count.*\[platform-placement\]")

    def test_missing_file(self):
        result = validate("-m", "h200", "/nonexistent.csv")
        self.assertEqual(result.returncode, 3)
        self.assertIn("file-unreadable", result.stderr)


if __name__ == "__main__":
    if ALL:
        if "GPUBOUND_TRACES" not in os.environ:
            print("SKIPPED: GPUBOUND_TRACES does not name a folder of recorded traces")
            sys.exit(77)
        Rates.folder = pathlib.Path(os.environ["GPUBOUND_TRACES"])
        del Excerpts, Holes, Late, Probed
    unittest.main(argv=sys.argv[:1])
