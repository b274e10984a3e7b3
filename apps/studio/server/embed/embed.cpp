// limber_embed FOLDER OUT.cpp FUNCTION: writes the folder's files, compressed, as one C++ source
// that defines FUNCTION. Files that end in .gz are taken as they are, under their name without it.
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string compressed(const std::string& contents) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, contents.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("cannot compress");
  return result;
}

/// Octal escapes in lines of the source; three digits always, so that no digit runs on.
void write_literal(std::ostream& out, const std::string& bytes) {
  constexpr std::size_t kLine = 64;
  for (std::size_t i = 0; i < bytes.size(); i += kLine) {
    out << "\n    \"";
    for (const unsigned char c : bytes.substr(i, kLine)) {
      out << '\\' << static_cast<char>('0' + (c >> 6)) << static_cast<char>('0' + ((c >> 3) & 7))
          << static_cast<char>('0' + (c & 7));
    }
    out << '"';
  }
}

void embed(const fs::path& folder, const fs::path& target, const std::string& function) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::ofstream out(target, std::ios::binary);
  out << "// Made by limber_embed from the built page.\n#include \"server/page_data.h\"\n\n"
         "namespace limber::studio {\n\nstd::vector<PageData> "
      << function << "() {\n  return {\n";
  for (const fs::path& file : files) {
    std::string name = fs::relative(file, folder).generic_string();
    std::string bytes = contents_of(file);
    if (file.extension() == ".gz") {
      name.resize(name.size() - 3);
    } else {
      bytes = compressed(bytes);
    }
    out << "      {\"" << name << "\", std::string_view(";
    write_literal(out, bytes);
    out << ", " << bytes.size() << ")},\n";
  }
  out << "  };\n}\n\n}  // namespace limber::studio\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + target.string());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: limber_embed FOLDER OUT.cpp FUNCTION\n", stderr);
    return 2;
  }
  try {
    embed(argv[1], argv[2], argv[3]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "limber_embed: %s\n", error.what());
    return 1;
  }
}
