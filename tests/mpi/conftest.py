"""limber-modes-mpi on one machine, its ranks sharing cores: skipped where there is no MPI to build it with."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from places import BUILD

PROGRAM = BUILD / "limber-modes-mpi"
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def why_not():
    for tool in ("mpirun", "pkg-config"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    found = subprocess.run(["pkg-config", "--exists", "SLEPc", "PETSc"], check=False).returncode == 0
    return None if found or PROGRAM.exists() else "PETSc and SLEPc are not installed"


def pytest_collection_modifyitems(items):
    reason = why_not()
    for item in (item for item in items if HERE in item.path.parents):
        item.add_marker(pytest.mark.xdist_group("mpi"))  # ranks of two jobs would wait for each other
        if reason:
            item.add_marker(pytest.mark.skip(reason=f"no limber-modes-mpi: {reason}"))


ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OPENBLAS_NUM_THREADS": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
               "OMPI_MCA_mpi_yield_when_idle": "1",  # ranks that wait make room for those that work
               "HWLOC_HIDE_ERRORS": "2"}  # of mpirun itself, where a bare system has no /sys


def command(ranks, *arguments, limit_blocks=None):
    words = [str(PROGRAM), *map(str, arguments)]
    if limit_blocks is not None:  # of files; shared memory between ranks would count too
        words = ["bash", "-c", f'ulimit -f {limit_blocks}; exec "$@"', "bash", *words]
        ranks = f"{ranks} --mca btl self,tcp".split()
        return ["mpirun", "--quiet", "--oversubscribe", "--bind-to", "none", "-n", *ranks, *words]
    return ["mpirun", "--quiet", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *words]


class RankProgram:
    """`mpirun -n RANKS limber-modes-mpi ARGUMENTS`."""

    patience = 500  # s, for hangs: four ranks that wait for each other on two busy cores took 118

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, ranks, *arguments, **limits):
        return subprocess.run(command(ranks, *arguments, **limits), cwd=self.folder, capture_output=True,
                              text=True, timeout=self.patience, check=False, env=ENVIRONMENT)

    def start(self, ranks, *arguments):
        return subprocess.Popen(command(ranks, *arguments), cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)

    def ok(self, ranks, *arguments):
        result = self(ranks, *arguments)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def json(self, ranks, *arguments):
        return json.loads(self.ok(ranks, *arguments, "--json"))

    def refuses(self, ranks, *arguments, code=2, **limits):
        """The one line of an error, and no file made."""
        before = set(self.folder.iterdir())
        result = self(ranks, *arguments, **limits)
        assert result.returncode == code, (result.returncode, result.stdout, result.stderr)
        lines = result.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith("limber: error: "), result.stderr
        assert set(self.folder.iterdir()) == before
        return lines[0]


@pytest.fixture
def on_ranks(tmp_path):
    return RankProgram(tmp_path)
