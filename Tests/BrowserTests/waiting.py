"""Waits for conditions instead of a fixed time."""

import time


def wait_until(condition, failure, seconds=120, interval=0.05, pause=time.sleep):
    """Waits until the condition is true, and fails with the message after some seconds. Tests with a page pass a `pause`
    that handles the events of the page."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, failure
        pause(interval)
