"""The folder of this version's machine code; finding it does not need the compiler.

FILES is in the user's cache folder, named by the hash of the sources (sources.py).
"""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_cache_path

from core.jit.code_folder import KERNELS, CodeFolder
from core.jit.sources import version_of_code

CORE = Path(__file__).parents[1]
FILES = CodeFolder(user_cache_path("polhode") / KERNELS / version_of_code(CORE))
