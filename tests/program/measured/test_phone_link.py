"""The thread that receives from a phone: it outlives short silences, gives up in the end, and ends when told to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from meaning import Meaning
from phone import STEP, Phone, running_phone

from polhode.scene.problem import InputError
from polhode_app.data.measured.live import phone_link
from polhode_app.data.measured.live.phone_link import MOST_FAILURES, PhoneLink


@pytest.fixture
def phone() -> Iterator[Phone]:
    with running_phone() as started:
        started.measure(100)
        yield started


@pytest.fixture
def link(monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneLink]:
    monkeypatch.setattr(phone_link, "AGAIN", 0.1)
    monkeypatch.setattr(phone_link, "PAUSE", 0.05)
    made = PhoneLink()
    yield made
    made.close()


def wait_until(link: PhoneLink, condition: Callable[[], bool]) -> None:
    """Wait at most a minute, as frames of the window do."""
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end, link.state
        time.sleep(0.01)
        link.poll()


def rows(link: PhoneLink) -> int:
    return len(link.state.record.rows) if link.state.record is not None else 0


def test_nothing_is_sent_before_connect_nor_to_a_wrong_address(phone: Phone, link: PhoneLink) -> None:
    link.poll()
    with pytest.raises(InputError):
        link.connect("no address")
    assert not link.is_connected
    assert phone.paths == []


def test_a_phone_that_answers_again_goes_on_without_a_gap(phone: Phone, link: PhoneLink) -> None:
    link.connect(phone.address)
    wait_until(link, lambda: rows(link) == 100)
    phone.answer = "busy"
    wait_until(link, lambda: link.state.problem is not None)
    assert link.is_connected
    assert rows(link) == 100
    phone.measure(50)
    phone.answer = ""
    wait_until(link, lambda: rows(link) == 150)
    assert link.state.problem is None
    assert link.state.data.times == pytest.approx([STEP * row for row in range(150)])


def test_a_phone_that_fails_again_and_again_is_given_up_and_its_data_stay(phone: Phone, link: PhoneLink) -> None:
    link.connect(phone.address)
    wait_until(link, lambda: rows(link) == 100)
    phone.answer = "busy"
    before = len(phone.paths)
    wait_until(link, lambda: not link.is_connected)
    wait_until(link, lambda: link.state.problem is not None)
    assert len(phone.paths) - before in (MOST_FAILURES, MOST_FAILURES + 1)  # one may have been on its way
    assert len(link.state.data.times) == 100


def test_data_that_can_not_be_used_yet_are_told_and_do_not_end_it(phone: Phone, link: PhoneLink) -> None:
    """A phone that has no number yet, as of a place before the first satellite, is no phone that fails."""
    phone.buffers["gyrY"] = [None] * 100
    link.connect(phone.address)
    wait_until(link, lambda: link.state.problem is not None)
    assert Meaning("", "column", "time").of(link.state.problem)
    asked = len(phone.paths)
    wait_until(link, lambda: len(phone.paths) > asked + 2 * MOST_FAILURES)
    assert link.is_connected
    phone.measure(5)
    wait_until(link, lambda: link.state.data is not None)
    assert link.state.problem is None


def test_units_and_orders_are_obeyed(phone: Phone, link: PhoneLink) -> None:
    link.connect(phone.address)
    wait_until(link, lambda: link.state.data is not None)
    link.measure(True)
    wait_until(link, lambda: link.state.is_measuring)
    link.measure(False)
    wait_until(link, lambda: not link.state.is_measuring)
    link.choose("Accelerometer")
    wait_until(link, lambda: link.state.table == "Accelerometer" and link.state.data is not None)
    link.units = {"Linear x": "m/s^2"}
    wait_until(link, lambda: link.state.data.column("Linear x").values[10] == 10.0)


def test_no_request_follows_the_end(phone: Phone, link: PhoneLink) -> None:
    link.connect(phone.address)
    wait_until(link, lambda: rows(link) == 100)
    link.disconnect()
    link.close()
    asked = len(phone.paths)
    time.sleep(0.3)  # six pauses
    assert len(phone.paths) == asked
    assert rows(link) == 100
