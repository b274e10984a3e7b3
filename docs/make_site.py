#!/usr/bin/python3
"""make_site.py [FOLDER]: all pages as one site with a search, and the reference of C++, C and Python.

Pages are those of docs/ and the README; what they link to elsewhere in the repository is brought along. Doxygen reads
the installed headers, Python's part comes from the built module. Needs mkdocs, doxygen and the target limber_python;
`scripts/docs` brings all three. The site works from any static server.
"""

import argparse
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
INCLUDE = re.compile(r'^\s*#\s*include\s+"(limber/[\w/.-]+)"', re.MULTILINE)
ROOT_PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md",
              "SECURITY.md": "security.md"}


def page_of(path):
    """Where a file of the repository is within the pages, or None where it is no page's business yet."""
    if path.as_posix() in ROOT_PAGES:
        return pathlib.Path(ROOT_PAGES[path.as_posix()])
    if path.parts[0] == "docs":
        return pathlib.Path(*path.parts[1:])
    return None


class Site:
    """The folder of pages that mkdocs reads."""

    def __init__(self, folder):
        self.folder = folder
        self.brought = set()

    def write(self, place, text):
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def bring(self, path):
        """A file or folder that a page links to: beside the pages, under source/."""
        place = pathlib.Path("source") / path
        if (ROOT / path).is_dir():
            files = sorted(p for p in (ROOT / path).iterdir() if p.is_file())
            place = place / "index.md"
            if place not in self.brought:
                self.brought.add(place)
                self.write(place, f"# {path}\n\n" + "".join(f"- [{p.name}]({p.name})\n" for p in files))
                for file in files:
                    shutil.copy(file, self.folder / "source" / path / file.name)
        elif place not in self.brought:
            self.brought.add(place)
            (self.folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.folder / place)
        return place

    def add_page(self, path):
        """A page with its links turned to where things are in the site."""
        place = page_of(path)

        def turned(match):
            target, _, anchor = match[2].partition("#")
            if not target or re.match(r"[a-z]+:", target):
                return match[0]
            linked = pathlib.Path(os.path.normpath(path.parent / target))
            if not (ROOT / linked).exists():
                raise SystemExit(f"{path}: {match[2]} leads nowhere")
            there = page_of(linked) or self.bring(linked)
            link = os.path.relpath(there, place.parent)
            return f"{match[1]}{link}{'#' + anchor if anchor else ''}{match[3]}"

        text = (ROOT / path).read_text()
        parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
        self.write(place, "".join(part if part.startswith("```") else LINK.sub(turned, part) for part in parts))


def public_headers():
    """The installed headers: those of include/ and what they include, and the C interface."""
    waiting = sorted((ROOT / "include").rglob("*.h"))
    found = set()
    while waiting:
        header = waiting.pop()
        if header in found:
            continue
        found.add(header)
        for name in INCLUDE.findall(header.read_text()):
            waiting += [place for place in (ROOT / "include" / name, ROOT / "src" / name) if place.exists()]
    return [*sorted(found), *sorted((ROOT / "bindings" / "c" / "include").rglob("*.h"))]


def add_cpp_reference(pages):
    settings = (ROOT / "docs" / "Doxyfile").read_text()
    inputs = " ".join(f'"{header}"' for header in public_headers())
    settings += f'\nINPUT = {inputs}\nOUTPUT_DIRECTORY = "{pages / "api"}"\nSTRIP_FROM_PATH = "{ROOT}"\n'
    (pages / "api").mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def described(name, thing, level):
    """A name of the Python module as Markdown."""
    text = inspect.getdoc(thing) or ""
    if callable(thing) and not inspect.isclass(thing) and "\n" in text:
        signature, _, rest = text.partition("\n\n")
        text = f"```text\n{signature}\n```\n\n" + (f"```text\n{rest.strip()}\n```" if rest.strip() else "")
    elif text:
        text = f"```text\n{text}\n```" if "\n" in text else text
    return f"{'#' * level} {name}\n\n{text}\n\n"


def python_reference(build):
    sys.path.insert(0, str(build / "python"))
    try:
        import limber
    except ImportError as missing:
        raise SystemExit(f"make_site: {missing}: build the target limber_python first") from missing
    page = "# Python\n\nFrom the docstrings of the module, as `help(limber)` shows them.\n\n"
    for name in sorted(n for n in dir(limber) if not n.startswith("_") and not inspect.ismodule(getattr(limber, n))):
        thing = getattr(limber, name)
        page += described(f"limber.{name}", thing, 2)
        if inspect.isclass(thing):
            for member in sorted(m for m in vars(thing) if not m.startswith("_")):
                page += described(f"{name}.{member}", getattr(thing, member), 3)
    return page


def add_live_page(pages, page):
    """The page that runs bodies in the reader's browser, and before all else a picture that leads to it; where
    scripts/wasm has not built it, the picture leads to how it is built."""
    built = (page / "index.html").exists()
    if built:
        shutil.copytree(page, pages / "live")
    there, words = ("live/index.html", "Try it here") if built else ("browser.md", "In your browser")
    index = pages / "index.md"
    heading, _, rest = index.read_text().partition("\n")
    picture = "![Soft characters in a heap, held and thrown in a browser](images/browser.png)"
    index.write_text(f"{heading}\n\n[{picture}]({there})\n\n[{words}]({there}): nothing to install.\n{rest}")


def collect(pages, build, with_cpp):
    site = Site(pages)
    for file in sorted(path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*")):
        if file.suffix == ".md":
            site.add_page(file)
        elif file.suffix in (".png", ".svg", ".webp", ".jpg", ".json"):
            (pages / page_of(file)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, pages / page_of(file))
    for file in ROOT_PAGES:
        site.add_page(pathlib.Path(file))
    add_live_page(pages, build.parent / "live" / "page")
    site.write(pathlib.Path("api/python.md"), python_reference(build))
    if with_cpp:
        add_cpp_reference(pages)
    else:
        site.write(pathlib.Path("api/cpp/index.md"), "# C++ and C\n\nLeft out of this build.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build" / "site", help="[build/site]")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release", help="[build/release]")
    parser.add_argument("--no-cpp", action="store_true", help="leave Doxygen's part out")
    options = parser.parse_args()
    pages = options.folder.resolve() / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    collect(pages, options.build, not options.no_cpp)
    settings = (ROOT / "docs" / "mkdocs.yml").read_text()
    config = options.folder.resolve() / "mkdocs.yml"
    config.write_text(settings + f"\ndocs_dir: {pages}\nsite_dir: {options.folder.resolve() / 'html'}\n")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", config], check=True)
    print(f"make_site: {options.folder / 'html' / 'index.html'}; "
          f"look at it with: python3 -m http.server -d {options.folder / 'html'}")


if __name__ == "__main__":
    main()
