"""Replicates the household's documents over sockets, with the replica of replica.py."""

import time
import uuid

import pytest

from draw_receipts import draw_all
from histories import household
from person import READING_MS
from replica import Api, Refused, Replica, Replicator
from rows import Rows
from server import psql


def name(kind):
    return f"{kind}:{uuid.uuid4()}"


@pytest.mark.parametrize("basic", [False, True], ids=["bearer", "basic"])
def test_two_replicas_have_the_same_documents(server, basic):
    tenant, key, _ = household(server)
    one, two = (Replicator(Replica(word), Api(server.port, key, basic=basic), tenant) for word in ("one", "two"))
    one.pull()
    assert len(one.replica.documents()) > 5
    stores = [name("store") for _ in range(250)]
    for number, store in enumerate(stores):
        one.replica.write(store, {"type": "store", "name": f"Laden {number}"})
    one.sync()
    two.sync()
    one.sync()
    assert one.replica.documents() == two.replica.documents()
    assert {two.replica.get(store)["name"] for store in stores} == {f"Laden {n}" for n in range(250)}
    assert not one.refused

    # Both replicas edit and delete without a connection, and then replicate.
    for client in (one, two):
        body = client.replica.get(stores[0])
        client.replica.write(stores[0], body | {"name": f"Laden von {client.replica.name}"})
    one.replica.write(stores[1], one.replica.get(stores[1]) | {"town": "Wien"})
    two.replica.write(stores[1], two.replica.get(stores[1]) | {"street": "Gasse 1"})
    one.replica.write(stores[2], {}, deleted=True)
    two.replica.write(stores[2], two.replica.get(stores[2]) | {"town": "Graz"})
    two.replica.write(stores[3], {}, deleted=True)
    for client in (one, two, one, two):
        client.sync()
    assert one.replica.documents() == two.replica.documents()
    merged = one.replica.get(stores[1])
    assert (merged["town"], merged["street"]) == ("Wien", "Gasse 1")
    assert one.replica.get(stores[2])["town"] == "Graz"
    assert one.replica.get(stores[3]) is None
    kept = one.replica.get(stores[0])["name"]
    lost = psql(server.database, "-At", "-c", f"SELECT lost #>> '{{}}' FROM lost_value WHERE household_id = '{tenant}'")
    assert {kept, lost} == {"Laden von one", "Laden von two"}


def test_a_photo_is_pushed_read_and_pulled(server, tmp_path):
    tenant, key, _ = household(server)
    one, two = (Replicator(Replica(word), Api(server.port, key), tenant) for word in ("one", "two"))
    picture = draw_all(tmp_path)[0].read_bytes()
    image, receipt = name("image"), name("receipt")
    one.replica.write(
        image, {"type": "image", "receipt": receipt}, attachments={"bon.jpg": ("image/jpeg", picture)})
    one.push()
    assert not one.refused
    two.pull()
    assert two.replica.get(receipt)["stage"] in ("reading", "review")
    deadline = time.monotonic() + READING_MS / 1000
    while two.replica.get(receipt)["stage"] == "reading":
        assert time.monotonic() < deadline
        # The long poll ends at the next change.
        two.api.send("GET", f"{two.database}/_changes?feed=longpoll&since=now&timeout=2000")
        two.pull()
    assert len(two.replica.get(receipt)["lines"]) > 0
    attachments = two.replica.trees[image][two.replica.leaves(image)[0]]["attachments"]
    assert [kind for kind, _ in attachments.values()] == ["image/jpeg"]


def test_rows_and_documents_show_the_same_household(server):
    tenant, key, web = household(server)
    rows, couch = Rows(Api(server.port, key), tenant), Replicator(Replica("one"), Api(server.port, key), tenant)
    rows.pull()
    category = next(iter(rows.tables["categories"]))
    receipt, line = str(uuid.uuid4()), str(uuid.uuid4())
    rows.create("receipts", {
        "id": receipt, "stage": "confirmed", "store": "Greissler", "day": "2026-03-05", "total_minor": 129})
    rows.create("receipt_lines", {
        "id": line, "receipt_id": receipt, "position": 0, "name": "MILCH", "total_minor": 129, "kind": "item"})
    rows.update("categories", category, "name", "Neu benannt")
    assert rows.sync() == {}
    couch.pull()
    stored = couch.replica.get(f"receipt:{receipt}")
    assert stored["stage"] == "confirmed" and [entry["id"] for entry in stored["lines"]] == [line]
    assert couch.replica.get(f"category:{category}")["name"] == "Neu benannt"
    assert rows.tables["receipts"][receipt]["store_id"] in rows.tables["stores"]

    # A change by the replica of documents makes the pulled rows outdated, so the replica of rows pulls and pushes again.
    couch.replica.write(f"receipt:{receipt}", stored | {"total_minor": 130})
    couch.sync()
    rows.update("receipts", receipt, "day", "2026-03-06")
    with pytest.raises(Refused) as stale:
        rows.push()
    assert stale.value.status == 409
    assert rows.sync() == {}
    couch.sync()
    merged = couch.replica.get(f"receipt:{receipt}")
    assert (merged["total_minor"], merged["day"]) == (130, "2026-03-06")
    rows.delete("receipt_lines", line)
    assert rows.sync() == {}
    couch.sync()
    assert couch.replica.get(f"receipt:{receipt}")["lines"] == []
    # A client that pushes a document keeps its deletion of the document, although it has not pulled since the push.
    store, name = str(uuid.uuid4()), f"store:{uuid.uuid4()}"
    rows.create("stores", {"id": store, "name": "Markt"})
    assert rows.push() == {}
    rows.delete("stores", store)
    assert rows.sync() == {} and store not in rows.tables["stores"]
    couch.replica.write(name, {"type": "store", "name": "Nah"})
    couch.push()
    couch.replica.write(name, {}, deleted=True)
    couch.sync()
    assert couch.replica.get(name) is None
    fresh = Rows(Api(server.port, key), tenant)
    fresh.pull()
    assert not {store, name.removeprefix("store:")} & set(fresh.tables["stores"])
    rows.pull()
    assert fresh.tables == rows.tables
