// Nodes as Python gives them: numbers, a mask of one truth value a node, or SELECT expressions.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <variant>
#include <vector>

#include "limber/mesh/tet_mesh.h"

namespace limber::python {

/// What was given, until it is known how many nodes there are.
struct Nodes {
  pybind11::object given = pybind11::tuple();
};

/// A node by its number, or a point of the rest shape. Truth values are neither.
struct NodeOrPoint {
  std::variant<int, Vec3> choice;
};

/// Numbers or a mask; `what` names the argument in errors.
std::vector<int> node_numbers(const Nodes& nodes, int node_count, const std::string& what);
/// The same, or SELECT expressions.
std::vector<int> node_numbers(const Nodes& nodes, const TetMesh& mesh, const std::string& what);

/// Whether it is True, False, or an array or list of them.
bool is_truth_value(pybind11::handle given);

}  // namespace limber::python

namespace pybind11::detail {

template <>
struct type_caster<limber::python::Nodes> {
  PYBIND11_TYPE_CASTER(limber::python::Nodes, const_name("Nodes"));

  bool load(handle given, bool /*convert*/) {
    value.given = reinterpret_borrow<object>(given);
    return !given.is_none();
  }
  static handle cast(const limber::python::Nodes& nodes, return_value_policy /*policy*/,
                     handle /*parent*/) {
    return object(nodes.given).release();
  }
};

template <>
struct type_caster<limber::python::NodeOrPoint> {
  PYBIND11_TYPE_CASTER(limber::python::NodeOrPoint, const_name("NodeOrPoint"));

  bool load(handle given, bool convert) {
    if (limber::python::is_truth_value(given)) return false;
    make_caster<std::variant<int, limber::Vec3>> either;
    if (!either.load(given, convert)) return false;
    value.choice = cast_op<std::variant<int, limber::Vec3>>(either);
    return true;
  }
};

}  // namespace pybind11::detail
