"""Reads the PNG files that limber writes: 8-bit RGB, not interlaced."""

import struct
import zlib


def read_png(path):
    """Width, height and rows of (red, green, blue)."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, packed = 8, b""
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        chunk = data[place + 8:place + 8 + length]
        assert struct.unpack(">I", data[place + 8 + length:place + 12 + length])[0] == zlib.crc32(kind + chunk)
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", chunk[:10])
            assert (depth, colour) == (8, 2)
        elif kind == b"IDAT":
            packed += chunk
        place += 12 + length
    return width, height, unfilter(zlib.decompress(packed), width, height)


def unfilter(raw, width, height):
    stride = 3 * width
    before, rows = bytearray(stride), []
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up = (line[i - 3] if i >= 3 else 0), before[i]
            corner = before[i - 3] if i >= 3 else 0
            line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth(left, up, corner))[kind]) & 255
        rows.append([tuple(line[3 * x:3 * x + 3]) for x in range(width)])
        before = line
    return rows


def paeth(left, up, corner):
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


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
