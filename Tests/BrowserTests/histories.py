"""Random histories of a household: sync clients of both kinds (replica.py, rows.py) and a browser edit it at the same time,
answers get lost, and clocks are wrong. At the end, all clients must have the same data."""

import json
import time
import uuid

from replica import Api, Lost, Refused, Replica, Replicator
from rows import Rows
from server import psql
from web import Web
from disruptions import WEIGHTS, Disruptions

NAMES = ["Billa", "Spar", "Hofer", "Lidl", "Penny", "Greissler", "Markt", "Nah und Frisch"]


def household(server):
    """Sets up a household. Returns its identifier, a key and the browser."""
    number = len(server.households)
    server.households.append(number)
    email = f"sync{number}@example.at"
    web = Web(server).sign_up(server.setup_link(another=number > 0), email)
    web.email = email
    key = server.run("keys", "create", email, "Test", "sync")
    found = psql(server.database, "-At", "-c", f"""SELECT m.household_id FROM membership m
        JOIN person p ON p.id = m.person_id WHERE p.login = '{email}'""")
    return found, key, web


class History(Disruptions):
    """The history of one household. Equal seeds of `random` give equal steps, except for the times in identifiers and of
    kills.

    `disruptions` are events of WEIGHTS. With "kill server" or "restore", no other test may use the server. With
    "kill database", no other test may use its PostgreSQL."""

    def __init__(self, random, server, household, key, web, disruptions=()):
        self.random, self.server, self.household, self.web = random, server, household, web
        self.loss_rate, self.members = 0.0, [web.email]
        count = random.randint(2, 5)
        self.replicas = [
            Replicator(Replica(f"r{number}"), Api(server.port, key, self.loses_answer), household, batch=random.choice([3, 20, 100]))
            for number in range(max(1, count - 1))]
        self.rows = [Rows(Api(server.port, key, self.loses_answer), household) for _ in range(count - len(self.replicas))]
        for client in self.replicas:
            client.email, client.replica.clock = web.email, random.randint(-2, 2)
        for client in self.rows:
            client.clock = random.randint(-2, 2)
        self.weights = {"edit": 8, "create": 4, "delete": 1, "sync": 6, "row": 4, "row sync": 3, "web": 2}
        self.weights |= {kind: WEIGHTS[kind] for kind in WEIGHTS if kind in disruptions}
        self.has_disruptions = bool(disruptions)
        self.begin_disruptions()
        self.api = Api(server.port, key)
        self.trace = []
        # The values of the edited fields before and after each edit, as {(document, field): {value}}.
        self.recorded = {}

    def loses_answer(self):
        """Whether a client loses the answer to its current request."""
        return self.random.random() < self.loss_rate

    def identifier(self, years=0):
        """A UUID of version 7 from a clock that is wrong by `years`."""
        instant = int((time.time() + years * 365.25 * 86_400) * 1000)
        return str(uuid.UUID(int=instant << 80 | 7 << 76 | self.random.getrandbits(12) << 64 | 2 << 62 | self.random.getrandbits(62)))

    def store_name(self):
        return f"{self.random.choice(NAMES)} {self.identifier()[-8:]}"

    # Steps

    def run(self, steps):
        for client in self.replicas:
            client.pull()
        for client in self.rows:
            client.pull()
        try:
            for _ in range(steps):
                self.loss_rate = 0.1
                self.step()
            self.sync_all()
            self.check()
        except Exception as error:
            raise AssertionError("history: " + "; ".join(self.trace)) from error
        finally:
            self.end_disruptions()

    def step(self):
        kind = self.random.choices(list(self.weights), list(self.weights.values()))[0]
        self.trace.append(kind)
        if kind in WEIGHTS:
            self.disrupt(kind)
        elif kind in ("row", "row sync"):
            if self.rows:
                self.row(self.random.choice(self.rows), kind)
        elif kind == "web":
            self.web_edit()
        else:
            self.document(self.random.choice(self.replicas), kind)

    def document(self, client, kind):
        """Performs one step of a replica: syncs, or writes a document."""
        replica = client.replica
        if kind == "sync":
            action = self.random.choice(["push", "pull", "sync", "page"])
            try:
                client.pull(pages=1) if action == "page" else getattr(client, action)()
            except (Lost, Refused) as error:
                # If the answer to a checkpoint was lost, the next checkpoint is a conflict.
                assert isinstance(error, Lost) or error.status == 409, error
            return
        stores = sorted(name for name in replica.documents() if name.startswith("store:"))
        receipts = sorted(name for name in replica.documents() if name.startswith("receipt:"))
        if kind == "create":
            clock = replica.clock
            if self.random.random() < 0.5:
                name = f"store:{self.identifier(clock)}"
                replica.write(name, {"type": "store", "name": self.store_name()})
                self.record(name, replica.get(name), ["name"])
            else:
                name = f"receipt:{self.identifier(clock)}"
                replica.write(name, self.receipt())
                self.record(name, replica.get(name), ["total_minor", "day"])
        elif kind == "edit" and (stores or receipts):
            name = self.random.choice(stores + receipts)
            body = replica.get(name)
            fields = ["name", "town", "street"] if name.startswith("store:") else ["total_minor", "day", "stage", "lines"]
            field = self.random.choice(fields)
            self.record(name, body, [field])
            if name.startswith("store:"):
                body[field] = self.store_name()
            else:
                self.edit(body, field)
            is_conflict = sum(not replica.trees[name][leaf]["deleted"] for leaf in replica.leaves(name)) > 1
            if is_conflict and self.random.random() < 0.5:
                replica.resolve(name, body)
            else:
                replica.write(name, body)
            self.record(name, body, [field])
        elif kind == "delete" and stores:
            replica.write(self.random.choice(stores), {}, deleted=True)

    def receipt(self):
        lines = [self.line() for _ in range(self.random.randint(0, 4))]
        return {
            "type": "receipt", "stage": self.random.choice(["review", "confirmed"]), "store": self.random.choice(NAMES),
            "day": self.day(), "total_minor": sum(line["total_minor"] for line in lines), "currency": "EUR",
            "lines": lines}

    def line(self):
        return {
            "id": self.identifier(), "kind": "item", "name": f"WARE {self.random.randint(1, 9)}",
            "quantity_thousandths": 1000, "unit": "piece", "total_minor": self.random.randint(1, 999)}

    def day(self):
        return f"2026-{self.random.randint(1, 10):02}-{self.random.randint(1, 28):02}"

    def edit(self, body, field):
        if field == "total_minor":
            body[field] = self.random.randint(1, 9999)
        elif field == "day":
            body[field] = self.day()
        elif field == "stage":
            if body.get("day"):
                body[field] = "confirmed"
        else:
            lines = [dict(line) for line in body.get("lines", [])]
            choice = self.random.random()
            if lines and choice < 0.3:
                lines.pop(self.random.randrange(len(lines)))
            elif lines and choice < 0.7:
                self.random.choice(lines)["total_minor"] = self.random.randint(1, 999)
            else:
                lines.append(self.line())
            body[field] = lines

    def record(self, name, body, fields):
        """Records the values of fields before or after an edit, for `check_values`."""
        for field in fields:
            self.recorded.setdefault((name, field), set()).add(json.dumps(body.get(field), sort_keys=True))

    def row(self, client, kind):
        """Performs one step of a replica of rows: syncs, or changes a row."""
        if kind == "row sync":
            try:
                client.sync()
            except Lost:
                pass
            return
        stores = sorted(client.tables.get("stores", {}))
        receipts = sorted(client.tables.get("receipts", {}))
        if stores and self.random.random() < 0.5:
            identifier, column = self.random.choice(stores), self.random.choice(["name", "town"])
            self.record(f"store:{identifier}", client.tables["stores"][identifier], [column])
            value = self.store_name()
            client.update("stores", identifier, column, value)
            self.record(f"store:{identifier}", {column: value}, [column])
        elif receipts:
            identifier, value = self.random.choice(receipts), self.random.randint(1, 9999)
            self.record(f"receipt:{identifier}", client.tables["receipts"][identifier], ["total_minor"])
            client.update("receipts", identifier, "total_minor", value)
            self.record(f"receipt:{identifier}", {"total_minor": value}, ["total_minor"])

    def web_edit(self):
        """Creates or discards a receipt in the browser."""
        found = psql(self.server.database, "-At", "-c", f"""SELECT id FROM receipt
            WHERE household_id = '{self.household}' AND discarded_at IS NULL ORDER BY id""").split()
        if found and self.random.random() < 0.5:
            self.web.post(f"/receipts/{self.random.choice(found)}/discard")
        else:
            self.web.post("/receipts/drafts")

    # Checks

    def sync_all(self):
        """Syncs all clients in turn, often enough that each has the changes of all others."""
        self.loss_rate = 0.0
        for round in range(4):
            for client in self.replicas:
                client.sync()
            for client in self.rows:
                client.sync()
            if round == 0 and self.photos:
                self.wait_for_readings()
        for client in self.replicas + self.rows:
            client.pull()

    def check(self):
        server = self.listed(self.api)
        for client in self.replicas:
            documents = client.replica.documents()
            listed = server if client.email == self.members[0] else self.listed(client.api)
            local = {name: value for name, value in documents.items() if name not in client.refused}
            remote = {name: value for name, value in listed.items() if name not in client.refused}
            assert local == remote, difference(local, remote)
        fresh = Rows(self.api, self.household)
        fresh.pull()
        for client in self.rows:
            assert client.tables == fresh.tables, difference(client.tables, fresh.tables)
        self.check_values(server)
        self.check_sums()
        # Without their checkpoints, the replicas push everything again, which must change nothing.
        before = self.api.send("GET", f"/api/v1/couch/{self.household}")["update_seq"]
        for client in self.replicas:
            client.replica.identifier = self.identifier()
            client.push()
        assert self.api.send("GET", f"/api/v1/couch/{self.household}")["update_seq"] == before

    def listed(self, api):
        """The documents that the server lists for the member whose key `api` has: {id: (rev, body)}."""
        rows = api.send("GET", f"/api/v1/couch/{self.household}/_changes?include_docs=true")["results"]
        return {
            row["id"]: (row["changes"][0]["rev"], {n: v for n, v in row["doc"].items() if not n.startswith("_")})
            for row in rows if not row.get("deleted")}

    def check_values(self, server):
        """Checks that the server has all revisions of the documents that it did not refuse. Also checks that each recorded
        field is empty on the server or has one of its recorded values, except lines, stages and the receipts of photos."""
        for client in self.replicas:
            revisions = {name: sorted(tree) for name, tree in client.replica.trees.items() if name not in client.refused}
            missing = client.api.send("POST", f"/api/v1/couch/{self.household}/_revs_diff", revisions)
            assert missing == {}, missing
        for (name, field), values in self.recorded.items():
            if name in server and name not in self.photos and field not in ("lines", "stage") and server[name][1].get(field) not in ("", None):
                assert json.dumps(server[name][1][field], sort_keys=True) in values, (name, field, server[name], values)

    def check_sums(self):
        """Checks that the stored sums of each month equal the sums of its receipts."""
        wrong = psql(self.server.database, "-At", "-c", f"""
            WITH counted AS (SELECT date_trunc('month', r.purchase_day)::date AS month,
                    coalesce(r.total_minor, sum(l.total_minor)) AS total
                FROM receipt r LEFT JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
                WHERE r.household_id = '{self.household}' AND r.stage = 'confirmed' AND r.discarded_at IS NULL
                GROUP BY r.household_id, r.id),
            expected AS (SELECT month, sum(total)::bigint AS total FROM counted GROUP BY 1 HAVING sum(total) <> 0),
            stored AS (SELECT month, sum(amount_minor)::bigint AS total FROM spending_month
                WHERE household_id = '{self.household}' GROUP BY 1 HAVING sum(amount_minor) <> 0)
            SELECT * FROM expected FULL JOIN stored USING (month) WHERE expected.total IS DISTINCT FROM stored.total""")
        assert wrong == "", wrong


def difference(left, right):
    """Up to five entries that differ, for the message of a failed check."""
    return [(key, left.get(key), right.get(key)) for key in sorted(set(left) | set(right)) if left.get(key) != right.get(key)][:5]
