"""Programs and bundles without what tells of their makers: names, places, constants, hosts."""

from tools.scrubbing.bundles import scrub_bundle
from tools.scrubbing.text import scrub_text

__all__ = ["scrub_bundle", "scrub_text"]
