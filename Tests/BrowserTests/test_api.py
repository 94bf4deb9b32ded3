"""The how-to of the API does what it says, and its reference page tries requests in the browser."""

import itertools
import json
import os
import re
import subprocess
import sys
import urllib.request

from playwright.sync_api import expect

from conftest import axe
from person import READING_MS
from server import PROJECT

NUMBERS = itertools.count()
GUIDE = (PROJECT / "docs/how-to/api.md").read_text()


def block(language, number=0):
    """One of the guide's code blocks."""
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.M | re.S)[number]


def made_key(server, person, *scopes):
    anna = person(server)
    # The tests share a server, and an e-mail address belongs to one person.
    name = f"anna.{next(NUMBERS)}@example.at"
    anna.enter(server.setup_link(another=True), "Anna Berger", name, household="Haus Berger")
    return anna, server.run("keys", "create", name, "Test", ",".join(scopes), "365")


def shell(text, server, key, folder, **more):
    environment = {"PATH": os.environ["PATH"], "KEY": key, "SERVER": server.url} | more
    done = subprocess.run(["bash", "-ec", text], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def test_a_receipt_is_uploaded_with_curl_once(server, person, receipts, tmp_path):
    _, key = made_key(server, person, "upload", "read")
    (tmp_path / "receipt.jpg").write_bytes(receipts[0].read_bytes())
    first = shell(block("sh"), server, key, tmp_path)
    assert not first["is_duplicate"]
    assert shell(block("sh"), server, key, tmp_path) == first
    state = shell(block("sh", 1), server, key, tmp_path, ID=first["id"])
    assert state["id"] == first["id"] and state["state"] in {"reading", "proven", "review"}


def test_the_python_script_prints_the_lines(server, person, receipts, tmp_path):
    _, key = made_key(server, person, "upload", "read")
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
    """What the action *Get Contents of URL* sends with a form that has one file."""
    _, key = made_key(server, person, "upload")
    assert "key `file`" in GUIDE and "`Bearer `" in GUIDE
    body = (b'--mark\r\nContent-Disposition: form-data; name="file"; filename="IMG_0001.jpeg"\r\n'
            b"Content-Type: image/jpeg\r\n\r\n" + receipts[0].read_bytes() + b"\r\n--mark--\r\n")
    request = urllib.request.Request(server.url + "/api/v1/receipts", body, method="POST", headers={
        "Authorization": f"Bearer {key}", "Content-Type": "multipart/form-data; boundary=mark"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status == 201 and json.load(answer)["id"]


def test_the_reference_tries_requests_and_loads_nothing_from_elsewhere(server, person):
    anna, _ = made_key(server, person, "read")
    page = anna.page
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    anna.go("/help/api#MemberAPI.me")
    operation = page.locator("[id='MemberAPI.me']")
    operation.locator("form button").click()
    expect(operation.locator("form [role=status]")).to_contain_text('"name": "Anna Berger"')
    draft = page.locator("[id='ReceiptEditAPI.draft']")
    draft.locator("summary").click()
    draft.locator("form button").click()
    expect(draft.locator("form [role=status]")).to_contain_text("201")
    assert [url for url in asked if not url.startswith(server.url)] == []
    assert axe(page) == []
