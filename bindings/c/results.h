// Where C++ ends: every function of limber.h runs inside guarded(), and no exception leaves it.
#pragma once

#include <exception>

#include "limber/limber.h"

namespace limber::c {

/// Remembers the text for limber_error() and tells the log. Does not allocate.
limber_result fail(limber_result code, const char* text) noexcept;
/// The same of the exception being handled.
limber_result fail_by_exception() noexcept;
void log(limber_log_level level, const char* text) noexcept;

template <class Call>
limber_result guarded(Call&& call) noexcept {
  try {
    call();
    return LIMBER_OK;
  } catch (...) {
    return fail_by_exception();
  }
}

/// A buffer of the caller's is too small.
struct TooSmall : std::exception {
  [[nodiscard]] const char* what() const noexcept override {
    return "the buffer is too small (buffer): give as many bytes as `used` says";
  }
};

}  // namespace limber::c
