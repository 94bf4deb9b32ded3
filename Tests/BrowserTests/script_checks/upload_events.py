"""Interrupted uploads, and the streams that report the progress of readings."""

import json

from .sample_site import HOST, check, until


def names_of_uploads(page, pages):
    """The bar and the buttons of a file that is being sent contain the name of the file."""
    held = []
    page.route("**/uploads", lambda route: held.append(route))
    page.goto(HOST + "/receipts/new")
    page.locator("input[multiple]").set_input_files([{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"a"}])
    until(page, lambda: held)
    check("name of the bar", page.get_by_role("progressbar", name="a.jpg", exact=True).count(), 1)
    held[0].fulfill(status=400, body="{}", content_type="application/json")
    until(page, lambda: page.is_visible(".queue .retry"))
    check("name of the button", page.get_by_role("button", name="Wiederholen a.jpg", exact=True).count(), 1)


def upload_of_a_shown_page(page, pages):
    """An interrupted upload resumes when the page is shown again, without waiting for the end of the pause between attempts."""
    sent = []
    page.route("**/uploads", lambda route: (sent.append(1), route.abort())[1])
    # Ignores timers of a second or more, so that the pauses between attempts never end.
    page.add_init_script("""{
        const start = setTimeout;
        globalThis.setTimeout = (work, time, ...rest) => time >= 1000 ? 0 : start(work, time, ...rest);
    }""")
    page.goto(HOST + "/receipts/new")
    page.locator("input[multiple]").set_input_files([{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"a"}])
    until(page, lambda: sent)
    check("number of attempts before the page is shown", len(sent), 1)

    def is_sent_again():
        page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
        return len(sent) > 1

    # The script may handle the failure after the first event.
    until(page, is_sent_again)
    check("the upload is sent again", len(sent) > 1, True)


def repeated_status(page, pages):
    """The status of a receipt that is being read is not replaced by the same words, which would be read aloud again."""
    held = []
    page.route("**/receipts/3/events", lambda route: held.append(route))
    page.goto(HOST + "/receipts/reading")
    until(page, lambda: held)
    page.evaluate("""() => {
        globalThis.replaced = 0;
        new MutationObserver((records) => { replaced += records.length; })
            .observe(document.querySelector(".reading-now"), { childList: true, characterData: true, subtree: true });
    }""")
    news = [{"step": step, "percent": percent, "ahead": 0, "page": 0, "pages": 0} for step, percent in (("sums", 80), ("sums", 90))]
    held[0].fulfill(body="".join(f"event: progress\ndata: {json.dumps(one)}\n\n" for one in news), content_type="text/event-stream")
    until(page, lambda: page.locator("[data-live] progress").evaluate("bar => bar.value") == 90)
    check("the bar moves", page.locator("[data-live] progress").evaluate("bar => bar.value"), 90)
    check("the status is not replaced", page.evaluate("replaced"), 0)


def streams_of_hidden_pages(page, pages):
    """A hidden page has no stream. It requests one again when it is shown."""
    show = """isHidden => {
        Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }"""
    for name, address in (("receipts/index", "**/receipts/events?*"), ("receipts/reading", "**/receipts/3/events")):
        held = []
        page.route(address, lambda route: held.append(route))
        page.goto(f"{HOST}/{name}")
        until(page, lambda: held)
        page.evaluate(show, True)
        page.evaluate("document.dispatchEvent(new Event('arrived'))")
        page.wait_for_timeout(200)
        check(f"no further stream of {name} while it is hidden", len(held), 1)
        page.evaluate(show, False)
        until(page, lambda: len(held) == 2)
        check(f"number of streams of {name}", len(held), 2)
