// Boost.Beast in this one translation unit; 1.74 needs <utility> before it to compile as C++20.
// One thread runs all connections; the session's threads hand their news over through Mail.
#include "server/server.h"

#include <utility>

#include <fmt/format.h>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <set>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "server/access.h"
#include "server/temporary_folder.h"

namespace limber::studio {

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;

constexpr std::size_t kMessageLimit = 64 * 1024;           // of a command, bytes
constexpr std::uint64_t kUploadLimit = 256 * 1024 * 1024;  // of a dropped file, bytes
constexpr std::size_t kMostConnections = 64;
constexpr std::size_t kMostReplies = 64;  // waiting for one client; it is cut off beyond
constexpr std::chrono::seconds kRequestTime{30};

/// What the session's threads left for the network's thread: of each kind the newest.
struct Mail {
  Text frame, state, hands, work;
  std::vector<std::pair<ClientId, Text>> replies;  // client 0: all of them
};

class SocketClient;

}  // namespace

/// The network's thread, its listener and its clients.
class Server::Implementation : public Audience {
 public:
  Implementation(const ServerOptions& options, Library& library, const Page& page,
                 std::unique_ptr<Simulation> first);
  ~Implementation() override;

  void run(bool end_on_signals);
  void stop();
  [[nodiscard]] std::string address() const;
  [[nodiscard]] unsigned short port() const { return endpoint_.port(); }

  void frame(Text bytes) override { deliver(&Mail::frame, std::move(bytes)); }
  void state(Text json) override { deliver(&Mail::state, std::move(json)); }
  void hands(Text json) override { deliver(&Mail::hands, std::move(json)); }
  void work(Text json) override { deliver(&Mail::work, std::move(json)); }
  void reply(ClientId client, Text json) override;
  void reply_all(Text json) override { reply(0, std::move(json)); }

  // For the connections, on the network's thread.
  void join(const std::shared_ptr<SocketClient>& client);
  void leave(SocketClient& client);
  [[nodiscard]] Session& session() { return *session_; }
  [[nodiscard]] const Page& page() const { return page_; }
  [[nodiscard]] bool loopback_only() const { return endpoint_.address().is_loopback(); }
  [[nodiscard]] ClientId next_client() { return ++last_client_; }
  [[nodiscard]] net::io_context& context() { return context_; }
  std::size_t connections = 0;
  bool uploading = false;

 private:
  void accept();
  void deliver(Text Mail::*kind, Text value);
  void schedule();
  void distribute();

  net::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  tcp::endpoint endpoint_;
  const Page& page_;
  std::set<std::shared_ptr<SocketClient>> clients_;
  ClientId last_client_ = 0;
  Mail newest_;  // what a newcomer gets first

  std::mutex mutex_;  // guards the two below
  Mail mail_;
  bool scheduled_ = false;

  std::unique_ptr<Session> session_;  // last, so that its threads end before what they use
};

namespace {

/// One browser. Of frames and state only the newest is kept while a write is under way.
class SocketClient : public std::enable_shared_from_this<SocketClient> {
 public:
  SocketClient(tcp::socket&& socket, Server::Implementation& server)
      : stream_(std::move(socket)), server_(server), id_(server.next_client()) {}

  [[nodiscard]] ClientId id() const { return id_; }

  template <class Request>
  void start(const Request& request) {
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.keep_alive_pings = true;
    stream_.set_option(timeout);
    stream_.read_message_max(kMessageLimit);
    stream_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (error) return self->end();
      self->server_.join(self);
      self->joined_ = true;
      self->read();
    });
  }

  void offer(const Mail& mail) {
    if (mail.state) {
      waiting_.state = mail.state;
      waiting_.hands = nullptr;  // the state holds them, and newer ones
    }
    if (mail.hands) waiting_.hands = mail.hands;
    if (mail.work) waiting_.work = mail.work;
    if (mail.frame) waiting_.frame = mail.frame;
    write();
  }

  void offer_reply(const Text& reply) {
    if (replies_.size() >= kMostReplies) return close();
    replies_.push_back(reply);
    write();
  }

  /// Without the closing handshake: for clients that do not listen, and at the end of it all.
  void close() { beast::get_lowest_layer(stream_).socket().close(); }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->end();
      self->receive();
      self->read();
    });
  }

  void receive() {
    const std::string message = beast::buffers_to_string(buffer_.data());
    buffer_.consume(buffer_.size());
    try {
      server_.session().post(id_, parse_command(message));
    } catch (const Error& error) {
      offer_reply(std::make_shared<const std::string>(encode_error(error.what())));
    }
  }

  /// Answers first, then what changes the panels, then the picture.
  Text next() {
    if (!replies_.empty()) {
      Text reply = std::move(replies_.front());
      replies_.pop_front();
      return reply;
    }
    for (Text Mail::*kind : {&Mail::state, &Mail::hands, &Mail::work}) {
      if (waiting_.*kind) return std::exchange(waiting_.*kind, nullptr);
    }
    return nullptr;
  }

  void write() {
    if (writing_) return;
    Text message = next();
    const bool binary = message == nullptr;
    if (binary) message = std::exchange(waiting_.frame, nullptr);
    if (!message) return;
    writing_ = true;
    stream_.binary(binary);
    stream_.async_write(net::buffer(*message),
                        [self = shared_from_this(), message](beast::error_code error, std::size_t) {
                          self->writing_ = false;
                          if (!error) self->write();  // the end is noticed by the read
                        });
  }

  void end() {
    if (std::exchange(joined_, false)) server_.leave(*this);
  }

  websocket::stream<beast::tcp_stream> stream_;
  Server::Implementation& server_;
  const ClientId id_;
  beast::flat_buffer buffer_;
  Mail waiting_;
  std::deque<Text> replies_;
  bool writing_ = false;
  bool joined_ = false;
};

/// One HTTP connection, request after request, until it becomes a WebSocket or closes.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(tcp::socket&& socket, Server::Implementation& server)
      : stream_(std::move(socket)), server_(server) {
    ++server_.connections;
  }
  ~HttpConnection() {
    --server_.connections;
    end_upload();
  }

  void read() {
    parser_.emplace();
    parser_->body_limit(kUploadLimit);
    stream_.expires_after(kRequestTime);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->route();
                            });
  }

 private:
  using Status = http::status;

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
    if (websocket::is_upgrade(request)) return upgrade();
    if (request.method() == http::verb::post && target_.path == "/open") return receive_file();
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return refuse(Status::method_not_allowed, "The studio is only read from.");
    }
    if (target_.path == "/model") return send_model();
    if (target_.path.starts_with("/download/")) return send_download();
    const auto file = server_.page().find(target_.path);
    if (file == server_.page().end()) return refuse(Status::not_found, "There is no such page.");
    send(Status::ok, file->second.type, std::make_shared<const std::string>(file->second.contents));
  }

  void upgrade() {
    if (target_.path != "/socket") return refuse(Status::not_found, "There is no such socket.");
    stream_.expires_never();
    std::make_shared<SocketClient>(stream_.release_socket(), server_)->start(parser_->release());
  }

  void send_model() {
    const std::string wanted(target_.parameter("generation"));
    const auto generation = static_cast<std::uint32_t>(std::strtoul(wanted.c_str(), nullptr, 10));
    Text model = server_.session().model(generation);
    if (!model) return refuse(Status::conflict, "The scene has changed meanwhile.");
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
    if (name == "scene.json") return server_.session().export_scene(answer);
    if (name.starts_with(prefix)) {
      return server_.session().export_recording(name.substr(prefix.size()), answer);
    }
    refuse(Status::not_found, "There is no such download.");
  }

  void receive_file() {
    file_name_ = safe_file_name(target_.parameter("name"));
    if (file_name_.empty()) return refuse(Status::bad_request, "The file has no usable name.");
    if (server_.uploading) {
      return refuse(Status::service_unavailable, "Another file is being opened: try again soon.");
    }
    if (parser_->content_length().value_or(0) > kUploadLimit) {
      return refuse(Status::payload_too_large, "The file is larger than 256 MB.");
    }
    server_.uploading = uploads_ = true;
    stream_.expires_after(10 * kRequestTime);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (error) return self->end_upload();
                       self->open_file();
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
    server_.session().open_file(path, target_.parameter("as") == "pose",
                                [self = shared_from_this(), folder](const std::string& error) {
                                  net::post(self->server_.context(), [self, error] {
                                    self->end_upload();
                                    if (!error.empty())
                                      return self->refuse(Status::unprocessable_entity, error);
                                    self->send(Status::ok, "text/plain",
                                               std::make_shared<const std::string>("opened"));
                                  });
                                });
  }

  void end_upload() {
    if (std::exchange(uploads_, false)) server_.uploading = false;
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

  void shut_down() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  beast::tcp_stream stream_;
  Server::Implementation& server_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  Target target_;
  std::string file_name_;
  std::string attachment_;
  bool uploads_ = false;
  bool closing_ = false;
};

tcp::endpoint endpoint_of(const ServerOptions& options) {
  beast::error_code error;
  const std::string name = options.host == "localhost" ? "127.0.0.1" : options.host;
  const auto address = net::ip::make_address(name, error);
  if (error) {
    throw Error(fmt::format("{} is no address", options.host), "--host",
                "give a numeric one, as 127.0.0.1 or 0.0.0.0");
  }
  return {address, options.port};
}

}  // namespace

Server::Implementation::Implementation(const ServerOptions& options, Library& library,
                                       const Page& page, std::unique_ptr<Simulation> first)
    : endpoint_(endpoint_of(options)), page_(page) {
  beast::error_code error;
  acceptor_.open(endpoint_.protocol(), error);
  if (!error) acceptor_.set_option(net::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint_, error);
  if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
  if (error) {
    throw Error(fmt::format("the studio cannot listen: {}", error.message()),
                fmt::format("{}:{}", options.host, options.port), "choose another --port",
                Error::Kind::work_failed);
  }
  endpoint_ = acceptor_.local_endpoint();
  session_ = std::make_unique<Session>(library, *this, std::move(first));
  accept();
}

Server::Implementation::~Implementation() { session_.reset(); }

std::string Server::Implementation::address() const {
  const auto ip = endpoint_.address();
  std::string name = ip.is_unspecified() ? "127.0.0.1" : ip.to_string();
  if (ip.is_v6() && !ip.is_unspecified()) name = fmt::format("[{}]", name);
  return fmt::format("http://{}:{}/", name, endpoint_.port());
}

void Server::Implementation::accept() {
  acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
    if (error == net::error::operation_aborted) return;
    if (!error) {
      beast::error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      std::make_shared<HttpConnection>(std::move(socket), *this)->read();
    }
    accept();
  });
}

void Server::Implementation::run(bool end_on_signals) {
  net::signal_set signals(context_);
  if (end_on_signals) {
    signals.add(SIGINT);
    signals.add(SIGTERM);
    signals.async_wait([this](beast::error_code error, int) {
      if (!error) context_.stop();
    });
  }
  while (!context_.stopped()) {
    try {
      context_.run();
    } catch (const std::exception&) {
      // One connection ran out of memory or the like: it is gone, the others go on.
    }
  }
}

void Server::Implementation::stop() { context_.stop(); }

void Server::Implementation::join(const std::shared_ptr<SocketClient>& client) {
  clients_.insert(client);
  session_->set_watchers(static_cast<int>(clients_.size()));
  client->offer(newest_);
}

void Server::Implementation::leave(SocketClient& client) {
  clients_.erase(client.shared_from_this());
  session_->client_left(client.id());
  session_->set_watchers(static_cast<int>(clients_.size()));
}

void Server::Implementation::deliver(Text Mail::*kind, Text value) {
  const std::lock_guard lock(mutex_);
  mail_.*kind = std::move(value);
  schedule();
}

void Server::Implementation::reply(ClientId client, Text json) {
  const std::lock_guard lock(mutex_);
  mail_.replies.emplace_back(client, std::move(json));
  schedule();
}

/// One turn of the network's thread takes all that came until then.
void Server::Implementation::schedule() {
  if (std::exchange(scheduled_, true)) return;
  net::post(context_, [this] { distribute(); });
}

void Server::Implementation::distribute() {
  Mail mail;
  {
    const std::lock_guard lock(mutex_);
    std::swap(mail, mail_);
    scheduled_ = false;
  }
  if (mail.state) newest_.hands = nullptr;  // the state holds the hands too
  for (Text Mail::*kind : {&Mail::frame, &Mail::state, &Mail::hands, &Mail::work}) {
    if (mail.*kind) newest_.*kind = mail.*kind;
  }
  for (const auto& client : clients_) {
    for (const auto& [to, reply] : mail.replies) {
      if (to == 0 || to == client->id()) client->offer_reply(reply);
    }
    client->offer(mail);
  }
}

Server::Server(const ServerOptions& options, Library& library, const Page& page,
               std::unique_ptr<Simulation> first)
    : implementation_(std::make_unique<Implementation>(options, library, page, std::move(first))) {}
Server::~Server() = default;
std::string Server::address() const { return implementation_->address(); }
unsigned short Server::port() const { return implementation_->port(); }
void Server::run(bool end_on_signals) { implementation_->run(end_on_signals); }
void Server::stop() { implementation_->stop(); }

}  // namespace limber::studio
