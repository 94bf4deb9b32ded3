"""The client of `bin/kill-test sync`: pushes, pulls with attachments, makes and restores archives
while the server is killed repeatedly, and checks at the end that nothing acknowledged is lost or duplicated.

usage: kill_sync.py set-up|work|verify URL FOLDER
env:   ALLESTEURER_SETUP_LINK   for set-up
       KILL_SYNC_KEY            a key for sync, for work and verify
       KILL_SYNC_PSQL           a psql command that connects to the server's database, for verify
"""

import http.client
import io
import os
import pathlib
import random
import re
import secrets
import shlex
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid

from PIL import Image

from replica import Api, Lost, Refused, Replica, Replicator
from waiting import wait_until
from web import PASSWORD, Web

EMAIL = "anna@example.at"
PASSPHRASE = "ein langer Satz fuer das Archiv"
# Number of stores and receipts per push.
BATCH = 10
# Number of pushes for each push with a photo.
PHOTO_EVERY = 8
PHOTO_BYTES = 150_000
# Maximum number of restored households.
RESTORES = 60
# Number of restorations of each archive.
COPIES = 2
# Seconds within which the server must have read all photos.
READ_WITHIN = 1800


class Workspace:
    """The folder with the client's files, and its session on the website."""

    def __init__(self, url, folder):
        self.folder = pathlib.Path(folder)
        self.port = urllib.parse.urlsplit(url).port
        self.web = Web(self)
        self.jar = self.folder / "cookies"

    @property
    def household(self):
        return (self.folder / "household").read_text()

    def replicator(self):
        replica = Replica("kill")
        return Replicator(replica, Api(self.port, os.environ["KILL_SYNC_KEY"]), self.household)

    @property
    def has_ended(self):
        return (self.folder / "stop").exists()

    def record(self, name, *lines):
        with (self.folder / name).open("a") as log:
            print(*lines, sep="\n", file=log, flush=True)

    def recorded(self, name):
        path = self.folder / name
        return path.read_text().split() if path.exists() else []


def set_up(workspace):
    workspace.web.sign_up(os.environ["ALLESTEURER_SETUP_LINK"], EMAIL)


def until_answered(workspace, step):
    """Repeats a step until the server answers with success. Returns None if the test ends first."""
    while True:
        try:
            return step()
        except (Lost, OSError, http.client.HTTPException):
            pass
        except Refused as refused:
            # 404: after the feed was read, the reader replaced a photo with a picture without personal details.
            assert refused.status in (404, 429, 500, 503), refused
        if workspace.has_ended:
            return None
        time.sleep(0.05)


# Pushes


def push(workspace):
    client, number = workspace.replicator(), 0
    while not workspace.has_ended:
        number += 1
        names = documents(client.replica, number)
        if until_answered(workspace, lambda: (client.push(), True)[1]) is None:
            return
        assert not client.refused, client.refused
        workspace.record("pushed", *names)


def documents(replica, number):
    names = []
    for index in range(BATCH):
        if index % 2:
            name, body = f"store:{uuid.uuid4()}", {"type": "store", "name": f"Laden {number} {index} {secrets.token_hex(4)}"}
        else:
            name = f"receipt:{uuid.uuid4()}"
            price = random.randint(1, 999)
            body = {"type": "receipt", "stage": "confirmed", "store": "Greissler", "day": f"2026-0{random.randint(1, 9)}-11",
                    "total_minor": price, "currency": "EUR", "lines": [{
                        "id": str(uuid.uuid4()), "kind": "item", "name": f"WARE {number % 20}", "quantity_thousandths": 1000,
                        "unit": "piece", "total_minor": price}]}
        replica.write(name, body)
        names.append(name)
    if number % PHOTO_EVERY == 1:
        name, receipt = f"image:{uuid.uuid4()}", f"receipt:{uuid.uuid4()}"
        replica.write(name, {"type": "image", "receipt": receipt}, attachments={"bon.jpg": ("image/jpeg", photo())})
        names += [name, receipt]
    return names


def photo():
    buffer = io.BytesIO()
    Image.new("L", (200, 200), 250).save(buffer, "JPEG")
    return buffer.getvalue() + secrets.token_bytes(PHOTO_BYTES)


# Pulls


def pull(workspace):
    """Repeatedly pulls all documents with their attachments. The replicator checks the digests."""
    while not workspace.has_ended:
        client = workspace.replicator()
        until_answered(workspace, lambda: (client.pull(), True)[1])
        workspace.record("pulled", str(len(client.replica.documents())))


# Backups and restorations


def restore(workspace):
    """Makes archives, and restores each of them COPIES times as additional households."""
    number = 0
    while not workspace.has_ended:
        archive = make_archive(workspace)
        number += 1
        for _ in range(COPIES):
            before = when_idle(workspace, "household")
            if archive is None or workspace.has_ended:
                return
            if len(before) >= RESTORES:
                time.sleep(1)
                continue
            if upload(workspace, archive):
                # The server has acknowledged the upload, so it continues the job after each kill.
                workspace.record("restores", "acknowledged")
            new = [copy for copy in when_idle(workspace, "household") if copy not in before]
            workspace.record("copies", *(f"{number}:{copy}" for copy in new))


def make_archive(workspace):
    """Returns a new archive; None if the test ends first."""
    known = when_idle(workspace, "archive")
    while not workspace.has_ended:
        try:
            is_accepted = workspace.web.post("/settings/archives", "/settings/archives", passphrase=PASSPHRASE)[0] == 303
        except (OSError, http.client.HTTPException, AttributeError):
            is_accepted = False
        if is_accepted:
            workspace.record("made", "acknowledged")
        new = [name for name in when_idle(workspace, "archive") if name not in known]
        assert new or not is_accepted, "an acknowledged backup is missing"
        while new and not workspace.has_ended:
            try:
                return download(workspace, new[0])
            except (OSError, http.client.HTTPException, AttributeError, AssertionError):
                time.sleep(0.2)
    return None


def download(workspace, name):
    token = workspace.web.token("/settings/archives")
    connection = http.client.HTTPConnection("127.0.0.1", workspace.port, timeout=60)
    fields = urllib.parse.urlencode({"csrf": token, "archive": name, "password": PASSWORD})
    connection.request("POST", "/settings/archives/download", fields, workspace.web.headers("application/x-www-form-urlencoded"))
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status == 200, content[:300]
    return content


def upload(workspace, archive):
    """Uploads an archive. Returns whether the server accepted it."""
    boundary = secrets.token_hex(12)
    try:
        token = workspace.web.token("/settings/archives")
        body = b"".join(
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in (("csrf", token), ("password", PASSWORD), ("passphrase", PASSPHRASE)))
        body += (f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.tar"\r\n'
                 "Content-Type: application/x-tar\r\n\r\n").encode() + archive + f"\r\n--{boundary}--\r\n".encode()
        connection = http.client.HTTPConnection("127.0.0.1", workspace.port, timeout=60)
        connection.request(
            "POST", "/settings/archives/restoration", body, workspace.web.headers(f"multipart/form-data; boundary={boundary}"))
        answer = connection.getresponse()
        answer.read()
        return answer.status == 303
    except (OSError, http.client.HTTPException, AttributeError):
        return False


def listed(workspace, field):
    """The archives or restored households on the page. None if the server does not answer or a job is running."""
    try:
        status, text, _ = workspace.web.send("GET", "/settings/archives")
    except (OSError, http.client.HTTPException):
        return None
    if status != 200 or "data-archives" in text:
        return None
    if field == "archive":
        return re.findall(r'name="archive" value="(household-[^"]+)" required', text)
    part = text.split('id="results"')[1].split("</section>")[0] if 'id="results"' in text else ""
    return re.findall(r'name="household" value="([^"]+)"', part)


def when_idle(workspace, field):
    """Waits until no job is running, and returns the archives or restored households on the page."""
    deadline = time.monotonic() + 600
    while (found := listed(workspace, field)) is None:
        assert time.monotonic() < deadline, "a job did not end"
        time.sleep(0.05)
    return found


# Checks


def sql(statement):
    command = [*shlex.split(os.environ["KILL_SYNC_PSQL"]), "-At", "-c", statement]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def verify(workspace):
    copies = when_idle(workspace, "household")
    # The reader also reads the photos of restored households.
    wait_until(
        lambda: not sql("SELECT 1 FROM receipt WHERE stage = 'reading' LIMIT 1"), "a photo was not read", READ_WITHIN, interval=1)
    client = workspace.replicator()
    client.pull()
    current, pushed = client.replica.documents(), workspace.recorded("pushed")
    lost = [name for name in pushed if name not in current]
    faults = [f"lost: {name}" for name in lost]
    of_household = f"household_id = '{workspace.household}'"
    receipts = int(sql(f"SELECT count(*) FROM receipt WHERE {of_household}")[0])
    known = len([name for name in current if name.startswith("receipt:")])
    if receipts != known:
        faults.append(f"{receipts} receipts, {known} documents")
    faults += [f"wrong sum: {month}" for month in sql(f"""
        WITH counted AS (SELECT date_trunc('month', purchase_day)::date AS month, sum(total_minor) AS total FROM receipt
            WHERE {of_household} AND stage = 'confirmed' AND discarded_at IS NULL GROUP BY 1),
        stored AS (SELECT month, sum(amount_minor) AS total FROM spending_month WHERE {of_household} GROUP BY 1)
        SELECT month FROM counted FULL JOIN stored USING (month) WHERE counted.total IS DISTINCT FROM stored.total""")]
    acknowledged, backups = len(workspace.recorded("restores")), len(workspace.recorded("made"))
    others = sql(f"SELECT id FROM household WHERE id <> '{workspace.household}'")
    if sorted(copies) != sorted(others):
        faults.append(f"{len(copies)} results, {len(others)} restored households")
    if len(copies) < acknowledged:
        faults.append(f"{acknowledged} acknowledged restorations, {len(copies)} done")
    # The reader replaces the pictures of restored photos, so their bytes are not compared.
    sizes = dict(line.split("|") for line in sql("""SELECT h.id, (SELECT count(*) FROM receipt_line l WHERE l.household_id = h.id)
        || '/' || (SELECT count(*) FROM sync_document s WHERE s.household_id = h.id AND NOT s.deleted) || '/'
        || (SELECT count(*) FROM receipt_file f WHERE f.household_id = h.id) FROM household h"""))
    for number in {line.split(":")[0] for line in workspace.recorded("copies")}:
        distinct = {sizes.get(copy) for each, copy in (line.split(":") for line in workspace.recorded("copies")) if each == number}
        if len(distinct) > 1:
            faults.append(f"restored households of archive {number} differ: {distinct}")
    print(f"acknowledged: {len(pushed)} documents, {backups} backups, {acknowledged} restorations ({len(copies)} done); "
          f"{len(workspace.recorded('pulled'))} complete pulls, the last of {len(current)} documents; faults: {len(faults)}")
    for fault in faults[:20]:
        print(fault)
    sys.exit(1 if faults or not pushed or not acknowledged or not backups else 0)


def work(workspace):
    """Runs pushes, pulls, backups and restorations until the test ends. An error in one of them ends the process."""
    failed = []

    def guarded(task):
        try:
            task(workspace)
        except BaseException as error:
            failed.append(error)
            (workspace.folder / "stop").touch()
            raise

    threads = [threading.Thread(target=guarded, args=[task]) for task in (push, pull, restore)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    workspace = Workspace(*sys.argv[2:4])
    if workspace.jar.exists():
        workspace.web.cookies.load(workspace.jar.read_text())
    {"set-up": set_up, "work": work, "verify": verify}[sys.argv[1]](workspace)
    workspace.jar.write_text("; ".join(f"{name}={morsel.value}" for name, morsel in workspace.web.cookies.items()))
