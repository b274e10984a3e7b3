"""Folders of src/limber include only folders before them, and the runtime stays small."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "limber"
ORDER = ["core", "mesh", "rig", "material", "fem", "modes", "dynamics", "constraint", "contact", "world",
         "interpolate", "skin", "scene", "export", "plot", "render", "compare", "study"]
# Linked into limber_runtime: see src/limber/CMakeLists.txt.
RUNTIME = ["core/*.cpp", "material/*.cpp", "modes/playback/*.cpp", "dynamics/*.cpp",
           "dynamics/frame/*.cpp", "dynamics/modal/*.cpp", "dynamics/local/*.cpp", "world/*.cpp",
           "constraint/*.cpp", "contact/*.cpp", "skin/*.cpp"]
OWN_INCLUDE = re.compile(r'^\s*#\s*include\s+"limber/([\w/]+)/[\w.-]+"', re.MULTILINE)
OTHER_INCLUDE = re.compile(r'^\s*#\s*include\s+<([\w./+-]+)>', re.MULTILINE)
SYSTEM_HEADERS = ("Eigen/", "hwy/", "sys/", "fcntl.h", "unistd.h")


def sources():
    found = [p for p in SOURCE.rglob("*") if p.suffix in (".h", ".cpp")]
    assert len(found) > 50
    return found


def test_every_folder_is_known():
    assert {p.name for p in SOURCE.iterdir() if p.is_dir()} <= set(ORDER)


def test_folders_include_only_folders_before_them():
    wrong = []
    for path in sources():
        own = path.relative_to(SOURCE).parts[0]
        for folder in OWN_INCLUDE.findall(path.read_text()):
            other = folder.split("/")[0]
            if ORDER.index(other) > ORDER.index(own):
                wrong.append(f"{path.relative_to(ROOT)} includes {folder}")
    assert not wrong, "\n".join(wrong)


def included_by(path, seen):
    """All project headers that a file includes, directly or not."""
    for line in re.findall(r'#\s*include\s+"(limber/[\w/.-]+)"', path.read_text()):
        header = ROOT / "src" / line
        if header not in seen and header.exists():
            seen.add(header)
            included_by(header, seen)
    return seen


def test_runtime_needs_eigen_and_highway_alone():
    wrong = []
    for pattern in RUNTIME:
        for path in SOURCE.glob(pattern):
            for file in [path, *included_by(path, set())]:
                for header in OTHER_INCLUDE.findall(file.read_text()):
                    standard = "/" not in header and not header.endswith(".h")
                    c_header = header in ("arpa/inet.h", "immintrin.h", "stdint.h", "stddef.h")
                    if not (standard or c_header or header.startswith(SYSTEM_HEADERS)):
                        wrong.append(f"{path.relative_to(ROOT)}: {file.name} includes <{header}>")
    assert not wrong, "\n".join(wrong)


def test_no_file_is_too_long():
    long = [f"{p.relative_to(ROOT)}: {n}" for p in sources()
            if (n := len(p.read_text().splitlines())) > 500]
    assert not long, "\n".join(long)
