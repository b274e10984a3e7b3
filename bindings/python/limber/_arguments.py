"""Arguments as people give them, made plain for the library."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ._limber import Error, Material, Materials, TetMesh, TriMesh


def is_truth_value(given: Any) -> bool:
    """Whether it is True or False, or an array or list of them alone."""
    return np.asarray(given).dtype.kind == "b"


def node_numbers(given: Any, count: int, what: str) -> list[int]:
    """Node numbers of a list of numbers, or of a mask of one truth value for each of `count` nodes."""
    values = np.atleast_1d(np.asarray(given))
    if values.size == 0:
        return []
    if values.ndim != 1:
        raise Error(f"nodes of shape {values.shape} ({what}): give one list of numbers, or a mask")
    if values.dtype.kind == "b":
        if len(values) != count:
            raise Error(f"a mask of {len(values)} truth values for {count} nodes ({what}): give one for each node")
        return [int(node) for node in np.flatnonzero(values)]
    if values.dtype.kind not in "iu" or any(isinstance(one, (bool, np.bool_)) for one in np.asarray(given, object).flat):
        raise Error(f"nodes are neither numbers nor a mask ({what}): give whole numbers, or one truth value for each node")
    for node in values:
        if not 0 <= node < count:
            raise Error(f"node {node} does not exist ({what}): there are nodes 0 to {count - 1}")
    return [int(node) for node in values]


def mesh_of(given: Any) -> Any:
    """The mesh of arrays (V, T) or (V, F); anything else as it is."""
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        return given
    corners = np.asarray(given[1])
    if corners.ndim != 2 or corners.shape[1] not in (3, 4):
        raise Error(f"an array of shape {corners.shape} beside the vertices: give triangles (k,3) or tets (m,4)")
    return TetMesh(*given) if corners.shape[1] == 4 else TriMesh(*given)


def _plain(value: Any) -> Any:
    """Materials, and numpy's arrays and numbers, as Python's."""
    if isinstance(value, Material):
        return {"young": value.young, "poisson": value.poisson, "density": value.density}
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot stand in a scene")


def _with_node_numbers(thing: Any, key: str, count: int, what: str) -> Any:
    """The same dictionary with the nodes under `key` as numbers; expressions and points stay."""
    if not isinstance(thing, dict) or key not in thing or isinstance(thing[key], str):
        return thing
    if count < 0 and is_truth_value(thing[key]):
        raise Error(f"a mask for a mesh that is not made yet ({what}): give an expression such as \"x<=0.1\"")
    if not is_truth_value(thing[key]):
        return thing
    return {**thing, key: node_numbers(thing[key], count, what)}


def _fixed(given: Any, count: int) -> list[str]:
    if isinstance(given, str):
        return [given]
    given = given if isinstance(given, np.ndarray) else list(given)
    if len(given) == 0 or isinstance(given[0], str):
        return list(given)
    if count < 0:
        raise Error("node numbers of a mesh that is not made yet (fixed): give an expression such as \"x<=0.1\"")
    numbers = node_numbers(given, count, "fixed")
    return ["nodes:" + ",".join(map(str, numbers))] if numbers else []


def body_text(options: dict[str, Any], count: int) -> str:
    """The keys of a body as a scene file has them. `count`: its nodes, or -1 where they are not known yet."""
    options = dict(options)
    if count < 0 and options.get("surface") is not None:
        raise Error("the body is given already (surface): leave it out")
    if isinstance(options.get("material"), Materials):
        materials = options["material"]
        options["material"] = materials.base
        options.setdefault("regions", {str(number): one for number, one in materials.by_region.items()})
    if options.get("fixed") is not None:
        options["fixed"] = _fixed(options["fixed"], count)
    for key, nodes in (("forces", "nodes"), ("constraints", "exercised")):
        if isinstance(options.get(key), (list, tuple)):
            options[key] = [_with_node_numbers(one, nodes, count, f"{key}.{nodes}") for one in options[key]]
    return scene_text(options)


def scene_text(options: dict[str, Any]) -> str:
    """Keys as a scene file has them; None is the same as leaving a key out."""
    return json.dumps({key: value for key, value in options.items() if value is not None}, default=_plain)
