// The network's side of the server, shared by server.cpp's parts. To be included there alone: with
// them it makes the one translation unit that knows Boost.Beast. 1.74 needs <utility> before it to
// compile as C++20.
#pragma once

#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <mutex>
#include <set>

#include "server/server.h"

namespace limber::studio {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;

/// What the session's threads left for the network's thread: of each kind the newest.
struct Mail {
  Text frame, state, hands, work;
  std::vector<std::pair<ClientId, Text>> replies;  // client 0: all of them
};

class SocketClient;
class HttpConnection;

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
  void state(Text message) override { deliver(&Mail::state, std::move(message)); }
  void hands(Text message) override { deliver(&Mail::hands, std::move(message)); }
  void work(Text message) override { deliver(&Mail::work, std::move(message)); }
  void reply(ClientId client, Text message) override;
  void reply_all(Text message) override { reply(0, std::move(message)); }

  // For the connections, on the network's thread.
  void join(const std::shared_ptr<SocketClient>& client);
  void leave(SocketClient& client);
  [[nodiscard]] Session& session() { return *session_; }
  [[nodiscard]] const Page& page() const { return page_; }
  [[nodiscard]] bool loopback_only() const { return endpoint_.address().is_loopback(); }
  [[nodiscard]] ClientId next_client() { return ++last_client_; }
  [[nodiscard]] net::io_context& context() { return context_; }
  /// What a request must bring along; empty on loopback, where nobody else is.
  [[nodiscard]] const std::string& token() const { return token_; }
  std::size_t connections = 0;           // HTTP
  std::size_t watchers = 0;              // WebSockets, those shaking hands too
  std::vector<HttpConnection*> waiting;  // that have not sent a whole request yet, oldest first
  std::size_t uploads = 0;

 private:
  void accept();
  void deliver(Text Mail::*kind, Text value);
  void schedule();
  void distribute();

  net::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  tcp::endpoint endpoint_;
  const Page& page_;
  std::string token_;
  std::set<std::shared_ptr<SocketClient>> clients_;
  ClientId last_client_ = 0;
  Mail newest_;  // what a newcomer gets first

  std::mutex mutex_;  // guards the two below
  Mail mail_;
  bool scheduled_ = false;

  std::unique_ptr<Session> session_;  // last, so that its threads end before what they use
};

}  // namespace limber::studio
