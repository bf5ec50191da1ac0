"""Live sources of measured data: a phone, the distance sensor."""
