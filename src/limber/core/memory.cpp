#include "limber/core/memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace limber {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

double meminfo_available() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  double kilobytes = 0;
  std::string unit;
  while (file >> key >> kilobytes) {
    if (key == "MemAvailable:") return 1024 * kilobytes;
    std::getline(file, unit);
  }
  return kUnknown;
}

double number_in(const char* path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : kUnknown;  // "max" is no number
}

/// Version 2 of cgroups, as containers and Slurm set it.
double cgroup_left() {
  const double limit = number_in("/sys/fs/cgroup/memory.max");
  const double used = number_in("/sys/fs/cgroup/memory.current");
  return limit == kUnknown || used == kUnknown ? kUnknown : std::max(0.0, limit - used);
}

}  // namespace

double available_memory() { return std::min(meminfo_available(), cgroup_left()); }

}  // namespace limber
