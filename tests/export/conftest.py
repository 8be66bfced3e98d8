"""Runs the tests that ask for `device` eagerly and lazily."""

from tests.functions.oracle import device

__all__ = ["device"]
