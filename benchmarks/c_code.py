"""The rivals in C, compiled by gcc at -O3 for the instructions that numba compiles for."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

from numba.core import config


def compiled(folder: str, *names: str) -> ctypes.CDLL:
    """The library made of source files of this directory; gcc and LLVM name processors alike."""
    sources = [str(Path(__file__).with_name(name)) for name in names]
    library = str(Path(folder) / f"{names[0]}.so")
    flags = ["-O3", f"-march={config.CPU_NAME or 'native'}", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, *sources, "-o", library, "-lm"], check=True)
    return ctypes.CDLL(library)
