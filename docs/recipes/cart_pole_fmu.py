"""A cart balances a pole, as docs/recipes/cart_pole.py, but the scene is an FMU and the controller another program.

polhode convert docs/recipes/cart_pole.toml cart_pole.fmu
pip install fmpy
python docs/recipes/cart_pole_fmu.py cart_pole.fmu
"""

import sys
from math import asin

from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

STEP = 0.01  # [s]
described, folder = read_model_description(sys.argv[1]), extract(sys.argv[1])
references = {variable.name: variable.valueReference for variable in described.modelVariables}
names = ("pole.u3.x", "cart.position.x", "cart.velocity.x", "pole.angular_velocity.y")
read = [references[name] for name in names]
motor = [references["joint[0].motor.torque"]]  # it acts on the second body, here the laboratory

scene = FMU3Slave(
    guid=described.instantiationToken,
    unzipDirectory=folder,
    modelIdentifier=described.coSimulation.modelIdentifier,
    instanceName="cart and pole",
)
scene.instantiate(loggingOn=True)
scene.enterInitializationMode(startTime=0.0)
scene.exitInitializationMode()
angles = []  # [rad]
for k in range(1000):
    tilt, x, v, w = scene.getFloat64(read)
    angles.append(asin(tilt))
    force = 25.0 * angles[-1] + 6.0 * w + 1.0 * x + 2.0 * v  # [N] on the cart
    scene.setFloat64(motor, [-force])
    scene.doStep(currentCommunicationPoint=k * STEP, communicationStepSize=STEP)
scene.terminate()
scene.freeInstance()
print(f"largest angle {max(map(abs, angles)):.3f} rad, at the end {angles[-1]:.4f} rad")
