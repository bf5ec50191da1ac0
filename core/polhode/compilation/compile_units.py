"""A process that compiles units: it gets their names by messages (core/polhode/process/messages.py), and answers with
each when its code is stored.

numba holds the interpreter lock while it compiles, which would block the window. The process ends when its input ends,
so it does not outlive the program that started it. Machine code goes to the folder of core/polhode/jit/storage/kept.py,
from which the program reads it; a unit that is there already is only confirmed.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from polhode.compilation.all_units import all_units
from polhode.jit.storage.first_start import note_complete
from polhode.jit.storage.kept import FILES, SHIPPED
from polhode.jit.storage.shipped_code import is_generic
from polhode.mesh.convex_parts import KeptParts
from polhode.mesh.distance.kept import KeptSolid
from polhode.mesh.kept import KeptShape
from polhode.physics.iron.surfaces import KeptIron
from polhode.process.limits import ignore_interrupts
from polhode.process.messages import Message, receive, send

SHAPES: dict[str, Callable[..., KeptShape[Any]]] = {each.KIND: each for each in (KeptSolid, KeptParts, KeptIron)}
LAST, EVERYTHING = "--background", "--all"
LOWEST = 19  # priority on Unix
IDLE_CLASS = 0x40  # priority class on Windows


def main(arguments: list[str]) -> int:
    """Compile the units that are asked for by {"unit": name} until stdin ends, and answer each with that message.

    Shapes of meshes have their kind and settings in the message, and vertices and faces behind it (`KeptShape`); of
    them {"unit": name, "part": p} is sent as well, with the part p that is done.

    `--all`: compile every unit instead, and print their names; `--background`: with the lowest priority. Returns the
    exit status: 0, or 1 as soon as the code can't be stored. Unknown names are answered, too, so that the caller does
    not wait for them for ever.
    """
    ignore_interrupts()
    if LAST in arguments:
        _give_way()
    else:
        gc.disable()  # a short process needs no collection of cycles
    units = all_units()
    for head, blobs in (unit.request for unit in units.values()) if EVERYTHING in arguments else _requested():
        name = head["unit"]
        if blobs:
            SHAPES[head["shape"]](*blobs, **head["settings"]).keep(partial(_tell_progress, name))
        elif name in units and not units[name].is_kept:
            units[name].compile()
        if not FILES.usable:
            return 1  # the code could not be stored
        if SHIPPED.exists and not is_generic() and all(unit.is_kept for unit in units.values()):
            note_complete()  # the next start of the window need not begin with the code for a generic processor
        with suppress(BrokenPipeError):
            if EVERYTHING in arguments:
                sys.stdout.write(name + "\n")
                sys.stdout.flush()
            else:
                send(sys.stdout.buffer, {"unit": name})
    return 0


def _tell_progress(name: str, part: float) -> None:
    """Send the part that is done of a shape."""
    with suppress(BrokenPipeError):
        send(sys.stdout.buffer, {"unit": name, "part": part})


def _requested() -> Iterator[Message]:
    """Messages that ask for units."""
    while (request := receive(sys.stdin.buffer)) is not None:
        yield request


def _give_way() -> None:
    """Give this process the lowest priority of the operating system."""
    if sys.platform == "win32":
        ctypes.windll.kernel32.SetPriorityClass(ctypes.windll.kernel32.GetCurrentProcess(), IDLE_CLASS)
    else:
        os.nice(LOWEST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
