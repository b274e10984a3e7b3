#include "server/model_file.h"

#include <cstring>
#include <nlohmann/json.hpp>

namespace limber::studio {

namespace {

constexpr std::size_t kTexelRow = 4096;

// Where φ xyz and ψ xyz of the two modes of a pair stand among its twelve numbers.
constexpr int kSlots[2][6] = {{0, 1, 2, 6, 7, 8}, {3, 4, 5, 9, 10, 11}};

/// Sections behind the header, each at a multiple of four bytes: every number has four.
class Sections {
 public:
  template <class T>
  nlohmann::json add(const std::vector<T>& values) {
    static_assert(sizeof(T) == 4);
    const nlohmann::json place{{"offset", bytes_.size()}, {"length", values.size()}};
    bytes_.append(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    return place;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace

std::vector<float> mode_texels(std::span<const float> Phi, std::span<const float> Psi, int vertices,
                               int modes) {
  const std::size_t v = static_cast<std::size_t>(vertices);
  const std::size_t m = static_cast<std::size_t>(modes);
  const std::size_t count = 3 * ((m + 1) / 2) * v;
  const std::size_t rows = (count + kTexelRow - 1) / kTexelRow;
  std::vector<float> texels(4 * kTexelRow * rows, 0.0F);
  for (std::size_t vertex = 0; vertex < v; ++vertex) {
    for (std::size_t mode = 0; mode < m; ++mode) {
      for (std::size_t c = 0; c < 6; ++c) {
        const std::size_t slot = static_cast<std::size_t>(kSlots[mode % 2][c]);
        const std::size_t texel = (3 * (mode / 2) + slot / 4) * v + vertex;
        const std::span<const float> source = c < 3 ? Phi : Psi;
        texels[4 * texel + slot % 4] = source[(3 * vertex + c % 3) * m + mode];
      }
    }
  }
  return texels;
}

std::string model_file(std::span<const ModelBody> bodies, std::optional<double> floor,
                       std::span<const ModelSurface> surfaces) {
  Sections sections;
  nlohmann::json header{{"floor", nullptr},
                        {"bodies", nlohmann::json::array()},
                        {"surfaces", nlohmann::json::array()}};
  if (floor) header["floor"] = *floor;
  for (const ModelBody& body : bodies) {
    header["bodies"].push_back({{"name", body.name},
                                {"clamped", body.clamped},
                                {"modes", body.modes},
                                {"positions", sections.add(body.positions)},
                                {"normals", sections.add(body.normals)},
                                {"colours", sections.add(body.colours)},
                                {"triangles", sections.add(body.triangles)},
                                {"texels", sections.add(body.texels)},
                                {"fixed", sections.add(body.fixed)},
                                {"stiffness", sections.add(body.stiffness)}});
  }
  for (const ModelSurface& surface : surfaces) {
    header["surfaces"].push_back({{"obstacle", surface.obstacle},
                                  {"positions", sections.add(surface.positions)},
                                  {"triangles", sections.add(surface.triangles)}});
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const std::uint32_t length = static_cast<std::uint32_t>(text.size());
  std::string file = "LMBR";
  file.append(reinterpret_cast<const char*>(&length), 4);
  file.reserve(8 + text.size() + sections.bytes().size());
  return file + text + sections.bytes();
}

}  // namespace limber::studio
