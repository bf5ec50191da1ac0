"""Normal modes of soft bodies for the window, computed in a background thread. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from polhode.engine.compiled_scene import CompiledScene
from polhode.physics.modal.mode_control import net_in
from polhode.physics.modal.normal_modes import Modes, Net, lowest_modes
from polhode.physics.points.description import SoftBody
from polhode.scene.problem import message_of
from polhode_app.jobs import Job

DEFAULT_MODES = 20  # modes computed for a body that is not simulated by modes
MAX_POINTS = 8000  # limit for such a body: factorizing a larger matrix takes minutes and gigabytes


@dataclass(frozen=True, eq=False)
class FoundModes:
    """A soft body with its modes, None as long as they are being computed."""

    soft: SoftBody
    net: Net
    modes: Modes | None = None
    why: str = ""  # reason why there are none: "points", "still", "straight" or the message of an error


class ModeSearch:
    """Cache of normal modes by body.

    Call `begin` with each compiled scene, then `request` modes by name, and `poll` once per frame, all in the GUI
    thread.
    """

    def __init__(self) -> None:
        self._job = Job("modes", rest=1.0)
        self._known: dict[str, FoundModes] = {}
        self.bodies: dict[str, SoftBody] = {}
        self._built: CompiledScene | None = None

    def begin(self, compiled: CompiledScene) -> None:
        """Use another compiled scene; results for bodies that did not change are kept.

        Computations of the previous scene that are still running are discarded by `poll`.
        """
        self._built = compiled
        self.bodies = {soft.name: soft for soft in compiled.scene.soft}
        self._known = {name: known for name, known in self._known.items() if self._is_unchanged(known, compiled)}

    def request(self, name: str) -> FoundModes:
        """The modes of a body, as far as they are known.

        If they are not, `modes` is None, and the computation is started unless `why` excludes it.
        """
        assert self._built is not None
        if name not in self._known:
            self._known[name] = self._start(name, self._built)
        return self._known[name]

    def poll(self) -> bool:
        """Take finished results; True if there were any."""
        if not self._job.has_results:
            return False
        for name, known in list(self._known.items()):
            found = self._job.poll(name)
            if isinstance(found, FoundModes) and found.net is known.net:  # else the body has changed
                self._known[name] = found
        return True

    def close(self) -> None:
        """End the thread."""
        self._job.close()

    def _start(self, name: str, compiled: CompiledScene) -> FoundModes:
        """The known modes of a body, or an entry without modes after starting the computation."""
        soft, net = self.bodies[name], net_in(compiled, name)
        if name in compiled.modal:
            return FoundModes(soft, net, compiled.modal[name].modes)
        if net.available < 1:
            return FoundModes(soft, net, why="still")
        if net.is_free and net.is_straight:
            return FoundModes(soft, net, why="straight")
        if len(net.mass) > MAX_POINTS:
            return FoundModes(soft, net, why="points")
        self._job.add(lambda _check: _search(soft, net), name)
        return FoundModes(soft, net)

    def _is_unchanged(self, known: FoundModes, compiled: CompiledScene) -> bool:
        """Whether the modes of a body are unchanged in another compiled scene."""
        name = known.soft.name
        if self.bodies.get(name) != known.soft:
            return False
        return net_in(compiled, name).equals(known.net)


def _search(soft: SoftBody, net: Net) -> FoundModes:
    """Compute the lowest modes; errors become the reason. Runs in the worker thread."""
    try:
        return FoundModes(soft, net, lowest_modes(net, min(DEFAULT_MODES, net.available), True))
    except (RuntimeError, ValueError, MemoryError) as error:  # singular factors, no convergence
        return FoundModes(soft, net, why=message_of(error))
