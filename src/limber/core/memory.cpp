#include "limber/core/memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace limber {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// The number behind `wanted` in a file of lines "KEY NUMBER …".
double number_behind(const char* path, const std::string& wanted) {
  std::ifstream file(path);
  std::string key;
  double value = 0;
  std::string rest;
  while (file >> key >> value) {
    if (key == wanted) return value;
    std::getline(file, rest);
  }
  return kUnknown;
}

double number_in(const char* path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : kUnknown;  // "max" is no number
}

/// Version 2 of cgroups, as containers and Slurm set it. Files read before count as used there
/// until somebody needs the room.
double cgroup_left() {
  const double limit = number_in("/sys/fs/cgroup/memory.max");
  const double used = number_in("/sys/fs/cgroup/memory.current");
  if (limit == kUnknown || used == kUnknown) return kUnknown;
  const double files = number_behind("/sys/fs/cgroup/memory.stat", "inactive_file");
  return std::max(0.0, limit - used + (files == kUnknown ? 0 : files));
}

}  // namespace

double available_memory() {
  return std::min(1024 * number_behind("/proc/meminfo", "MemAvailable:"), cgroup_left());
}

}  // namespace limber
