"""Files of measurements: texts, zips, workbooks and projects of Tracker with damaged bytes, words and lines."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fuzz.case import Case, Target
from fuzz.damage import damaged
from polhode.data.reading import read_data

WORDS = (
    *("time", "t (s)", "x [mm]", "\t", ";", ",", '"', "\n", "nan", "inf", "1e308", "0,5", "-", "#", "column,unit"),
    *("<object>", "</object>", "<property", "framedata", "[0]", "PointMass", "xscale", "delta_t", "<!DOCTYPE a>"),
)
TRK = """<?xml version="1.0" encoding="UTF-8"?>
<object class="org.opensourcephysics.cabrillo.tracker.TrackerPanel">
<property name="videoclip" type="object"><object class="VideoClip">
<property name="startframe" type="int">0</property></object></property>
<property name="clipcontrol" type="object"><object class="StepperClipControl">
<property name="delta_t" type="double">40.0</property></object></property>
<property name="coords" type="object"><object class="ImageCoordSystem"><property name="framedata" type="array">
<property name="[0]" type="object"><object class="ImageCoordSystem$FrameData">
<property name="xorigin" type="double">320.0</property><property name="xscale" type="double">250.0</property>
</object></property></property></object></property>
<property name="tracks" type="collection"><property name="item" type="object">
<object class="org.opensourcephysics.cabrillo.tracker.PointMass"><property name="name" type="string">A</property>
<property name="framedata" type="array">
<property name="[0]" type="object"><object class="PointMass$FrameData">
<property name="x" type="double">300.0</property><property name="y" type="double">200.0</property>
</object></property>
<property name="[3]" type="object"><object class="PointMass$FrameData">
<property name="x" type="double">310.0</property><property name="y" type="double">210.0</property>
</object></property></property></object></property></property></object>
"""


def bases() -> list[Case]:
    """A file of each format."""
    rows = [f"{0.02 * k:.3f};{k % 7}.5;{k}" for k in range(40)]
    text = "\n".join(["Zeit (s);x [mm];Winkel / °", *rows])
    german = text.replace(".", ",")
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as packed:  # stored: bytes of the table are damaged, too
        packed.writestr("Raw Data.csv", text)
        packed.writestr("meta/time.csv", "event,0")
    return [
        Case("data.csv", text.encode()),
        Case("data.csv", german.encode("latin-1")),
        Case("data.csv", german.encode("utf-16")),
        Case("data.csv", buffer.getvalue()),
        Case("data.csv", TRK.encode()),
        Case("data.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1500)),
    ]


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """A damaged file."""
    return Case("data.csv", damaged(case.content, [chance.choice(known).content], chance, WORDS))


def read(path: Path, content: bytes) -> str:
    """The times and columns, which are finite or gaps."""
    data = read_data(path)
    assert np.all(np.diff(data.times) > 0), "times do not increase"
    for column in data.columns:
        assert len(column.values) == len(data.times), "a column has another length"
        assert not np.isinf(column.values).any(), "a value is infinite"
    return f"{min(len(data.columns), 9)} columns"


TARGET = Target("measured_data", bases, mutate, read, goal=50_000, memory=2**30)
