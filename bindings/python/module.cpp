// import limber
#include "bindings.h"

#include "limber/core/error.h"

PYBIND11_MODULE(limber, module) {
  module.doc() = "Elastic bodies from meshes: FEM, modes, modal warping. Arrays are numpy's.";
  // Bad input and failed work are both ValueErrors' kin, so that ordinary handlers catch them.
  pybind11::register_exception<limber::Error>(module, "Error", PyExc_ValueError);
  limber::python::bind_mesh(module);
  limber::python::bind_tetrahedralize(module);
  limber::python::bind_fem(module);
  limber::python::bind_body(module);
  limber::python::bind_world(module);
  limber::python::bind_scene(module);
  limber::python::bind_interpolate(module);
  limber::python::bind_motion(module);
}
