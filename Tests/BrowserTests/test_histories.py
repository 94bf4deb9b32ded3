"""300 random histories of sync clients. `bin/sync-histories` runs any number, also with photos, older backups and kills of
PostgreSQL, and shortens a failing one."""

import pytest

from run_histories import Runs

HISTORIES = 300
# Number of histories per test. The tests run in several processes.
BATCH = 10


@pytest.mark.parametrize("first", range(1, HISTORIES + 1, BATCH))
def test_random_histories(first):
    # Without kills of PostgreSQL, because other tests use it, and without photos and backups, which take seconds each.
    runs = Runs("histories", ["join", "leave", "kill server"])
    try:
        failed = {}
        for seed in range(first, first + BATCH):
            error = runs.run(seed)
            if error is not None:
                failed[seed] = f"{error}: {error.__cause__!r}"
    finally:
        runs.stop()
        print(f"seeds {first} to {first + BATCH - 1}: {dict(runs.steps)}")
    assert not failed, f"failed seeds (bin/sync-histories 1 SEED shortens a history): {failed}"
