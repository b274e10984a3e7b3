"""limber-modes-mpi on one machine, its ranks sharing cores. Only where it is built."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

BUILD = pathlib.Path(os.environ.get("LIMBER_BUILD", pathlib.Path(__file__).resolve().parents[2]
                                    / "build" / "release"))
PROGRAM = BUILD / "limber-modes-mpi"
MISSING = not PROGRAM.exists() or shutil.which("mpirun") is None
collect_ignore_glob = ["test_*.py"] if MISSING else []
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


def pytest_report_header(config):
    return "tests/mpi: left out, limber-modes-mpi is not built" if MISSING else None


ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OPENBLAS_NUM_THREADS": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
               "OMPI_MCA_mpi_yield_when_idle": "1"}  # ranks that wait make room for those that work


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
