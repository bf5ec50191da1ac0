"""The folders of this version's machine code; finding them does not need the compiler.

FILES is in the user's cache folder, SHIPPED in the program's own, if it comes from an installer. Both are named by the
hash of the sources and of the program's version (sources.py): two versions share no machine code. PREBUILT is in the
program's own folder, too, if it comes from a wheel; it has what was linked of machine code and does not depend on
Python and the compiler.
"""

from __future__ import annotations

from pathlib import Path

from polhode.jit.storage.code_folder import KERNELS, CodeFolder, cache_folder
from polhode.jit.storage.shipped_code import FOLDER, ShippedCode
from polhode.jit.storage.sources import version_of_code, version_of_sources

CORE = Path(__file__).parents[2]
SOURCES = version_of_sources(CORE)
VERSION = version_of_code(SOURCES)
FILES = CodeFolder(cache_folder() / KERNELS / VERSION)
SHIPPED = ShippedCode(FOLDER / VERSION)
PREBUILT = ShippedCode(CORE / "prebuilt" / SOURCES)  # made by `make wheel`
