// Each function adds the names of a folder, or of a part of one, to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace limber::python {

void bind_mesh(pybind11::module_& module);
void bind_tetrahedralize(pybind11::module_& module);
void bind_fem(pybind11::module_& module);
void bind_body(pybind11::module_& module);
void bind_world(pybind11::module_& module);
void bind_scene(pybind11::module_& module);
void bind_interpolate(pybind11::module_& module);
void bind_motion(pybind11::module_& module);

}  // namespace limber::python
