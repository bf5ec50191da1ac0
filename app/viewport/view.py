"""SceneView: a scene on a plotter. It builds actors when the scene changes and only writes numbers in a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyvista as pv

from app.viewport.camera import frame
from app.viewport.ghosts import GhostView
from app.viewport.light import light, paint_background
from app.viewport.looks import Looks
from app.viewport.palette import PALETTE, THEMES, rgb
from app.viewport.sketch import Library
from app.viewport.stage import Stage, placed, set_stage
from app.viewport.table import VIEWS
from core.scene import Scene
from core.snapshot import Bodies, Snapshot

AXES = {"x_color": PALETTE[5], "y_color": PALETTE[2], "z_color": PALETTE[0]}


class SceneView:
    """Draws one scene in a plotter; the plotter's owner asks for the frames."""

    def __init__(self, plotter: pv.BasePlotter, meshes: Library, theme: str = "dark"):
        self.plotter = plotter
        self.visible = dict.fromkeys(VIEWS, True)
        self.meshes = meshes
        self._theme = THEMES[theme]
        self._looks = Looks()
        self._stage: Stage | None = None
        self._bodies: Bodies | None = None
        self._time = 0.0
        # VTK's blending without an order is dim and slow; ours are few, and the table has them in order.
        plotter.renderer.SetUseOIT(False)
        light(plotter.renderer)
        paint_background(plotter.renderer, self._theme)
        self._axes = plotter.add_axes(viewport=(0.0, 0.0, 0.12, 0.2), line_width=3, **AXES)
        self._letter_axes()
        self._views = {name: make(plotter.renderer) for name, make in VIEWS.items()}
        self._ghosts = next(view for view in self._views.values() if isinstance(view, GhostView))
        self._moments: Sequence[Snapshot | None] = ()  # of the ghosts

    def show(self, scene: Scene, snapshot: Snapshot | None = None, ghosts: Sequence[Snapshot | None] = ()) -> None:
        """Draw a scene, at a snapshot of it and of its ghosts, or as it says itself.

        Raises InputError for an unreadable mesh.
        """
        solids = self._looks.of(scene, self.meshes)
        start = placed(scene)
        self._bodies = snapshot.bodies if snapshot else start
        self._time = snapshot.time if snapshot else 0.0
        self._stage = set_stage(scene, start, solids, self._theme)
        self._moments = ghosts
        self._raise_views()

    def update(self, snapshot: Snapshot, ghosts: Sequence[Snapshot | None] = ()) -> None:
        """Write a moment of the shown scene and its ghosts in place. The caller draws."""
        self._bodies, self._time, self._moments = snapshot.bodies, snapshot.time, ghosts
        for view in self._views.values():
            view.move(snapshot.bodies, snapshot.time)
        self._ghosts.haunt(ghosts)
        # An actor that its matrix moves is cut away unless the camera is told how deep the scene is now.
        self.plotter.renderer.ResetCameraClippingRange()

    def follow(self, snapshot: Snapshot, ghosts: Sequence[Snapshot | None] = ()) -> None:
        """Lead the trails through a moment that is not drawn."""
        self._views["trails"].move(snapshot.bodies, snapshot.time)
        self._ghosts.follow(ghosts)

    def switch(self, name: str, on: bool | None = None) -> None:
        """Show or hide one kind of thing of `visible`; without `on`, the other way round."""
        self.visible[name] = not self.visible[name] if on is None else on
        self._views[name].switch(self.visible[name])
        if name == "trails":
            self._ghosts.switch_trails(self.visible[name])
        if self._bodies is not None:
            self._views[name].move(self._bodies, self._time)  # it may have rested while it was not seen

    def reset_camera(self, look: str = "home") -> None:
        """Look at everything that the scene can reach, in one of the directions of `camera.LOOKS`."""
        if self._stage is None:
            return
        width, height = self.plotter.window_size
        frame(
            self.plotter.renderer.GetActiveCamera(),
            self._stage.room,
            width / max(height, 1),
            look,
        )
        self.plotter.renderer.camera_set = True  # or pyvista's first frame frames the whole ground
        self.plotter.renderer.ResetCameraClippingRange()

    def dress(self, theme: str) -> None:
        """Change between the themes "dark" and "light"."""
        self._theme = THEMES[theme]
        paint_background(self.plotter.renderer, self._theme)
        self._letter_axes()
        if self._stage is not None:
            self._stage = replace(self._stage, theme=self._theme)
            self._raise_views()

    def _letter_axes(self) -> None:
        axes = self._axes
        for letter in (axes.GetXAxisCaptionActor2D(), axes.GetYAxisCaptionActor2D(), axes.GetZAxisCaptionActor2D()):
            letter.GetCaptionTextProperty().SetColor(*rgb(self._theme.text))

    def _raise_views(self) -> None:
        assert self._stage is not None
        assert self._bodies is not None
        for view in self._views.values():
            view.show(self._stage)
            view.move(self._bodies, self._time)
        self._ghosts.haunt(self._moments)
        for name, on in self.visible.items():
            self.switch(name, on)
        self.plotter.renderer.ResetCameraClippingRange()
