// The gallery: small scenes that need no files.
#pragma once

#include <string>
#include <vector>

namespace limber::studio {

struct SampleScene {
  std::string name;  // of its picture too
  std::string title;
  std::string text;
  std::string scene;  // JSON
};

[[nodiscard]] const std::vector<SampleScene>& sample_scenes();

}  // namespace limber::studio
