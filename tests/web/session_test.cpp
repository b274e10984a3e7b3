#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>
#include <optional>

#include "web/bending_bar.h"

namespace limber::studio {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

/// Keeps what it hears and lets a test wait for it.
class Listener : public Audience {
 public:
  void frame(Text bytes) override { keep(frames_, bytes); }
  void state(Text text) override { keep(states_, text); }
  void hands(Text) override {}
  void work(Text) override {}
  void reply(ClientId, Text text) override { keep(replies_, text); }
  void reply_all(Text text) override { keep(replies_, text); }

  /// The first state, from now on or before, for which the test is true.
  template <class Test>
  json wait_for_state(const Test& test) {
    return wait(states_, [&](const Text& text) { return test(json::parse(*text)); });
  }
  json wait_for_reply() {
    return wait(replies_, [](const Text&) { return true; });
  }
  /// Header of the first frame with so many inputs taken in.
  bool wait_for_inputs(int inputs, std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return heard_.wait_for(lock, most, [&] {
      for (const Text& frame : frames_) {
        std::uint16_t seen;
        std::memcpy(&seen, frame->data() + 22, 2);
        if (seen >= inputs) return true;
      }
      return false;
    });
  }
  std::size_t frame_count() {
    const std::lock_guard lock(mutex_);
    return frames_.size();
  }

 private:
  using List = std::deque<Text>;
  void keep(List& list, const Text& text) {
    const std::lock_guard lock(mutex_);
    list.push_back(text);
    heard_.notify_all();
  }
  template <class Test>
  json wait(List& list, const Test& test) {
    std::unique_lock lock(mutex_);
    json found;
    const bool heard = heard_.wait_for(lock, 10s, [&] {
      while (!list.empty()) {
        const Text text = list.front();
        list.pop_front();
        if (test(text)) {
          found = json::parse(*text);
          return true;
        }
      }
      return false;
    });
    EXPECT_TRUE(heard) << "nothing was heard";
    return found;
  }

  std::mutex mutex_;
  std::condition_variable heard_;
  List frames_, states_, replies_;
};

Hand hand_at(const Vec3& target) {
  Hand hand;
  hand.id = 1;
  hand.vertex = 4 * 23;
  hand.target = target;
  hand.pinned = true;
  return hand;
}

class SessionTest : public testing::Test {
 protected:
  BarLibrary library;
  Listener listener;
  std::optional<Session> session;

  BendingBar* start(int stations = 24) {
    auto bar = std::make_unique<BendingBar>(stations, 6);
    BendingBar* raw = bar.get();
    session.emplace(library, listener, std::move(bar));
    session->set_watchers(1);
    return raw;
  }
};

TEST_F(SessionTest, AnswersAPointerBeforeItsStepIsDue) {
  start();
  session->post(1, command::Rebuild{Change{{}, {}, 0.1}});
  listener.wait_for_state([](const json& s) { return s["time_step"] == 0.1; });
  std::this_thread::sleep_for(150ms);
  // A step is due every 100 ms; the answer must come much earlier than half of that.
  const auto begin = std::chrono::steady_clock::now();
  session->post(1, command::Place{hand_at({0.9, 0.2, 0.1})});
  EXPECT_TRUE(listener.wait_for_inputs(1, 1s));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 45ms);
}

TEST_F(SessionTest, KeepsTheClockWhilePointersAreAnsweredEarly) {
  start();
  session->post(1, command::Place{hand_at({0.9, 0.2, 0.1})});
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 400; ++i) {
    session->post(1, command::Move{1, {0.9, 0.2 + 1e-4 * i, 0.1}, Vec3::Zero(), false});
    std::this_thread::sleep_for(1ms);
  }
  session->post(1, command::Play{false});
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const json state = listener.wait_for_state([](const json& s) { return !s["playing"]; });
  // One step early at most, and two for the threads' own delays.
  EXPECT_LE(state["time"].get<double>(), elapsed + 3.0 / 60);
}

TEST_F(SessionTest, MeasuresAgainstALaneOnlyOnceItIsThere) {
  start();
  session->post(1, command::Lanes{{"linear-modal", "modal-warping"}, 1});
  // The first state is told before the second lane is made, and frames go on meanwhile.
  const json before = listener.wait_for_state([](const json&) { return true; });
  EXPECT_LT(before["truth"].get<std::size_t>(), before["lanes"].size());
  const json after = listener.wait_for_state([](const json& s) { return s["lanes"].size() == 2; });
  EXPECT_EQ(after["truth"], 1);
}

TEST_F(SessionTest, RestsWhileNobodyLooks) {
  start();
  session->set_watchers(0);
  std::this_thread::sleep_for(60ms);
  const std::size_t before = listener.frame_count();
  std::this_thread::sleep_for(200ms);
  EXPECT_LE(listener.frame_count(), before + 1);
}

TEST_F(SessionTest, ChangesMethodsAndKeepsTheMotionGoing) {
  start();
  session->post(1, command::Lanes{{"linear-modal", "modal-warping"}, 1});
  const json state = listener.wait_for_state([](const json& s) { return s["lanes"].size() == 2; });
  EXPECT_EQ(state["truth"], 1);
  EXPECT_EQ(state["generation"], 1) << "the model is the same and need not be sent again";
  EXPECT_GT(state["time"].get<double>(), 0);
}

TEST_F(SessionTest, OpensAnotherSceneUnderANewGeneration) {
  start();
  ASSERT_NE(session->model(1), nullptr);
  session->post(1, command::Open{"stiff"});
  listener.wait_for_state([](const json& s) { return s["generation"] == 2; });
  EXPECT_EQ(session->model(1), nullptr);
  EXPECT_NE(session->model(2), nullptr);
}

TEST_F(SessionTest, SaysWhyASceneDidNotOpenAndGoesOn) {
  start();
  session->post(1, command::Open{"nothing"});
  EXPECT_EQ(listener.wait_for_reply()["type"], "error");
  std::promise<std::string> said;
  session->open_file("/nowhere/cube.obj", FileUse::scene, nullptr,
                     [&](const std::string& error) { said.set_value(error); });
  EXPECT_NE(said.get_future().get(), "");
  EXPECT_NE(session->model(1), nullptr);
}

TEST_F(SessionTest, RefusesHandsOnVerticesThatAreNotThere) {
  start();
  Hand hand = hand_at({0, 0, 0});
  hand.vertex = 100000;
  session->post(1, command::Place{hand});
  EXPECT_EQ(listener.wait_for_reply()["type"], "error");
  session->post(1, command::Travel{-1});
  session->post(1, command::Play{false});
  const json state = listener.wait_for_state([](const json& s) { return !s["playing"]; });
  EXPECT_TRUE(state["handles"].empty());
}

TEST_F(SessionTest, UndoesAndRedoesWhatChangesTheProjectInOneOrder) {
  start();
  session->post(1, command::Place{hand_at({0.9, 0.3, 0.1})});
  session->post(1, command::Gravity{{0, -1, 0}});
  session->post(1, command::PoseAdd{0, "one"});
  listener.wait_for_state([](const json& s) {
    return s["undo"] == json({"Add a pose", "Gravity", "Pin a point"});
  });
  session->post(1, command::Travel{-2});
  const json back = listener.wait_for_state([](const json& s) { return s["redo"].size() == 2; });
  EXPECT_TRUE(back["interpolation"]["poses"].empty());
  EXPECT_EQ(back["handles"].size(), 1U);
  session->post(1, command::Travel{-1});
  const json first = listener.wait_for_state([](const json& s) { return s["redo"].size() == 3; });
  EXPECT_TRUE(first["handles"].empty());
  session->post(1, command::Travel{3});
  const json again = listener.wait_for_state([](const json& s) { return s["redo"].empty(); });
  EXPECT_EQ(again["handles"].size(), 1U);
  EXPECT_EQ(again["interpolation"]["poses"].size(), 1U);
}

TEST_F(SessionTest, KeepsTakesThatAreCutAndReplayed) {
  start();
  session->post(1, command::Record{true});
  std::this_thread::sleep_for(700ms);
  session->post(1, command::Record{false});
  const json made = listener.wait_for_state([](const json& s) { return s["takes"].size() == 1; });
  const int id = made["takes"][0]["id"];
  const double duration = made["takes"][0]["duration"];
  EXPECT_GT(duration, 0.3);
  session->post(1, command::ChangeTake{id, "swing", 0.1, 0.2});
  const json cut =
      listener.wait_for_state([](const json& s) { return s["takes"][0]["name"] == "swing"; });
  // Frames are 1/60 s apart: the nearest one is meant.
  EXPECT_NEAR(cut["takes"][0]["from"].get<double>(), 0.1, 0.5 / 60);
  EXPECT_NEAR(cut["takes"][0]["to"].get<double>(), 0.2, 0.5 / 60);
  session->post(1, command::ShowTake{id, true});
  listener.wait_for_state([&](const json& s) { return s["take"] == id && s["playing"]; });
  session->post(1, command::ScrubTake{0.05});
  const json paused = listener.wait_for_state([](const json& s) { return !s["playing"]; });
  EXPECT_NEAR(paused["take_time"].get<double>(), 0.05, 1e-12);
  session->post(1, command::RemoveTake{id});
  listener.wait_for_state([](const json& s) { return s["takes"].empty() && s["take"] == 0; });
  session->post(1, command::Travel{-1});
  const json back = listener.wait_for_state([](const json& s) { return s["takes"].size() == 1; });
  EXPECT_EQ(back["takes"][0]["name"], "swing");
}

TEST_F(SessionTest, ReleasesWhatAClientHeldWhenItLeaves) {
  start();
  Hand hand = hand_at({0.9, 0.3, 0.1});
  hand.pinned = false;
  session->post(3, command::Place{hand});
  listener.wait_for_state([](const json& s) { return s["handles"].size() == 1; });
  session->client_left(3);
  session->post(1, command::Play{false});
  const json state = listener.wait_for_state([](const json& s) { return !s["playing"]; });
  EXPECT_TRUE(state["handles"].empty());
}

TEST_F(SessionTest, GoesBackToRestWhenTheSimulationDiverges) {
  BendingBar* bar = start();
  session->post(1, command::Play{false});
  listener.wait_for_state([](const json& s) { return !s["playing"]; });
  bar->break_down();
  session->post(1, command::Step{});
  EXPECT_EQ(listener.wait_for_reply()["type"], "error");
  const json state = listener.wait_for_state([](const json& s) { return s["time"] == 0; });
  EXPECT_EQ(state["playing"], false);
}

TEST_F(SessionTest, PlaysAMotionThroughPoses) {
  start();
  session->post(1, command::PoseAdd{0, "straight"});
  session->post(1, command::Place{hand_at({0.8, 0.5, 0.1})});
  listener.wait_for_state([](const json& s) { return s["handles"].size() == 1; });
  std::this_thread::sleep_for(100ms);
  session->post(1, command::PoseAdd{1, "bent"});
  listener.wait_for_state([](const json& s) {
    return s["interpolation"]["poses"].size() == 2 && s["interpolation"]["obstacle"] == "";
  });
  session->post(1, command::Scrub{0.5});
  const json state =
      listener.wait_for_state([](const json& s) { return s["interpolation"]["time"] == 0.5; });
  EXPECT_EQ(state["interpolation"]["active"], true);
  session->post(1, command::ModeCurve{0});
  const json curve = listener.wait_for_reply();
  EXPECT_EQ(curve["type"], "curve");
  EXPECT_EQ(curve["keys"], json({0.0, 1.0}));
}

}  // namespace
}  // namespace limber::studio
