"""Pages and the database use the time zone of `TZ`."""

import datetime
import zoneinfo

import pytest

from person import Person
from server import Server

# The dates in these time zones always differ.
ZONES = ["Pacific/Kiritimati", "Pacific/Pago_Pago"]


class ServerWithTimeZone(Server):
    zone = "UTC"

    @property
    def environment(self):
        return super().environment | {"TZ": self.zone}


@pytest.mark.parametrize("zone", ZONES)
def test_a_receipt_of_today_has_the_date_of_the_time_zone(chromium, zone):
    ServerWithTimeZone.zone = zone
    server = ServerWithTimeZone("time_zone").start()
    try:
        page = chromium.new_page()
        anna = Person(page, server.url, [])
        anna.enter(server.setup_link(), "Anna Berger", "anna@example.at", household="Haus")
        before = datetime.datetime.now(zoneinfo.ZoneInfo(zone)).date()
        page.goto(server.url + "/receipts/new")
        page.click("form[action='/receipts/drafts'] button")
        after = datetime.datetime.now(zoneinfo.ZoneInfo(zone)).date()
        assert page.input_value("[name=day]") in {str(before), str(after)}
        page.close()
    finally:
        server.stop()
