"""Started by Blender: registers the add-on from the sources and runs one check. Arguments: MODULE CHECK."""

import importlib
import os
import pathlib
import sys

sys.path[:0] = [os.environ["LIMBER_ADDON"], str(pathlib.Path(__file__).parent)]
module, check = sys.argv[sys.argv.index("--") + 1:]

import limber_blender  # noqa: E402

limber_blender.register()
getattr(importlib.import_module(module), check)()
print(f"{check}: passed")
