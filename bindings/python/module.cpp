// limber._limber, all of which `import limber` gives.
#include "bindings.h"
#include "limber/core/error.h"

namespace py = pybind11;

namespace {

/// limber.Error with problem, where and remedy. Bad input and failed work are both ValueErrors'
/// kin, so that ordinary handlers catch them.
void bind_error(py::module_& module) {
  static const py::exception<limber::Error> type(module, "Error", PyExc_ValueError);
  type.doc() = "Bad input or failed work: what (where): remedy, and each of them as an attribute";
  py::register_exception_translator([](std::exception_ptr caught) {
    try {
      if (caught) std::rethrow_exception(caught);
    } catch (const limber::Error& error) {
      const py::object raised = py::object(type)(error.what());
      raised.attr("problem") = error.problem();
      raised.attr("where") = error.where();
      raised.attr("remedy") = error.remedy();
      PyErr_SetObject(type.ptr(), raised.ptr());
    }
  });
}

}  // namespace

PYBIND11_MODULE(_limber, module) {
  // Help, reprs and pickles say limber.TetMesh.
  const py::object own_name = module.attr("__name__");
  module.attr("__name__") = "limber";
  module.attr("__version__") = LIMBER_VERSION;
  bind_error(module);
  limber::python::bind_mesh(module);
  limber::python::bind_tetrahedralize(module);
  limber::python::bind_fem(module);
  limber::python::bind_body(module);
  limber::python::bind_world(module);
  limber::python::bind_scene(module);
  limber::python::bind_interpolate(module);
  limber::python::bind_motion(module);
  module.attr("__name__") = own_name;
}
