"""The thread that loads the physics while the window is made."""

from __future__ import annotations

import subprocess
import sys


def test_what_two_threads_must_not_import_at_once_is_there_before_the_thread() -> None:
    """Else some starts end with an ImportError of a partially initialized module of pydantic."""
    code = "import sys, polhode_app.runner.physics_loading; print('pydantic._internal._validators' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_modules_that_another_thread_loads_do_not_disturb_the_start_of_qt() -> None:
    """PySide6 walks through all modules as it starts: one that is added meanwhile would end the program."""
    program = """
import sys, threading, time
from types import ModuleType
import polhode_app.runner.physics_loading as loading

def import_on_and_on():
    while "PySide6.QtCore" not in sys.modules and len(sys.modules) < 10**6:
        sys.modules[f"_loaded_{len(sys.modules)}"] = sys
        time.sleep(0)

sys.modules.update({f"_before_{number}": sys for number in range(30_000)})  # a walk through all takes a while
sys.setswitchinterval(1e-6)  # [s]: the threads take turns all the time
loading.load_physics = threading.Thread(target=import_on_and_on, daemon=True).start
module = sys.modules["polhode_app.application"] = ModuleType("polhode_app.application")  # no window here
module.run_application = lambda file, _choices: print("loaded" if "PySide6.QtCore" in sys.modules else "")
from polhode_app.cli.opening import open_window
open_window(None)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "loaded"), done.stderr[:2000]
