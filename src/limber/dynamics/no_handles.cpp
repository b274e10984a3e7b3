#include "limber/dynamics/no_handles.h"

#include <string>

#include "limber/core/error.h"

namespace limber {

namespace {

class NoHandles final : public Handles {
 public:
  int add(const Handle&) override {
    throw Error("this body cannot be held", "handle", "push it by forces or impulses");
  }
  void move(int handle, const Vec3&) override { refuse(handle); }
  void remove(int handle) override { refuse(handle); }
  [[nodiscard]] bool empty() const override { return true; }
  [[nodiscard]] HandleErrors errors() const override { return {}; }
  [[nodiscard]] std::vector<HandleForce> forces() const override { return {}; }

 private:
  [[noreturn]] static void refuse(int handle) {
    throw Error("there is no handle " + std::to_string(handle), "handles",
                "this body cannot be held");
  }
};

}  // namespace

Handles& no_handles() {
  static NoHandles none;
  return none;
}

}  // namespace limber
