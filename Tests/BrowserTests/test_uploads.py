"""An interrupted upload over a slow line: it shows its progress and resumes by itself."""

import os
import re

from PIL import Image
from playwright.sync_api import expect

from person import RECEIPT
from server import psql

PART = 512 * 1024


def photo(path):
    """A picture of noise, which does not compress: about three parts."""
    Image.frombytes("L", (1200, 1200), os.urandom(1200 * 1200)).save(path, "JPEG", quality=90)
    assert 2 * PART < path.stat().st_size < 4 * PART
    return path


def test_an_interrupted_upload_resumes_by_itself(server, person, tmp_path):
    anna = person(server)
    anna.enter(server.setup_link(), "Anna Berger", "anna@example.at", household="Haus Berger")
    page = anna.page
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")

    def connect(offline=False, kilobytes=-1):
        speed = kilobytes * 1024 if kilobytes > 0 else -1
        line.send("Network.emulateNetworkConditions", {
            "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": speed})

    offsets = []
    page.on("request", lambda request: offsets.extend(int(n) for n in re.findall(r"/parts\?offset=(\d+)", request.url)))
    connect(kilobytes=150)
    with page.expect_response(lambda answer: answer.url.endswith("/parts?offset=0")):
        anna.upload(photo(tmp_path / "photo.jpg"))
        expect(page.locator(".queue .amount")).to_have_text(re.compile(r"^\d,\d von \d,\d MB, noch \d+ s$"))
    connect(offline=True)
    expect(page.locator(".queue .status")).to_have_text(re.compile("^unterbrochen"))
    before = len(offsets)
    connect()
    page.wait_for_url(RECEIPT)
    # The page sends no part twice (its service worker may send the rest), and the file is one receipt.
    assert before >= 2 and all(offset >= PART for offset in offsets[before:])
    assert psql(server.database, "-At", "-c", "SELECT count(*) FROM receipt") == "1"
    assert psql(server.database, "-At", "-c", "SELECT size = received FROM upload") == "t"
