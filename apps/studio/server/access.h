// Who may speak to the studio. A web page from elsewhere can make a browser send requests here;
// it cannot choose the Host it was opened under nor hide its Origin.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace limber::studio {

/// Is `host` (as in "127.0.0.1:8080") a name this server goes by? Loopback names always are; when
/// the studio listens beyond loopback, so is every numeric address. Other names could be pointed
/// here by anyone who owns a domain.
[[nodiscard]] bool host_allowed(std::string_view host, bool loopback_only);

/// Does the request come from the studio's own page? A missing Origin is no browser's cross-site
/// request.
[[nodiscard]] bool origin_allowed(std::string_view origin, std::string_view host);

/// 128 random bits in hexadecimal: who knows them was shown the address.
[[nodiscard]] std::string new_token();
/// Takes as long for every wrong token.
[[nodiscard]] bool same_token(std::string_view given, std::string_view token);
/// The value of a cookie in a Cookie header; empty when it is not there.
[[nodiscard]] std::string_view cookie_value(std::string_view header, std::string_view name);

/// A request's target taken apart: path and the decoded parameters behind "?".
struct Target {
  std::string path;
  std::map<std::string, std::string, std::less<>> parameters;

  [[nodiscard]] std::string_view parameter(std::string_view name) const;
};
[[nodiscard]] Target parse_target(std::string_view target);

/// The last part of a file's name, without anything that could leave a folder or upset a terminal;
/// empty when nothing remains.
[[nodiscard]] std::string safe_file_name(std::string_view name);

}  // namespace limber::studio
