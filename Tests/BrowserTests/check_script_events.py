#!/usr/bin/env python3
"""Tests how the scripts of Public/js react to other tabs, lost connections and replaced pages, and in browsers that lack
a function."""

import json, re, urllib.parse

from script_checks.sample_site import HOST, check, until
from script_pages import run

# A message of the tab that receives the changes of other members.
CHANGE = """type => new BroadcastChannel("changes").postMessage(
    { position: Date.now(), changes: [{ type, id: "1", by: "Paul" }] })"""


def query_without_size(page, pages):
    """The reference of the API sends the parameters of a query also without `URLSearchParams.size`."""
    asked = []

    def answer_call(route):
        asked.append(route.request.url.removeprefix(HOST))
        route.fulfill(body="{}", content_type="application/json")

    page.route("**/api/v1/**", answer_call)
    page.add_init_script("delete URLSearchParams.prototype.size")
    page.goto(HOST + "/help/api")
    page.evaluate("() => { for (const details of document.querySelectorAll('details')) details.open = true; }")
    page.fill("[data-try] [data-name=after]", "x")
    page.click("[data-try] button")
    until(page, lambda: asked)
    check("the request has the parameter", asked, ["/api/v1/receipts?after=x"])


def left_page(page, pages):
    """A page whose form was submitted is not loaded again, also without `beforeunload`, until it is shown again."""
    loads, sent = [], []

    def answer_list(route):
        loads.append(route.request.resource_type)
        route.fulfill(body=pages["/receipts/index"].replace("HOFER", f"LADEN {len(loads)}"), content_type="text/html; charset=utf-8")

    page.route("**/receipts/index", answer_list)

    def answer_form(route):
        # After a 204, the browser stays on the page.
        sent.append(route)
        route.fulfill(status=204)

    page.route("**/receipts/confirmations", answer_form)
    page.add_init_script("""{
        const add = EventTarget.prototype.addEventListener;
        EventTarget.prototype.addEventListener = function (name, ...rest) {
            if (name !== "beforeunload") add.call(this ?? window, name, ...rest);
        };
    }""")
    page.goto(HOST + "/receipts/index")
    page.evaluate("document.querySelector('form[action=\"/receipts/confirmations\"]').requestSubmit()")
    until(page, lambda: sent)
    page.evaluate(CHANGE, "receipt")
    page.wait_for_timeout(500)
    check("the page is not loaded while its form is sent", loads, ["document"])
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    until(page, lambda: len(loads) > 1)
    check("the missed change is loaded when the page is shown again", loads, ["document", "fetch"])


def replaced_chart(page, pages):
    """After a change of another member replaced a chart, the chart has one tab stop, and arrow keys move in it."""
    page.goto(HOST + "/products/show")
    page.route("**/products/show", lambda route: route.fulfill(
        body=pages["/products/show"].replace("Bio-Vollmilch", "Neue Milch"), content_type="text/html; charset=utf-8"))
    page.evaluate(CHANGE, "product")
    until(page, lambda: "Neue Milch" in page.inner_text("h1"))
    check("the page was replaced", "Neue Milch" in page.inner_text("h1"), True)
    stops = page.locator(".chart .mark[tabindex='0']")
    check("the replaced chart has one tab stop", stops.count(), 1)
    last = stops.first.get_attribute("aria-label")
    stops.first.focus()
    page.keyboard.press("ArrowLeft")
    check("an arrow key moves between the points", page.evaluate("document.activeElement.getAttribute('aria-label')") != last, True)


def replaced_comparisons(page, pages):
    """A row that was unfolded stays unfolded and keeps the focus when a change of another member replaces the page."""
    page.goto(HOST + "/compare/index")
    boxes = page.locator(".unfold input")
    unfolded = boxes.first.get_attribute("data-unfold")
    boxes.first.press("Space")
    page.route("**/compare/index", lambda route: route.fulfill(
        body=pages["/compare/index"].replace("Vollmilch", "Frischmilch"), content_type="text/html; charset=utf-8"))
    page.evaluate(CHANGE, "comparison_group")
    until(page, lambda: "Frischmilch" in page.inner_text(".comparisons"))
    check("the list was replaced", "Frischmilch" in page.inner_text(".comparisons"), True)
    ticked = boxes.evaluate_all("all => all.filter((box) => box.checked).map((box) => box.dataset.unfold)")
    check("unfolded rows", ticked, [unfolded])
    check("the row keeps the focus", page.evaluate("document.activeElement.dataset.unfold"), unfolded)


def page_without_has(page, pages):
    """The scripts work in browsers that do not know `:has`."""
    page.add_init_script("""for (const name of ["matches", "closest", "querySelector", "querySelectorAll"]) {
        const search = Element.prototype[name];
        Element.prototype[name] = function (selector) {
            if (selector.includes(":has(")) throw new DOMException("", "SyntaxError");
            return search.call(this, selector);
        };
    }""")
    page.goto(HOST + "/products/show")
    page.route("**/products/show", lambda route: route.fulfill(
        body=pages["/products/show"].replace("Bio-Vollmilch", "Neue Milch"), content_type="text/html; charset=utf-8"))
    page.evaluate(CHANGE, "product")
    until(page, lambda: "Neue Milch" in page.inner_text("h1"))
    check("a change of another member is shown", "Neue Milch" in page.inner_text("h1"), True)
    page.goto(HOST + "/receipts/review.narrow")
    check("the picture of a receipt is enlarged", page.locator(".photo[class*=zoom-]").count(), 1)


def deleted_photos(page, pages):
    """Each button that deletes a waiting photo has the photo's name. After it was used, the next button has the focus."""
    page.goto(HOST + "/receipts/index")
    page.evaluate("""async () => {
        for (const name of ["a.jpg", "b.jpg", "c.jpg"]) await queue.add(new File(["x"], name, { type: "image/jpeg" }));
    }""")
    buttons = page.locator("[data-waiting] ul button")
    until(page, lambda: buttons.count() == 3)
    names = [button.get_attribute("aria-label") for button in buttons.all()]
    check("names of the buttons", sorted(names), ["Löschen a.jpg", "Löschen b.jpg", "Löschen c.jpg"])
    focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.id"
    buttons.nth(1).focus()
    for number, after in ((2, names[2]), (1, names[0]), (0, "content")):
        page.keyboard.press("Enter")
        until(page, lambda: buttons.count() == number)
        until(page, lambda: page.evaluate(focused) == after)
        check(f"focus with {number} photos", page.evaluate(focused), after)


def replaced_names(page, pages):
    """After another member matched the first name, the same details are open, and the same element has the focus."""
    page.goto(HOST + "/matching/index")
    rest = re.sub(r'<li><form class="name-card unhurried" id="name-53".*?</form></li>', "", pages["/matching/index"], flags=re.S)
    later = rest.replace("SPAR", "INTERSPAR")
    answers = [rest, later]
    page.route("**/matching/index", lambda route: route.fulfill(body=answers.pop(0), content_type="text/html; charset=utf-8"))
    focused = "[document.activeElement.localName, document.activeElement.closest('form')?.id]"
    summary = page.locator("#name-51 summary")
    summary.focus()
    page.keyboard.press("Enter")
    check("the details are open", page.locator("#name-51 details[open]").count(), 1)
    open_names = "[...document.querySelectorAll('main details[open]')].map(e => e.closest('form')?.id)"
    opened = page.evaluate(open_names)
    page.evaluate(CHANGE, "alias")
    until(page, lambda: page.locator("#name-53").count() == 0)
    check("the name that was matched is gone", page.locator("#name-53").count(), 0)
    check("open details", page.evaluate(open_names), opened)
    check("focus on the details", page.evaluate(focused), ["summary", "name-51"])
    page.locator("#name-52 .choice-one").focus()
    page.evaluate(CHANGE, "alias")
    until(page, lambda: "INTERSPAR" in page.inner_text("main"))
    check("the list was replaced", "INTERSPAR" in page.inner_text("main"), True)
    check("focus on the button", page.evaluate(focused), ["button", "name-52"])


def stored_input(page, pages):
    """One request at a time stores typed input, so that earlier input cannot arrive last. A hidden page does not wait."""
    drafts = []
    page.route("**/draft", lambda route: drafts.append(route))
    page.goto(HOST + "/receipts/review")
    totals = lambda: [dict(urllib.parse.parse_qsl(route.request.post_data))["total-l10"] for route in drafts]
    page.fill('[name="total-l10"]', "1,19")
    until(page, lambda: len(drafts) == 1)
    page.fill('[name="total-l10"]', "1,29")
    page.wait_for_timeout(2000)
    check("the second request waits for the first", totals(), ["1,19"])
    drafts[0].fulfill(status=204)
    until(page, lambda: len(drafts) == 2)
    check("the later input is stored afterwards", totals(), ["1,19", "1,29"])
    page.fill('[name="total-l10"]', "1,39")
    page.evaluate("""() => {
        Object.defineProperty(document, "visibilityState", { value: "hidden" });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }""")
    until(page, lambda: len(drafts) == 3)
    check("a hidden page stores its input at once", totals(), ["1,19", "1,29", "1,39"])


def grouped_figures(page, pages):
    """Unit prices may have separators between thousands, as the server reads them, also in the Swiss form."""
    page.goto(HOST + "/receipts/review")
    page.fill('[name="quantity-l8"]', "2")
    for price in ("1'234.50", "1’234,50", "1.234,50", "1,234.50", "1 234,50", "1234,5"):
        page.fill('[name="total-l8"]', "1")
        page.fill('[name="unit_price-l8"]', price)
        check(f"amount of 2 × {price}", page.input_value('[name="total-l8"]'), "2.469,00")
    page.fill('[name="total-l8"]', "1")
    page.fill('[name="unit_price-l8"]', "1.234")
    check("a single separator is the decimal separator", page.input_value('[name="total-l8"]'), "2,47")


def names_of_uploads(page, pages):
    """The bar and the buttons of a file that is sent are named after it."""
    held = []
    page.route("**/uploads", lambda route: held.append(route))
    page.goto(HOST + "/receipts/new")
    page.locator("input[multiple]").set_input_files([{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"a"}])
    until(page, lambda: held)
    check("name of the bar", page.get_by_role("progressbar", name="a.jpg", exact=True).count(), 1)
    held[0].fulfill(status=400, body="{}", content_type="application/json")
    until(page, lambda: page.is_visible(".queue .retry"))
    check("name of the button", page.get_by_role("button", name="Noch einmal a.jpg", exact=True).count(), 1)


def upload_of_a_shown_page(page, pages):
    """An interrupted upload resumes when the page is shown again, without waiting for the end of the pause."""
    sent = []
    page.route("**/uploads", lambda route: (sent.append(1), route.abort())[1])
    # The pauses never end.
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


def calm_pages(page, pages):
    """With reduced motion, no animation goes on, and a picture does not glide."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(HOST + "/receipts/reading")
    moving = "document.getAnimations().filter(animation => animation.playState === 'running').length"
    until(page, lambda: page.evaluate(moving) == 0)
    check("number of animations", page.evaluate(moving), 0)
    page.goto(HOST + "/receipts/review")
    check("scrolling of the picture", page.locator(".photo").evaluate("e => getComputedStyle(e).scrollBehavior"), "auto")


def size_of_type(page, pages):
    """A focused field of the review has type of at least 16 pixels, because iOS enlarges the page otherwise."""
    page.goto(HOST + "/receipts/review")
    small = page.evaluate("""() => [...document.querySelectorAll("#review :is(input:not([type=hidden], [type=checkbox]), select, textarea)")]
        .filter((field) => { field.focus(); return document.activeElement === field && parseFloat(getComputedStyle(field).fontSize) < 16; })
        .map((field) => field.name)""")
    check("fields with small type", small, [])


def errors_outside_fields(page, pages):
    """A reason outside a field of a form has the colour of an error, too."""
    page.goto(HOST + "/offline/index")
    colours = page.evaluate("""() => {
        document.body.style.color = "var(--danger)";
        return [document.querySelector("[data-unsaved]"), document.body].map(element => getComputedStyle(element).color);
    }""")
    page.evaluate("document.body.style.color = ''")
    inherited = page.evaluate("getComputedStyle(document.querySelector('[data-unsaved]')).color")
    check("colour of the reason", [colours[0], inherited], [colours[1], colours[1]])


def printed_names(page, pages):
    """The keyboard of a phone does not correct printed names, which are no words of a language."""
    page.goto(HOST + "/receipts/review")
    page.click("[data-add]")
    settings = page.locator(".lines textarea").evaluate_all(
        "all => all.map(field => ['autocapitalize', 'autocorrect', 'spellcheck'].map(name => field.getAttribute(name)).join())")
    check("settings of the keyboard", set(settings), {"off,off,false"})


def covered_page(page, pages):
    """While the message about a photo covers the page, no control of the page can be reached. Afterwards the focus returns."""
    held = []
    page.route("**/offline/member", lambda route: held.append(route))
    page.goto(HOST + "/overview/index")
    with page.expect_file_chooser() as chooser:
        page.tap(".places .scan a")
    chooser.value.set_files([{"name": "shot.jpg", "mimeType": "image/jpeg", "buffer": b"x"}])
    until(page, lambda: held)
    check("the message has the focus", page.evaluate("document.activeElement.className"), "busy")
    check("name of the bar", page.get_by_role("progressbar", name="Scannen …", exact=True).count(), 1)
    held[0].abort()
    until(page, lambda: page.locator(".busy button").count() == 2)
    reachable = "[...document.body.children].filter(part => !part.inert && part.getClientRects().length).map(part => part.className)"
    check("parts that can be reached", page.evaluate(reachable), ["busy"])
    page.tap(".busy button:last-child")
    state = "[document.querySelector('.busy'), document.querySelector('main').inert, document.activeElement.getAttribute('href')]"
    check("the page after the message was closed", page.evaluate(state), [None, False, "/receipts/new"])


def photo_after_back(page, pages):
    """A photo that was not sent stays when the page is shown again, and no key opens another page. A sent one goes."""
    held, opened = [], []
    page.route("**/receipts", lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
    # The answer 204 leaves the page open.
    page.route("**/receipts/3", lambda route: (opened.append(1), route.fulfill(status=204)))
    page.add_init_script("IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); }")
    page.goto(HOST + "/overview/index")
    with page.expect_file_chooser() as chooser:
        page.tap(".places .scan a")
    chooser.value.set_files([{"name": "shot.jpg", "mimeType": "image/jpeg", "buffer": b"x"}])
    until(page, lambda: held)
    held[0].abort()
    until(page, lambda: page.locator(".busy button").count() == 3)
    show = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    page.evaluate(show)
    check("buttons for a photo that was not sent", page.locator(".busy button").count(), 3)
    page.keyboard.press("b")
    page.wait_for_timeout(300)
    check("page after a shortcut", page.url, HOST + "/overview/index")
    page.tap(".busy button:first-child")
    until(page, lambda: len(held) == 2)
    held[1].fulfill(json={"receipts": [{"href": "/receipts/3"}]})
    until(page, lambda: opened)
    page.evaluate(show)
    check("number of messages about a sent photo", page.locator(".busy").count(), 0)


def review_by_keyboard(page, pages):
    """A proposal that is used with the keyboard moves the focus to its amount. Typing names leaves the status unchanged."""
    page.goto(HOST + "/receipts/review.made")
    page.evaluate("""() => {
        globalThis.replaced = 0;
        new MutationObserver((records) => { replaced += records.length; })
            .observe(document.querySelector("[data-balance]"), { childList: true, characterData: true, subtree: true });
    }""")
    page.type('[name="name-l1"]', "ABC")
    check("the status is not replaced", page.evaluate("replaced"), 0)
    page.focus("[data-take]")
    page.keyboard.press("Enter")
    check("the amount has the focus", page.evaluate("[document.activeElement.name, document.activeElement.value]"), ["total-l9", "1,16"])


def insertion_below_a_deleted_line(page, pages):
    """A line that is inserted below a deleted line comes after the line above the deleted one."""
    page.goto(HOST + "/receipts/review")
    page.click('[data-line="l5"] [data-delete]')
    page.evaluate("""() => {
        const mark = document.querySelector(".mark[data-line=l5][data-field=line]");
        const { left, top, height } = mark.getBoundingClientRect();
        const place = { clientX: left, clientY: top + height / 2 + 1, bubbles: true };
        mark.closest(".page").dispatchEvent(new MouseEvent("click", place));
        document.querySelector(".insert-here").click();
    }""")
    lines = page.evaluate("[...document.querySelectorAll('[name=line]')].map(field => field.value)")
    check("lines", lines, ["l1", "l2", "l3", "l4", "new-1", "l6", "l7", "l8", "l9", "l10"])


def amount_of_a_second_new_line(page, pages):
    """A new line gets the missing amount even if another new line is still empty."""
    page.goto(HOST + "/receipts/review")
    page.fill('[name="total-l10"]', "1,29")
    page.click("[data-add]")
    check("nothing is missing at first", page.input_value('[name="total-new-1"]'), "")
    page.fill("[name=total]", "26,03")
    page.click("[data-add]")
    check("amount of the second new line", page.input_value('[name="total-new-2"]'), "1,00")


def lost_database(page, pages):
    """A photo is stored on the device also if the browser has ended the connection to its database without an event."""
    page.goto(HOST + "/receipts/index")
    stored = page.evaluate("""async () => {
        await queue.keep("opened", true);
        const { transaction } = IDBDatabase.prototype;
        IDBDatabase.prototype.transaction = function () {
            IDBDatabase.prototype.transaction = transaction;
            throw new DOMException("The connection is closing.", "InvalidStateError");
        };
        const { id } = await queue.add(new File(["x"], "a.jpg", { type: "image/jpeg" }));
        return (await queue.all()).some((entry) => entry.id === id);
    }""")
    check("the photo is stored", stored, True)


def offline_wines(page, pages):
    """The offline page shows sixty wines, and says that a search finds the others. Without stored data, it says so."""
    page.goto(HOST + "/receipts/index")
    until(page, lambda: page.evaluate("queue.kept('language')") == "de")
    page.evaluate("""() => queue.keep("data", {
        asOf: "2026-11-27", overview: { month: "", total: "", categories: [], moves: [] }, prices: [], receipts: [],
        wines: Array.from({ length: 61 }, (_, number) => [`Wein ${number}`, "", null]),
    })""")
    page.goto(HOST + "/offline/index")
    until(page, lambda: page.locator("[data-wines] li").count() == 60)
    check("the page mentions further wines", page.is_visible("[data-more-wines]"), True)
    page.fill("#wine-search", "Wein 60")
    check("wines that were found", [text.strip() for text in page.locator("[data-wines] li").all_inner_texts()], ["Wein 60"])
    check("no further wines after the search", page.is_visible("[data-more-wines]"), False)
    page.add_init_script("IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); }")
    page.goto(HOST + "/offline/index")
    until(page, lambda: page.is_visible("[data-nothing]"))
    check("the page says that nothing is stored", page.is_visible("[data-nothing]"), True)


if __name__ == "__main__":
    run(
        query_without_size, left_page, replaced_chart, deleted_photos, replaced_names, stored_input, grouped_figures,
        names_of_uploads, upload_of_a_shown_page, repeated_status, streams_of_hidden_pages, calm_pages, review_by_keyboard,
        insertion_below_a_deleted_line, amount_of_a_second_new_line, lost_database, offline_wines, errors_outside_fields,
        page_without_has, on_phones=(size_of_type, replaced_comparisons, printed_names, covered_page, photo_after_back),
    )
