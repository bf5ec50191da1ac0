"""The argument that names a scene: its help text, and its completion in shells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from polhode.scene import gallery
from polhode_app.cli.outputs import INPUT

if TYPE_CHECKING:
    from cyclopts.completion import CompletionContext

SCENE = (
    "Scene file (.toml, PEM's .udf), robot (MuJoCo's .xml, .urdf, a .zip with one), mesh (.stl .obj .ply .off .glb "
    ".gltf .3mf .dae), the name of a built-in scene, or - for a scene file on standard input."
)
MOST = 200  # files that are listed


def scenes_and_files(context: CompletionContext) -> list[str]:
    """Built-in scenes and files that begin with the word that is completed."""
    word = context.incomplete
    head, slash, tail = word.rpartition("/")
    names = [name for name in gallery.scene_names() if name.startswith(word)]
    try:
        entries = sorted(Path(head + slash or ".").iterdir())
    except OSError:
        entries = []
    shown = [entry for entry in entries if entry.name.startswith(tail) and (tail or not entry.name.startswith("."))]
    return names + [head + slash + entry.name + ("/" if entry.is_dir() else "") for entry in shown[:MOST]]


SceneName = Annotated[str, Parameter(help=SCENE, completer=scenes_and_files), INPUT]
"""The argument that names a scene."""
