"""FMUs: archives of model description, libraries of all platforms, and the scene."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from zipfile import ZIP_DEFLATED

from polhode.analysis.columns import columns
from polhode.exporters.fmi.description import model_description
from polhode.exporters.fmi.scene_file import scene_file
from polhode.exporters.fmi.settable import changeable
from polhode.exporters.image.qualification import problems_of
from polhode.exporters.uncertainties import lost_uncertainties
from polhode.mesh.mesh import Meshes
from polhode.scene.files.zip_archive import packed as zipped
from polhode.scene.message import Message
from polhode.scene.problem import InputError, did_you_mean
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import scene_text
from polhode.simulation.simulation import Simulation

LONGEST = 40  # letters of an identifier


class Library(Protocol):
    """As FmiLibrary of core/polhode/compilation/fmi_library."""

    @property
    def binaries(self) -> Mapping[str, bytes]:
        """Shared objects by the names that FMI has for platforms."""

    @property
    def version(self) -> str:
        """16 letters, which the file of the scene must have, too."""

    @property
    def endings(self) -> Mapping[str, str]:
        """Of the names of their files."""


@dataclass(frozen=True)
class FmuExport:
    """An FMU."""

    content: bytes
    """Of the archive."""
    notes: tuple[Message, ...]


def fmu_of(scene: Scene, name: str, library: Callable[[], Library], outputs: Sequence[str] = ()) -> FmuExport:
    """The FMU of a scene.

    name: of which an identifier is made, that of the libraries in it
    library: gets that of this version, after all checks of the scene
    outputs: names of columns; none: all of the table

    Raises InputError for unknown outputs, and for scenes that need Python, with the part that does.
    """
    meshes = Meshes()
    simulation = Simulation(scene, meshes)
    if problems := problems_of(simulation):
        raise InputError(scene.title or name, problems)
    known = [*columns(simulation.compiled).items()]
    chosen = _indices(known, outputs)
    packed, image, inputs = changeable(simulation, meshes)
    linked = library()
    content, token = scene_file(packed, image, inputs, chosen, linked.version)
    identifier = _identifier(name)
    described = model_description(simulation.scene, identifier, token, inputs, [known[k] for k in chosen])
    files = {"modelDescription.xml": described, "resources/scene.bin": content}
    files["resources/scene.toml"] = scene_text(simulation.scene).encode()
    for platform, ending in linked.endings.items():
        files[f"binaries/{platform}/{identifier}{ending}"] = linked.binaries[platform]
    note = Message("{inputs} inputs, {outputs} outputs", inputs=len(inputs), outputs=len(chosen))
    return FmuExport(zipped(files, ZIP_DEFLATED), (note, *lost_uncertainties(scene)))


def _indices(known: list[tuple[str, str]], outputs: Sequence[str]) -> list[int]:
    """Indices of the columns with these names, in the order of the table; of all but the time for none."""
    names = [name for name, _ in known]
    for output in outputs:
        if output not in names[1:]:
            remedy = did_you_mean(
                output, names[1:], Message("choose columns of the table, such as {name}", name=names[1])
            )
            raise InputError.of("FMU", Message("'{name}' is no column of the scene", name=output), remedy, "outputs")
    return [k for k, name in enumerate(names) if k > 0 and (not outputs or name in outputs)]


def _identifier(name: str) -> str:
    """A name in C."""
    made = re.sub(r"[^A-Za-z0-9_]+", "_", name)[:LONGEST].strip("_")
    return made if re.match(r"[A-Za-z]", made) else f"scene_{made}".rstrip("_")
