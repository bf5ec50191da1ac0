"""Models in a zip, as ROS packages are passed on. Nothing is unpacked to the disk: paths name the members."""

from __future__ import annotations

from pathlib import Path

from polhode.scene.files.file_io import TooLarge
from polhode.scene.files.zip_archive import LARGEST_DIRECTORY, member_names, place_in_zip
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, reason_of

ZIP = ".zip"
MODELS = ".urdf"
MOST_NAMED = 10  # models that a message lists


def models_in(zip_file: Path) -> list[Path]:
    """The URDF files in a zip, as paths that `read_robot` takes, in order. Raises InputError for a damaged one."""
    try:
        names = member_names(zip_file)
    except InvalidValue as error:
        raise InputError(str(zip_file), [error.problem]) from None
    except TooLarge:
        rule = Message("has a list of files of more than {most:.0f} MB", most=LARGEST_DIRECTORY / 2**20)
        raise InputError.of(str(zip_file), rule, Message("pack fewer files")) from None
    except FileNotFoundError:
        raise InputError.of(
            str(zip_file), Message("there is no such file"), Message("check the name and the folder")
        ) from None
    except OSError as error:
        rule = Message("cannot be read ({reason})", reason=reason_of(error))
        raise InputError.of(str(zip_file), rule, Message("check the file and the disk")) from None
    return [Path(f"{zip_file}#") / name for name in sorted(set(names)) if is_model(name)]


def has_model(zip_file: Path) -> bool:
    """Whether a file is a zip that can be read and has a URDF in it."""
    try:
        return bool(models_in(zip_file))
    except InputError:
        return False


def is_model(name: str) -> bool:
    """Whether a member of a zip is a URDF, by its name, which leads nowhere else."""
    return name.lower().endswith(MODELS) and not name.startswith("/") and ".." not in name.split("/")


def model_in(path: Path) -> Path:
    """The only model in a zip; the path itself for any other file, or one in a zip.

    Raises InputError for a zip with none or several.
    """
    if path.suffix.lower() != ZIP or place_in_zip(path) is not None:
        return path
    models = models_in(path)
    if not models:
        rule = Message("has no URDF file in it")
        raise InputError.of(str(path), rule, Message("expand xacro files, and add the result"))
    if len(models) > 1:
        rule = Message("has {count} URDF files in it", count=len(models))
        known = ", ".join(map(str, models[:MOST_NAMED]))
        raise InputError.of(str(path), rule, Message("name one of {known}", known=known))
    return models[0]
