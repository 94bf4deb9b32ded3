#!/usr/bin/env python3
"""Tests the script of scanned wine lists."""

import urllib.parse

from render_samples import PUBLIC
from script_checks.sample_site import HOST, check, until
from script_pages import run


def wine_list(page, pages):
    """After a reading, the list of wines replaces the camera. The last filter has the focus. The page says if a filter fails."""
    page.set_viewport_size({"width": 320, "height": 844})
    scans, filters = [], []
    page.route("**/wines/scan", lambda route: scans.append(route) if route.request.method == "POST" else route.fallback())
    page.route("**/wines/scan/list*", lambda route: filters.append(route))
    listed = {"body": pages["/wines/list"], "content_type": "text/html; charset=utf-8"}
    page.goto(HOST + "/wines/scan")
    tops = page.locator(".tabs a").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    check("the tabs are in one row on the narrowest screen", len(set(tops)), 1)
    page.evaluate("""() => {
        globalThis.streams = [];
        navigator.mediaDevices.getUserMedia = async () => {
            const canvas = document.createElement("canvas");
            setInterval(() => canvas.getContext("2d").fillRect(0, 0, 9, 9), 50);
            streams.push(canvas.captureStream(9));
            return streams.at(-1);
        };
        const start = document.querySelector("[data-start]");
        start.click();
        start.click();
    }""")
    until(page, lambda: page.is_visible("[data-stop]"))
    check("two taps start one camera", page.evaluate("streams.length"), 1)
    check("the button that ends the camera has the focus", page.evaluate("document.activeElement.hasAttribute('data-stop')"), True)
    photo = {"name": "list.png", "mimeType": "image/png", "buffer": (PUBLIC / "icons/app-192.png").read_bytes()}
    page.locator("input[name=files]").last.set_input_files([photo])
    until(page, lambda: scans)
    box = page.locator("[data-scan] [data-status]").bounding_box()
    below = page.locator("[data-scan] .pickers").bounding_box()["y"]
    check("the message about the reading is above the pickers", box["height"] > 10 and box["y"] + box["height"] <= below, True)
    page.click("[data-scan] button")
    page.wait_for_timeout(200)
    check("a photo is sent once", len(scans), 1)
    scans[0].fulfill(**listed)
    until(page, lambda: page.locator(".badges .mark").count() == 5)
    check("the list has the focus", page.evaluate("document.activeElement.id"), "content")
    widths = page.locator(".badges .mark").evaluate_all("all => all.map(e => e.getBoundingClientRect().width)")
    check("badges are large enough for a finger", [width for width in widths if width < 23.9], [])
    ended = "streams.every(stream => stream.getTracks().every(track => track.readyState === 'ended'))"
    until(page, lambda: page.evaluate(ended))
    check("the camera has ended", page.evaluate(ended), True)
    page.click("text=90+")
    until(page, lambda: filters)
    filters[0].abort()
    until(page, lambda: page.is_visible("[data-unsent]"))
    check("the page says that the filter failed", page.is_visible("[data-unsent]"), True)
    page.click("text=90+")
    until(page, lambda: len(filters) == 2)
    filters[1].fulfill(**listed)
    until(page, lambda: page.is_hidden("[data-unsent]") and page.evaluate("document.activeElement.textContent") == "90+")
    check("the filter has the focus", page.evaluate("document.activeElement.textContent"), "90+")


def photo_refused_by_a_busy_server(page, pages):
    """If the server is busy, the page says so and keeps the photo, which can be sent again."""
    scans = []
    page.route("**/wines/scan", lambda route: scans.append(route) if route.request.method == "POST" else route.fallback())
    page.goto(HOST + "/wines/scan")
    photo = {"name": "list.png", "mimeType": "image/png", "buffer": (PUBLIC / "icons/app-192.png").read_bytes()}
    page.locator("input[name=files]").last.set_input_files([photo])
    until(page, lambda: scans)
    scans[0].fulfill(status=503, body=pages["/wines/scan"], content_type="text/html; charset=utf-8")
    status = page.locator("[data-scan] [data-status]")
    until(page, lambda: "ausgelastet" in status.inner_text())
    check("the page says that the server is busy", "ausgelastet" in status.inner_text(), True)
    page.click("[data-scan] button")
    until(page, lambda: len(scans) == 2)
    check("the photo is sent again", len(scans), 2)
    scans[1].fulfill(body=pages["/wines/list"], content_type="text/html; charset=utf-8")
    until(page, lambda: page.locator("[data-entry]").count() == 5)
    check("number of entries after the second attempt", page.locator("[data-entry]").count(), 5)


def list_saved_by_enter(page, pages):
    """Enter in the field for the restaurant saves the list."""
    saved = []
    page.route("**/wine-scans", lambda route: (saved.append(route.request.post_data), route.fulfill(status=204)))
    page.route("**/wines/scan/list*", lambda route: route.abort())
    page.goto(HOST + "/wines/list")
    page.fill("#place", "Zum Hirschen")
    page.press("#place", "Enter")
    until(page, lambda: saved)
    check("the restaurants of the saved lists", [dict(urllib.parse.parse_qsl(form)).get("place") for form in saved], ["Zum Hirschen"])


def camera_of_hidden_page(page, pages):
    """A camera that was not ready when the page was hidden does not start when the page is shown again."""
    page.goto(HOST + "/wines/scan")
    page.evaluate("""() => {
        navigator.mediaDevices.getUserMedia = async () => document.createElement("canvas").captureStream(9);
        HTMLMediaElement.prototype.play = () => new Promise((done) => { globalThis.play = done; });
        document.querySelector("[data-start]").click();
    }""")
    until(page, lambda: page.evaluate("Boolean(globalThis.play)"))
    page.evaluate("""async () => {
        for (const isHidden of [true, false]) {
            Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
        }
        play();
        await new Promise((done) => setTimeout(done));
    }""")
    check("the button that starts the camera is shown", page.is_visible("[data-start]"), True)


def wine_list_after_back(page, pages):
    """The list of wines is shown again after "Back" from one of its wines, but not on a new visit."""
    posts = []
    html = lambda name: {"body": pages[name], "content_type": "text/html; charset=utf-8"}

    def answer_list(route):
        posts.append(dict(urllib.parse.parse_qsl(route.request.post_data)))
        route.fulfill(**html("/wines/list"))

    page.route("**/wines/scan/list", answer_list)
    page.route("**/wines/scan", lambda route: route.fulfill(**html("/wines/list")) if route.request.method == "POST" else route.fallback())
    page.goto(HOST + "/wines/scan")
    photo = {"name": "list.png", "mimeType": "image/png", "buffer": (PUBLIC / "icons/app-192.png").read_bytes()}
    page.locator("input[name=files]").last.set_input_files([photo])
    entries = page.locator("[data-entry]")
    until(page, lambda: entries.count() == 5)
    page.goto(HOST + "/wines/show")
    page.go_back()
    until(page, lambda: entries.count() == 5)
    check("number of entries after going back", entries.count(), 5)
    check("the list is sent with the token", [(bool(post["csrf"]), "Hauswein" in post["list"]) for post in posts], [(True, True)])
    page.goto(HOST + "/wines/show")
    page.goto(HOST + "/wines/scan")
    page.wait_for_timeout(300)
    check("number of entries on a new visit", (entries.count(), len(posts)), (0, 1))


def decision_without_submitter(page, pages):
    """The decision about an entry is sent even if `FormData` ignores the button. The new list keeps the typed restaurant."""
    posts = []
    listed = {"body": pages["/wines/list"], "content_type": "text/html; charset=utf-8"}

    def answer_list(route):
        posts.append(dict(urllib.parse.parse_qsl(route.request.post_data)))
        route.fulfill(**listed)

    page.route("**/wines/scan/list*", answer_list)
    page.add_init_script("globalThis.FormData = class extends FormData { constructor(form) { super(form); } }")
    page.goto(HOST + "/wines/list")
    page.fill("#place", "Zum Hirschen")
    page.evaluate("document.querySelector('#place').dataset.old = ''")
    decision = page.locator("button[name=decision]").first.get_attribute("value")
    page.evaluate("() => { const button = document.querySelector('button[name=decision]'); button.form.requestSubmit(button); }")
    until(page, lambda: posts)
    check("the decision that was sent", posts[0].get("decision"), decision)
    until(page, lambda: page.locator("#place:not([data-old])").count() == 1)
    until(page, lambda: page.input_value("#place"))
    check("the typed restaurant", page.input_value("#place"), "Zum Hirschen")


def wine_list_after_signing_out(page, pages):
    """Signing out deletes the list of wines that the tab keeps."""
    sent = []
    listed = {"body": pages["/wines/list"], "content_type": "text/html; charset=utf-8"}
    page.route("**/wines/scan", lambda route: route.fulfill(**listed) if route.request.method == "POST" else route.fallback())
    # The answer 204 leaves the page open.
    page.route("**/sign-out", lambda route: (sent.append(1), route.fulfill(status=204)))
    page.goto(HOST + "/wines/scan")
    photo = {"name": "list.png", "mimeType": "image/png", "buffer": (PUBLIC / "icons/app-192.png").read_bytes()}
    page.locator("input[name=files]").last.set_input_files([photo])
    until(page, lambda: page.locator("[data-entry]").count() == 5)
    check("number of kept lists", page.evaluate("sessionStorage.length"), 1)
    page.evaluate("document.querySelector('form[action=\"/sign-out\"]').requestSubmit()")
    until(page, lambda: sent)
    check("number of kept lists after signing out", page.evaluate("sessionStorage.length"), 0)


if __name__ == "__main__":
    run(
        wine_list, photo_refused_by_a_busy_server, list_saved_by_enter, camera_of_hidden_page, wine_list_after_back,
        decision_without_submitter, wine_list_after_signing_out)
