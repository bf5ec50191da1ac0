"""OFF: text with the numbers of vertices and faces before them; no unit, no up axis."""

from __future__ import annotations

import re

from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.scanned import Scanned, bytes_left_over
from polhode.scene.message import Message


def check_off(content: bytes) -> Scanned:
    """The file without comments: trimesh 5.2 passes over lines after a comment that does not begin its line.

    Raises Damaged for a file that is cut off, which trimesh would read as far as it goes.
    """
    content = re.sub(rb"#[^\r\n]*", b"", content)
    lines = [line for line in content.splitlines() if line.strip()]
    words = b" ".join(lines[:2]).split()
    if not words or not re.fullmatch(rb"(ST)?C?N?OFF", words[0]) or not all(map(bytes.isdigit, words[1:3])):
        raise Damaged(Message("is not an OFF file in text form"))
    counts_in_line = 0 if len(lines[0].split()) > 1 else 1
    expected = sum(int(word[:12]) for word in words[1:3])
    held = len(lines) - 1 - counts_in_line
    if held < expected or len(words) < 3:
        raise Damaged(
            Message(
                "is cut off: it declares {declared} vertices and faces and has {held}", declared=expected, held=held
            )
        )
    left = sum(map(len, lines[len(lines) - held + expected :]))
    return Scanned(content, notes=bytes_left_over(left))
