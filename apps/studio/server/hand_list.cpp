#include "server/hand_list.h"

#include <algorithm>

#include "limber/core/error.h"

namespace limber::studio {

namespace {

constexpr std::size_t kMostHands = 64;

auto find(std::vector<Hand>& hands, int id) {
  return std::find_if(hands.begin(), hands.end(), [id](const Hand& hand) { return hand.id == id; });
}

}  // namespace

std::vector<Hand> HandList::pinned() const {
  std::vector<Hand> result;
  std::copy_if(hands_.begin(), hands_.end(), std::back_inserter(result),
               [](const Hand& hand) { return hand.pinned; });
  return result;
}

bool HandList::is_pinned(int id) const {
  return std::any_of(hands_.begin(), hands_.end(),
                     [id](const Hand& hand) { return hand.id == id && hand.pinned; });
}

std::optional<int> HandList::held_alone(int id) const {
  const auto hand =
      std::find_if(hands_.begin(), hands_.end(), [&](const Hand& h) { return h.id == id; });
  if (hand == hands_.end()) return std::nullopt;
  const auto count = std::count_if(hands_.begin(), hands_.end(),
                                   [&](const Hand& h) { return h.body == hand->body; });
  return count == 1 ? std::optional(hand->body) : std::nullopt;
}

void HandList::place(ClientId client, const Hand& hand) {
  const auto known = find(hands_, hand.id);
  if (known == hands_.end() && hands_.size() >= kMostHands) {
    throw Error("there are too many hands", "64 at most", "release some of them");
  }
  if (known != hands_.end()) {
    *known = hand;
  } else {
    hands_.push_back(hand);
  }
  holders_[hand.id] = client;
}

bool HandList::move(int id, const Vec3& target, const Vec3& rotation) {
  const auto hand = find(hands_, id);
  if (hand == hands_.end()) return false;
  hand->target = target;
  hand->rotation = rotation;
  return true;
}

void HandList::release(int id) {
  const auto hand = find(hands_, id);
  if (hand == hands_.end()) return;
  hands_.erase(hand);
  holders_.erase(id);
}

void HandList::release_held_by(ClientId client) {
  std::erase_if(hands_, [&](const Hand& hand) {
    return !hand.pinned && holders_.count(hand.id) != 0 && holders_.at(hand.id) == client;
  });
  std::erase_if(holders_, [&](const auto& holder) { return holder.second == client; });
}

void HandList::set_pinned(const std::vector<Hand>& pinned) {
  std::erase_if(hands_, [](const Hand& hand) { return hand.pinned; });
  hands_.insert(hands_.end(), pinned.begin(), pinned.end());
}

void HandList::renumber(const std::function<int(int body)>& number) {
  for (Hand& hand : hands_) hand.body = number(hand.body);
  std::erase_if(hands_, [](const Hand& hand) { return hand.body < 0; });
}

void HandList::clear() { *this = HandList(); }

}  // namespace limber::studio
