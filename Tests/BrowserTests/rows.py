"""A replica of rows like WatermelonDB's. It shares no code with the server."""

from replica import Refused

# For each table of documents: the table of their elements, and its column with the document's identifier.
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
        """Pushes all changes. Returns the identifiers of the refused rows, by table."""
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
