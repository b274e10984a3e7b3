// A row for each estimate: a dot, its interval of 95 %, and words beside it.
#pragma once

#include <filesystem>

#include "limber/study/analysis.h"

namespace limber::study {

/// Both PATH.svg and PATH.png.
void write_interval_chart(const Analysis& analysis, const std::filesystem::path& path);

}  // namespace limber::study
