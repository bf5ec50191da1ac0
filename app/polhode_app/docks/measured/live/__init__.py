"""Controllers of live sources of measured data: a phone, the distance sensor."""
