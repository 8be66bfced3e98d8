"""The rules of the simplifying passes, by what they are about, and what rules share."""
