"""The review form: stored drafts, typed figures, the keyboard and inserted lines."""

import urllib.parse

from .sample_site import HOST, check, until


def stored_input(page, pages):
    """Input is sent by one request at a time, so that earlier input cannot arrive last. A hidden page sends without waiting."""
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
    """Unit prices may have separators between thousands, including Swiss apostrophes, as on the server."""
    page.goto(HOST + "/receipts/review")
    page.fill('[name="quantity-l8"]', "2")
    for price in ("1'234.50", "1’234,50", "1.234,50", "1,234.50", "1 234,50", "1234,5"):
        page.fill('[name="total-l8"]', "1")
        page.fill('[name="unit_price-l8"]', price)
        check(f"amount of 2 × {price}", page.input_value('[name="total-l8"]'), "2.469,00")
    page.fill('[name="total-l8"]', "1")
    page.fill('[name="unit_price-l8"]', "1.234")
    check("a single separator is the decimal separator", page.input_value('[name="total-l8"]'), "2,47")


def size_of_type(page, pages):
    """A focused field of the review has text of at least 16 pixels, because iOS enlarges the page otherwise."""
    page.goto(HOST + "/receipts/review")
    small = page.evaluate("""() => [...document.querySelectorAll("#review :is(input:not([type=hidden], [type=checkbox]), select, textarea)")]
        .filter((field) => { field.focus(); return document.activeElement === field && parseFloat(getComputedStyle(field).fontSize) < 16; })
        .map((field) => field.name)""")
    check("fields with small text", small, [])


def printed_names(page, pages):
    """The keyboard of a phone does not correct printed names, which are often not words."""
    page.goto(HOST + "/receipts/review")
    page.click("[data-add]")
    settings = page.locator(".lines textarea").evaluate_all(
        "all => all.map(field => ['autocapitalize', 'autocorrect', 'spellcheck'].map(name => field.getAttribute(name)).join())")
    check("settings of the keyboard", set(settings), {"off,off,false"})


def review_by_keyboard(page, pages):
    """Using a proposed amount with the keyboard moves the focus to its field. Typing names leaves the status unchanged."""
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
