"""Options of commands about the scene that they read: `--set PATH=VALUE`, and choices for a robot."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from polhode.data.input_checks import measured_input_notes
from polhode.importers.options import RobotOptions, ZeroLimits
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import tables_of
from polhode_app.cli.options.arguments import naming, refusal, scene_called
from polhode_app.cli.terminal.console import say

STRUCTURED = ("[", "{", '"', "'")  # beginnings of values of TOML that no plain text has


@Parameter(name="*")
@dataclass(frozen=True)
class RobotSettings:
    """Options of all commands that open a robot: choices for its model."""

    package: Annotated[
        tuple[str, ...],
        Parameter(
            negative_iterable="", help="NAME=FOLDER of a package that a URDF names, such as arm=~/arm; may be repeated."
        ),
    ] = ()
    zero_limits: Annotated[
        ZeroLimits | None, Parameter(help="Joints of a URDF with the limits 0 and 0; default: by effort and velocity.")
    ] = None
    root: Annotated[
        Path | None, Parameter(help="Folder in or below which the files of an MJCF model are; default: its own.")
    ] = None
    keyframe: Annotated[str | None, Parameter(help="Keyframe of an MJCF model at which it starts.")] = None

    @property
    def given(self) -> dict[str, object]:
        """The options by name, None for those that are not given."""
        return {
            "--package": self.package or None,
            "--zero-limits": self.zero_limits,
            "--root": self.root,
            "--keyframe": self.keyframe,
        }

    @property
    def robot(self) -> RobotOptions:
        """The choices for a robot. Raises InputError for a package without a name or a folder, and for one twice."""
        packages = {}
        for text in self.package:
            name, sign, folder = (part.strip() for part in text.partition("="))
            if not (name and sign and folder):
                rule = Message("must be NAME=FOLDER, but is '{text}'", text=text)
                raise refusal("--package", rule, Message("write both, with = between them"))
            if name in packages:
                raise refusal("--package", Message("states '{path}' twice", path=name), Message("remove one of them"))
            packages[name] = Path(folder).expanduser()
        return RobotOptions(packages, self.zero_limits, root=self.root, start=self.keyframe)


NO_CHOICES = RobotSettings()


@Parameter(name="*")
@dataclass(frozen=True)
class SceneSettings(RobotSettings):
    """Options of all commands that read a scene: other values of its fields, and choices for a robot."""

    values: Annotated[
        tuple[str, ...],
        Parameter(
            name="--set",
            negative_iterable="",
            help="PATH=VALUE in place of the scene's, in SI, such as body[0].friction=0.1; may be repeated.",
        ),
    ] = ()

    @property
    def given(self) -> dict[str, object]:
        """The options by name, None for those that are not given."""
        return {"--set": self.values or None, **super().given}

    def refuse(self) -> None:
        """Refuse all of them for files that are no scenes. Raises InputError."""
        for option, value in self.given.items():
            if value is not None:
                raise refusal(option, Message("is for scenes"), Message("leave it out, or name a scene"))


AS_STATED = SceneSettings()


def described_by(name: str, settings: SceneSettings, *outputs: Path | None) -> Scene:
    """The scene that a name on the command line refers to (`scene_called`), with the values of `--set`.

    Prints notes on the files of its measured inputs. Raises InputError, also for unknown paths, and for values that a
    file could not have.
    """
    scene = with_values(scene_called(name, *outputs, robot=settings.robot), name, settings.values)
    for note in measured_input_notes(scene):
        say(Message("{file}: note: {note}", file=name, note=note))
    return scene


def with_values(scene: Scene, source: str, settings: tuple[str, ...]) -> Scene:
    """The scene with the values of `--set`; `source` names it in messages.

    A value is one of TOML, such as 0.1, true or [0, 0, 1]; any other text counts as a text. Raises InputError for
    unknown paths, and for values that a file could not have.
    """
    if not settings:
        return scene
    values: dict[str, object] = {}
    for text in settings:
        path, sign, value = (part.strip() for part in text.partition("="))
        if not (path and sign):
            rule = Message("must be PATH=VALUE, but is '{text}'", text=text)
            raise refusal("--set", rule, Message("write both, with = between them"))
        if path in values:
            raise refusal("--set", Message("states '{path}' twice", path=path), Message("remove one of them"))
        values[path] = _value(path, value)
    with naming(source):
        return scene.with_values(values)


def _value(path: str, text: str) -> object:
    """A value of TOML, a number such as .5, or the text itself. Raises InputError for unfinished lists and texts."""
    try:
        table = tables_of(f"value = {text}", "polhode")
    except InputError as error:
        if text.startswith(STRUCTURED):
            rule = Message("'{path}' is '{text}': {reason}", path=path, text=text, reason=error.problems[0].rule)
            raise refusal("--set", rule, Message("close every bracket and quotation mark")) from None
        with suppress(ValueError):
            return float(text)
        return text
    return table["value"] if len(table) == 1 else text
