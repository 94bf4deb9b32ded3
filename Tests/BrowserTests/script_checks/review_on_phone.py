"""The review form on a phone."""

from .sample_site import check, fields, sent, until, until_still


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
    is_inside = lambda: page.locator(".mark.at").evaluate("(e) => { const b = e.getBoundingClientRect(), f = document.querySelector('.photo').getBoundingClientRect(); return b.top >= f.top - 1 && b.bottom <= f.bottom + 1 }")
    until(page, is_inside)
    until_still(page, ".mark.at")
    check("the mark is visible", is_inside(), True)
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
    until_still(page, last)
    page.locator(last).scroll_into_view_if_needed()
    until_still(page, last)
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
