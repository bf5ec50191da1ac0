"""The work of a thread is its processor time without what it compiles."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from polhode.jit.kernel import kernel
from polhode.jit.processor_time import compiling, worked, worked_by


def busy(seconds: float) -> None:
    """Use the processor."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_work_counts_and_compiling_does_not() -> None:
    begin = worked()
    busy(0.05)
    done = worked() - begin
    assert done >= 0.05
    with compiling():
        busy(0.05)
        with compiling():  # of a function that another calls
            busy(0.05)
        assert worked() - begin == pytest.approx(done, abs=0.02)
    assert worked() - begin == pytest.approx(done, abs=0.02)


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="no clock of another thread on this system")
def test_another_thread_is_asked_how_long_it_worked() -> None:
    """It works for 0.1 s, compiles for 0.1 s and then waits: neither of the others counts."""
    worked_on, compiles, over = (threading.Event() for _ in range(3))

    def body() -> None:
        busy(0.1)
        worked_on.set()
        with compiling():
            compiles.set()
            busy(0.1)
        over.wait()

    thread = threading.Thread(target=body)
    thread.start()
    assert thread.ident is not None
    try:
        assert worked_on.wait(10.0)
        assert compiles.wait(10.0)
        during = worked_by(thread.ident)
        assert during == pytest.approx(0.1, abs=0.03)
        time.sleep(0.3)
        assert worked_by(thread.ident) == pytest.approx(during, abs=0.03)
    finally:
        over.set()
        thread.join()


def test_a_kernel_that_is_compiled_is_no_work() -> None:
    @kernel
    def twice(number: float) -> float:
        return 2.0 * number

    begin, spent = worked(), time.thread_time()
    assert twice(1.5) == 3.0
    if sys.platform != "win32":
        assert worked() - begin < 0.5 * (time.thread_time() - spent)
