#include "limber/mesh/select.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/formats/scanner.h"

namespace limber {

namespace {
constexpr const char* kGrammar =
    "use x<=0.1, nodes:0,4, region:2, box:x0,y0,z0,x1,y1,z1 or sphere:cx,cy,cz,r, joined by &&";

using Picks = std::vector<char>;  ///< one for each node

[[noreturn]] void fail(const std::string& what, std::string_view piece) {
  throw Error(what, "selection " + in_quotes(piece), kGrammar);
}

template <typename Number>
Number parse(std::string_view text, std::string_view piece) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || stop != text.data() + text.size()) {
    fail("cannot read the number " + in_quotes(text), piece);
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) fail("the number " + in_quotes(text) + " is not finite", piece);
  }
  return value;
}

template <typename Number>
std::vector<Number> parse_list(std::string_view text, std::string_view piece) {
  std::vector<Number> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    values.push_back(parse<Number>(text.substr(begin, end - begin), piece));
    begin = end + 1;
  }
  return values;
}

std::vector<double> parse_exactly(std::size_t count, std::string_view text,
                                  std::string_view piece) {
  std::vector<double> values = parse_list<double>(text, piece);
  if (values.size() != count) {
    fail("needs " + std::to_string(count) + " numbers, has " + std::to_string(values.size()),
         piece);
  }
  return values;
}

Picks pick_if(const TetMesh& mesh, const PointTest& inside) {
  Picks picks(mesh.node_count());
  for (int i = 0; i < mesh.node_count(); ++i) picks[i] = inside(mesh.V.row(i)) ? 1 : 0;
  return picks;
}

/// `thing`: what is counted, in the error for a number beyond `count`.
std::vector<int> parse_numbers(std::string_view list, std::string_view piece, int count,
                               const std::string& thing, const std::string& things) {
  std::vector<int> numbers = parse_list<int>(list, piece);
  for (const int number : numbers) {
    if (number >= 0 && number < count) continue;
    fail("there is no " + thing + " " + std::to_string(number) + ", " + things + " are 0 to " +
             std::to_string(count - 1),
         piece);
  }
  return numbers;
}

Picks pick_numbers(const MeshPart& part, std::string_view list, std::string_view piece) {
  std::vector<int> wanted = parse_numbers(list, piece, part.node_count, "node", "nodes");
  std::sort(wanted.begin(), wanted.end());
  Picks picks(part.numbers.size());
  for (std::size_t i = 0; i < picks.size(); ++i) {
    picks[i] = std::binary_search(wanted.begin(), wanted.end(), part.numbers[i]) ? 1 : 0;
  }
  return picks;
}

Picks pick_region(const TetMesh& mesh, int region, char& found) {
  Picks picks(mesh.node_count(), 0);
  found = 0;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    if (mesh.region(t) != region) continue;
    found = 1;
    for (int c = 0; c < 4; ++c) picks[mesh.T(t, c)] = 1;
  }
  return picks;
}

PointTest in_box(std::string_view list, std::string_view piece) {
  const std::vector<double> b = parse_exactly(6, list, piece);
  const Vec3 low(b[0], b[1], b[2]);
  const Vec3 high(b[3], b[4], b[5]);
  if ((low.array() > high.array()).any()) fail("the box ends before it begins", piece);
  return [low, high](const Vec3& p) {
    return (p.array() >= low.array()).all() && (p.array() <= high.array()).all();
  };
}

PointTest in_sphere(std::string_view list, std::string_view piece) {
  const std::vector<double> s = parse_exactly(4, list, piece);
  if (s[3] < 0) fail("the radius is negative", piece);
  const Vec3 centre(s[0], s[1], s[2]);
  return [centre, radius = s[3]](const Vec3& p) { return (p - centre).norm() <= radius; };
}

PointTest on_side(std::string_view piece) {
  const std::string_view axes = "xyz";
  const std::size_t axis = piece.empty() ? std::string_view::npos : axes.find(piece[0]);
  if (axis == std::string_view::npos) fail("cannot read this piece", piece);
  const std::string_view comparison = trimmed(piece.substr(1));
  if (comparison.empty() || (comparison[0] != '<' && comparison[0] != '>')) {
    fail("expected < <= > or >=", piece);
  }
  const bool below = comparison[0] == '<';
  const bool equal = comparison.size() > 1 && comparison[1] == '=';
  const auto limit = parse<double>(comparison.substr(equal ? 2 : 1), piece);
  return [=](const Vec3& p) {
    const double value = p[static_cast<Eigen::Index>(axis)];
    return (below ? value < limit : value > limit) || (equal && value == limit);
  };
}

struct Piece {
  std::string_view whole;
  bool is_side;           ///< no colon: x<=0.1
  std::string_view kind;  ///< before the colon
  std::string_view list;  ///< behind it
};

Piece split(std::string_view piece) {
  const std::size_t colon = piece.find(':');
  if (colon == std::string_view::npos) return {piece, true, {}, {}};
  return {piece, false, trimmed(piece.substr(0, colon)), piece.substr(colon + 1)};
}

/// What can be told from a place alone.
PointTest point_test(const Piece& piece) {
  if (piece.is_side) return on_side(piece.whole);
  if (piece.kind == "box") return in_box(piece.list, piece.whole);
  if (piece.kind == "sphere") return in_sphere(piece.list, piece.whole);
  fail("unknown kind " + in_quotes(piece.kind), piece.whole);
}

Picks pick(const MeshPart& part, const Piece& piece, char& found) {
  if (piece.kind == "nodes") return pick_numbers(part, piece.list, piece.whole);
  if (piece.kind == "region") {
    return pick_region(part.mesh, parse<int>(piece.list, piece.whole), found);
  }
  return pick_if(part.mesh, point_test(piece));
}

template <class Visit>
void for_each_piece(std::string_view expression, const Visit& visit) {
  for (std::size_t begin = 0; begin <= expression.size();) {
    const std::size_t end = std::min(expression.find("&&", begin), expression.size());
    visit(split(trimmed(expression.substr(begin, end - begin))));
    begin = end + 2;
  }
}
}  // namespace

PartialPicks pick_nodes(const MeshPart& part, std::string_view expression) {
  PartialPicks result{Picks(part.mesh.node_count(), 1), {}};
  for_each_piece(expression, [&](const Piece& piece) {
    char& found = result.found.emplace_back(1);
    const Picks more = pick(part, piece, found);
    for (std::size_t i = 0; i < more.size(); ++i) result.picked[i] &= more[i];
  });
  return result;
}

void refuse_empty_picks(std::string_view expression, const std::vector<char>& found,
                        bool any_picked) {
  std::size_t k = 0;
  for_each_piece(expression, [&](const Piece& piece) {
    if (found[k++] != 0) return;
    fail("there is no region " + std::string(trimmed(piece.list)), piece.whole);
  });
  if (!any_picked) fail("picks no node", expression);
}

std::vector<int> select_nodes(const TetMesh& mesh, std::string_view expression) {
  std::vector<int> numbers(mesh.node_count());
  std::iota(numbers.begin(), numbers.end(), 0);
  const PartialPicks picks = pick_nodes({mesh, numbers, mesh.node_count()}, expression);
  std::erase_if(numbers, [&](int node) { return picks.picked[node] == 0; });
  refuse_empty_picks(expression, picks.found, !numbers.empty());
  return numbers;
}

std::optional<std::vector<int>> select_vertices(std::string_view expression, int vertex_count) {
  const Piece piece = split(trimmed(expression));
  if (piece.kind != "vertices") return std::nullopt;
  return parse_numbers(piece.list, piece.whole, vertex_count, "vertex", "vertices");
}

PointTest select_points(std::string_view expression) {
  std::vector<PointTest> tests;
  for_each_piece(expression, [&](const Piece& piece) {
    if (piece.kind == "nodes" || piece.kind == "region") {
      throw Error("there are no nodes or regions yet", "selection " + in_quotes(piece.whole),
                  "use x<=0.1, box:x0,y0,z0,x1,y1,z1 or sphere:cx,cy,cz,r, joined by &&");
    }
    tests.push_back(point_test(piece));
  });
  return [tests = std::move(tests)](const Vec3& p) {
    return std::all_of(tests.begin(), tests.end(), [&](const PointTest& t) { return t(p); });
  };
}

int nearest_node(const Positions& positions, const Vec3& point) {
  if (positions.rows() == 0) throw Error("there are no nodes", "nearest node", "give a mesh");
  Eigen::Index nearest = 0;
  (positions.rowwise() - point.transpose()).rowwise().squaredNorm().minCoeff(&nearest);
  return static_cast<int>(nearest);
}

int nearest_node(const TetMesh& mesh, const Vec3& point) {
  double least = std::numeric_limits<double>::infinity();
  int nearest = -1;
  for (Eigen::Index i = 0; i < mesh.T.size(); ++i) {
    const int node = mesh.T.data()[i];
    const double distance = (mesh.V.row(node).transpose() - point).squaredNorm();
    if (distance < least || (distance == least && node < nearest)) {
      least = distance;
      nearest = node;
    }
  }
  if (nearest < 0) throw Error("no node is near", "nearest node", "give a finite point and a mesh");
  return nearest;
}

}  // namespace limber
