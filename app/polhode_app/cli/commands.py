"""The commands of the program.

Modules that a single command needs are imported inside that command, so that the others load neither the compiler nor
the GUI. The docstrings of commands are their help texts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from polhode.recording.reader import read_recording
from polhode.scene import gallery
from polhode.scene.message import Message
from polhode.scene.scene import ViewName
from polhode.scene.scene_file import read_scene, scene_schema
from polhode_app.cli.check_command import check
from polhode_app.cli.collect_command import collect
from polhode_app.cli.equilibria_command import equilibria
from polhode_app.cli.field_command import field
from polhode_app.cli.fit_command import fit
from polhode_app.cli.opening import open_window
from polhode_app.cli.options.arguments import (
    arrow_sizes,
    check_choices,
    check_film,
    check_steps,
    find_file,
    naming,
    pixels,
    refusal,
    refuse_outputs,
)
from polhode_app.cli.options.mesh_options import NO_OPTIONS, MeshOptions
from polhode_app.cli.options.outputs import INPUT, OUTPUT
from polhode_app.cli.options.portable_target import choose_generic
from polhode_app.cli.options.scene_argument import SCENE, SceneName, completion_script, scenes_and_files
from polhode_app.cli.options.scene_settings import AS_STATED, NO_CHOICES, RobotSettings, SceneSettings, described_by
from polhode_app.cli.recording_info import info
from polhode_app.cli.results.motion_export import RATE, MotionSettings, check_max_size, export_motion, is_motion
from polhode_app.cli.run_command import run
from polhode_app.cli.sweep_command import convert_map, is_map, render_map, sweep
from polhode_app.cli.terminal.console import progress, say
from polhode_app.cli.terminal.exit_status import DONE, kept
from polhode_app.cli.terminal.progress_options import DEFAULT, ProgressOptions
from polhode_app.cli.terminal.standard_streams import refuse_standard_streams
from polhode_app.cli.verify_command import verify
from polhode_app.cli.watch_command import watch
from polhode_app.cli.web_command import web
from polhode_app.display_check import has_screen, has_wayland_only
from polhode_app.edit.open_file import is_mesh, is_recording
from polhode_app.version import version

if TYPE_CHECKING:
    from polhode_app.export.camera_path import CameraKey

FILM_TIME = 10.0  # [s] length of the film of the default scene if there is no display
app = App(
    name="polhode",
    help="A 3-D physics lab: magnets, tops, pendulums of any shape. `polhode [PATH]` opens it.",
    version=version,
    result_action="return_value",
    help_format="plaintext",
    exit_on_error=False,
    print_error=False,
    suppress_keyboard_interrupt=False,
)

for each in (run, check, sweep, fit, field, equilibria, verify, watch, collect, info, web):
    app.command(each)

PICTURED = (".mp4", ".webm", ".gif", ".png")  # extensions of films and pictures
FILM_RATE = 30.0  # [1/s] frames of a film
AsJson = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")]
UNITS = "Write the units of the columns of a table beside it, to NAME.units.csv."
MaxSize = Annotated[
    str | None, Parameter(help="Maximum size of a web page, such as 5MB; default: 20MB. Frames are dropped to meet it.")
]


@app.default
def open_(
    path: Annotated[str | None, Parameter(help="Scene file, mesh, or the name of a built-in scene."), INPUT] = None,
    /,
    *,
    choices: RobotSettings = NO_CHOICES,
) -> int:
    """Open the lab."""
    check_choices(Path(path or ""), choices.robot)
    if has_screen():
        return open_window(path, choices.robot)
    if has_wayland_only():
        rule = Message("there is a Wayland display only, and the window needs X11")
        raise refusal("", rule, Message("install Xwayland, and start the program where it sets DISPLAY"))
    if path is not None:
        gallery.find(path)
        remedy = Message("'polhode render {path} --until 10 --out film.mp4' makes a film of it", path=path)
        raise refusal("", Message("there is no screen to open a window on"), remedy)
    say(Message("No screen to open a window on: rendering the default scene to polhode.mp4 and polhode.png instead."))
    for out in (Path("polhode.mp4"), Path("polhode.png")):
        if (status := render(gallery.DEFAULT, until=FILM_TIME, out=out)) != DONE:
            return status
    return DONE


def _keys(camera: Path | None, turn: float) -> tuple[CameraKey, ...]:
    """Camera keys of a file; at most one key is allowed together with `turn`. Raises InputError."""
    from polhode_app.export.camera_path import read_keys

    keys = read_keys(camera) if camera else ()
    if turn and len(keys) > 1:
        rule = Message("moves the camera, as do the keyframes of --camera")
        raise refusal("--turn", rule, Message("give one of them, or a single key"))
    return keys


@app.command
def render(
    scene: Annotated[
        str,
        Parameter(help=f"{SCENE} Or a recording (.vtkhdf), or a map (.h5).", completer=scenes_and_files),
        INPUT,
    ],
    /,
    *,
    until: Annotated[float | None, Parameter(help="Simulated time at the end [s]; a recording has its own.")] = None,
    out: Annotated[
        Path,
        Parameter(
            help="Film (.mp4 .webm .gif, or frame-%04d.png), picture of the end (.png), web page that replays it "
            "(.html), or animated glTF (.glb)."
        ),
        OUTPUT,
    ],
    size: Annotated[str, Parameter(help="Width and height in pixels.")] = "1280x720",
    max_size: MaxSize = None,
    fps: Annotated[
        float | None, Parameter(help="Frames per second; default: 30, of a web page or glTF of a scene 60.")
    ] = None,
    speed: Annotated[float, Parameter(help="Simulated seconds per second of film.")] = 1.0,
    begin: Annotated[float, Parameter(name="--from", help="Simulated time at the start of the film [s].")] = 0.0,
    turn: Annotated[float, Parameter(help="Period of the orbiting camera [s of film]; 0: fixed camera.")] = 0.0,
    camera: Annotated[Path | None, Parameter(help="Keyframes of the camera (.toml)."), INPUT] = None,
    clock: Annotated[bool, Parameter(negative="", help="Overlay the simulated time.")] = False,
    plot: Annotated[tuple[str, ...], Parameter(help="Columns to plot as an overlay, such as energy.total.")] = (),
    beside: Annotated[bool, Parameter(negative="", help="Plots of items side by side.")] = False,
    transparent: Annotated[bool, Parameter(negative="", help="Transparent background (pictures).")] = False,
    plain: Annotated[bool, Parameter(negative="", help="Leave out axes and the scale bar.")] = False,
    theme: Annotated[
        Literal["dark", "light"] | None, Parameter(help="Colour theme; default: light, of a web page the browser's.")
    ] = None,
    show: Annotated[tuple[ViewName, ...], Parameter(help="Views to add to the defaults, such as forces.")] = (),
    hide: Annotated[tuple[ViewName, ...], Parameter(help="Views to leave out, such as trails.")] = (),
    arrows: Annotated[tuple[str, ...], Parameter(help="Relative lengths of arrows, such as forces=2.")] = (),
    settings: SceneSettings = AS_STATED,
    shown: ProgressOptions = DEFAULT,
) -> int:
    """Make a film, a picture, a web page or a glTF file of a scene or a recording without a window."""
    if is_map(Path(scene)):
        settings.refuse()
        return kept(lambda: render_map(Path(scene), out, pixels(size)), scene, out)
    recorded = read_recording(scene) if is_recording(Path(scene)) else None
    until = recorded.until if until is None and recorded is not None else until
    if until is None:
        rule = Message("is missing; it sets the end of the film")
        raise refusal("--until", rule, Message("add, for example, --until 10"))
    moving = is_motion(out)
    check_max_size(max_size, out)
    fps = (RATE if moving else FILM_RATE) if fps is None else fps
    check_film(until, begin, fps, speed, turn)
    width_height = pixels(size)
    if recorded is not None:
        settings.refuse()
    described = recorded or described_by(scene, settings, out)
    if recorded is None:
        check_steps(until, described)
    from polhode_app.export.video import RenderSettings
    from polhode_app.export.video import render as render_to
    from polhode_app.viewport.registry import SIZED

    switches = (*((name, True) for name in show), *((name, False) for name in hide))
    sizes, keys = arrow_sizes(arrows, SIZED), _keys(camera, turn)
    look = RenderSettings(
        begin, turn, keys, clock, plot, transparent, theme or "light", switches, sizes, None, plain, beside
    )
    of_motion = MotionSettings(begin, fps, max_size, plot, theme or "", dict(switches), dict(sizes))

    def work() -> None:
        with naming(scene, out), progress(f"{scene} to {out.name}", 1.0, shown) as listener:
            if moving:
                export_motion(described, until, out, of_motion, listener)
            else:
                render_to(described, until, out, width_height, fps, speed, listener, look)

    return kept(work, scene, out)


@app.command
def inertia(
    path: Annotated[str, Parameter(help="Mesh file, scene file, or the name of a built-in scene."), INPUT],
    /,
    *,
    options: MeshOptions = NO_OPTIONS,
    settings: SceneSettings = AS_STATED,
    as_json: AsJson = False,
) -> int:
    """Volume, mass, centre of mass, inertia tensor and principal axes of a mesh, or of the bodies of a scene."""
    options.check()
    file = find_file(path)
    if not is_mesh(file):
        options.refuse()
    else:
        settings.refuse()
    described = None if is_mesh(file) else described_by(path, settings)
    from polhode_app.cli.results import mass_report

    if described is None:
        weighed = mass_report.weigh(file, options)
        print(mass_report.as_json(*weighed) if as_json else mass_report.as_text(file, *weighed))
        return DONE
    with naming(path):
        reports, warnings = mass_report.weigh_bodies(described)
    print(mass_report.bodies_as_json(reports, warnings) if as_json else mass_report.bodies_as_text(reports, warnings))
    return DONE


@app.command
def modes(scene: SceneName, /, *, settings: SceneSettings = AS_STATED, as_json: AsJson = False) -> int:
    """Frequencies of the modes of the soft bodies of a scene, lowest first."""
    described = described_by(scene, settings)
    from polhode_app.cli.results import modes_report

    with naming(scene):
        reports = modes_report.mode_reports(described)
    print(modes_report.as_json(reports) if as_json else modes_report.as_text(reports))
    return DONE


@app.command
def convert(
    source: Annotated[
        str, Parameter(help="Scene (.toml .udf .xml .urdf, or a built-in scene's name), or recording."), INPUT
    ],
    out: Annotated[
        Path,
        Parameter(
            help="Scene of another format (.toml .udf, MuJoCo's .xml) or FMU (.fmu); of a recording a table (.csv "
            ".parquet), scene (.toml), film, web page (.html) or glTF (.glb)."
        ),
        OUTPUT,
    ],
    /,
    *,
    at: Annotated[
        float | None, Parameter(help="Time of the frame of a recording [s]; default: the last frame.")
    ] = None,
    overwrite: Annotated[bool, Parameter(negative="", help="Replace existing mesh files.")] = False,
    units: Annotated[bool, Parameter(negative="", help=UNITS)] = False,
    titles: Annotated[bool, Parameter(negative="", help="Head the CSV of a map by names with units.")] = False,
    outputs: Annotated[
        tuple[str, ...],
        Parameter(
            help="Columns that an FMU has as outputs, such as ball.position.z; default: all.", consume_multiple=True
        ),
    ] = (),
    max_size: MaxSize = None,
    settings: SceneSettings = AS_STATED,
) -> int:
    """Convert a scene to PEM, MuJoCo or FMI, or a recording to a table, film, web page or frame."""
    refuse_standard_streams(source, str(out))
    path = gallery.find(source)
    check_max_size(max_size, out)
    if is_map(path) or is_recording(path):
        settings.refuse()
        refuse_outputs(outputs)
    if is_map(path):
        return kept(lambda: convert_map(path, out, titles), source, out)
    if is_recording(path) and (out.suffix.lower() in PICTURED or is_motion(out)):
        return render(str(path), until=at, out=out, max_size=max_size)
    if is_recording(path):
        recorded = read_recording(path)
        from polhode_app.cli.results.recording_export import unwind

        def work() -> None:
            with naming(source, out), progress(f"{source} to {out.name}", recorded.rows) as listener:
                for note in unwind(recorded, out, at, listener, overwrite, units):
                    say(Message("{out}: {note}", out=out, note=note))

        return kept(work, source, out)
    if at is not None:
        raise refusal("--at", Message("is for recordings; a scene has a single state"), Message("leave it out"))
    choose_generic(out.suffix.lower() == ".fmu", str(out))  # its library is for a generic processor
    from polhode_app.cli.convert import convert as convert_file

    with naming(source, out, {"outputs": "--outputs"}), progress(out.name, 1.0) as listener:
        notes = convert_file(path, out, overwrite, settings, outputs, listener)
    for note in notes:
        say(Message("{out}: {note}", out=out, note=note))
    return DONE


@app.command
def scenes(*, as_json: AsJson = False) -> int:
    """List the built-in scenes."""
    names = gallery.scene_names()
    if as_json:
        titles = [{"name": name, "title": read_scene(gallery.path(name)).title} for name in names]
        print(json.dumps(titles, indent=2, ensure_ascii=False))
        return DONE
    width = max(map(len, names), default=0)
    for name in names:
        print(f"{name:{width}}  {read_scene(gallery.path(name)).title}")
    return DONE


@app.command
def schema() -> int:
    """Print the JSON Schema of scene files, for completion in editors."""
    print(json.dumps(scene_schema(), indent=2))
    return DONE


@app.command
def completion(shell: Literal["bash", "zsh", "fish"], /) -> int:
    """Print a script that completes commands, options, scenes and files in a shell."""
    print(completion_script(app, shell))
    return DONE
