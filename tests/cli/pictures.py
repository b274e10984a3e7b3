"""Reads the PNG files that limber writes, by VTK's reader: 8-bit RGB."""

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader


def read_png(path):
    """Width, height and rows of (red, green, blue)."""
    reader = vtkPNGReader()
    reader.SetFileName(str(path))
    reader.Update()
    assert reader.GetErrorCode() == 0
    image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    pixels = vtk_to_numpy(image.GetPointData().GetScalars())
    assert pixels.dtype == "uint8" and pixels.shape == (width * height, 3)
    from_top = pixels.reshape(height, width, 3)[::-1].tolist()
    return width, height, [[tuple(pixel) for pixel in row] for row in from_top]


def share(rows, test):
    """The part of all pixels for which test(red, green, blue) holds."""
    pixels = [test(*pixel) for row in rows for pixel in row]
    return sum(pixels) / len(pixels)


def is_blue(red, green, blue):
    return blue > 60 and blue > 1.5 * red


def is_reddish(red, green, blue):
    """Red, also as a veil over the bright ground, whose channels differ by less than 10."""
    return red > blue + 25 and red > green + 15


def is_bluish(red, green, blue):
    """Blue, also behind a veil of red."""
    return blue > red + 8 and blue > green + 20
