"""Pictures of the view in any size, drawn by a process beside the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from polhode.scene.problem import InputError
from polhode_app.i18n.translation import translate_error
from polhode_app.viewport.base.picture import check_target
from polhode_app.window.capture.render_dialog import RenderOptions
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.background_command import ExportTexts, scene_copy

if TYPE_CHECKING:
    from polhode_app.export.frame_file import Looks, ShownFrame  # it brings the compiler, which the window imports late


class PictureRenderer(QObject):
    """Draws the frame that is shown, with its trails, in a child process: `python -m polhode_app.export.still`.

    Without a graphics card a large frame takes seconds, and so does packing its file. The quick picture, of the size of
    the view, is drawn by the window like any other frame.
    """

    def __init__(self, context: WindowContext, metadata: Callable[[], Mapping[str, str]]):
        """`metadata` returns the texts that are stored in a picture."""
        super().__init__(context.window)
        self._context, self._metadata = context, metadata

    def start(self, options: RenderOptions) -> None:
        """Draw the shown frame, after the files that are being written."""
        from polhode_app.export.frame_file import write_frame  # imported here, as it loads the compiler
        from polhode_app.export.still import FRAME

        context, view = self._context, self._context.scene_view
        if view.stage is None or view.now is None or context.session.compiled is None:
            return
        folder = TemporaryDirectory(prefix="polhode-")
        try:
            check_target(options.path, (".png",))
            scene_copy(view.stage.scene, Path(folder.name))
            write_frame(Path(folder.name) / FRAME, *self._shown(options), self._metadata())
        except (InputError, OSError) as error:
            folder.cleanup()
            context.toast.show_message(translate_error(error), 20.0)
            return
        texts = ExportTexts(
            self.tr("Rendering the picture: {percent} %"),
            self.tr("Picture saved: {path}"),
            self.tr("The picture could not be saved: {reason}"),
        )
        context.exports.start(
            [folder.name, str(options.path)], options.path, folder, texts, module="polhode_app.export.still"
        )

    def _shown(self, options: RenderOptions) -> tuple[ShownFrame, Looks]:
        """The frame in the view, and the options of the picture."""
        from polhode_app.export import frame_file  # imported here, as above

        context, view = self._context, self._context.scene_view
        assert view.now is not None
        dock, plotted = context.docks.dock("plots"), None
        if options.plots and dock is not None:
            units = dock.plotted_units
            plotted = frame_file.PlotData(units, dock.history.times, dock.history.table([*units]))
        camera = frame_file.camera_numbers(context.view.plotter.renderer.GetActiveCamera())
        looks = frame_file.Looks(
            view.theme_name,
            view.visible,
            view.sizes,
            options.size,
            view.quality,
            options.transparent,
            options.clock,
            options.plain,
            dock is not None and dock.beside.isChecked(),
        )
        return frame_file.ShownFrame(view.now, tuple(view.ghosts), view.memory(), camera, plotted), looks
