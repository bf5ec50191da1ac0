"""Fields of a scene that a file does not state: whatever is not its default and is in no list of written fields."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from polhode.scene.message import Message


def unwritten(part: BaseModel, place: str, written: tuple[str, ...]) -> Iterator[Message]:
    """A note on each field of a part that is neither default nor written."""
    for name, field in type(part).model_fields.items():
        if name not in written and getattr(part, name) != field.get_default(call_default_factory=True):
            yield left_out(f"{place}.{field.alias or name}" if place else name)


def left_out(place: str) -> Message:
    """The note on something of which MJCF has no kind."""
    return Message("{place} is left out: MJCF has nothing of the kind", place=place)
