"""A cart balances a pole: a linear feedback of their motion sets the force of the cart's motor every 10 ms."""

from math import asin

from polhode import Body, Cuboid, Cylinder, HingeJoint, Motor, Orientation, Scene, Simulation, SliderJoint

box, rod = (
    Cuboid(kind="cuboid", size=(0.3, 0.2, 0.1), mass=1),
    Cylinder(kind="cylinder", radius=0.01, length=1, mass=0.1),
)
tilt = Orientation(axis=(0, 1, 0), angle=0.1)  # [rad]
cart = Body(name="cart", support="free", shape=[box])
pole = Body(name="pole", support="free", position=(0.0499, 0, 0.4975), orientation=tilt, shape=[rod])
rail = SliderJoint(kind="slider", name="rail", first="cart", axis=(1, 0, 0), motor=Motor(torque=0))
pin = HingeJoint(kind="hinge", name="pin", first="cart", second="pole", anchor=(0, 0, 0), axis=(0, 1, 0))
simulation = Simulation(Scene(body=[cart, pole], joint=[rail, pin]))

angles = []  # [rad]
while simulation.time < 10.0:
    bodies = simulation.snapshot().bodies
    angles.append(asin(bodies.basis[1, 2, 0]))  # from the axis u3 of the pole
    x, v, w = bodies.position[0, 0], bodies.velocity[0, 0], bodies.angular_velocity[1, 1]
    force = 25.0 * angles[-1] + 6.0 * w + 1.0 * x + 2.0 * v  # [N] on the cart
    simulation.set({"joint[0].motor.torque": -force})  # the motor acts on the second body, here the laboratory
    simulation.advance(0.01)
print(f"largest angle {max(map(abs, angles)):.3f} rad, at the end {angles[-1]:.4f} rad")
