"""A copy of a Python that works wherever it lies: interpreter, shared library and standard library.

Python finds its library from the place of the executable. What names an absolute folder is the search path of the
executable for libpython, which becomes one relative to the executable.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

# Tools for developers, and modules that nothing here imports; those of the terminal and of databases would need
# libraries that a bare system does not have.
LEFT_OUT = (
    *("test", "tests", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "site-packages", "dist-packages"),
    *("__pycache__", "config-*", "pydoc_data", "*.a", "_tkinter.*", "readline.*", "_curses*", "_gdbm.*", "_dbm.*"),
    *("nis.*", "_sqlite3.*", "_crypt.*", "_test*", "_xxtestfuzz*", "_ctypes_test*", "xxlimited*", "EXTERNALLY-MANAGED"),
)


def copy_python(target: Path) -> Path:
    """Copy the Python that this environment is based on to a new folder `target`; returns its executable."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    executable = target / "bin" / version
    executable.parent.mkdir(parents=True)
    shutil.copy2(Path(sys._base_executable).resolve(), executable)
    stdlib = Path(sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix}))
    library = target / "lib" / version
    shutil.copytree(stdlib, library, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    (library / "site-packages").mkdir()
    shared = Path(sysconfig.get_config_var("LIBDIR")) / (sysconfig.get_config_var("INSTSONAME") or "")
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        shutil.copy2(shared, target / "lib")
    for file in (executable, *(target / "lib").glob("libpython*"), *library.glob("lib-dynload/*.so")):
        place = "$ORIGIN/../lib" if file == executable else None
        subprocess.run(["patchelf", *(["--set-rpath", place] if place else ["--remove-rpath"]), file], check=True)
    return executable


def site_packages(python: Path) -> Path:
    """Folder of the libraries of a Python made by `copy_python`."""
    return python.parents[1] / "lib" / python.name / "site-packages"
