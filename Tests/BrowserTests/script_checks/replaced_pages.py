"""Pages that are loaded again after changes of other members."""

import re, uuid

from .sample_site import HOST, check, until

# Sends the message with which one tab tells the other tabs about a change of another member.
CHANGE = """type => new BroadcastChannel("changes").postMessage(
    { position: Date.now(), changes: [{ type, id: "1", by: "Paul" }] })"""


def receive_change(page, pages, path, kind, selector, old, new):
    """Waits until a change of another member has replaced the text `old` in an element of the open page."""
    page.route("**" + path, lambda route: route.fulfill(
        body=pages[path].replace(old, new), content_type="text/html; charset=utf-8"))
    page.evaluate(CHANGE, kind)
    until(page, lambda: new in page.inner_text(selector))
    check(f"{path} shows the change", new in page.inner_text(selector), True)


def left_page(page, pages):
    """After its form is submitted, a page is not reloaded until it is shown again, even without the event `beforeunload`."""
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
    receive_change(page, pages, "/products/show", "product", "h1", "Bio-Vollmilch", "Neue Milch")
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
    receive_change(page, pages, "/compare/index", "comparison_group", ".comparisons", "Vollmilch", "Frischmilch")
    ticked = boxes.evaluate_all("all => all.filter((box) => box.checked).map((box) => box.dataset.unfold)")
    check("unfolded rows", ticked, [unfolded])
    check("the row keeps the focus", page.evaluate("document.activeElement.dataset.unfold"), unfolded)


def page_without_has(page, pages):
    """The scripts work in browsers that do not support `:has`."""
    page.add_init_script("""for (const name of ["matches", "closest", "querySelector", "querySelectorAll"]) {
        const search = Element.prototype[name];
        Element.prototype[name] = function (selector) {
            if (selector.includes(":has(")) throw new DOMException("", "SyntaxError");
            return search.call(this, selector);
        };
    }""")
    page.goto(HOST + "/products/show")
    receive_change(page, pages, "/products/show", "product", "h1", "Bio-Vollmilch", "Neue Milch")
    page.goto(HOST + "/receipts/review.narrow")
    check("the picture of a receipt is enlarged", page.locator(".photo[class*=zoom-]").count(), 1)


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


def ended_documents(page, pages):
    """A page says that its document was deleted or merged. It is loaded again if the receipt now has another page."""
    own, other = str(uuid.uuid4()), str(uuid.uuid4())
    loads = []

    def answer(sample):
        def route(route):
            loads.append(route.request.url)
            route.fulfill(body=pages[sample], content_type="text/html; charset=utf-8")
        return route

    def receive(path, sample, kind, target):
        """Opens the page at `path`, and sends a change after which its address redirects to `target`."""
        loads.clear()
        page.route(HOST + path, answer(sample))
        page.goto(HOST + path)
        page.evaluate("""address => {
            window.fetch = async () => Object.defineProperty(new Response(""), "url", { value: address });
        }""", HOST + target)
        page.evaluate("""([type, id]) => new BroadcastChannel("changes").postMessage(
            { position: Date.now(), changes: [{ type, id, by: "Paul" }] })""", [kind, own])

    for path, sample, kind, target, text in (
        (f"/products/{own}", "/products/show", "product", f"/products/{other}", "Paul hat das mit einem anderen Produkt zusammengelegt."),
        (f"/products/{own}", "/products/show", "product", "/products", "Paul hat das gelöscht."),
        (f"/receipts/{own}", "/receipts/show", "receipt", "/receipts", "Paul hat diesen Beleg mit einem anderen zusammengefügt oder gelöscht."),
    ):
        receive(path, sample, kind, target)
        until(page, page.locator("[data-news]").is_visible)
        check(f"message of {path}, which leads to {target}", page.inner_text("[data-news] [data-words]"), text)
        check(f"loads of {path}", len(loads), 1)
    receive(f"/receipts/{own}", "/receipts/show", "receipt", f"/receipts/{own}/review")
    until(page, lambda: len(loads) > 1)
    check("the receipt is loaded again", (len(loads), page.locator("[data-news]").is_visible()), (2, False))
