"""Live data of phyphox on a phone, by the web interface of its remote access."""
