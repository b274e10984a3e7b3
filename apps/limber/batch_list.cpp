#include "batch_list.h"

#include <fmt/core.h>

#include <map>
#include <sstream>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/file.h"

namespace limber {

namespace {

[[noreturn]] void refuse_line(const std::filesystem::path& list, int line,
                              const std::string& what) {
  throw Error(what, fmt::format("{}, line {}", list.string(), line),
              "write MESH -o OUT.limber and the options of `limber bake`");
}

/// Words as a shell would cut them; # begins a comment.
std::vector<std::string> words_of(const std::string& text, const std::filesystem::path& list,
                                  int line) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      begun = true;
    } else if (c == '#' && !begun) {
      break;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (begun) words.push_back(std::exchange(word, {}));
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (quote != 0) refuse_line(list, line, "a quote is not closed");
  if (begun) words.push_back(word);
  return words;
}

/// The output and the mesh: options of `bake` all take a value, what is left is the mesh.
void find_files(BatchItem& item, const std::filesystem::path& list) {
  for (std::size_t k = 0; k < item.arguments.size(); ++k) {
    const std::string& word = item.arguments[k];
    const bool has_value = word.starts_with("-") && word.find('=') == std::string::npos;
    if (has_value && (word == "-o" || word == "--output") && k + 1 < item.arguments.size()) {
      item.output = item.arguments[k + 1];
    } else if (word.starts_with("--output=")) {
      item.output = word.substr(9);
    } else if (!word.starts_with("-")) {
      if (!item.mesh.empty()) refuse_line(list, item.line, "two meshes");
      item.mesh = word;
    }
    if (has_value) ++k;
  }
  if (item.mesh.empty()) refuse_line(list, item.line, "no mesh");
  if (item.output.empty()) refuse_line(list, item.line, "no output");
  const std::filesystem::path folder = std::filesystem::absolute(list).parent_path();
  item.mesh = folder / item.mesh;
  item.output = folder / item.output;
}

}  // namespace

std::vector<BatchItem> read_batch_list(const std::filesystem::path& list) {
  const FileBytes file(list);
  std::istringstream lines{std::string(file.text())};
  std::vector<BatchItem> items;
  std::map<std::filesystem::path, int> line_of_output;
  std::string text;
  for (int line = 1; std::getline(lines, text); ++line) {
    BatchItem item{line, text, words_of(text, list, line), {}, {}};
    if (item.arguments.empty()) continue;
    find_files(item, list);
    const auto [other, is_new] = line_of_output.emplace(item.output, line);
    if (!is_new) {
      refuse_line(list, line, fmt::format("the same output as line {}", other->second));
    }
    items.push_back(std::move(item));
  }
  if (items.empty()) {
    throw Error("has no bodies", list.string(), "write a line of `limber bake` options for each");
  }
  return items;
}

}  // namespace limber
