"""Copies of the libraries that the program needs, with their licences, from the environment that runs this.

They are the locked ones that `make` has installed; what tests and builds need besides stays behind.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROGRAM = "polhode[workbooks]"  # nothing can be installed later
# Libraries that others load for what the program does not do: downloads (pooch), contour lines (matplotlib), and help
# texts in reStructuredText (cyclopts).
LEFT_OUT = ("requests", "urllib3", "idna", "certifi", "contourpy", "rich-rst")


def needed_by(text: str, found: dict[str, Distribution] | None = None) -> dict[str, Distribution]:
    """Distributions that a requirement needs on this system, by their names, its own included."""
    found = {} if found is None else found
    wanted = Requirement(text)
    key = canonicalize_name(wanted.name)
    if key not in found or wanted.extras:
        found[key] = distribution(wanted.name)
        for inner in found[key].requires or ():
            marker = Requirement(inner).marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *wanted.extras)):
                needed_by(inner, found)
    return found


def copy_libraries(site: Path) -> list[str]:
    """Copy all libraries of the program to a site-packages folder; returns their names and versions."""
    libraries = needed_by(PROGRAM)
    for name in ("polhode", *LEFT_OUT):  # the first one comes from its wheel
        del libraries[name]
    for library in libraries.values():
        for file in library.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(library.locate_file(file), site / file)
    return sorted(f"{library.name} {library.version}" for library in libraries.values())


def build_wheel(root: Path, folder: Path) -> Path:
    """The wheel of the program, built from the sources at `root` into a folder."""
    words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*words, "--wheel-dir", folder, root], check=True)
    (wheel,) = folder.glob("polhode-*.whl")
    return wheel


def install_wheel(wheel: Path, site: Path) -> None:
    """Unpack the wheel of the program: it has pure Python and data, and its command is started otherwise."""
    with zipfile.ZipFile(wheel) as file:
        file.extractall(site)
