"""Runs in several processes: each gets the scene, which can be pickled, and returns an array."""

from concurrent.futures import ProcessPoolExecutor

from polhode import Scene, Simulation, read_scene


def lowest(scene: Scene) -> float:
    """Lowest height [m] of the tip of a top within a second."""
    return float(Simulation(scene).run(until=1.0, every=0.01)["top.u3.z"].min())


if __name__ == "__main__":
    top = read_scene("heavy_top")
    spins = [60.0, 90.0, 120.0, 150.0]  # [rad/s]
    scenes = [top.with_values({"body[0].angular_velocity[2]": spin}) for spin in spins]
    with ProcessPoolExecutor(2) as pool:
        for spin, height in zip(spins, pool.map(lowest, scenes), strict=True):
            print(f"{spin:5.0f} rad/s: {height:.4f}")
