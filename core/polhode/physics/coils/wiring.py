"""Circuits of a scene: coils alone, and those in series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polhode.data.inputs import Source
from polhode.physics.coils.description import (
    Circuit,
    CircuitSource,
    Coil,
    CurrentSource,
    OpenSource,
    VoltageSource,
)
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue, Problem


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
    def formula(self) -> tuple[str, Source] | None:
        """Path and formula, or number, of the voltage [V] or of the given current [A]."""
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
    """All circuits of a scene: the coils that are alone in their order, then those of the list of circuits.

    A circuit without coils is left out.
    """
    numbers = {coil.name: k for k, coil in enumerate(coils)}
    for k, coil in enumerate(coils):
        if not isinstance(coil.source, CircuitSource):
            yield Wiring(coil.name, (k,), (1.0,), coil, f"coil[{k}]", coil.ohms)
    for n, circuit in enumerate(circuits):
        signs = _signs(circuit, coils)
        if signs:
            members = tuple(numbers[name] for name in signs)
            ohms = circuit.resistance + sum(coils[k].ohms for k in members)
            yield Wiring(circuit.name, members, tuple(signs.values()), circuit, f"circuit[{n}]", ohms)


def _signs(circuit: Circuit, coils: Sequence[Coil]) -> dict[str, float]:
    """1, or -1 where it is connected the other way round, of each coil of a circuit, by name."""
    signs = {name.removeprefix("-"): -1.0 if name.startswith("-") else 1.0 for name in circuit.coils}
    connected = [coil for coil in coils if isinstance(coil.source, CircuitSource)]
    return signs | {coil.name: 1.0 for coil in connected if names_circuit(coil, circuit) and coil.name not in signs}


def coils_of(circuit: Circuit, coils: Sequence[Coil]) -> list[int]:
    """Numbers of the coils of a circuit."""
    names = _signs(circuit, coils)
    return [k for k, coil in enumerate(coils) if coil.name in names]


def names_circuit(coil: Coil, circuit: Circuit) -> bool:
    """Whether a coil is connected to a circuit."""
    return isinstance(coil.source, CircuitSource) and coil.source.circuit == circuit.name


def check_wiring(coils: Sequence[Coil], circuits: Sequence[Circuit]) -> None:
    """Raise InvalidValue unless coils and circuits name each other, and something limits each current."""
    named = {coil.name: coil for coil in coils}
    for n, circuit in enumerate(circuits):
        for name in circuit.members:
            if name not in named:
                rule = Message("names '{coil}', which is no coil", coil=name)
                raise InvalidValue(rule, Message("name a coil of the scene"), f"circuit[{n}].coils")
            if not names_circuit(named[name], circuit):
                rule = Message("names '{coil}', which is not connected to this circuit", coil=name)
                remedy = Message("connect that coil to it: its source is the circuit '{name}'", name=circuit.name)
                raise InvalidValue(rule, remedy, f"circuit[{n}].coils")
        members = [named[name] for name in _signs(circuit, coils)]
        ohms = circuit.resistance + sum(coil.ohms for coil in members)
        inductances = [coil.inductance for coil in members]
        if members and float(ohms) == 0.0 and all(each is not None and float(each) == 0.0 for each in inductances):
            rule = Message("is 0, and so are all inductances: nothing would limit the current")
            raise InvalidValue(rule, Message("give one of the two"), f"circuit[{n}].resistance")
    for k, coil in enumerate(coils):
        source = coil.source
        if isinstance(source, CircuitSource) and not any(names_circuit(coil, circuit) for circuit in circuits):
            rule = Message("names '{circuit}', which is no circuit", circuit=source.circuit)
            raise InvalidValue(rule, Message("add a circuit of that name"), f"coil[{k}].source.circuit")


def empty_circuits(coils: Sequence[Coil], circuits: Sequence[Circuit]) -> list[Problem]:
    """Warnings about circuits without coils, which do nothing."""
    rule, remedy = Message("the circuit has no coil"), Message("connect a coil to it")
    return [Problem(f"circuit[{n}]", rule, remedy) for n, one in enumerate(circuits) if not _signs(one, coils)]
