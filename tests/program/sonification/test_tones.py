"""Tones: the pitch of a value, its frequency in the sound, and no clicks."""

from __future__ import annotations

import time
import wave
from pathlib import Path

import numpy as np
import pytest

from polhode_app.data.tones.tone import LOWEST, OCTAVES, RATE, SECOND, Tone, frequency, tones, write_wav
from polhode_app.data.tones.tone_player import SoundDevice, TonePlayer, load_miniaudio

BLOCK = 1323  # samples: 30 ms


def blocks_of(tone: Tone, *targets: tuple[float, float], count: int = BLOCK) -> np.ndarray:
    """One block for each frequency [Hz] and amplitude."""
    made = []
    for tone.target_frequency, tone.target_amplitude in targets:
        made.append(tone.block(count))
    return np.concatenate(made)


def peak(samples: np.ndarray) -> float:
    """Frequency [Hz] of the highest line of the spectrum."""
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(np.argmax(spectrum)) * RATE / len(samples)


def test_equal_differences_are_equal_intervals():
    values = np.linspace(-3.0, 5.0, 9)
    ratios = np.diff(np.log2([frequency(value, -3.0, 5.0) for value in values]))
    assert ratios == pytest.approx(OCTAVES / 8)
    assert frequency(-3.0, -3.0, 5.0) == LOWEST
    assert frequency(9.0, -3.0, 5.0) == frequency(5.0, -3.0, 5.0) == pytest.approx(LOWEST * 2**OCTAVES)
    assert frequency(1.0, 1.0, 1.0) == pytest.approx(LOWEST * 2 ** (OCTAVES / 2))


def test_the_range_is_that_of_the_values_so_far():
    player = TonePlayer()
    for time_, value in enumerate((2.0, 4.0, float("nan"), float("inf"), 3.0)):
        player.see(time_, value, True, 0.0)
        if value == 2.0:
            assert player.tone.target_frequency == pytest.approx(LOWEST * 2 ** (OCTAVES / 2))
    assert (player.learned.low, player.learned.high) == (2.0, 4.0)
    assert player.frequency_of(4.0) == pytest.approx(LOWEST * 2**OCTAVES)


@pytest.mark.parametrize("asked", [220.0, 391.7, 1244.5])
def test_the_sound_has_the_asked_frequency(asked: float):
    """Within one line of the spectrum of a second, 1 Hz."""
    sound = blocks_of(Tone(), *[(asked, 0.5)] * 40)[:RATE]
    assert len(sound) == RATE
    assert abs(peak(sound) - asked) <= 1.0


def test_blocks_of_all_lengths_make_the_same_sound():
    """One block, or blocks of a tenth or of a single sample: the phase is continuous."""
    whole = blocks_of(Tone(), (440.0, 0.5), count=BLOCK)
    parts = blocks_of(Tone(), *[(440.0, 0.5)] * BLOCK, count=1)
    assert np.abs(whole - parts).max() < 1e-5  # of float32, and of the rounding of 1323 sums


def test_nothing_clicks():
    """No sample differs from the next by more than the steepest slope of the loudest and highest tone that was asked.

    That slope is 2 pi f / rate (1 + 2 SECOND) / (1 + SECOND), and the change of the amplitude in one sample,
    1 / (rate GLIDE), is a hundredth of it. A jump of the phase between blocks would be up to 2.
    """
    rng = np.random.default_rng(1)
    high, low = 1244.5, 220.0
    targets = [(float(rng.uniform(low, high)), float(rng.choice([0.0, 0.3, 1.0]))) for _ in range(60)]
    sound = blocks_of(Tone(), *targets)
    steepest = 2 * np.pi * high / RATE * (1 + 2 * SECOND) / (1 + SECOND)
    assert np.abs(np.diff(sound)).max() < 1.02 * steepest
    assert abs(sound[0]) < 1e-3  # it fades in
    assert np.abs(sound).max() <= 1.0


def test_the_pitch_glides_and_silence_begins_with_the_right_one():
    tone = Tone()
    assert peak(blocks_of(tone, *[(900.0, 0.5)] * 4)) == pytest.approx(900.0, abs=RATE / (4 * BLOCK))
    blocks_of(tone, (300.0, 0.5))
    assert 300.0 < tone.frequency < 900.0  # a block of 30 ms, and a glide of 20 ms
    blocks_of(tone, *[(300.0, 0.0)] * 20)
    assert tone.amplitude < 1e-6
    tone.target_frequency = 700.0
    tone.block(1)
    assert tone.frequency == 700.0


def test_a_column_becomes_a_file(tmp_path: Path):
    times = np.linspace(0.0, 4.0, 401)
    values = np.where(times < 2.0, 1.0, 3.0)
    values[7] = np.nan
    sound = tones(times, values, speed=2.0)
    write_wav(tmp_path / "tones.wav", sound)
    with wave.open(str(tmp_path / "tones.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        read = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32767
    assert len(read) / RATE == pytest.approx(2.0 + 0.2, abs=0.011)  # it fades out in 0.2 s
    assert np.abs(read - sound).max() <= 0.5 / 32767 + 1e-7
    first, second = read[: int(0.9 * RATE)], read[int(1.1 * RATE) : int(1.9 * RATE)]
    assert peak(first) == pytest.approx(LOWEST, abs=2.0)
    assert peak(second) == pytest.approx(LOWEST * 2**OCTAVES, abs=2.0)
    assert abs(read[-1]) < 1e-3


def test_a_run_is_heard_while_it_moves():
    player = TonePlayer()
    for step in range(5):
        player.see(0.1 * step, float(step), True, 0.1 * step)
    assert player.tone.target_frequency == pytest.approx(LOWEST * 2**OCTAVES)
    assert player.tone.target_amplitude > 0
    player.see(0.4, 4.0, False, 0.4)
    player.see(0.4, 4.0, False, 1.0)
    assert player.tone.target_amplitude == 0  # paused
    player.see(0.2, 2.0, False, 1.1)
    assert player.tone.target_amplitude > 0  # a step back is heard
    times, values = player.table
    assert times == pytest.approx([0.0, 0.1, 0.2])
    assert values == pytest.approx([0.0, 1.0, 2.0])
    player.low, player.high = 0.0, 8.0
    player.see(0.3, 4.0, True, 1.2)
    assert player.tone.target_frequency == pytest.approx(LOWEST * 2 ** (OCTAVES / 2))
    player.see(0.4, float("nan"), True, 1.3)
    assert player.tone.target_amplitude == 0


def test_the_sound_device_asks_for_blocks():
    """With the backend that plays to nobody, in real time."""
    pytest.importorskip("miniaudio")
    tone = Tone()
    tone.target_frequency, tone.target_amplitude = 440.0, 0.5
    device = SoundDevice(tone, [load_miniaudio().Backend.NULL])
    device.open()
    try:
        deadline = time.monotonic() + 60.0
        while tone.amplitude < 0.4 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert tone.amplitude > 0.4  # 40 ms of sound were asked for
    finally:
        device.close()
    assert not device.is_open
