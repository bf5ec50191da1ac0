"""Builds the module: `python -m polhode.compilation.web_module.build`, or `build_module` in a process of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable

from polhode.compilation.kept_file import Progress
from polhode.compilation.web_module.linking import link
from polhode.compilation.web_module.module import FILE, WebModule
from polhode.compilation.web_module.objects import object_of
from polhode.compilation.web_module.units import units_of_module
from polhode.jit.intermediate import intermediate_code
from polhode.jit.storage.shipped_code import GENERIC
from polhode.run.units import Unit


def module_of(units: Iterable[Unit], progress: Progress = lambda part: None, python: str = sys.executable) -> WebModule:
    """Compile and link units; the target of this process must be GENERIC.

    progress: called with the part that is done, in (0, 1]; python: as of `link`, whose errors are raised
    """
    assert all(os.environ.get(name) == value for name, value in GENERIC.items())
    objects, every = {}, list(units)
    for number, unit in enumerate(every, 1):
        code = intermediate_code(unit.kernel, unit.kinds)
        objects[unit.name] = code.symbol, object_of(code.text, code.symbol)
        progress(number / len(every))
    return link(objects, python)


def build_module(progress: Progress, check_cancelled: Callable[[], None], python: str = sys.executable) -> WebModule:
    """The whole module: the kept one, or one built now, as `KeptFile.build` does it, which raises."""
    return WebModule.of_file(FILE.build(progress, check_cancelled, python))


def _made(progress: Progress, python: str) -> bytes:
    """The file with the module of all units."""
    return module_of(units_of_module().values(), progress, python).as_file()


if __name__ == "__main__":
    sys.exit(FILE.main(_made, sys.argv[1:]))
