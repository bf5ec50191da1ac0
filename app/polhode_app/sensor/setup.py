"""Sensor set-ups as JSON text for the settings. Invalid entries are replaced by defaults."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, TypeAdapter

from polhode_app.sensor.calibration import Calibration, calibrated
from polhode_app.sensor.filtering import FilterSettings
from polhode_app.sensor.port import BAUDS, USUAL_BAUD, Address, Unit
from polhode_app.stored_values import json_object, read_as

MEDIANS = (1, 3, 5, 7, 9)
CUTOFFS = (0.1, 20.0)  # [Hz] range of the cut-off
LARGEST = 1e12  # of a number of a calibration: their squares stay within the range of float64


@dataclass(frozen=True)
class Setup:
    """Set-up of one device."""

    calibration: Calibration = field(default_factory=Calibration)
    filtering: FilterSettings = field(default_factory=FilterSettings)
    baud: int = USUAL_BAUD
    unit: Unit = "mm"  # unit of bare numbers


def as_json_values(setup: Setup) -> dict[str, Any]:
    """The set-up as plain values for JSON."""
    return {
        "calibration": {"kind": setup.calibration.kind, "pairs": setup.calibration.pairs},
        "filter": asdict(setup.filtering),
        "baud": setup.baud,
        "unit": setup.unit,
    }


def read_setup(text: str, name: str) -> Setup:
    """The set-up of the device `name` in a text of `with_setup`, or the default one."""
    found = json_object(text).get(name)
    if not isinstance(found, dict):
        return Setup()
    return Setup(
        read_as(CALIBRATION, found.get("calibration"), Calibration()),
        read_as(FILTER, found.get("filter"), FilterSettings()),
        read_as(BAUD, found.get("baud"), USUAL_BAUD),
        read_as(UNIT, found.get("unit"), "mm"),
    )


def with_setup(text: str, name: str, setup: Setup) -> str:
    """The text with the set-up of one device replaced or added."""
    return json.dumps({**json_object(text), name: as_json_values(setup)})


def address_text(address: Address) -> str:
    """The address as JSON text."""
    return json.dumps(asdict(address))


def read_address(text: str) -> Address | None:
    """The address in a text of `address_text`, or None if it is invalid."""
    return read_as(ADDRESS, json_object(text), None)


def _calibrated(found: Calibration) -> Calibration:
    """A calibration that is made again from its pairs. Raises InvalidValue, or ValueError for huge numbers."""
    if not all(abs(number) <= LARGEST for pair in found.pairs for number in pair):
        raise ValueError
    return calibrated(found.pairs, found.kind) if found.pairs else found


def _within_range(found: FilterSettings) -> FilterSettings:
    """A filter whose settings are within their ranges. Raises ValueError."""
    low, high = CUTOFFS
    if found.median not in MEDIANS or not low <= found.cutoff <= high or not 0 <= found.beta <= 1:
        raise ValueError
    return found


CALIBRATION = TypeAdapter(Annotated[Calibration, AfterValidator(_calibrated)])
FILTER = TypeAdapter(Annotated[FilterSettings, AfterValidator(_within_range)])
BAUD, UNIT, ADDRESS = TypeAdapter(Literal[BAUDS]), TypeAdapter(Unit), TypeAdapter(Address | None)
