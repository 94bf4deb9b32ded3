"""Photos that wait on this device, and the page that is shown without a connection."""

from .sample_site import HOST, check, until


def deleted_photos(page, pages):
    """Each button that deletes a waiting photo has the photo's name. After a deletion, the next button has the focus."""
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
    """A page that is shown again keeps the message about an unsent photo, and ignores shortcuts. After sending, the message ends."""
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


def lost_database(page, pages):
    """A photo is stored on the device even if the browser has ended the connection to its database without an event."""
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
    """The offline page shows sixty wines, and says that a search finds the others. It says if no data is stored."""
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
