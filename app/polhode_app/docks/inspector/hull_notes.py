"""Notes on the convex hulls with which meshes of a body press on others."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from pydantic import BaseModel

from polhode.physics.bodies.shapes import MeshShape
from polhode.scene.fields import FieldPath
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Body
from polhode_app.session.session import Session


class HullNotes:
    """The notes of a session, kept by mesh."""

    def __init__(self, session: Session):
        self._session = session
        self._known: WeakKeyDictionary[Any, Message | None] = WeakKeyDictionary()

    def of(self, path: FieldPath, part: BaseModel) -> list[Message]:
        """Notes on the meshes of a body, or of one shape, at a path."""
        if path[:1] != ("body",) or not isinstance(part, Body | MeshShape):
            return []
        scene, meshes = self._session.scene, self._session.meshes
        if meshes is None:
            return []
        # imports the compiler, for which the window does not wait
        from polhode.physics.contact.solids.hulls import hull_note, hull_shapes  # noqa: PLC0415

        pressing = hull_shapes(scene, scene.body[int(path[1])])
        chosen = [each for each in pressing if part is each or isinstance(part, Body)]
        found = []
        for shape in chosen:
            with suppress(InputError):  # the session shows it
                mesh = meshes.of(shape, scene.folder)
                if mesh not in self._known:
                    self._known[mesh] = hull_note(mesh, shape.file)
                found.append(self._known[mesh])
        return [note for note in found if note is not None]
