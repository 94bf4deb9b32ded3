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
    """Adds pictures, whose content is stored uncompressed."""
    count = MEGABYTES * 1_000_000 // PICTURE
    sql(f"""INSERT INTO blob (household_id, id, purpose, media_type, size)
        SELECT '{household}', gen_random_uuid(), 'display', 'image/jpeg', {PICTURE} FROM generate_series(1, {count})""")
    sql(f"""INSERT INTO blob_chunk (household_id, blob_id, n, bytes)
        SELECT household_id, id, 0, convert_to(repeat(md5(id::text), {PICTURE // 32}), 'UTF8')::bytea FROM blob
        WHERE household_id = '{household}' AND size = {PICTURE} AND purpose = 'display'
            AND NOT EXISTS (SELECT 1 FROM blob_chunk c WHERE c.household_id = blob.household_id AND c.blob_id = blob.id)""")
    # Pictures without a receipt are not archived.
    sql(f"""INSERT INTO receipt_page (household_id, receipt_id, n, display_blob_id, width, height)
        SELECT household_id, (SELECT id FROM receipt r WHERE r.household_id = '{household}' ORDER BY id LIMIT 1),
            1000 + row_number() OVER (ORDER BY id), id, 800, 1200
        FROM blob WHERE household_id = '{household}' AND size = {PICTURE} AND purpose = 'display'""")


def measure(name, *arguments):
    """Runs a command, and prints its peak memory."""
    begin = time.monotonic()
    process = subprocess.Popen([*sys.argv[1:-1], *arguments], stdout=subprocess.PIPE, text=True)
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
    bench.bar(f"{name}, memory", peak / 1024, 100, "MB")


def run():
    household = sql(f"SELECT household_id FROM membership m JOIN person p ON p.id = m.person_id WHERE p.login = '{bench.LOGIN}'")
    fill(household)
    archive = SCRATCH / "household.tar"
    measure("backup", "backup", "--household", household, "--to", str(archive))
    print(f"The archive has {archive.stat().st_size / 1e9:.1f} GB.", flush=True)
    measure("restoration", "restore", str(archive))
    bytes_of = "SELECT sum(octet_length(bytes)) FROM blob_chunk WHERE household_id"
    if sql(f"{bytes_of} = '{household}'") != sql(f"{bytes_of} <> '{household}'"):
        sys.exit("The restored household has other pictures.")
