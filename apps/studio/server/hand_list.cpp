#include "server/hand_list.h"

#include <algorithm>

#include "limber/core/error.h"

namespace limber::studio {

namespace {

constexpr std::size_t kMostHands = 64;
constexpr std::size_t kMostUndo = 100;

auto find(std::vector<Hand>& hands, int id) {
  return std::find_if(hands.begin(), hands.end(), [id](const Hand& hand) { return hand.id == id; });
}

}  // namespace

HandList::Pinned HandList::pinned() const {
  Pinned result;
  std::copy_if(hands_.begin(), hands_.end(), std::back_inserter(result),
               [](const Hand& hand) { return hand.pinned; });
  return result;
}

void HandList::remember(Pinned before) {
  undo_.push_back(std::move(before));
  if (undo_.size() > kMostUndo) undo_.erase(undo_.begin());
  redo_.clear();
}

void HandList::place(ClientId client, const Hand& hand) {
  const auto known = find(hands_, hand.id);
  if (known == hands_.end() && hands_.size() >= kMostHands) {
    throw Error("there are too many hands", "64 at most", "release some of them");
  }
  const bool was_pinned = known != hands_.end() && known->pinned;
  if (hand.pinned || was_pinned) remember(pinned());
  if (known != hands_.end()) {
    *known = hand;
  } else {
    hands_.push_back(hand);
  }
  holders_[hand.id] = client;
}

bool HandList::move(int id, const Vec3& target, const Vec3& rotation, bool begins) {
  const auto hand = find(hands_, id);
  if (hand == hands_.end()) return false;
  if (hand->pinned && begins) remember(pinned());
  hand->target = target;
  hand->rotation = rotation;
  return true;
}

void HandList::release(int id) {
  const auto hand = find(hands_, id);
  if (hand == hands_.end()) return;
  if (hand->pinned) remember(pinned());
  hands_.erase(hand);
  holders_.erase(id);
}

void HandList::release_all() {
  const Pinned before = pinned();
  if (!before.empty()) remember(before);
  hands_.clear();
  holders_.clear();
}

void HandList::release_held_by(ClientId client) {
  std::erase_if(hands_, [&](const Hand& hand) {
    return !hand.pinned && holders_.count(hand.id) != 0 && holders_.at(hand.id) == client;
  });
  std::erase_if(holders_, [&](const auto& holder) { return holder.second == client; });
}

void HandList::restore(const Pinned& pinned) {
  std::erase_if(hands_, [](const Hand& hand) { return hand.pinned; });
  hands_.insert(hands_.end(), pinned.begin(), pinned.end());
}

void HandList::undo() {
  if (undo_.empty()) return;
  redo_.push_back(pinned());
  restore(undo_.back());
  undo_.pop_back();
}

void HandList::redo() {
  if (redo_.empty()) return;
  undo_.push_back(pinned());
  restore(redo_.back());
  redo_.pop_back();
}

void HandList::forget() {
  undo_.clear();
  redo_.clear();
  holders_.clear();
}

void HandList::clear() { *this = HandList(); }

}  // namespace limber::studio
