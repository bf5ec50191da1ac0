"""What live sources of measured data do: a phone, the distance sensor."""
