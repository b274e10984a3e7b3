// PETSc's objects held as values, and its error codes as exceptions.
#pragma once

#include <slepceps.h>

#include <string>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/types.h"

namespace limber {

/// Throws Error (work_failed) with what PETSc says.
inline void petsc(PetscErrorCode code) {
  if (code == 0) return;
  const char* text = nullptr;
  char* specific = nullptr;
  PetscErrorMessage(code, &text, &specific);
  std::string message = specific != nullptr && *specific != 0 ? specific
                        : text != nullptr                     ? text
                                                              : "error " + std::to_string(code);
  throw Error("the solver stopped: " + message, "PETSc",
              code == PETSC_ERR_MEM ? "use more machines, a smaller mesh or fewer modes"
                                    : "ask for fewer modes or check the mesh's quality",
              Error::Kind::work_failed);
}

/// Owns one PETSc object.
template <class Object, PetscErrorCode (*Destroy)(Object*)>
class Owned {
 public:
  Owned() = default;
  ~Owned() { Destroy(&object_); }
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  [[nodiscard]] Object get() const { return object_; }
  /// For functions that make an object; what was held before is destroyed.
  [[nodiscard]] Object* put() {
    Destroy(&object_);
    return &object_;
  }

 private:
  Object object_ = nullptr;
};

using OwnedMat = Owned<Mat, MatDestroy>;
using OwnedVec = Owned<Vec, VecDestroy>;
using OwnedEps = Owned<EPS, EPSDestroy>;

/// This rank's rows.
[[nodiscard]] inline Vector as_rows(Vec vec) {
  PetscInt size = 0;
  petsc(VecGetLocalSize(vec, &size));
  const PetscScalar* values = nullptr;
  petsc(VecGetArrayRead(vec, &values));
  Vector rows = Eigen::Map<const Vector>(values, size);
  petsc(VecRestoreArrayRead(vec, &values));
  return rows;
}

}  // namespace limber
