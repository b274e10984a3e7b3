"""Point caches read by their published layouts with numpy alone."""

import numpy as np
import pytest

from export_support import FPS, FRAMES, SINGLE, TIMES, swaying_bar, write_samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_samples(tmp_path_factory.mktemp("caches"))


def read_mdd(path):
    raw = path.read_bytes()
    frames, points = np.frombuffer(raw, ">i4", 2)
    times = np.frombuffer(raw, ">f4", frames, 8)
    positions = np.frombuffer(raw, ">f4", offset=8 + 4 * frames)
    return times, positions.reshape(frames, points, 3)


def read_pc2(path):
    raw = path.read_bytes()
    assert raw[:12] == b"POINTCACHE2\0"
    version, points = np.frombuffer(raw, "<i4", 2, 12)
    start, rate = np.frombuffer(raw, "<f4", 2, 20)
    (samples,) = np.frombuffer(raw, "<i4", 1, 28)
    assert version == 1
    return start + rate * np.arange(samples), np.frombuffer(raw, "<f4", offset=32).reshape(
        samples, points, 3
    )


@pytest.mark.parametrize("read, name, unit", [(read_mdd, "mdd", 1), (read_pc2, "pc2", FPS)])
def test_times_and_points(folder, read, name, unit):
    times, positions = read(folder / f"one.{name}")
    assert np.allclose(times, TIMES * unit, rtol=1e-6)
    assert positions.shape == (FRAMES, 90, 3)
    for frame, time in enumerate(TIMES):
        expected = swaying_bar(positions[0].astype(float), time)
        assert np.allclose(positions[frame], expected, rtol=0, atol=SINGLE)


def test_several_bodies_have_a_file_each(folder):
    assert not (folder / "two.mdd").exists()
    assert read_mdd(folder / "two.bar.mdd")[1].shape[1] == 90
    assert read_mdd(folder / "two.bäll.mdd")[1].shape[1] == 218
