"""What is raised where a font cannot be pruned."""

from __future__ import annotations


class Unprunable(Exception):
    """A font, or a stream that uses it, cannot be taken apart safely. Caught in this package, never seen outside it.

    The message says why, and quotes nothing of the file.
    """
