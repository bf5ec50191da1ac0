"""How a scene is presented: view, camera, and the card that introduces it."""
