// Page, model, files in and out. See network.h for who may include this.
#pragma once

#include <fmt/format.h>

#include "limber/core/file.h"
#include "server/access.h"
#include "server/socket_client.h"
#include "server/temporary_folder.h"

namespace limber::studio {

constexpr std::size_t kMostConnections = 64;  // HTTP; a page needs up to six
constexpr std::size_t kMostWaiting = 48;      // of them, without a whole request
constexpr std::size_t kMostWatchers = 256;    // WebSockets
constexpr std::size_t kMostUploads = 8;       // at the same time
constexpr std::chrono::seconds kRequestTime{30};
constexpr std::chrono::seconds kStallTime{15};    // without a byte of an upload
constexpr std::chrono::seconds kUploadTime{300};  // of a whole one

/// One HTTP connection, request after request, until it becomes a WebSocket or closes.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(tcp::socket&& socket, Server::Implementation& server)
      : stream_(std::move(socket)), server_(server) {
    ++server_.connections;
  }
  ~HttpConnection() {
    --server_.connections;
    stop_waiting();
    end_upload();
  }

  void read() {
    parser_.emplace();
    parser_->body_limit(kUploadLimit);
    // Whoever opens connections and says nothing loses the oldest of them, not others theirs.
    if (server_.waiting.size() >= kMostWaiting) server_.waiting.front()->close();
    server_.waiting.push_back(this);
    stream_.expires_after(kRequestTime);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              self->stop_waiting();
                              if (error == http::error::body_limit) return self->refuse_size();
                              if (!error) self->route();
                            });
  }

 private:
  using Status = http::status;
  using Clock = std::chrono::steady_clock;

  void close() {
    stop_waiting();
    stream_.close();
  }

  void stop_waiting() { std::erase(server_.waiting, this); }

  void route() {
    const auto& request = parser_->get();
    const std::string host(request[http::field::host]);
    if (!host_allowed(host, server_.loopback_only()) ||
        !origin_allowed(std::string(request[http::field::origin]), host)) {
      return refuse(Status::forbidden, "Only the studio's own page may speak to it.");
    }
    if (server_.connections > kMostConnections) {
      return refuse(Status::service_unavailable, "Too many connections: close some pages.");
    }
    target_ = parse_target(std::string(request.target()));
    if (!knows_token()) {
      return refuse(Status::forbidden,
                    "Open the address that the program printed, with its token.");
    }
    if (websocket::is_upgrade(request)) return upgrade();
    if (request.method() == http::verb::post &&
        (target_.path == "/open" || target_.path == "/survey")) {
      return receive_file();
    }
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return refuse(Status::method_not_allowed, "The studio is only read from.");
    }
    if (target_.path == "/model") return send_model();
    if (target_.path.starts_with("/download/")) return send_download();
    send_page();
  }

  /// By the address the first time, by a cookie from then on.
  bool knows_token() {
    const std::string& token = server_.token();
    if (token.empty()) return true;
    const std::string name = fmt::format("limber-{}", server_.port());
    const std::string cookies(parser_->get()[http::field::cookie]);
    if (same_token(cookie_value(cookies, name), token)) return true;
    if (!same_token(target_.parameter("token"), token)) return false;
    cookie_ = fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", name, token);
    return true;
  }

  void upgrade() {
    if (target_.path != "/socket") return refuse(Status::not_found, "There is no such socket.");
    if (server_.watchers >= kMostWatchers) {
      return refuse(Status::service_unavailable, "Too many pages look at this scene.");
    }
    stream_.expires_never();
    std::make_shared<SocketClient>(stream_.release_socket(), server_)->start(parser_->release());
  }

  void send_page() {
    const auto found = server_.page().find(target_.path);
    if (found == server_.page().end()) return refuse(Status::not_found, "There is no such page.");
    const PageFile& file = found->second;
    const auto header = [&](http::field field) { return std::string(parser_->get()[field]); };
    tag_ = file.tag;
    if (header(http::field::if_none_match).find(file.tag) != std::string::npos) {
      return send(Status::not_modified, file.type, std::make_shared<const std::string>());
    }
    const bool small = header(http::field::accept_encoding).find("gzip") != std::string::npos;
    encoding_ = small ? "gzip" : "";
    // The page outlives the server: it is pointed to, not copied.
    send(Status::ok, file.type,
         Text(std::shared_ptr<void>(), small ? &file.compressed : &file.contents));
  }

  void send_model() {
    const std::string wanted(target_.parameter("generation"));
    const auto generation = static_cast<std::uint32_t>(std::strtoul(wanted.c_str(), nullptr, 10));
    Text model = server_.session().model(generation);
    if (!model) {  // the scene has changed meanwhile, which is no failure: the page hears of the
                   // new one
      return send(Status::no_content, "application/octet-stream",
                  std::make_shared<const std::string>());
    }
    send(Status::ok, "application/octet-stream", std::move(model));
  }

  void send_download() {
    stream_.expires_never();
    const std::string name = target_.path.substr(std::string_view("/download/").size());
    const auto answer = [self = shared_from_this(), name](Text bytes, const std::string& error) {
      net::post(self->server_.context(), [self, name, bytes, error] {
        if (!bytes) return self->refuse(Status::conflict, error);
        self->attachment_ = name;
        self->send(Status::ok, "application/octet-stream", bytes);
      });
    };
    const std::string_view prefix = "recording.";
    if (name == "film.mp4") return server_.session().export_film(answer);
    if (name == "scene.json") return server_.session().export_scene(answer);
    if (name == "project.limberproj") return server_.session().export_project(answer);
    if (name.starts_with(prefix)) {
      return server_.session().export_recording(name.substr(prefix.size()), answer);
    }
    refuse(Status::not_found, "There is no such download.");
  }

  void receive_file() {
    file_name_ = safe_file_name(target_.parameter("name"));
    if (file_name_.empty()) return refuse(Status::bad_request, "The file has no usable name.");
    if (server_.uploads >= kMostUploads) {
      return refuse(Status::service_unavailable, "Other files are being opened: try again soon.");
    }
    if (!parser_->content_length()) {
      return refuse(Status::length_required, "Say how long the file is.");
    }
    ++server_.uploads;
    uploads_ = true;
    upload_end_ = Clock::now() + kUploadTime;
    receive_more();
  }

  void refuse_size() { refuse(Status::payload_too_large, "The file is larger than 256 MB."); }

  /// Part by part: one that comes to a standstill ends, one that is long does not.
  void receive_more() {
    if (parser_->is_done()) return open_file();
    if (Clock::now() > upload_end_) return end_upload();
    stream_.expires_after(kStallTime);
    http::async_read_some(stream_, buffer_, *parser_,
                          [self = shared_from_this()](beast::error_code error, std::size_t) {
                            if (error) return self->end_upload();
                            self->receive_more();
                          });
  }

  /// The library reads files: the bytes go to a folder of our own until it has.
  void open_file() {
    stream_.expires_never();
    std::shared_ptr<TemporaryFolder> folder;
    std::filesystem::path path;
    try {
      folder = std::make_shared<TemporaryFolder>();
      path = folder->path() / file_name_;
      write_file(path, parser_->get().body());
    } catch (const Error& error) {
      end_upload();
      return refuse(Status::insufficient_storage, error.what());
    }
    parser_->get().body() = {};
    if (target_.path == "/survey") return survey_file(path, folder);
    const std::optional<MeshImport> import = mesh_import();
    if (!import) {
      end_upload();
      return refuse(Status::bad_request, "The scale or the axis that points up makes no sense.");
    }
    const auto as = target_.parameter("as");
    const FileUse use = as == "pose"   ? FileUse::pose
                        : as == "body" ? FileUse::body
                                       : FileUse::scene;
    server_.session().open_file(
        path, use, folder,
        [self = shared_from_this(), folder](const std::string& error) {
          net::post(self->server_.context(), [self, error] {
            self->end_upload();
            if (!error.empty()) return self->refuse(Status::unprocessable_entity, error);
            self->send(Status::ok, "text/plain", std::make_shared<const std::string>("opened"));
          });
        },
        *import);
  }

  void survey_file(const std::filesystem::path& path,
                   const std::shared_ptr<TemporaryFolder>& folder) {
    server_.session().survey_file(
        path, folder, [self = shared_from_this()](const Text& found, const std::string& error) {
          net::post(self->server_.context(), [self, found, error] {
            self->end_upload();
            if (!error.empty()) return self->refuse(Status::unprocessable_entity, error);
            self->send(Status::ok, "application/json", found);
          });
        });
  }

  /// What the address says of units and axes; nothing where that makes no sense.
  [[nodiscard]] std::optional<MeshImport> mesh_import() const {
    MeshImport import;
    const std::string scale(target_.parameter("scale")), up(target_.parameter("up"));
    if (!scale.empty()) {
      char* end = nullptr;
      import.scale = std::strtod(scale.c_str(), &end);
      if (*end != '\0' || !(import.scale >= 1e-9 && import.scale <= 1e9)) return std::nullopt;
    }
    if (!up.empty()) {
      if (up != "x" && up != "y" && up != "z") return std::nullopt;
      import.up = up.front();
    }
    return import;
  }

  void end_upload() {
    if (std::exchange(uploads_, false)) --server_.uploads;
  }

  void refuse(Status status, const std::string& why) {
    closing_ = !parser_->is_done();  // the rest of the request was not read
    send(status, "text/plain; charset=utf-8", std::make_shared<const std::string>(why + "\n"));
  }

  void send(Status status, std::string_view type, Text body) {
    const auto& request = parser_->get();
    const bool only_head = request.method() == http::verb::head;
    using Body = http::span_body<const char>;
    const auto response = std::make_shared<http::response<Body>>(status, request.version());
    response->set(http::field::content_type, beast::string_view(type.data(), type.size()));
    response->set(http::field::cache_control, "no-cache");
    response->set("X-Content-Type-Options", "nosniff");
    response->set("Cross-Origin-Resource-Policy", "same-origin");
    response->set("Content-Security-Policy",
                  "default-src 'self'; img-src 'self' data: blob:; style-src 'self' "
                  "'unsafe-inline'; frame-ancestors 'none'");
    if (!tag_.empty()) {
      response->set(http::field::etag, std::exchange(tag_, ""));
      response->set(http::field::vary, "Accept-Encoding");
    }
    if (!encoding_.empty()) {
      response->set(http::field::content_encoding, std::exchange(encoding_, ""));
    }
    if (!cookie_.empty()) response->set(http::field::set_cookie, std::exchange(cookie_, ""));
    if (!attachment_.empty()) {
      response->set(http::field::content_disposition,
                    fmt::format("attachment; filename=\"{}\"", safe_file_name(attachment_)));
      attachment_.clear();
    }
    response->keep_alive(request.keep_alive() && !closing_);
    response->content_length(body->size());
    if (!only_head) response->body() = beast::span<const char>(body->data(), body->size());
    stream_.expires_after(4 * kRequestTime);
    http::async_write(
        stream_, *response,
        [self = shared_from_this(), response, body](beast::error_code error, std::size_t) {
          if (error || !response->keep_alive()) return self->shut_down();
          self->read();
        });
  }

  /// A browser that is still sending hears the answer only if it may go on for a while.
  void shut_down() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    if (!closing_) return;
    upload_end_ = Clock::now() + kStallTime;
    discard();
  }

  void discard() {
    buffer_.consume(buffer_.size());
    stream_.expires_at(upload_end_);
    stream_.async_read_some(buffer_.prepare(64 * 1024),
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->discard();
                            });
  }

  beast::tcp_stream stream_;
  Server::Implementation& server_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  Target target_;
  std::string file_name_;
  std::string attachment_, tag_, encoding_, cookie_;  // of the next answer
  Clock::time_point upload_end_{};
  bool uploads_ = false;
  bool closing_ = false;
};

}  // namespace limber::studio
