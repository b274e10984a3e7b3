"""Programs of others, built against the installed runtime: static and shared, with flags of their own."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
FOREIGN = ROOT / "tests" / "install" / "foreign"
PAGE = (ROOT / "docs" / "embedding.md").read_text()
NOT_NEEDED = ["GTest", "fmt", "nlohmann_json", "ZLIB", "embree", "JPEG", "CLI11", "pybind11", "Boost", "CGAL"]

pytestmark = pytest.mark.xdist_group("install")  # one process builds, once


def run(*command, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=900,
                            check=False, **options)
    assert result.returncode == 0, f"{command}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}"
    return result.stdout


def block(language, after):
    """The first code of a language on the page behind some words."""
    return re.search(rf"```{language}\n(.*?)```", PAGE[PAGE.index(after):], re.DOTALL).group(1)


def write_game(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.cpp").write_text(block("cpp", "`game.cpp`:"))
    return folder


def install(build, prefix):
    run("cmake", "--install", build, "--component", "runtime", "--prefix", prefix)
    return prefix


def runtime_command(build):
    """How a part of the runtime was compiled."""
    commands = json.loads((build / "compile_commands.json").read_text())
    return next(c["command"] for c in commands if "limber_runtime_parts" in c["command"])


@pytest.fixture(scope="session")
def subproject(tmp_path_factory):
    """The build of a game with Limber as a part of it, where nothing but Eigen and Highway can be found,
    and the runtime is a shared library. The game's options are those of our release build, so that the
    compiler's cache has the runtime already."""
    folder = write_game(tmp_path_factory.mktemp("subproject"))
    shutil.copy(FOREIGN / "CMakeLists.txt", folder)
    build = ROOT / "build" / "subproject"
    without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in NOT_NEEDED]
    options = ";".join(re.findall(r" (-W\S+)", runtime_command(BUILD)))
    run("cmake", "--fresh", "-S", folder, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG", f"-DOPTIONS={options}",
        "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        f"-DLIMBER={ROOT}", "-DLIMBER_INSTALL=ON", "-DLIMBER_UNITY=ON", "-DBUILD_SHARED_LIBS=ON", *without)
    run("cmake", "--build", build)
    return build


@pytest.fixture(scope="session")
def trees(tmp_path_factory, subproject):
    """Where the runtime is installed."""
    folder = tmp_path_factory.mktemp("installed")
    return {"static": install(BUILD, folder / "static"), "shared": install(subproject, folder / "shared")}


@pytest.fixture(scope="session")
def baked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("baked")
    run(BUILD / "limber", "character", "flubber", "-o", "flubber.glb", cwd=folder)
    run(BUILD / "limber", "mesh", "flubber.glb", "-o", "flubber.msh", "--cells", 8, cwd=folder)
    run(BUILD / "limber", "bake", "flubber.msh", "-o", "flubber.limber", "--fix", "y<=0.1",
        "--modes", 12, cwd=folder)
    return folder / "flubber.limber"


def built_by_cmake(folder, tree, flags, sources):
    """The page's CMakeLists.txt with the foreign programs beside the game."""
    text = block("cmake", "`CMakeLists.txt`")
    for source in sources:
        shutil.copy(FOREIGN / source, folder)
        name = pathlib.Path(source).stem
        text += f"add_executable({name} {source})\ntarget_link_libraries({name} PRIVATE limber::runtime)\n"
    (folder / "CMakeLists.txt").write_text(text)
    run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={tree}",
        f"-DCMAKE_CXX_FLAGS={flags}", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    run("cmake", "--build", folder / "build")
    return folder / "build"


@pytest.fixture(scope="session")
def outputs(tmp_path_factory, trees, baked):
    """What the programs print, for each kind of library and flags."""
    found = {}
    for kind in trees:
        for flags in ("", "-march=native"):  # without optimisation: every inline function is there
            folder = write_game(tmp_path_factory.mktemp("game"))
            build = built_by_cmake(folder, trees[kind], flags, ["crossing.cpp"])
            found[kind, flags] = run(build / "game", baked) + run(build / "crossing", baked)
    return found


def test_the_game_of_the_page_runs_with_every_library_and_any_flags(outputs):
    assert len(outputs) == 4
    for text in outputs.values():
        assert "vertices, the first at" in text


def test_the_callers_flags_change_no_bit(outputs):
    for kind in ("static", "shared"):
        assert outputs[kind, ""] == outputs[kind, "-march=native"]


def test_pkg_config_is_enough(trees, baked, tmp_path):
    folder = write_game(tmp_path)
    for kind, tree in trees.items():
        path = next(tree.glob("**/pkgconfig"))
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "limber-runtime"], text=True,
                               env={"PKG_CONFIG_PATH": str(path), "PATH": "/usr/bin:/bin"},
                               capture_output=True, check=True).stdout.split()
        run("g++", "-std=c++20", folder / "game.cpp", "-o", folder / kind, *flags,
            f"-Wl,-rpath,{path.parent}")
        assert "vertices" in run(folder / kind, baked)


def public_types(tree):
    """Classes and structures of the installed headers that can be named from outside."""
    found = set()
    for header in tree.glob("include/limber/**/*.h"):
        for name in re.findall(r"^(?:class|struct) (\w+)[^;{]*\{", header.read_text(), re.MULTILINE):
            found.add(name)
    return sorted(found)


def test_the_layout_of_public_types_does_not_depend_on_flags(trees, tmp_path):
    types = public_types(trees["static"])
    assert {"World", "SupportKey", "Handle", "ModalModel", "Skin"} <= set(types)
    headers = "".join(f'#include "{p.relative_to(trees["static"] / "include")}"\n'
                      for p in trees["static"].glob("include/limber/**/*.h"))
    templates = {"SharedArray": "SharedArray<double>"}
    sizes = ", ".join(f"sizeof(limber::{templates.get(n, n)}), alignof(limber::{templates.get(n, n)})"
                      for n in types)
    source = tmp_path / "sizes.cpp"
    source.write_text(f"{headers}\nextern const unsigned long sizes[] = {{{sizes}}};\n")
    found = set()
    for flags in (["-msse2"], ["-mavx2", "-mfma"], ["-mavx512f", "-mavx512dq", "-mfma"]):
        run("g++", "-std=c++20", *flags, f"-I{trees['static']}/include", "-I/usr/include/eigen3", "-c",
            source, "-o", tmp_path / "sizes.o")
        run("objcopy", "-O", "binary", "--only-section=.rodata", tmp_path / "sizes.o", tmp_path / "sizes")
        found.add((tmp_path / "sizes").read_bytes()[: 16 * len(types)])
    assert len(found) == 1


def test_private_headers_stay_at_home(trees):
    for tree in trees.values():
        names = {str(p.relative_to(tree / "include/limber")) for p in tree.glob("include/limber/**/*.h")}
        assert "runtime.h" in names and "world/world.h" in names
        assert not {n for n in names if "-inl" in n or n.endswith("_kernels.h")}
        assert not names & {"dynamics/modal/modal_body.h", "constraint/handle_solver.h", "core/file.h"}
        assert len(names) < 60


def test_a_subproject_sets_nothing_for_others(subproject):
    commands = json.loads((subproject / "compile_commands.json").read_text())
    game = [c["command"] for c in commands if c["file"].endswith("game.cpp")]
    assert len(game) == 1
    flags = {flag for flag in re.findall(r" (-\S+)", game[0]) if flag.startswith(("-O", "-W", "-f", "-D", "-m"))}
    given = {"-O3", "-DNDEBUG", *re.findall(r" (-W\S+)", runtime_command(BUILD))}
    assert flags == given
    assert not [c["file"] for c in commands if "/tests/" in c["file"] or "/apps/" in c["file"]]
    cache = (subproject / "CMakeCache.txt").read_text()
    assert not re.search(r"^(METIS|CHOLMOD|CAIRO|JPEG|OPENBLAS)", cache, re.MULTILINE)


def test_weak_functions_are_out_of_the_linkers_sight():
    symbols = run("nm", "--defined-only", "--format=posix", BUILD / "src/limber/liblimber_runtime.a")
    assert "_ZN6limber5World4stepEd T" in symbols
    assert not re.findall(r"^_ZN5Eigen\S+ [WV]", symbols, re.MULTILINE)
