"""Events in a history (histories.py) besides the edits and syncs of its clients: members join and leave, the reader reads
photos, the server and PostgreSQL are killed, and an older backup is restored."""

import io
import os
import signal
import subprocess
import tempfile
import threading
import time
import uuid

from PIL import Image

from draw_receipts import draw_all
from replica import Api, Lost, Refused, Replica, Replicator
from rows import Rows
from server import POSTGRES, database_url, psql
from waiting import wait_until
from web import Web

# How often each event happens, relative to the weights of the clients' steps in histories.py.
WEIGHTS = {"join": 0.25, "leave": 0.15, "photo": 0.02, "kill server": 0.15, "kill database": 0.05, "backup": 0.05, "restore": 0.05}
BACKUP_KEY = "ein langer Satz fuer das Archiv"
# Seconds within which the reader must have read all photos.
READ_WITHIN = 600
PHOTOS = []


class Disruptions:
    """The events of a history besides the edits and syncs of its clients."""

    def begin_disruptions(self):
        self.backup = None
        # The receipts of photos. Their fields may have values that no client wrote, because the reader found them.
        self.photos = set()
        if not self.has_disruptions:
            return
        self.server.extra_settings["BACKUP_KEY"] = BACKUP_KEY
        self.members_in_backup = []

    def disrupt(self, event):
        {"join": self.join, "leave": self.leave, "photo": self.photo, "kill server": self.kill_server,
         "kill database": self.kill_database, "backup": self.make_backup, "restore": self.restore_backup}[event]()

    # Members

    def join(self):
        """Another member, who has a replica, joins the household."""
        if len(self.members) > 3:
            return
        _, text, _ = self.web.post("/settings/invitations", "/settings/household", role="member")
        link = text.split('id="invitation-link" value="')[1].split('"')[0]
        email = f"paul{uuid.uuid4().hex[:12]}@example.at"
        self.members.append(email)
        web = Web(self.server)
        web.join(link, email)
        key = self.new_key(email)
        replica = Replica(f"r{len(self.replicas)}")
        replica.clock = self.random.randint(-2, 2)
        client = Replicator(replica, Api(self.server.port, key, self.loses_answer), self.household, batch=20)
        client.email = email
        self.replicas.append(client)

    def leave(self):
        """The owner removes a member. The server then refuses the member's replica."""
        if len(self.members) < 2:
            return
        email = self.members.pop()
        person = psql(self.server.database, "-At", "-c", f"SELECT id FROM person WHERE login = '{email}'")
        status, text, _ = self.web.post(f"/settings/members/{person}/removal", "/settings/household")
        assert status == 303, text[:300]
        for client in [client for client in self.replicas if client.email == email]:
            self.replicas.remove(client)
            for request in (client.pull, client.push):
                try:
                    request()
                    raise AssertionError("a former member got an answer")
                except Lost:
                    pass
                except Refused as refused:
                    assert refused.status in (401, 403), refused

    def new_key(self, email):
        return self.server.run("keys", "create", email, "Test", "sync").split()[-1]

    # Photos

    def photo(self):
        """A replica adds a photo. The reader fills in the receipt of the photo while other clients edit."""
        client = self.random.choice(self.replicas)
        receipt = f"receipt:{self.identifier(client.replica.clock)}"
        self.photos.add(receipt)
        client.replica.write(
            f"image:{self.identifier(client.replica.clock)}", {"type": "image", "receipt": receipt},
            attachments={"bon.jpg": ("image/jpeg", photo(self.random.randrange(3)))})

    def wait_for_readings(self):
        unread = f"""SELECT 1 FROM receipt WHERE household_id = '{self.household}'
            AND stage = 'reading' AND discarded_at IS NULL LIMIT 1"""
        wait_until(
            lambda: not psql(self.server.database, "-At", "-c", unread), "a photo was not read", READ_WITHIN, interval=0.2)

    # Kills

    def kill_server(self):
        """Kills the server during a sync or shortly after it."""
        self.during_sync(self.server.kill)
        self.server.start()

    def kill_database(self):
        """Kills a process of PostgreSQL that serves a connection. PostgreSQL then ends all connections and recovers."""
        command = [POSTGRES / "psql", "-Xq", "-d", database_url("postgres", self.server.database), "-c", "SELECT pg_sleep(60)"]
        # This psql ends when PostgreSQL has ended all connections.
        connection = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.during_sync(self.kill_backend)
        connection.wait(90)
        psql(self.server.database, "-c", "SELECT 1")
        deadline = time.monotonic() + 60
        while True:
            try:
                self.api.send("GET", f"/api/v1/couch/{self.household}")
                return
            except (Lost, Refused):
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.05)

    def kill_backend(self):
        found = psql(self.server.database, "-At", "-c", """SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1""")
        os.kill(int(found), signal.SIGKILL)

    def during_sync(self, kill):
        client = self.random.choice(self.replicas + self.rows)
        timer = threading.Timer(self.random.random() * 0.05, kill)
        timer.start()
        try:
            client.sync()
        except (Lost, Refused) as error:
            assert isinstance(error, Lost) or error.status in (409, 500, 503), error
        timer.join()

    # Backups

    def make_backup(self):
        if self.backup:
            return
        with tempfile.NamedTemporaryFile(suffix=".tar", delete=False) as file:
            self.backup = file.name
        os.unlink(self.backup)
        self.server.run("backup", "--to", self.backup)
        self.members_in_backup = list(self.members)

    def restore_backup(self):
        """Restores the backup into a new database, as after the loss of the server. Backups contain no keys or sessions."""
        if not self.backup:
            return
        self.server.stop()
        self.server.replace_database()
        self.server.run("restore", self.backup)
        keep_commits(self.server)
        os.unlink(self.backup)
        self.backup = None
        self.server.start()
        self.web.sign_in(self.members[0])
        keys = {email: self.new_key(email) for email in self.members_in_backup}
        self.members = [email for email in self.members_in_backup]
        # Members who joined after the backup have no account.
        self.replicas = [client for client in self.replicas if client.email in keys]
        for client in self.replicas:
            client.api.use(keys[client.email])
        self.api.use(keys[self.members[0]])
        # The replicas of rows begin empty with a new key.
        self.rows = [Rows(client.api, self.household) for client in self.rows]
        for client in self.rows:
            client.api.use(keys[self.members[0]])
            client.pull()

    def end_disruptions(self):
        if self.backup and os.path.exists(self.backup):
            os.unlink(self.backup)


def keep_commits(server):
    """Makes PostgreSQL write commits to disk before it acknowledges them, so that a kill loses none. By default, the
    cluster of the tests acknowledges commits earlier. Call this before the server starts."""
    psql("postgres", "-c", f'ALTER DATABASE "{server.database}" SET synchronous_commit = on')


def photo(number):
    """The JPEG of a small drawn receipt. Each call returns different bytes, so that no photo is a duplicate."""
    if not PHOTOS:
        with tempfile.TemporaryDirectory() as folder:
            for path in draw_all(folder):
                buffer = io.BytesIO()
                Image.open(path).convert("L").save(buffer, "JPEG", quality=80)
                PHOTOS.append(buffer.getvalue())
    return PHOTOS[number] + uuid.uuid4().bytes
