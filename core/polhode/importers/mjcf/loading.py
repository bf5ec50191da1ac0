"""MJCF: a model with everything that it takes from other files, and with all copies of its parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from polhode.importers.mjcf.canonical import canonical
from polhode.importers.mjcf.expanding import Expansion
from polhode.importers.mjcf.including import MOST_FILES, file_of, named_by_file, with_includes
from polhode.importers.mjcf.styles import settings_of
from polhode.scene.files.xml_tree import Element, read_xml
from polhode.scene.message import Message

DEEPEST = 10  # models attached in each other


def loaded(root: Element, path: Path, home: Path, tell: Callable[[Element], None]) -> None:
    """Put included files, attached models and copies into a model, and bring it into the form of canonical.py.

    home: folder in or below which all files must be; tell: called with each file's own elements, before that

    Raises InputError.
    """
    _load(root, path.resolve(), home.resolve(), tell, [path.resolve()], [0])


def _load(
    root: Element, path: Path, home: Path, tell: Callable[[Element], None], outer: list[Path], count: list[int]
) -> None:
    """Load a model. outer: its file, and those of the models that attach it; count: [number of attached models]."""
    if not path.is_relative_to(home):
        rule = Message("is not in the folder {folder}", folder=home)
        raise root.fault(rule, Message("name a folder above the model as root"))
    with_includes(root, path, home)
    tell(root)
    settings = settings_of(root)
    models: dict[str, Element] = {}
    for asset in (each for section in root.all("asset") for each in section.all("model")):
        model = _attached(asset, path.parent, home, tell, outer, count)
        models[asset.attributes.get("name", "").strip() or model.attributes.get("model", "").strip()] = model
    canonical(root, settings, path.parent.relative_to(home).as_posix())
    Expansion(root, models).expand()


def _attached(
    asset: Element, folder: Path, home: Path, tell: Callable[[Element], None], outer: list[Path], count: list[int]
) -> Element:
    """The root of a model that may be attached. Raises InputError for circles, and for too many."""
    file = file_of(asset, folder, home)
    count[0] += 1
    if file in outer or len(outer) > DEEPEST or count[0] > MOST_FILES:
        rule = Message("'{name}' is among the models that attach it, or one too many", name=asset.text("file"))
        raise asset.fault(rule, Message("save the model with MuJoCo as one file"))
    root = read_xml(file)
    if root.tag != "mujoco":
        raise asset.fault(Message("'{name}' is no MJCF", name=asset.text("file")), Message("attach models of MJCF"))
    named_by_file(root, file, home)
    _load(root, file, home, tell, [*outer, file], count)
    return root
