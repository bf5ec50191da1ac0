"""The thread that loads the physics while the window is made."""

from __future__ import annotations

import subprocess
import sys


def test_what_two_threads_must_not_import_at_once_is_there_before_the_thread() -> None:
    """Else some starts end with an ImportError of a partially initialized module of pydantic."""
    code = "import sys, app.runner.physics_loading; print('pydantic._internal._validators' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
