"""An interrupted upload over a slow connection shows its progress and resumes automatically."""

import os
import re

from PIL import Image
from playwright.sync_api import expect

from person import READ, READING_MS, RECEIPT, until
from server import psql

PART = 512 * 1024


def photo(path):
    """A picture of noise, which cannot be compressed, so that it is uploaded in about three parts."""
    Image.frombytes("L", (1200, 1200), os.urandom(1200 * 1200)).save(path, "JPEG", quality=90)
    assert 2 * PART < path.stat().st_size < 4 * PART
    return path


def household(server, anna):
    number = len(server.households)
    server.households.append(number)
    anna.enter(server.setup_link(another=number > 0), "Anna Berger", f"anna{number}@example.at", household="Haus Berger")


def test_a_file_that_arrived_is_not_sent_again_by_the_next_visit(server, person, tmp_path):
    anna = person(server)
    household(server, anna)
    anna.go("/receipts/new")
    anna.page.evaluate("""() => {
        const remove = queue.remove;
        queue.remove = async (id) => { await new Promise((done) => setTimeout(done, 1000)); await remove(id); };
    }""")
    anna.page.set_input_files("input[multiple]", photo(tmp_path / "photo.jpg"))
    anna.page.wait_for_url(RECEIPT)
    assert anna.page.evaluate("async () => (await queue.all()).length") == 0


def test_the_row_of_a_file_from_an_earlier_visit_shows_the_result_of_its_reading(server, person, tmp_path):
    anna = person(server)
    household(server, anna)
    anna.go("/receipts/new")
    bytes_of_photo = list(photo(tmp_path / "photo.jpg").read_bytes())
    anna.page.evaluate("""async (bytes) => {
        await queue.add(new File([new Uint8Array(bytes)], "bon.jpg", { type: "image/jpeg" }));
    }""", bytes_of_photo)
    anna.go("/receipts/new")
    expect(anna.page.locator(".queue .status")).to_have_text(READ, timeout=READING_MS)
    until(anna.page, "async () => (await queue.all()).length === 0")


def test_an_interrupted_upload_resumes_by_itself(server, person, tmp_path):
    anna = person(server)
    household(server, anna)
    page = anna.page
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")

    def connect(offline=False, kilobytes=-1):
        speed = kilobytes * 1024 if kilobytes > 0 else -1
        devtools.send("Network.emulateNetworkConditions", {
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
    # The page sends no part twice (its service worker may send the missing ones), and the file becomes one receipt.
    assert before >= 2 and all(offset >= PART for offset in offsets[before:])
    receipt = RECEIPT.search(anna.path)[0].split("/")[-1]
    assert psql(server.database, "-At", "-c", f"""SELECT (SELECT count(*) FROM receipt r
        WHERE r.household_id = u.household_id), size = received FROM upload u WHERE u.receipt_id = '{receipt}'""") == "1|t"
