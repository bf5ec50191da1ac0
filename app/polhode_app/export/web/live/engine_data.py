"""The data of an engine in a page: the compiled kernels, the image of a scene, and where a page finds what in it.

`page/engine.js` reads them. Bytes lie in the blob of the page, everything else in its table.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import numpy as np

from polhode.compilation.web_module.cutting import cut_to
from polhode.compilation.web_module.functions import function_table, signatures
from polhode.compilation.web_module.module import WebModule
from polhode.engine.diagnostics import energies, width
from polhode.engine.ledger import HAND
from polhode.engine.rates import place
from polhode.exporters.image.difference import ImageDifference
from polhode.exporters.image.image import WORD, Image
from polhode.exporters.image.packing import image_of
from polhode.formulas import web_assembly
from polhode.run.loop import advance
from polhode.run.method import begin
from polhode.simulation.simulation import Simulation
from polhode.simulation.take_snapshot import OTHERS, measure
from polhode_app.export.web.blob import Blob

SCRIPTS = ("engine.js", "worker.js", "live/cells.js")
"""Files of the script that a page runs in a thread of its own."""
OF_LESSONS = ("lesson/recorder.js",)
"""The further ones of a page with lessons."""
ENERGY = "work.energy"
CALLED = (advance, begin, place, energies, measure)
BY_PAGE = sorted(f"{kernel.py_func.__module__}:{kernel.__name__}" for kernel in CALLED)
"""Units that a page calls itself."""


def engine_data(
    simulation: Simulation,
    blob: Blob,
    module: WebModule,
    paths: Iterable[str] = (),
    image: Image | None = None,
    contains_module: bool = True,
    further: Iterable[str] = (),
) -> dict[str, Any]:
    """Table of an engine that continues a simulation; its bytes are added to `blob`.

    Of the module the page gets the functions that the scene needs.

    paths: members of the structs to which the page needs the places, such as `work.bodies.position`
    image: that of the simulation, if the caller has it; contains_module: False where the page has the module already
    further: names of units that the page needs besides those that every page calls

    Raises UnknownCode for a scene that needs Python (`problems_of`), and KeyError for an unknown path.
    """
    image = image or image_of(simulation)
    forms, model = list(image.formulas), simulation.compiled.model
    called = (name for form in forms for name in web_assembly.functions_of(form))
    needed = cut_to(module, (*BY_PAGE, *further, *image.units, *called))
    of_table, of_function, units = function_table(module.content), signatures(module.content), needed.manifest.units
    return {
        "module": blob.bytes(_bytes(needed.content)) if contains_module else None,
        "version": module.manifest.version,
        "memoryBase": module.manifest.memory_base,
        "units": units,
        "signatures": {name: of_function[of_table[units[name]]] for name in (*BY_PAGE, *further)},
        "image": blob.bytes(_bytes(image.content)),
        "pointers": blob.whole(image.pointers),
        "unitWords": {name: [*offsets] for name, offsets in image.units.items()},
        "formulas": [
            {"code": blob.bytes(_bytes(web_assembly.module_of(form))), "words": [*image.formulas[form]]}
            for form in forms
        ],
        "places": dict(image.places),
        "members": {path: _place(image, path) for path in dict.fromkeys((ENERGY, *paths))},
        "size": image.size_of_state,
        "columns": width(simulation.structs.work) + OTHERS + len(model.walls.stiffness),
        "hand": image.places["state"] + WORD.itemsize * (model.ledger + HAND),
        "clock": image.clock._asdict(),
        "end": image.end,
    }


def difference_data(change: ImageDifference, blob: Blob) -> dict[str, int]:
    """Table of a difference of images; its words are added to `blob`."""
    return {"offsets": blob.whole(change.offsets), "words": blob.bytes(_bytes(change.words.astype(WORD).tobytes()))}


def worker_script(has_lessons: bool = False) -> str:
    """The script of the thread that has the engine."""
    folder, names = files("polhode_app.export.web").joinpath("page"), (*SCRIPTS, *(OF_LESSONS if has_lessons else ()))
    return '"use strict";\n' + "\n".join(folder.joinpath(name).read_text("utf-8") for name in names) + "\nserve();\n"


def _place(image: Image, path: str) -> dict[str, Any]:
    """Place of a member of a struct, as the page needs it."""
    member = image.members[path]
    return {"offset": member.offset, "count": int(np.prod(member.shape)), "kind": member.kind}


def _bytes(content: bytes) -> np.ndarray:
    """(n,) uint8"""
    return np.frombuffer(content, np.uint8)
