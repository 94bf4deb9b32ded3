"""Open pages show changes of other members."""

import time

import pytest
from playwright.sync_api import expect

from person import until
from waiting import wait_until


@pytest.fixture
def members(server, person):
    return two_members(server, person)


def two_members(server, person, **options):
    """Two members of one household, each with a browser. The options apply to the second browser."""
    number = len(server.households)
    server.households.append(number)
    anna, paul = person(server), person(server, **options)
    anna.enter(server.setup_link(another=number > 0), "Anna Berger", f"anna{number}@example.at", household="Haus Berger")
    paul.enter(anna.invite(), "Paul Huber", f"paul{number}@example.at")
    return anna, paul


def draft(anna, store):
    """Saves a manual receipt without confirming it, and returns the path of its review."""
    page = anna.page
    anna.go("/receipts/new")
    page.click('form[action="/receipts/drafts"] button')
    page.wait_for_url("**/review")
    page.fill("#review [name=store]", store)
    page.fill("#review [name=total]", "0,45")
    anna.complete()
    anna.save()
    return anna.path.split("?")[0]


def wait_until_connected(page):
    """Waits until this or another tab of the browser is connected to the stream."""
    until(page, "async () => (await navigator.locks.query()).held.some(lock => lock.name === 'changes')")


def test_a_receipt_of_another_member_appears_in_the_open_inbox(server, members):
    anna, paul = members
    draft(anna, "Erstes Geschäft")
    paul.go("/receipts")
    wait_until_connected(paul.page)
    other = paul.page.context.new_page()
    other.goto(server.url + "/receipts")
    other.wait_for_function("() => document.visibilityState === 'visible'")
    path = draft(anna, "Zweites Geschäft")
    expect(other.locator("[data-inbox] .title", has_text="Zweites Geschäft")).to_have_count(1)
    expect(paul.page.locator("[data-inbox] .title", has_text="Zweites Geschäft")).to_have_count(1)
    # Both tabs share one stream.
    held = paul.page.evaluate("async () => (await navigator.locks.query()).held.filter(l => l.name === 'changes').length")
    assert held == 1
    anna.page.fill("#review [name=store]", "Drittes Geschäft")
    began = time.monotonic()
    anna.save()
    expect(paul.page.locator("[data-inbox] .title", has_text="Drittes Geschäft")).to_have_count(1)
    print(f"the change was shown after {time.monotonic() - began:.2f} s, including the time of saving")
    assert path in anna.path


def test_a_receipt_under_review_shows_the_other_members_values_but_never_replaces_typed_input(server, members, check_page):
    anna, paul = members
    path = draft(anna, "Erstes Geschäft")
    paul.go(path)
    wait_until_connected(paul.page)
    anna.page.fill("#review [name=store]", "Neues Geschäft")
    anna.save()
    expect(paul.page.locator("#review [name=store]")).to_have_value("Neues Geschäft")
    wait_until_connected(paul.page)
    paul.page.fill("#review [name=day]", "2026-01-05")
    anna.go(path)
    anna.page.fill("#review [name=store]", "Noch ein Geschäft")
    anna.save()
    notice = paul.page.locator("[data-news]")
    expect(notice).to_be_visible()
    assert "Anna Berger" in notice.inner_text() and "Geschäft" in notice.inner_text()
    assert paul.page.input_value("#review [name=day]") == "2026-01-05"
    assert paul.page.input_value("#review [name=store]") == "Neues Geschäft"
    check_page(paul.page, "review changed by another member", ("light", "dark"))


def test_a_page_is_not_replaced_while_the_camera_is_open(server, person):
    anna, paul = two_members(server, person, is_mobile=True)
    path = draft(anna, "Erstes Geschäft")
    paul.go(path)
    wait_until_connected(paul.page)
    with paul.page.expect_file_chooser():
        paul.page.locator(".places .scan a").first.evaluate("link => link.click()")
    anna.page.fill("#review [name=store]", "Neues Geschäft")
    anna.save()
    expect(paul.page.locator("[data-news]")).to_be_visible()
    assert paul.page.input_value("#review [name=store]") == "Erstes Geschäft"


def test_input_typed_during_a_reload_of_the_review_is_kept(server, person):
    # Without a service worker, because Playwright cannot hold its requests.
    anna, paul = two_members(server, person, service_workers="block")
    path = draft(anna, "Erstes Geschäft")
    paul.go(path)
    wait_until_connected(paul.page)
    held = []
    paul.page.route("**/review", lambda route: held.append(route) if route.request.resource_type == "document" else route.continue_())
    # A script of the old page types, because Playwright would wait for the new page.
    paul.page.evaluate("""() => addEventListener("beforeunload", () => setTimeout(() => {
        const field = document.querySelector("#review [name=time]");
        field.value = "17:21";
        field.dispatchEvent(new Event("input", { bubbles: true }));
    }, 500))""")
    anna.page.fill("#review [name=store]", "Neues Geschäft")
    anna.save()
    wait_until(lambda: held, "the page was not reloaded", pause=lambda seconds: paul.page.wait_for_timeout(seconds * 1000))
    expect(paul.page.locator("[data-news]")).to_contain_text("Anna Berger")
    paul.page.unroute("**/review")
    paul.save()
    assert paul.page.input_value("#review [name=store]") == "Neues Geschäft"
    assert paul.page.input_value("#review [name=time]") == "17:21"


def test_the_browser_of_a_removed_member_deletes_the_offline_data(server, members):
    anna, paul = members
    paul.go("/receipts")
    until(paul.page, "async () => Boolean(await queue.kept('data'))")
    wait_until_connected(paul.page)
    anna.go("/settings/household")
    form = anna.page.locator('form[action$="/removal"]').first
    with anna.page.expect_navigation():
        form.evaluate("form => form.submit()")
    draft(anna, "Danach")
    until(paul.page, "async () => !(await queue.kept('data'))")
    expect(paul.page.locator("[data-news]")).to_contain_text("nicht mehr angemeldet")
