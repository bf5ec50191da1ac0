"""SceneView: a scene on a plotter. It builds actors when the scene changes and only writes numbers in a frame."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from time import thread_time
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor

from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.edit.scene_diff import SceneDiff
from polhode_app.jobs import Job
from polhode_app.viewport.base.camera import VIEW_ANGLE, frame
from polhode_app.viewport.base.camera_animation import WHOLE, pose_at, see_all, set_camera
from polhode_app.viewport.base.lighting import light
from polhode_app.viewport.base.mesh_preview_loader import MeshSource
from polhode_app.viewport.base.palette import AXES, THEMES, rgb
from polhode_app.viewport.base.solid import Solid
from polhode_app.viewport.base.stage import Stage, set_stage
from polhode_app.viewport.base.text_actor import set_typeface
from polhode_app.viewport.environment.background import Background
from polhode_app.viewport.environment.drawable import drawable, drawable_ones
from polhode_app.viewport.environment.label_layout import LabelLayout
from polhode_app.viewport.environment.legend_column import LegendColumn
from polhode_app.viewport.environment.line_widths import LineWidths
from polhode_app.viewport.environment.quality import Level, Quality
from polhode_app.viewport.record import Arrays, nested, part
from polhode_app.viewport.registry import ITEM_FIELDS, ON_REQUEST, VIEWS
from polhode_app.viewport.things.appearance_cache import AppearanceCache

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import (
        CompiledScene,
    )  # it brings the compiler, which the first frame does not wait for

COLORS = dict(zip(("x_color", "y_color", "z_color"), AXES, strict=True))
ON_ANY_GROUND = "#767676"  # contrast of at least 4.5 with black and with white
SLICE = 0.010  # [s] of processor time, after which the rest of a scene is built in another event


class SceneView:
    """Draws one scene in a plotter; the plotter's owner asks for the frames."""

    def __init__(
        self,
        plotter: pv.BasePlotter,
        meshes: MeshSource,
        theme: str = "dark",
        switches: Mapping[str, bool] | None = None,
        patient: bool = False,
        sizes: Mapping[str, float] | None = None,
        quality: Level = "low",
    ):
        """`switches` are a person's own, by view; they go before what is usual and what a scene asks for.

        `sizes` are those of arrows, by view of `registry.SIZED`, in the usual ones.

        A patient view waits in every frame until it is complete: for films, not for windows.
        """
        self.plotter = plotter
        self.switches, self.sizes = dict(switches or {}), dict(sizes or {})
        self.meshes = meshes
        self._asked: tuple[str, ...] = ()  # what the scene wants to be seen
        self._tried: dict[str, bool] = {}  # switches for this scene alone, which go before all others
        failure = Message("the field could not be computed")
        self.job = Job("field", failure, 1.0, patient)  # for what views compute and no frame may wait for
        self.theme_name, self._theme = theme, THEMES[theme]
        self._looks = AppearanceCache()
        self.stage: Stage | None = None
        self.free_area = WHOLE  # what `look_at` fills
        self.now: Snapshot | None = None  # the frame that is drawn
        # VTK's blending without an order is dim and slow; ours are few, and the table has them in order.
        plotter.renderer.SetUseOIT(False)
        light(plotter.renderer)
        self._background = Background(plotter.renderer, self._scenery)
        self._background.paint(self._theme)
        self._quality, self._line_widths = Quality(plotter.renderer, quality), LineWidths(plotter.renderer)
        self._axes = plotter.add_axes(viewport=(0.0, 0.0, 0.12, 0.2), line_width=3, **COLORS)
        self._letter_axes()
        self.views = {name: record.make(plotter.renderer) for name, record in VIEWS.items()}
        self._past = {name: self.views[name] for name, record in VIEWS.items() if record.past}
        self._legend = LegendColumn(plotter.renderer)
        self._labels = LabelLayout(plotter.renderer)
        self.ghosts: Sequence[Snapshot | None] = ()  # of the ghosts
        self._unbuilt: Iterator[None] = iter(())  # what is left to do until all views show the stage
        self.is_built = True

    @property
    def visible(self) -> dict[str, bool]:
        """Which views are on."""
        usual = {name: name not in ON_REQUEST or name in self._asked for name in VIEWS}
        return usual | {name: on for name, on in self.switches.items() if name in VIEWS} | self._tried

    @property
    def needs_forces(self) -> bool:
        """Whether snapshots need the part that is taken on request: forces by law and accelerations."""
        visible = self.visible
        return any(visible[name] and record.needs_forces for name, record in VIEWS.items())

    @property
    def remembered(self) -> dict[str, bool]:
        """The person's switches that are not as usual."""
        return {name: on for name, on in self.switches.items() if on == (name in ON_REQUEST)}

    def show(
        self,
        scene: Scene,
        snapshot: Snapshot | None = None,
        ghosts: Sequence[Snapshot | None] = (),
        compiled: CompiledScene | None = None,
        at_once: bool = True,
        diff: SceneDiff | None = None,
        generation: int = 0,
    ) -> None:
        """Draw a scene, at a snapshot of it and of its ghosts, or in its initial state without one.

        `compiled` is the compiled scene, as soon as there is one. Views that a `diff` from the drawn scene does not
        concern are kept, with their trails; without one all start again. Unless `at_once`, the views are left to
        `continue_build`, and no frame may be drawn before `is_built`. Raises InputError for an unreadable mesh.
        """
        self.finish_build()
        before = self.stage
        kept = before is not None and diff is not None and before.scene == diff.old
        if kept and diff.is_only("solver"):
            self.stage = replace(before, scene=scene, compiled=compiled, generation=generation)
            return
        if kept and diff.is_invisible and before.compiled is not None:
            solids = tuple(Solid(body, like.parts) for body, like in zip(scene.bodies, before.solids, strict=True))
            self.stage = replace(before, scene=scene, solids=solids, compiled=compiled, generation=generation)
            moved = bool(diff.fields & {"body", "sphere", "bead"})  # springs hold bodies by their centres of mass
            by = ("bodies", "all") if moved else ("all",)
            self._rebuild([name for name, record in VIEWS.items() if record.rebuilt_by in by], at_once)
            return
        solids = self._looks.of(scene, self.meshes)
        self._asked = scene.view.show
        if diff is None or not diff.is_edit:
            self._tried = {}
        stage = set_stage(scene, solids, self._theme, self.meshes, self.job, compiled)
        self.stage = replace(stage, sizes=self.sizes, generation=generation)
        self.now = snapshot if snapshot is not None and drawable(snapshot) else self.stage.start
        self.ghosts = drawable_ones(ghosts)
        same = kept and not diff.fields.intersection(ITEM_FIELDS) and self.stage.is_set_like(before)
        self._rebuild([name for name, record in VIEWS.items() if not (same and record.of_items)], at_once)

    def continue_build(self, seconds: float = SLICE) -> None:
        """Rebuild further views for the current stage, for so long [s] of processor time, or until the last."""
        end = thread_time() + seconds
        for _ in self._unbuilt:
            if thread_time() > end:
                return
        self.is_built = True

    def finish_build(self) -> None:
        """Rebuild all views that do not show the current stage yet."""
        if not self.is_built:
            self.continue_build(np.inf)

    def redraw_driven(self, scene: Scene, compiled: CompiledScene) -> None:
        """Draw the shown scene with other numbers; trails are kept."""
        if self.stage is None or self.now is None:
            return
        self.finish_build()
        solids = self._looks.of(scene, self.meshes)
        self.stage = replace(self.stage, scene=scene, solids=solids, compiled=compiled)
        for name, view in self.views.items():
            if name not in self._past:
                view.rebuild(self.stage)
                view.update(self.now)
        self._update_ghosts()
        self._quality.apply(self.stage.radius)
        for name, on in self.visible.items():
            self._turn(name, on)

    def update(self, snapshot: Snapshot, ghosts: Sequence[Snapshot | None] = (), reach: bool = True) -> None:
        """Write a snapshot of the shown scene and its ghosts in place. The caller draws; without `reach` it also
        updates the clipping range of the camera.

        A snapshot with values too large to draw is skipped: the one before it stays.
        """
        if not drawable(snapshot):
            return
        self.finish_build()
        self.now, self.ghosts = snapshot, drawable_ones(ghosts)
        for view in self.views.values():
            view.update(snapshot)
        self._update_ghosts()
        if reach:  # otherwise an actor that its matrix moves is clipped
            self.update_clipping_range()

    def follow(self, snapshot: Snapshot, ghosts: Sequence[Snapshot | None] = ()) -> None:
        """Extend trails by a frame that is not drawn."""
        self.finish_build()
        if drawable(snapshot):
            for view in self._past.values():
                view.follow(snapshot)
        snapshots = drawable_ones(ghosts)
        for view in self.views.values():
            view.follow_ghosts(snapshots)

    def memory(self) -> Arrays:
        """Results of earlier frames in all views: trails, scales of arrows. Arrays are not copied."""
        return nested({name: view.memory() for name, view in self.views.items()})

    def recall(self, memory: Arrays) -> None:
        """Take over the memory of another SceneView that shows the same scene, and draw it."""
        self.finish_build()
        for name, view in self.views.items():
            if of_view := part(memory, name):
                view.recall(of_view)
        if self.now is not None:
            self.update(self.now, self.ghosts)

    def _update_ghosts(self) -> None:
        """Draw the snapshots of the ghosts."""
        for view in self.views.values():
            view.update_ghosts(self.ghosts)

    def show_pose(self, snapshot: Snapshot) -> None:
        """Draw things as they are not, for a while; nothing leaves a trail. `update` draws them as they are."""
        self.finish_build()
        for name, view in self.views.items():
            if name not in self._past:
                view.update(snapshot)
        self.update_clipping_range()

    def catch_up(self) -> bool:
        """Write late results for the drawn frame; True if there were any."""
        if not self.job.has_results or self.now is None:
            return False
        self.finish_build()
        for view in self.views.values():
            view.update(self.now)
        return True

    def close(self) -> None:
        """End what computes in the background. The plotter is its owner's."""
        self.job.close()

    def set_visible(self, name: str, on: bool | None = None, lasting: bool = True) -> None:
        """Show or hide one kind of thing of `visible`; without `on`, the other way round.

        Unless `lasting`, that ends when another scene is shown.
        """
        self.finish_build()
        wanted = not self.visible[name] if on is None else on
        self._tried.pop(name, None)
        (self.switches if lasting else self._tried)[name] = wanted
        self._turn(name, wanted)

    def set_arrow_size(self, name: str, factor: float) -> None:
        """Multiply the length of the arrows of a view of `registry.SIZED` by `factor`."""
        self.sizes = {**self.sizes, name: factor}
        if self.stage is not None:
            self.finish_build()
            self.stage = replace(self.stage, sizes=self.sizes)
            self._rebuild([name])

    def _switch(self, name: str, on: bool) -> None:
        visible = self.visible
        on = on and not any(visible[other] for other, record in VIEWS.items() if record.instead_of == name)
        self.views[name].set_visible(on)
        for other, record in VIEWS.items():
            if record.watches == name:
                self.views[other].other_switched(on)
                if self.now is not None:
                    self.views[other].update(self.now)
        if hidden := VIEWS[name].instead_of:
            self._turn(hidden, visible[hidden])

    def _scenery(self) -> list[vtkActor]:
        """The actors of all views that do not move and that nothing is seen through."""
        return [actor for view in self.views.values() for actor in view.scenery]

    def _turn(self, name: str, on: bool) -> None:
        self._switch(name, on)
        if self.now is not None:
            self.views[name].update(self.now)  # it may have rested while it was not seen

    def reset_camera(self, look: str = "start") -> None:
        """Look at everything that the scene can reach, in one of the directions of `camera.LOOKS`.

        At the "start" it is seen as the scene wants it.
        """
        if self.stage is None:
            return
        wanted = self.stage.scene.view.camera if look == "start" else None
        if wanted is None:
            self.look_at(self.stage.extent, "home" if look == "start" else look)
            return
        camera = self.plotter.renderer.GetActiveCamera()
        camera.SetParallelProjection(wanted.height > 0)
        camera.SetViewAngle(VIEW_ANGLE)
        set_camera(camera, pose_at(wanted))
        self._see()

    def _see(self) -> None:
        """The camera has its position."""
        self.plotter.renderer.camera_set = True  # or pyvista's first frame frames the whole ground
        self.update_clipping_range()

    def update_clipping_range(self) -> None:
        """Tell the camera how deep the scene is now."""
        see_all(self.plotter.renderer)

    def look_at(self, points: np.ndarray, look: str = "") -> None:
        """Fill the free area of the picture with points (n, 3) [m].

        `look` is one of the directions of `camera.LOOKS`; "" is the current one.
        """
        width, height = self.plotter.window_size
        aspect = self.free_area.aspect(width / max(height, 1))
        frame(self.plotter.renderer.GetActiveCamera(), points, aspect, look)
        self.plotter.renderer.camera_set = True  # or pyvista's first frame frames the whole ground
        self.update_clipping_range()

    def set_theme(self, theme: str) -> None:
        """Change between the themes "dark" and "light"."""
        self.theme_name, self._theme = theme, THEMES[theme]
        self._background.paint(self._theme)
        self._letter_axes()
        if self.stage is not None:
            self.finish_build()
            self.stage = replace(self.stage, theme=self._theme)
            self._rebuild(self.views)

    @property
    def quality(self) -> Level:
        """Level of quality at which it draws."""
        return self._quality.level

    def set_quality(self, level: Level) -> None:
        """Draw at another level of quality from the next frame on."""
        self._quality.level = level
        if self.stage is not None:
            self.finish_build()
            self._quality.apply(self.stage.radius)

    def retranslate(self) -> None:
        """Write legends and labels in the current language; trails are kept."""
        if self.stage is not None and self.now is not None:
            self.finish_build()
            self._rebuild([name for name in self.views if name not in self._past])
            for view in self._past.values():
                view.update(self.now)

    def hide_annotations(self) -> None:
        """Draw neither the axes of the laboratory nor the scale bar."""
        self._axes.SetVisibility(False)
        for view in self.views.values():
            view.hide_annotations()

    def hide_background(self) -> None:
        """Draw shadows, but neither sky nor ground, for pictures that let through what is behind them."""
        renderer = self.plotter.renderer
        renderer.GradientBackgroundOff()
        renderer.SetBackground(0.0, 0.0, 0.0)
        renderer.SetBackgroundAlpha(0.0)
        for name in ("ground", "place"):
            self.set_visible(name, False)
        self._letter_axes(ON_ANY_GROUND)

    def _letter_axes(self, color: str = "") -> None:
        """Set the colour of the letters of the axes, by default that of texts."""
        axes = self._axes
        for letter in (axes.GetXAxisCaptionActor2D(), axes.GetYAxisCaptionActor2D(), axes.GetZAxisCaptionActor2D()):
            set_typeface(letter.GetCaptionTextProperty())
            letter.GetCaptionTextProperty().SetColor(*rgb(color or self._theme.text))

    def _rebuild(self, names: Collection[str], at_once: bool = True) -> None:
        """Let some views start again with the current stage."""
        self._unbuilt, self.is_built = self._rebuild_steps(names), False
        if at_once:
            self.finish_build()

    def _rebuild_steps(self, names: Collection[str]) -> Iterator[None]:
        """Do that, with a pause after each view."""
        assert self.stage is not None
        assert self.now is not None
        for name in names:
            self.views[name].rebuild(self.stage)
            yield
        visible = self.visible
        for name in names:
            self._switch(name, visible[name])
            yield
        for name in names:
            self.views[name].update(self.now)
            yield
        self._update_ghosts()
        self._quality.apply(self.stage.radius)
        self.update_clipping_range()
