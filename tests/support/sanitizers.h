// Whether the library that a test runs with is under the sanitizers: some ten times slower. The
// test's program always has their runtime, so that it cannot tell by itself.
#pragma once

namespace limber {

bool under_sanitizers();

}  // namespace limber
