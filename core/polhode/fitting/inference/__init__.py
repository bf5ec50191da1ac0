"""Inference from a fit: noise of measured inputs, predictions for a further run, comparisons of models."""
