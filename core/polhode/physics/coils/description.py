"""Coils: windings of wire in which magnets and other coils induce a current, or through which a source drives one."""

from __future__ import annotations

from math import pi
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, PlainValidator, model_validator

from polhode.physics.bodies.shapes import Placed, Radius
from polhode.physics.paths.description import InT
from polhode.scene.formula_vector import COMPONENT_SCHEMA, as_component
from polhode.scene.measured_input import FORMULA, OR_MEASURED, Measured
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Color, Name, NotNegative, Number, Positive, Quantity, Vector

MOST_POINTS = 1000  # of a polygon
FOLDED = -0.999  # cosine of the angle of two pieces of which one goes back along the other


def _in_time(value: object) -> float | str:
    return as_component(value, ("t",))


OfTime = Annotated[Annotated[float | str, PlainValidator(_in_time), COMPONENT_SCHEMA, FORMULA] | Measured, OR_MEASURED]
"""A number, or a formula of t [s]."""


class LoopWinding(ScenePart):
    """All turns in one place: a ring."""

    kind: Literal["loop"] = Field(default=...)
    radius: Radius
    """Radius of the ring, to the middle of the wire."""
    wire_radius: Radius
    """Radius of the bundle of wires."""

    @model_validator(mode="after")
    def _has_a_hole(self) -> LoopWinding:
        if self.wire_radius >= self.radius:
            rule = Message("is {value:g} m, not less than the radius of the ring", value=self.wire_radius)
            raise InvalidValue(rule, Message("take a thinner wire"), "wire_radius")
        return self


class SolenoidWinding(ScenePart):
    """One layer of many turns, side by side along the axis."""

    kind: Literal["solenoid"] = Field(default=...)
    radius: Radius
    """Radius of the layer."""
    length: Annotated[Positive, Quantity("m")]
    """Length along the axis."""


class ThickWinding(ScenePart):
    """Many layers: a winding with a rectangular section."""

    kind: Literal["thick"] = Field(default=...)
    inner_radius: Radius
    """Radius of the innermost layer."""
    outer_radius: Radius
    """Radius of the outermost layer."""
    length: Annotated[Positive, Quantity("m")]
    """Length along the axis."""

    @model_validator(mode="after")
    def _has_layers(self) -> ThickWinding:
        if self.outer_radius <= self.inner_radius:
            rule = Message("is {value:g} m, not more than inner_radius", value=self.outer_radius)
            raise InvalidValue(rule, Message("exchange the two"), "outer_radius")
        return self


class PolygonWinding(ScenePart):
    """All turns along a closed line of straight pieces: a frame, or wires of any form."""

    kind: Literal["polygon"] = Field(default=...)
    points: Annotated[tuple[Vector, ...], Quantity("m"), Field(min_length=3, max_length=MOST_POINTS)]
    """Corners of the line, in the order of the current; the last one is connected with the first one."""
    wire_radius: Radius
    """Radius of the bundle of wires."""

    @model_validator(mode="after")
    def _has_pieces(self) -> PolygonWinding:
        lengths = np.linalg.norm(self.pieces[:, 3:] - self.pieces[:, :3], axis=1)
        short = np.flatnonzero(lengths <= 2.0 * self.wire_radius)
        if len(short):
            values = {"one": int(short[0]), "other": int(short[0] + 1) % len(self.points)}
            rule = Message("has the points {one} and {other} nearer to each other than the wire is thick", **values)
            raise InvalidValue(rule, Message("take a thinner wire, or leave one of them out"), "points")
        along = (self.pieces[:, 3:] - self.pieces[:, :3]) / lengths[:, None]
        folded = np.flatnonzero((along * np.roll(along, 1, axis=0)).sum(axis=1) < FOLDED)
        if len(folded):
            rule = Message("turns back along the same line at point {one}", one=int(folded[0]))
            raise InvalidValue(rule, Message("leave the point out"), "points")
        return self

    @property
    def pieces(self) -> np.ndarray:
        """(n, 6) [m] begin and end of each straight piece."""
        corners = np.array(self.points)
        return np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)


Winding = Annotated[LoopWinding | SolenoidWinding | ThickWinding | PolygonWinding, Field(discriminator="kind")]


class Wire(ScenePart):
    """The wire of a coil, from which its resistance follows."""

    radius: Radius
    """Radius of the wire."""
    conductivity: Annotated[Positive, Quantity("S/m")] = 5.9e7
    """Electric conductivity: copper 5.9e7, aluminium 3.7e7."""


class OpenSource(ScenePart):
    """The ends of the coil are not connected: no current, but a voltage."""

    kind: Literal["open"] = Field(default=...)


class ShortedSource(ScenePart):
    """The ends of the coil are connected with each other."""

    kind: Literal["shorted"] = "shorted"


class VoltageSource(ScenePart):
    """A source of voltage between the ends of the coil."""

    kind: Literal["voltage"] = Field(default=...)
    voltage: Annotated[OfTime, Quantity("V")]
    """Voltage: a number, or a formula of t [V]."""


class CurrentSource(ScenePart):
    """A source that drives a given current, independently of the voltage."""

    kind: Literal["current"] = Field(default=...)
    current: Annotated[OfTime, Quantity("A")]
    """Current: a number, or a formula of t [A]."""


class CircuitSource(ScenePart):
    """Other coils, a capacitor, a switch: the coil is a part of a circuit."""

    kind: Literal["circuit"] = Field(default=...)
    circuit: Name
    """Name of the circuit."""


Source = Annotated[
    OpenSource | ShortedSource | VoltageSource | CurrentSource | CircuitSource, Field(discriminator="kind")
]


class Coil(Placed):
    """A winding of wire about the z axis of its frame, on a body or in the laboratory.

    Current, flux and voltage count by the right-hand rule about that axis.
    """

    name: Name = "coil"
    """Name, unique in the scene."""
    body: Name | None = None
    """Name of the body that carries the coil, in whose frame it is placed; without it the laboratory."""
    winding: Winding
    """Shape of the winding."""
    turns: Positive = 100.0
    """Number of turns."""
    resistance: Annotated[NotNegative, Quantity("ohm")] | None = None
    """Resistance of the circuit; 0 makes it a superconductor."""
    wire: Wire | None = None
    """The wire, from which the resistance follows, in place of a stated one."""
    inductance: Annotated[NotNegative, Quantity("H")] | None = None
    """Self inductance; left out it follows from the winding, 0 leaves out what the coil induces in itself."""
    current: Annotated[Number, Quantity("A")] = 0.0
    """Current at the start, of a coil that is shorted or has a source of voltage."""
    source: Source = ShortedSource()
    """Connection of the two ends of the coil."""
    color: Color | None = None
    """Colour by name, #rrggbb, or #rrggbbaa with its opacity; none: that of copper."""

    @model_validator(mode="after")
    def _resists(self) -> Coil:
        if self.resistance is not None and self.wire is not None:
            raise InvalidValue(Message("has both resistance and wire"), Message("remove one of them"), "resistance")
        if self.is_circuit and self.resistance is None and self.wire is None:
            rule = Message("is missing: a coil with this source needs a resistance or a wire")
            raise InvalidValue(rule, Message("give one; 0 makes it a superconductor"), "resistance")
        is_pure = self.inductance is not None and float(self.inductance) == 0.0
        if self.is_circuit and float(self.ohms) == 0.0 and is_pure:
            rule = Message("is 0, and so is the resistance: nothing would limit the current")
            raise InvalidValue(rule, Message("give one of the two"), "inductance")
        return self

    @property
    def is_circuit(self) -> bool:
        """Whether the coil is a circuit by itself, whose current follows from a law: neither none nor a given one."""
        return isinstance(self.source, ShortedSource | VoltageSource)

    @property
    def ohms(self) -> float:
        """Resistance [ohm]; 0 of a coil that states none."""
        if self.wire is None:
            return self.resistance or 0.0
        return self.length_of_wire / (self.wire.conductivity * pi * self.wire.radius**2)

    @property
    def mean_radius(self) -> float:
        """[m] of the winding."""
        winding = self.winding
        if isinstance(winding, ThickWinding):
            return 0.5 * (winding.inner_radius + winding.outer_radius)
        if isinstance(winding, PolygonWinding):
            return float(np.hypot(winding.pieces[:, 0], winding.pieces[:, 1]).mean())
        return winding.radius

    @property
    def outer_radius(self) -> float:
        """[m] of the outermost wire."""
        winding = self.winding
        if isinstance(winding, PolygonWinding):
            return float(np.hypot(winding.pieces[:, 0], winding.pieces[:, 1]).max()) + winding.wire_radius
        if isinstance(winding, ThickWinding):
            return winding.outer_radius
        return winding.radius + (winding.wire_radius if isinstance(winding, LoopWinding) else 0.0)

    @property
    def half_length(self) -> float:
        """[m] half the extent along the axis."""
        winding = self.winding
        if isinstance(winding, PolygonWinding):
            return float(np.abs(winding.pieces[:, 2]).max()) + winding.wire_radius
        return winding.wire_radius if isinstance(winding, LoopWinding) else 0.5 * winding.length

    @property
    def length_of_wire(self) -> float:
        """[m] of all turns."""
        if isinstance(self.winding, PolygonWinding):
            pieces = self.winding.pieces
            return self.turns * float(np.linalg.norm(pieces[:, 3:] - pieces[:, :3], axis=1).sum())
        return 2.0 * pi * self.mean_radius * self.turns


class Circuit(ScenePart):
    """Coils in series, with one current: with a resistance, a source of voltage, a capacitor and a switch."""

    name: Name = "circuit"
    """Name, unique in the scene."""
    coils: tuple[Name, ...] = ()
    """Names of the coils; one with a minus before it is connected the other way round. Coils that are connected to the
    circuit, and not listed, come after these.
    """
    resistance: Annotated[NotNegative, Quantity("ohm")] = 0.0
    """Resistance besides those of the coils."""
    capacitance: Annotated[Positive, Quantity("F")] | None = None
    """Capacitance of a capacitor in series; none: no capacitor."""
    charge: Annotated[Number, Quantity("C")] = 0.0
    """Charge of the capacitor at the start."""
    current: Annotated[Number, Quantity("A")] = 0.0
    """Current at the start."""
    voltage: Annotated[OfTime, Quantity("V")] = 0.0
    """Voltage of a source in series: a number, or a formula of t [V]."""
    switch: InT | None = None
    """Formula of t: the switch is closed while it is positive. None: no switch."""

    @model_validator(mode="after")
    def _has_what_it_starts_with(self) -> Circuit:
        if float(self.charge) != 0.0 and self.capacitance is None:
            rule = Message("is {value:g} C, and the circuit has no capacitor", value=self.charge)
            raise InvalidValue(rule, Message("give a capacitance, or leave out the charge"), "charge")
        if len(set(self.members)) < len(self.members):
            raise InvalidValue(Message("names a coil twice"), Message("remove one of them"), "coils")
        return self

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the coils without signs."""
        return tuple(name.removeprefix("-") for name in self.coils)
