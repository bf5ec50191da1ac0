"""Controls of the steps of a lesson, by their kinds."""
