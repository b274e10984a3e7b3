// The files of the built page as limber_embed wrote them into the program.
#pragma once

#include <string_view>
#include <vector>

namespace limber::studio {

struct PageData {
  std::string_view name;        // as in "assets/studio.js"
  std::string_view compressed;  // gzip
};

/// Defined by the generated sources.
[[nodiscard]] std::vector<PageData> page_data();
[[nodiscard]] std::vector<PageData> study_page_data();

}  // namespace limber::studio
