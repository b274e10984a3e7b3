#include "picture_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "limber/core/error.h"
#include "limber/scene/json_reader.h"

namespace limber {

namespace {

template <class Number>
bool read_whole(std::string_view text, Number& number) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return status == std::errc() && end == text.data() + text.size();
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

void PictureOptions::add_to(CLI::App& command) {
  command.add_option("--size", size, "Pixels of a picture")
      ->type_name("WIDTHxHEIGHT")
      ->capture_default_str();
  command.add_option("--samples", render.samples, "Rays a pixel at most: more, less grain")
      ->capture_default_str();
  command.add_option("--seed", render.seed, "Another seed, another grain")->capture_default_str();
  command.add_option("--threads", render.threads, "For the rays; 0: as many as there are")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

RenderOptions PictureOptions::checked() const {
  RenderOptions options = render;
  const std::size_t cross = size.find('x');
  if (cross == std::string::npos ||
      !read_whole(std::string_view(size).substr(0, cross), options.width) ||
      !read_whole(std::string_view(size).substr(cross + 1), options.height)) {
    throw Error(fmt::format("\"{}\" is not a size", size), "--size",
                "give width and height in pixels, as 1280x720");
  }
  return options;
}

std::vector<std::string> parse_methods(const std::string& text, const std::string& where) {
  std::vector<std::string> methods;
  for (const std::string& word : split_at_commas(text)) {
    std::vector<std::string> known;
    for (const MethodTraits& method : all_methods()) known.emplace_back(method.name);
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      throw Error(fmt::format("unknown method \"{}\"", word), where,
                  did_you_mean(word, known, fmt::format("there are: {}", fmt::join(known, ", "))));
    }
    if (std::find(methods.begin(), methods.end(), word) != methods.end()) {
      throw Error(fmt::format("method \"{}\" stands there twice", word), where, "name it once");
    }
    methods.push_back(word);
  }
  return methods;
}

std::vector<double> parse_numbers(const std::string& text, const std::string& where) {
  std::vector<double> numbers;
  for (const std::string& word : split_at_commas(text)) {
    double number = 0;
    if (!read_whole(word, number) || !std::isfinite(number)) {
      throw Error(fmt::format("\"{}\" is not a number", word), where,
                  "give numbers with commas between");
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace limber
