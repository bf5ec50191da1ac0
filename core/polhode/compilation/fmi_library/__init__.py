"""The library of FMUs: all kernels of a run as shared object, with the interface FMI 3.0 around them."""
