"""A compass needle in a field that swings along x: theta'' = -(c/I) theta' - (p B/I) cos(w t) sin(theta)."""

from scenes import scene

NEEDLE = {
    "name": "needle",
    "support": "axle",
    "axis": [0, 0, 1],
    "friction": 5e-7,
    "orientation": {"axis": [0, 0, 1], "angle": 0.3},
    "shape": [{"kind": "cuboid", "size": [0.05, 0.005, 0.002], "mass": 0.01}],
    "dipole": [{"moment": [0.1, 0, 0]}],
}
INERTIA = 0.01 / 12 * (0.05**2 + 0.005**2)  # [kg m^2] of the cuboid about its middle
FIELD = 1e-3  # [T]


def compass(frequency: float, **more):
    field = {"kind": "rotating", "cosine": [FIELD, 0, 0], "sine": [0, 0, 0], "angular_frequency": frequency}
    return scene(NEEDLE, magnetic_field=field, **{"time_step": 0.01} | more)
