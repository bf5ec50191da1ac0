"""`polhode watch`: the pose of a printed tag, or the position of a ball, from a film or a camera."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from polhode.data.csv_line import csv_line
from polhode.scene.files.file_writing import RowFile, check_place
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue
from polhode_app.cli.options.arguments import check_numbers, check_range, refusal
from polhode_app.cli.options.outputs import INPUT, OUTPUT
from polhode_app.cli.terminal.console import ProgressListener, progress, say
from polhode_app.cli.terminal.exit_status import BAD_INPUT, DONE, kept
from polhode_app.cli.terminal.progress_options import DEFAULT, ProgressOptions

if TYPE_CHECKING:
    from polhode.camera.lens import Lens
    from polhode.camera.picture_process import PictureProcess, Source
    from polhode.camera.pose_rows import Row
    from polhode.camera.tags import Tag
    from polhode.camera.watching import BallWatch, TagWatch, Wanted

MOST_CAMERAS = 100
TABLE, LENS, SHEET = ".csv", ".toml", ".pdf"


def watch(
    *,
    film: Annotated[Path | None, Parameter(help="Film (.mp4 .mov .mkv .webm .avi)."), INPUT] = None,
    camera: Annotated[int | None, Parameter(help="Number of a camera, from 0.")] = None,
    pipe: Annotated[
        Path | None, Parameter(help="Pipe of pictures in place of a camera, as of 'ffmpeg -f yuv4mpegpipe'."), INPUT
    ] = None,
    tag: Annotated[str | None, Parameter(help="Tag as FAMILY:NUMBER, such as 36h11:3 or 4x4_50:0.")] = None,
    size: Annotated[float | None, Parameter(help="Side of the black square of the tag [m].")] = None,
    ball: Annotated[float | None, Parameter(help="Diameter of a coloured ball [m], in place of a tag.")] = None,
    frame: Annotated[str | None, Parameter(help="Tag at rest of the same size, in whose frame the poses are.")] = None,
    calibration: Annotated[Path | None, Parameter(help="Calibration of the camera (.toml)."), INPUT] = None,
    focal: Annotated[float | None, Parameter(help="Focal length in pixels, without a calibration.")] = None,
    calibrate: Annotated[
        Path | None, Parameter(help="Film of the calibration board; --out is the calibration (.toml)."), INPUT
    ] = None,
    board: Annotated[
        Path | None,
        Parameter(help="Sheet to print (.pdf): the calibration board, or that of --tag and --size."),
        OUTPUT,
    ] = None,
    upright: Annotated[
        bool, Parameter(negative="", help="Axes x to the right, y along the view and z up, as in most scenes.")
    ] = False,
    until: Annotated[float | None, Parameter(help="Time after which a camera is no longer watched [s].")] = None,
    out: Annotated[Path | None, Parameter(help="Table to write (.csv), or calibration (.toml)."), OUTPUT] = None,
    shown: ProgressOptions = DEFAULT,
) -> int:
    """Measure the pose of a printed tag, or the position of a ball, in a film or with a camera."""
    check_numbers(*((name, value, False) for name, value in _given(size=size, ball=ball, focal=focal, until=until)))
    if camera is not None:
        check_range("--camera", camera, 0, MOST_CAMERAS - 1)
    named = {name: _tag(name, text) for name, text in (("--tag", tag), ("--frame", frame)) if text is not None}
    if board is not None:
        return _sheet(board, named.get("--tag"), size)
    if calibrate is not None:
        return _calibration(calibrate, _checked_out(out, LENS), shown)
    source = _source(film, camera, pipe)
    target = _checked_out(out, TABLE)
    if (ball is None) == (tag is None):
        rule = Message("needs a tag or a ball to look for")
        raise refusal("--tag", rule, Message("add --tag 36h11:3 --size 0.04, or --ball 0.04 for a diameter of 0.04 m"))
    if ball is None and size is None:
        raise _no_size()
    _check_frame(named, source)
    from polhode.camera.watching import Wanted

    wanted = Wanted(size or ball or 0.0, named.get("--tag"), named.get("--frame"), upright)
    with progress(str(source), 0.0, shown) as listener:
        return _watched(source, wanted, (calibration, focal), target, until, listener)


def _watched(
    source: Source,
    wanted: Wanted,
    geometry: tuple[Path | None, float | None],
    out: Path,
    until: float | None,
    listener: ProgressListener,
) -> int:
    """Watch a source and write the table. Raises InputError; rows until then are kept."""
    from polhode.camera.picture_process import PictureProcess

    pictures = PictureProcess(source, lambda: listener(0.0))
    looked = wanted.watch(pictures, _lens(pictures, str(source), *geometry))
    rows = iter(looked.all_rows(listener)) if not source.is_live else _live(looked, until, listener)
    status = _write(rows, out, csv_line(looked.columns), str(source))
    pictures.close()
    for note in looked.counts.notes():
        say(Message("{file}: note: {note}", file=str(source), note=note))
    return status


def _live(looked: TagWatch | BallWatch, until: float | None, listener: ProgressListener) -> Iterator[Row]:
    """Rows of a camera until a time [s] of its pictures."""
    for row in looked.live_rows():
        listener(looked.counts.pictures)
        if row is not None:
            yield row
        if until is not None and looked.counts.last >= until:
            return


def _write(rows: Iterator[Row], out: Path, heading: str, source: str) -> int:
    """Write rows as they come; after a fault those before are kept. Returns the exit status."""
    from polhode.camera.watching import csv_row

    first = next(rows, None)  # a fault before it leaves an older table as it is
    if first is None:
        rule = Message("has shown nothing to measure")
        raise InputError.of(source, rule, Message("check the light and the number of the tag"))
    faults: list[InputError] = []

    def work() -> None:
        table = RowFile(out, heading)
        try:
            table.add(csv_row(first))
            for row in rows:
                table.add(csv_row(row))
        except InputError as error:
            faults.append(error)
        finally:
            table.close()

    status = kept(work, source, out)
    for fault in faults:
        say(fault.message)
        say(Message("The output until then is in {out}", out=out))
    return BAD_INPUT if faults else status


def _lens(pictures: PictureProcess, source: str, calibration: Path | None, focal: float | None) -> Lens:
    """The lens by a calibration or a focal length [pixels]; else an assumed one, with a warning. Raises InputError."""
    from polhode.camera.lens import chosen_lens

    lens, rule = chosen_lens(pictures.size, calibration, focal)
    if rule is not None:
        remedy = Message("add --calibration camera.toml, or --focal PIXELS")
        say(Message("{file}: warning: {rule}; {remedy}", file=source, rule=rule, remedy=remedy))
    return lens


def _calibration(film: Path, out: Path, shown: ProgressOptions) -> int:
    """Calibrate a camera from a film of the board. Raises InputError."""
    from polhode.camera.calibrating import calibration_of

    with progress(str(film), 0.0, shown) as listener:
        lens, rule = calibration_of(film, lambda: listener(0.0))
    lens.save(out)
    say(Message("{file}: {rule}", file=film, rule=rule))
    return DONE


def _sheet(path: Path, tag: Tag | None, size: float | None) -> int:
    """Write a sheet to print. Raises InputError."""
    from polhode.camera.tags import check_number, vision
    from polhode_app.export.tag_sheet import board_page, tag_page, write_page

    _checked_out(path, SHEET)
    if tag is None:
        page = board_page()
        return kept(lambda: write_page(path, page), str(path), path)
    if size is None:
        raise _no_size()
    option = "--tag"
    try:
        check_number(vision(str(path)), tag)
        option = "--size"
        page = tag_page(tag, size)
    except InvalidValue as error:
        raise InputError("polhode", [error.problem.at(option)]) from None
    return kept(lambda: write_page(path, page), str(path), path)


def _no_size() -> InputError:
    remedy = Message("add the side of the black square in metres, such as --size 0.04")
    return refusal("--size", Message("is missing"), remedy)


def _source(film: Path | None, camera: int | None, pipe: Path | None) -> Source:
    """The one source that is named. Raises InputError."""
    from polhode.camera.picture_process import Source

    named = [("film", film), ("camera", camera), ("pipe", pipe)]
    given = [(kind, str(value)) for kind, value in named if value is not None]
    if len(given) != 1:
        rule = Message("names {count} sources of pictures", count=len(given))
        raise refusal("--film", rule, Message("give one: --film FILE, --camera 0 or --pipe FILE"))
    kind, name = given[0]
    return Source(kind, name)


def _check_frame(named: dict[str, Tag], source: Source) -> None:
    """Raise InputError for a frame that can't be used, or for a number that a family does not have."""
    from polhode.camera.picture_process import check_library
    from polhode.camera.tags import check_number, vision

    check_library(str(source))
    for option, each in named.items():
        try:
            check_number(vision(str(source)), each)
        except InvalidValue as error:
            raise InputError("polhode", [error.problem.at(option)]) from None
    if (frame := named.get("--frame")) is None:
        return
    tag = named.get("--tag")
    if source.is_live or tag is None:
        raise refusal("--frame", Message("is for tags in films"), Message("leave it out, or record a film first"))
    if frame.family != tag.family or frame == tag:
        rule = Message("must be another tag of the family {family}", family=tag.family)
        raise refusal(
            "--frame", rule, Message("print one, such as {family}:{number}", family=tag.family, number=tag.number + 1)
        )


def _tag(option: str, text: str) -> Tag:
    """The tag of an option. Raises InputError."""
    from polhode.camera.tags import tag_of

    try:
        return tag_of(text)
    except InvalidValue as error:
        raise InputError("polhode", [error.problem.at(option)]) from None


def _checked_out(out: Path | None, ending: str) -> Path:
    """The output file. Raises InputError if it is not named, has another ending or no place."""
    if out is None:
        raise refusal("--out", Message("is missing"), Message("name a file, such as out{ending}", ending=ending))
    if out.suffix.lower() != ending:
        rule = Message("the ending '{ending}' is not a known one", ending=out.suffix)
        raise InputError.of(str(out), rule, Message("use {endings}", endings=ending))
    check_place(out)
    return out


def _given(**values: float | None) -> list[tuple[str, float]]:
    """Options that are stated, with their values."""
    return [(f"--{name}", value) for name, value in values.items() if value is not None]
