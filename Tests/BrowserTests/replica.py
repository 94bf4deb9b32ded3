"""A CouchDB replica and its replicator, written from the text of CouchDB's replication protocol, version 3; and a replica
of rows like WatermelonDB's. They share no code with the server.

A replica stores a tree of revisions for each document. The replicator compares checkpoints, requests changes, finds
missing revisions, transfers them with their attachments, and stores a checkpoint.
"""

import base64
import hashlib
import http.client
import http.cookies
import json
import re
import urllib.parse
import uuid

PASSWORD = "vier Tassen Kaffee 7"


class Refused(Exception):
    """An answer with an error status."""

    def __init__(self, status, body):
        super().__init__(f"{status}: {body[:300]}")
        self.status = status


class Lost(Exception):
    """The client got no answer, so it does not know whether its request was executed."""


class Api:
    """Sends requests with a key. `loses_answer` decides for each request except GET whether its answer is lost."""

    # Fields that are sent with every request.
    headers = {}

    def __init__(self, port, key, loses_answer=lambda: False, basic=False):
        self.port, self.loses_answer, self.basic = port, loses_answer, basic
        self.use(key)

    def use(self, key):
        credentials = base64.b64encode(f"anna:{key}".encode()).decode()
        self.authorization = f"Basic {credentials}" if self.basic else f"Bearer {key}"

    def send(self, method, path, body=None, kind="application/json", raw=False):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        headers = self.headers | {"Authorization": self.authorization}
        if data is not None:
            headers["Content-Type"] = kind
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Lost(str(error)) from error
        finally:
            connection.close()
        if method != "GET" and self.loses_answer():
            raise Lost()
        if answer.status >= 400:
            raise Refused(answer.status, content.decode(errors="replace"))
        return content if raw else json.loads(content) if content else None


class Replica:
    """Documents with all their revisions."""

    def __init__(self, name):
        self.name, self.identifier = name, uuid.uuid4().hex
        # Years by which the clock of the device is wrong.
        self.clock = 0
        # {id: {rev: {"parent", "deleted", "body", "attachments"}}}
        self.trees = {}
        # Revisions in the order of their arrival, which is the local sequence.
        self.log = []

    def leaves(self, document):
        """The revisions without successors: live ones first, then the greatest first. The first one is the winner, the
        revision that counts as the document's content."""
        tree = self.trees.get(document, {})
        parents = {node["parent"] for node in tree.values()}
        found = [revision for revision in tree if revision not in parents]
        return sorted(found, key=lambda revision: (not tree[revision]["deleted"], *order(revision)), reverse=True)

    def get(self, document):
        """The body of the winner; None if the document is deleted or missing."""
        leaves = self.leaves(document)
        node = self.trees[document][leaves[0]] if leaves else None
        return None if node is None or node["deleted"] else dict(node["body"])

    def documents(self):
        """All live documents: {id: (rev, body)}."""
        return {
            document: (self.leaves(document)[0], self.get(document))
            for document in self.trees if self.get(document) is not None}

    def write(self, document, body, deleted=False, attachments=None):
        """Writes a new revision of a document, as successor of the winner."""
        leaves = self.leaves(document)
        parent = leaves[0] if leaves else None
        if attachments is None and parent and not deleted:
            attachments = self.trees[document][parent]["attachments"]
        text = json.dumps([body, deleted, parent, self.name], sort_keys=True)
        generation = int(parent.split("-")[0]) + 1 if parent else 1
        revision = f"{generation}-{hashlib.md5(text.encode()).hexdigest()}"
        self.store(document, [revision] + self.path(document, parent), deleted, body, attachments or {})
        return revision

    def resolve(self, document, body):
        """Writes a successor of the winner, and deletes the other live revisions, as an application does that resolves a
        conflict."""
        others = [leaf for leaf in self.leaves(document)[1:] if not self.trees[document][leaf]["deleted"]]
        self.write(document, body)
        for leaf in others:
            revision = f"{order(leaf)[0] + 1}-{hashlib.md5(leaf.encode()).hexdigest()}"
            self.store(document, [revision] + self.path(document, leaf), True, {}, {})

    def path(self, document, revision):
        """A revision and its ancestors, newest first."""
        path = []
        while revision is not None and revision in self.trees.get(document, {}):
            path.append(revision)
            revision = self.trees[document][revision]["parent"]
        return path

    def store(self, document, names, deleted, body, attachments):
        """Adds a revision with its ancestors, newest first."""
        tree = self.trees.setdefault(document, {})
        for index, revision in enumerate(names):
            if revision in tree:
                break
            parent = names[index + 1] if index + 1 < len(names) else None
            tree[revision] = {
                "parent": parent, "deleted": deleted and index == 0, "body": body if index == 0 else None,
                "attachments": attachments if index == 0 else {}}
        self.log.append((document, names[0]))


def order(revision):
    generation, digest = revision.split("-", 1)
    return int(generation), digest


class Replicator:
    """Replicates one replica and one database of the server in both directions."""

    def __init__(self, replica, api, household, batch=100):
        self.replica, self.api, self.batch = replica, api, batch
        self.database = f"/api/v1/couch/{household}"
        self.refused = {}

    # Checkpoints

    def checkpoint_id(self, direction):
        server = self.api.send("GET", "/api/v1/couch/")["uuid"]
        text = f"{self.replica.identifier} {server} {direction}"
        return hashlib.md5(text.encode()).hexdigest()

    def checkpoint(self, direction):
        try:
            return self.api.send("GET", f"{self.database}/_local/{self.checkpoint_id(direction)}")
        except Refused as refused:
            if refused.status != 404:
                raise
            return {"last_seq": 0}

    def save(self, direction, before, sequence):
        """Stores a checkpoint, and returns it with its new revision."""
        body = {"last_seq": sequence, "session_id": uuid.uuid4().hex}
        if "_rev" in before:
            body["_rev"] = before["_rev"]
        return before | self.put_checkpoint(direction, body) | {"last_seq": sequence}

    def put_checkpoint(self, direction, body):
        answer = self.api.send("PUT", f"{self.database}/_local/{self.checkpoint_id(direction)}", body)
        return {"_rev": answer["rev"]}

    # Directions

    def push(self):
        """Sends revisions that the server lacks. Each is sent with the names of its ancestors."""
        checkpoint = self.checkpoint("push")
        start = checkpoint["last_seq"]
        while start < len(self.replica.log):
            part = self.replica.log[start:start + self.batch]
            revisions = {}
            for document, _ in part:
                revisions[document] = self.replica.leaves(document)
            missing = self.api.send("POST", f"{self.database}/_revs_diff", revisions)
            documents = [
                self.outgoing(document, revision)
                for document, found in missing.items() for revision in found["missing"]]
            if documents:
                failures = self.api.send("POST", f"{self.database}/_bulk_docs", {"docs": documents, "new_edits": False})
                for failure in failures:
                    assert failure["error"] in ("forbidden", "unauthorized"), failure
                    self.refused[failure["id"]] = failure["reason"]
            start += len(part)
            checkpoint = self.save("push", checkpoint, start)

    def outgoing(self, document, revision):
        node = self.replica.trees[document][revision]
        names = [order(name) for name in self.replica.path(document, revision)]
        body = dict(node["body"] or {}) | {
            "_id": document, "_rev": revision,
            "_revisions": {"start": names[0][0], "ids": [digest for _, digest in names]}}
        if node["deleted"]:
            body["_deleted"] = True
        if node["attachments"]:
            body["_attachments"] = {
                name: {"content_type": kind, "data": base64.b64encode(data).decode(), "revpos": names[0][0]}
                for name, (kind, data) in node["attachments"].items()}
        return body

    def pull(self, pages=None, query=""):
        """Fetches revisions that the replica lacks. `pages` stops it after this number of pages."""
        checkpoint = self.checkpoint("pull")
        while pages is None or pages > 0:
            answer = self.api.send(
                "GET", f"{self.database}/_changes?style=all_docs&since={checkpoint['last_seq']}&limit={self.batch}{query}")
            wanted = [
                {"id": row["id"], "rev": change["rev"]} for row in answer["results"] for change in row["changes"]
                if change["rev"] not in self.replica.trees.get(row["id"], {})]
            if wanted:
                found = self.api.send("POST", f"{self.database}/_bulk_get?revs=true&latest=true", {"docs": wanted})
                for result in found["results"]:
                    for entry in result["docs"]:
                        if "ok" in entry:
                            self.incoming(entry["ok"])
            if answer["results"]:
                checkpoint = self.save("pull", checkpoint, answer["last_seq"])
            if not answer["results"] or answer["pending"] == 0:
                return
            pages = None if pages is None else pages - 1

    def incoming(self, document):
        identifier, revision = document["_id"], document["_rev"]
        start, digests = document["_revisions"]["start"], document["_revisions"]["ids"]
        names = [f"{start - index}-{digest}" for index, digest in enumerate(digests)]
        assert names[0] == revision
        attachments = {}
        for name, stub in document.get("_attachments", {}).items():
            data = self.attachment(identifier, name, revision)
            assert stub["digest"] == "md5-" + base64.b64encode(hashlib.md5(data).digest()).decode()
            assert stub["length"] == len(data)
            attachments[name] = (stub["content_type"], data)
        body = {name: value for name, value in document.items() if not name.startswith("_")}
        if revision not in self.replica.trees.get(identifier, {}):
            self.replica.store(identifier, names, document.get("_deleted", False), body, attachments)

    def attachment(self, identifier, name, revision):
        path = f"{self.database}/{identifier}/{urllib.parse.quote(name, safe='')}?rev={revision}"
        return self.api.send("GET", path, raw=True)

    def sync(self):
        self.push()
        self.pull()


# The tables with the elements of a document, and their column that has the document's identifier.
ELEMENTS = {
    "receipts": ("receipt_lines", "receipt_id"), "products": ("product_packages", "product_id"),
    "categories": ("category_shares", "category_id"),
    "expenses": ("expense_shares", "expense_id"), "budgets": ("budget_limits", "budget_id"),
    "savings_goals": ("savings_deposits", "goal_id"), "bank_files": ("bank_bookings", "bank_file_id"),
}


class Rows:
    """A replica of rows, as WatermelonDB has. It remembers which columns it changed until they are pushed."""

    def __init__(self, api, household):
        self.api, self.path = api, f"/api/v1/households/{household}/sync"
        self.tables, self.last, self.clock = {}, None, 0
        # Unpushed changes, as {(table, id): set of columns, or "created" or "deleted"}.
        self.dirty = {}

    def create(self, table, row):
        self.tables.setdefault(table, {})[row["id"]] = row
        self.dirty[table, row["id"]] = "created"

    def update(self, table, identifier, column, value):
        self.tables[table][identifier][column] = value
        changed = self.dirty.setdefault((table, identifier), set())
        if isinstance(changed, set):
            changed.add(column)

    def delete(self, table, identifier):
        del self.tables[table][identifier]
        if self.dirty.get((table, identifier)) == "created":
            del self.dirty[table, identifier]
        else:
            self.dirty[table, identifier] = "deleted"

    def pull(self):
        answer = self.api.send("GET", f"{self.path}?last_pulled_at={self.last if self.last is not None else 'null'}")
        for table, changes in answer["changes"].items():
            rows = self.tables.setdefault(table, {})
            for row in changes["created"]:
                # WatermelonDB drops its own deletion of a row that it receives as created.
                if self.dirty.get((table, row["id"])) == "deleted":
                    del self.dirty[table, row["id"]]
            for row in changes["created"] + changes["updated"]:
                # A pulled row does not overwrite unpushed changes.
                unpushed = self.dirty.get((table, row["id"]))
                if unpushed == "deleted":
                    continue
                old = rows.get(row["id"], {})
                columns = set(row) if unpushed == "created" else unpushed or set()
                rows[row["id"]] = row | {column: old[column] for column in columns if column in old}
            for identifier in changes["deleted"]:
                # The row was deleted on the server, so its local changes are dropped.
                rows.pop(identifier, None)
                self.dirty.pop((table, identifier), None)
                # The server does not list the elements of a document whose contents it has erased.
                name, column = ELEMENTS.get(table, (None, None))
                elements = self.tables.get(name, {})
                for element in [key for key, row in elements.items() if row.get(column) == identifier]:
                    elements.pop(element)
                    self.dirty.pop((name, element), None)
        self.last = answer["timestamp"]

    def push(self):
        """Pushes all changes. Returns the identifiers of the rows that the server refused."""
        changes = {}
        for (table, identifier), kind in self.dirty.items():
            entry = changes.setdefault(table, {"created": [], "updated": [], "deleted": []})
            if kind == "deleted":
                entry["deleted"].append(identifier)
            elif kind == "created":
                entry["created"].append(self.tables[table][identifier])
            else:
                entry["updated"].append(self.tables[table][identifier])
        if not changes:
            return {}
        answer = self.api.send("POST", f"{self.path}?last_pulled_at={self.last}", changes)
        self.dirty = {}
        return answer.get("experimentalRejectedIds", {})

    def sync(self):
        """Pulls and pushes, and repeats both if another client pushed in between."""
        for _ in range(20):
            self.pull()
            try:
                refused = self.push()
            except Refused as refused:
                if refused.status != 409:
                    raise
                continue
            self.pull()
            return refused
        raise AssertionError("the push was stale 20 times")


class Web:
    """A browser without scripts. It sends forms and keeps cookies."""

    def __init__(self, server):
        self.server, self.cookies = server, http.cookies.SimpleCookie()

    def send(self, method, path, fields=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=120)
        data = None if fields is None else urllib.parse.urlencode(fields)
        kind = None if fields is None else "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, data, self.headers(kind))
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        finally:
            connection.close()
        for field in answer.headers.get_all("Set-Cookie") or []:
            self.cookies.load(field)
        return answer.status, text, answer.headers.get("Location")

    def headers(self, kind=None):
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())
        fields = {"Cookie": cookies, "Sec-Fetch-Site": "same-origin", "Host": f"127.0.0.1:{self.server.port}"}
        return fields | ({"Content-Type": kind} if kind else {})

    def token(self, path="/settings"):
        _, text, _ = self.send("GET", path)
        return re.search(r'name="csrf" value="([^"]+)"', text).group(1)

    def post(self, path, page="/settings", **fields):
        return self.send("POST", path, {"csrf": self.token(page)} | fields)

    def sign_up(self, link, email):
        return self.enter(link, household="Haus", name="Anna Berger", email=email)

    def join(self, link, email):
        return self.enter(link, name="Paul Huber", email=email)

    def enter(self, link, **fields):
        path = urllib.parse.urlsplit(link).path
        status, text, _ = self.post(path, path, password=PASSWORD, **fields)
        assert status == 303, text[:500]
        return self

    def sign_in(self, email):
        self.cookies.clear()
        status, text, _ = self.post("/sign-in", "/sign-in", email=email, password=PASSWORD, next="/")
        assert status == 303, text[:500]
        return self
