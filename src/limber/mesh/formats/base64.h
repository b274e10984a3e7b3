// Base64 (RFC 4648), and zlib streams of known size.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace limber {

std::string base64_encoded(std::string_view bytes);

/// At most `most` bytes from the beginning of `text`. White space is skipped. Padding ends a group
/// of four, not the whole: what follows is decoded on, as VTK puts encoded pieces one after the
/// other. Nothing when a character does not belong there.
std::optional<std::string> base64_decoded(std::string_view text, std::size_t most);

/// The `size` bytes that the zlib stream `compressed` holds; nothing when it holds another number
/// or is damaged.
std::optional<std::string> inflated(std::string_view compressed, std::size_t size);

}  // namespace limber
