"""Runs random histories of sync clients (histories.py) on one server: `run_histories.py N SEED`."""

import random
import sys
import time

from histories import History, household
from server import Server

STEPS = 60


def run(server, seed, steps):
    """Returns None if all checks succeed, else the error."""
    try:
        History(random.Random(seed), server, *household(server)).run(steps)
    except AssertionError as error:
        return error
    return None


def shrink(server, seed, steps):
    """Returns the smallest number of steps with which the history of this seed fails."""
    low, high = 0, steps
    while low + 1 < high:
        middle = (low + high) // 2
        if run(server, seed, middle) is None:
            low = middle
        else:
            high = middle
    return high


def main(count, first):
    server = Server("sync_histories").start()
    began, failed = time.monotonic(), 0
    try:
        for seed in range(first, first + count):
            error = run(server, seed, STEPS)
            if error is not None:
                failed += 1
                steps = shrink(server, seed, STEPS)
                shown = run(server, seed, steps) or error
                print(f"seed {seed} fails with {steps} steps: {shown}: {shown.__cause__}", flush=True)
            elif (seed - first + 1) % 50 == 0:
                print(f"{seed - first + 1} histories, {time.monotonic() - began:.0f} s", flush=True)
    finally:
        server.stop()
    print(f"{count} histories, seeds {first} to {first + count - 1}: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
