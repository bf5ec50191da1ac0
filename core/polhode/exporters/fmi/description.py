"""The model description of an FMU: its variables with units, and its capabilities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import isfinite
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from polhode.exporters.fmi.settable import SettableNumber
from polhode.jit.storage.sources import own_version
from polhode.scene.quantity import exponents
from polhode.scene.scene import Scene

BASE_UNITS = ("m", "kg", "s", "A")  # in the order of `exponents`
DERIVED = {"J": "N m", "W": "N m/s", "Wb": "V s"}  # units of columns alone
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
CATEGORIES = {
    "logStatusWarning": "warnings",
    "logStatusDiscard": "values and steps that were refused",
    "logStatusError": "errors",
    "logStatusFatal": "errors of all instances",
}


def model_description(
    scene: Scene, identifier: str, token: str, inputs: Sequence[SettableNumber], outputs: Sequence[tuple[str, str]]
) -> bytes:
    """The text of the file modelDescription.xml.

    identifier: a name in C, that of the library; token: that of the file of the scene
    outputs: names and units of columns

    Variables have references in this order: 0 the time, the inputs, the outputs.
    """
    root = Element(
        "fmiModelDescription",
        fmiVersion="3.0",
        modelName=_text(scene.title) or identifier,
        instantiationToken=token,
        generationTool=f"Polhode {own_version()}".strip(),
        variableNamingConvention="flat",
    )
    if scene.description:
        root.set("description", _text(scene.description))
    step = repr(scene.solver.time_step)
    SubElement(
        root,
        "CoSimulation",
        modelIdentifier=identifier,
        canHandleVariableCommunicationStepSize="true",
        fixedInternalStepSize=step,
        canGetAndSetFMUState="true",
        canSerializeFMUState="true",
    )
    _add_units(root, [*(number.unit for number in inputs), *(unit for _, unit in outputs), "s"])
    categories = SubElement(root, "LogCategories")
    for name, meaning in CATEGORIES.items():
        SubElement(categories, "Category", name=name, description=meaning)
    SubElement(root, "DefaultExperiment", startTime="0.0", stepSize=step)
    _add_variables(SubElement(root, "ModelVariables"), inputs, outputs)
    structure = SubElement(root, "ModelStructure")
    references = [str(1 + len(inputs) + k) for k in range(len(outputs))]
    for kind in ("Output", "InitialUnknown"):
        for reference in references:
            SubElement(structure, kind, valueReference=reference)
    indent(root)
    return tostring(root, encoding="UTF-8", xml_declaration=True)


def _text(text: str) -> str:
    """A text with the replacement character for what XML 1.0 can't contain, control characters above all."""
    return FORBIDDEN.sub("\ufffd", text)


def _add_units(root: Element, units: Iterable[str]) -> None:
    """Add the definitions of units by those of the SI; pure numbers have none."""
    definitions = SubElement(root, "UnitDefinitions")
    for unit in sorted(set(filter(None, units))):
        powers = dict(zip(BASE_UNITS, _exponents(unit), strict=True)) | {"rad": _power_of_radian(unit)}
        made = SubElement(definitions, "Unit", name=unit)
        SubElement(made, "BaseUnit", {name: str(power) for name, power in powers.items() if power})


def _exponents(unit: str) -> tuple[int, ...]:
    """Exponents of BASE_UNITS in a unit of a field or of a column."""
    return exponents(DERIVED.get(unit, unit).replace("²", "^2"))


def _power_of_radian(unit: str) -> int:
    """Exponent of the radian in a unit, which counts as a pure number elsewhere."""
    above, _, below = unit.partition("/")
    return above.split().count("rad") - below.split().count("rad")


def _add_variables(variables: Element, inputs: Sequence[SettableNumber], outputs: Sequence[tuple[str, str]]) -> None:
    """Add the time, the inputs and the outputs."""

    def add(reference: int, name: str, causality: str, unit: str, **others: str) -> None:
        known = {"unit": unit} if unit else {}
        names = {"name": name, "valueReference": str(reference), "causality": causality}
        SubElement(variables, "Float64", names | others | known)

    add(0, "time", "independent", "s", variability="continuous")
    for k, number in enumerate(inputs, 1):
        limits = {"min": number.lowest, "max": number.highest}
        made = {name: repr(limit) for name, limit in limits.items() if isfinite(limit)}
        add(k, number.name, "input", number.unit, start=repr(number.start), **made)
    for k, (name, unit) in enumerate(outputs, 1 + len(inputs)):
        add(k, name, "output", unit)
