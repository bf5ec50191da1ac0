"""Live data of phyphox from a server on this machine that speaks its interface, by real sockets."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning
from phone import STEP, TABLES, Phone, running_phone

from polhode.data.growing_table import NO_TIMES
from polhode.data.phyphox import http_get
from polhode.data.phyphox.http_get import address_of
from polhode.data.phyphox.remote import IS_NEW, PhoneRecord, PhyphoxRemote
from polhode.data.reading import read_data
from polhode.scene.problem import InputError


@pytest.fixture
def phone() -> Iterator[Phone]:
    with running_phone() as started:
        yield started


@pytest.fixture
def remote(phone: Phone) -> PhyphoxRemote:
    """Connected, with 200 rows on the phone."""
    phone.measure(200)
    found = PhyphoxRemote(phone.address)
    found.connect()
    return found


def refused(call: object) -> str:
    with pytest.raises(InputError) as raised:
        call()  # type: ignore[operator]
    return str(raised.value)


def test_nothing_is_sent_before_connect(phone: Phone) -> None:
    PhyphoxRemote(phone.address)
    assert phone.paths == []


def test_the_title_and_the_tables_are_those_of_the_experiment(phone: Phone) -> None:
    config = PhyphoxRemote(f"http://{phone.address}/").connect()
    assert config.title == "Swing"
    assert [table.name for table in config.tables] == list(TABLES)


def test_rows_grow_by_partial_answers_and_equal_one_full_answer(phone: Phone, remote: PhyphoxRemote) -> None:
    remote.poll()
    for count in (1, 0, 7, 50):
        phone.measure(count)
        remote.poll()
    assert len(remote.record.rows) == 258
    asked = [path for path in phone.paths if path.startswith("/get?") and "full" in path]
    assert len(asked) == 1  # the first one
    twin = PhyphoxRemote(phone.address)
    twin.connect()
    assert np.array_equal(remote.record.rows, twin.poll().rows, equal_nan=True)
    data = remote.record.data()
    assert data.times == pytest.approx(np.arange(258) * STEP)
    assert data.column("Gyroscope y").values == pytest.approx(np.sin(np.arange(258) * STEP))
    assert data.column("Gyroscope y").unit == "rad/s"
    assert any("Temperature" in note for note in data.notes)  # null in each row


def test_units_are_those_of_the_labels_or_those_that_are_given(remote: PhyphoxRemote) -> None:
    remote.choose("Accelerometer")
    remote.poll()
    data = remote.record.data()
    assert data.times == pytest.approx(np.arange(200) * STEP)  # from ms
    values = data.column("Linear x").values
    assert np.flatnonzero(np.isnan(values)).tolist() == [3]
    assert values[10] == pytest.approx(0.010)
    assert data.column("Linear x").unit == "m/s^2"
    assert remote.record.data({"Linear x": "m/s^2"}).column("Linear x").values[10] == pytest.approx(10.0)


def test_what_was_received_can_be_read_back_from_its_text(remote: PhyphoxRemote, tmp_path: Path) -> None:
    for table in TABLES:
        remote.choose(table)
        record = remote.poll()
        path = tmp_path / f"{table}.csv"
        path.write_text(record.text())
        again, data = read_data(path), record.data()
        assert np.array_equal(again.times, data.times)
        assert [(column.name, column.unit) for column in again.columns] == [(c.name, c.unit) for c in data.columns]
        for column in again.columns:
            assert np.array_equal(column.values, data.column(column.name).values, equal_nan=True)


def test_too_few_rows_are_no_data_yet(phone: Phone) -> None:
    remote = PhyphoxRemote(phone.address)
    remote.connect()
    assert remote.poll().data() is None
    phone.measure(2)
    assert remote.poll().data() is not None


def test_buffers_of_unequal_length_give_their_common_rows_and_the_rest_later(
    phone: Phone, remote: PhyphoxRemote
) -> None:
    late = phone.buffers["gyrY"].pop()
    assert len(remote.poll().rows) == 199
    phone.buffers["gyrY"].append(late)
    assert len(remote.poll().rows) == 200
    assert remote.record.rows[-1, 1] == late


def test_a_new_session_and_a_cleared_measurement_begin_again_with_a_note(phone: Phone, remote: PhyphoxRemote) -> None:
    remote.poll()
    phone.clear()
    assert len(remote.poll().rows) == 200  # nothing new: what arrived stays
    phone.measure(50)
    assert len(remote.poll().rows) == 50
    assert remote.record.notes == (IS_NEW,)
    phone.clear()
    phone.measure(300)  # beyond the newest time that was received
    phone.session = "other"
    assert len(remote.poll().rows) == 300
    assert remote.record.rows[0, 0] == 0.0


def test_the_phone_is_started_and_paused(phone: Phone, remote: PhyphoxRemote) -> None:
    remote.start()
    assert phone.is_measuring
    remote.poll()
    assert remote.is_measuring
    remote.stop()
    assert not phone.is_measuring
    phone.answer = '{"result": false}'
    assert "refused 'start'" in refused(remote.start)


def test_long_measurements_are_thinned_out_to_each_nth_row(remote: PhyphoxRemote) -> None:
    """Blocks of any length give the rows that slicing the whole gives."""
    whole = np.column_stack([np.arange(1000) * STEP, np.arange(1000.0), np.full(1000, np.nan)])
    record = PhoneRecord("phone", remote.config.tables[0], whole[:0])
    for first in range(0, 1000, 37):
        record = record.with_rows(whole[first : first + 37], most=600)
    assert record.every == 8
    assert np.array_equal(record.rows, whole[::8], equal_nan=True)
    assert any("each 8th" in note for note in record.data().notes)


def test_rows_without_a_time_or_that_go_back_are_left_out_with_a_note(phone: Phone, remote: PhyphoxRemote) -> None:
    phone.buffers["gyr_time"][5] = None
    phone.buffers["gyr_time"][9] = 0.01
    record = remote.poll()
    assert len(record.rows) == 198
    assert record.notes == (NO_TIMES,)
    assert (np.diff(record.data().times) > 0).all()


def test_rows_that_a_short_buffer_has_lost_are_told_once(phone: Phone, remote: PhyphoxRemote) -> None:
    phone.room = 50
    remote.poll()
    phone.measure(49)
    assert remote.poll().notes == ()
    for seen in (249, 299):
        phone.measure(120)  # 70 of them are gone
        record = remote.poll()
        assert len(record.rows) == seen + 50
        (note,) = record.notes
        assert Meaning("", "rows", row=249, kept=50).of(str(note))
    assert record.notes[0] in record.data().notes


def test_a_phone_that_is_gone_is_told_and_what_arrived_stays(phone: Phone, remote: PhyphoxRemote) -> None:
    remote.poll()
    phone.shutdown()
    phone.server_close()
    told = refused(remote.poll)
    assert Meaning("", "phone", "answer").of(told)
    assert phone.address in told
    assert Meaning("", "remote", "network").of(told)
    assert len(remote.record.rows) == 200


def test_a_silent_phone_is_told_within_seconds_and_waiting_can_be_ended(
    phone: Phone, remote: PhyphoxRemote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_get, "SILENCE", 0.5)
    phone.answer = "silence"
    begun = time.monotonic()
    assert Meaning("", "phone", "answer").of(refused(remote.poll))
    assert time.monotonic() - begun < 5.0  # 0.5 s, and what a loaded machine adds

    def check_cancelled() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PhyphoxRemote(phone.address, check_cancelled).connect()


def test_an_endless_answer_ends_at_the_limit(
    phone: Phone, remote: PhyphoxRemote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_get, "LARGEST", 2**20)
    phone.answer = "endless"
    assert Meaning("", "answers", "more", most=1).of(refused(remote.poll))
    assert len(remote.record.rows) == 0


@pytest.mark.parametrize("zeros", [15, 30])
@pytest.mark.parametrize("head", ["Content-Length: 1{}\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1{}\r\n"])
def test_a_length_that_no_memory_has_is_not_believed(
    phone: Phone, remote: PhyphoxRemote, head: str, zeros: int
) -> None:
    phone.answer = f"HTTP/1.1 200 OK\r\n{head.format('0' * zeros)}["
    assert Meaning("", "JSON").of(refused(remote.poll))


def test_a_redirect_is_not_followed(phone: Phone, remote: PhyphoxRemote) -> None:
    phone.answer = "redirect"
    assert "status 302" in refused(remote.poll)
    assert "/elsewhere" not in phone.paths


STATUS = '"status": {"session": "a", "measuring": true}'


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("hello", Meaning("", "JSON")),
        ("", Meaning("", "JSON")),
        ("[" * 100_000, Meaning("", "JSON")),
        ("\xff\xfe", Meaning("", "JSON")),
        ("[]", Meaning("status", "missing", "answer")),
        ('{"buffer": {}, "status": {"session": "a"}}', Meaning("status.measuring", "missing", "answer")),
        (f'{{"buffer": {{}}, {STATUS}}}', Meaning("buffer.gyr_time", "missing", "answer")),
        (
            f'{{"buffer": {{"gyr_time": {{"buffer": "x"}}}}, {STATUS}}}',
            Meaning("buffer.gyr_time.buffer", "missing", "answer"),
        ),
        (
            f'{{"buffer": {{"gyr_time": {{"buffer": ["x"]}}}}, {STATUS}}}',
            Meaning("buffer.gyr_time[0]", "number", value="x"),
        ),
        (
            f'{{"buffer": {{"gyr_time": {{"buffer": [0, 1e999]}}}}, {STATUS}}}',
            Meaning("buffer.gyr_time[1]", "number", value="inf"),
        ),
        (
            f'{{"buffer": {{"gyr_time": {{"buffer": [true]}}}}, {STATUS}}}',
            Meaning("buffer.gyr_time[0]", "number", value="True"),
        ),
    ],
)
def test_garbage_is_refused_with_its_place(phone: Phone, remote: PhyphoxRemote, answer: str, said: Meaning) -> None:
    phone.answer = answer if answer else " "
    told = refused(remote.poll)
    assert said.of(told)
    assert "; " in told  # a remedy


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ('{"title": 3}', Meaning("title", "missing", "answer")),
        (
            '{"title": "T", "export": [{"set": "S", "sources": [{"label": "x"}]}]}',
            Meaning("export[0].sources[0].buffer"),
        ),
        ('{"title": "\\ud800", "export": []}', Meaning("title", "character", "complete")),
        ('{"title": "T", "export": []}', Meaning("", "column", title="T")),
        ('{"title": "T", "export": [' + ",".join(["1"] * 200) + "]}", Meaning("export", "entries", "more", most=100)),
    ],
)
def test_an_experiment_that_is_none_is_refused(phone: Phone, answer: str, said: Meaning) -> None:
    phone.answer = answer
    assert said.of(refused(PhyphoxRemote(phone.address).connect))


@pytest.mark.parametrize(
    "text", ["", "  ", "https://1.2.3.4", "file:///etc/passwd", "a b", "1.2.3.4:99999", "1.2.3.4:0", "1.2.3.4:x",
             "u:p@1.2.3.4", "1.2.3.4/get", "1.2.3.4?x=1", "a\r\nb", "[::1", "-x"]
)  # fmt: skip
def test_texts_that_are_no_address_are_refused_with_an_example(text: str) -> None:
    assert Meaning("", "type", "phyphox").of(refused(lambda: address_of(text)))


def test_addresses_as_people_write_them() -> None:
    texts = {
        "192.168.0.42": "192.168.0.42",
        " http://192.168.0.42:8080/ ": "192.168.0.42:8080",
        "pixel-7.local:8080": "pixel-7.local:8080",
        "[fe80::1]:8080": "[fe80::1]:8080",
    }
    assert {text: str(address_of(text)) for text in texts} == texts


def test_a_table_that_the_phone_has_not_is_told(remote: PhyphoxRemote) -> None:
    assert Meaning("", "table", names="Gyroscope, Accelerometer").of(refused(lambda: remote.choose("Other")))


def test_proxies_are_not_used(phone: Phone, remote: PhyphoxRemote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert len(remote.poll().rows) == 200
