// One function a folder: it adds that folder's names to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace limber::python {

void bind_mesh(pybind11::module_& module);
void bind_tetrahedralize(pybind11::module_& module);
void bind_fem(pybind11::module_& module);
void bind_body(pybind11::module_& module);
void bind_scene(pybind11::module_& module);
void bind_interpolate(pybind11::module_& module);

}  // namespace limber::python
