"""A CouchDB replica and its replicator, written from the text of CouchDB's replication protocol, version 3. They
share no code with the server.

A replica stores a tree of revisions for each document. The replicator compares checkpoints, requests changes, finds
missing revisions, transfers them with their attachments, and stores a checkpoint.
"""

import base64
import hashlib
import http.client
import json
import urllib.parse
import uuid


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
        """The revisions without successors: live before deleted ones, then in descending order. The first one is the
        winner: its content counts as the document's content."""
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
        """Writes a successor of the winner, and deletes the other live revisions, like an application that resolves a
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
        """Fetches revisions that the replica lacks: all of them, or those of at most `pages` pages of changes."""
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
