"""`polhode sweep`: runs the sweep of a scene and writes its map; conversions and pictures of maps."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone
from polhode.sweep.maps.map_layout import MAPS
from polhode_app.cli.options.arguments import check_range, naming, refusal
from polhode_app.cli.options.outputs import INPUT, OUTPUT
from polhode_app.cli.options.scene_argument import SceneName
from polhode_app.cli.options.scene_settings import AS_STATED, SceneSettings, described_by
from polhode_app.cli.terminal.console import ProgressListener, progress, say
from polhode_app.cli.terminal.exit_status import kept
from polhode_app.cli.terminal.progress_options import DEFAULT, ProgressOptions
from polhode_app.version import version

if TYPE_CHECKING:
    from polhode.sweep.engines.threads import Engine
    from polhode.sweep.sweep import Sweep

MOST_WORKERS = 1024  # threads, which a system starts at once
LONG = 86_400.0  # [s] of a sweep that needs --force
TRIAL = 2.0  # [s] of running after which the time left is believed


def is_map(path: Path) -> bool:
    """Whether a file is a map, by its ending."""
    return path.suffix.lower() in MAPS


def sweep(
    scene: SceneName,
    /,
    *,
    name: Annotated[str | None, Parameter(help="Name of the sweep; default: the first one.")] = None,
    out: Annotated[Path, Parameter(help="Map to write (.h5)."), OUTPUT],
    resume: Annotated[bool, Parameter(negative="", help="Continue with the missing cells of --out.")] = False,
    workers: Annotated[int | None, Parameter(help="Number of threads; default: one for each core.")] = None,
    cluster: Annotated[
        str | None,
        Parameter(
            help="Scheduler of dask.distributed whose workers run the cells: tcp://host:port or tls://host:port."
        ),
    ] = None,
    tls: Annotated[
        tuple[Path, Path, Path] | None,
        Parameter(help="For tls://: files of the authority, of the certificate and of its key (PEM)."),
        INPUT,
    ] = None,
    settings: SceneSettings = AS_STATED,
    force: Annotated[bool, Parameter(negative="", help="Allow sweeps longer than a day.")] = False,
    shown: ProgressOptions = DEFAULT,
) -> int:
    """Run a scene many times over values of its numbers and write a map of the outcomes."""
    if not is_map(out):
        rule = Message("'{name}' has no ending of a map", name=out.name)
        raise refusal("--out", rule, Message("choose an ending out of {endings}", endings=", ".join(MAPS)))
    if workers is not None:
        check_range("--workers", workers, 1, MOST_WORKERS)
    if cluster is not None and workers is not None:
        rule = Message("can't be given with {other}", other="--cluster")
        raise refusal("--workers", rule, Message("the scheduler has its own workers"))
    described = described_by(scene, settings, out)
    number = _number_of(described, scene, name)

    def work() -> None:
        with progress(f"{scene} to {out.name}", 1.0, shown) as listener:
            engine = _engine(workers, cluster, tls)
            with naming(scene, out):
                _run(described, number, out, resume, engine, force, listener)

    return kept(work, scene, out)


def _number_of(scene: Scene, source: str, name: str | None) -> int:
    """Index of the sweep called `name`, or of the first one. Raises InputError where there is none."""
    names = [each.name for each in scene.sweep]
    if not names:
        rule, remedy = Message("there is no sweep"), Message("add a table [[sweep]] with until and axes")
        raise InputError(source, [Problem("sweep", rule, remedy)])
    if name is None:
        return 0
    if name not in names:
        rule = Message("the scene has no sweep named '{name}'", name=name)
        raise refusal("--name", rule, Message("name one of {names}", names=", ".join(names)))
    return names.index(name)


def _engine(workers: int | None, address: str | None, tls: tuple[Path, Path, Path] | None) -> Engine:
    """The engine that runs the cells. Raises InputError for a cluster that can't be used."""
    from polhode.process.cores import cores
    from polhode.sweep.engines.threads import Threads

    if address is None:
        return Threads(workers or cores())
    try:
        from polhode.sweep.engines.cluster import connect
    except ModuleNotFoundError as error:
        rule = Message("needs the library {name}, which is not installed", name=error.name or "distributed")
        raise refusal("--cluster", rule, Message("install it with 'pip install distributed'")) from None
    trust = Message("{address} may run any code here: use a scheduler that you trust", address=address)
    return connect(address, *(tls or (None, None, None)), lambda: say(trust))


def _run(
    scene: Scene, number: int, out: Path, resume: bool, engine: Engine, force: bool, listener: ProgressListener
) -> None:
    """Run a sweep and write its map; `listener` gets the part that is done. Raises InputError, OSError."""
    from polhode.mesh.mesh import Meshes
    from polhode.sweep.maps.map_file import MapWriter
    from polhode.sweep.sweep import Sweep
    from polhode_app.compilation.preparation import start_simulation

    meshes = Meshes()
    start_simulation(alone(scene), meshes, listener)  # compiles in all cores
    run = Sweep(scene, number, meshes, engine=engine)
    if resume:
        _go_on(run, scene, number, out)
    elif out.exists():
        rule, remedy = Message("is there already"), Message("continue it with --resume, or give another name")
        raise InputError(str(out), [Problem("", rule, remedy)])
    if not force:
        _refuse_long(run.estimate(), out, resume)
    listener.running(run)
    writer, began = MapWriter(out, scene, number, run.map, version()), monotonic()

    def report(run: Sweep) -> None:
        listener(run.map.done)
        writer.write(run.newest)
        if not force and monotonic() - began > TRIAL:
            _refuse_long(run.left, out, True)

    run.run(report)
    writer.write_all()
    _report(run, out)


def _refuse_long(left: float, out: Path, is_begun: bool) -> None:
    """Raise InputError if a sweep takes more than LONG; `is_begun`: cells of it are in `out`."""
    if left > LONG:
        rule = Message("takes {days:.3g} days", days=left / LONG)
        remedy = Message("take fewer cells or a shorter run, or add --force")
        if is_begun:
            remedy = Message("take fewer cells or a shorter run, or add --force; the cells so far are kept")
        raise InputError(str(out), [Problem("", rule, remedy)])


def _go_on(run: Sweep, scene: Scene, number: int, out: Path) -> None:
    """Take the cells that are done from the file `out`. Raises InputError where it is the map of another sweep."""
    from polhode.recording.scene_bundle import bundle_scene
    from polhode.scene.scene_writing import scene_text
    from polhode.sweep.maps.map_file import read_map

    stored = read_map(out)
    if stored.text != scene_text(bundle_scene(scene).scene) or stored.number != number:
        rule = Message("is the map of another scene or sweep")
        raise InputError(str(out), [Problem("", rule, Message("give another name, without --resume"))])
    run.map = stored.map


def _report(run: Sweep, out: Path) -> None:
    """Print a summary of the map."""
    from polhode_app.data.maps.map_report import messages

    counts = ", ".join(f"{name} {count}" for name, count in run.map.counts().items())
    say(Message("{out}: {cells} cells: {counts}", out=out, cells=run.map.status.size, counts=counts))
    for message in messages(run.map, run.variation):
        say(message)


def map_info(path: Path, as_json: bool) -> str:
    """Summary of a stored map. Raises InputError."""
    from polhode.sweep.maps.map_file import read_map
    from polhode_app.data.maps import map_report

    stored = read_map(path)
    return map_report.as_json(stored) if as_json else map_report.as_text(stored)


def convert_map(source: Path, out: Path, has_titles: bool = False) -> None:
    """Write the table of a map; a CSV file `has_titles` for its columns. Raises InputError and OSError."""
    from polhode.sweep.maps.map_file import read_map
    from polhode_app.data.maps.map_table import write_table

    write_table(read_map(source), out, has_titles)


def render_map(source: Path, out: Path, size: tuple[int, int]) -> None:
    """Write the picture of a map. Raises InputError and OSError."""
    from polhode.sweep.maps.map_file import read_map
    from polhode_app.data.maps.map_picture import write_picture

    write_picture(read_map(source), out, size)
