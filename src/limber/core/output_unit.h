// Several outputs that appear together or not at all.
#pragma once

#include <filesystem>
#include <vector>

#include "limber/core/output_target.h"
#include "limber/core/temporary.h"

namespace limber {

/// A file or folder that is whole and waits for its name.
struct StagedOutput {
  OutputTarget target;
  Temporary temporary;
};

/// The bytes for a device: a nameless file that waits to be copied there.
struct StagedStream {
  OutputTarget target;
  int descriptor = -1;  ///< owned

  StagedStream(OutputTarget to, int bytes) : target(std::move(to)), descriptor(bytes) {}
  ~StagedStream();
  StagedStream(StagedStream&& other) noexcept;
  StagedStream& operator=(StagedStream&& other) noexcept;
};

/// While one lives, what the same thread finishes waits for commit(): AtomicFile, folders of
/// frames, films. Without commit() the old outputs stay and nothing new appears. A unit within
/// another hands its outputs over to it.
class OutputUnit {
 public:
  OutputUnit() : OutputUnit({}, {}) {}
  /// Looks at every output before the work begins: throws Error for one that cannot be written, is
  /// given twice, or is one of the inputs. What comes without being announced is looked at then.
  explicit OutputUnit(const std::vector<std::filesystem::path>& outputs,
                      std::vector<std::filesystem::path> inputs = {});
  ~OutputUnit();
  OutputUnit(const OutputUnit&) = delete;
  OutputUnit& operator=(const OutputUnit&) = delete;

  /// Puts everything in place. Throws Error (work_failed) when that fails half-way, after taking
  /// back what was done. Killed (SIGKILL) between two of the renames, which takes microseconds, it
  /// leaves the first new and the rest old.
  void commit();

 private:
  friend void put_in_place(StagedOutput staged);
  friend void put_in_place(StagedStream staged);
  void take(StagedOutput staged);
  void refuse_input(const OutputTarget& target) const;
  void refuse_second(const OutputTarget& target) const;

  OutputUnit* outer_;
  std::vector<std::filesystem::path> inputs_;
  bool names_told_ = false;
  std::vector<StagedOutput> files_;
  std::vector<StagedStream> streams_;
};

/// While one lives, what this thread finishes appears at once, whatever unit it is in: for caches,
/// which are no results.
class OutsideUnits {
 public:
  OutsideUnits();
  ~OutsideUnits();
  OutsideUnits(const OutsideUnits&) = delete;
  OutsideUnits& operator=(const OutsideUnits&) = delete;

 private:
  OutputUnit* unit_;
};

/// Sees to it that all bytes are on disk, keeps the rights of what was there, and gives the output
/// its name: now, or with the unit that this thread is in.
void put_in_place(StagedOutput staged);
void put_in_place(StagedStream staged);

/// The outputs that the outermost unit was announced with and has not written yet, "a.glb, b.json";
/// empty when there are none. For signal handlers: the text is never freed.
[[nodiscard]] const char* unwritten_outputs() noexcept;

}  // namespace limber
