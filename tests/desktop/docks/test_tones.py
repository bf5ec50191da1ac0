"""Tones: the pitch of a value, its frequency in the sound, no clicks, and the dock that plays a run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import SOON, choose, click, press_space, type_in
from pytestqt.qtbot import QtBot
from scipy.io import wavfile

from polhode.scene import gallery
from polhode_app.data.plots.frame_quantities import reading_of
from polhode_app.data.plots.tone_player import LOWEST, OCTAVES, RATE, SECOND, Tone, TonePlayer
from polhode_app.main_window import MainWindow

HIGHEST = LOWEST * 2**OCTAVES  # [Hz]
MIDDLE = LOWEST * 2 ** (OCTAVES / 2)  # [Hz]


def blocks_of(tone: Tone, *targets: tuple[float, float], count: int = 1323) -> np.ndarray:
    """One block, of 30 ms, for each frequency [Hz] and amplitude; samples relative to full amplitude."""
    made = [tone.block(count) for tone.target_frequency, tone.target_amplitude in targets]
    return np.concatenate(made) / 32767


def test_equal_differences_are_equal_intervals():
    player = TonePlayer()
    player.ends = -3.0, 5.0
    values = [player.frequency_of(value) for value in np.linspace(-3.0, 5.0, 9)]
    assert np.diff(np.log2(values)) == pytest.approx(OCTAVES / 8)
    assert player.frequency_of(-4.0) == values[0] == LOWEST
    assert player.frequency_of(9.0) == values[-1] == pytest.approx(HIGHEST)


@pytest.mark.parametrize("asked", [220.0, 391.7, 1244.5])
def test_the_sound_has_the_asked_frequency(asked: float):
    """Within one line of the spectrum of a second, 1 Hz; blocks of all lengths make the same sound."""
    sound = blocks_of(Tone(), (asked, 0.5), count=RATE)
    assert np.argmax(np.abs(np.fft.rfft(sound * np.hanning(RATE)))) == pytest.approx(asked, abs=1.0)
    for count in (1, 441):
        parts = blocks_of(Tone(), *[(asked, 0.5)] * (4410 // count), count=count)
        assert np.abs(parts - sound[:4410]).max() <= 1.01 / 32767


def test_nothing_clicks_and_silence_begins_with_the_right_pitch():
    """No sample differs from the next by more than the steepest slope of the loudest and highest tone that was asked.

    That slope is 2 pi f / rate (1 + 2 SECOND) / (1 + SECOND), and the change of the amplitude in one sample,
    1 / (rate GLIDE), is a hundredth of it. A jump of the phase between blocks would be up to 2.
    """
    rng, tone = np.random.default_rng(1), Tone()
    sound = blocks_of(tone, *[(rng.uniform(LOWEST, HIGHEST), rng.choice([0.0, 0.3, 1.0])) for _ in range(60)])
    assert np.abs(np.diff(sound)).max() < 1.02 * 2 * np.pi * HIGHEST / RATE * (1 + 2 * SECOND) / (1 + SECOND)
    assert abs(sound[0]) < 1e-3  # it fades in
    assert np.abs(sound).max() > 0.8
    blocks_of(tone, *[(900.0, 0.5)] * 9, (300.0, 0.5))
    assert 300.0 < tone.frequency < 900.0  # a block of 30 ms, and a glide of 20 ms
    blocks_of(tone, *[(300.0, 0.0)] * 20, (700.0, 0.1), count=RATE // 20)
    assert tone.frequency == 700.0


def test_the_range_is_learned_or_stated_and_a_run_is_heard_while_it_moves():
    player = TonePlayer()
    tone = player.tone
    for time, value, pitch in ((0.0, 2.0, MIDDLE), (0.1, 4.0, HIGHEST), (0.2, 1.0, LOWEST), (0.3, 2.5, MIDDLE)):
        player.see(time, value, True, time)
        assert tone.target_frequency == pytest.approx(pitch)
        assert tone.target_amplitude == player.volume**2
    for time, value, wall, is_heard in ((0.3, 2.5, 1.0, False), (0.2, 1.0, 1.1, True), (0.1, np.nan, 1.2, False)):
        player.see(time, value, False, wall)  # paused, a step back, and a value that is none
        assert (tone.target_amplitude > 0) is is_heard
    player.forget()
    assert player.frequency_of(4.0) == pytest.approx(MIDDLE)


@pytest.mark.new_window
def test_tones_follow_a_quantity_and_are_saved(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the library, then played by its backend that needs no loudspeaker; the next window plays again."""
    window = lab(gallery.path("bead_on_parabola"))
    window.docks.open("tones")
    dock, settings, session = window.docks.docks["tones"], window.settings, window.session
    qtbot.waitUntil(lambda: bool(dock.value.text()), timeout=SOON)
    with monkeypatch.context() as missing:
        missing.setitem(sys.modules, "miniaudio", None)
        press_space(window, qtbot, dock.plays)
    assert "pip install miniaudio" in window.toast.text
    assert (dock.plays.isChecked(), settings.tones) == (False, False)  # off, and not remembered
    audio = pytest.importorskip("miniaudio")
    tone, dock.player.backends = dock.player.tone, [audio.Backend.NULL]
    press_space(window, qtbot, dock.plays)
    qtbot.waitUntil(lambda: tone.amplitude > 0, timeout=SOON)
    choose(qtbot, dock.quantity, "bead.position.x")
    type_in(qtbot, dock.low, "-2")
    dock.volume.setValue(80)
    qtbot.waitUntil(lambda: tone.amplitude > 0.6 and len(tone.heard) > 9, timeout=SOON)
    assert (settings.tones, settings.tone_quantity, settings.volume) == (True, "bead.position.x", 80)
    assert dock.player.ends == (-2.0, None)
    session.play(False)
    qtbot.waitUntil(lambda: not session.frame.running and tone.amplitude < 1e-6, timeout=SOON)
    value = reading_of(session.compiled, "bead.position.x")(session.frame)
    assert value == session.frame.snapshot.bodies.position[0][0]
    assert tone.target_frequency == pytest.approx(dock.player.frequency_of(value))
    click(qtbot, dock.save_button)
    rate, sound = wavfile.read(next(tmp_path.rglob("*.wav")))
    assert (rate, sound.dtype, sound.tolist()) == (RATE, np.int16, np.concatenate(tone.heard).tolist())
    again = lab(gallery.path("bead_on_parabola"))
    qtbot.waitUntil(lambda: "tones" in again.docks.docks, timeout=SOON)
