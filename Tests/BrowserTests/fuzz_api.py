"""Tests every operation of the API with requests that schemathesis generates from the OpenAPI document.

usage: fuzz_api.py MINUTES SEED
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from replica import Api
from server import PROJECT, Server

SCHEMATHESIS = PROJECT / "var/schemathesis/bin/schemathesis"
SETTINGS = pathlib.Path(__file__).with_name("schemathesis.toml")
REPORTS = PROJECT / "var/fuzz-api"


def demo_key(server):
    """Creates a demo household with two years of data. Returns a key with all scopes for its owner."""
    email = re.search(r"e-mail\s+(\S+)", server.run("demo"))[1]
    return server.run("keys", "create", email, "Schemathesis", "read,write,upload,sync,admin").split()[-1]


def fuzz(server, key, *options, reports=REPORTS):
    """Returns the exit status and what schemathesis printed."""
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    command = [
        SCHEMATHESIS, "--no-color", "--config-file", SETTINGS, "run", f"{server.url}/api/v1/openapi.json",
        "--header", f"Authorization: Bearer {key}",
        # The key is sent in Authorization only; schemathesis must not add a random X-API-Key.
        "--generation-with-security-parameters", "false", "--report", "json,ndjson", "--report-dir", reports, *options]
    # schemathesis writes a cache to its working directory.
    done = subprocess.run(
        [str(word) for word in command], cwd=reports, env=os.environ | {"NO_COLOR": "1"}, stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def main(minutes, seed):
    server = Server("fuzz_api")
    server.extra_settings["LOG"] = "error"
    server.start()
    try:
        key = demo_key(server)
        status, output = fuzz(server, key, "--max-time", int(float(minutes) * 60), "--seed", seed)
        print(output)
        # Fails if the requests revoked this key, because then little was tested.
        Api(server.port, key).send("GET", "/api/v1/members/me")
    finally:
        server.stop()
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
