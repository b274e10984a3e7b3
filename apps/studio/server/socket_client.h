// One browser's WebSocket. See network.h for who may include this.
#pragma once

#include <deque>

#include "limber/core/error.h"
#include "server/network.h"

namespace limber::studio {

constexpr std::size_t kMessageLimit = 64 * 1024;  // of a command, bytes
constexpr std::size_t kMostReplies = 64;          // waiting for one client; it is cut off beyond

/// One browser. Of frames and state only the newest is kept while a write is under way.
class SocketClient : public std::enable_shared_from_this<SocketClient> {
 public:
  SocketClient(tcp::socket&& socket, Server::Implementation& server)
      : stream_(std::move(socket)), server_(server), id_(server.next_client()) {
    ++server_.watchers;
  }
  ~SocketClient() { --server_.watchers; }

  [[nodiscard]] ClientId id() const { return id_; }

  template <class Request>
  void start(const Request& request) {
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.keep_alive_pings = true;
    stream_.set_option(timeout);
    stream_.read_message_max(kMessageLimit);
    websocket::permessage_deflate compression;
    compression.server_enable = !server_.loopback_only();  // a network is slower than zlib
    stream_.set_option(compression);
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

}  // namespace limber::studio
