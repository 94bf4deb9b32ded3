"""Other programs can load the exports, and read the same bookings from a bank file as the server."""

import json
import urllib.request

import pytest

from test_api import household_with_key

MT940 = """:20:STARTUMS
:25:20041/1234567890
:28C:00001/001
:60F:C260301EUR1000,00
:61:2603050305D62,10N024NONREF
:86:106?00KARTENZAHLUNG?20OMV Tankstelle Wien?32OMV
:61:2603060306C2000,00N062NONREF
:86:166?00GUTSCHRIFT?20Gehalt Maerz?32Arbeitgeber GmbH
:61:2603090309D9,90N024NONREF
:86:106?00KARTENZAHLUNG?20Kino?32Filmcasino
:62F:C260309EUR2928,00
-
"""


def send(server, key, path, body=None, kind="application/json", **headers):
    data = body.encode() if isinstance(body, str) else body
    fields = {"Authorization": f"Bearer {key}", "Content-Type": kind} | headers
    with urllib.request.urlopen(urllib.request.Request(server.url + path, data, fields)) as answer:
        return json.load(answer), answer.headers


def api(*request):
    return send(*request)[0]


def test_beancount_loads_the_export(server, person):
    loader = pytest.importorskip("beancount.loader")
    data = pytest.importorskip("beancount.core.data")
    anna, key = household_with_key(server, person, "read", "write")
    wanted = {("expense", 6210): -6210, ("income", 200000): 200000, ("refund", 990): 990, ("withdrawal", 5000): -5000}
    for kind, minor in wanted:
        what = f'{kind} "mit" Zeichen \\ ; | ä'
        api(server, key, "/api/v1/expenses", json.dumps({"what": what, "kind": kind, "amount_minor": minor, "day": "2026-03-07"}))
    file, headers = send(server, key, "/api/v1/bank-files?name=konto.sta", MT940, "text/plain")
    send(server, key, f"/api/v1/bank-files/{file['id']}/confirmation", "{}", **{"If-Match": headers["ETag"]})
    text = anna.page.request.get(server.url + "/expenses/export?format=beancount").text()
    entries, errors, _ = loader.load_string(text)
    assert errors == []
    transactions = [entry for entry in entries if isinstance(entry, data.Transaction)]

    def amounts(account):
        return sorted(int(posting.units.number * 100) for entry in transactions for posting in entry.postings
                      if posting.account == account)

    # This account has the entries of bank files, and the withdrawals of cash.
    assert amounts("Assets:Bank") == sorted([-6210, 200000, -990, wanted["withdrawal", 5000]])
    assert amounts("Assets:Cash") == [5000]
    assert amounts("Assets:Unknown") == sorted(wanted[kind, minor] for kind, minor in wanted if kind != "withdrawal")
    typed = [entry for entry in transactions if entry.date.day == 7]
    assert len(typed) == len(wanted)
    assert all('"mit"' in entry.narration and "ä" in entry.narration for entry in typed)


def test_an_mt940_file_gives_the_same_bookings_as_the_mt940_library(server, person):
    mt940 = pytest.importorskip("mt940")
    _, key = household_with_key(server, person, "read", "write")
    theirs = [(entry.data["date"].isoformat(), int(entry.data["amount"].amount * 100), entry.data["amount"].currency)
              for entry in mt940.parse(MT940)]
    ours = [(entry["day"], entry["amount_minor"], entry["currency"])
            for entry in api(server, key, "/api/v1/bank-files?name=konto.sta", MT940, "text/plain")["bookings"]]
    assert len(ours) == 3 and sorted(ours) == sorted(theirs)
