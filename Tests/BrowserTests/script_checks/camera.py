"""The camera link of the overview."""

import urllib.parse

from .sample_site import check, sent, until_count


def camera(browser, route):
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    page.route("**/*", route)
    page.goto("http://sample.test/overview/index")
    with page.expect_file_chooser() as chooser:
        page.tap(".places .scan a")
    chooser.value.set_files([{"name": "shot.jpg", "mimeType": "image/jpeg", "buffer": b"\xff\xd8\xff"}])
    page.wait_for_url("**/receipts/reading")
    check("Scannen opens the camera and sends the picture", b"shot.jpg" in sent[-1].post_data_buffer, True)
    failed_camera_upload(page)


def failed_camera_upload(page):
    """After a failed upload, the page shows the reason and buttons to retry, and does not navigate."""
    def shoot(name, opener=".places .scan a"):
        with page.expect_file_chooser() as chooser:
            page.tap(opener)
        chooser.value.set_files([{"name": name, "mimeType": "image/jpeg", "buffer": b"\xff\xd8\xff" + name.encode()}])
        until_count(page, ".busy [role=alert]", 1)
        return page.inner_text(".busy [role=alert]"), page.locator(".busy button, .busy a").all_inner_texts()

    failed = "Das Foto ist nicht angekommen. Es bleibt hier, solange diese Seite offen ist."
    page.goto("http://sample.test/overview/index")
    aborted = []
    page.route("**/receipts", lambda route: (aborted.append(1), route.abort())[1] if not aborted else route.fallback())
    check("message without a connection", shoot("cut.jpg"), (failed, ["Wiederholen", "Neu fotografieren", "Abbrechen"]))
    page.tap(".busy button")
    page.wait_for_url("**/receipts/reading")
    check("the retry sends the same picture", b"cut.jpg" in sent[-1].post_data_buffer, True)
    page.goto("http://sample.test/overview/index")
    check("message for a refused picture", shoot("huge.jpg"), ("zu viele Bildpunkte", ["Neu fotografieren", "Abbrechen"]))
    check("another picture can be taken", shoot("huge-too.jpg", ".busy button")[0], "zu viele Bildpunkte")
    page.tap(".busy button:last-child")
    check("cancelling closes the message and keeps the page", (page.locator(".busy").count(), urllib.parse.urlparse(page.url).path), (0, "/overview/index"))
    refused = []
    page.route("**/receipts", lambda route: (refused.append(1), route.fulfill(status=401, body="<p>", content_type="text/html"))[1] if not refused else route.fallback())
    message, buttons = shoot("late.jpg")
    check("message after the session has ended", (message.startswith("Sie sind nicht mehr angemeldet"), buttons), (True, ["Anmelden", "Wiederholen", "Neu fotografieren", "Abbrechen"]))
    page.tap(".busy button")
    page.wait_for_url("**/receipts/reading")
    check("the retry sends the same picture with a new token", b"late.jpg" in sent[-1].post_data_buffer, True)
