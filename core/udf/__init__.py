"""Files of PEM, the magnetic-pendulum simulator of the OCTA project: UDF 1.0 to 1.3."""
