"""A bundle as a page: what its browser asks for, and the server that answers."""

from tools.serving.data import BundleData
from tools.serving.server import Server

__all__ = ["BundleData", "Server"]
