"""Factors from recordings of a stressed program: which spans are compared, and which recordings are refused.

usage: stress.py SOURCE_ROOT
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv[1]) / "scripts" / "stress_factors.py"
NAMES = ("_Z5layerPf", "_Z4copyPf", "_Z18gpubound_aggressorP6float4miyPyPj")


def recording(spans, lost=0, aggressors=True, sms=56):
    """Launches of a graph of two kernels, each as long as it says, a copy of a tenth of that, a kernel of the aggressor's context beside them."""
    lines = [f"name id={number} text={name}" for number, name in enumerate(NAMES, 1)]
    lines += ["context id=1 device=0" + (f" green-sms={sms} parent=5" if sms else ""), "context id=2 device=0 green-sms=64 parent=5"]
    for k, span in enumerate(spans):
        at, common = 10000 * k, f"device=0 context=1 stream=7 correlation={k}"
        lines += [f"kernel start={at} end={at + span // 2} {common} graph=3 node=1 name=1 grid=8x1x1 block=64x1x1",
                  f"kernel start={at + span // 2 + 5} end={at + span} {common} graph=3 node=2 name=2 grid=4x1x1 block=64x1x1",
                  f"copy start={at + span} end={at + span + span // 10} device=0 context=1 stream=7 correlation={1000 + k} bytes=64 kind=h2d"]
        if aggressors:
            lines += [f"kernel start={at} end={at + 9000} device=0 context=2 stream=9 correlation={2000 + k} name=3 grid=8x1x1 block=64x1x1",
                      f"copy start={at} end={at + 9000} device=0 context=2 stream=9 correlation={3000 + k} bytes=4194304 kind=h2d"]
    if lost:
        lines.append(f"lost records={lost} why=buffers")
    return "\n".join(["gpubound-recording 1", *lines, f"end records={len(lines)} lost={lost}"]) + "\n"


class Factors(unittest.TestCase):
    def factors(self, alone, stressed, status=0):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "alone.rec").write_text(alone)
            (folder / "read.rec").write_text(stressed)
            result = subprocess.run([sys.executable, SCRIPT, folder / "alone.rec", f"read={folder / 'read.rec'}"], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, status, result.stderr)
            return {line.split('"')[1]: line.split('"')[2].split(",")[1:] for line in result.stdout.splitlines()[1:]} if status == 0 else result.stderr

    def test_longest_by_longest(self):
        """The first five of each are warm-up: 9,000 there does not count; 700 by 400 is 1.75, 701 by 400 more than 1.752."""
        alone = recording([9000] * 5 + [300, 400, 350], aggressors=False)
        found = self.factors(alone, recording([9000] * 5 + [500, 701, 600]))
        graph = next(name for name in found if name.startswith("graph of 2 nodes"))
        self.assertEqual(found[graph], ["56", "read", "3", "400", "701", "1.753"])
        self.assertEqual(found["copy h2d 64 B"], ["56", "read", "3", "40", "70", "1.750"])
        self.assertEqual(len(found), 2)  # nothing of the aggressors'

    def test_never_below_one(self):
        found = self.factors(recording([400] * 9), recording([300] * 9))
        self.assertEqual({row[-1] for row in found.values()}, {"1.000"})

    def test_left_its_partition(self):
        whole = recording([400] * 9)
        self.assertIn("primary context", self.factors(whole, recording([400] * 9, sms=None), status=1))
        self.assertIn("on 56 SMs", self.factors(whole, recording([400] * 9, sms=48), status=1))

    def test_refused(self):
        whole = recording([400] * 9)
        self.assertIn("lost", self.factors(whole, recording([400] * 9, lost=2), status=1))
        self.assertIn("complete", self.factors(whole, whole.rsplit("end", 1)[0], status=1))
        self.assertIn("not the same program", self.factors(whole, whole.replace("grid=8x1x1", "grid=9x1x1").replace("_Z4copyPf", "_Z4otherPf").replace("bytes=64", "bytes=65"), status=1))
        self.assertIn("expected a recording", self.factors(whole, "job,span\n", status=1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
