"""Observers of runs.

An observer is a kernel observe(method, model, inputs, now, state, work, record) -> steps to its next look, 0 to end the
run. It looks at the start, and then whenever it asked to. `now` is the Clock of the last whole step, `state` (k,) the
state there, which it may place but not change. Its record is a struct of its own, whose array `row` (1,) holds the
number of the run among those that are run one after the other.
"""
