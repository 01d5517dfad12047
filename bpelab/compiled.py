"""The one decorator for compiled code."""

try:
    from numba import njit as numba_njit

    njit = numba_njit(cache=True)
except ImportError:

    def njit(function):
        """Leave the function uncompiled."""
        return function
