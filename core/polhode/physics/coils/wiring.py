"""Circuits of a scene: coils alone, and those in series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polhode.physics.coils.description import (
    Circuit,
    CircuitSource,
    Coil,
    CurrentSource,
    OpenSource,
    VoltageSource,
)
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue


@dataclass(frozen=True)
class Wiring:
    """One current: a coil alone, or a circuit of several."""

    name: str
    coils: tuple[int, ...]
    """Numbers of the coils that it flows through."""
    signs: tuple[float, ...]
    """1, or -1 of a coil that is connected the other way round."""
    item: Coil | Circuit
    path: str
    """Where the scene has it: coil[0]."""
    resistance: float
    """[ohm] with those of all its coils."""

    @property
    def is_open(self) -> bool:
        """Whether no current ever flows."""
        return isinstance(self.item, Coil) and isinstance(self.item.source, OpenSource)

    @property
    def is_driven(self) -> bool:
        """Whether the current is a given one."""
        return isinstance(self.item, Coil) and isinstance(self.item.source, CurrentSource)

    @property
    def formula(self) -> tuple[str, str] | None:
        """Path and text of the formula of the voltage [V] or of the given current [A]."""
        if isinstance(self.item, Circuit):
            return f"{self.path}.voltage", self.item.voltage
        source = self.item.source
        if isinstance(source, VoltageSource):
            return f"{self.path}.source.voltage", source.voltage
        return (f"{self.path}.source.current", source.current) if isinstance(source, CurrentSource) else None

    @property
    def switch(self) -> str | None:
        """Formula of the switch."""
        return self.item.switch if isinstance(self.item, Circuit) else None

    @property
    def elastance(self) -> float:
        """1/C [1/F]; 0 without a capacitor."""
        capacitance = self.item.capacitance if isinstance(self.item, Circuit) else None
        return 0.0 if capacitance is None else 1.0 / capacitance

    @property
    def charge(self) -> float:
        """[C] of the capacitor at the start."""
        return self.item.charge if isinstance(self.item, Circuit) else 0.0


def wirings(coils: Sequence[Coil], circuits: Sequence[Circuit]) -> Iterator[Wiring]:
    """All circuits of a scene: the coils that are alone in their order, then those of the list of circuits."""
    numbers = {coil.name: k for k, coil in enumerate(coils)}
    for k, coil in enumerate(coils):
        if not isinstance(coil.source, CircuitSource):
            yield Wiring(coil.name, (k,), (1.0,), coil, f"coil[{k}]", coil.ohms)
    for n, circuit in enumerate(circuits):
        members = tuple(numbers[name] for name in circuit.members)
        signs = tuple(-1.0 if name.startswith("-") else 1.0 for name in circuit.coils)
        ohms = circuit.resistance + sum(coils[k].ohms for k in members)
        yield Wiring(circuit.name, members, signs, circuit, f"circuit[{n}]", ohms)


def check_wiring(coils: Sequence[Coil], circuits: Sequence[Circuit]) -> None:
    """Raise InvalidValue unless coils and circuits name each other, and something limits each current."""
    named = {coil.name: coil for coil in coils}
    for n, circuit in enumerate(circuits):
        for name in circuit.members:
            coil = named.get(name)
            if coil is None:
                rule = Message("names '{coil}', which is no coil", coil=name)
                raise InvalidValue(rule, Message("name a coil of the scene"), f"circuit[{n}].coils")
            if not isinstance(coil.source, CircuitSource) or coil.source.circuit != circuit.name:
                rule = Message("names '{coil}', which is not connected to this circuit", coil=name)
                remedy = Message(
                    'give that coil source = {{ kind = "circuit", circuit = "{name}" }}', name=circuit.name
                )
                raise InvalidValue(rule, remedy, f"circuit[{n}].coils")
        ohms = circuit.resistance + sum(named[name].ohms for name in circuit.members)
        if ohms == 0.0 and all(named[name].inductance == 0.0 for name in circuit.members):
            rule = Message("is 0, and so are all inductances: nothing would limit the current")
            raise InvalidValue(rule, Message("give one of the two"), f"circuit[{n}].resistance")
    members = {circuit.name: circuit.members for circuit in circuits}
    for k, coil in enumerate(coils):
        source = coil.source
        if isinstance(source, CircuitSource) and coil.name not in members.get(source.circuit, ()):
            rule = Message("names '{circuit}', which is no circuit with this coil", circuit=source.circuit)
            remedy = Message("add the coil to the list of the circuit")
            raise InvalidValue(rule, remedy, f"coil[{k}].source.circuit")
