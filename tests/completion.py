"""Completion in bash, zsh and fish: the scripts are accepted, know every command and option of --help, and offer what they should.

usage: completion.py GPUBOUND SOURCE_ROOT
"""
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

GPUBOUND, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
MODELS = {path.stem for path in (ROOT / "models").glob("*.xml")}
FORMATS = {"html", "csv", "junit", "sarif", "reqif", "gsn", "sacm"}
ENVIRONMENT = {**os.environ, "PATH": f"{GPUBOUND.parent}:{os.environ['PATH']}"}
ENVIRONMENT.pop("GPUBOUND_DATA", None)


def run(*words, **more):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=60, env=ENVIRONMENT, **more)


def script(shell):
    result = run(GPUBOUND, "help", "--completion=" + shell)
    assert result.returncode == 0, result.stderr
    return result.stdout


def tables():
    """{command: {option: letter}} as --help prints them."""
    names = re.findall(r"^  (\S+) ", run(GPUBOUND, "--help").stdout.split("Commands:")[1], re.M)
    return {name: {option: letter for letter, option in re.findall(r"^  (?:-(\w),|   ) --([a-z-]+)", run(GPUBOUND, "help", name).stdout, re.M)}
            for name in names}


class Shell:
    """What every script must offer; `offer` gives the completions of a line as a set."""

    def test_commands(self):
        self.assertLessEqual(set(tables()), self.offer("gpubound "))
        self.assertEqual(self.offer("gpubound ana"), {"analyze"})
        self.assertEqual({"analyze", "report"} - self.offer("gpubound help "), set())

    def test_options(self):
        for command, options in tables().items():
            self.assertIn("help", options)
            found = {word.rstrip("=") for word in self.offer(f"gpubound {command} --")}
            self.assertEqual({"--" + option for option in options} - found, set(), command)
        self.assertNotIn("--bundle", {word.rstrip("=") for word in self.offer("gpubound analyze --")})

    def test_words(self):
        self.assertEqual(self.last_words("gpubound report --format="), FORMATS)
        self.assertEqual(self.last_words("gpubound report -f "), FORMATS)
        self.assertEqual(self.last_words("gpubound report -f j"), {"junit"})
        self.assertLessEqual({"auto", "always", "never"}, self.last_words("gpubound models --color="))

    def test_names(self):
        self.assertLessEqual(MODELS, self.offer("gpubound models "))
        self.assertLessEqual({"jetson-tx2"}, self.last_words("gpubound analyze --platform=jetson-tx"))
        self.assertLessEqual({"A-WC", "A-HOL"}, self.last_words("gpubound analyze -a A-"))
        self.assertLessEqual({"nsys", "ptxas", "poet"}, self.offer("gpubound import "))

    def test_tasks(self):
        """--explain offers the tasks and chains of the task set that stands before it."""
        self.assertEqual(self.last_words(f"gpubound analyze {ROOT}/examples/whole-system.xml --explain=c"), {"camera", "camera-to-actuator"})
        self.assertEqual(self.last_words(f"gpubound analyze {ROOT}/examples/two-streams.xml --explain="), {"resize", "filter"})
        self.assertEqual(self.last_words(f"gpubound analyze {ROOT}/examples/two-streams.xml --explain re"), {"resize"})

    def last_words(self, line):
        return {word.split("=")[-1] for word in self.offer(line)}


class Bash(Shell, unittest.TestCase):
    def offer(self, line):
        # as readline splits a line: "=" is a word of its own
        words = re.findall(r"=|[^\s=]+", line) + ([""] if line.endswith((" ", "=")) else [])
        if words[-2:] == ["=", ""]:
            words.pop()
        commands = f"{script('bash')}\ncompopt() {{ :; }}\nCOMP_WORDS=({' '.join(map(shlex.quote, words))})\nCOMP_CWORD={len(words) - 1}\n" \
                   "_gpubound\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
        result = run("bash", "--norc", "-s", input=commands)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return set(result.stdout.split("\n")) - {""}

    def test_files_are_left_to_the_shell(self):
        self.assertEqual(self.offer("gpubound analyze "), set())
        self.assertEqual(self.offer("gpubound report -o "), set())

    def test_quoted(self):
        self.assertIn(r"A-WC\(g\)", self.offer("gpubound analyze -a A-"))


@unittest.skipIf(shutil.which("fish") is None, "fish is not installed: its completion is not tested")
class Fish(Shell, unittest.TestCase):
    def offer(self, line):
        with tempfile.TemporaryDirectory() as home:
            (pathlib.Path(home) / "c.fish").write_text(script("fish"))
            result = subprocess.run(["fish", "--no-config", "-c", f"source {home}/c.fish; complete -C {shlex.quote(line)}"], capture_output=True,
                                    text=True, timeout=60, env={**ENVIRONMENT, "HOME": home}, cwd=home)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return {row.split("\t")[0].replace("\\", "") for row in result.stdout.splitlines()}

    def test_files(self):
        self.assertIn("c.fish", self.offer("gpubound analyze "))


@unittest.skipIf(shutil.which("zsh") is None, "zsh is not installed: its completion is not tested")
class Zsh(unittest.TestCase):
    """The script is read, every option must stand in it, and a zsh at a terminal completes a few lines."""

    def typed(self, *lines):
        """What the last line of a terminal shows after each line was typed: tab at its end, then the line is killed."""
        with tempfile.TemporaryDirectory() as home:
            (pathlib.Path(home) / "_gpubound").write_text(script("zsh"))
            ours, theirs = pty.openpty()
            environment = {**ENVIRONMENT, "HOME": home, "TERM": "dumb", "PS1": "ready> ", "LC_ALL": "C"}
            with subprocess.Popen(["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=home, env=environment, start_new_session=True) as zsh:
                os.close(theirs)
                os.write(ours, f"fpath=({home} $fpath); autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste; echo be''gun\n".encode())
                self.until(ours, "begun")
                shown = []
                for line in lines:
                    os.write(ours, line.encode() + b"\t")
                    os.write(ours, b"\x01echo \x05; echo do''ne\n")
                    shown.append(re.findall(r"^(gpubound .*?) *$", self.until(ours, "done"), re.M)[-1])
                os.write(ours, b"exit\n")
                while True:
                    try:
                        if not os.read(ours, 4096):
                            break
                    except OSError:
                        break
                zsh.wait(10)
            os.close(ours)
        return shown

    def until(self, terminal, word):
        text, deadline = "", time.monotonic() + 20
        while not re.search(rf"^{word}", text.replace("\r", ""), re.M):
            self.assertLess(time.monotonic(), deadline, text)
            if select.select([terminal], [], [], 1)[0]:
                text += os.read(terminal, 4096).decode(errors="replace")
        return text.replace("\r", "")

    def test_at_a_terminal(self):
        self.assertEqual(self.typed("gpubound anal", "gpubound report --format=ju", "gpubound help wc", "gpubound import ptx", "gpubound models rtx",
                                    f"gpubound analyze {ROOT}/examples/two-streams.xml --explain=re"),
                         ["gpubound analyze", "gpubound report --format=junit", "gpubound help wcet", "gpubound import ptxas", "gpubound models rtx-2080-ti",
                          f"gpubound analyze {ROOT}/examples/two-streams.xml --explain=resize"])

    def test_script(self):
        with tempfile.NamedTemporaryFile("w", suffix=".zsh") as file:
            file.write(script("zsh"))
            file.flush()
            result = run("zsh", "-n", file.name)
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_options(self):
        parts = re.split(r"\t\t(\w+)\) _arguments", script("zsh"))
        for command, part in zip(parts[1::2], parts[2::2]):
            for option, letter in tables()[command].items():
                self.assertRegex(part, rf"'\*--{option}=?\[")
                self.assertTrue(not letter or re.search(rf"'\*-{letter}\+?\[", part), (command, option))
        self.assertEqual(parts[1::2], list(tables()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
