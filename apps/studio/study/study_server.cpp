// HTTP for the desk: one thread, one request after the other. 1.74 of Boost.Beast needs <utility>
// before it to compile as C++20.
#include "study/study_server.h"

#include <utility>

#include <fmt/format.h>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <optional>

#include "limber/core/error.h"
#include "server/page.h"
#include "study/desk.h"

namespace limber::studio {

namespace {

namespace io = boost::asio;
namespace beast_ = boost::beast;
namespace web = boost::beast::http;
using Tcp = io::ip::tcp;

constexpr std::size_t kLargestRequest = 1 << 20;
constexpr std::size_t kMostGuests = 256;
constexpr std::chrono::seconds kPatience{60};

/// What all connections share.
struct Hall {
  const Page& page;
  std::optional<Desk> desk;
  std::string token;
  unsigned short port = 0;
  std::size_t guests = 0;  // connections
};

class Guest : public std::enable_shared_from_this<Guest> {
 public:
  Guest(Tcp::socket&& socket, Hall& hall) : stream_(std::move(socket)), hall_(hall) {
    ++hall_.guests;
  }
  ~Guest() { --hall_.guests; }

  void listen() {
    parser_.emplace();
    parser_->body_limit(kLargestRequest);
    stream_.expires_after(kPatience);
    web::async_read(stream_, buffer_, *parser_,
                    [self = shared_from_this()](beast_::error_code error, std::size_t) {
                      if (!error) self->answer();
                    });
  }

 private:
  [[nodiscard]] std::string header(web::field name) const {
    return std::string(parser_->get()[name]);
  }

  void answer() {
    const Target target = parse_target(std::string(parser_->get().target()));
    const std::string host = header(web::field::host);
    if (!host_allowed(host, hall_.token.empty()) ||
        !origin_allowed(header(web::field::origin), host) || !knows_token(target)) {
      return send(
          {403, "text/plain; charset=utf-8", "Open the address that the program printed.\n"});
    }
    if (hall_.guests > kMostGuests) {
      return send({503, "text/plain; charset=utf-8", "Too many connections.\n"});
    }
    if (!target.path.starts_with("/api/")) return send_file(target.path);
    send(hall_.desk->handle(
        {std::string(parser_->get().method_string()), target, parser_->get().body()}));
  }

  /// Beyond loopback: by the address the first time, by a cookie from then on.
  bool knows_token(const Target& target) {
    if (hall_.token.empty()) return true;
    const std::string name = fmt::format("limber-study-{}", hall_.port);
    if (same_token(cookie_value(header(web::field::cookie), name), hall_.token)) return true;
    if (!same_token(target.parameter("token"), hall_.token)) return false;
    cookie_ = fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", name, hall_.token);
    return true;
  }

  void send_file(const std::string& path) {
    const auto found = hall_.page.find(path);
    if (found == hall_.page.end()) {
      return send({404, "text/plain; charset=utf-8", "There is no such page.\n"});
    }
    send({200, found->second.type, found->second.contents});
  }

  void send(DeskReply reply) {
    const auto& request = parser_->get();
    const auto response = std::make_shared<web::response<web::string_body>>(
        static_cast<web::status>(reply.status), request.version());
    response->set(web::field::content_type, reply.type);
    response->set(web::field::cache_control, "no-store");
    response->set("X-Content-Type-Options", "nosniff");
    response->set("Content-Security-Policy",
                  "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'");
    if (!cookie_.empty()) response->set(web::field::set_cookie, std::exchange(cookie_, ""));
    response->keep_alive(request.keep_alive());
    response->body() = std::move(reply.body);
    response->prepare_payload();
    stream_.expires_after(kPatience);
    web::async_write(stream_, *response,
                     [self = shared_from_this(), response](beast_::error_code error, std::size_t) {
                       if (!error && response->keep_alive()) return self->listen();
                       beast_::error_code ignored;
                       self->stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
                     });
  }

  beast_::tcp_stream stream_;
  Hall& hall_;
  beast_::flat_buffer buffer_;
  std::optional<web::request_parser<web::string_body>> parser_;
  std::string cookie_;  // of the next answer
};

void welcome(Tcp::acceptor& door, Hall& hall) {
  door.async_accept([&](beast_::error_code error, Tcp::socket socket) {
    if (error == io::error::operation_aborted) return;
    if (!error) {
      beast_::error_code ignored;
      socket.set_option(Tcp::no_delay(true), ignored);
      std::make_shared<Guest>(std::move(socket), hall)->listen();
    }
    welcome(door, hall);
  });
}

/// Listens at once, so that a port that is taken is told before the films are made.
Tcp::acceptor open_door(io::io_context& context, const StudyOptions& options) {
  beast_::error_code error;
  const auto address =
      io::ip::make_address(options.host == "localhost" ? "127.0.0.1" : options.host, error);
  if (error) {
    throw Error(fmt::format("{} is no address", options.host), "--host",
                "give a numeric one, as 127.0.0.1 or 0.0.0.0");
  }
  Tcp::acceptor door(context);
  const Tcp::endpoint endpoint(address, options.port);
  door.open(endpoint.protocol(), error);
  if (!error) door.set_option(io::socket_base::reuse_address(true), error);
  if (!error) door.bind(endpoint, error);
  if (!error) door.listen(io::socket_base::max_listen_connections, error);
  if (error) {
    throw Error(fmt::format("the study cannot listen: {}", error.message()),
                fmt::format("{}:{}", options.host, options.port), "choose another --port",
                Error::Kind::work_failed);
  }
  return door;
}

std::string address_of(const Tcp::endpoint& endpoint, const std::string& token) {
  const auto ip = endpoint.address();
  std::string name = ip.is_unspecified() ? "127.0.0.1" : ip.to_string();
  if (name.find(':') != std::string::npos) name = "[" + name + "]";
  return fmt::format("http://{}:{}/{}", name, endpoint.port(),
                     token.empty() ? "" : "?token=" + token);
}

}  // namespace

void run_study(const StudyOptions& options, const Progress& progress,
               const std::function<void(const std::string&)>& ready) {
  const study::Plan plan = study::read_plan(options.plan);
  Hall hall{embedded_study_page(), {}, "", 0, 0};
  io::io_context context(1);  // after the hall: connections that it ends still leave
  Tcp::acceptor door = open_door(context, options);
  hall.port = door.local_endpoint().port();
  if (!door.local_endpoint().address().is_loopback()) hall.token = new_token();
  hall.desk.emplace(plan, options.out, progress);
  io::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&](beast_::error_code error, int) {
    if (!error) context.stop();
  });
  welcome(door, hall);
  ready(address_of(door.local_endpoint(), hall.token));
  while (!context.stopped()) {
    try {
      context.run();
    } catch (const std::exception&) {
      // One connection ran out of memory or the like: it is gone, the others go on.
    }
  }
}

}  // namespace limber::studio
