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

    def run(self, words, cwd, text=None):
        text = text if isinstance(text, bytes) else (text or "").encode()
        request = b"".join(str(word).encode() + b"\0" for word in (cwd, *words))
        self.process.stdin.write(b"%d %d\n" % (len(words), len(text)) + request + text)
        self.process.stdin.flush()
        status, output, errors = map(int, self.process.stdout.readline().split())
        output, errors = self.process.stdout.read(output).decode(), self.process.stdout.read(errors).decode(errors="replace")
        return subprocess.CompletedProcess(words, status, output, errors)
