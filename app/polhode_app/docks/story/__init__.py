"""The card that introduces a scene over the view."""
