#include "mesh_pieces.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "limber/core/error.h"
#include "limber/mesh/formats/mesh_layout.h"
#include "mapped_file.h"

namespace limber {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& file_name) {
  throw Error(what, file_name, kExportAgain);
}

/// The first rank walks through the file's heads, for all.
MeshLayout shared_layout(const Ranks& ranks, const std::filesystem::path& path,
                         std::string_view bytes) {
  MeshLayout layout;
  ranks.together([&] {
    if (ranks.first()) layout = mesh_layout(bytes, path);
  });
  ranks.broadcast(layout.nodes);
  ranks.broadcast(layout.tets);
  std::vector<std::endian> order{layout.order};
  ranks.broadcast(order);
  layout.order = order[0];
  return layout;
}

/// Which row of the file a tag names, where tags may have gaps and any order. Each rank answers for
/// the tags of a range.
class TagDirectory {
 public:
  TagDirectory(const Ranks& ranks, const std::vector<std::int64_t>& tags, std::int64_t first_row,
               const std::string& file_name)
      : ranks_(ranks), file_name_(file_name) {
    const auto [least, most] = std::minmax_element(tags.begin(), tags.end());
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
    first_tag_ = ranks.least(tags.empty() ? kFar : *least);
    last_tag_ = ranks.largest(tags.empty() ? -kFar : *most);
    bool in_order = true;
    for (std::size_t i = 0; i < tags.size(); ++i) {
      in_order = in_order && tags[i] == first_tag_ + first_row + static_cast<std::int64_t>(i);
    }
    in_order_ = !ranks.any(!in_order);
    if (!in_order_) collect(tags, first_row);
  }

  /// Overwrites tags by rows.
  void translate(std::vector<std::int64_t>& tags) const {
    ranks_.together([&] {
      for (const std::int64_t tag : tags) {
        if (tag < first_tag_ || tag > last_tag_) refuse_unknown(tag);
      }
    });
    if (in_order_) {
      for (std::int64_t& tag : tags) tag -= first_tag_;
      return;
    }
    std::vector<std::vector<std::int64_t>> questions(ranks_.size());
    for (const std::int64_t tag : tags) questions[owner(tag)].push_back(tag);
    Delivery<std::int64_t> asked = ranks_.exchange(questions);
    ranks_.together([&] {
      for (std::int64_t& tag : asked.items) {
        const auto found = rows_.find(tag);
        if (found == rows_.end()) refuse_unknown(tag);
        tag = found->second;
      }
    });
    std::vector<std::vector<std::int64_t>> answers(ranks_.size());
    for (int r = 0; r < ranks_.size(); ++r) {
      answers[r].assign(asked.items.begin() + asked.begin[r],
                        asked.items.begin() + asked.begin[r + 1]);
    }
    const Delivery<std::int64_t> answered = ranks_.exchange(answers);
    std::vector<int> next = answered.begin;
    for (std::int64_t& tag : tags) tag = answered.items[next[owner(tag)]++];
  }

 private:
  [[nodiscard]] int owner(std::int64_t tag) const {
    const double share =
        static_cast<double>(tag - first_tag_) / (static_cast<double>(last_tag_ - first_tag_) + 1);
    return std::min(static_cast<int>(share * ranks_.size()), ranks_.size() - 1);
  }

  void collect(const std::vector<std::int64_t>& tags, std::int64_t first_row) {
    struct Named {
      std::int64_t tag;
      std::int64_t row;
    };
    std::vector<std::vector<Named>> outgoing(ranks_.size());
    for (std::size_t i = 0; i < tags.size(); ++i) {
      outgoing[owner(tags[i])].push_back({tags[i], first_row + static_cast<std::int64_t>(i)});
    }
    const Delivery<Named> incoming = ranks_.exchange(outgoing);
    ranks_.together([&] {
      for (const Named& named : incoming.items) {
        if (!rows_.emplace(named.tag, named.row).second) {
          refuse("node " + std::to_string(named.tag) + " is there twice", file_name_);
        }
      }
    });
  }

  [[noreturn]] void refuse_unknown(std::int64_t tag) const {
    refuse("a tet names node " + std::to_string(tag) + ", which is not there", file_name_);
  }

  const Ranks& ranks_;
  std::string file_name_;
  std::int64_t first_tag_ = 0;
  std::int64_t last_tag_ = 0;
  bool in_order_ = true;
  std::unordered_map<std::int64_t, std::int64_t> rows_;  ///< of this rank's range of tags
};

}  // namespace

MeshPieces read_mesh_pieces(const Ranks& ranks, const std::filesystem::path& path) {
  std::optional<MappedFile> file;
  ranks.together([&] { file.emplace(path); });
  const std::string_view bytes = file->text();
  const MeshLayout layout = shared_layout(ranks, path, bytes);
  MeshPieces pieces;
  pieces.node_blocks = {layout.node_count(), ranks.size()};
  pieces.tet_blocks = {layout.tet_count(), ranks.size()};
  const int rank = ranks.rank();
  const std::int64_t first_node = pieces.node_blocks.begin(rank);
  const std::int64_t first_tet = pieces.tet_blocks.begin(rank);
  NodeSlice nodes;
  TetSlice tets;
  ranks.together([&] {
    nodes = read_nodes(layout, bytes, path.string(), first_node, pieces.node_blocks.end(rank));
    tets = read_tets(layout, bytes, path.string(), first_tet, pieces.tet_blocks.end(rank));
  });
  TagDirectory(ranks, nodes.tags, first_node, path.string()).translate(tets.corners);

  pieces.coordinates = std::move(nodes.coordinates);
  pieces.tets.resize(tets.regions.size());
  bool regions = false;
  for (std::size_t t = 0; t < pieces.tets.size(); ++t) {
    TetRecord& tet = pieces.tets[t];
    tet.number = static_cast<int>(first_tet + static_cast<std::int64_t>(t));
    tet.region = tets.regions[t];
    for (int c = 0; c < 4; ++c) tet.nodes[c] = static_cast<int>(tets.corners[4 * t + c]);
    regions = regions || tet.region != 0;
  }
  pieces.has_regions = ranks.any(regions);
  return pieces;
}

}  // namespace limber
