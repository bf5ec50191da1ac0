"""Files that are made of all kernels once for each version of the code, and kept: the web module, the library of FMUs.

    python -m polhode.compilation.web_module.build        builds one, unless it is kept

They are made in a process of their own, whose target is a generic processor: the kernels are compiled for it first, as
for shipped machine code, unless that has been done, and their IR is read from the files of machine code. What was built
lies where machine code lies: in the program's own folder, if it comes from an installer or a wheel, else in the user's
cache folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from polhode.jit.storage.code_folder import CodeFolder
from polhode.jit.storage.kept import FILES, PREBUILT, SHIPPED, SOURCES
from polhode.jit.storage.shipped_code import GENERIC, ShippedCode
from polhode.process.child_process import ChildProcess
from polhode.process.limits import ignore_interrupts
from polhode.process.messages import send
from polhode.scene.message import Message
from polhode.scene.problem import InputError

MESSAGES, LINKER = "--messages", "--linker"
END_OF_LINE = "\r"
PATIENCE = 600.0  # [s] for one unit
Progress = Callable[[float], None]


@dataclass(frozen=True)
class KeptFile:
    """A file of a kind, whose name has its version."""

    kind: str
    module: str
    """Whose `main` builds it in a process."""
    place: str
    """In messages."""
    builders: tuple[Path, ...]
    """Folders of the sources that build it of the kernels."""

    @property
    def version(self) -> str:
        """Sixteen hexadecimal digits that depend on the sources of kernels, and on those that build it."""
        return _version(self.builders)

    @property
    def name(self) -> str:
        """Name of the file of this version."""
        return f"{self.kind}_{self.version}"

    def read(
        self, files: CodeFolder = FILES, shipped: ShippedCode = SHIPPED, prebuilt: ShippedCode = PREBUILT
    ) -> bytes | None:
        """Its content for this version, or None if none was built."""
        return shipped.read(self.name) or prebuilt.read(self.name) or files.read(self.name)

    def required(self) -> bytes:
        """Its content. Raises InputError where none was built, with how to get it."""
        if (content := self.read()) is None:
            rule = Message("none was built for this version")
            remedy = Message("build it, which takes some minutes: python -m {module}", module=self.module)
            raise InputError.of(self.place, rule, remedy)
        return content

    def build(self, progress: Progress, check_cancelled: Callable[[], None], python: str = sys.executable) -> bytes:
        """Build it in a process of its own, and keep it; returns the kept content if there is one.

        Takes minutes unless the kernels are compiled for a generic processor already.

        progress: called with the part that is done, in (0, 1]; check_cancelled: called meanwhile, may raise
        python: the program whose package `ziglang` links

        Raises InputError with the reason and the remedy where it can't be built.
        """
        if (known := self.read()) is not None:
            return known
        child = ChildProcess(self.module, MESSAGES, LINKER, python, environment=os.environ | GENERIC)
        try:
            while (answer := child.receive(PATIENCE, check_cancelled)) is not None:
                head, blobs = answer
                if "part" in head:
                    progress(head["part"])
                elif "rule" in head:
                    raise InputError.of(self.place, Message.restored(head["rule"]), Message.restored(head["remedy"]))
                else:
                    return bytes(blobs[0])
        finally:
            child.close()
        rule = Message("the process that builds it has ended too early")
        raise InputError.of(self.place, rule, Message("free some memory: most often there is too little"))

    def main(self, make: Callable[[Progress, str], bytes], arguments: list[str]) -> int:
        """Build and keep the file, and report its progress; returns the exit status.

        make: makes the content in this process, with progress and the program whose package `ziglang` links

        `--linker PYTHON`: that program; `--messages`: build it in this process, whose target is GENERIC, and report by
        messages on stdout, for `build`
        """
        python = arguments[arguments.index(LINKER) + 1] if LINKER in arguments else sys.executable
        if MESSAGES in arguments:
            return self._build_for_parent(make, python)
        try:
            content = self.build(_write_progress, lambda: None, python)
        except InputError as error:
            sys.stderr.write(f"{error}\n")
            return 2
        sys.stdout.write(f"{len(content)} bytes\n")
        return 0

    def _build_for_parent(self, make: Callable[[Progress, str], bytes], python: str) -> int:
        """Build and keep the file, and send progress and result, or the reason and the remedy."""
        ignore_interrupts()
        with suppress(BrokenPipeError):
            try:
                content = make(lambda part: send(sys.stdout.buffer, {"part": part}), python)
            except InputError as error:
                (problem, *_) = error.problems
                send(sys.stdout.buffer, {"rule": problem.rule.serialized(), "remedy": problem.remedy.serialized()})
                return 2
            FILES.write(self.name, content)
            send(sys.stdout.buffer, {"built": self.name}, [content])
        return 0


@cache
def _version(builders: tuple[Path, ...]) -> str:
    """As `KeptFile.version`."""
    digest = hashlib.sha256(SOURCES.encode())
    paths = (path for folder in builders for path in folder.rglob("*.*") if path.suffix in (".py", ".c", ".h"))
    for path in sorted(paths):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _write_progress(part: float) -> None:
    """Write the part that is done."""
    sys.stdout.write(f"{part:4.0%}{END_OF_LINE}")
    sys.stdout.flush()
