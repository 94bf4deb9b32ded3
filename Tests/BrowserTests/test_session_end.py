"""A session ends while a form is open. After signing in again, the typed input can be sent, with and without scripts."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE

LINES = [("VOLLMILCH 1L", "1,79"), ("BERGBAUERN BUTTER", "3,29"), ("SEMMEL & BROT \"FRISCH\"", "0,45")]


def type_in(anna):
    """Fills in a manual receipt without sending it."""
    page = anna.page
    anna.go("/receipts/new")
    page.click('form[action="/receipts/drafts"] button')
    page.wait_for_url("**/review")
    receipt = page.url
    page.fill("#review [name=store]", "Greisslerei Huber")
    page.fill("#review [name=total]", "5,53")
    for name, amount in LINES:
        if not anna.lines() or page.input_value(f'[name="name-{anna.lines()[-1]}"]'):
            anna.add_line()
        key = anna.lines()[-1]
        page.fill(f'[name="name-{key}"]', name)
        page.fill(f'[name="total-{key}"]', amount)
    return receipt


@pytest.mark.parametrize("options", [PHONE, DESKTOP | {"java_script_enabled": False}], ids=["phone", "no scripts"])
def test_input_typed_before_the_session_ended_can_be_sent_after_signing_in(server, person, check_page, options):
    number = len(server.households)
    server.households.append(number)
    anna, email = person(server, **options), f"session{number}@example.at"
    anna.enter(server.setup_link(another=number > 0), "Anna Berger", email, household="Haus Berger")
    type_in(anna)
    page = anna.page
    page.context.clear_cookies(name="__Host-session")
    page.click("[data-confirm]")
    page.wait_for_selector("[name=password]")
    expect(page.locator("text=Was Sie gerade eingegeben haben, ist noch da.")).to_be_visible()
    if anna.has_scripts:
        check_page(page, "sign-in with a kept form", ("light", "dark"))
    # A wrong password keeps the input.
    anna.fill(email=email, password="vier Tassen Tee 12345")
    page.click("form.card button.main")
    page.wait_for_selector(".notice.bad")
    anna.fill(password="vier Tassen Kaffee 7")
    page.click("form.card button.main")
    page.wait_for_selector("text=Noch einmal senden?")
    if anna.has_scripts:
        check_page(page, "send again", ("light", "dark"))
    page.click("form.card button.main")
    page.wait_for_url(lambda url: "/confirmation" not in url and "/sign-in" not in url)
    anna.go("/receipts")
    page.click("a:has-text('Greisslerei Huber')")
    page.wait_for_load_state()
    assert "5,53" in page.inner_text("main")
    for name, amount in LINES:
        assert name in page.inner_text("main") and amount in page.inner_text("main")
