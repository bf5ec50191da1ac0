"""Scenes with lessons for tests: a pendulum, with a step of each kind."""

from __future__ import annotations

PENDULUM = """
title = "A pendulum of rod"
[solver]
time_step = 0.002
[[body]]
name = "rod"
support = "axle"
axis = [0, 1, 0]
orientation = { axis = [0, 1, 0], angle = 0.3 }
[[body.shape]]
kind = "rod"
length = 0.5
mass = 0.2
position = [0, 0, -0.25]
"""
OF = "rod.position.z"
WHOLE = """
[[lesson]]
title = "How long does a swing take?"
vary = { "body[0].shape[0].length" = [0.4, 0.6] }
step = [
    { text = "A rod hangs on an axle.\\n\\nYou will find how long one swing takes." },
    { text = "Think of a clock.", predict = "number", ask = "Period of the swing", unit = "s" },
    { predict = "choice", ask = "And from further up?", bounds = [0.99, 1.01], choices = [
        "It is shorter",
        "The same",
        "It is longer",
    ] },
    { predict = "curve", of = "rod.u3.x", until = 2.0, ask = "How does the tip move?" },
    { text = "Let it swing.", run = ["body[0].tilt[1]"], range = { "body[0].tilt[1]" = [-0.5, 1.0] }, until = 6.0 },
    { measure = "period", of = "rod.u3.x" },
    { compare = true },
    { explain = "Why does the prediction differ from the run?" },
    { check = { tolerance = 0.02 }, ask = "The period, read from the plot", unit = "s" },
]
"""
"""A lesson with a step of each kind but own data."""
SHORT = """
[[lesson]]
title = "Two steps"
step = [
    { run = [], until = 0.5 },
    { measure = "maximum", of = "rod.u3.x" },
]
"""
