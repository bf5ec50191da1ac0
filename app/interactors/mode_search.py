"""The modes of the soft bodies that are shown: those that a body moves by, or its lowest, found in a thread. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.viewport.base.background_worker import Worker
from core.engine.compile import CompiledScene
from core.physics.modal.mode_control import net_in
from core.physics.modal.normal_modes import Modes, Net, lowest_modes
from core.physics.points.description import SoftBody
from core.scene.problem import message_of

USUAL = 20  # modes of a body whose points all move
MOST_POINTS = 8000  # of such a body: the factors of a larger matrix take minutes and all of the memory


@dataclass(frozen=True, eq=False)
class FoundModes:
    """A soft body and its modes, as far as they are known."""

    soft: SoftBody
    net: Net
    modes: Modes | None = None
    why: str = ""  # there are none: "points", "still", "straight" or what the search said


class ModeSearch:
    """`begin` with what the physics has built, then ask by name; `look` once in a while."""

    def __init__(self) -> None:
        self._worker = Worker()
        self._known: dict[str, FoundModes] = {}
        self.bodies: dict[str, SoftBody] = {}
        self._built: CompiledScene | None = None

    def begin(self, built: CompiledScene) -> None:
        """Another scene, or an edited one: what is known of bodies that did not change stays known."""
        self._built = built
        self.bodies = {soft.name: soft for soft in built.scene.soft}
        self._known = {name: known for name, known in self._known.items() if self._still(known, built)}

    def request(self, name: str) -> FoundModes:
        """What is known of a body; what is not is ordered."""
        assert self._built is not None
        if name not in self._known:
            self._known[name] = self._begun(name, self._built)
        return self._known[name]

    def poll(self) -> bool:
        """Take what has been found since; True if there was something."""
        if not self._worker.ready:
            return False
        for name, known in list(self._known.items()):
            found = self._worker.take(name)
            if isinstance(found, FoundModes) and found.net is known.net:  # or it is late: the body is another one now
                self._known[name] = found
        return True

    def close(self) -> None:
        self._worker.close()

    def _begun(self, name: str, built: CompiledScene) -> FoundModes:
        soft, net = self.bodies[name], net_in(built, name)
        if name in built.modal:
            return FoundModes(soft, net, built.modal[name].modes)
        if net.available < 1:
            return FoundModes(soft, net, why="still")
        if net.is_free and net.is_straight:
            return FoundModes(soft, net, why="straight")
        if len(net.mass) > MOST_POINTS:
            return FoundModes(soft, net, why="points")
        self._worker.order(name, lambda _field: _search(soft, net))
        return FoundModes(soft, net)

    def _still(self, known: FoundModes, built: CompiledScene) -> bool:
        """Whether a body is what it was, but for what its modes do not depend on."""
        name = known.soft.name
        if self.bodies.get(name) != known.soft:
            return False
        return np.array_equal(net_in(built, name).positions, known.net.positions)


def _search(soft: SoftBody, net: Net) -> FoundModes:
    try:
        return FoundModes(soft, net, lowest_modes(net, min(USUAL, net.available), True))
    except (RuntimeError, ValueError, MemoryError) as error:  # factors that are singular, a search without an end
        return FoundModes(soft, net, why=message_of(error))
