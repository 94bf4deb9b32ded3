"""Runs random histories of sync clients (histories.py).

usage: run_histories.py COUNT FIRST_SEED
"""

import collections
import random
import sys
import time

from disruptions import WEIGHTS, keep_commits
from histories import History, household
from server import Server

STEPS = 60
# Maximum number of households on one server. More would make its backups slow, because a backup contains all of them.
HOUSEHOLDS = 20


class Runs:
    """Runs histories one after another, with a new server after a failure or for every 20 households."""

    def __init__(self, database="sync_histories", disruptions=tuple(WEIGHTS)):
        self.server, self.database, self.disruptions = None, database, disruptions
        # How often each step happened.
        self.steps = collections.Counter()

    def run(self, seed, steps=STEPS):
        """Returns None if all checks succeed, else the error."""
        if self.server is None or len(self.server.households) >= HOUSEHOLDS:
            self.stop()
            self.server = Server(self.database)
            # Hides the warnings that the server logs when the database is killed.
            self.server.extra_settings["LOG"] = "error"
            keep_commits(self.server)
            self.server.start()
        history = None
        try:
            history = History(random.Random(seed), self.server, *household(self.server), disruptions=self.disruptions)
            history.run(steps)
        except AssertionError as error:
            # The next history starts with a new server.
            self.stop()
            return error
        finally:
            self.steps.update(history.trace if history else [])
        return None

    def stop(self):
        if self.server is not None:
            self.server.stop()
        self.server = None


def shrink(runs, seed, steps):
    """Returns a small number of steps with which the history of this seed fails, found by bisection."""
    low, high = 0, steps
    while low + 1 < high:
        middle = (low + high) // 2
        if runs.run(seed, middle) is None:
            low = middle
        else:
            high = middle
    return high


def main(count, first):
    runs, began, done, failed = Runs(), time.monotonic(), 0, 0
    try:
        for seed in range(first, first + count):
            error = runs.run(seed, STEPS)
            done += 1
            if error is not None:
                failed += 1
                print(f"seed {seed}: {error}: {error.__cause__!r}", flush=True)
                steps = shrink(runs, seed, STEPS)
                shown = runs.run(seed, steps) or error
                print(f"seed {seed} fails with {steps} steps: {shown}: {shown.__cause__!r}", flush=True)
            elif done % 50 == 0:
                print(f"{done} histories, {time.monotonic() - began:.0f} s, {failed} failed", flush=True)
    finally:
        runs.stop()
        print("steps: " + ", ".join(f"{kind} {number}" for kind, number in runs.steps.most_common()))
        print(f"{done} histories, seeds {first} to {first + done - 1}: {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
