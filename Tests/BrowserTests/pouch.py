"""Replicates like PouchDB: with the same requests, parameters, bodies and encoding as its HTTP adapter.

Written from the behaviour of PouchDB 9 (packages pouchdb-adapter-http, pouchdb-replication and pouchdb-checkpointer).
"""

import base64
import hashlib
import json
import urllib.parse
import uuid

from replica import Api, Refused, Replicator


def encode(text):
    """Encodes like `encodeURIComponent`."""
    return urllib.parse.quote(text, safe="-_.!~*'()")


class PouchApi(Api):
    """Records each request. Like PouchDB, it sends a content type with all requests, including GET."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.requests = []

    def send(self, method, path, body=None, kind="application/json", raw=False):
        self.requests.append(f"{method} {path}")
        return super().send(method, path, body, kind, raw)

    headers = {"Accept": "application/json", "Content-Type": "application/json"}


class Pouch(Replicator):
    """Replicates one replica and one database of the server like PouchDB."""

    def __init__(self, replica, api, household, batch=100, doc_ids=None, selector=None):
        super().__init__(replica, api, household, batch)
        self.doc_ids, self.selector = doc_ids, selector
        # The checkpoints that the replica stores itself, besides those on the server.
        self.local = {}
        self.is_set_up = False

    def url(self, path=""):
        return f"{self.database}/{path}"

    def set_up(self):
        """Creates the database if it does not exist, as each adapter of PouchDB does before other requests."""
        if not self.is_set_up:
            try:
                self.api.send("GET", self.url())
            except Refused as refused:
                if refused.status != 404:
                    raise
                self.api.send("PUT", self.url())
            self.is_set_up = True

    # Checkpoints

    def checkpoint_id(self, direction):
        server = self.api.send("GET", "/api/v1/couch/")["uuid"] + self.database.rsplit("/", 1)[1]
        ends = [self.replica.identifier, server] if direction == "push" else [server, self.replica.identifier]
        text = "".join(ends) + json.dumps([self.doc_ids, self.selector])
        name = base64.b64encode(hashlib.md5(text.encode()).digest()).decode()
        return name.replace("/", ".").replace("+", "_")

    def remote_checkpoint(self, name):
        try:
            return self.api.send("GET", self.url(f"_local/{encode(name)}"))
        except Refused as refused:
            assert refused.status == 404, refused
            return None

    def checkpoint(self, direction):
        """The sequence from which replication continues: the one of the last session that both sides have stored, or 0."""
        self.set_up()
        name = self.checkpoint_id(direction)
        remote, local = self.remote_checkpoint(name), self.local.get(name)
        if remote is None or local is None:
            return 0
        if remote["session_id"] == local["session_id"]:
            return remote["last_seq"]
        known = {entry["session_id"]: entry["last_seq"] for entry in remote["history"]}
        return next((entry["last_seq"] for entry in local["history"] if entry["session_id"] in known), 0)

    def save(self, direction, session, sequence):
        name = self.checkpoint_id(direction)
        stored = self.remote_checkpoint(name)
        if stored is None:
            stored = {"session_id": session, "_id": f"_local/{name}", "history": [], "replicator": "pouchdb", "version": 1}
        if stored.get("last_seq") == sequence:
            return
        history = [entry for entry in stored["history"] if entry["session_id"] != session]
        stored |= {
            "history": ([{"last_seq": sequence, "session_id": session}] + history)[:5], "version": 1,
            "replicator": "pouchdb", "session_id": session, "last_seq": sequence}
        try:
            answer = self.api.send("PUT", self.url(f"_local/{encode(name)}"), stored)
        except Refused as refused:
            # Another replication has written the checkpoint in the meantime, so it is read again.
            assert refused.status == 409, refused
            return self.save(direction, session, sequence)
        assert answer["ok"] and answer["id"] == f"_local/{name}"
        self.local[name] = {key: value for key, value in stored.items() if not key.startswith("_")}

    # Directions

    def push(self):
        session, start = uuid.uuid4().hex, self.checkpoint("push")
        while start < len(self.replica.log):
            part = self.replica.log[start:start + self.batch]
            revisions = {document: self.replica.leaves(document) for document, _ in part}
            missing = self.api.send("POST", self.url("_revs_diff"), revisions)
            documents = [
                self.outgoing(document, revision)
                for document, found in missing.items() for revision in found["missing"]]
            if documents:
                failures = self.api.send("POST", self.url("_bulk_docs"), {"docs": documents, "new_edits": False})
                for failure in failures:
                    assert failure["error"] in ("forbidden", "unauthorized"), failure
                    self.refused[failure["id"]] = failure["reason"]
            start += len(part)
            self.save("push", session, start)

    def outgoing(self, document, revision):
        body = super().outgoing(document, revision)
        for file in body.get("_attachments", {}).values():
            file["digest"] = "md5-" + base64.b64encode(hashlib.md5(base64.b64decode(file["data"])).digest()).decode()
        return body

    def changes(self, since, live=False):
        """The next changes. With `live`, the server answers only when there is a change."""
        query = f"style=all_docs{'&feed=longpoll' if live else ''}&seq_interval={self.batch}"
        query += "&heartbeat=10000" if live else ""
        end = f"&since={since}&limit={self.batch}"
        if self.doc_ids is not None:
            return self.api.send("POST", self.url(f"_changes?{query}&filter=_doc_ids{end}"), {"doc_ids": self.doc_ids})
        if self.selector is not None:
            return self.api.send("POST", self.url(f"_changes?{query}&filter=_selector{end}"), {"selector": self.selector})
        return self.api.send("GET", self.url(f"_changes?{query}{end}"))

    def pull(self, pages=None):
        """Pulls all changes, or the changes of at most `pages` pages."""
        session, since = uuid.uuid4().hex, self.checkpoint("pull")
        while pages is None or pages > 0:
            answer = self.changes(since)
            if not answer["results"]:
                self.save("pull", session, answer["last_seq"])
                return
            since = self.fetch(answer, session)
            pages = None if pages is None else pages - 1

    def follow(self, is_done):
        """Follows changes with repeated long polls, until `is_done` is true for the replica."""
        session, since = uuid.uuid4().hex, self.checkpoint("pull")
        while not is_done(self.replica):
            answer = self.changes(since, live=True)
            since = self.fetch(answer, session) if answer["results"] else answer["last_seq"]

    def fetch(self, answer, session):
        """Fetches the missing revisions of a page of changes, and returns the sequence after the page."""
        wanted = [
            {"id": row["id"], "rev": change["rev"]} for row in answer["results"] for change in row["changes"]
            if change["rev"] not in self.replica.trees.get(row["id"], {})]
        if wanted:
            found = self.api.send("POST", self.url("_bulk_get?revs=true&latest=true"), {"docs": wanted})
            for result in found["results"]:
                for entry in result["docs"]:
                    # PouchDB stops if a revision has an error.
                    self.incoming(entry["ok"])
        sequence = answer["results"][-1]["seq"]
        self.save("pull", session, sequence)
        return answer["last_seq"]

    def incoming(self, document):
        # PouchDB stores no document of a batch in which the name of an attachment begins with an underscore.
        assert not any(name.startswith("_") for name in document.get("_attachments", {})), document
        super().incoming(document)

    def attachment(self, identifier, name, revision):
        # A slash in the name of an attachment is not encoded.
        path = "/".join(encode(part) for part in name.split("/"))
        return self.api.send("GET", self.url(f"{encode(identifier)}/{path}?rev={revision}"), raw=True)

    def get_without_bulk(self, wanted):
        """Fetches revisions one by one, as PouchDB does if a server refuses `_bulk_get`."""
        by_document = {}
        for entry in wanted:
            by_document.setdefault(entry["id"], []).append(entry["rev"])
        for identifier, revisions in by_document.items():
            names = encode(json.dumps(revisions, separators=(",", ":")))
            answer = self.api.send("GET", self.url(f"{encode(identifier)}?revs=true&latest=true&open_revs={names}"))
            for entry in answer:
                self.incoming(entry["ok"])
