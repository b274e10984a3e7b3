// As much XML as VTK's files need: elements, attributes, text. No entities, no namespaces.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "limber/mesh/formats/scanner.h"

namespace limber {

/// Views point into the parsed bytes, which must outlive this.
struct XmlElement {
  std::string_view name;
  std::map<std::string_view, std::string_view> attributes;
  std::vector<XmlElement> children;
  std::string_view text;  ///< up to the first child or the end

  /// The attribute's value, or `otherwise`.
  [[nodiscard]] std::string_view attribute(std::string_view key,
                                           std::string_view otherwise = {}) const;
  /// Null when there is no such child.
  [[nodiscard]] const XmlElement* child(std::string_view child_name) const;
};

/// Reads the first element and all inside it. The content of an element named `raw_element` is
/// taken as it stands up to the last place where that element ends: it may be binary.
XmlElement parse_xml(Scanner& scanner, std::string_view raw_element);

}  // namespace limber
