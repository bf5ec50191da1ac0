"""Opening the window, also by a double click: neither the other commands nor their parser are loaded."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path

from polhode.importers.options import BY_THE_FILE, RobotOptions
from polhode.scene import gallery
from polhode_app.display_check import choose_platform, has_screen
from polhode_app.edit.open_file import DATA_ENDINGS, FILM_ENDINGS, MAP_ENDINGS, MESH_ENDINGS, RECORDING, SCENE_ENDINGS

ENDINGS = (*SCENE_ENDINGS, *MESH_ENDINGS, *MAP_ENDINGS, *DATA_ENDINGS, *FILM_ENDINGS, RECORDING)


def is_opening(words: Sequence[str]) -> bool:
    """Whether a command line asks for no more than the window: it is empty, or a single file, and there is a screen."""
    plain = not words or (len(words) == 1 and not words[0].startswith("-") and Path(words[0]).suffix.lower() in ENDINGS)
    return plain and has_screen()


def open_window(name: str | None, choices: RobotOptions = BY_THE_FILE) -> int:
    """Open the window on a file or a built-in scene; returns the exit status. Raises InputError.

    choices: for a robot, as its dialog shows them at first

    Garbage collection is off until the window is shown: modules and the parts of the window live until the end.
    """
    gc.disable()
    choose_platform()
    file = gallery.find(name) if name is not None else None
    from polhode.jit.storage.shipped_code import FOLDER
    from polhode_app.compilation.processes import start_early

    if FOLDER.is_dir():
        from polhode.jit.storage.first_start import begin_with_shipped_code

        begin_with_shipped_code()
    start_early()
    from polhode_app.pyside_workaround import import_as_python_does, load_shiboken
    from polhode_app.runner.physics_loading import load_physics

    load_shiboken()
    load_physics()
    import_as_python_does()
    from polhode_app.application import run_application

    return run_application(file, choices)
