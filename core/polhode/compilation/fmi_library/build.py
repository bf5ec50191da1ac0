"""Builds the library: `python -m polhode.compilation.fmi_library.build`, or `build_library` in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from polhode.compilation.fmi_library.library import FILE, FmiLibrary
from polhode.compilation.fmi_library.linking import link
from polhode.compilation.fmi_library.platforms import PLATFORMS, Platform, object_of
from polhode.compilation.kept_file import Progress
from polhode.compilation.web_module.units import units_of_module
from polhode.jit.intermediate import intermediate_code
from polhode.run.units import Unit


def library_of(
    units: Iterable[Unit],
    platforms: Sequence[Platform] = PLATFORMS,
    progress: Progress = lambda part: None,
    python: str = sys.executable,
) -> FmiLibrary:
    """Compile and link units for platforms; the target of this process must be GENERIC.

    progress: called with the part that is done, in (0, 1]; python: as of `link`, whose errors are raised
    """
    every, binaries = list(units), {}
    parts = len(every) * (1 + len(platforms))  # the kernels are compiled first
    codes = {}
    for number, unit in enumerate(every, 1):
        codes[unit.name] = intermediate_code(unit.kernel, unit.kinds)
        progress(number / parts)
    for of, platform in enumerate(platforms, 1):
        objects = {}
        for number, (name, code) in enumerate(codes.items(), 1):
            objects[name] = code.symbol, object_of(code.text, code.symbol, platform)
            progress((of * len(every) + number) / parts)
        binaries[platform.name] = link(objects, platform, FILE.version, python)
    return FmiLibrary(binaries, endings={each.name: each.ending for each in platforms})


def build_library(progress: Progress, check_cancelled: Callable[[], None], python: str = sys.executable) -> FmiLibrary:
    """The library for all platforms: the kept one, or one built now, as `KeptFile.build` does it, which raises."""
    return FmiLibrary.of_file(FILE.build(progress, check_cancelled, python))


def _made(progress: Progress, python: str) -> bytes:
    """The file with the libraries of all units."""
    return library_of(units_of_module().values(), PLATFORMS, progress, python).as_file()


if __name__ == "__main__":
    sys.exit(FILE.main(_made, sys.argv[1:]))
