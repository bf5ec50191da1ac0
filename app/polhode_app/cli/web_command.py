"""`polhode web`: a page in which a scene runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from polhode.jit.storage.shipped_code import target_generic
from polhode.scene.files.file_writing import check_place
from polhode.scene.message import Message
from polhode.scene.scene import ViewName
from polhode_app.cli.options.arguments import arrow_sizes, naming, refusal
from polhode_app.cli.options.outputs import OUTPUT
from polhode_app.cli.options.scene_argument import SceneName
from polhode_app.cli.options.scene_settings import AS_STATED, SceneSettings, described_by
from polhode_app.cli.results.motion_export import is_page_file
from polhode_app.cli.terminal.console import progress, say
from polhode_app.cli.terminal.exit_status import kept
from polhode_app.cli.terminal.progress_options import DEFAULT, ProgressOptions
from polhode_app.edit.open_file import is_recording


def web(
    scene: SceneName,
    /,
    *,
    out: Annotated[Path, Parameter(help="Web page to write (.html)."), OUTPUT],
    plot: Annotated[tuple[str, ...], Parameter(help="Columns to plot at first, such as energy.total.")] = (),
    theme: Annotated[
        Literal["dark", "light"] | None, Parameter(help="Colour theme; default: that of the browser.")
    ] = None,
    show: Annotated[tuple[ViewName, ...], Parameter(help="Views to add to the defaults, such as velocities.")] = (),
    hide: Annotated[tuple[ViewName, ...], Parameter(help="Views to leave out, such as trails.")] = (),
    arrows: Annotated[tuple[str, ...], Parameter(help="Relative lengths of arrows, such as velocities=2.")] = (),
    settings: SceneSettings = AS_STATED,
    shown: ProgressOptions = DEFAULT,
) -> int:
    """Write a web page in which a scene runs live: one file, without a network."""
    target_generic()  # as the page, and as the process that repeats the runs of its lessons
    if is_recording(Path(scene)):
        rule = Message("is a recording, which has no engine")
        raise refusal(scene, rule, Message("'polhode convert {file} {out}' makes a page of it", file=scene, out=out))
    if not is_page_file(out):
        raise refusal("--out", Message("'{out}' is not a web page", out=out), Message("end the name with .html"))
    described = described_by(scene, settings, out)
    check_place(out)
    from polhode_app.export.web.live.live_page import LiveSettings, write_live_page
    from polhode_app.viewport.registry import SIZED

    switches = {**dict.fromkeys(show, True), **dict.fromkeys(hide, False)}
    options = LiveSettings(plot, theme or "", switches, dict(arrow_sizes(arrows, SIZED)))

    def work() -> None:
        with naming(scene, out), progress(f"{scene} to {out.name}", 1.0, shown) as listener:
            notes = write_live_page(described, out, options, listener)
        for note in notes:
            say(Message("{out}: {note}", out=out, note=note))

    return kept(work, scene, out)
