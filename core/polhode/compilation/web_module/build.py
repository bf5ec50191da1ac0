"""Builds the module: `python -m polhode.compilation.web_module.build`, or `build_module` in a process of its own.

The kernels are compiled for a generic processor first, as for shipped machine code, unless that has been done; their
IR is read from the files of machine code. The module is kept beside these.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress

from polhode.compilation.web_module.linking import link
from polhode.compilation.web_module.module import WebModule, file_name, kept_module
from polhode.compilation.web_module.objects import object_of
from polhode.compilation.web_module.units import units_of_module
from polhode.jit.intermediate import intermediate_code
from polhode.jit.storage.kept import FILES
from polhode.jit.storage.shipped_code import GENERIC
from polhode.process.child_process import ChildProcess
from polhode.process.limits import ignore_interrupts
from polhode.process.messages import send
from polhode.run.units import Unit
from polhode.scene.message import Message
from polhode.scene.problem import InputError

MODULE = "polhode.compilation.web_module.build"
MESSAGES, LINKER = "--messages", "--linker"
END_OF_LINE = "\r"
PATIENCE = 600.0  # [s] for one unit
Progress = Callable[[float], None]


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
    """Build the whole module in a process of its own, and keep it; returns the kept one if there is one.

    Takes minutes unless the kernels are compiled for a generic processor already.

    progress: called with the part that is done, in (0, 1]; check_cancelled: called meanwhile, may raise
    python: the program whose package `ziglang` links

    Raises InputError with the reason and the remedy where it can't be built.
    """
    if (known := kept_module()) is not None:
        return known
    child = ChildProcess(MODULE, MESSAGES, LINKER, python, environment=os.environ | GENERIC)
    try:
        while (answer := child.receive(PATIENCE, check_cancelled)) is not None:
            head, blobs = answer
            if "part" in head:
                progress(head["part"])
            elif "rule" in head:
                raise InputError.of("web module", Message.restored(head["rule"]), Message.restored(head["remedy"]))
            else:
                return WebModule.of_file(blobs[0])
    finally:
        child.close()
    rule = Message("the process that builds it has ended too early")
    raise InputError.of("web module", rule, Message("free some memory: most often there is too little"))


def main(arguments: list[str]) -> int:
    """Build and keep the module, and report its progress; returns the exit status.

    `--linker PYTHON`: the program whose package `ziglang` links; `--messages`: build it in this process, whose target
    is GENERIC, and report by messages on stdout, for `build_module`
    """
    python = arguments[arguments.index(LINKER) + 1] if LINKER in arguments else sys.executable
    if MESSAGES in arguments:
        return _build_for_parent(python)
    try:
        made = build_module(_write_progress, lambda: None, python)
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    known = made.manifest
    sys.stdout.write(f"{len(made.content)} bytes, {len(known.units)} units\n")
    return 0


def _write_progress(part: float) -> None:
    """Write the part that is done."""
    sys.stdout.write(f"{part:4.0%}{END_OF_LINE}")
    sys.stdout.flush()


def _build_for_parent(python: str) -> int:
    """Build and keep the module, and send progress and result, or the reason and the remedy."""
    ignore_interrupts()
    with suppress(BrokenPipeError):
        try:
            made = module_of(units_of_module().values(), lambda part: send(sys.stdout.buffer, {"part": part}), python)
        except InputError as error:
            (problem, *_) = error.problems
            send(sys.stdout.buffer, {"rule": problem.rule.serialized(), "remedy": problem.remedy.serialized()})
            return 2
        FILES.write(file_name(), made.as_file())
        send(sys.stdout.buffer, {"built": file_name()}, [made.as_file()])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
