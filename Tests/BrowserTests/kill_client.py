"""The client of bin/kill-test. Uploads receipts without a pause, records acknowledged uploads, and checks them later.

usage: kill_client.py set-up|upload|wait|verify URL FOLDER
"""

import http.client
import io
import json
import os
import pathlib
import re
import secrets
import sys
import time
import urllib.parse

from PIL import Image, ImageDraw, ImageFont

# The maximum number of receipts that wait for the reader at the same time. More would only make the test longer.
WAITING = int(os.environ.get("KILL_TEST_WAITING", "12"))
# Seconds within which the server must have read all receipts.
READ_WITHIN = 3600


class Client:
    def __init__(self, url, folder):
        self.host = urllib.parse.urlsplit(url).netloc
        self.folder = pathlib.Path(folder)
        self.jar = self.folder / "cookies.json"
        self.cookies = json.loads(self.jar.read_text()) if self.jar.exists() else {}

    def send(self, method, path, body=None, kind=None):
        connection = http.client.HTTPConnection(self.host, timeout=30)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if kind:
            headers |= {"Content-Type": kind, "Sec-Fetch-Site": "same-origin"}
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
        finally:
            connection.close()
        for field in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = field.split(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, answer.headers.get("Location") or "", text

    def token(self, path):
        status, _, text = self.send("GET", path)
        found = re.search(r'name="csrf" value="([^"]+)"', text)
        return found.group(1) if status == 200 and found else None

    def set_up(self):
        path = urllib.parse.urlsplit(os.environ["ALLESTEURER_SETUP_LINK"]).path
        fields = {"csrf": self.token(path), "household": "Haus", "name": "Anna", "email": "anna@example.at",
                  "password": "vier Tassen Kaffee 7"}
        status, _, text = self.send("POST", path, urllib.parse.urlencode(fields), "application/x-www-form-urlencoded")
        assert status == 303, text
        self.jar.write_text(json.dumps(self.cookies))

    def upload(self, number):
        """Returns the address of an acknowledged receipt, else None."""
        token = self.token("/receipts/new")
        if not token:
            return None
        boundary = secrets.token_hex(12)
        part = f"--{boundary}\r\nContent-Disposition: form-data; name="
        body = (f'{part}"csrf"\r\n\r\n{token}\r\n{part}"files"; filename="{number}.jpg"\r\n'
                f"Content-Type: image/jpeg\r\n\r\n").encode() + picture(number) + f"\r\n--{boundary}--\r\n".encode()
        status, location, _ = self.send("POST", "/receipts", body, f"multipart/form-data; boundary={boundary}")
        return location if status == 303 and location.startswith("/receipts/") else None

    def upload_until_stopped(self):
        acknowledged, number = self.folder / "acknowledged", 0
        with acknowledged.open("a") as log:
            while not (self.folder / "stop").exists():
                try:
                    if self.waiting() < WAITING:
                        number += 1
                        receipt = self.upload(number)
                        if receipt:
                            print(receipt, file=log, flush=True)
                            continue
                except (OSError, http.client.HTTPException):
                    pass
                time.sleep(0.05)

    def waiting(self):
        """The number of recently acknowledged receipts that are not read yet."""
        known = (self.folder / "acknowledged").read_text().split()
        return sum(self.state(receipt) == "reading" for receipt in known[-WAITING:])

    def state(self, receipt):
        """Returns "reading", "read" or "missing"; otherwise the status code of the answer."""
        status, location, _ = self.send("GET", receipt)
        if status == 303 and location.endswith("/review"):
            return "read"
        return {200: "reading", 404: "missing"}.get(status, str(status))

    def wait(self):
        """Waits until the server answers requests for pages. The server restarts automatically."""
        end = time.monotonic() + 300
        while time.monotonic() < end:
            try:
                if self.send("GET", "/receipts")[0] == 200:
                    return
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.1)
        sys.exit("no request for a page succeeded within 300 s after the start of the database")

    def verify(self):
        """Waits until all acknowledged receipts are read. The process fails if one is missing or unread."""
        receipts = (self.folder / "acknowledged").read_text().split()
        end = time.monotonic() + READ_WITHIN
        states = dict.fromkeys(receipts, "reading")
        while "reading" in states.values() and time.monotonic() < end:
            for receipt in [receipt for receipt, state in states.items() if state == "reading"]:
                states[receipt] = self.state(receipt)
            time.sleep(1)
        counts = {state: list(states.values()).count(state) for state in sorted(set(states.values()))}
        print(f"acknowledged uploads: {len(states)}, of them {counts}")
        sys.exit(0 if states and counts == {"read": len(states)} else 1)


def picture(number):
    """The JPEG of a small receipt. Each call returns different bytes, so that no picture is a duplicate."""
    image = Image.new("L", (420, 300), 250)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(26)
    for row, text in enumerate(["MARKTHALLE", f"SEMMEL {number}", "BUTTER   2,29 B", "SUMME   2,29", "04.03.2026 17:21"]):
        pen.text((20, 20 + 50 * row), text, font=font, fill=20)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=90)
    # Numbers repeat after a restart of this client, so the file ends with random bytes.
    return buffer.getvalue() + secrets.token_bytes(8)


if __name__ == "__main__":
    client = Client(*sys.argv[2:4])
    (client.folder / "acknowledged").touch()
    {"set-up": client.set_up, "upload": client.upload_until_stopped, "wait": client.wait, "verify": client.verify}[sys.argv[1]]()
