// A picture of four pixels, and an OBJ with a library that shows it.
#pragma once

#include <filesystem>
#include <string>

#include "limber/core/file.h"
#include "limber/mesh/formats/base64.h"

namespace limber {

/// 2 × 2 pixels: red, green, blue, white. Made by zlib and the PNG specification alone.
inline std::string four_pixels_png() {
  return *base64_decoded(
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR42mP4z8DAAMIM/4EAAB/uBfvxq7p3AAAAAElF"
      "TkSuQmCC",
      1000);
}

inline const char* const kLibrary =
    "# made by hand\nnewmtl red paint\n Kd 1 0.5 0\n\nnewmtl map\r\nKd 0 0 0\r\n"
    "map_Kd -s 1 1 1 -clamp on -o 0 0 pictures\\four pixels.png\r\nnewmtl again\n"
    "map_Kd -mm 0 1 ./pictures/four pixels.png\n";

/// A unit cube of 12 triangles with texture coordinates on every face: bottom and top "red paint",
/// the sides "map" and "again", and "nowhere" on the last triangle, which no library knows.
/// Vertex 8 is used by none; with `fin`, two triangles more stand on an edge of the top, where
/// then four meet.
inline std::string textured_cube_obj(bool fin = false) {
  std::string text =
      "mtllib two words.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
      "v 0 1 1\nv 0.5 0.5 0.5\nv 0.5 0 1.5\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
      "usemtl red paint\nf 1/1 4/2 3/3\nf 1/1 3/3 2/4\nf 5/1 6/2 7/3\nf 5/1 7/3 8/4\n"
      "usemtl map\nf 1/1 2/2 6/3\nf 1/1 6/3 5/4\nf 2/1 3/2 7/3\nf 2/1 7/3 6/4\n"
      "usemtl again\nf 3/1 4/2 8/3\nf 3/1 8/3 7/4\nf 4/1 1/2 5/3\n"
      "usemtl nowhere\nf 4/1 5/3 8/4\n";
  if (fin) text += "f 5/1 6/2 10/3\nf 6/2 5/1 10/4\n";
  return text;
}

/// Writes cube.obj, its library and the picture.
inline void write_textured_cube(const std::filesystem::path& folder, bool fin = false) {
  std::filesystem::create_directories(folder / "pictures");
  write_file(folder / "cube.obj", textured_cube_obj(fin));
  write_file(folder / "two words.mtl", kLibrary);
  write_file(folder / "pictures" / "four pixels.png", four_pixels_png());
}

}  // namespace limber
