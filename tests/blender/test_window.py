"""The add-on in a Blender with a window: progress, undo and cancel of long work. When asked for: drawing a window
without a graphics card takes a minute of a free machine."""

import os
import shutil
import subprocess

import pytest

from test_addon import ADDON, BLENDER, BUILD, INSIDE, needs_blender


@needs_blender
@pytest.mark.skipif(not os.environ.get("LIMBER_WINDOW"), reason="set LIMBER_WINDOW=1 to open a window under Xvfb")
@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="Xvfb is not installed (apt-get install xvfb)")
def test_long_work_leaves_the_window_alive(tmp_path):
    verdict = tmp_path / "verdict"
    subprocess.run(
        ["xvfb-run", "-a", "-s", "-screen 0 800x600x24", BLENDER, "--factory-startup", "-p", "0", "0", "800", "600",
         "--python", str(INSIDE / "window.py"), "--", str(verdict)],
        cwd=tmp_path, timeout=900, check=False, capture_output=True,
        env={**os.environ, "LIMBER": str(BUILD / "limber"), "LIMBER_ADDON": str(ADDON), "LIBGL_ALWAYS_SOFTWARE": "1",
             "PYTHONDONTWRITEBYTECODE": "1", "BLENDER_USER_CONFIG": str(tmp_path / "config")})
    assert verdict.read_text() == "passed"
