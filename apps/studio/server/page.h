// The built page, held inside the program.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace limber::studio {

struct PageFile {
  std::string type;        // as in "text/html; charset=utf-8"
  std::string contents;    // as the browser gets it
  std::string compressed;  // the same by gzip
  std::string tag;         // changes with the contents
};

/// By path, "/" being the page itself.
using Page = std::map<std::string, PageFile, std::less<>>;

/// The page that was built into this program.
[[nodiscard]] const Page& embedded_page();
/// That of `limber study`.
[[nodiscard]] const Page& embedded_study_page();

}  // namespace limber::studio
