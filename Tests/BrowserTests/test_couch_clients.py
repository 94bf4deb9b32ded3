"""CouchDB clients from PyPI against the sync interface: documents, attachments and changes.

Each test is skipped without its package: pip install couchdb aiocouch ibmcloudant.
"""

import asyncio
import base64
import io
import json
import uuid

import pytest

from draw_receipts import draw_all
from histories import household


def name(kind):
    return f"{kind}:{uuid.uuid4()}"


@pytest.fixture(scope="module")
def endpoint(server):
    tenant, key, _ = household(server)
    return server.url + "/api/v1/couch", tenant, key


@pytest.fixture
def picture(tmp_path):
    return draw_all(tmp_path)[0].read_bytes()


def test_couchdb_python(endpoint, picture):
    couchdb = pytest.importorskip("couchdb")
    root, tenant, key = endpoint
    server = couchdb.Server(root.replace("://", f"://any:{key}@"))
    assert server.version() == "3.3.0"
    assert tenant in server
    database = server[tenant]
    assert database.info()["db_name"] == tenant and len(database) > 5
    with pytest.raises(couchdb.PreconditionFailed):
        server.create(tenant)

    store = name("store")
    identifier, revision = database.save({"_id": store, "type": "store", "name": "Laden"})
    # The server has added its own fields in a newer revision. Clients receive the newer revision.
    assert identifier == store and revision == database[store].rev
    document = database[store]
    assert document["name"] == "Laden"
    document["name"] = "Kaufladen"
    database[store] = document
    assert database.get(store)["name"] == "Kaufladen" and store in database
    with pytest.raises(couchdb.ResourceConflict):
        database.save({"_id": store, "_rev": "1-abc", "type": "store", "name": "Anderer"})
    # Only the document that violates a rule is refused.
    stores = [name("store") for _ in range(3)]
    results = database.update([{"_id": stores[0], "type": "store", "name": "Eins"}, {"_id": stores[1], "type": "store", "name": ""},
                               {"_id": stores[2], "type": "store", "name": "Drei"}])
    assert [done for done, *_ in results] == [True, False, True]
    assert {row.id for row in database.view("_all_docs", keys=[stores[0], stores[2]])} == {stores[0], stores[2]}
    rows = list(database.view("_all_docs", include_docs=True, startkey="store:", endkey="store:\ufff0"))
    assert store in {row.id for row in rows} and all(row.doc["type"] == "store" for row in rows)
    assert [entry.rev for entry in database.revisions(store)][0] == database[store].rev

    image = name("image")
    data = base64.b64encode(picture).decode()
    database.save({"_id": image, "type": "image", "_attachments": {"bon.jpg": {"content_type": "image/jpeg", "data": data}}})
    assert database.get_attachment(image, "bon.jpg").read() == picture
    assert database.get(image, attachments=True)["_attachments"]["bon.jpg"]["data"]

    feed = database.changes(since=0, include_docs=True)
    changed = {row["id"]: row for row in feed["results"]}
    assert changed[store]["doc"]["name"] == "Kaufladen" and feed["last_seq"] >= len(changed)
    with_pictures = {row["id"]: row for row in database.changes(since=0, include_docs=True, attachments=True)["results"]}
    assert with_pictures[image]["doc"]["_attachments"]["bon.jpg"]["data"]
    database.delete(database[store])
    assert store not in database
    row = {row["id"]: row for row in database.changes(since=feed["last_seq"])["results"]}[store]
    assert row["deleted"]
    for line in database.changes(feed="continuous", since=0, heartbeat=1000):
        assert line["id"]
        break


def test_aiocouch(endpoint, picture):
    aiocouch = pytest.importorskip("aiocouch")
    root, tenant, key = endpoint

    async def run():
        async with aiocouch.CouchDB(root, user="any", password=key) as session:
            database = await session[tenant]
            store = name("store")
            document = await database.create(store)
            document["type"], document["name"] = "store", "Laden"
            await document.save()
            again = await database[store]
            again["town"] = "Wien"
            await again.save()
            assert (await database[store])["town"] == "Wien"
            document["name"] = "Veraltet"
            with pytest.raises(aiocouch.ConflictError):
                await document.save()
            async with aiocouch.bulk.BulkCreateOperation(database, [name("store"), name("store")]) as bulk:
                async for new in bulk:
                    new["type"], new["name"] = "store", f"Laden {new.id}"
            assert len(bulk.ok) == 2 and not bulk.error
            found = [one async for one in database.docs([store])]
            assert found[0]["name"] == "Laden"
            image = await database.create(name("image"))
            image["type"] = "image"
            data = base64.b64encode(picture).decode()
            image["_attachments"] = {"bon.jpg": {"content_type": "image/jpeg", "data": data}}
            await image.save()
            assert await (await database[image.id]).attachment("bon.jpg").fetch() == picture
            seen = [event.id async for event in database.changes()]
            assert store in seen
            await (await database[store]).delete()
            with pytest.raises(aiocouch.NotFoundError):
                await database[store]

    asyncio.run(run())


def test_ibmcloudant(endpoint, picture):
    pytest.importorskip("ibmcloudant")
    from ibm_cloud_sdk_core import ApiException
    from ibm_cloud_sdk_core.authenticators import BearerTokenAuthenticator
    from ibmcloudant.cloudant_v1 import BulkDocs, BulkGetQueryDocument, CloudantV1

    root, tenant, key = endpoint
    client = CloudantV1(authenticator=BearerTokenAuthenticator(key))
    client.set_service_url(root)
    assert client.get_server_information().get_result()["couchdb"] == "Welcome"
    assert client.get_database_information(db=tenant).get_result()["doc_count"] > 5
    assert client.head_database(db=tenant).get_status_code() == 200
    store = name("store")
    created = client.put_document(db=tenant, doc_id=store, document={"type": "store", "name": "Laden"}).get_result()
    assert created["ok"] and created["id"] == store
    posted = client.post_document(db=tenant, document={"_id": name("store"), "type": "store", "name": "Zwei"}).get_result()
    assert posted["ok"]
    document = client.get_document(db=tenant, doc_id=store, revs=True, conflicts=True).get_result()
    assert document["name"] == "Laden" and document["_revisions"]["ids"]
    assert client.head_document(db=tenant, doc_id=store).get_headers()["ETag"].strip('"') == document["_rev"]
    with pytest.raises(ApiException) as refused:
        client.put_document(db=tenant, doc_id=store, document={"type": "store", "name": "Alt"}, rev="1-abc")
    assert refused.value.status_code == 409
    bulk = client.post_bulk_docs(db=tenant, bulk_docs=BulkDocs(docs=[
        {"_id": name("store"), "type": "store", "name": "Vier"}, {"_id": name("store"), "type": "store", "name": ""}])).get_result()
    assert bulk[0]["ok"] and bulk[1]["error"] == "forbidden"
    fetched = client.post_bulk_get(db=tenant, docs=[BulkGetQueryDocument(id=store), BulkGetQueryDocument(id=name("store"))]).get_result()
    assert fetched["results"][0]["docs"][0]["ok"]["name"] == "Laden" and fetched["results"][1]["docs"][0]["error"]["error"] == "not_found"
    listed = client.post_all_docs(db=tenant, include_docs=True, keys=[store]).get_result()
    assert listed["rows"][0]["doc"]["name"] == "Laden"
    missing = client.post_revs_diff(db=tenant, document_revisions={store: ["9-abc", document["_rev"]]}).get_result()
    assert missing[store]["missing"] == ["9-abc"]
    changes = client.post_changes(db=tenant, since="0", selector={"type": "store"}, filter="_selector").get_result()
    assert store in {row["id"] for row in changes["results"]}
    stream = client.post_changes_as_stream(db=tenant, since="0", feed="continuous", timeout=500).get_result()
    assert any(json.loads(line).get("id") == store for line in stream.iter_lines() if line.strip())
    image = name("image")
    client.put_attachment(
        db=tenant, doc_id=image, attachment_name="bon.jpg", attachment=io.BytesIO(picture), content_type="image/jpeg")
    assert client.get_attachment(db=tenant, doc_id=image, attachment_name="bon.jpg").get_result().content == picture
    local = client.put_local_document(db=tenant, doc_id="checkpoint", document={"last_seq": 7}).get_result()
    assert local["ok"] and client.get_local_document(db=tenant, doc_id="checkpoint").get_result()["last_seq"] == 7
    revision = client.get_document(db=tenant, doc_id=store).get_result()["_rev"]
    assert client.delete_document(db=tenant, doc_id=store, rev=revision).get_result()["ok"]
