"""How gently a path that follows a hand comes to its limits: for the compiled law and for its description alike."""

ROUND = 0.05  # part of the room between its limits in which a path is slowed down before a limit, on either side of it
