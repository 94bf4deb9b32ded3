"""Runs the examples of the API guide (docs/how-to/api.md), and sends requests from the reference page in the browser."""

import http.server
import itertools
import json
import os
import re
import subprocess
import sys
import threading
import urllib.request

from playwright.sync_api import expect

from conftest import axe
from person import READING_MS
from server import PROJECT, Server
from waiting import wait_until

NUMBERS = itertools.count()
GUIDE = (PROJECT / "docs/how-to/api.md").read_text()


def block(language, number=0):
    """Returns one of the guide's code blocks."""
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.M | re.S)[number]


def household_with_key(server, person, *scopes):
    """Sets up a household. Returns the browser of its owner and a key with these scopes."""
    anna = person(server)
    # The tests share a server, and each person needs an e-mail address of their own.
    name = f"anna.{next(NUMBERS)}@example.at"
    anna.enter(server.setup_link(another=True), "Anna Berger", name, household="Haus Berger")
    return anna, server.run("keys", "create", name, "Test", ",".join(scopes), "365")


def shell(text, server, key, folder, **variables):
    """Runs an example for the shell, and returns the JSON that it prints."""
    environment = {"PATH": os.environ["PATH"], "KEY": key, "SERVER": server.url} | variables
    done = subprocess.run(["bash", "-ec", text], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def test_repeating_the_curl_upload_creates_no_second_receipt(server, person, receipts, tmp_path):
    _, key = household_with_key(server, person, "upload", "read")
    (tmp_path / "receipt.jpg").write_bytes(receipts[0].read_bytes())
    first = shell(block("sh"), server, key, tmp_path)
    assert not first["is_duplicate"]
    assert shell(block("sh"), server, key, tmp_path) == first
    state = shell(block("sh", 1), server, key, tmp_path, ID=first["id"])
    assert state["id"] == first["id"] and state["state"] in {"reading", "proven", "review"}


def test_the_python_script_prints_the_lines(server, person, receipts, tmp_path):
    _, key = household_with_key(server, person, "upload", "read")
    script = tmp_path / "upload.py"
    script.write_text(block("python"))
    assert len(block("python").splitlines()) <= 36
    environment = {"KEY": key, "SERVER": server.url}
    done = subprocess.run(
        [sys.executable, script, receipts[0]], env=environment, stdout=subprocess.PIPE, text=True, check=True,
        timeout=READING_MS / 1000)
    head, *lines = done.stdout.splitlines()
    assert head.split()[0] in {"proven", "review"} and len(lines) >= 2


def test_the_request_of_the_shortcut_uploads_a_file(server, person, receipts):
    """Sends the same request as the action *Get Contents of URL* of Apple's Shortcuts for a form with one file."""
    _, key = household_with_key(server, person, "upload")
    assert "key `file`" in GUIDE and "`Bearer `" in GUIDE
    body = (b'--mark\r\nContent-Disposition: form-data; name="file"; filename="IMG_0001.jpeg"\r\n'
            b"Content-Type: image/jpeg\r\n\r\n" + receipts[0].read_bytes() + b"\r\n--mark--\r\n")
    request = urllib.request.Request(server.url + "/api/v1/receipts", body, method="POST", headers={
        "Authorization": f"Bearer {key}", "Content-Type": "multipart/form-data; boundary=mark"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        assert answer.status == 201 and json.load(answer)["id"]


def call(server, key, method, path, body=None, **fields):
    request = urllib.request.Request(
        server.url + path, None if body is None else json.dumps(body).encode(), method=method,
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"} | fields)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def test_a_webhook_is_sent_and_signed_as_the_guide_says(person, tmp_path):
    received = []

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            received.append((self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    server = Server("browser_webhook")
    server.extra_settings = {"WEBHOOK_PRIVATE": 1}
    server.start()
    try:
        _, key = household_with_key(server, person, "read", "write", "admin")
        command = block("sh", 2).replace("https://example.at/receipts", f"http://localhost:{receiver.server_port}/receipts")
        secret = shell(command, server, key, tmp_path)["secret"]
        receipt = call(server, key, "POST", "/api/v1/receipts/drafts", {})["id"]
        line = {"printed_name": "MILCH", "total_minor": 129}
        change = {"store": "Greissler", "purchase_day": "2026-03-05", "total_minor": 129, "lines": [line]}
        call(server, key, "POST", f"/api/v1/receipts/{receipt}/confirmation", change, **{"If-Match": "*"})
        wait_until(lambda: received, "no webhook was sent")
        (fields, body), = received
        guide = {}
        exec(block("python", 1), guide)
        assert guide["is_genuine"](secret, fields["AllesTeurer-Signature"], body)
        assert not guide["is_genuine"](secret, fields["AllesTeurer-Signature"], body + b" ")
        message = json.loads(body)
        assert (message["event"], message["id"]) == ("receipt.confirmed", fields["AllesTeurer-Delivery"])
        assert message["data"]["receipt"] == receipt and message["data"]["total_minor"] == 129
    finally:
        server.stop()
        receiver.shutdown()


def test_the_reference_page_sends_requests_and_loads_nothing_from_other_servers(server, person):
    anna, _ = household_with_key(server, person, "read")
    page = anna.page
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    anna.go("/help/api#MemberAPI.me")
    operation = page.locator("[id='MemberAPI.me']")
    operation.locator("form button").click()
    expect(operation.locator("form [role=status]")).to_contain_text('"name": "Anna Berger"')
    draft = page.locator("[id='ReceiptEditAPI.draft']")
    draft.locator("summary").click()
    draft.locator("form button").click()
    expect(draft.locator("form [role=status]")).to_contain_text("201")
    assert [url for url in requested if not url.startswith(server.url)] == []
    assert axe(page) == []
