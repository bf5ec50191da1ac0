"""A copy of a Python that works wherever it lies: interpreter, shared library and standard library.

Python finds its library from the place of the executable. What names an absolute folder is the search path of the
executable for libpython, which becomes one relative to the executable.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from installers.shared_objects import needed

# Tools for developers, and modules that nothing here imports; those of the terminal and of databases would need
# libraries that a bare system does not have.
LEFT_OUT = (
    *("test", "tests", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "site-packages", "dist-packages"),
    *("__pycache__", "config-*", "pydoc_data", "*.a", "_tkinter.*", "readline.*", "_curses*", "_gdbm.*", "_dbm.*"),
    *("nis.*", "_sqlite3.*", "_crypt.*", "_test*", "_xxtestfuzz*", "_ctypes_test*", "xxlimited*", "EXTERNALLY-MANAGED"),
    *("distutils", "turtle.py", "xmlrpc", "curses", "msilib", "venv", "wsgiref"),
    *(
        f"{name}.py"
        for name in ("cgi", "cgitb", "imaplib", "mailbox", "mailcap", "nntplib", "poplib", "smtpd", "smtplib")
    ),
    "sitecustomize.py",  # of the system
)
NAME = f"python{sys.version_info.major}.{sys.version_info.minor}"
SYSTEM = Path("/usr/bin", NAME)
PLACES = """
import json, sys, sysconfig, time
best = 1.0
for _ in range(5):
    begun = time.process_time()
    sum(len({str(j): [j] for j in range(k % 50)}) for k in range(2000))
    best = min(best, time.process_time() - begun)
stdlib = sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix})
print(json.dumps([best, stdlib, f"{sysconfig.get_config_var('LIBDIR')}/{sysconfig.get_config_var('INSTSONAME')}"]))
"""


def fastest_python() -> tuple[Path, Path, Path]:
    """The faster one of the Python of this environment and the system's of the same version, by a short program.

    Those of distributions are compiled with profiles, one that was compiled by hand mostly is not. Returns the
    executable, the folder of its standard library, and where its shared library would lie.
    """
    found = []
    for executable in {Path(sys._base_executable).resolve(), SYSTEM.resolve()}:
        if executable.is_file():
            words = [executable, "-I", "-c", PLACES]
            seconds, *places = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
            found.append((seconds, executable, *map(Path, places)))
    return min(found)[1:]


def copy_python(target: Path) -> Path:
    """Copy the fastest Python to a new folder `target`, with an empty folder for libraries; returns its executable."""
    base, stdlib, shared = fastest_python()
    print(f"Python: {base}", flush=True)
    executable = target / "bin" / NAME
    executable.parent.mkdir(parents=True)
    shutil.copy2(base, executable)
    library = target / "lib" / NAME
    shutil.copytree(stdlib, library, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    if shared.name in needed([executable])[executable]:  # else the executable has all of it, and is left as it is
        shutil.copy2(shared, target / "lib")
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN/../lib", executable], check=True)
    for file in (*(target / "lib").glob("libpython*"), *library.glob("lib-dynload/*.so")):
        subprocess.run(["patchelf", "--remove-rpath", file], check=True)
    site_packages(executable).mkdir()
    return executable


def site_packages(python: Path) -> Path:
    """Folder of the libraries of a Python made by `copy_python`: Debian's has another name for it."""
    words = [python, "-I", "-c", "import site; print(site.getsitepackages()[-1])"]
    return Path(subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip())
