"""gpubound without its start (tests/serve.c): hundreds of runs of a few milliseconds, for tests that want so many."""
import atexit
import os
import pathlib
import subprocess
import sys
import unittest


class Server:
    """environment: this process' where there is none."""

    def __init__(self, serve, cwd, environment=None):
        self.process = subprocess.Popen([os.path.abspath(serve)], cwd=cwd, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def test(self, words=()):
        """The tests of the program that runs; the server ends with them."""
        try:
            unittest.main(argv=[*sys.argv[:1], *words])
        finally:
            self.close()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        if self.process.wait() != 0:
            sys.exit("the server did not end well")

    def run_bytes(self, words, cwd, text=b""):
        request = b"".join(os.fsencode(str(word)) + b"\0" for word in (cwd, *words))
        self.process.stdin.write(b"%d %d\n" % (len(words), len(text)) + request + text)
        self.process.stdin.flush()
        status, output, errors = map(int, self.process.stdout.readline().split())
        return subprocess.CompletedProcess(words, status, self.process.stdout.read(output), self.process.stdout.read(errors))

    def run(self, words, cwd, text=None):
        result = self.run_bytes(words, cwd, text if isinstance(text, bytes) else (text or "").encode())
        result.stdout, result.stderr = result.stdout.decode(), result.stderr.decode(errors="replace")
        return result


class Program:
    """The program of a build. run: as subprocess.run with its words and capture_output; in the build's server where the run needs nothing that
    only a process of its own can have."""
    TAKES = {"cwd", "input", "text", "check", "timeout"}

    def __init__(self, path, environment=None):
        self.path, self.environment, self.server = os.path.abspath(path), environment, None

    def run(self, words, **how):
        if not how.keys() <= self.TAKES:
            return subprocess.run([self.path, *map(str, words)], capture_output=True, **{"env": self.environment, **how})
        if self.server is None:
            self.server = Server(pathlib.Path(self.path).parent / "tests" / "serve", None, self.environment)
            atexit.register(self.end)
        text = how.get("input") or b""
        result = self.server.run_bytes(words, os.path.abspath(how.get("cwd") or os.curdir), text if isinstance(text, bytes) else text.encode())
        if how.get("text"):
            result.stdout, result.stderr = result.stdout.decode(), result.stderr.decode()
        if how.get("check"):
            result.check_returncode()
        return result

    def end(self):
        """Where Python ends, after its status was said: a server that does not end well is a failure all the same."""
        try:
            self.server.close()
        except SystemExit as failure:
            print(failure, file=sys.stderr)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(1)
