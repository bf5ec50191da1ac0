"""The file of a scene in its FMU: its image with relocations, inputs and outputs.

The library reads it (core/polhode/compilation/fmi_library/source/image.c): a head of magic word, version of the code,
number of words and digest, then places and numbers, pointers, units, formulas, inputs, outputs, and the block.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.engine.compile import STOP_STEPS
from polhode.engine.diagnostics import width
from polhode.engine.ledger import DRIVE, ENERGIES
from polhode.exporters.fmi.formula_code import check_formulas, write_formula
from polhode.exporters.fmi.settable import SettableNumber
from polhode.exporters.fmi.words import WORD, Words, fnv_digest
from polhode.exporters.image.image import WORD as WORD_TYPE
from polhode.exporters.image.image import Image
from polhode.exporters.image.packing import members_of
from polhode.simulation.simulation import Simulation

MAGIC = b"POLHODE1"
OF_WORK = ("step", "stop_time", "basis_error", "energy")
"""Arrays of Work that the library reads or writes."""


def scene_file(
    simulation: Simulation, image: Image, inputs: Sequence[SettableNumber], outputs: Sequence[int], version: str
) -> tuple[bytes, str]:
    """Content of the file, and the token that only this file has.

    outputs: indices of columns of the table; version: of the code, 16 letters

    Raises InputError for formulas that the library does not take.
    """
    words = Words()
    _write_layout(words, simulation, image)
    words.whole(len(image.pointers), len(image.units), len(image.formulas), len(inputs), len(outputs))
    words.whole(*image.pointers.tolist())
    for name, offsets in image.units.items():
        words.text(name)
        words.counted(offsets)
    check_formulas(list(image.formulas))
    for form, offsets in image.formulas.items():
        write_formula(words, form)
        words.counted(offsets)
    for number in inputs:
        words.real(number.start, number.lowest, number.highest)
        words.whole(len(number.offsets))
        for offset, factor in zip(number.offsets.tolist(), number.factors.tolist(), strict=True):
            words.whole(offset)
            words.real(factor)
    words.whole(*outputs)
    content = bytes(words.content) + image.content
    head, digest = Words(), fnv_digest(content)
    head.whole(len(content) // WORD + 5)
    head.content += digest.to_bytes(WORD, "little")
    return MAGIC + version.encode() + bytes(head.content) + content, f"{version}-{digest:016x}"


def _write_layout(words: Words, simulation: Simulation, image: Image) -> None:
    """Write places and numbers, in the order of `struct layout`."""
    structs, places = simulation.structs, image.places
    words.whole(len(image.content), *(places[name] for name in ("method", "model", "inputs", "state", "work")))
    whole = np.frombuffer(image.content, WORD_TYPE)
    at = {member.path: places["work"] // WORD + member.word for member in members_of(structs.work, "work")}
    words.whole(*(int(whole[at[f"work.{name}"]]) for name in OF_WORK))
    ledger = structs.model.ledger
    words.whole(image.size_of_state, width(structs.work), ledger, ENERGIES, DRIVE, STOP_STEPS)
    words.real(structs.clock.step, image.end)
