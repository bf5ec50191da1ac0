"""Made data of tests: plain equations by scipy's DOP853, never by the engine, with noise of a seed."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

LENGTH, RADIUS, MASS = 0.5, 0.03, 0.2  # [m], [m], [kg] of the sphere below its pivot
INERTIA = 0.4 * MASS * RADIUS**2 + MASS * LENGTH**2  # [kg m^2] about the pivot

PENDULUM = """
title = "swing"
world = {{ gravity = [0, 0, -{gravity}] }}
solver = {{ time_step = 0.005 }}
[[body]]
name = "bob"
support = "pivot"
friction = {friction}
orientation = {{ axis = [0, 1, 0], angle = {angle} }}
shape = [{{ kind = "sphere", radius = 0.03, mass = 0.2, position = [0, 0, -0.5] }}]
"""

FALL = """
[solver]
time_step = 0.0005
[[wall]]
name = "floor"
damping = 1.0
[[body]]
name = "ball"
support = "free"
position = [0.0, 0.0, 0.08]
shape = [{ kind = "sphere", radius = 0.05, mass = 0.2 }]
"""


def swing(
    times: np.ndarray, gravity: float = 9.81, friction: float = 0.002, angle: float = 1.2
) -> tuple[np.ndarray, np.ndarray]:
    """(n,) angle [rad] and angular velocity [rad/s] of the pendulum: I a'' = -m g l sin a - k a'."""

    def rate(_time: float, state: np.ndarray) -> list[float]:
        torque = -MASS * gravity * LENGTH * np.sin(state[0]) - friction * state[1]
        return [state[1], torque / INERTIA]

    run = solve_ivp(rate, (0.0, times[-1]), [angle, 0.0], "DOP853", t_eval=times, rtol=1e-11, atol=1e-12)
    return run.y[0], run.y[1]


def write_swing(path: Path, noise: float = 0.01, seed: int = 1, until: float = 4.0, count: int = 201) -> None:
    """A table of a swing: time, angular velocity [deg/s], and the place of the ball [mm] in the plane of the swing."""
    times = np.linspace(0.0, until, count)
    angle, rate = swing(times)
    random = np.random.default_rng(seed)
    x, z = -LENGTH * np.sin(angle), -LENGTH * np.cos(angle)
    columns = [times, np.degrees(rate + noise * random.standard_normal(count))]
    columns += [1000 * (place + 0.002 * random.standard_normal(count)) for place in (x, z)]
    head = "t (s),w (deg/s),x (mm),z (mm)"
    np.savetxt(path, np.stack(columns, axis=1), delimiter=",", header=head, comments="", fmt="%.9g")


def workbook(rows: str, sheet: str = "Raw Data") -> bytes:
    """An .xlsx file of one sheet, whose rows are given in XML: the parts that its format demands."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType='
        '"application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{kind}/'
        'officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{kind}"><sheets><sheet name="{sheet}" sheetId="1" '
        'r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type='
        f'"{kind}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return buffer.getvalue()
