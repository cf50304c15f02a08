"""gpubound without its start (tests/serve.c): hundreds of runs of a few milliseconds, for tests that want so many."""
import os
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
