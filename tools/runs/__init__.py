"""Runs under capture: what their bundles hold, why they compiled, and what they could do better."""
