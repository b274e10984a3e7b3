"""./run and ./test: what they install is listed, and foreign systems get the list."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def shell(code):
    return subprocess.run(["bash", "-c", f". scripts/setup.sh; {code}"], cwd=ROOT,
                          capture_output=True, text=True, timeout=60, check=False)


def test_packages_are_listed_with_kind_and_reason():
    for line in (ROOT / "scripts" / "packages").read_text().splitlines():
        assert line.startswith("#") or re.match(r"(build|test|docs|fuzz)\s+\S+\s+\S+", line), line


def test_packages_exist_in_debian():
    names = shell("packages_of build test docs fuzz").stdout.split()
    assert len(names) > 15
    known = subprocess.run(["apt-cache", "show", "--no-all-versions", *names], capture_output=True,
                           text=True, timeout=60, check=False).stdout
    if not known:
        known = subprocess.run(["dpkg-query", "-W", "-f=Package: ${Package}\n", *names],
                               capture_output=True, text=True, timeout=60, check=False).stdout
    listed = set(re.findall(r"^Package: (\S+)", known, re.MULTILINE))
    assert set(names) <= listed, set(names) - listed


def test_other_systems_get_the_list_and_a_stop():
    result = shell("is_debian_like() { return 1; }; install_packages build; echo went on")
    assert result.returncode == 1
    assert "libeigen3-dev" in result.stderr
    assert "went on" not in result.stdout


def test_missing_packages_are_found():
    result = shell("missing_of bash surely-no-such-package")
    assert result.stdout.split() == ["surely-no-such-package"]


def test_scripts_are_executable_and_ci_calls_test():
    for name in ("run", "test", ".ci/run", "scripts/fuzz", "scripts/docs"):
        assert (ROOT / name).stat().st_mode & 0o111
    for name in (".ci/run", ".github/workflows/test.yml"):
        assert "./test" in (ROOT / name).read_text()
