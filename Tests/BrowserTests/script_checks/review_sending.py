"""Requests of the review form: drafts, retries after an interruption, and forms without scripts."""

import urllib.parse

from .review_layout import LONG_NAME, whole_names
from .sample_site import check, connection, drafts, fields, sent, until


def drafts_sent(page):
    """Typed values are sent to the server without a button."""
    page.goto("http://sample.test/receipts/review")
    before = len(drafts)
    page.fill('[name="total-l10"]', "1,29")
    until(page, lambda: len(drafts) > before)
    check("one draft was sent", len(drafts) - before, 1)
    check("the draft has the typed value", dict(fields(drafts[-1]))["total-l10"], "1,29")
    check("path of the draft", urllib.parse.urlparse(drafts[-1].url).path, "/receipts/2/draft")
    # Browsers limit the size of requests that continue after their page is left.
    before = len(drafts)
    page.evaluate("""() => {
        const name = document.querySelector('[name="name-l10"]');
        name.value = "x".repeat(70000);
        name.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    until(page, lambda: len(drafts) > before)
    check("a long draft was sent", len(drafts) - before, 1)
    # The page warns before it is left if the server has not stored the last input.
    asks = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    until(page, lambda: not page.evaluate(asks))
    check("no warning if the input is stored", page.evaluate(asks), False)
    for name, is_refused in (("NICHT", True), ("BROT", False)):
        before = len(drafts)
        page.fill('[name="name-l10"]', name)
        until(page, lambda: len(drafts) > before)
        # The script handles the answer some time after the request.
        page.wait_for_timeout(100)
        until(page, lambda: page.evaluate(asks) == is_refused)
        check(f"a warning after the server refused to store the input: {is_refused}", page.evaluate(asks), is_refused)


def refused_drafts(page):
    """The page says why the server did not store typed input, and keeps the input. The message ends with the next stored draft."""
    page.goto("http://sample.test/receipts/review")
    text = lambda: page.inner_text(".balance-text")
    page.fill('[name="total-l10"]', "1,29")
    for name, message in (
        ("NICHT", "Sie haben diesen Beleg in einem anderen Fenster geändert. Ihre Eingaben stehen noch hier; bitte speichern Sie."),
        ("ABGEMELDET", "Sie sind nicht mehr angemeldet. Ihre Eingaben stehen noch hier: Speichern Sie, dann können Sie sich anmelden."),
        ("BROT", "Zeilen und Summe stimmen überein"),
    ):
        page.fill('[name="name-l10"]', name)
        until(page, lambda: text() == message)
        check(f"message after the draft {name}", text(), message)
        check(f"the draft {name} is still in its field", page.input_value('[name="name-l10"]'), name)


def submit_without_connection(page):
    """A form that cannot be sent stays on the page with its input. It is sent once there is a connection."""
    page.goto("http://sample.test/receipts/review")
    page.fill('[name="total-l10"]', "1,29")
    before = len(sent), len(drafts)
    connection["is_cut"] = True
    page.click("[data-confirm]")
    until(page, lambda: "Keine Verbindung" in page.inner_text(".balance-text"))
    check("the page says that there is no connection", page.inner_text(".balance-text"), "Keine Verbindung – noch nicht gespeichert")
    check("the page stays without a connection", (page.url, page.input_value('[name="total-l10"]')), ("http://sample.test/receipts/review", "1,29"))
    check("nothing is sent without a connection", len(sent), before[0])
    connection["is_cut"] = False
    with page.expect_navigation():
        page.click("[data-confirm]")
    check("the input is stored before the form is sent", len(drafts) > before[1], True)
    check("the form is sent with its input", (len(sent) - before[0], dict(fields(sent[-1]))["total-l10"]), (1, "1,29"))


def without_script(browser, route):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.route("**/*", route)
    page.goto("http://sample.test/receipts/review")
    page.click('[data-line="l9"] [data-delete]')
    page.wait_for_load_state()
    check("the delete button works without scripts", dict(fields(sent[-1]))["action"], "delete-line:l9")
    page.set_viewport_size({"width": 320, "height": 844})
    page.goto("http://sample.test/receipts/review")
    page.fill('[name="name-l1"]', LONG_NAME)
    whole_names(page, "without scripts")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto("http://sample.test/receipts/review")
    page.fill('[name="total-l10"]', "1,29")
    page.press('[name="total-l10"]', "Enter")
    page.wait_for_load_state()
    check("Enter saves without scripts", dict(fields(sent[-1]))["action"], "save")
    page.goto("http://sample.test/receipts/new")
    check("the upload button is visible without scripts", page.is_visible("[data-without-script]"), True)
