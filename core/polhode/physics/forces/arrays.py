"""Kernel arrays of forces by formulas."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import Addresses, KernelStruct
from polhode.jit.user_functions import GIVEN


class Forces(KernelStruct):
    """Forces of a scene in order, constant. Each acts on a body or on a point. Read by LAW, ENERGY and OBSERVE."""

    body: np.ndarray
    """(f,) int64, NOTHING for a force on a point."""
    point: np.ndarray
    """(f,) int64 index of a point, NOTHING for a force on a body."""
    arm: np.ndarray
    """(f, 3) [m] from the body's reference point, body frame."""
    address: Addresses
    """(f,) int64 machine code of F, T, U and dU/dt, eight numbers of x, y, z, vx, vy, vz and t (`call_7_8`)."""
    first: np.ndarray
    """(f,) int64 index of the first constant of each."""
    numbers: np.ndarray
    """(k,) constants of the formulas."""
    conserves: np.ndarray
    """(f,) bool: the force has a potential energy U."""
    any_conserves: bool
    """Whether one of them has."""
    column: np.ndarray
    """(f,) int64 index of the thing among those that have forces, for the columns."""


class FunctionForces(KernelStruct):
    """Forces by functions of a program that uses the library; an input. Read by LAW."""

    body: np.ndarray
    """(f,) int64, NOTHING for a force on a point."""
    point: np.ndarray
    """(f,) int64 index of a point, NOTHING for a force on a body."""
    address: Addresses
    """(f,) int64 machine code of the function (`call_function`); 0: the force is held during a step."""
    held: np.ndarray
    """(f, 6) force [N] and torque [N m] that are held, laboratory frame."""
    failed: np.ndarray
    """(f,) bool, written by LAW: the function has raised an exception."""
    arguments: np.ndarray
    """(f, GIVEN) of the call in which it did."""


def no_function_forces() -> FunctionForces:
    """The input of a scene without forces by functions, for which no hook is called."""
    none = np.zeros(0, dtype=np.int64)
    return FunctionForces(none, none, none, np.zeros((0, 6)), np.zeros(0, dtype=np.bool_), np.zeros((0, GIVEN)))
