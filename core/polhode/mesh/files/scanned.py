"""Result of the scan of a mesh file, for trimesh to read."""

from __future__ import annotations

from dataclasses import dataclass

from polhode.mesh.frame import NO_FRAME, FileFrame
from polhode.scene.message import Message, plural


@dataclass(frozen=True, eq=False)
class Scanned:
    """A file whose structure is sound, with what it states."""

    content: bytes  # which trimesh reads in full
    frame: FileFrame = NO_FRAME
    notes: tuple[Message, ...] = ()  # for a sentence that begins with the name of the file


def bytes_left_over(count: int) -> tuple[Message, ...]:
    """A note on bytes after the last triangle; none if there are none."""
    note = plural(
        "{count} byte after the last triangle was passed over",
        "{count} bytes after the last triangle were passed over",
        count=count,
    )
    return (note,) if count else ()
