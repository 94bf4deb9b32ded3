"""The upload page, and the progress of readings."""

import json, re

from .sample_site import check, fields, removed, sent, until_count, uploads


def upload(page):
    page.goto("http://sample.test/receipts/new")
    file = lambda name, kind="image/jpeg": {"name": name, "mimeType": kind, "buffer": b"\xff\xd8\xff" + name.encode()}
    page.set_input_files("input[multiple]", [file("a.jpg"), file("twice.jpg"), file("broken.jpg"), file("lost.jpg"), file("huge.jpg"), file("x.docx", "application/msword")])
    until_count(page, ".queue .failed", 3)
    # An interrupted upload continues automatically.
    until_count(page, ".queue .open:visible", 3)
    rows = [row.replace("\n", " ") for row in page.locator(".queue .status").all_inner_texts()]
    check("status of each file", rows, ["angekommen, wird gelesen", "gibt es schon", "angekommen, wird gelesen", "nicht angekommen – die Datei ist noch auf Ihrem Gerät", "zu viele Bildpunkte", "kein Foto und kein PDF"])
    check("the queue has ended and links to the inbox", (page.inner_text("#queue-title"), page.is_visible("[data-arrived] a")), ("Hochgeladen", True))
    inbox_count = lambda: page.inner_text("[data-waits] > :last-child")
    check("the inbox count includes two new receipts, but no duplicate", inbox_count(), "6")
    [broken] = [file for file in uploads.values() if file["name"] == "broken.jpg"]
    check("the interrupted file was received completely", (broken["failed"], broken["bytes"]), (True, b"\xff\xd8\xffbroken.jpg"))
    check("number of files that can be retried", page.locator(".queue .retry:visible").count(), 1)
    page.click(".queue .retry:visible")
    until_count(page, ".queue .failed", 2)
    until_count(page, ".queue .open:visible", 4)
    check("the inbox count includes the retried file", inbox_count(), "7")
    begun = lambda: [dict(fields(request)) for request in sent if request.url.endswith("/uploads")]
    check("an upload begins with the token", bool(begun()[-1]["csrf"]), True)
    page.goto("http://sample.test/receipts/new")
    before = len(begun())
    sized = lambda name, size: {**file(name), "buffer": file(name)["buffer"].ljust(size, b"x")}
    page.set_input_files("input[multiple]", [sized("long.jpg", 90_000), sized("short.jpg", 90), sized("middle.jpg", 900)])
    until_count(page, ".queue .open:visible", 3)
    order = [form["name"] for form in begun()[before:]]
    check("smaller files are sent first", order, ["short.jpg", "middle.jpg", "long.jpg"])
    page.goto("http://sample.test/receipts/new")
    page.set_input_files("input[multiple]", [file("gone.jpg")])
    page.wait_for_url("**/receipts/reading")
    [gone] = [file for file in uploads.values() if file["name"] == "gone.jpg"]
    check("an upload that the server removed begins again", (len(removed), gone["bytes"]), (1, b"\xff\xd8\xffgone.jpg"))
    page.goto("http://sample.test/receipts/new")
    page.set_input_files("input[multiple]", [file("one.jpg")])
    page.wait_for_url("**/receipts/reading")
    check("a photo replaces no receipt by default", "instead" in begun()[-1], False)
    page.goto("http://sample.test/receipts/new")
    page.set_input_files("input[multiple]", [file("expired.jpg")])
    until_count(page, ".queue .failed", 1)
    check("a row says that the session has ended", page.inner_text(".queue .status"), "Sie sind nicht mehr angemeldet. Anmelden")
    check("the row links to the sign-in page", page.get_attribute(".queue .status a", "href"), "/sign-in")
    tokens = [form["csrf"] for form in begun() if form["name"] == "expired.jpg"]
    check("a refused file is sent once more, with a new token", (len(tokens), len(set(tokens))), (2, 2))
    page.goto("http://sample.test/receipts/new.instead")
    page.set_input_files("input[multiple]", [file("new.jpg")])
    page.wait_for_url("**/receipts/reading")
    check("the upload of a new photo names the unreadable receipt", bool(begun()[-1]["instead"]), True)


def upload_progress(page):
    """The row of each file shows the progress and the result of its receipt without reloading the page."""
    asked, names, seen = [], [], []
    halfway = ["nachgerechnet", "Nachrechnen", "wartet (1 davor)"]
    event = lambda name, receipt, words, title="": f'event: {name}\ndata: {json.dumps({"receipt": receipt, "title": title, "words": words})}\n\n'

    def events(route):
        receipts = route.request.url.split("receipts=")[1].split(",")
        asked.append(receipts)
        body = "retry: 50\n\n"
        if len(receipts) == 3:
            names[:] = receipts
        # After an interruption, the stream is requested again for the receipts that have not been read.
        if len(names) == 3 and set(names[1:]) <= set(receipts):
            first, second, third = names
            body += event("read", first, "nachgerechnet", "SPAR Wien") + event("progress", second, "Nachrechnen")
            body += event("progress", third, "wartet (1 davor)")
            # Reports the last results only after the loop below has seen the texts in `halfway`.
            if halfway in seen:
                body += event("read", second, "zu prüfen") + event("read", third, "unlesbar") + "event: done\ndata: {}\n\n"
        route.fulfill(body=body, content_type="text/event-stream")

    page.route("**/receipts/events?*", events)
    page.goto("http://sample.test/receipts/new")
    file = lambda name: {"name": name, "mimeType": "image/jpeg", "buffer": b"\xff\xd8\xff" + name.encode()}
    page.set_input_files("input[multiple]", [file(f"several-{n}.jpg") for n in range(3)])
    statuses = lambda: page.locator(".queue .status").all_inner_texts()
    # The loop waits up to a minute, because the stream is requested again only after a pause.
    for _ in range(3000):
        now = statuses()
        if now not in seen:
            seen.append(now)
        if len(now) == 3 and now[2] == "unlesbar":
            break
        page.wait_for_timeout(20)
    check("status during the readings", halfway in seen, True)
    check("status after the readings", seen[-1], ["nachgerechnet", "zu prüfen", "unlesbar"])
    check("a row has the store or the file name", page.locator(".queue .title").all_inner_texts(), ["SPAR Wien", "several-1.jpg", "several-2.jpg"])
    check("no row waits for a reading any more", page.locator("[data-reading]").count(), 0)
    page.wait_for_timeout(300)
    count = len(asked)
    page.wait_for_timeout(300)
    check("no stream is requested any more", len(asked), count)
    page.unroute("**/receipts/events?*")


def inbox_progress(page, pages):
    """The inbox shows the progress and the result of a reading without reloading the page."""
    page.route("**/receipts/events?*", lambda route: route.fulfill(
        body=f'event: read\ndata: {{"receipt":"{route.request.url.split("receipts=")[1].split(",")[0]}","words":"zu prüfen"}}\n\nevent: done\ndata: {{}}\n\n',
        content_type="text/event-stream"))
    loads = []

    def answer_inbox(route):
        loads.append(route.request.resource_type)
        body = pages["/receipts/index"]
        route.fulfill(body=body if len(loads) == 1 else re.sub(r' data-reading="[^"]*"', "", body).replace("HOFER", "GELESEN").replace("<span>4</span>", "<span>3</span>"),
                      content_type="text/html; charset=utf-8")

    page.route("**/receipts/index", answer_inbox)
    page.goto("http://sample.test/receipts/index")
    until_count(page, "[data-reading]", 0)
    until_count(page, "[data-inbox] .title:text('GELESEN')", 1)
    check("the inbox was replaced", page.locator("[data-inbox] .title", has_text="GELESEN").count() > 0, True)
    check("the inbox count was updated", page.inner_text("[data-waits] > :last-child"), "3")
    check("the script requested the inbox", loads, ["document", "fetch"])
    page.unroute("**/receipts/index")
    page.unroute("**/receipts/events?*")
