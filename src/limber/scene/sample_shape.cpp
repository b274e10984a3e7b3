// Sample shapes by name, with the numbers each of them wants.
#include <fmt/format.h>

#include <functional>

#include "limber/core/error.h"
#include "limber/mesh/figure.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/scene/body_source.h"
#include "limber/scene/json_reader.h"

namespace limber {

namespace {

using Sizes = std::vector<double>;
using Cells = std::vector<int>;

struct Shape {
  std::string name;
  std::string size_meaning;
  Sizes default_size;
  std::string cells_meaning;
  Cells default_cells;
  std::function<TetMesh(const Sizes&, const Cells&)> make;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"bar",
       "[x, y, z]",
       {1, 0.2, 0.2},
       "[x, y, z]",
       {10, 2, 2},
       [](const Sizes& s, const Cells& c) {
         return bar({s[0], s[1], s[2]}, {c[0], c[1], c[2]});
       }},
      {"five-tet-bar",
       "[x, y, z]",
       {1, 0.2, 0.2},
       "[x, y, z]",
       {10, 2, 2},
       [](const Sizes& s, const Cells& c) {
         return bar_five_tets({s[0], s[1], s[2]}, {c[0], c[1], c[2]});
       }},
      {"sheet",
       "[x, y, z]",
       {1, 0.02, 1},
       "[x, y, z]",
       {20, 1, 20},
       [](const Sizes& s, const Cells& c) {
         return sheet({s[0], s[1], s[2]}, {c[0], c[1], c[2]});
       }},
      {"cylinder",
       "[radius, height]",
       {0.1, 1},
       "[around, layers, rings]",
       {11, 10, 2},
       [](const Sizes& s, const Cells& c) { return cylinder(s[0], s[1], c[0], c[1], c[2]); }},
      {"tube",
       "[outer radius, inner radius, height]",
       {0.2, 0.15, 1},
       "[around, layers, rings]",
       {16, 12, 1},
       [](const Sizes& s, const Cells& c) { return tube(s[0], s[1], s[2], c[0], c[1], c[2]); }},
      {"figure",
       "[height]",
       {1},
       "[along the height]",
       {24},
       [](const Sizes& s, const Cells& c) { return figure(s[0], c[0]); }},
      {"sphere",
       "[radius]",
       {0.5},
       "[from the centre outward]",
       {4},
       [](const Sizes& s, const Cells& c) { return sphere(s[0], c[0]); }}};
  return all;
}

}  // namespace

TetMesh make_shape(const ShapeDescription& description, const std::string& where) {
  std::vector<std::string> names;
  for (const Shape& shape : shapes()) {
    names.push_back(shape.name);
    if (shape.name != description.shape) continue;
    const Sizes& size = description.size.empty() ? shape.default_size : description.size;
    const Cells& cells = description.cells.empty() ? shape.default_cells : description.cells;
    if (size.size() != shape.default_size.size()) {
      throw Error(fmt::format("size of a {} is {}", shape.name, shape.size_meaning), where,
                  fmt::format("give {} numbers", shape.default_size.size()));
    }
    if (cells.size() != shape.default_cells.size()) {
      throw Error(fmt::format("cells of a {} are {}", shape.name, shape.cells_meaning), where,
                  fmt::format("give {} whole numbers", shape.default_cells.size()));
    }
    return shape.make(size, cells);
  }
  throw Error(
      fmt::format("unknown shape \"{}\"", description.shape), where,
      did_you_mean(description.shape, names, fmt::format("there are: {}", fmt::join(names, ", "))));
}

}  // namespace limber
