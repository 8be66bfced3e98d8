"""NumPy-like functions, composed of ops."""
