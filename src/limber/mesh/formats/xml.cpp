#include "limber/mesh/formats/xml.h"

namespace limber {

namespace {
constexpr int kDeepest = 32;

class XmlParser {
 public:
  XmlParser(Scanner& scanner, std::string_view raw_element)
      : scanner_(scanner), raw_element_(raw_element) {}

  XmlElement root() {
    skip_to_element();
    if (scanner_.bytes_left() == 0) scanner_.fail("not XML");
    return element(0);
  }

 private:
  /// Moves to the next '<' that begins an element or ends one, past prologue and comments.
  void skip_to_element() {
    for (;;) {
      const std::size_t found = scanner_.rest().find('<');
      if (found == std::string_view::npos) {
        scanner_.take(scanner_.bytes_left());
        return;
      }
      scanner_.take(found);
      const std::string_view rest = scanner_.rest();
      if (rest.starts_with("<!--")) {
        skip("-->");
      } else if (rest.starts_with("<?") || rest.starts_with("<!")) {
        skip(">");
      } else {
        return;
      }
    }
  }

  void skip(std::string_view end) {
    if (!scanner_.skip_past(end)) scanner_.fail("XML ends too early");
  }

  static bool ends_name(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '/' || c == '>' || c == '=';
  }

  std::string_view name() {
    const std::string_view rest = scanner_.rest();
    std::size_t length = 0;
    while (length < rest.size() && !ends_name(rest[length])) ++length;
    if (length == 0) scanner_.fail("damaged XML");
    return scanner_.take(length);
  }

  XmlElement element(int depth) {
    if (depth > kDeepest) scanner_.fail("XML nested too deeply");
    scanner_.take(1);  // '<'
    XmlElement element;
    element.name = name();
    if (!attributes(element)) return element;
    if (element.name == raw_element_) {
      raw_text(element);
      return element;
    }
    element.text = scanner_.rest().substr(0, scanner_.rest().find('<'));
    const std::string end = "</" + std::string(element.name);
    for (;;) {
      skip_to_element();
      if (scanner_.rest().starts_with(end)) {
        skip(">");
        return element;
      }
      if (scanner_.rest().size() < 2 || scanner_.rest()[1] == '/') {
        scanner_.fail("XML element " + in_quotes(element.name) + " is not closed");
      }
      element.children.push_back(this->element(depth + 1));
    }
  }

  /// False when the element ends with its tag, "/>".
  bool attributes(XmlElement& element) {
    while (!scanner_.at_end()) {
      if (scanner_.rest().starts_with("/>")) {
        scanner_.take(2);
        return false;
      }
      if (scanner_.rest().starts_with(">")) {
        scanner_.take(1);
        return true;
      }
      const std::string_view key = name();
      if (scanner_.at_end() || scanner_.take(1) != "=" || scanner_.at_end()) {
        scanner_.fail("damaged XML attribute " + in_quotes(key));
      }
      const char quote = scanner_.take(1)[0];
      if (quote != '"' && quote != '\'') scanner_.fail("damaged XML attribute " + in_quotes(key));
      const std::size_t length = scanner_.rest().find(quote);
      if (length == std::string_view::npos) scanner_.fail("XML ends too early");
      element.attributes[key] = scanner_.take(length);
      scanner_.take(1);
    }
    scanner_.fail("XML ends too early");
  }

  void raw_text(XmlElement& element) {
    const std::size_t length = scanner_.rest().rfind("</" + std::string(raw_element_));
    if (length == std::string_view::npos) {
      scanner_.fail("XML element " + in_quotes(raw_element_) + " is not closed");
    }
    element.text = scanner_.take(length);
    skip(">");
  }

  Scanner& scanner_;
  std::string_view raw_element_;
};
}  // namespace

std::string_view XmlElement::attribute(std::string_view key, std::string_view otherwise) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? otherwise : found->second;
}

const XmlElement* XmlElement::child(std::string_view child_name) const {
  for (const XmlElement& candidate : children) {
    if (candidate.name == child_name) return &candidate;
  }
  return nullptr;
}

XmlElement parse_xml(Scanner& scanner, std::string_view raw_element) {
  return XmlParser(scanner, raw_element).root();
}

}  // namespace limber
