"""bin/bench archives: memory of a backup and a restoration of a household with many pictures."""

import os
import pathlib
import re
import subprocess
import sys
import time

import bench
from bench import SCRATCH, sql

MEGABYTES = int(os.environ.get("BENCH_PICTURES_MB", "2000"))
PICTURE = 300_000


def fill(household):
    """Adds pictures to a household."""
    count = MEGABYTES * 1_000_000 // PICTURE
    sql(f"""INSERT INTO blob (household_id, id, purpose, media_type, size)
        SELECT '{household}', gen_random_uuid(), 'display', 'image/jpeg', {PICTURE} FROM generate_series(1, {count})""")
    sql(f"""INSERT INTO blob_chunk (household_id, blob_id, n, bytes)
        SELECT household_id, id, 0, convert_to(repeat(md5(id::text), {PICTURE // 32}), 'UTF8')::bytea FROM blob
        WHERE household_id = '{household}' AND size = {PICTURE} AND purpose = 'display'
            AND NOT EXISTS (SELECT 1 FROM blob_chunk c WHERE c.household_id = blob.household_id AND c.blob_id = blob.id)""")
    # Adds the pictures to a receipt, because pictures without a receipt are not archived.
    sql(f"""INSERT INTO receipt_page (household_id, receipt_id, n, display_blob_id, width, height)
        SELECT household_id, (SELECT id FROM receipt r WHERE r.household_id = '{household}' ORDER BY id LIMIT 1),
            1000 + row_number() OVER (ORDER BY id), id, 800, 1200
        FROM blob WHERE household_id = '{household}' AND size = {PICTURE} AND purpose = 'display'""")


def start(*arguments):
    return subprocess.Popen([*sys.argv[1:-1], *arguments], stdout=subprocess.PIPE, text=True)


def measure(name, *arguments):
    """Runs a command, and prints its peak memory."""
    begin = time.monotonic()
    process = start(*arguments)
    peak = 0
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            break
        peak = max(peak, 0, *(int(kib) for kib in re.findall(r"VmHWM:\s+(\d+)", status)))
        time.sleep(0.05)
    output = process.communicate()[0]
    if process.returncode != 0:
        sys.exit(f"{name} ended with {process.returncode}: {output}")
    print(f"{name}: {time.monotonic() - begin:.0f} s", flush=True)
    bench.check_limit(f"{name}, memory", peak / 1024, 100, "MB")


def kill(name, is_half_done, *arguments):
    """Runs a command, and kills it when it has done about half of its work."""
    process = start(*arguments)
    while not is_half_done(process.pid):
        if process.poll() is not None:
            sys.exit(f"{name} ended with {process.returncode} before it was killed")
        time.sleep(0.05)
    process.kill()
    process.communicate()
    print(f"{name}: killed", flush=True)


def read_bytes(pid):
    return int(re.search(r"rchar: (\d+)", pathlib.Path(f"/proc/{pid}/io").read_text()).group(1))


def pictures(condition):
    """The number, the size and a checksum of the stored pictures."""
    return sql(f"""SELECT concat_ws(' ', count(*), sum(octet_length(bytes)),
        sum(('x' || left(md5(bytes), 8))::bit(32)::bigint)) FROM blob_chunk WHERE household_id {condition}""")


def run():
    household = sql(f"SELECT household_id FROM membership m JOIN person p ON p.id = m.person_id WHERE p.login = '{bench.LOGIN}'")
    fill(household)
    archive = SCRATCH / "household.tar"
    partial, half = pathlib.Path(f"{archive}.part"), MEGABYTES * 500_000
    before = pictures(f"= '{household}'")
    backup = ["backup", "--household", household, "--to", str(archive)]
    kill("backup", lambda _: partial.exists() and partial.stat().st_size > half, *backup)
    if archive.exists():
        sys.exit("A killed backup left a file that looks complete.")
    # The second backup replaces the partial file.
    measure("backup", *backup)
    if partial.exists():
        sys.exit("The partial file of the killed backup is still there.")
    size = archive.stat().st_size
    print(f"The archive has {size / 1e9:.1f} GB.", flush=True)
    # Frees disk space, because with BENCH_PICTURES_MB=20000 many disks cannot hold both the archive and the database.
    sql("TRUNCATE blob_chunk")
    # A restoration reads the archive twice: it first checks the whole archive.
    kill("restoration", lambda pid: read_bytes(pid) > size * 3 // 2, "restore", str(archive))
    # The transaction of the killed process ends when PostgreSQL detects the closed connection.
    while sql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'allesteurer_app' AND state <> 'idle'") != "0":
        time.sleep(0.1)
    if sql("SELECT count(*) FROM household") != "1" or sql("SELECT count(*) FROM blob_chunk") != "0":
        sys.exit("A killed restoration left a part of the household.")
    sql("TRUNCATE blob_chunk")
    measure("restoration", "restore", str(archive))
    if before != pictures(f"<> '{household}'"):
        sys.exit("The restored household has other pictures.")
    print("The restored pictures are the same.", flush=True)
