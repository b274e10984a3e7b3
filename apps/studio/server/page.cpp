#include "server/page.h"

#include <zlib.h>

#include "limber/core/error.h"
#include "server/page_data.h"

namespace limber::studio {

namespace {

std::string inflated(std::string_view compressed) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  inflateInit2(&stream, kGzip);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  std::string result;
  int status = Z_OK;
  while (status == Z_OK) {
    char chunk[65536];
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    result.append(chunk, sizeof chunk - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) {
    throw Error("the page inside the program is damaged", "studio", "build it again",
                Error::Kind::work_failed);
  }
  return result;
}

std::string type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".webp")) return "image/webp";
  return "application/octet-stream";
}

std::string tag_of(std::string_view contents) {
  const uLong sum =
      crc32(0, reinterpret_cast<const Bytef*>(contents.data()), static_cast<uInt>(contents.size()));
  return "\"" + std::to_string(sum) + "-" + std::to_string(contents.size()) + "\"";
}

Page make_page(const std::vector<PageData>& files) {
  Page page;
  for (const PageData& data : files) {
    PageFile file{type_of(data.name), inflated(data.compressed), std::string(data.compressed), ""};
    file.tag = tag_of(file.contents);
    if (data.name == "index.html") page["/"] = file;
    page[std::string("/").append(data.name)] = std::move(file);
  }
  return page;
}

}  // namespace

const Page& embedded_page() {
  static const Page page = make_page(page_data());
  return page;
}

const Page& embedded_study_page() {
  static const Page page = make_page(study_page_data());
  return page;
}

}  // namespace limber::studio
