"""numpy opens .npz animations, without pickle, and finds the motion to the last bit."""

import zipfile

import numpy as np
import pytest

from export_support import FRAMES, TIMES, flying_ball, swaying_bar, write_samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_samples(tmp_path_factory.mktemp("npz"))


def test_times_and_names(folder):
    data = np.load(folder / "two.npz", allow_pickle=False)
    assert list(data["bodies"]) == ["bar", "bäll"]
    assert data["times"].dtype == np.float64
    assert np.array_equal(data["times"], TIMES)


def test_nodes_move_as_simulated(folder):
    data = np.load(folder / "two.npz", allow_pickle=False)
    for name, motion in [("bar", swaying_bar), ("bäll", flying_ball)]:
        rest = data[f"{name}/rest"]
        positions = data[f"{name}/positions"]
        assert positions.dtype == np.float64
        assert positions.shape == (FRAMES, *rest.shape)
        for frame, time in enumerate(TIMES):
            # The same formula by another compiler's sine: a few units in the last place.
            assert np.allclose(positions[frame], motion(rest, time), rtol=0, atol=1e-14)


def test_elements_refer_to_nodes(folder):
    data = np.load(folder / "one.npz", allow_pickle=False)
    rest, tets, triangles = data["bar/rest"], data["bar/T"], data["bar/F"]
    assert rest.shape == (99, 3) and tets.shape == (240, 4)
    edges = rest[tets[:, 1:]] - rest[tets[:, :1]]
    assert np.isclose(np.linalg.det(edges).sum() / 6, 1 * 0.2 * 0.2, rtol=1e-12)
    # The surface encloses the same volume (divergence theorem), so F numbers nodes, outward.
    corners = rest[triangles]
    assert np.isclose(np.linalg.det(corners).sum() / 6, 0.04, rtol=1e-12)


def test_checksums_are_right(folder):
    with zipfile.ZipFile(folder / "two.npz") as archive:
        assert archive.testzip() is None
