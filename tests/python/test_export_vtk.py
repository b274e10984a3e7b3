"""VTK opens .pvd series: times, tetrahedra, displacement, velocity, regions."""

import xml.etree.ElementTree as ElementTree

import meshio
import numpy as np
import pytest
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from export_support import FRAMES, SINGLE, TIMES, flying_ball, swaying_bar, write_samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_samples(tmp_path_factory.mktemp("pvd"))


def entries(path):
    return ElementTree.parse(path).getroot().findall("Collection/DataSet")


def read(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    errors = []
    reader.AddObserver("ErrorEvent", lambda *event: errors.append(event))
    reader.Update()
    assert not errors
    return reader.GetOutput()


def test_series_lists_every_frame_of_every_body(folder):
    listed = entries(folder / "two.pvd")
    assert len(listed) == 2 * FRAMES
    assert np.array_equal([float(e.get("timestep")) for e in listed], np.repeat(TIMES, 2))
    assert [e.get("part") for e in listed[:2]] == ["0", "1"]
    assert all((folder / e.get("file")).is_file() for e in listed)


@pytest.mark.parametrize("frame", [0, 4, 30])
def test_bar_of_each_frame(folder, frame):
    grid = read(folder / entries(folder / "one.pvd")[frame].get("file"))
    assert grid.GetNumberOfPoints() == 99 and grid.GetNumberOfCells() == 240
    assert grid.GetCellType(0) == grid.GetCellType(239) == vtk.VTK_TETRA
    points = vtk_to_numpy(grid.GetPoints().GetData())
    displacement = vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
    # Nodes of bar(): x runs fastest, then y, then z.
    z, y, x = np.meshgrid([0, 0.1, 0.2], [0, 0.1, 0.2], np.linspace(0, 1, 11), indexing="ij")
    rest = np.column_stack([x.ravel(), y.ravel(), z.ravel()])
    expected = swaying_bar(rest, TIMES[frame])
    assert np.allclose(points, expected, rtol=0, atol=SINGLE)
    assert np.allclose(displacement, expected - rest, rtol=1e-6, atol=1e-9)
    region = vtk_to_numpy(grid.GetCellData().GetArray("region"))
    assert np.array_equal(region, np.arange(240) % 2 + 1)
    assert grid.GetPointData().GetArray("velocity") is None  # none was given


def test_velocity_is_there_where_given(folder):
    grid = read(folder / entries(folder / "two.pvd")[2 * 6 + 1].get("file"))
    velocity = vtk_to_numpy(grid.GetPointData().GetArray("velocity"))
    assert np.array_equal(velocity, np.tile([0, 0, 0.5], (len(velocity), 1)))


def test_meshio_reads_the_same(folder):
    path = folder / entries(folder / "one.pvd")[7].get("file")
    mesh = meshio.read(path)
    grid = read(path)
    assert np.array_equal(mesh.points, vtk_to_numpy(grid.GetPoints().GetData()))
    tets = mesh.cells_dict["tetra"]
    edges = mesh.points[tets[:, 1:]].astype(float) - mesh.points[tets[:, :1]]
    assert (np.linalg.det(edges) > 0).all()
