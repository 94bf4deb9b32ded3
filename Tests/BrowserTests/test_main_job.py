"""The main task of the app from beginning to end: a household is set up, receipts are photographed, read, corrected and
confirmed, and their prices appear in the history and in the export."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP
from person import READ, READING_MS

TABLE = """Name;Price;Category;Shop;Datum
Bio Vollmilch;1,49;Milchprodukte;Greisslerei Huber;04.03.2026
Butter;2.29;Milchprodukte;Greisslerei Huber;2026-03-11
"""


BOTH = ("light", "dark")


def do_main_job(server, person, receipts, check_page, **options):
    number = len(server.households)
    server.households.append(number)
    anna, paul = person(server, **options), person(server, **options)
    set_up_household(server, anna, paul, number, check_page)
    uploaded = upload(anna, receipts, check_page)
    review(anna, paul, uploaded, check_page)
    check_results(anna, uploaded, check_page)
    import_and_export(anna, check_page)


def set_up_household(server, anna, paul, number, check_page):
    emails = [f"{name}{number}@example.at" for name in ("anna", "paul")]
    link = server.setup_link(another=number > 0)
    anna.enter(link, "Anna Berger", emails[0], household="Haus Berger")
    check_page(anna.page, "overview-first")
    anna.sign_out()
    anna.go("/receipts")
    assert "/sign-in" in anna.page.url
    anna.sign_in(emails[0])
    # The second member, Paul, uses another browser.
    link = anna.invite()
    check_page(anna.page, "invitation")
    paul.go(link)
    paul.enter(link, "Paul Huber", emails[1])
    assert paul.page.goto(link).status in (404, 410), "the link works a second time"


def upload(anna, receipts, check_page):
    """Uploads one receipt, whose page then opens, and then two at once."""
    first = anna.upload_one(receipts[0])
    anna.upload(*receipts[1:])
    if anna.has_scripts:
        rows = anna.page.locator(".queue li", has=anna.page.locator("a.open:visible"))
        expect(rows).to_have_count(2)
        check_page(anna.page, "upload queue")
        # With scripts, the progress of each file is shown without reloading the page.
        for row in rows.all():
            expect(row.locator(".status")).to_have_text(READ, timeout=READING_MS)
    else:
        # Without scripts, the page reloads until all files are read.
        assert anna.path.startswith("/receipts/uploads?")
        # While the page is loaded again, it has no rows at all.
        expect(anna.page.locator("main li:not([data-reading]) .status")).to_have_count(2, timeout=READING_MS)
        assert anna.page.locator("meta[http-equiv=refresh]").count() == 0
        check_page(anna.page, "uploaded files")
    uploaded = [first, *sorted(anna.inbox() - {first})]
    assert len(uploaded) == 3
    for receipt in uploaded:
        anna.wait_until_read(receipt)
        if receipt == first:
            check_page(anna.page, "review with picture", BOTH)
        assert anna.page.locator(".photo image").count() > 0, "the review page does not show the picture"
    # The same picture again is a duplicate.
    assert anna.upload_one(receipts[0]) == first
    return uploaded


def review(anna, paul, uploaded, check_page):
    """Two members correct one receipt on outdated pages. Both corrections are stored."""
    paul.go(uploaded[0] + "/review")
    anna.go(uploaded[0] + "/review")
    # Paul's page reloads when Anna saves, unless he has typed something.
    paul.page.fill("#review [name=time]", "17:21")
    anna.complete()
    anna.page.fill("#review [name=store]", "Markthalle Ost")
    anna.save()
    # Leaves the review page, because it would reload when Paul saves, possibly during the next navigation, which
    # Playwright would then miss.
    anna.go("/receipts")
    paul.save()
    check_page(paul.page, "review merged")
    anna.go(uploaded[0] + "/review")
    assert anna.page.input_value("#review [name=store]") == "Markthalle Ost"
    assert anna.page.input_value("#review [name=time]") == "17:21"
    anna.confirm()
    for receipt in uploaded[1:]:
        anna.go(receipt + "/review")
        anna.complete()
        anna.confirm()
    assert anna.inbox() == set()


def check_results(anna, uploaded, check_page):
    page = anna.page
    for receipt in uploaded:
        assert page.locator(f'a[href="{receipt}"]').count() > 0
    anna.go("/receipts?search=Markthalle")
    assert page.locator(f'a[href="{uploaded[0]}"]').count() > 0
    check_page(anna.go(uploaded[0]), "receipt with picture")
    # New printed names are never matched by similarity alone. A person creates the products.
    anna.go("/matching")
    page.click('form[action="/matching/new-products"] button')
    page.wait_for_url("**/matching")
    anna.go("/products")
    product = page.locator('main a[href^="/products/"]').first.get_attribute("href")
    check_page(anna.go(product), "new product")
    assert page.locator("main table").count() > 0
    for path in ("/", "/compare"):
        anna.go(path)


def import_and_export(anna, check_page):
    """Imports a table with a preview, and exports it."""
    page = anna.page
    anna.go("/import")
    page.set_input_files("[name=file]", {"name": "alt.csv", "mimeType": "text/csv", "buffer": TABLE.encode()})
    page.click('form[action="/import"] button')
    page.wait_for_url("**/import/*")
    check_page(page, "import preview")
    if check_page is not skip_checks and page.viewport_size["width"] < 480:
        # The rows are shown as cards, so that the page does not scroll sideways.
        assert page.locator(".scroll").evaluate("e => e.scrollWidth <= e.clientWidth")
    assert "Bio Vollmilch" in page.content()
    page.click('form[action$="/confirmation"] button')
    page.wait_for_url(lambda url: "/import" not in url)
    anna.go("/products?search=Volmilch")
    assert "Bio Vollmilch" in page.inner_text("main"), "the search does not tolerate a typing error"
    anna.go("/settings")
    with page.expect_download() as download:
        page.click('a[href="/export.csv"]')
    exported = download.value.path().read_text("utf-8")
    assert exported.lstrip("\ufeff").startswith("Name;Price;Category;Shop;Datum")
    # A person with English pages gets amounts with a decimal point.
    price = "1.49" if page.get_attribute("html", "lang").startswith("en") else "1,49"
    assert f"\nBio Vollmilch;{price};" in exported.replace("\r", "")


def skip_checks(page, name, schemes=()):
    """Replaces `check_page` in tests whose pages another test checks, and in tests without scripts, which axe needs."""


def test_the_main_job_on_a_phone(server, person, receipts, check_page):
    do_main_job(server, person, receipts, check_page)


def test_the_main_job_without_scripts(server, person, receipts):
    do_main_job(server, person, receipts, skip_checks, java_script_enabled=False)


def test_the_main_job_on_a_desktop_in_english(server, person, receipts):
    do_main_job(server, person, receipts, skip_checks, locale="en-GB", **DESKTOP)


def test_the_main_job_over_https_and_with_a_host_name(secure_server, person, receipts):
    do_main_job(secure_server, person, receipts, skip_checks)


def test_the_session_cookie_is_secure_and_for_this_host_only(secure_server, person):
    anna = person(secure_server)
    anna.enter(secure_server.setup_link(another=True), "Anna Berger", "cookies@example.at", household="Haus")
    cookies = anna.page.context.cookies()
    assert cookies
    assert all(c["secure"] and c["httpOnly"] and c["name"].startswith("__Host-") for c in cookies)


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_wrong_password_is_refused(server, person, scripts):
    anna = person(server, java_script_enabled=scripts)
    anna.go("/sign-in")
    anna.fill(email="anna0@example.at", password="something else altogether")
    anna.page.click("form.card button.main")
    expect(anna.page.locator("[role=alert]")).to_have_count(1)
    anna.go("/receipts")
    assert "/sign-in" in anna.page.url
