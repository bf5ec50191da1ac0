"""Calls an FMU in random order with random arguments, right and wrong ones; the process must live.

    python tests/fmu_calls.py FOLDER FIRST COUNT     FOLDER: an extracted FMU; sequences FIRST ... FIRST + COUNT - 1

Pointers are those that the standard allows: NULL or to memory of the stated size. Instances and states are live ones.
Every answer must be one of the statuses, and what a call returns as a number must be finite. Prints each sequence
before it is run.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from ctypes import CDLL, byref, c_bool, c_char, c_char_p, c_double, c_size_t, c_uint32, c_void_p
from pathlib import Path

from fmpy import read_model_description

CALLS = 40  # of a sequence
NUMBERS = (0.0, 1e-3, 0.05, 0.01, 0.0004, -1.0, 1e9, 1e300, 5e-324, math.nan, math.inf, -math.inf)
STATUSES = range(5)
OTHERS = (
    *("fmi3EnterEventMode", "fmi3EnterStepMode", "fmi3EnterConfigurationMode", "fmi3GetClock", "fmi3SetTime"),
    *("fmi3GetDirectionalDerivative", "fmi3UpdateDiscreteStates", "fmi3GetOutputDerivatives"),
)


class Caller:
    """An FMU with an instance or none, and the states that were taken of it."""

    def __init__(self, folder: Path):
        described = read_model_description(str(folder))
        (self.library,) = map(CDLL, map(str, (folder / "binaries/x86_64-linux").iterdir()))
        self.token = described.instantiationToken.encode()
        self.resources = str(folder / "resources").encode() + b"/"
        self.known = len(described.modelVariables)
        self.library.fmi3InstantiateCoSimulation.restype = c_void_p
        self.instance: c_void_p | None = None
        self.states: list[c_void_p] = []

    def run(self, chance: random.Random, calls: int = CALLS) -> None:
        """One sequence with a new instance."""
        self.instantiate(chance, is_good=True)
        self.call("fmi3EnterInitializationMode", c_bool(False), c_double(0), c_double(0), c_bool(False), c_double(0))
        if chance.random() < 0.8:
            self.call("fmi3ExitInitializationMode")
        for _ in range(calls):
            chance.choice(self.actions())(chance)
        for state in self.states:
            self.library.fmi3FreeFMUState(self.instance, byref(state))
        self.states.clear()
        self.library.fmi3FreeInstance(self.instance)

    def actions(self) -> list[Callable[[random.Random], object]]:
        """Calls to choose from, frequent ones several times."""
        plain = ("fmi3ExitInitializationMode", "fmi3Terminate", "fmi3Reset", *OTHERS)
        return [
            *[self.step] * 8,
            *[self.get, self.set] * 3,
            *[self.take_state, self.set_state, self.serialise, self.initialise, self.others, self.again],
            lambda chance: self.call(chance.choice(plain)),
        ]

    def call(self, name: str, *arguments: object) -> int:
        """Call a function of the instance; its status must be one."""
        status = getattr(self.library, name)(self.instance, *arguments)
        assert status in STATUSES, (name, status)
        return status

    def instantiate(self, chance: random.Random, is_good: bool) -> None:
        """Make an instance, if necessary a good one."""
        names = [b"one"] if is_good else [b"", None, b"one"]
        tokens = [self.token] if is_good else [self.token, b"", None, self.token[:-1], self.token + b"0"]
        folders = [self.resources] if is_good else [self.resources, None, b"/nowhere/", b"x" * 5000]
        flags = [c_bool(not is_good and chance.random() < 0.2) for _ in range(4)]
        made = self.library.fmi3InstantiateCoSimulation(
            *(c_char_p(chance.choice(each)) for each in (names, tokens, folders)),
            *flags,
            None,
            c_size_t(0),
            None,
            None,
            None,
        )
        if is_good:
            assert made is not None
            self.instance = c_void_p(made)
        elif made is not None:
            self.library.fmi3FreeInstance(c_void_p(made))

    def again(self, chance: random.Random) -> None:
        """Another instance, or none."""
        self.instantiate(chance, is_good=False)

    def initialise(self, chance: random.Random) -> None:
        flags = [c_bool(chance.random() < 0.5) for _ in range(2)]
        numbers = [c_double(chance.choice(NUMBERS)) for _ in range(3)]
        self.call("fmi3EnterInitializationMode", flags[0], numbers[0], numbers[1], flags[1], numbers[2])

    def step(self, chance: random.Random) -> None:
        """Mostly from the right time."""
        now = c_double(0)
        zero = (c_uint32 * 1)(0)
        self.library.fmi3GetFloat64(self.instance, zero, c_size_t(1), byref(now), c_size_t(1))
        point = now.value if chance.random() < 0.9 else chance.choice(NUMBERS)
        length = chance.choice(NUMBERS[1:5]) if chance.random() < 0.7 else chance.choice(NUMBERS)
        if length > 1.0 and math.isfinite(length):
            length = 1e300  # 1e9 s would be run
        flags, reached = [c_bool() for _ in range(3)], c_double()
        places = [byref(each) if chance.random() < 0.98 else None for each in (*flags, reached)]
        self.call("fmi3DoStep", c_double(point), c_double(length), c_bool(chance.random() < 0.5), *places)

    def _references(self, chance: random.Random) -> tuple[object, int]:
        count = chance.choice((0, 1, 1, 2, 7))
        most = self.known if chance.random() < 0.8 else 2**32 - 1
        return (c_uint32 * 8)(*(chance.randrange(most) for _ in range(8))), count

    def get(self, chance: random.Random) -> None:
        references, count = self._references(chance)
        values = (c_double * 8)()
        given = count if chance.random() < 0.9 else chance.randrange(8)
        arrays = [references, values] if chance.random() < 0.97 else [None, values]
        if self.call("fmi3GetFloat64", arrays[0], c_size_t(count), arrays[1], c_size_t(given)) == 0:
            assert all(map(math.isfinite, values[:count])), "a number is not finite"

    def set(self, chance: random.Random) -> None:
        references, count = self._references(chance)
        numbers = NUMBERS[:6] if chance.random() < 0.9 else NUMBERS
        values = (c_double * 8)(*(chance.choice(numbers) for _ in range(8)))
        given = count if chance.random() < 0.9 else chance.randrange(8)
        self.call("fmi3SetFloat64", references, c_size_t(count), values, c_size_t(given))

    def others(self, chance: random.Random) -> None:
        """Variables of other kinds."""
        references, count = self._references(chance)
        kind = chance.choice(("Float32", "Int8", "UInt64", "Boolean", "String"))
        self.call(
            f"fmi3{chance.choice(('Get', 'Set'))}{kind}", references, c_size_t(count), (c_char * 64)(), c_size_t(count)
        )

    def take_state(self, chance: random.Random) -> None:
        state = chance.choice(self.states) if self.states and chance.random() < 0.3 else c_void_p()
        if (
            self.call("fmi3GetFMUState", byref(state) if chance.random() < 0.95 else None) == 0
            and state not in self.states
        ):
            self.states.append(state)

    def set_state(self, chance: random.Random) -> None:
        self.call("fmi3SetFMUState", chance.choice(self.states) if self.states else None)

    def serialise(self, chance: random.Random) -> None:
        """To bytes and back, sometimes damaged."""
        size, state = c_size_t(), chance.choice(self.states) if self.states else None
        if self.call("fmi3SerializedFMUStateSize", state, byref(size)) != 0:
            return
        content = (c_char * size.value)()
        self.call("fmi3SerializeFMUState", state, content, c_size_t(size.value - (chance.random() < 0.1)))
        if chance.random() < 0.5:
            content[chance.randrange(size.value)] = bytes([chance.randrange(256)])
        other = c_void_p()
        given = size.value if chance.random() < 0.8 else chance.randrange(size.value)
        if self.call("fmi3DeserializeFMUState", content, c_size_t(given), byref(other)) == 0:
            self.states.append(other)


def main(words: list[str]) -> None:
    """Run the sequences."""
    caller = Caller(Path(words[0]))
    first, count = map(int, words[1:])
    for number in range(first, first + count):
        print(number, flush=True)
        caller.run(random.Random(number))


if __name__ == "__main__":
    main(sys.argv[1:])
