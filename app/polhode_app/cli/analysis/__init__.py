"""Commands that analyse a scene without a run."""
