"""View: draws one kind of object. ViewRecord: everything that the rest of the program asks about a view."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.stage import Stage

Arrays = Mapping[str, np.ndarray]
CURVE, ARROW = "―", "→"
Kind = Literal["item", "surroundings", "ground", "shadow", "arrows", "marker", "figure"]


def nested(memories: Mapping[str, Arrays]) -> Arrays:
    """The memories of several parts in one, with names such as "part/points"."""
    return {f"{name}/{key}": array for name, memory in memories.items() for key, array in memory.items()}


def part(memory: Arrays, name: str) -> Arrays:
    """The memory of one part of `nested`."""
    return {key.removeprefix(f"{name}/"): array for key, array in memory.items() if key.startswith(f"{name}/")}


class Copies(Protocol):
    """An actor that is drawn at the poses of some bodies."""

    actor: vtkActor
    numbers: np.ndarray
    """(k,) indices of the bodies."""


class ViewBase(ABC):
    """Draws one kind of object. Constructed with the renderer that it adds its actors to.

    All methods are called in the GUI thread.
    """

    copies: Sequence[Copies] = ()
    """The actors of a view of what is fixed to bodies: themselves, their magnets, threads and joints."""

    @property
    def scenery(self) -> Sequence[vtkActor]:
        """The actors that do not move and that nothing is seen through: software OpenGL draws them once."""
        return ()

    @abstractmethod
    def rebuild(self, stage: Stage) -> None:
        """Build the geometry, for a new or edited scene or another theme."""

    @abstractmethod
    def set_visible(self, on: bool) -> None:
        """Show or hide the view."""

    def update(self, now: Snapshot) -> None:  # noqa: B027  # the ground does not move
        """Write a snapshot into the existing geometry; no actor is created here."""

    def follow(self, now: Snapshot) -> None:
        """Record a snapshot that is not drawn, in a view of the past; cheaper than `update` where that is possible."""
        self.update(now)

    def update_ghosts(self, snapshots: Sequence[Snapshot | None]) -> None:
        """Draw the snapshots of all ghosts; those that diverged are None."""
        self.follow_ghosts(snapshots)

    def follow_ghosts(self, snapshots: Sequence[Snapshot | None]) -> None:  # noqa: B027
        """Record snapshots of the ghosts that are not drawn."""

    def other_switched(self, on: bool) -> None:  # noqa: B027
        """The view that the record `watches` has been shown or hidden; `update` is called afterwards."""

    def memory(self) -> Arrays:
        """Results of earlier frames, such as trails and scales: arrays by name."""
        return {}

    def recall(self, memory: Arrays) -> None:  # noqa: B027
        """Take over the memory of the same view of another renderer that shows the same stage."""

    def hide_annotations(self) -> None:  # noqa: B027
        """Leave out texts that explain the picture from now on."""


class StillView(ViewBase):
    """A view whose actors are made when it is built, and do not move."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._actors: list[vtkActor] = []
        self._on = True

    @abstractmethod
    def _made(self, stage: Stage) -> Iterable[vtkActor]:
        """The actors of all that is visible."""

    def rebuild(self, stage: Stage) -> None:
        """Replace all actors."""
        for actor in self._actors:
            self._renderer.RemoveActor(actor)
        self._actors = [*self._made(stage)]
        for actor in self._actors:
            self._renderer.AddActor(actor)
        self.set_visible(self._on)

    @property
    def scenery(self) -> Sequence[vtkActor]:
        """The opaque actors."""
        return [actor for actor in self._actors if actor.GetProperty().GetOpacity() == 1]

    def set_visible(self, on: bool) -> None:
        """Show or hide all actors."""
        self._on = on
        for actor in self._actors:
            actor.SetVisibility(on)


class ViewFactory(Protocol):
    """Constructor of a view."""

    def __call__(self, renderer: vtkRenderer) -> ViewBase:
        """Create a view whose actors belong to `renderer`."""


class LegendEntry(NamedTuple):
    """A line of the legend of the window."""

    color: str  # hexadecimal, or the name of a colour of the theme
    sign: str  # ARROW or CURVE
    symbol: str  # of the quantity, or ""
    name: str  # English; a Message, or "" in a line that continues the one before


def everywhere(_scene: Scene) -> bool:
    """Whether a scene has what a view draws: every scene."""
    return True


@dataclass(frozen=True)
class ViewRecord:
    """A view that can be shown or hidden: its name, its class, and how the program uses it."""

    name: str
    """In files, options and settings, with underscores."""
    make: ViewFactory
    kind: Kind
    """Web pages have all that are on but shadows, which they make themselves, and figures; glTF files have items and
    surroundings. Items cast shadows in a page. Arrows have an adjustable length.
    """
    _: KW_ONLY
    on_request: bool = False
    """Off by default."""
    needs_forces: bool = False
    """Draws the part of a snapshot that is taken on request: forces by law and accelerations."""
    past: bool = False
    """Draws where things have been: it needs every snapshot, and is not restarted while the scene stays."""
    of_items: bool = False
    """Depends on ITEM_FIELDS and on the extent of the scene alone."""
    rebuilt_by: Literal["drawn", "bodies", "all"] = "drawn"
    """Which edits rebuild it: those of what is drawn, also those of bodies' masses, or also those of all other numbers
    that are not drawn.
    """
    watches: str = ""
    """Another view; `other_switched` is called when it is switched."""
    instead_of: str = ""
    """Another view that is not drawn while this one is."""
    legend: tuple[LegendEntry, ...] = ()
    is_in: Callable[[Scene], bool] = everywhere
    """Whether a scene has what the view draws; its legend is shown only then."""
    words: str = ""
    """Other words for a search, separated by spaces."""
    offered: bool = False
    """Whether the web page of a small scene has a switch for it where it is off."""

    @property
    def title(self) -> str:
        """English name, as in the menu View > Show."""
        return self.name.replace("_", " ").capitalize()
