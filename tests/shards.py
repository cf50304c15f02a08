"""Campaigns and sweeps in parts, on one machine as on many.

- falsify's parts merge to the bytes of falsify in one piece, for any number of parts; gaps, doubles, other options and changed rows are refused
- a campaign that was stopped goes on; a violation is said by the part, by a part that goes on, and by merge
- examples/cluster/slurm.sh with a Slurm that is started here: the array, a job that is killed and comes again, the merged table
- examples/cluster/parallel.sh with GNU parallel, over ssh to an sshd that is started here

What is not installed is not tested: the test says so, and is skipped where nothing of it was left.

usage: shards.py GPUBOUND SOURCE_ROOT quick|slow (slow: Slurm)
"""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
CAMPAIGN = ["--systems=300", "--runs=3", "--first=5"]


def run(*words, cwd=ROOT, env=None, timeout=120):
    return subprocess.run([str(word) for word in words], cwd=cwd, env={**os.environ, "PATH": PATH, **(env or {})}, capture_output=True, text=True,
                          timeout=timeout, stdin=subprocess.DEVNULL)


def gpubound(*words):
    return run(GPUBOUND, *words)


def falsify(*words):
    return gpubound("falsify", "-q", *words)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gb"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)


class Parts(Folder):
    def parts(self, count, *words):
        paths = [self.folder / f"{k}-{count}{len(words)}.csv" for k in range(1, count + 1)]
        for k, path in enumerate(paths, 1):
            result = falsify(*CAMPAIGN, *words, f"--shard={k}/{count}", "-o", path)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        return paths

    def test_same_bytes(self):
        for form in ("csv", "text"):
            whole = falsify(*CAMPAIGN, "--go-on", f"--format={form}").stdout
            for count in (1, 2, 7):
                merged = gpubound("merge", f"--format={form}", *reversed(self.parts(count, f"--threads={count}")))
                self.assertEqual((merged.returncode, merged.stdout, merged.stderr), (0, whole, ""))

    def test_given(self):
        """Of a given task set; where it is does not matter, what it says does."""
        copy = self.folder / "copy.xml"
        text = (ROOT / "examples/two-streams.xml").read_text()
        copy.write_text(text)
        one, two, three = (self.folder / name for name in ("1.csv", "2.csv", "3.csv"))
        words = ["--systems=130", "--runs=2"]
        self.assertEqual(falsify(*words, "--shard=1/2", "-o", one, "examples/two-streams.xml").returncode, 0)
        self.assertEqual(falsify(*words, "--shard=2/2", "-o", two, copy).returncode, 0)
        self.assertEqual(gpubound("merge", one, two).stdout, falsify(*words, "--go-on", "-f", "csv", copy).stdout)
        copy.write_text(text.replace("Two streams", "2 streams"))
        self.assertEqual(falsify(*words, "--shard=2/2", "-o", three, copy).returncode, 0)
        self.assertIn("of the same space", gpubound("merge", one, three).stderr)

    def test_refused(self):
        parts, other = self.parts(2), self.parts(2, "--seed=2")
        changed = self.folder / "changed.csv"
        lines = parts[1].read_text().splitlines(keepends=True)
        for new in (re.sub(r":1/", ":2/", lines[1], count=1), lines[1].replace(",64,", ",x64,"), lines[1].replace("\n", ",1\n"), lines[1][:len(lines[1]) // 2] + "\n"):
            self.assertNotEqual(new, lines[1])
            changed.write_text(lines[0] + new + "".join(lines[2:]))
            result = gpubound("merge", parts[0], changed)
            self.assertEqual((result.returncode, result.stdout), (3, ""), new)
            self.assertIn("[shards]", result.stderr)
        head = self.folder / "head.csv"
        head.write_text(lines[0])
        table = self.folder / "table.csv"
        self.assertEqual(gpubound("sweep", "-q", "-o", table, "examples/two-streams.xml").returncode, 0)
        for tables, expected in (([parts[0]], "is in no table"), ([*parts, parts[1]], "again"), ([parts[0], other[1]], "of the same space"),
                                 ([head], "there is no point"), ([parts[0], table], "expected the head")):
            result = gpubound("merge", *tables)
            self.assertEqual((result.returncode, result.stdout), (3, ""))
            self.assertIn(expected, result.stderr)

    def test_goes_on(self):
        whole, = self.parts(1)
        text, path = whole.read_text(), self.folder / "part.csv"
        for length in (0, 100, len(text) // 2, len(text)):
            path.write_text(text[:length])
            self.assertEqual((falsify(*CAMPAIGN, "--resume", "-o", path).returncode, path.read_text()), (0, text))

    def test_killed(self):
        path, words = self.folder / "part.csv", ["--systems=3000", "--runs=3"]
        with subprocess.Popen([GPUBOUND, "falsify", "-q", *words, "--threads=1", "--resume", "-o", path], cwd=ROOT) as process:
            while not path.exists() or path.read_text().count("\n") < 4:
                time.sleep(0.01)
            process.kill()
        self.assertEqual(falsify(*words, "--resume", "-o", path).returncode, 0)
        self.assertEqual(gpubound("merge", path).stdout, falsify(*words, "--go-on", "-f", "csv").stdout)

    def test_violation(self):
        """A planted fault: said by each part that has a violation, also where it goes on, and by merge, which names the system."""
        path, words = self.folder / "part.csv", ["--systems=128", "--runs=8", "--plant=ceiling"]
        if "only testing builds" in falsify(*words).stderr:
            self.skipTest("only testing builds can weaken the analysis")
        whole = falsify(*words, "--go-on", "--no-shrink", "-f", "csv")
        self.assertEqual(whole.returncode, 1)
        for _ in range(2):
            self.assertEqual(falsify(*words, "--resume", "-o", path).returncode, 1)
        merged = gpubound("merge", path)
        self.assertEqual((merged.returncode, merged.stdout), (1, whole.stdout))
        system = merged.stderr.split("in system ")[1].split()[0]
        self.assertEqual(falsify(f"--first={system}", "--systems=1", *words[1:], "--no-shrink").returncode, 1)

    def test_usage(self):
        for words in (["--shard=0/2"], ["--shard=1/2", "--exhaustive"], ["--shard=1/2", "--keep=."], ["--resume"], ["--shard=1/2", "-f", "csv"]):
            result = falsify("--systems=1", *words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def lacks(*programs):
    return [program for program in programs if shutil.which(program, path=PATH) is None]


class Services(Folder):
    """Daemons that are started for a test and ended with it."""

    def start(self, *words, log):
        with open(self.folder / log, "wb") as file:
            process = subprocess.Popen([shutil.which(words[0], path=PATH), *map(str, words[1:])], cwd=self.folder, stdout=file, stderr=file,
                                       env={**os.environ, "PATH": PATH, **self.env}, stdin=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        return process

    def wait_until(self, done, seconds, what):
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                logs = "\n".join(f"{path.name}: {path.read_text(errors='replace')[-500:]}" for path in self.folder.glob("*.log"))
                self.skipTest(f"{what} after {seconds} s\n{logs}") if what.startswith("no ") else self.fail(f"{what} after {seconds} s\n{logs}")
            time.sleep(0.1)


SLURM = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs=1
PartitionName=main Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""


class Slurm(Services):
    def setUp(self):
        super().setUp()
        missing = lacks("sbatch", "squeue", "scontrol", "sinfo", "slurmctld", "slurmd", "munged")
        if missing:
            self.skipTest(f"Debian's slurm-wlm and munge are not installed: no {', '.join(missing)}")
        host, user = socket.gethostname().split(".")[0], subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        self.env = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        (self.folder / "key").write_bytes(os.urandom(1024))
        (self.folder / "key").chmod(0o400)
        self.folder.chmod(0o755) # munged wants to be sure of its folder
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        (self.folder / "slurm.conf").write_text(SLURM.format(host=host, user=user, folder=self.folder, ports=(free_port(), free_port())))
        self.start("munged", "--foreground", "--force", "--key-file=key", f"--socket={self.folder}/munge.sock", f"--pid-file={self.folder}/munged.pid",
                   f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/seed", log="munged-out.log")
        self.wait_until((self.folder / "munge.sock").exists, 10, "no munge")
        self.start("slurmctld", "-D", log="slurmctld.log")
        self.start("slurmd", "-D", "-N", host, log="slurmd.log")
        self.wait_until(lambda: " idle " in self.slurm("sinfo", "--noheader").stdout, 40, "no node of Slurm")

    def slurm(self, *words, **more):
        return run(*words, cwd=self.folder, env={**self.env, "GPUBOUND": GPUBOUND, "SLURM_CONF": self.env["SLURM_CONF"]}, **more)

    def submit(self, *words):
        result = self.slurm(ROOT / "examples/cluster/slurm.sh", *words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.split()[-1]

    def wait_for_jobs(self):
        self.wait_until(lambda: self.slurm("squeue", "--noheader").stdout == "", 150, "jobs still run")

    def test_array(self):
        """An array for a campaign and for a sweep; submitted again with a part lost and a part cut off, it completes them."""
        self.submit(3, "campaign.csv", "falsify", *CAMPAIGN)
        self.submit(2, "sweep.csv", "sweep", "--draw=5", "--utilization=0.1,0.2", ROOT / "examples/robot.xml")
        self.wait_for_jobs()
        whole = falsify(*CAMPAIGN, "--go-on", "-f", "csv").stdout
        self.assertEqual((self.folder / "campaign.csv").read_text(), whole)
        self.assertEqual((self.folder / "sweep.csv").read_text(),
                         gpubound("sweep", "-q", "--draw=5", "--utilization=0.1,0.2", ROOT / "examples/robot.xml").stdout)
        parts = self.folder / "campaign.csv.parts"
        (parts / "1.csv").unlink()
        (parts / "2.csv").write_text((parts / "2.csv").read_text()[:-700])
        (self.folder / "campaign.csv").unlink()
        self.submit(3, "campaign.csv", "falsify", *CAMPAIGN)
        self.wait_for_jobs()
        self.assertEqual((self.folder / "campaign.csv").read_text(), whole)

    def test_requeued(self):
        """A job that Slurm takes from its node in the midst of it, as it does where the node fails, goes on with its rows."""
        words = ["--systems=4000", "--runs=3", "--threads=1"]
        self.submit(1, "campaign.csv", "falsify", *words)
        part = self.folder / "campaign.csv.parts/1.csv"
        self.wait_until(lambda: part.exists() and part.read_text().count("\n") > 3, 60, "there are no rows")
        job = self.slurm("squeue", "--noheader", "--states=RUNNING", "--format=%A").stdout.split()[0]
        self.assertEqual(self.slurm("scontrol", "requeue", job).returncode, 0)
        self.wait_until(lambda: job not in self.slurm("squeue", "--noheader", "--states=RUNNING", "--format=%A").stdout.split(), 60, "it still runs")
        there = part.read_text()
        there = there[:there.rindex("\n") + 1]
        self.assertLess(there.count("\n"), 64)
        self.wait_until(lambda: job in self.slurm("squeue", "--noheader", "--states=PENDING", "--format=%A").stdout.split(), 60, "it does not wait")
        self.assertEqual(self.slurm("scontrol", "update", f"job={job}", "StartTime=now").returncode, 0) # not two minutes later, as Slurm has it
        self.wait_for_jobs()
        self.assertTrue(part.read_text().startswith(there))
        self.assertEqual((self.folder / "campaign.csv").read_text(), falsify(*words, "--go-on", "-f", "csv").stdout)


class Parallel(Services):
    env = {}

    def setUp(self):
        super().setUp()
        if lacks("parallel"):
            self.skipTest("GNU parallel is not installed")

    def check(self, hosts, env):
        (self.folder / "hosts").write_text(hosts)
        result = run(ROOT / "examples/cluster/parallel.sh", "hosts", 3, "campaign.csv", "falsify", *CAMPAIGN, cwd=self.folder,
                     env={**env, "GPUBOUND": GPUBOUND})
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual((self.folder / "campaign.csv").read_text(), falsify(*CAMPAIGN, "--go-on", "-f", "csv").stdout)

    def test_here(self):
        self.check("2/:\n", {})

    def test_ssh(self):
        if lacks("sshd", "ssh", "ssh-keygen"):
            self.skipTest("no sshd, ssh or ssh-keygen is installed")
        port = free_port()
        for name in ("host", "user"):
            self.assertEqual(run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name).returncode, 0)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        (self.folder / "sshd.conf").write_text(f"Port {port}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\nAuthorizedKeysFile {self.folder}/authorized\n"
                                               f"PidFile {self.folder}/sshd.pid\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n")
        (self.folder / "ssh.conf").write_text(f"Host here\n HostName 127.0.0.1\n Port {port}\n IdentityFile {self.folder}/user\n IdentitiesOnly yes\n"
                                              f" StrictHostKeyChecking no\n UserKnownHostsFile {self.folder}/known\n LogLevel ERROR\n")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True) # of whoever is root, sshd wants it
        self.start("sshd", "-D", "-e", "-f", self.folder / "sshd.conf", log="sshd.log")
        ssh = ["ssh", "-F", str(self.folder / "ssh.conf"), "here"]
        self.wait_until(lambda: run(*ssh, "true").returncode == 0, 15, "no ssh")
        self.check("2/here\n", {"PARALLEL_SSH": " ".join(ssh[:-1])})


def main():
    """Exit status 77, a skipped test, where each test was."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    classes = [Slurm] if sys.argv[3] == "slow" else [Parts, Parallel]
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(one) for one in classes)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if result.wasSuccessful() and len(result.skipped) == result.testsRun:
        print("skipped:", result.skipped[0][1])
        return 77
    return not result.wasSuccessful()


if __name__ == "__main__":
    raise SystemExit(main())
