"""Pages: no dead link in the repository or in the built site, and commands that are what they say."""

import html.parser
import os
import pathlib
import re
import shlex
import subprocess
import sys
import urllib.parse

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LIMBER_BUILD", ROOT / "build" / "release"))
NOT_OURS = {"build", "node_modules", "dist", "__pycache__"}
PAGES = sorted(path for top in (*ROOT.glob("*.md"), *(ROOT / name for name in ("docs", "apps", "bindings", "examples")))
               for path in ([top] if top.is_file() else top.rglob("*.md"))
               if not NOT_OURS & set(path.relative_to(ROOT).parts))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def anchors_of(text):
    """Of a page's headings, as GitHub and mkdocs make them."""
    titles = re.findall(r"^#+ +(.+?) *$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip()) for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_in_the_repository_lead_somewhere(page):
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text())):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        there = page.parent / target if target else page
        if not there.exists():
            dead.append(link)
        elif anchor and there.suffix == ".md" and anchor not in anchors_of(there.read_text()):
            dead.append(link)
    assert not dead, dead


class Links(html.parser.HTMLParser):
    """Links and anchors of a page of the site."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.anchors.add(value)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    if not (BUILD / "python").exists():
        pytest.skip("the Python module is not built")
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "docs/make_site.py", folder, "--build", BUILD], cwd=ROOT, check=True, timeout=600)
    return folder / "html"


def test_no_link_of_the_site_is_dead(site):
    pages = {path: Links(path.read_text(errors="replace")) for path in site.rglob("*.html")}
    assert len(pages) > 60
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith(("javascript:", "data:")) or path.name == "404.html":
                continue
            there = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            there = there / "index.html" if there.is_dir() else there
            ours = "api/cpp" not in path.as_posix()  # Doxygen's own anchors are its business
            if not there.exists() or (ours and parts.fragment and there in pages and
                                      parts.fragment not in pages[there].anchors):
                dead.append(f"{path.relative_to(site)}: {link}")
    assert not dead, dead[:20]


def test_the_site_can_be_searched_and_knows_all_three_languages(site):
    index = (site / "search" / "search_index.json").read_text()
    assert "limber.World" in index and "stiffness" in index
    reference = "".join(path.read_text(errors="replace") for path in (site / "api" / "cpp").glob("*.html"))
    assert "limber_world_step" in reference and "ModalModel" in reference
    first = (site / "index.html").read_text()
    assert not re.search(r'src="https?://', first)  # nothing comes from elsewhere
    assert re.search(r'<img[^>]* src="([^"]*)"', first)[1].endswith("images/browser.png")


def commands():
    """(page, words) of every `./run …` and `limber …` line in a page's shell blocks."""
    for page in PAGES:
        for language, block in FENCE.findall(page.read_text()):
            if language not in ("sh", "bash", "shell", "console"):
                continue
            for line in block.replace("\\\n", " ").splitlines():
                for part in re.split(r"&&|;|\|", re.sub(r"(^|\s)#.*", "", line).removeprefix("$ ")):
                    try:
                        words = shlex.split(part)
                    except ValueError:
                        continue  # a quote that spans the parts
                    while words and re.fullmatch(r"[A-Z_]+=.*|time|timeout|\d+", words[0]):
                        words = words[1:]
                    if words and words[0] in ("./run", "limber", "build/release/limber") and len(words) > 1:
                        yield page, words[1:]


COMMANDS = list(commands())


def help_of(command):
    run = subprocess.run([BUILD / "limber", command, "--help"], capture_output=True, text=True, check=False, timeout=60)
    return run.stdout if run.returncode == 0 else ""


def test_commands_on_pages_are_commands_with_those_options():
    if not (BUILD / "limber").exists():
        pytest.skip("the program is not built")
    assert len(COMMANDS) > 10
    known, wrong = {}, []
    for page, words in COMMANDS:
        command = words[0]
        if command.startswith("-") or not re.fullmatch(r"[a-z]+", command):
            continue
        text = known.setdefault(command, help_of(command))
        if not text:
            wrong.append(f"{page.name}: there is no command {command}")
        for word in words[1:]:
            option = word.split("=")[0]
            if re.fullmatch(r"--[a-z][a-z-]+|-[a-z]", option) and not re.search(rf"(?<![\w-]){option}(?![\w-])", text):
                wrong.append(f"{page.name}: limber {command} has no {option}")
    assert not wrong, wrong


def test_files_that_commands_on_pages_read_are_there():
    missing = [f"{page.name}: {word}" for page, words in COMMANDS for word in words
               if re.match(r"(scenes|examples|tests|docs)/", word) and not re.search(r"[*{$<]", word)
               and not (ROOT / word).exists() and "-o" not in words[max(0, words.index(word) - 1)]]
    assert not missing, missing


def promises():
    """The rows of the tables of docs/reliability.md: what is promised, and by which tests it is held."""
    for line in (ROOT / "docs" / "reliability.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 2 and not set(cells[0]) <= set("-: "):
            yield tuple(cells)


def test_every_promise_names_tests_that_exist():
    tests = {path: path.read_text(errors="replace") for path in (ROOT / "tests").rglob("*")
             if path.suffix in (".cpp", ".py", ".c", ".h", ".txt") and not NOT_OURS & set(path.parts)}
    missing, rows = [], 0
    for promise, held_by in promises():
        if held_by in ("test", "check"):
            continue
        rows += 1
        named = re.findall(r"`([^`]+)`", held_by)
        if not named:
            missing.append(f"{promise}: no test")
        for name in named:
            script, *options = name.split()
            if script.startswith("scripts/"):
                known = (ROOT / script).exists() and all(
                    option in (ROOT / script).read_text() for option in options if not option.isdigit())
            elif "/" in name:
                known = (ROOT / name).exists()
            elif name.endswith((".py", ".cpp", ".c")):
                known = any(path.name == name for path in tests)
            else:  # of GoogleTest or pytest, perhaps its beginning
                begin = re.escape(name.rstrip("…"))
                end = "" if name.endswith("…") else r"\b"
                known = any(re.search(rf"(def |TEST\w*\(\w+, *){begin}{end}", text) for text in tests.values())
            if not known:
                missing.append(f"{promise}: {name}")
    assert rows > 15
    assert not missing, "\n".join(missing)
