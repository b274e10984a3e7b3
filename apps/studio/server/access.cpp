#include "server/access.h"

#include <algorithm>
#include <cctype>
#include <random>

namespace limber::studio {

namespace {

/// Without the port; "[::1]" keeps its brackets.
std::string_view host_name(std::string_view host) {
  if (!host.empty() && host.front() == '[') return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_numeric_address(std::string_view name) {
  if (!name.empty() && name.front() == '[') return name.back() == ']';
  return !name.empty() && std::count(name.begin(), name.end(), '.') == 3 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (text[i] == '%' && high >= 0 && low >= 0) {
      result += static_cast<char>(16 * high + low);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

bool host_allowed(std::string_view host, bool loopback_only) {
  const std::string_view name = host_name(host);
  if (name == "127.0.0.1" || name == "localhost" || name == "[::1]") return true;
  return !loopback_only && is_numeric_address(name);
}

bool origin_allowed(std::string_view origin, std::string_view host) {
  if (origin.empty()) return true;
  constexpr std::string_view kScheme = "http://";
  return origin.substr(0, kScheme.size()) == kScheme && origin.substr(kScheme.size()) == host;
}

std::string new_token() {
  std::random_device source;
  std::string token;
  for (int i = 0; i < 32; ++i) token += "0123456789abcdef"[source() & 15];
  return token;
}

bool same_token(std::string_view given, std::string_view token) {
  if (given.size() != token.size()) return false;
  unsigned differences = 0;
  for (std::size_t i = 0; i < token.size(); ++i) {
    differences |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i]);
  }
  return differences == 0;
}

std::string_view cookie_value(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    std::string_view pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(header.size(), pair.size() + 1));
    while (!pair.empty() && pair.front() == ' ') pair.remove_prefix(1);
    if (pair.size() > name.size() && pair.substr(0, name.size()) == name &&
        pair[name.size()] == '=') {
      return pair.substr(name.size() + 1);
    }
  }
  return {};
}

std::string_view Target::parameter(std::string_view name) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string_view() : std::string_view(found->second);
}

Target parse_target(std::string_view target) {
  const std::size_t mark = target.find('?');
  Target result{percent_decoded(target.substr(0, mark)), {}};
  if (mark == std::string_view::npos) return result;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    result.parameters[percent_decoded(pair.substr(0, equals))] =
        percent_decoded(pair.substr(equals + 1));
  }
  return result;
}

std::string safe_file_name(std::string_view name) {
  const std::size_t slash = name.find_last_of("/\\");
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  std::string result;
  for (const unsigned char c : name.substr(0, 120)) {
    if (std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == ' ' || c >= 0x80) {
      result += static_cast<char>(c);
    }
  }
  while (!result.empty() && result.front() == '.') result.erase(result.begin());
  return result;
}

}  // namespace limber::studio
