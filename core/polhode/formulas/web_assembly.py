"""Formulas as modules of WebAssembly, for programs that have no compiler: their bytes are written here.

    module_of(form)    imports memory, and the kernels of functions that WebAssembly lacks; exports `formulas`

`formulas(variables, numbers, results)` takes three addresses in the imported memory, as the machine code of the form
does (core/polhode/formulas/codegen.py). It has the same steps in the same order, so it gives the same bits. A host puts
it into the function table of the module that calls it, and gives it the elementary functions (core/polhode/jit/libm) of
that table, which are named as units. These write their result behind their first argument: `results` is free until the
end.

Format: WebAssembly Core Specification 2.0, chapter 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import pack

from polhode.formulas.codegen import FormulaTemplate
from polhode.formulas.expression import FUNCTIONS
from polhode.formulas.sampled import HEAD
from polhode.jit.libm.by_name import name_of_unit

FUNCTION, MEMORY, BEGIN = 0, 2, b"\0asm\1\0\0\0"
I32, F64, NOTHING = 0x7F, 0x7C, 0x40  # types of values, and of a block without a result
VARIABLES, NUMBERS, RESULTS, TABLE, COUNT, LOW, HIGH, MIDDLE, IS_BELOW, FIRST_VALUE = range(10)
"""Locals: the three arguments, those of a search in a table (32-bit integers), then values (64-bit floats)."""
BLOCK, LOOP, END, BRANCH, BRANCH_IF, CALL, DROP, SELECT = 0x02, 0x03, 0x0B, 0x0C, 0x0D, 0x10, 0x1A, 0x1B
GET, SET, LOAD, STORE, I32_CONST, F64_CONST = 0x20, 0x21, 0x2B, 0x39, 0x41, 0x44
I32_LE, I32_ADD, I32_SUB, I32_MUL, I32_SHIFT = b"\x4c", b"\x6a", b"\x6b", b"\x6c", b"\x76"
NOT_EQUAL, LESS, GREATER, AT_MOST = b"\x62", b"\x63", b"\x64", b"\x65"  # of floats
TO_FLOAT, TO_INTEGER = b"\xb7", b"\xfc\x02"  # the latter saturates
SUM, DIFFERENCE, PRODUCT, QUOTIENT = b"\xa0", b"\xa1", b"\xa2", b"\xa3"
INSTRUCTIONS = {"+": SUM, "-": DIFFERENCE, "*": PRODUCT, "/": QUOTIENT, "min": b"\xa4", "max": b"\xa5"}
INSTRUCTIONS |= {"abs": b"\x99", "neg": b"\x9a", "floor": b"\x9c", "sqrt": b"\x9f"}
"""Operations of formulas that are instructions."""


def functions_of(form: FormulaTemplate) -> dict[str, int]:
    """Names of the units that the module of a form imports from `env`, with the number of their arguments, floats."""
    heads = [head for head, arguments in form.steps if isinstance(head, str) and len(arguments) > 0]
    known = FUNCTIONS | {"^": 2}
    called = dict.fromkeys(head for head in heads if head in known and head not in INSTRUCTIONS and head != "sign")
    return {name_of_unit(head): known[head] for head in called}


def module_of(form: FormulaTemplate) -> bytes:
    """The bytes of a module that evaluates a form."""
    needed = functions_of(form)
    types = [_type([I32] * 3, []), *(_type([I32, I32, *[F64] * count], [I32]) for count in (1, 2))]
    memory = _encoded("env") + _encoded("memory") + bytes([MEMORY, 0, 0])  # of any size
    imports = [_encoded("env") + _encoded(name) + bytes([FUNCTION, count]) for name, count in needed.items()]
    code = _Code(form, list(needed)).whole()
    sections = {
        1: types,
        2: [memory, *imports],
        3: [unsigned(0)],
        7: [_encoded("formulas") + bytes([FUNCTION]) + unsigned(len(needed))],
        10: [unsigned(len(code)) + code],
    }
    return BEGIN + b"".join(bytes([number]) + sized(vector(parts)) for number, parts in sections.items())


class _Code:
    """The body of a function that evaluates a form; each value gets a local of its own."""

    def __init__(self, form: FormulaTemplate, functions: list[str]):
        self.form, self.functions = form, functions
        self.code, self.count = bytearray(), 0
        self.values: list[bytes] = []  # code that gets the value of each step

    def whole(self) -> bytes:
        """Declarations of locals, and the code."""
        for head, arguments in self.form.steps:
            if head == "number":
                value = _load(_get(NUMBERS), arguments[0])
            elif not arguments:
                value = _load(_get(VARIABLES), self.form.variables.index(str(head)))
            elif head == "power":
                value = self._power(self.values[arguments[0]], arguments[1])
            elif head == "table":
                value = self._interpolated(self.values[arguments[0]], arguments[1])
            else:
                value = self._operation(str(head), [self.values[k] for k in arguments])
            self.values.append(self._kept(value))
        for k, step in enumerate(self.form.results):
            self.code += _get(RESULTS) + self.values[step] + bytes([STORE, 3]) + unsigned(8 * k)
        integers = unsigned(FIRST_VALUE - TABLE) + bytes([I32])
        return vector([integers, unsigned(self.count) + bytes([F64])]) + bytes(self.code) + bytes([END])

    def _kept(self, value: bytes) -> bytes:
        """Evaluate a value once into a new local; returns the code that gets it."""
        local = FIRST_VALUE + self.count
        self.count += 1
        self.code += value + _set(local)
        return _get(local)

    def _power(self, base: bytes, exponent: int) -> bytes:
        """base^exponent by repeated squaring, as the machine code has it; a negative exponent divides 1 by it."""
        result, square, left = b"", base, abs(exponent)
        while left:
            if left & 1:
                result = self._kept(result + square + PRODUCT) if result else square
            left >>= 1
            square = self._kept(square + square + PRODUCT) if left else square
        return _float(1.0) + result + QUOTIENT if exponent < 0 else result

    def _operation(self, name: str, values: list[bytes]) -> bytes:
        """The value of an operation: an instruction, or a call of an imported function."""
        if name == "sign":
            (value,) = values
            above, below = (value + _float(0.0) + compared + TO_FLOAT for compared in (GREATER, LESS))
            return value + above + below + DIFFERENCE + value + value + NOT_EQUAL + bytes([SELECT])
        if name in INSTRUCTIONS:
            return b"".join(values) + INSTRUCTIONS[name]
        called = bytes([CALL]) + unsigned(self.functions.index(name_of_unit(name)))
        return _get(RESULTS) + _get(RESULTS) + b"".join(values) + called + bytes([DROP]) + _load(_get(RESULTS), 0)

    def _interpolated(self, argument: bytes, place: int) -> bytes:
        """The value of a function of samples; the index of its table among the numbers is the number `place`."""
        begin = _load(_get(NUMBERS), place) + TO_INTEGER
        self.code += _get(NUMBERS) + begin + _integer(8) + I32_MUL + I32_ADD + _set(TABLE)
        self.code += _load(_get(TABLE), 0) + TO_INTEGER + _set(COUNT)
        self.code += _integer(0) + _set(LOW) + _get(COUNT) + _integer(1) + I32_SUB + _set(HIGH)
        self.code += self._bisection(argument)
        s = self._kept(argument + _load(_element(_get(LOW)), HEAD) + DIFFERENCE)
        piece = _element(_get(COUNT) + _get(LOW) + _integer(4) + I32_MUL + I32_ADD)
        value = _load(piece, HEAD + 3)
        for k in (2, 1, 0):
            value = self._kept(_load(piece, HEAD + k) + s + value + PRODUCT + SUM)
        last = _load(_element(_get(COUNT)), HEAD - 1)
        value = self._kept(_load(_get(TABLE), 2) + value + argument + last + GREATER + bytes([SELECT]))
        first = _load(_get(TABLE), HEAD)
        return _load(_get(TABLE), 1) + value + argument + first + LESS + bytes([SELECT])

    def _bisection(self, argument: bytes) -> bytes:
        """Code that finds the piece LOW of the table in which an argument is."""
        is_found = _get(HIGH) + _get(LOW) + I32_SUB + _integer(1) + I32_LE + bytes([BRANCH_IF, 1])
        middle = _get(LOW) + _get(HIGH) + I32_ADD + _integer(1) + I32_SHIFT + _set(MIDDLE)
        is_below = _load(_element(_get(MIDDLE)), HEAD) + argument + AT_MOST + _set(IS_BELOW)
        chosen = _get(IS_BELOW) + bytes([SELECT])
        low, high = _get(MIDDLE) + _get(LOW) + chosen + _set(LOW), _get(HIGH) + _get(MIDDLE) + chosen + _set(HIGH)
        halved = is_found + middle + is_below + low + high + bytes([BRANCH, 0])
        return bytes([BLOCK, NOTHING, LOOP, NOTHING]) + halved + bytes([END, END])


def _get(local: int) -> bytes:
    return bytes([GET]) + unsigned(local)


def _set(local: int) -> bytes:
    return bytes([SET]) + unsigned(local)


def _integer(value: int) -> bytes:
    """A constant from 0 to 63, which is one byte."""
    return bytes([I32_CONST, value])


def _float(value: float) -> bytes:
    return bytes([F64_CONST]) + pack("<d", value)


def _load(address: bytes, k: int) -> bytes:
    """The k-th float64 from an address on."""
    return address + bytes([LOAD, 3]) + unsigned(8 * k)


def _element(k: bytes) -> bytes:
    """Address of the k-th number of the table, k an integer of 32 bits."""
    return _get(TABLE) + k + _integer(8) + I32_MUL + I32_ADD


def _type(arguments: list[int], results: list[int]) -> bytes:
    """Type of a function."""
    return b"\x60" + sized(bytes(arguments)) + sized(bytes(results))


def _encoded(text: str) -> bytes:
    return sized(text.encode())


def sized(content: bytes) -> bytes:
    """Bytes with their number before them."""
    return unsigned(len(content)) + content


def vector(parts: Iterable[bytes]) -> bytes:
    """Parts with their number before them."""
    listed = list(parts)
    return unsigned(len(listed)) + b"".join(listed)


def unsigned(value: int) -> bytes:
    """An integer as LEB128: seven bits in a byte, the lowest first."""
    groups = [value & 127]
    while value := value >> 7:
        groups[-1] |= 128
        groups.append(value & 127)
    return bytes(groups)
