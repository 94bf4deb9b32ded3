"""Compiles the Swift client of docs/clients, and runs it against a server."""

import shutil
import subprocess

import pytest

from draw_receipts import draw_all
from histories import household
from person import READING_MS
from server import PROJECT


@pytest.mark.skipif(shutil.which("swiftc") is None, reason="the Swift compiler is not on PATH")
def test_every_function_of_the_swift_client_works(server, tmp_path):
    program = tmp_path / "client"
    subprocess.run(
        ["swiftc", PROJECT / "docs/clients/SyncManager.swift", PROJECT / "Tests/BrowserTests/sync_client/main.swift",
         "-o", program], check=True)
    tenant, key, _ = household(server)
    picture = draw_all(tmp_path)[0]
    done = subprocess.run(
        [program, server.url, tenant, key, picture], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=READING_MS / 1000)
    assert done.returncode == 0 and done.stdout.strip().endswith("ok"), done.stdout
