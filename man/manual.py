"""The manual as a folder of HTML pages that link each other, with an index: ninja manual.

usage: manual.py SOURCE_ROOT BUILD_ROOT FOLDER
"""
import html
import pathlib
import re
import subprocess
import sys

SECTIONS = {"1": "Commands", "5": "Files", "7": "Ideas and lists"}
FIRST = ["gpubound.1", "gpubound-tutorial.7", "gpubound-machine.7"]
STYLE = """:root { --paper: #fff; --ink: #1c2126; --soft: #5a646e; --line: #d3d9df; --tint: #f3f5f7; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e3e7eb; --soft: #a3adb7; --line: #3a424a; --tint: #1e2328; --link: #84bdf5; } }
html { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--paper); -webkit-text-size-adjust: 100%; }
body { max-width: 50rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; }
a { color: var(--link); }
a.permalink { color: inherit; text-decoration: none; }
a.permalink:hover { text-decoration: underline; }
h1 { font-size: 1.25rem; border-bottom: 2px solid var(--line); margin: 2rem 0 .5rem; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .25rem; }
p, ul, ol, dl, table { margin: .5rem 0; }
code, pre, .Cm, .Fl, .Nm { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; }
pre { background: var(--tint); padding: .6rem .8rem; overflow-x: auto; line-height: 1.4; border-radius: 4px; }
.Bd, .Bd-indent { margin-left: 0; }
div.Bd:not(.Li) > pre { background: none; border-left: 3px solid var(--line); border-radius: 0; } /* what is printed, not typed */
dt { font-weight: 600; margin-top: .6rem; }
dd { margin-left: 1.5rem; }
.Bl-compact > dt { margin-top: .1rem; }
table.head, table.foot, div.head, div.foot { display: flex; justify-content: space-between; color: var(--soft); font-size: .85rem; width: 100%; }
table.head tbody, table.foot tbody { width: 100%; } table.head tr, table.foot tr { display: flex; justify-content: space-between; }
td { vertical-align: top; padding: .1rem .8rem .1rem 0; }
nav { font-size: .9rem; }
h1.Sh:first-of-type { margin-top: 1rem; }
dl.pages { display: grid; grid-template-columns: minmax(11rem, max-content) 1fr; gap: .2rem 1rem; }
dl.pages dt, dl.pages dd { margin: 0; font-weight: 400; }
@media (max-width: 32rem) { dl.pages { display: block; } dl.pages dd { margin: 0 0 .5rem 1rem; } dd { margin-left: .75rem; } }
@media print { :root { --paper: #fff; --ink: #000; --link: #000; } body { max-width: none; } nav { display: none; } }
"""


def pages(source, build):
    found = {}
    for folder in (source / "man", build / "man"):
        found.update({path.name: path for path in folder.glob("*.[1-8]")})
    return found


def render(path, names):
    """The page; other manuals than ours are named, not linked."""
    text = subprocess.run(["mandoc", "-T", "html", "-O", "style=manual.css,man=%N.%S.html,toc", path], check=True, capture_output=True, text=True).stdout
    text = re.sub(r'<a class="Xr" href="([^"]*)\.html">(.*?)</a>', lambda m: m.group() if m.group(1) in names else m.group(2), text, flags=re.S)
    text = text.replace("<head>", '<head>\n  <meta name="color-scheme" content="light dark"/>', 1)
    return text.replace("<body>", '<body>\n<nav><a href="index.html">gpubound: the manual</a></nav>', 1)


def summary(path):
    return re.search(r"^\.Nd (.*)$", path.read_text(), re.M).group(1)


def item(name, path):
    title = html.escape("{}({})".format(*name.rsplit(".", 1)))
    return f'<dt><a href="{name}.html">{title}</a></dt><dd>{html.escape(summary(path))}</dd>\n'


def index(found):
    parts = ['<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n<meta name="viewport" content="width=device-width, initial-scale=1.0"/>\n'
             '<meta name="color-scheme" content="light dark"/>\n'
             '<link rel="stylesheet" href="manual.css"/>\n<title>gpubound: the manual</title>\n</head>\n<body>\n<h1>gpubound: the manual</h1>\n']
    parts += ["<p>Where to begin:</p>\n<dl class=\"pages\">\n", *(item(name, found[name]) for name in FIRST), "</dl>\n"]
    for section, title in SECTIONS.items():
        parts += [f"<h2>{title}</h2>\n<dl class=\"pages\">\n"]
        parts += [item(name, found[name]) for name in sorted(found, key=lambda name: name.rsplit(".", 1)[0]) if name.endswith("." + section)]
        parts += ["</dl>\n"]
    return "".join(parts) + "</body>\n</html>\n"


def main(source, build, folder):
    found = pages(source, build)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manual.css").write_text(STYLE)
    for name, path in found.items():
        (folder / (name + ".html")).write_text(render(path, set(found)))
    (folder / "index.html").write_text(index(found))
    print(f"{folder / 'index.html'}: {len(found)} pages")


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:4]))
