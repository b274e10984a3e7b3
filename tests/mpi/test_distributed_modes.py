"""Modes over 1, 2 and 4 ranks are those of one process: clamped, free, hinged, in parts, of soft and
stiff regions, nearly incompressible, irregular and scrambled."""

import numpy as np
import pytest
from bodies import (bar, mass_matrix, read_limber, scrambled, shaken, subspace_distance, write_msh2,
                    write_raw_vtu)

CLAMP = ["--fix", "x<=0.001"]


def halves(V, T):
    return np.where(V[T].mean(axis=1)[:, 0] < 0.5, 1, 2)


def small_bar():
    return bar([1, 0.2, 0.24], [14, 4, 5])


def clamped(folder):
    return write_msh2(folder / "body.msh", *small_bar()), CLAMP


def free(folder):
    return write_msh2(folder / "body.msh", *small_bar()), []


def hinged(folder):
    return write_msh2(folder / "body.msh", *small_bar()), ["--fix", "x<=0.001 && y<=0.001"]


def two_parts(folder):
    V, T = bar([1, 0.2, 0.24], [9, 3, 3])
    W, S = bar([1.3, 0.2, 0.25], [9, 3, 3], origin=(0, 1, 0))
    regions = [1] * len(T) + [2] * len(S)
    path = write_msh2(folder / "body.msh", np.vstack([V, W]), np.vstack([T, S + len(V)]), regions)
    return path, ["--fix", "x<=0.001 && y<=0.5"]  # the other one flies


def regions_far_apart(folder):
    V, T = small_bar()
    return (write_msh2(folder / "body.msh", V, T, halves(V, T)),
            [*CLAMP, "--young", "1e5", "--region", "1:young=1e9,density=3000"])


def stiff_tip(folder):
    """A heavy stiff half moves almost rigidly on a soft stem: LOBPCG meets its rounding errors."""
    V, T = small_bar()
    return (write_msh2(folder / "body.msh", V, T, halves(V, T)),
            [*CLAMP, "--young", "1e5", "--region", "2:young=1e9,density=3000"])


def rubber(folder):
    return write_msh2(folder / "body.msh", *small_bar()), [*CLAMP, "--poisson", "0.45"]


def nearly_incompressible(folder):
    return write_msh2(folder / "body.msh", *small_bar()), [*CLAMP, "--poisson", "0.49"]


def irregular(folder):
    V, T = small_bar()
    return write_msh2(folder / "body.msh", shaken(V, 0.03), T), [*CLAMP, "--mass", "lumped"]


def scrambled_numbers(folder):
    V, T, regions = scrambled(*small_bar())
    tags = 5 + 3 * np.random.default_rng(1).permutation(len(V))
    return write_msh2(folder / "body.msh", V, T, regions, tags, single_heads=True), CLAMP


CASES = [clamped, free, hinged, two_parts, regions_far_apart, rubber, nearly_incompressible,
         irregular, scrambled_numbers]
MODES = 9  # the gap behind the ninth is wide in all of them, so that subspaces are well defined
# What depends on sums over ranks differs in its last digits, everything else not at all.
EXACT = ["rest_positions", "tets", "regions", "fixed_nodes", "mass.offsets", "mass.columns",
         "surface.triangles", "surface.nodes", "surface.weights", "surface.rest_positions"]


def expect_same_body(found, wanted, eigenvalue_error=1e-8):
    # Contact points are an optional section: no rank has the whole surface to choose them from, and who
    # makes a collider of the body chooses the same ones then.
    assert found.keys() == wanted.keys() - {"surface.contact_points"}
    for name in EXACT:
        assert np.array_equal(found[name], wanted[name]), name
    for name in ("mass.values", "mass.row_sums", "surface.rest_normals"):
        assert np.allclose(found[name], wanted[name], rtol=1e-12, atol=1e-15), name
    assert np.allclose(found["eigenvalues"], wanted["eigenvalues"], rtol=eigenvalue_error, atol=0)
    assert found["numbers"][1] <= 1e-5  # residual
    assert np.array_equal(found["numbers"][[0, 2, 3, 4, 5]], wanted["numbers"][[0, 2, 3, 4, 5]])
    M = mass_matrix(wanted)
    nodes = M.shape[0]
    from scipy.sparse import identity, kron
    M = kron(M, identity(3)).tocsr()
    for name in ("Phi", "Psi"):
        A, B = (body[name].reshape(3 * nodes, -1) for body in (found, wanted))
        assert subspace_distance(A, B, M) < 1e-5, name
    Phi = found["Phi"].reshape(3 * nodes, -1)
    assert np.allclose(Phi.T @ (M @ Phi), np.eye(Phi.shape[1]), atol=1e-8)


def bake_both(case, ranks, program, on_ranks, *arguments):
    mesh, options = case(program.folder)
    about = [mesh, *options, "--modes", MODES]
    program.ok("bake", *about, "-o", "one.limber", "--solver", "direct")
    on_ranks.ok(ranks, *about, "-o", "many.limber", *arguments)
    return [read_limber(program.folder / name) for name in ("many.limber", "one.limber")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_four_ranks_iterate_to_the_body_of_one_process(case, program, on_ranks):
    expect_same_body(*bake_both(case, 4, program, on_ranks, "--solver", "iterative"))


@pytest.mark.parametrize("solver", ["iterative", "direct"])
def test_stiff_parts_that_move_rigidly_keep_their_digits(solver, program, on_ranks):
    # K is known to ε‖K‖ alone, 5e-7 of the lowest eigenvalue here. Energies of strains have more digits; what
    # is within 1e-10 of them is left as it is, on either side.
    expect_same_body(*bake_both(stiff_tip, 2, program, on_ranks, "--solver", solver),
                     eigenvalue_error=3e-10)


@pytest.mark.parametrize("case, ranks", [(free, 1), (scrambled_numbers, 1), (free, 2), (two_parts, 2)],
                         ids=lambda value: getattr(value, "__name__", str(value)))
def test_the_number_of_ranks_does_not_matter(case, ranks, program, on_ranks):
    expect_same_body(*bake_both(case, ranks, program, on_ranks, "--solver", "iterative"))


@pytest.mark.parametrize("case", [free, regions_far_apart], ids=lambda case: case.__name__)
def test_the_factor_on_two_ranks_gives_the_same(case, program, on_ranks):
    expect_same_body(*bake_both(case, 2, program, on_ranks, "--solver", "direct"))


def test_a_meshed_character_on_three_ranks(program, on_ranks):
    program.ok("character", "flubber", "-o", "flubber.obj")
    program.ok("mesh", "flubber.obj", "-o", "text.msh", "--cells", 9)
    program.ok("convert", "text.msh", "body.msh", "--binary")
    found, wanted = bake_both(lambda folder: (folder / "body.msh", ["--poisson", "0.45"]), 3, program,
                              on_ranks, "--solver", "iterative")
    expect_same_body(found, wanted)


def test_surfaces_bound_to_the_tets_and_half_the_memory(program, on_ranks):
    program.ok("convert", write_msh2(program.folder / "thin.msh", *bar([1.02, 0.21, 0.24], [17, 3, 3],
                                                                      (-0.01, 0, 0))), "skin.obj")
    V, T = small_bar()  # shaken all over: no vertex is equally near to two tets
    V = V + 0.01 * (np.random.default_rng(2).random(V.shape) - 0.5)
    mesh = write_msh2(program.folder / "body.msh", V, T)
    about = [mesh, "--fix", "x<=0.02", "--modes", MODES, "--surface", "skin.obj"]
    program.ok("bake", *about, "-o", "one.limber", "--storage", "int16")
    on_ranks.ok(3, *about, "-o", "many.limber", "--storage", "int16")
    found, wanted = (read_limber(program.folder / n) for n in ("many.limber", "one.limber"))
    for name in ("surface.nodes", "surface.triangles", "surface.rest_positions"):
        assert np.array_equal(found[name], wanted[name]), name
    assert np.allclose(found["surface.weights"], wanted["surface.weights"], atol=1e-12)
    assert np.allclose(found["packed.amplitudes"], wanted["packed.amplitudes"], rtol=1e-4)
    assert found["packed.pairs"].shape == wanted["packed.pairs"].shape
    program.ok("info", "many.limber")


def test_vtu_and_gmsh_4_give_the_modes_of_gmsh_2(program, on_ranks):
    V, T = small_bar()
    regions = halves(V, T)
    write_msh2(program.folder / "body.msh", V, T, regions)
    write_raw_vtu(program.folder / "body.vtu", V, T, regions)
    program.ok("convert", "body.msh", "four.msh", "--binary")
    values = [[m["eigenvalue"] for m in on_ranks.json(2, name, "--fix", "region:1 && x<=0.01", "--region",
                                                      "2:young=3e6", "--modes", 5)["modes"]]
              for name in ("body.msh", "body.vtu", "four.msh")]
    assert np.allclose(values[0], values[1], rtol=1e-10) and np.allclose(values[0], values[2], rtol=1e-10)


def test_automatic_counts_agree(program, on_ranks):
    mesh, options = clamped(program.folder)
    about = [mesh, *options, "--young", "2e5", "--modes", "auto"]
    one = program.json("modes", *about, "--json")
    many = on_ranks.json(2, *about)
    assert np.allclose([m["eigenvalue"] for m in one["modes"]],
                       [m["eigenvalue"] for m in many["modes"]], rtol=1e-8)
    keys = {"ranks", "iterations", "peak_bytes_of_a_rank"}
    assert many.keys() == one.keys() | keys
