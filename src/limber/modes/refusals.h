// What a modal analysis refuses, on one machine or many.
#pragma once

#include <cstdint>

namespace limber {

/// Throws Error for a mesh of several parts whose regions do not tell them apart: then the gap is
/// taken for a mistake.
void refuse_accidental_gaps(int parts, bool parts_have_own_regions, std::int64_t tets);

/// Throws Error unless 1 ≤ count ≤ available.
void refuse_too_many_modes(int count, std::int64_t available);

/// Throws Error unless all results are finite. Materials and sizes are each checked to be finite;
/// their products need not be.
void refuse_overflow(bool finite);

}  // namespace limber
