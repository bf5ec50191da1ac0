"""Hands: what the pointer does to the things of a running scene. Grab, pull, twist, and pull everything."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QAction, QCursor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QStatusBar

from app.session.session import Session
from app.viewport.base.stage import Stage
from app.viewport.picking.picking import Picked, Picker, Ray
from app.viewport.view import SceneView
from app.viewport.widget import ViewWidget
from core.physics.grab.interactions import Grab, Interaction, PullAll, PullBody, PullPoint, Twist
from core.scene.quantity import Vector

RECENT = 0.06  # [s] the pointer's velocity is that over so long
TURN = 0.012  # [rad/pixel] of a twist
SLOWEST = 0.05  # of the wished speed: a run that only crawls throws nothing beyond the horizon

Deed = Literal["grab", "pull", "twist", "all"]


class PointerTrack:
    """Where a pointer was of late."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, np.ndarray]] = deque()

    def add(self, now: float, place: np.ndarray) -> None:
        """It is at a place (3,) [m] at a wall time [s]."""
        self._seen.append((now, place))
        while len(self._seen) > 2 and self._seen[1][0] <= now - RECENT:
            self._seen.popleft()

    @property
    def velocity(self) -> np.ndarray:
        """(3,) [m/s] over the last moments; a pointer that stays has none."""
        (before, start), (now, end) = self._seen[0], self._seen[-1]
        return np.asarray((end - start) / (now - before)) if now > before else np.zeros(3)


@dataclass
class _Grab:
    """What one press of a button or a key holds."""

    deed: Deed
    picked: Picked | None
    through: np.ndarray  # (3,) [m] on the plane that it is moved in
    off: np.ndarray  # (3,) [m] from the pointer to the middle of what is held
    press: QPointF
    arm: Vector = (0.0, 0.0, 0.0)  # [m] body frame
    track: PointerTrack = field(default_factory=PointerTrack)
    sent: Interaction | None = None


class GrabTool(QObject):
    """Turns the events of the mouse in the view into grips; `tick` sends them once per frame."""

    def __init__(
        self,
        session: Session,
        view: ViewWidget,
        scene_view: SceneView,
        action_table: Mapping[str, QAction],
        status: QStatusBar,
    ):
        super().__init__(view)
        self._session, self._view, self._scene_view = session, view, scene_view
        self._all, self._status = action_table["pull_all"], status
        self._hold: _Grab | None = None
        self._pointer = QPointF()
        self._picker: tuple[Stage, Picker] | None = None
        self._tool = False
        view.grasps.append(self.mouse)
        action_table["hand"].toggled.connect(self._take_tool)
        action_table["let_go"].triggered.connect(self.release)
        self._all.toggled.connect(self._pull_all)
        session.scene_changed.connect(lambda _document: self.release())

    @property
    def holding(self) -> bool:
        return self._hold is not None

    def _take_tool(self, on: bool) -> None:
        """With the hand tool a plain left drag grabs and pulls instead of turning the view."""
        self._tool = self._view.open_hand = on
        self._view.show_hand(self.holding)
        if on:
            self._status.showMessage(
                self.tr("Drag a point to move it or a body to pull it; H turns the grab tool off"), 5000
            )
        elif not self.holding:
            self._status.clearMessage()

    def _pull_all(self, on: bool) -> None:
        """Pull everything to the pointer, or no longer."""
        stage = self._scene_view.stage
        if on and self._hold is None and stage is not None:
            self._pointer = QPointF(self._view.surface.mapFromGlobal(QCursor.pos()))
            self._begin(_Grab("all", None, stage.center, np.zeros(3), self._pointer))
        elif not on and self._hold is not None and self._hold.deed == "all":
            self.release()

    def release(self) -> None:
        """Hold nothing."""
        if self._hold is not None:
            self._hold = None
            self._session.end_interaction()
            self._status.clearMessage()
            self._view.show_hand(self.holding)
        self._all.setChecked(False)

    def key_up(self, event: QKeyEvent) -> None:
        """P pulls for as long as it is held."""
        if event.key() == Qt.Key.Key_P and not event.isAutoRepeat():
            self._all.setChecked(False)

    def mouse(self, event: QMouseEvent) -> bool:
        """Whether the event is the hand's, and not the camera's."""
        self._pointer = event.position()
        if event.type() == QEvent.Type.MouseButtonPress and self._hold is None:
            return self._press(event)
        if self._hold is None or self._hold.deed == "all":
            return False
        if event.type() == QEvent.Type.MouseButtonRelease:
            self.tick()  # with the pointer's last place and velocity
            self.release()
        return True

    def tick(self) -> None:
        """Lead what is held to where the pointer is."""
        hold, moment = self._hold, self._session.moment
        if hold is None or moment is None:
            return
        place = self._ray(self._pointer).on_plane(hold.through) + hold.off
        hold.track.add(time.perf_counter(), place)
        pace = max(moment.factor, SLOWEST * self._session.speed) if moment.running else np.inf
        grip = self._grip(hold, place, hold.track.velocity / pace)
        if grip != hold.sent:
            hold.sent = grip
            self._session.interact(grip)

    def _press(self, event: QMouseEvent) -> bool:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        left = event.button() == Qt.MouseButton.LeftButton
        right = event.button() == Qt.MouseButton.RightButton
        plain = left and self._tool and not event.modifiers()
        if not (plain or (control and (left or right))):
            return False
        picked, moment = self._pick(), self._session.moment
        if picked is None or moment is None or (control and left and picked.body is None):
            return False
        if picked.point is not None:
            middle = moment.snapshot.points.position[picked.point]
            off = middle - self._ray(self._pointer).on_plane(middle)
            self._begin(_Grab("grab" if plain else "pull", picked, middle, off, self._pointer))
            return True
        assert picked.body is not None
        bodies = moment.snapshot.bodies
        arm = _vector(bodies.basis[picked.body] @ (picked.at - bodies.position[picked.body]))
        deed: Deed = "twist" if control and left else "pull"
        self._begin(_Grab(deed, picked, picked.at, np.zeros(3), self._pointer, arm))
        return True

    def _begin(self, hold: _Grab) -> None:
        self._hold = hold
        name = hold.picked.name if hold.picked else ""
        texts = {
            "grab": self.tr("Grabbed {name}"),
            "pull": self.tr("Pulling {name}"),
            "twist": self.tr("Twisting {name}"),
            "all": self.tr("Attracting everything"),
        }
        self._status.showMessage(texts[hold.deed].format(name=name))
        self._view.show_hand(self.holding)
        self.tick()

    def _grip(self, hold: _Grab, place: np.ndarray, velocity: np.ndarray) -> Interaction:
        at, picked = _vector(place), hold.picked
        if picked is None:
            return PullAll(at)
        if picked.point is not None:
            return Grab(picked.point, at, _vector(velocity)) if hold.deed == "grab" else PullPoint(picked.point, at)
        assert picked.body is not None
        return Twist(picked.body, self._turn(hold)) if hold.deed == "twist" else PullBody(picked.body, hold.arm, at)

    def _turn(self, hold: _Grab) -> Vector:
        """[rad] by the way of the pointer on the screen: to the right about what is up there, down about the right."""
        camera = self._view.plotter.renderer.GetActiveCamera()
        up, ahead = np.array(camera.GetViewUp()), np.array(camera.GetDirectionOfProjection())
        right = np.cross(ahead, up)
        up = np.cross(right, ahead)
        way = self._pointer - hold.press
        return _vector(TURN * (way.x() * up + way.y() * right) / np.linalg.norm(right))

    def _pick(self) -> Picked | None:
        stage, moment = self._scene_view.stage, self._session.moment
        if stage is None or moment is None:
            return None
        if self._picker is None or self._picker[0] is not stage:
            self._picker = stage, Picker(stage)
        return self._picker[1].pick(self._ray(self._pointer), moment.snapshot)

    def _ray(self, at: QPointF) -> Ray:
        return self._view.ray_at(at)


def _vector(values: np.ndarray) -> Vector:
    return (float(values[0]), float(values[1]), float(values[2]))
