"""Sensor set-ups as JSON text for the settings. Invalid entries are replaced by defaults."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any, get_args

from app.sensor.calibration import Calibration, calibrated
from app.sensor.filtering import FilterSettings, Kind
from app.sensor.port import BAUDS, IN_MILLIMETRES, USUAL_BAUD, Address, Unit

MEDIANS = (1, 3, 5, 7, 9)
CUTOFFS = (0.1, 20.0)  # [Hz] range of the cut-off


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
    found = _table(text).get(name)
    if not isinstance(found, dict):
        return Setup()
    baud, unit = found.get("baud"), found.get("unit")
    return Setup(
        _calibration(found.get("calibration")),
        _filtering(found.get("filter")),
        baud if baud in BAUDS else USUAL_BAUD,
        unit if unit in IN_MILLIMETRES else "mm",
    )


def with_setup(text: str, name: str, setup: Setup) -> str:
    """The text with the set-up of one device replaced or added."""
    return json.dumps({**_table(text), name: as_json_values(setup)})


def address_text(address: Address) -> str:
    """The address as JSON text."""
    return json.dumps(asdict(address))


def read_address(text: str) -> Address | None:
    """The address in a text of `address_text`, or None if it is invalid."""
    found = _table(text)
    path, vendor, product, number = (found.get(key) for key in ("path", "vendor", "product", "serial_number"))
    numbers = all(each is None or type(each) is int for each in (vendor, product))
    sound = isinstance(path, str) and numbers and (number is None or isinstance(number, str))
    return Address(path, vendor, product, number) if sound else None  # type: ignore[arg-type]


def _table(text: str) -> dict[str, Any]:
    """The JSON object in a text, or an empty one."""
    try:
        table = json.loads(text)
    except ValueError:
        return {}
    return table if isinstance(table, dict) else {}


def _calibration(found: Any) -> Calibration:
    """A calibration from JSON values, or the default one."""
    try:
        pairs = [(float(raw), float(known)) for raw, known in found["pairs"]]
        sound = all(isfinite(number) for pair in pairs for number in pair)
        return calibrated(pairs, "table" if found["kind"] == "table" else "line") if pairs and sound else Calibration()
    except (TypeError, ValueError, KeyError):
        return Calibration()


def _filtering(found: Any) -> FilterSettings:
    """Filter settings from JSON values, or the default ones."""
    try:
        settings = FilterSettings(found["kind"], int(found["median"]), float(found["cutoff"]), float(found["beta"]))
    except (TypeError, ValueError, KeyError):
        return FilterSettings()
    low, high = CUTOFFS
    sound = settings.kind in get_args(Kind) and settings.median in MEDIANS
    return settings if sound and low <= settings.cutoff <= high and 0 <= settings.beta <= 1 else FilterSettings()
