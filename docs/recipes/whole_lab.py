"""A scene by constructors, a run, a DataFrame, energy errors, a field, a picture, a film, a map of basins and a fit."""

from math import cos, pi, sin

from PIL import Image

from polhode import Body, Dipole, Outcome, Scene, Simulation, Sphere, Sweep, film, fit, picture, read_data

ball = Sphere(radius=0.02, mass=0.26, position=(0, 0, -0.25))
needle = Dipole(moment=(0, 0, 4), position=(0, 0, -0.25))
push = {"position": (0, 0, 0.3), "angular_velocity": (3.4, 2.6, 0), "friction": 8e-3}
names, angles = ("red", "green", "blue"), (pi / 2, 7 * pi / 6, 11 * pi / 6)
magnet = {"support": "fixed", "shape": (Sphere(radius=0.01, mass=0.02),), "dipole": (Dipole(moment=(0, 0, 10)),)}
places = {name: (0.085 * cos(angle), 0.085 * sin(angle), 0) for name, angle in zip(names, angles, strict=True)}
ring = (Body(name=name, position=place, **magnet) for name, place in places.items())
scene = Scene(title="Three magnets", body=(Body(name="bob", shape=(ball,), dipole=(needle,), **push), *ring))

run = Simulation(scene).run(until=5.0, every=0.01)
print(run.to_pandas().describe())
run.save("run.csv")
for method in ("euler", "rk4", "dormand_prince_8"):  # without friction the energy is constant
    free = Simulation(scene.with_values({"body[0].friction": 0.0, "solver.method": method})).run(until=1.0)
    print(method, abs(free["energy.total"] - free["energy.total"][0]).max(), "J")

simulation = Simulation(scene)
print(simulation.field([[0, 0, 0.02], [0, 0, 0.1]]), "T")
Image.fromarray(picture(simulation, (640, 480))).save("start.png")
film(simulation, "swing.mp4", until=1.0, size=(320, 240))

starts = {f"body[0].angular_velocity[{k}]": (-5.0, 5.0, 64) for k in (0, 1)}
basins = Sweep(scene, axes=starts, until=20.0, outcome=Outcome(kind="attractor", near=names)).run()
print([f"{name}: {part.value:.3f}" for name, part in zip(names, basins.fractions(), strict=True)])

data, start = read_data("run.csv"), scene.with_values({"body[0].friction": 4e-3})
print(fit(start, data, {"bob.u3.x": "bob.u3.x", "bob.u3.y": "bob.u3.y"}, ["body[0].friction"]))
