"""The page in a browser: no message on the console, nothing loaded, tables sorted, derivations folded. Needs Chromium; skips aloud.

usage: browser.py GPUBOUND SOURCE_ROOT
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SKIPPED = 77
# What a reader would do, done by a script at the end of the page; the console gets what came of it.
TRY = """<script>
var table = document.querySelector("table.sortable"), head = table.tHead.rows[0].cells;
function first() { return table.tBodies[0].rows[0].cells[0].textContent; }
var before = first(); head[0].querySelector("button").click(); head[0].querySelector("button").click();
var wide = document.documentElement.scrollWidth > innerWidth;
document.title = [before, first(), head[0].getAttribute("aria-sort"), document.querySelectorAll("details.steps[open]").length, wide].join("|");
</script></body>"""


def show(page, folder, width):
    """The page's final state and what was said on the console."""
    path = folder / "page.html"
    path.write_text(page)
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr",
                           "--v=0", f"--window-size={width},900", "--virtual-time-budget=3000", "--dump-dom", path.as_uri()],
                          capture_output=True, text=True, timeout=120)
    return done.stdout, re.findall(r"CONSOLE.*", done.stderr)


def report(name, folder):
    path = folder / "report.xml"
    subprocess.run([GPUBOUND, "analyze", "-q", "-o", path, name], cwd=ROOT, capture_output=True, check=False)
    return subprocess.run([GPUBOUND, "report", "--figures", path], cwd=ROOT, capture_output=True, check=True, text=True).stdout


def main():
    if BROWSER is None:
        print("Chromium is not installed: the page was not opened in a browser")
        return SKIPPED
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        for case in ("examples/two-streams.xml", "examples/waters2019-one-context.xml", "examples/programs.xml"):
            page, rows = report(case, folder), re.findall('<task id="([^"]*)"', (ROOT / case).read_text())
            for width in (1280, 500):
                shown, console = show(page.replace("</body>", TRY), folder, width)
                title = re.search("<title>([^<]*)</title>", shown).group(1)
                least = max(rows, key=str.casefold)
                assert console == [], console
                assert title == f"{rows[0]}|{least}|descending|0|false", (case, width, title)
        shown, console = show(page.replace("</body>", "<script>wrong();</script></body>"), folder, 1280)
        assert any("wrong is not defined" in line for line in console), "a mistake would go unseen"
    return 0


sys.exit(main())
