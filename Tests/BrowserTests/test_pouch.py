"""Replication like PouchDB's (pouch.py): push, pull, live replication, attachments, conflicts, 2,000 documents, filters, and
requests from pages of other sites."""

import base64
import http.client
import json
import threading
import uuid

import pytest

from draw_receipts import draw_all
from histories import household
from pouch import Pouch, PouchApi
from replica import Refused, Replica
from server import psql


def name(kind):
    return f"{kind}:{uuid.uuid4()}"


def replication(server, tenant, key, word, basic=False, **options):
    return Pouch(Replica(word), PouchApi(server.port, key, basic=basic), tenant, **options)


@pytest.mark.parametrize("basic", [False, True], ids=["bearer", "basic"])
def test_two_thousand_documents_in_both_directions(server, basic):
    tenant, key, _ = household(server)
    one, two = (replication(server, tenant, key, word, basic) for word in ("one", "two"))
    one.pull()
    stores = [name("store") for _ in range(2000)]
    for number, store in enumerate(stores):
        one.replica.write(store, {"type": "store", "name": f"Laden {number}"})
    one.push()
    assert one.refused == {}
    # The server adds its own fields in new revisions, which are pulled here.
    one.pull()
    two.pull()
    assert set(stores) <= set(two.replica.documents())
    assert one.replica.documents() == two.replica.documents()
    # No document is pushed a second time.
    for client in (one, two):
        client.api.requests.clear()
        client.push()
        client.pull()
        assert not [request for request in client.api.requests if "_bulk_docs" in request]
    assert one.replica.documents() == two.replica.documents()

    # The next session finds the checkpoint of this one.
    one.api.requests.clear()
    one.is_set_up = False
    one.pull()
    assert one.api.requests[0] == f"GET /api/v1/couch/{tenant}/"
    assert one.api.requests[1] == "GET /api/v1/couch/"
    assert "since=0" not in [request for request in one.api.requests if "_changes" in request][0]


def test_both_replicas_resolve_conflicts_in_the_same_way(server):
    tenant, key, _ = household(server)
    one, two = (replication(server, tenant, key, word) for word in ("one", "two"))
    store, other = name("store"), name("store")
    for number, document in enumerate((store, other)):
        one.replica.write(document, {"type": "store", "name": f"Laden {number}"})
    one.sync()
    two.sync()
    for client in (one, two):
        # Several revisions are written between two replications.
        for number in range(3):
            body = client.replica.get(store) | {"name": f"Laden von {client.replica.name} {number}"}
            client.replica.write(store, body)
    one.replica.write(other, {}, deleted=True)
    two.replica.write(other, two.replica.get(other) | {"town": "Graz"})
    for client in (one, two, one, two):
        client.sync()
    assert one.replica.documents() == two.replica.documents()
    for client in (one, two):
        tree = client.replica.trees[store]
        assert sum(not tree[leaf]["deleted"] for leaf in client.replica.leaves(store)) == 1
        assert client.replica.get(other)["town"] == "Graz"
    lost = psql(server.database, "-At", "-c", f"SELECT lost #>> '{{}}' FROM lost_value WHERE household_id = '{tenant}'")
    assert {one.replica.get(store)["name"], lost} == {"Laden von one 2", "Laden von two 2"}


@pytest.mark.parametrize("words", [("one", "two"), ("two", "one")])
def test_a_conflict_that_an_application_has_resolved_is_not_merged_again(server, words):
    tenant, key, _ = household(server)
    one, two = (replication(server, tenant, key, word) for word in words)
    store = name("store")
    one.replica.write(store, {"type": "store", "name": "Laden"})
    one.sync()
    two.sync()
    one.replica.write(store, one.replica.get(store) | {"name": "Markt", "town": "Graz"})
    one.push()
    two.replica.write(store, two.replica.get(store) | {"name": "Greissler"})
    two.pull()
    tree = two.replica.trees[store]
    assert sum(not tree[leaf]["deleted"] for leaf in two.replica.leaves(store)) == 2
    two.replica.resolve(store, two.replica.get(store) | {"name": "Kaufhaus", "town": "Linz"})
    two.push()
    assert two.refused == {}
    for client in (one, two):
        client.sync()
    assert one.replica.documents() == two.replica.documents()
    resolved = one.replica.get(store)
    assert (resolved["name"], resolved["town"]) == ("Kaufhaus", "Linz")
    lost = psql(server.database, "-At", "-c", f"SELECT field FROM lost_value WHERE household_id = '{tenant}'")
    assert lost == ""


def test_a_live_replication_gets_the_changes_of_others(server):
    tenant, key, web = household(server)
    one, two = (replication(server, tenant, key, word) for word in ("one", "two"))
    one.pull()
    two.pull()
    names = [f"Laden {number}" for number in range(5)]

    def has_all(replica):
        found = {body.get("name") for _, body in replica.documents().values()}
        return found.issuperset(names) and any(identifier.startswith("receipt:") for identifier in replica.documents())

    following = threading.Thread(target=two.follow, args=[has_all], daemon=True)
    following.start()
    for word in names:
        one.replica.write(name("store"), {"type": "store", "name": word})
        one.push()
    web.post("/receipts/drafts")
    following.join(300)
    assert not following.is_alive()


def test_a_photo_is_pushed_read_and_pulled(server, tmp_path):
    tenant, key, _ = household(server)
    one, two = (replication(server, tenant, key, word) for word in ("one", "two"))
    image, receipt = name("image"), name("receipt")
    picture = draw_all(tmp_path)[0].read_bytes()
    one.replica.write(image, {"type": "image", "receipt": receipt}, attachments={"bon 1/ä.jpg": ("image/jpeg", picture)})
    one.push()
    assert one.refused == {}
    # After the reading, the server's revision has the picture that the reader made.
    two.follow(lambda replica: (replica.get(receipt) or {}).get("stage") == "review")
    two.pull()
    stored = two.replica.trees[image][two.replica.leaves(image)[0]]["attachments"]
    assert [kind for kind, _ in stored.values()] == ["image/jpeg"]

    # The bytes can also be requested within the document, as Apache CouchDB's replicator does.
    revision = two.replica.leaves(image)[0]
    request = {"docs": [{"id": image, "rev": revision}]}
    answer = two.api.send("POST", two.url("_bulk_get?revs=true&attachments=true&latest=true"), request)
    document = answer["results"][0]["docs"][0]["ok"]
    for file_name, (kind, data) in stored.items():
        inline = document["_attachments"][file_name]
        assert base64.b64decode(inline["data"]) == data and "stub" not in inline
    single = two.api.send("GET", two.url(f"{image}?attachments=true"))
    assert single["_attachments"] == document["_attachments"]
    listed = two.api.send(
        "POST", two.url("_all_docs?conflicts=true&include_docs=true&attachments=true"), {"keys": [image]})
    assert listed["rows"][0]["doc"]["_attachments"] == document["_attachments"]


def test_filters_and_single_documents(server):
    tenant, key, _ = household(server)
    one = replication(server, tenant, key, "one")
    stores = [name("store") for _ in range(250)]
    for number, store in enumerate(stores):
        one.replica.write(store, {"type": "store", "name": f"Laden {number}", "town": f"Ort {number % 5}"})
    one.push()
    one.pull()
    named = replication(server, tenant, key, "named", doc_ids=stores[:120])
    named.pull()
    assert sorted(named.replica.documents()) == sorted(stores[:120])
    chosen = replication(server, tenant, key, "chosen", selector={"type": "store", "town": "Ort 3"})
    chosen.pull()
    assert sorted(chosen.replica.documents()) == sorted(stores[3::5])

    alone = replication(server, tenant, key, "alone")
    wanted = [{"id": store, "rev": one.replica.leaves(store)[0]} for store in stores[:60]]
    alone.get_without_bulk(wanted)
    assert alone.replica.documents() == {
        store: (one.replica.leaves(store)[0], one.replica.get(store)) for store in stores[:60]}

    page = one.api.send("GET", one.url('_all_docs?startkey=%22store%3A%22&endkey=%22store%3A%EF%BF%B0%22&limit=300'))
    assert [row["id"] for row in page["rows"]] == sorted(stores)
    last = sorted(stores)[-1]
    page = one.api.send("GET", one.url(
        f'_all_docs?startkey=%22store%3A%22&endkey=%22{last}%22&inclusive_end=false&update_seq=true'))
    assert [row["id"] for row in page["rows"]] == sorted(stores)[:-1] and page["update_seq"] > 0


def test_a_refused_document_does_not_stop_replication(server):
    tenant, key, _ = household(server)
    one = replication(server, tenant, key, "one")
    good, bad = [name("store") for _ in range(30)], [name("store"), "note-1", "category:x"]
    for number, store in enumerate(good[:15] + bad + good[15:]):
        body = {"type": "store", "name": f"Laden {number}" if store in good else 5}
        one.replica.write(store, body)
    one.push()
    assert sorted(one.refused) == sorted(bad)
    two = replication(server, tenant, key, "two")
    two.pull()
    assert set(good) <= set(two.replica.documents()) and not set(bad) & set(two.replica.documents())


def test_a_wrong_key_and_a_foreign_household_are_refused(server):
    tenant, key, _ = household(server)
    wrong = replication(server, tenant, key[:-1] + ("a" if key[-1] != "a" else "b"), "wrong")
    with pytest.raises(Refused) as refused:
        wrong.pull()
    assert refused.value.status == 401 and '"unauthorized"' in str(refused.value)
    other, _, _ = household(server)
    stranger = replication(server, other, key, "stranger")
    # PouchDB then tries to create the database.
    with pytest.raises(Refused) as refused:
        stranger.pull()
    # PouchDB repeats the request after all other errors.
    assert refused.value.status == 403 and '"forbidden"' in str(refused.value)


def test_a_revoked_key_ends_a_long_poll(server):
    tenant, key, web = household(server)
    one, two = (replication(server, tenant, key, word) for word in ("one", "two"))
    one.pull()
    since = one.api.send("GET", one.url())["update_seq"]
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    target = one.url(f"_changes?feed=longpoll&since={since}&heartbeat=500")
    connection.request("GET", target, headers={"Authorization": f"Bearer {key}"})
    # At the first heartbeat, the server has found no change and waits for one.
    answer = connection.getresponse()
    start = b""
    while not start.endswith(b"\n\n"):
        start += answer.read(1)
    other = server.run("keys", "create", web.email, "Zwei", "sync")
    keys = server.run("keys", "list", web.email).splitlines()
    server.run("keys", "revoke", next(line.split()[0] for line in keys if line.endswith("Test")))
    writer = replication(server, tenant, other, "writer")
    writer.replica.write(name("store"), {"type": "store", "name": "Laden"})
    writer.push()
    assert json.loads(start + answer.read())["results"] == []
    connection.close()


def test_another_site_can_replicate_only_with_a_key(server):
    tenant, key, web = household(server)
    server.stop()
    server.extra_settings["API_ORIGINS"] = "https://notes.example.at"
    server.start()
    try:
        for method, path in [
            ("GET", ""), ("GET", "_changes?since=0"), ("POST", "_bulk_docs"), ("PUT", "_local/a%3D%3D"), ("POST", "_revs_diff"),
        ]:
            target = f"/api/v1/couch/{tenant}/{path}"
            status, headers, _ = ask(server, "OPTIONS", target, {
                "Origin": "https://notes.example.at", "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": "accept,authorization,content-type"})
            assert status == 204
            assert headers["Access-Control-Allow-Origin"] == "https://notes.example.at"
            assert headers["Access-Control-Allow-Credentials"] == "true"
            assert method in headers["Access-Control-Allow-Methods"].split(", ")
            allowed = {word.strip().lower() for word in headers["Access-Control-Allow-Headers"].split(",")}
            assert {"accept", "authorization", "content-type"} <= allowed
        for wanted, fields in [
            (200, {"Authorization": f"Bearer {key}"}),
            # The session of the browser is not enough, even for reading.
            (401, {"Cookie": "; ".join(f"{k}={m.value}" for k, m in web.cookies.items())}),
        ]:
            status, headers, _ = ask(server, "GET", f"/api/v1/couch/{tenant}/", {"Origin": "https://notes.example.at"} | fields)
            assert status == wanted
            assert headers["Access-Control-Allow-Origin"] == "https://notes.example.at"
    finally:
        server.stop()
        del server.extra_settings["API_ORIGINS"]
        server.start()


def ask(server, method, path, headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body
