"""What pip calls (PEP 517): a wheel of the Python package with the program, and a source archive.

CMake builds and installs the component `python`; this file packs what it gives. It needs the standard library
alone, so that `pip install .` fetches nothing. Debian's python3 shares the build of ./run; another Python has one
of its own.
"""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from typing import Any, Optional

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDS = ["numpy", "scipy"]
SCRIPTS = "[console_scripts]\nlimber = limber._program:main\n"
EARLIEST = (1980, 1, 1, 0, 0, 0)  # of a zip file: the same wheel from the same build
Settings = Optional[dict[str, Any]]


def version() -> str:
    found = re.search(r"project\(limber VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert found is not None
    return found.group(1)


def _metadata() -> str:
    needs = "".join(f"Requires-Dist: {name}\n" for name in NEEDS)
    return (f"Metadata-Version: 2.1\nName: limber\nVersion: {version()}\n"
            "Summary: Elastic bodies to grab, twist, throw and pose in real time\nLicense: Apache-2.0\n"
            f"Requires-Python: >=3.9\n{needs}Description-Content-Type: text/markdown\n\n"
            + (ROOT / "README.md").read_text())


def _tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{python}-{python}-{platform}"


def _run(*command: object) -> None:
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True)


def _build_folder() -> pathlib.Path:
    """The folder of ./run for the Python that it builds for; for others one of their own."""
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3"):
        return ROOT / "build" / "release"
    return ROOT / "build" / f"python-{sys.implementation.cache_tag}"


def _build_into(folder: pathlib.Path) -> None:
    build = _build_folder()
    if not (build / "build.ninja").exists():
        _run("cmake", "--preset", "release", "-B", build, "-DLIMBER_UNITY=ON",
             f"-DPYTHON_EXECUTABLE={os.path.realpath(sys.executable)}")
    _run("cmake", "--build", build, "--target", "limber_python", "limber_program")
    _run("cmake", "--install", build, "--component", "python", "--strip", "--prefix", folder)


class _Wheel:
    """A zip file that keeps its RECORD."""

    def __init__(self, path: pathlib.Path) -> None:
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._record: list[str] = []

    def add(self, name: str, content: bytes, mode: int = 0o644) -> None:
        entry = zipfile.ZipInfo(name, EARLIEST)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(content)}")

    def finish(self, record: str) -> None:
        self._record.append(f"{record},,")
        self.add(record, ("\n".join(self._record) + "\n").encode())
        self._zip.close()


def build_wheel(wheel_directory: str, config_settings: Settings = None,
                metadata_directory: Optional[str] = None) -> str:
    name = f"limber-{version()}-{_tag()}.whl"
    info = f"limber-{version()}.dist-info"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        _build_into(folder)
        wheel = _Wheel(pathlib.Path(wheel_directory) / name)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                wheel.add(path.relative_to(folder).as_posix(), path.read_bytes(), path.stat().st_mode & 0o777)
    wheel.add(f"{info}/METADATA", _metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: limber\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode())
    wheel.add(f"{info}/entry_points.txt", SCRIPTS.encode())
    wheel.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.finish(f"{info}/RECORD")
    return name


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """The files that git knows, and PKG-INFO."""
    name = f"limber-{version()}"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    archive = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    with tempfile.TemporaryDirectory() as temporary, tarfile.open(archive, "w:gz", format=tarfile.PAX_FORMAT) as tar:
        for file in filter(None, files.split("\0")):
            tar.add(ROOT / file, f"{name}/{file}", recursive=False)
        metadata = pathlib.Path(temporary) / "PKG-INFO"
        metadata.write_text(_metadata())
        tar.add(metadata, f"{name}/PKG-INFO")
    return archive.name
