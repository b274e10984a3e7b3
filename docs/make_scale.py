"""Measures how modes of large bodies grow with the mesh, and draws docs/images/scale.png.

    PYTHONPATH=tests/mpi /usr/bin/python3 docs/make_scale.py measure 13 22 33   # cells across a bar
    PYTHONPATH=tests/mpi /usr/bin/python3 docs/make_scale.py ranks 33 1 2 4
    /usr/bin/python3 docs/make_scale.py plot                                    # python3-matplotlib

A bar of 1 × 0.2 × 0.2 m, clamped at one end, ν = 0.33, 20 modes: 30 k³ tets. Everything runs at
nice 5; figures go to docs/scale.json, one entry a run, the last one of its kind counts.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("LIMBER_BUILD", ROOT / "build" / "release"))
FIGURES = ROOT / "docs" / "scale.json"
ABOUT = ["--fix", "x<=0.001", "--young", "1e6", "--poisson", "0.33", "--modes", "20", "--json"]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OPENBLAS_NUM_THREADS": "1"}


def entries():
    return json.loads(FIGURES.read_text()) if FIGURES.exists() else []


def note(entry):
    same = [key for key in ("kind", "tets", "ranks") if key in entry]
    kept = [e for e in entries() if any(e.get(key) != entry[key] for key in same)]
    FIGURES.write_text(json.dumps(sorted([*kept, entry], key=lambda e: (e["kind"], e["tets"], e["ranks"])),
                                  indent=1) + "\n")
    print(json.dumps(entry), flush=True)


def run(kind, command, ranks):
    """Runs at nice 5; processor seconds of all its processes, and what it says itself."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(["nice", "-n", "5", *map(str, command)], capture_output=True, text=True,
                          env=ENVIRONMENT, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{kind}: exit code {done.returncode}: {done.stderr}")
    said = json.loads(done.stdout)
    peak = said.get("peak_bytes_of_a_rank", 1024 * after.ru_maxrss)
    note({"kind": kind, "tets": said["tets"], "nodes": said["nodes"], "ranks": ranks,
          "iterations": said.get("iterations"), "seconds": round(time.monotonic() - start, 1),
          "processor_seconds": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
          "peak_mb_of_a_rank": round(peak / 1e6), "max_residual": said["max_residual"],
          "first_hz": said["modes"][0]["frequency_hz"], "last_hz": said["modes"][-1]["frequency_hz"]})


def with_bar(cells, use):
    from bodies import bar, write_msh2
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "bar.msh"
        write_msh2(path, *bar([1, 0.2, 0.2], [5 * cells, cells, cells]))
        use(path)


def on_ranks(ranks, solver, path):
    mpirun = [] if ranks == 1 else ["mpirun", "--quiet", "--oversubscribe", "--bind-to", "none", "-n", ranks]
    return [*mpirun, BUILD / "limber-modes-mpi", path, *ABOUT, "--solver", solver]


def measure(all_cells):
    for cells in map(int, all_cells):
        with_bar(cells, lambda path: run("lobpcg", on_ranks(1, "iterative", path), 1))


def direct(all_cells):
    for cells in map(int, all_cells):
        def both(path):
            run("limber", [BUILD / "limber", "modes", path, *ABOUT, "--solver", "direct"], 1)
            run("mumps", on_ranks(1, "direct", path), 1)
        with_bar(cells, both)


def ranks(arguments):
    cells, *counts = map(int, arguments)
    with_bar(cells, lambda path: [run("lobpcg", on_ranks(count, "iterative", path), count) for count in counts])


def alone(arguments):
    """`limber modes` by itself, with so many GB free."""
    cells, memory = arguments
    with_bar(int(cells), lambda path: run("limber modes alone", [
        BUILD / "limber", "modes", path, *ABOUT, "--memory", memory], 2))


def plot(_):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    styles = {"limber": ("#D55E00", "s", "limber modes: CHOLMOD, block Lanczos"),
              "mumps": ("#888888", "^", "limber-modes-mpi: MUMPS, Krylov–Schur"),
              "lobpcg": ("#0072B2", "o", "limber-modes-mpi: multigrid, LOBPCG")}
    figure, axes = plt.subplots(1, 2, figsize=(10, 4))
    for kind, (colour, marker, label) in styles.items():
        rows = sorted((e for e in entries() if e["kind"] == kind and e["ranks"] == 1), key=lambda e: e["tets"])
        if not rows:
            continue
        tets = [e["tets"] for e in rows]
        axes[0].loglog(tets, [e["processor_seconds"] for e in rows], marker + "-", color=colour, label=label)
        axes[1].loglog(tets, [e["peak_mb_of_a_rank"] / 1000 for e in rows], marker + "-", color=colour)
        if kind == "lobpcg":
            for e in rows:
                axes[0].annotate(f"{e['iterations']} it.", (e["tets"], e["processor_seconds"]),
                                 textcoords="offset points", xytext=(-6, 8), fontsize=8, color=colour)
    axes[0].set_ylabel("processor seconds")
    axes[1].set_ylabel("peak memory, GB")
    from matplotlib.ticker import FuncFormatter, LogLocator
    for ax in axes:
        ax.set_xlabel("tets")
        ax.margins(0.12)
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        ax.grid(True, which="both", alpha=0.25)
    axes[0].legend(fontsize=8)
    figure.suptitle("20 modes of a clamped bar, one process")
    figure.tight_layout()
    figure.savefig(ROOT / "docs" / "images" / "scale.png", dpi=110)


if __name__ == "__main__":
    {"measure": measure, "direct": direct, "ranks": ranks, "alone": alone, "plot": plot}[sys.argv[1]](sys.argv[2:])
