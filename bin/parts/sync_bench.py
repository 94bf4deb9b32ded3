"""bin/bench sync: a first pull of 20,000 documents, a push of 500 receipts with pictures, and 5,000 clients that wait for
changes."""

import base64
import http.client
import json
import os
import resource
import socket
import subprocess
import sys
import threading
import time
import uuid

import bench
from bench import PORT, POSTMASTER, cpu, resident, sql

DOCUMENTS = 20_000
WAITING = 5_000
RECEIPTS = 500
PICTURE_BYTES = 300_000
# Receipts per request. With their pictures they are 100 documents, the batch size of PouchDB.
RECEIPTS_OF_PUSH = 50
# Connections per client address. The server allows 256.
CLIENTS_OF_ADDRESS = 200


def key():
    """Creates an API key for sync, of the demo household's owner."""
    command = [*sys.argv[1:-1], "keys", "create", bench.LOGIN, "Bench", "sync"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip().split()[-1]


class Client:
    def __init__(self, key, household):
        self.root = f"/api/v1/couch/{household}"
        self.headers = {"Authorization": "Basic " + base64.b64encode(f"x:{key}".encode()).decode()}

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
        headers = self.headers | ({"Content-Type": "application/json"} if body is not None else {})
        connection.request(method, self.root + path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status >= 300:
            sys.exit(f"{method} {path} failed with status {answer.status}: {content[:300]}")
        return json.loads(content)


def fill(client):
    """Writes products until there are enough documents."""
    count = client.ask("GET", "/_all_docs?limit=0")["total_rows"]
    while count < DOCUMENTS:
        docs = []
        for number in range(min(500, DOCUMENTS - count)):
            identifier = f"product:{uuid.uuid4()}"
            docs.append({"_id": identifier, "type": "product", "chain": "spar", "name": f"Ware {count + number}"})
        for result in client.ask("POST", "/_bulk_docs", {"docs": docs}):
            if "error" in result:
                sys.exit(f"A document was refused: {result}")
        count += len(docs)
    return count


def pull(client, server):
    """Pulls like a new client: pages of changes with their documents."""
    before, since, found = (cpu(server.process.pid), cpu(POSTMASTER)), 0, 0
    peak, idle = 0, resident([server.process.pid])
    while True:
        page = client.ask("GET", f"/_changes?include_docs=true&style=all_docs&limit=500&since={since}")
        found += len(page["results"])
        peak = max(peak, resident([server.process.pid]))
        if not page["results"]:
            break
        since = page["last_seq"]
    ours, backends = (after - start for after, start in zip((cpu(server.process.pid), cpu(POSTMASTER)), before))
    print(f"Pull of {found} documents: server {ours:.0f} ms, database {backends:.0f} ms", flush=True)
    bench.check_limit("first pull, server", ours / 1000, 3, "s CPU")
    bench.check_limit("first pull, memory over idle", peak - idle, 60, "MB")
    return since


# A grey JPEG of 8 × 8 pixels.
PIXEL = (
    "ffd8ffe000104a46494600010100000100010000ffdb004300100b0c0e0c0a100e0d0e1211101318281a181616183123251d283a333d3c"
    "3933383740485c4e404457453738506d51575f626768673e4d71797064785c656763ffc0000b080008000801011100ffc4001400010000"
    "0000000000000000000000000006ffc40014100100000000000000000000000000000000ffda0008010100003f007affd9")


class Peak:
    """Records the peak memory of a process while a block runs, in megabytes."""

    def __init__(self, pid):
        self.pid, self.most, self.has_ended = pid, 0, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self):
        while not self.has_ended.wait(0.01):
            self.most = max(self.most, resident([self.pid]))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.has_ended.set()
        self.thread.join()


def picture():
    """A JPEG of the usual size, different from all others."""
    return bytes.fromhex(PIXEL) + os.urandom(PICTURE_BYTES)


def revised(document):
    """Returns the document with a first revision, as a replica writes it."""
    digest = uuid.uuid4().hex
    return document | {"_rev": f"1-{digest}", "_revisions": {"start": 1, "ids": [digest]}}


def push(client, server):
    """Pushes receipts that were typed in, each with an inline picture, as PouchDB sends them."""
    idle, before = resident([server.process.pid]), cpu(server.process.pid)
    with Peak(server.process.pid) as peak:
        for _ in range(RECEIPTS // RECEIPTS_OF_PUSH):
            docs = []
            for _ in range(RECEIPTS_OF_PUSH):
                image, receipt = f"image:{uuid.uuid4()}", f"receipt:{uuid.uuid4()}"
                docs.append(revised({
                    "_id": receipt, "type": "receipt", "stage": "confirmed", "store": "Greissler", "day": "2026-03-05",
                    "total_minor": 129, "currency": "EUR", "images": [image],
                    "lines": [{"id": str(uuid.uuid4()), "kind": "item", "name": "MILCH", "total_minor": 129}]}))
                data = base64.b64encode(picture()).decode()
                docs.append(revised({
                    "_id": image, "type": "image", "receipt": receipt,
                    "_attachments": {"bon.jpg": {"content_type": "image/jpeg", "data": data}}}))
            for result in client.ask("POST", "/_bulk_docs", {"docs": docs, "new_edits": False}):
                sys.exit(f"A document was refused: {result}")
    print(f"Push of {RECEIPTS} receipts with pictures: server {cpu(server.process.pid) - before:.0f} ms", flush=True)
    bench.check_limit("push with pictures, memory over idle", peak.most - idle, 60, "MB")


def wait(client, since, number):
    """Starts a long poll. Each group of clients has its own address."""
    stream = socket.socket()
    stream.bind((f"127.0.1.{number // CLIENTS_OF_ADDRESS + 1}", 0))
    stream.connect(("127.0.0.1", PORT))
    stream.sendall((f"GET {client.root}/_changes?feed=longpoll&heartbeat=60000&since={since} HTTP/1.1\r\n"
                    f"Host: 127.0.0.1:{PORT}\r\nAuthorization: {client.headers['Authorization']}\r\n\r\n").encode())
    return stream


def polls(client, server, since):
    idle = resident([server.process.pid])
    clients = []
    for number in range(WAITING):
        clients.append(wait(client, since, number))
        # When the first bytes of the answer have arrived, the server is waiting for a change.
        clients[-1].settimeout(60)
        if not clients[-1].recv(4096).startswith(b"HTTP/1.1 200"):
            sys.exit(f"Long poll {number} was refused.")
    full = resident([server.process.pid])
    print(f"{WAITING} long polls: {full:.1f} MB, {idle:.1f} MB before", flush=True)
    bench.check_limit("memory with idle long polls", full, 200, "MB")
    for stream in clients[100:]:
        stream.close()
    time.sleep(5)
    before = cpu(server.process.pid)
    client.ask("POST", "/_bulk_docs", {"docs": [{"_id": f"store:{uuid.uuid4()}", "type": "store", "name": "Laden"}]})
    for stream in clients[:100]:
        content = b""
        while b"last_seq" not in content:
            content += stream.recv(65536)
        stream.close()
    bench.check_limit("a change to 100 clients", cpu(server.process.pid) - before, 100, "ms CPU")


def run():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, WAITING + 1000), hard))
    household = sql(f"SELECT household_id FROM membership m JOIN person p ON p.id = m.person_id WHERE p.login = '{bench.LOGIN}'")
    server = bench.Server()
    try:
        client = Client(key(), household)
        print(f"{fill(client)} documents", flush=True)
    finally:
        server.stop()
    for measure in (lambda: polls(client, server, pull(client, server)), lambda: push(client, server)):
        server = bench.Server()
        try:
            client.ask("GET", "/_changes?limit=1")
            measure()
        finally:
            server.stop()
