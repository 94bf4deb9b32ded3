#!/usr/bin/env python3
"""Tests the scripts of Public/js on the sample pages in Chromium, and the forms without scripts."""

import json, pathlib, re, subprocess, sys, tempfile, urllib.parse

from playwright.sync_api import sync_playwright
from browser import CHROMIUM
from render_samples import Renderer, answer, samples

failures, sent, drafts = [], [], []
# The token of the sample pages.
TOKEN = "dG9rZW4tMTIz"
fetched_pages = []
# Whether requests fail as without a connection.
connection = {"is_cut": False}
# The name, size and received bytes of each file, by identifier.
uploads = {}
removed = []


def check(name, actual, expected):
    if actual != expected:
        failures.append(f"{name}: {actual!r} instead of {expected!r}")


def serve(pages):
    """A handler of Playwright that answers all requests of the pages and records those with data."""
    def route(route):
        request = route.request
        if connection["is_cut"]:
            return route.abort("internetdisconnected")
        if request.method == "POST" and request.url.endswith("/draft"):
            drafts.append(request)
            return route.fulfill(status=409 if "NICHT" in request.post_data else 204)
        if request.method == "POST":
            sent.append(request)
            if request.headers.get("accept") == "application/json":
                return route.fulfill(**answer_upload(request))
            return route.fulfill(body="<!doctype html><title>sent</title>", content_type="text/html")
        if request.headers.get("accept") == "application/json":
            return route.fulfill(**answer_upload(request))
        page = pages.get(urllib.parse.urlparse(request.url).path)
        if page and request.resource_type == "fetch":
            # Each page of the server has its own token.
            fetched_pages.append(request.url)
            body = page.replace(TOKEN, f"{TOKEN}{len(fetched_pages)}")
            return route.fulfill(body=body, content_type="text/html; charset=utf-8")
        answer(route, pages)
    return route


def answer_upload(request):
    """Answers like the server; a part has 8 bytes, or 64 KiB for long files. A file's name selects its failure."""
    path, _, query = request.url.partition("?")
    if path.endswith("/receipts"):
        # The camera link of the overview sends a whole file.
        name = re.search(r'filename="([^"]*)"', request.post_data_buffer.decode("latin-1")).group(1)
        if "huge" in name:
            return problem(422, "zu viele Bildpunkte")
        body = {"receipts": [{"href": "/receipts/reading", "name": name, "isDuplicate": False}]}
        return {"status": 201, "body": json.dumps(body), "content_type": "application/json"}
    if path.endswith("/uploads"):
        form = dict(fields(request))
        file = uploads.setdefault(form["upload"], {"name": form["name"], "size": int(form["size"]), "bytes": b"", "failed": False})
        identifier = form["upload"]
    else:
        identifier = path.split("/uploads/")[1].split("/")[0]
        file = uploads.get(identifier)
        if file is None:
            return problem(404, "removed")
    name = file["name"]
    if "expired" in name:
        return {"status": 401, "body": "<!doctype html><title>sign in</title>", "content_type": "text/html"}
    if request.method == "POST" and query:
        begun_before = [other for other in uploads.values() if other["name"] == name and other is not file]
        if "lost" in name and not begun_before:
            return problem(404, "not here")
        if "huge" in name:
            return problem(422, "zu viele Bildpunkte")
        if "broken" in name and file["bytes"] and not file["failed"]:
            file["failed"] = True
            return problem(503, "busy")
        if "gone" in name and file["bytes"] and not removed:
            removed.append(uploads.pop(identifier))
            return problem(503, "busy")
        offset = int(query.removeprefix("offset="))
        check(f"parts of {name} arrive in order, each once", offset, len(file["bytes"]))
        check(f"each part of {name} has the token", bool(request.headers.get("x-csrf-token")), True)
        file["bytes"] += request.post_data_buffer
    state = {"upload": identifier, "offset": len(file["bytes"]), "partBytes": 8 if file["size"] < 64 else 65_536}
    if len(file["bytes"]) == file["size"]:
        href = "/receipts/" + (name.removesuffix(".jpg") if "several" in name else "reading")
        state["receipt"] = {"href": href, "isDuplicate": "twice" in name}
    return {"status": 200, "body": json.dumps(state), "content_type": "application/json"}


def problem(status, title):
    return {"status": status, "body": json.dumps({"title": title}), "content_type": "application/problem+json"}


def until(page, condition):
    """Waits up to ten seconds for a condition. Polls from Python, because the pages' content security policy forbids
    Playwright's polling."""
    for _ in range(200):
        if condition():
            return
        page.wait_for_timeout(50)


def until_count(page, selector, count):
    until(page, lambda: page.locator(selector).count() == count)


def fields(request):
    return urllib.parse.parse_qsl(request.post_data, keep_blank_values=True)


def review(page):
    page.goto("http://sample.test/receipts/review")
    text = lambda selector: page.inner_text(selector).replace("\u00a0", " ")
    check("initial difference", text(".balance-text"), "Zu viel: 0,20 €")
    check("the button says that it confirms despite a difference", text("[data-confirm-text]"), "Trotzdem bestätigen")
    check("initial number of doubts", text("[data-doubt-count]"), "2")
    page.click("[data-next-doubt]")
    check("first doubt", page.evaluate("document.activeElement.name"), "time")
    page.click("[data-next-doubt]")
    check("second doubt", page.evaluate("document.activeElement.name"), "total-l10")
    page.click("[data-next-doubt]")
    check("the first doubt follows the last", page.evaluate("document.activeElement.name"), "time")
    page.keyboard.press("Enter")
    check("Enter moves to the next doubt", page.evaluate("document.activeElement.name"), "total-l10")
    check("one value is marked on the picture", page.locator(".mark.at").count(), 1)
    check("the mark belongs to the focused line", page.locator(".mark.at").get_attribute("data-line"), "l10")
    page.keyboard.type("1,29")
    check("difference after the correction", text(".balance-text"), "Zeilen und Summe stimmen überein")
    check("label of the button after the correction", text("[data-confirm-text]"), "Bestätigen")
    check("the balance is green if there is no doubt", page.locator(".balance.good").count(), 1)
    page.keyboard.press("Enter")
    check("Enter after the last doubt focuses the confirm button", page.evaluate("document.activeElement.hasAttribute('data-confirm')"), True)
    open_line = lambda key: page.click(f'[data-line="{key}"] summary')
    open_line("l1"); page.click('[data-line="l1"] [data-move=down]')
    check("order after moving a line down", page.evaluate("[...document.querySelectorAll('[name=line]')].slice(0,2).map(i => i.value).join()"), "l2,l1")
    open_line("l8"); page.click('[data-line="l8"] [data-split]')
    check("amount of the part split off", page.input_value('[data-line="new-1"] [data-field=total]'), "0,25")
    check("amount of the remaining line", page.input_value('[name="total-l8"]'), "1,25")
    check("splitting a line keeps the sum", text(".balance-text"), "Zeilen und Summe stimmen überein")
    page.click('[data-line="l3"] [data-delete]')
    check("difference after deleting a line", text(".balance-text"), "Es fehlen 1,68 €")
    check("the undo button names what was deleted", page.get_attribute(".gone button", "aria-label"), "Rückgängig: Zeile gelöscht")
    page.click(".gone button")
    check("difference after undoing the deletion", text(".balance-text"), "Zeilen und Summe stimmen überein")
    page.click("[data-add]")
    check("a new line has the focus", page.evaluate("document.activeElement.name"), "name-new-2")
    # The category field has no placeholder, because a new line has no product with a usual category.
    visible = "e => getComputedStyle(e, '::placeholder').color !== 'rgba(0, 0, 0, 0)'"
    check("a new line has placeholders", page.locator('[data-line="new-2"] :placeholder-shown').evaluate_all(f"all => all.map(e => ({visible})(e) && e.placeholder)"), ["Bezeichnung", "Einzelpreis", "Betrag", ""])
    page.keyboard.type("BROT"); page.click('[data-line="l4"] [data-delete]')
    with page.expect_navigation():
        page.click("[data-confirm]")
    form = fields(sent[-1])
    check("path of the confirmation", urllib.parse.urlparse(sent[-1].url).path, "/receipts/2/confirmation")
    check("order of the lines sent", [value for name, value in form if name == "line"], ["l2", "l1", "l3", "l5", "l6", "l7", "l8", "new-1", "l9", "l10", "new-2"])
    check("a deleted line is not sent", [k for k, _ in form if k.endswith("-l4")], [])
    check("name of the new line", dict(form)["name-new-2"], "BROT")
    check("confirming sends no action", dict(form).get("action"), None)
    check("the revision is sent", dict(form)["revision"], "3-9f2c")


def marks_on_picture(page):
    """Focusing any field of a line marks the line. A narrow picture is enlarged at first."""
    page.goto("http://sample.test/receipts/review")
    check("a wide picture is not enlarged at first", page.locator(".photo[class*=zoom-]").count(), 0)
    for size in ({"width": 390, "height": 844}, {"width": 1280, "height": 900}):
        page.set_viewport_size(size)
        covers_print = "document.querySelector('.zoom').getBoundingClientRect().top < document.querySelector('.photo').getBoundingClientRect().bottom"
        check(f"the zoom buttons cover no print at {size['width']} px", (page.evaluate(covers_print), page.is_visible(".zoom")), (False, True))
    page.focus('[data-line="l3"] summary')
    check("the focused line is marked on the picture", page.locator(".mark.at").get_attribute("data-line"), "l3")
    page.goto("http://sample.test/receipts/review.narrow")
    is_centred = "(mark, frame = document.querySelector('.photo').getBoundingClientRect()) => (({left, right, width}) => left >= frame.left && right <= frame.right && width > frame.width / 2)(mark.getBoundingClientRect())"
    check("a narrow picture is enlarged and centred", page.locator(".mark").evaluate_all(f"all => all.map(e => ({is_centred})(e))"), [True])


def held_enter_key(page):
    """A held Enter key moves by one doubt. After the last doubt it focuses the button, which needs another press."""
    page.goto("http://sample.test/receipts/review")
    active = lambda: page.evaluate("document.activeElement.name || document.activeElement.hasAttribute('data-confirm')")
    before = len(sent)
    page.click("[data-next-doubt]")
    # A held key sends keydown repeatedly without keyup.
    for _ in range(5):
        page.keyboard.down("Enter")
    check("a held Enter moves by one doubt", (active(), page.inner_text("[data-doubt-count]")), ("total-l10", "1"))
    page.keyboard.up("Enter")
    for _ in range(5):
        page.keyboard.down("Enter")
    page.wait_for_timeout(100)
    check("Enter after the last doubt focuses the button", active(), True)
    check("a held Enter does not confirm", (page.url, len(sent) - before), ("http://sample.test/receipts/review", 0))
    page.keyboard.up("Enter")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    check("another Enter confirms", urllib.parse.urlparse(sent[-1].url).path, "/receipts/2/confirmation")


def arithmetic(page):
    """Amount, quantity and unit price are adjusted to each other. The value typed last is kept."""
    page.goto("http://sample.test/receipts/review")
    text = lambda selector: page.inner_text(selector).replace("\u00a0", " ")
    hints = lambda: page.locator("[data-hint]:visible").all_inner_texts()
    value = lambda name: page.input_value(f'[name="{name}"]')
    check("no hint at first", hints(), [])
    page.fill('[name="total-l10"]', "1,29")
    page.fill('[name="unit_price-l8"]', "0,27")
    check("a typed unit price changes the amount", value("total-l8"), "1,62")
    page.fill('[name="total-l8"]', "1,50")
    check("a typed amount changes the unit price", value("unit_price-l8"), "0,25")
    page.fill('[name="quantity-l8"]', "5")
    check("a typed quantity changes the unit price", (value("unit_price-l8"), value("total-l8")), ("0,30", "1,50"))
    page.fill('[name="quantity-l8"]', "7")
    check("a computed unit price has all decimals", value("unit_price-l8"), "0,21428")
    page.fill('[name="quantity-l8"]', "6")
    page.fill('[name="total-l1"]', "1,97")
    check("the unit price of one piece is its amount", value("unit_price-l1"), "1,97")
    page.fill('[name="total-l1"]', "1,79")
    page.fill('[name="total-l3"]', "1,67")
    check("the amount of a weight may be a cent off", value("unit_price-l3"), "1,99")
    check("a cent off gives no hint", hints(), [])
    page.fill('[name="total-l3"]', "")
    check("an empty amount is computed", text(".balance-text"), "Zeilen und Summe stimmen überein")
    page.fill('[name="total-l6"]', "-4,40")
    check("a discount keeps its sign", value("unit_price-l6"), "-4,40")
    page.fill('[name="total-l6"]', "-2,20")
    page.click("[data-add]")
    check("an empty new line does not count", text(".balance-text"), "Zeilen und Summe stimmen überein")
    page.fill('[name="name-new-1"]', "BROT")
    page.fill('[name="quantity-new-1"]', "2"); page.fill('[name="unit_price-new-1"]', "1,29")
    check("the amount of a new line is computed", value("total-new-1"), "2,58")
    check("the hint is at the computed amount", page.get_attribute('[name="total-new-1"]', "aria-describedby"), "hint-new-1")
    while page.locator("[data-delete]").count():
        page.locator("[data-delete]").first.click()
    check("balance and button without lines", (text(".balance-text"), text("[data-confirm-text]")), ("Noch keine Zeilen", "Ohne Zeilen bestätigen"))


def split_of_a_return(page):
    """Splitting a line with a negative amount keeps the sign of both parts, whatever the sign of the unit price."""
    page.goto("http://sample.test/receipts/review")
    page.fill('[name="total-l8"]', "-1,50")
    check("the unit price has no minus sign", page.input_value('[name="unit_price-l8"]'), "0,25")
    page.click('[data-line="l8"] summary'); page.click('[data-line="l8"] [data-split]')
    parts = page.input_value('[name="total-l8"]'), page.input_value('[data-line="new-1"] [data-field=total]')
    check("both parts are negative", parts, ("-1,25", "-0,25"))


def unread_amount(page):
    """An amount that was not read is an empty field, and the difference is unknown until it is typed."""
    page.goto("http://sample.test/receipts/review.unread")
    text = lambda selector: page.inner_text(selector).replace("\u00a0", " ")
    check("an unread amount is an empty field", page.input_value('[name="total-l2"]'), "")
    check("the empty field says that it was not read", page.inner_text("#why-total-l2"), "Der Betrag war nicht zu lesen.")
    check("the difference is unknown", text(".balance-text"), "Es fehlen noch Beträge")
    page.fill('[name="total-l2"]', "23,24")
    check("balance after typing the amount", text(".balance-text"), "Zeilen und Summe stimmen überein")
    check("the reason is hidden after typing", page.is_visible("#why-total-l2"), False)


def duplicate(page):
    """The button of a duplicate says "anyway", even if the receipt adds up."""
    page.goto("http://sample.test/receipts/review.duplicate")
    page.fill('[name="total-l10"]', "1,29")
    check("button of a duplicate", page.inner_text("[data-confirm-text]"), "Trotzdem bestätigen")


def missing_day(page):
    """The form asks for a day that was not read, and proposes none."""
    page.goto("http://sample.test/receipts/review.undated")
    check("no day is proposed", page.input_value("[name=day]"), "")
    check("the missing day counts as a doubt", page.inner_text("[data-doubt-count]"), "1")
    check("the balance is not green without a day", page.locator(".balance.good").count(), 0)
    page.fill("[name=day]", "2026-11-02")
    check("the balance is green with a day", page.locator(".balance.good").count(), 1)
    check("the notice is hidden with a day", page.is_visible("[data-guide]"), False)


def checked_marks(page):
    """The page says that everything was checked, but only while everything adds up."""
    are_shown = lambda: [element.is_visible() for element in page.locator("[data-proven]").all()]
    page.goto("http://sample.test/receipts/review.proven")
    total = page.input_value("[name=total]")
    check("marks as checked at first", are_shown(), [True, True])
    page.fill("[name=total]", "99,99")
    check("marks as checked with a difference", are_shown(), [False, False])
    page.fill("[name=total]", "")
    check("balance without a total", page.inner_text(".balance-text"), "Die Summe fehlt noch")
    page.fill("[name=total]", total)
    check("marks as checked after restoring the total", are_shown(), [True, True])


def computed_total(page):
    """A computed total is not green until a person has confirmed it."""
    page.goto("http://sample.test/receipts/review.made")
    check("balance with a computed total", page.inner_text(".balance-text"), "Summe nicht gelesen")
    check("the balance is not green", page.locator(".balance.good").count(), 0)
    check("the button says that it confirms anyway", page.inner_text("[data-confirm-text]"), "Trotzdem bestätigen")
    page.check(".heads [data-right]")
    check("balance after the tick", page.inner_text(".balance-text"), "Zeilen und Summe stimmen überein")
    page.uncheck(".heads [data-right]")
    check("balance after removing the tick", page.inner_text(".balance-text"), "Summe nicht gelesen")
    page.click("[data-take]")
    check("one tap uses the proposed amount", page.input_value('[name="total-l9"]'), "1,16")


def picture_without_motion(browser, route):
    """With reduced motion, too, the first tap on an amount enlarges the picture and shows the line."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.route("**/*", route)
    page.goto("http://sample.test/receipts/review")
    page.locator('[name="total-l6"]').tap()
    is_inside = lambda: page.locator(".mark.at").evaluate("""(mark) => {
        const [box, frame] = [mark, document.querySelector(".photo")].map((e) => e.getBoundingClientRect());
        const isCentred = Math.abs(box.top + box.bottom - frame.top - frame.bottom) < 4;
        return isCentred && box.left >= frame.left && box.right <= frame.right;
    }""")
    until(page, is_inside)
    check("the first tap shows the line without motion", is_inside(), True)
    context.close()


def taps_on_phone(browser, route):
    """The effects of taps on a phone of 390 × 844 pixels, and the number of taps that each correction takes."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.route("**/*", route)
    taps = 0

    def tap(selector):
        nonlocal taps
        taps += 1
        page.locator(selector).first.scroll_into_view_if_needed()
        page.locator(selector).first.tap()

    def confirm():
        with page.expect_navigation():
            tap("[data-confirm]")

    page.goto("http://sample.test/receipts/review")
    tap('[name="total-l10"]')
    selected = "document.activeElement.selectionEnd - document.activeElement.selectionStart"
    check("a tap selects the amount", page.evaluate(selected), 4)
    check("a number pad opens", page.get_attribute('[name="total-l10"]', "inputmode"), "decimal")
    check("the picture is not enlarged", page.locator(".photo.zoom-1").count(), 0)
    marked = page.locator(".mark.at").evaluate("e => getComputedStyle(e).fill")
    check("the mark covers no print", marked in ("rgba(0, 0, 0, 0)", "transparent", "none"), True)
    page.wait_for_timeout(600)
    inside = page.locator(".mark.at").evaluate("(e) => { const b = e.getBoundingClientRect(), f = document.querySelector('.photo').getBoundingClientRect(); return b.top >= f.top - 1 && b.bottom <= f.bottom + 1 }")
    check("the mark is visible", inside, True)
    page.keyboard.type("1,29")
    confirm()
    check("correcting one amount takes at most two taps", (taps <= 2, dict(fields(sent[-1]))["total-l10"]), (True, "1,29"))

    taps = 0
    page.goto("http://sample.test/receipts/review")
    tap('[name="total-l6"]')
    tap('[data-line="l6"] [data-sign]')
    check("the sign key changes the sign", page.input_value('[name="total-l6"]'), "2,20")
    check("the amount keeps the focus", page.evaluate("document.activeElement.name"), "total-l6")

    taps = 0
    page.goto("http://sample.test/receipts/review.ten")
    check("ten doubts", page.inner_text("[data-doubt-count]"), "10")
    for number in range(1, 11):
        tap(f'[name="total-l{number}"]')
        page.keyboard.type(page.get_attribute(f'[name="total-l{number}"]', "value"))
    check("no doubt is left", page.is_visible("[data-next-doubt]"), False)
    confirm()
    check(f"correcting ten amounts takes {taps} taps", taps <= 14, True)

    taps = 0
    page.goto("http://sample.test/receipts/review.ten")
    for number in range(1, 11):
        tap(f'[data-line="l{number}"] .as-read')
    check("no doubt is left after the ticks", page.is_visible("[data-next-doubt]"), False)
    check(f"ticking off ten amounts takes {taps} taps", taps <= 13, True)

    taps = 0
    page.goto("http://sample.test/receipts/review")
    page.fill("[name=total]", "27,02")
    page.wait_for_timeout(600)
    last = ".mark[data-line=l10][data-field=line]"
    page.locator(last).scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    box, mark = (page.locator(selector).first.bounding_box() for selector in (".photo", last))
    y = mark["y"] + mark["height"] + 12
    check("the picture has space below the last line", box["y"] < y < box["y"] + box["height"], True)
    if box["y"] < y < box["y"] + box["height"]:
        taps += 1
        page.touchscreen.tap(box["x"] + box["width"] / 3, y)
        tap(".insert-here")
        check("a line with the missing amount was inserted", page.input_value('[data-line^="new-"] [data-field=total]'), "1,79")
        page.keyboard.type("BROT")
        confirm()
        check(f"adding a missing line takes {taps} taps", taps <= 3, True)

    taps = 0
    page.goto("http://sample.test/receipts/review")
    for number in range(1, 6):
        tap(f'[data-line="l{number}"] [data-delete]')
    confirm()
    check(f"removing five lines takes {taps} taps", (taps <= 6, len([1 for name, _ in fields(sent[-1]) if name == "line"])), (True, 5))

    taps = 0
    page.goto("http://sample.test/receipts/review.tenunread")
    tap("[data-remove-unread]")
    check("one tap removes all unread lines", page.locator(".line[data-line]").count(), 0)
    tap(".gone button")
    check("one tap restores them", page.locator(".line[data-line]").count(), 10)
    context.close()


def drafts_sent(page):
    """Typed values are sent to the server without a button."""
    page.goto("http://sample.test/receipts/review")
    before = len(drafts)
    page.fill('[name="total-l10"]', "1,29")
    until(page, lambda: len(drafts) > before)
    check("one draft was sent", len(drafts) - before, 1)
    check("the draft has the typed value", dict(fields(drafts[-1]))["total-l10"], "1,29")
    check("path of the draft", urllib.parse.urlparse(drafts[-1].url).path, "/receipts/2/draft")
    # Browsers limit the size of requests that outlive their page.
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
        page.wait_for_timeout(100)
        check(f"a warning after the server refused to store the input: {is_refused}", page.evaluate(asks), is_refused)


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


def currency(page):
    """Changing the currency changes the currency sign of every amount."""
    page.goto("http://sample.test/receipts/review")
    page.select_option("[name=currency]", "CHF")
    check("difference in francs", page.inner_text(".balance-text").replace("\u00a0", " "), "Zu viel: 0,20 CHF")
    check("sums in francs", page.inner_text("[data-total-sum]")[-3:], "CHF")


def action_bar(page):
    """The bar below the lines has space for its sentence at every width, without splitting words."""
    for width in (800, 1024, 1120, 1280, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        for name in ("review", "review.undated"):
            page.goto(f"http://sample.test/receipts/{name}")
            page.evaluate("document.querySelector('.balance-text').textContent = 'Zeilen, die nicht aufgehen: 1'")
            bar, balance = (page.locator(selector).bounding_box() for selector in (".actionbar", ".balance"))
            check(f"{name} at {width}: the bar is at most 125 px high", bar["height"] <= 125, True)
            check(f"{name} at {width}: the sentence has at least 240 px", balance["width"] >= 240, True)
    page.set_viewport_size({"width": 1280, "height": 900})


def comparison_list(page):
    """On a phone, each comparison shows its cheapest store first. The others can be expanded, cheapest first."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("http://sample.test/compare/index")
    first = page.locator(".compared").first
    check("one store at first", first.locator(".store-price >> visible=true").count(), 1)
    first.locator(".unfold").click()
    check("all stores after expanding", first.locator(".store-price >> visible=true").count(), first.locator(".store-price").count())
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        apart = page.evaluate("""() => [12, 18, 24, 30].every((length) => {
            for (const name of document.querySelectorAll(".compared-name a")) name.textContent = "Schokolade".repeat(3).slice(0, length);
            return [...document.querySelectorAll(".compared")].every((row) => {
                const [fold, prices] = [".unfold", ".store-prices"].map((part) => row.querySelector(part)?.getBoundingClientRect());
                return !fold || fold.bottom <= prices.top + 1 && prices.width > innerWidth - 100;
            });
        })""")
        check(f"no row is cut off at {width}", apart, True)
    page.set_viewport_size({"width": 390, "height": 844})
    words = page.evaluate("""() => {
        for (const box of document.querySelectorAll(".unfold input")) box.checked = false;
        return document.querySelector("main").innerText.split(/\\s+/).length;
    }""")
    check("the page has at most 250 words", words <= 250, True)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate("""() => {
        const list = document.querySelector(".store-prices");
        while (list.children.length < 14) list.append(list.lastElementChild.cloneNode(true));
    }""")
    check("all stores are shown on a desktop", page.locator(".compared").first.locator(".store-price >> visible=true").count(), 14)
    check("the page does not scroll sideways", page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)


def badges(page):
    """The badges of receipts in a list have the same height."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("http://sample.test/receipts/index")
    heights = page.evaluate("[...new Set([...document.querySelectorAll('.rows .badge')].map((badge) => badge.offsetHeight))]")
    check("number of different heights of badges", len(heights), 1)
    page.set_viewport_size({"width": 1280, "height": 900})


def narrow_screens(page):
    """On a phone, every tab is visible, and a long name of a member stays within the screen."""
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        for name in ("expenses/index", "products/index", "wines/index"):
            page.goto(f"http://sample.test/{name}")
            outside = page.locator(".tabs a").evaluate_all(
                "all => all.filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.textContent)")
            check(f"tabs outside the screen of {name} at {width}", outside, [])
        page.evaluate("""() => {
            document.querySelector("[data-menu]").open = true;
            document.querySelector(".who .strong").textContent = "Donaudampfschiff".repeat(5);
        }""")
        box = page.locator(".menu .sheet").bounding_box()
        check(f"the menu is within the screen at {width}", 0 <= box["x"] and box["x"] + box["width"] <= width, True)
    page.set_viewport_size({"width": 1280, "height": 900})


def printed_comparison(page):
    """A printed comparison shows every store."""
    page.emulate_media(media="print")
    for width in (700, 1040):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto("http://sample.test/compare/index")
        cells = page.locator(".store-price")
        check(f"all stores are printed at {width}", cells.locator("visible=true").count(), cells.count())
        check(f"the printed page fits at {width}", page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1280, "height": 900})


def chart_readout(page):
    """A point of a chart shows its price and day when it is tapped, hovered or focused. Dates never overlap."""
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto("http://sample.test/products/show")
        shown = page.locator(".chart .mark .readout >> visible=true")
        check(f"no point shows its price at first at {width}", shown.count(), 0)
        page.locator(".chart .mark .point").nth(1).hover()
        check(f"price of the hovered point at {width}", shown.text_content() if shown.count() == 1 else shown.count(), "1,59 € · 11.03.2026SPAR")
        page.mouse.move(0, 0)
        page.locator(".chart .mark[tabindex='0']").focus()
        check(f"the chart has one tab stop at {width}", page.locator(".chart .mark[tabindex='0']").count(), 1)
        page.keyboard.press("ArrowLeft")
        check(f"an arrow key shows one point at {width}", shown.count(), 1)
        boxes = page.locator(".chart .date >> visible=true").evaluate_all("all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.right])")
        check(f"dates do not overlap at {width}", all(one[1] < two[0] for one, two in zip(sorted(boxes), sorted(boxes)[1:])), True)
        inside = page.locator(".chart .readout >> visible=true").evaluate("e => e.getBoundingClientRect().right <= innerWidth")
        check(f"the price of a point fits at {width}", inside, True)
    page.set_viewport_size({"width": 1280, "height": 900})


def chart_figures(page):
    """The figures of a price chart are outside its lines and points, but inside its card."""
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        for name in ("products/show", "styleguide/index"):
            page.goto(f"http://sample.test/{name}")
            box = lambda selector: page.locator(selector).evaluate_all("all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.right])")
            figures, lines = box(".chart line + .tick"), box(".chart .grid, .chart .series, .chart .point")
            check(f"{name} at {width}: figures are beside the lines", max(right for _, right in figures) < min(left for left, _ in lines), True)
            check(f"{name} at {width}: figures are inside the card", min(left for left, _ in figures) >= box(".chart-figure")[0][0], True)
    page.set_viewport_size({"width": 1280, "height": 900})


def base_prices(page):
    """On a phone, each price has its price per kilogram or litre, and nothing scrolls sideways."""
    for width, cells in ((390, ".only-narrow"), (1280, "td.hide-narrow")):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto("http://sample.test/products/show")
        page.locator("summary:has(#prices)").click()
        rows = page.locator("[aria-labelledby=prices] tbody tr")
        check(f"base prices of the product at {width}", rows.locator(cells).locator("visible=true").count(), rows.count())
        check(f"each base price is shown once at {width}", page.locator("[aria-labelledby=prices] tbody >> text=/€\\/l/ >> visible=true").count(), rows.count())
        scroll = page.locator("[aria-labelledby=prices]").evaluate("e => [e.scrollWidth <= e.clientWidth, document.documentElement.scrollWidth <= innerWidth]")
        check(f"nothing scrolls sideways at {width}", scroll, [True, True])
        page.goto("http://sample.test/products/index")
        rows = page.locator(".rows > li")
        check(f"the list shows base prices at {width}", rows.locator(".end .sub").locator("visible=true").count() > 0, True)
    page.set_viewport_size({"width": 1280, "height": 900})


def price_change_line(page):
    """On a phone, a price change and its label are on one line."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("http://sample.test/products/show")
    # All its text has nearly the same vertical position.
    line = page.locator(".facts .change").first.evaluate("""element => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const tops = [...range.getClientRects()].filter(({height}) => height > 0).map(({top, height}) => top + height / 2);
        return Math.max(...tops) - Math.min(...tops) < 8;
    }""")
    check("a change and its label are on one line", line, True)
    page.set_viewport_size({"width": 1280, "height": 900})


def refused_form(page):
    """A refused form is shown again with its new lines, which are not stored yet. A line added then gets a unique key."""
    page.goto("http://sample.test/receipts/review.refused")
    check("the first invalid field has the focus", page.evaluate("document.activeElement.name"), "total-new-2")
    colour = lambda selector: page.locator(selector).evaluate("e => getComputedStyle(e).color")
    check("the reason has the colour of the notice", colour("#why-total-new-2"), colour(".notice.bad .icon"))
    page.click("[data-add]")
    keys = page.evaluate("[...document.querySelectorAll('[name=line]')].map(i => i.value)")
    check("the new line has a unique key", keys, ["new-1", "new-2", "new-3"])
    names = page.evaluate("[...document.querySelectorAll('.lines [name]')].map(i => i.name).filter(n => n !== 'line' && n !== 'action')")
    check("field names are unique", len(names), len(set(names)))


LONG_NAME = "KAERNTNERMILCH BERGBAUERN FRISCHMILCH LAENGER HALTBAR 3,5 % FETT 1 LITER FLASCHE"


def whole_names(page, what):
    """Every name is completely visible in its field."""
    cut = page.evaluate("""() => [...document.querySelectorAll(".lines [data-field=name]")]
        .filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map(e => e.value)""")
    check(f"names that are cut off {what}", cut, [])
    check(f"the page does not scroll sideways {what}", page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)


def long_names(page):
    """A long name takes several lines, at every width, and Enter adds no line break to it."""
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto("http://sample.test/receipts/review")
        heights = page.evaluate("""() => [...document.querySelectorAll('[data-line="l3"] .cells :is([data-field=name], [data-field=total])')]
            .map(e => e.offsetHeight)""")
        check(f"the field of a short name has the height of the amount at {width}", abs(heights[0] - heights[1]) <= 1, True)
        page.fill('[name="name-l1"]', LONG_NAME)
        whole_names(page, f"at {width}")
        # Browsers without `field-sizing` use the text of the label.
        check(f"the label has the typed name at {width}", page.get_attribute('[data-line="l1"] .name', "data-text"), LONG_NAME)
        page.press('[name="name-l1"]', "Enter")
        check(f"Enter adds no line break at {width}", page.input_value('[name="name-l1"]'), LONG_NAME)
        # The keyboards of some phones send no keydown event of the Enter key.
        page.focus('[name="name-l1"]')
        inserts = page.evaluate("""document.activeElement.dispatchEvent(
            new InputEvent("beforeinput", { inputType: "insertLineBreak", bubbles: true, cancelable: true }))""")
        active = page.evaluate("document.activeElement.name")
        check(f"a line break of a phone's keyboard moves to the next doubt at {width}", (inserts, active), (False, "total-l10"))
    page.set_viewport_size({"width": 1280, "height": 900})


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
    asked, names = [], []
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
            body += event("progress", third, "wartet; Belege davor: 1")
            if len([r for r in asked if set(names[1:]) <= set(r)]) > 2:
                body += event("read", second, "zu prüfen") + event("read", third, "unlesbar") + "event: done\ndata: {}\n\n"
        route.fulfill(body=body, content_type="text/event-stream")

    page.route("**/receipts/events?*", events)
    page.goto("http://sample.test/receipts/new")
    file = lambda name: {"name": name, "mimeType": "image/jpeg", "buffer": b"\xff\xd8\xff" + name.encode()}
    page.set_input_files("input[multiple]", [file(f"several-{n}.jpg") for n in range(3)])
    statuses = lambda: page.locator(".queue .status").all_inner_texts()
    seen = []
    # The loop waits up to 30 seconds, because the stream is requested again only after a pause.
    for _ in range(1500):
        now = statuses()
        if now not in seen:
            seen.append(now)
        if len(now) == 3 and now[2] == "unlesbar":
            break
        page.wait_for_timeout(20)
    check("status during the readings", ["nachgerechnet", "Nachrechnen", "wartet; Belege davor: 1"] in seen, True)
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
    check("message without a connection", shoot("cut.jpg"), (failed, ["Noch einmal", "Neu fotografieren", "Abbrechen"]))
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
    check("message after the session has ended", (message.startswith("Sie sind nicht mehr angemeldet"), buttons), (True, ["Anmelden", "Noch einmal", "Neu fotografieren", "Abbrechen"]))
    page.tap(".busy button")
    page.wait_for_url("**/receipts/reading")
    check("the retry sends the same picture with a new token", b"late.jpg" in sent[-1].post_data_buffer, True)


def keyboard_shortcuts(page):
    page.goto("http://sample.test/overview/index")
    page.keyboard.press("?")
    check("the ? key opens the help", page.is_visible("#keys"), True)
    page.keyboard.press("Escape")
    page.goto("http://sample.test/products/index")
    page.keyboard.press("/")
    check("the / key focuses the search", page.evaluate("document.activeElement.name"), "search")


def double_tap_guard(page):
    """A button that changes data ignores a quick second tap on a button of the previous page at the same position."""
    for name, selector in (("receipts/review", "[data-confirm]"), ("matching/index", ".choice"), ("matching/index", ".name-card .main")):
        for motion in ("no-preference", "reduce"):
            page.emulate_media(reduced_motion=motion)
            page.goto(f"http://sample.test/{name}")
            pointer_events = page.locator(selector).first.evaluate("""button => {
                // Restart the animation, which may have ended by now.
                const guarded = button.closest(".unhurried");
                guarded.style.animationName = "none";
                getComputedStyle(guarded).animationName;
                guarded.style.animationName = "";
                const [guard] = guarded.getAnimations();
                const events = () => getComputedStyle(button).pointerEvents;
                guard.pause();
                guard.currentTime = 400;
                const early = events();
                guard.finish();
                return [early, events()];
            }""")
            check(f"{selector} of {name} before and after the guard, with motion {motion}", pointer_events, ["none", "auto"])
    page.emulate_media(reduced_motion="no-preference")


def zoomed_page(page):
    """At 200 % zoom, a desktop window is 640 by 400 pixels. Most of it must show the lines."""
    page.set_viewport_size({"width": 640, "height": 400})
    page.goto("http://sample.test/receipts/review")
    page.evaluate("scrollTo(0, document.querySelector('.lines').getBoundingClientRect().top + scrollY)")
    covered = page.evaluate("""() => [...document.querySelectorAll('.photo-pane, .actionbar')].reduce((sum, pane) => {
        const box = pane.getBoundingClientRect();
        return sum + Math.max(0, Math.min(innerHeight, box.bottom) - Math.max(0, box.top));
    }, 0)""")
    check("less than 150 px of the lines are covered at 200 %", covered < 150, True)
    page.set_viewport_size({"width": 1280, "height": 900})


def tab_order(page):
    """On a desktop, Tab moves through the navigation from top to bottom."""
    page.goto("http://sample.test/overview/index")
    tops = page.evaluate("[...document.querySelectorAll('.places a')].map(a => a.getBoundingClientRect().top)")
    check("order of the navigation", tops, sorted(tops))


def link_heights(page):
    """Links in tables and lists are at least 24 px high, on a phone and on a desktop."""
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        for name in ("compare/index", "products/show", "receipts/show", "matching/index"):
            page.goto(f"http://sample.test/{name}")
            low = page.evaluate("""() => [...document.querySelectorAll('main :is(td, th, dd, .sub, .small) a')]
                .filter(a => a.getClientRects().length && Math.max(...[...a.getClientRects()].map(r => r.height)) < 23.9)
                .map(a => a.textContent.trim() + ' ' + a.getBoundingClientRect().height)""")
            check(f"low links of {name} at {width}", low, [])
    page.set_viewport_size({"width": 1280, "height": 900})


def printed_pages(page):
    """A printed page has no controls and no empty sheets."""
    for name in ("products/show", "compare/index", "receipts/show", "overview/index", "receipts/review"):
        page.goto(f"http://sample.test/{name}")
        page.emulate_media(media="print")
        controls = "form:not(.review-form), button:not(.review-form button), .places, [role=search]"
        seen = page.evaluate("""controls => [...document.querySelectorAll(controls)].filter(e => e.getClientRects().length).length""", controls)
        check(f"number of controls on the printed page {name}", seen, 0)
        # Browsers load all pictures before they print; `pdf` does not.
        page.evaluate("""() => Promise.all([...document.images].map(image => { image.loading = "eager"; return image.decode(); }))""")
        with tempfile.TemporaryDirectory() as folder:
            page.pdf(path=f"{folder}/paper.pdf", format="A4")
            subprocess.run(["pdftoppm", "-r", "20", "-gray", f"{folder}/paper.pdf", f"{folder}/sheet"], check=True)
            sheets = sorted(pathlib.Path(folder).glob("sheet*.pgm"))
            # The pixels follow a header of three lines. White is 255.
            empty = [sheet.name for sheet in sheets if min(sheet.read_bytes().split(b"\n", 3)[3]) > 200]
        check(f"empty sheets of {name}", empty, [])
        check(f"{name} is printed on one to three sheets", 1 <= len(sheets) <= 3, True)
    page.emulate_media(media="screen")


def main():
    renderer = Renderer("de")
    pages = {"/" + name: renderer.render(template, [model]) for name, template, model in samples(None)}
    route = serve(pages)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.route("**/*", route)
        page.on("pageerror", lambda error: failures.append(f"script error: {error}"))
        for part in (
            review, marks_on_picture, held_enter_key, arithmetic, split_of_a_return, unread_amount, duplicate, missing_day, checked_marks,
            computed_total, drafts_sent, submit_without_connection, currency, action_bar, comparison_list, badges, narrow_screens,
            chart_readout, printed_comparison, chart_figures, base_prices, price_change_line, refused_form, long_names, upload,
            keyboard_shortcuts,
            zoomed_page, tab_order, link_heights, printed_pages,
        ):
            part(page)
        double_tap_guard(page)
        upload_progress(page)
        inbox_progress(page, pages)
        camera(browser, route)
        taps_on_phone(browser, route)
        picture_without_motion(browser, route)
        without_script(browser, route)
        browser.close()
    print("\n".join(failures) or "scripts: all as expected")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
