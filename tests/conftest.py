"""What holds for every test."""

from __future__ import annotations

import signal

# A run that was started in the background by a shell ignores interrupts, and so would every process that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
