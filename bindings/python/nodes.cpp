#include "nodes.h"

#include "limber/mesh/select.h"

namespace py = pybind11;

namespace limber::python {

namespace {

bool is_text(const py::handle& given) { return py::isinstance<py::str>(given); }

/// SELECT expressions, where that is what was given.
std::vector<std::string> expressions(const Nodes& nodes) {
  if (is_text(nodes.given)) return {nodes.given.cast<std::string>()};
  std::vector<std::string> texts;
  const bool listed =
      py::isinstance<py::list>(nodes.given) || py::isinstance<py::tuple>(nodes.given);
  if (!listed) return texts;
  for (const py::handle one : nodes.given) {
    if (is_text(one)) texts.push_back(one.cast<std::string>());
  }
  return texts;
}

}  // namespace

std::vector<int> node_numbers(const Nodes& nodes, int node_count, const std::string& what) {
  const py::object numbers = py::module_::import("limber._arguments").attr("node_numbers");
  return numbers(nodes.given, node_count, what).cast<std::vector<int>>();
}

std::vector<int> node_numbers(const Nodes& nodes, const TetMesh& mesh, const std::string& what) {
  const std::vector<std::string> texts = expressions(nodes);
  if (texts.empty()) return node_numbers(nodes, mesh.node_count(), what);
  std::vector<int> numbers;
  for (const std::string& text : texts) {
    const std::vector<int> picked = select_nodes(mesh, text);
    numbers.insert(numbers.end(), picked.begin(), picked.end());
  }
  return numbers;
}

bool is_truth_value(py::handle given) {
  return py::module_::import("limber._arguments").attr("is_truth_value")(given).cast<bool>();
}

}  // namespace limber::python
