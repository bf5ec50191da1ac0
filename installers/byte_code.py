"""Compiled files of the modules that the program imports; those of the others would only take up room."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

OPTIONAL = {"distributed"}  # of extras that the bundle does not have
# Libraries of the commands that load their modules when they are used.
LATE = ("cyclopts", "docstring_parser", "markdown_it", "pygments", "rich")
PROGRAM = f"""
LATE = {LATE}
import compileall, importlib, pathlib, pkgutil, py_compile, sys
import polhode, polhode_app, encodings
optional = set(sys.argv[1:])
for package in (polhode, polhode_app):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                if error.name not in optional:
                    raise
for module in list(sys.modules.values()):
    source = getattr(module, "__file__", None) or ""
    if source.startswith(sys.base_prefix) and source.endswith(".py"):
        py_compile.compile(source, doraise=True)
for name in LATE:
    compileall.compile_dir(pathlib.Path(importlib.import_module(name).__file__).parent, quiet=1)
"""


def import_and_compile(python: Path) -> None:
    """Import every module of the program by the bundle's Python, and compile what that has loaded.

    Raises CalledProcessError if a module can't be imported: then the bundle lacks something.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
    environment |= {"QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1"}
    with TemporaryDirectory() as folder:
        environment |= {"POLHODE_CACHE": folder, "MPLCONFIGDIR": folder}
        subprocess.run([python, "-P", "-s", "-W", "ignore", "-c", PROGRAM, *OPTIONAL], check=True, env=environment)
