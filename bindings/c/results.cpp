#include "results.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <new>

#include "limber/core/error.h"

namespace {

constexpr std::size_t kLongestText = 1000;
thread_local std::array<char, kLongestText> last_error{};

std::atomic<limber_log_function> log_function{nullptr};
std::atomic<void*> log_user{nullptr};

}  // namespace

namespace limber::c {

void log(limber_log_level level, const char* text) noexcept {
  if (const limber_log_function function = log_function.load()) function(level, text, log_user);
}

limber_result fail(limber_result code, const char* text) noexcept {
  std::snprintf(last_error.data(), last_error.size(), "%s", text);
  log(LIMBER_LOG_ERROR, last_error.data());
  return code;
}

limber_result fail_by_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    const bool bad_input = error.kind() == Error::Kind::bad_input;
    return fail(bad_input ? LIMBER_BAD_INPUT : LIMBER_WORK_FAILED, error.what());
  } catch (const TooSmall& error) {
    return fail(LIMBER_TOO_SMALL, error.what());
  } catch (const std::bad_alloc&) {
    return fail(LIMBER_NO_MEMORY, "there is no memory (allocator): free some");
  } catch (const std::exception& error) {
    return fail(LIMBER_INTERNAL, error.what());
  } catch (...) {
    return fail(LIMBER_INTERNAL, "an unknown exception (limber): please report it");
  }
}

}  // namespace limber::c

extern "C" {

uint32_t limber_version() {
  return LIMBER_VERSION_MAJOR * 10000 + LIMBER_VERSION_MINOR * 100 + LIMBER_VERSION_PATCH;
}

const char* limber_error() { return last_error.data(); }

void limber_set_log(limber_log_function function, void* user) {
  log_user = user;
  log_function = function;
}

}  // extern "C"
