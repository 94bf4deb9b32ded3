"""The review form: amounts, doubts (values that a person should check), lines, and the balance (lines and total compared)."""

import pathlib, urllib.parse

from .sample_site import check, fields, sent


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
    check("a new line has placeholders", page.locator('[data-line="new-2"] :placeholder-shown').evaluate_all(f"all => all.map(e => ({visible})(e) && e.placeholder)"), ["Name", "Einzelpreis", "Betrag", ""])
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


def held_enter_key(page):
    """A held Enter key moves by one doubt. After the last doubt, it focuses the button, which needs another press of the key."""
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
    check("the amount of a weighed item may differ by one cent", value("unit_price-l3"), "1,99")
    check("a difference of one cent gives no hint", hints(), [])
    page.fill('[name="total-l3"]', "2,67")
    page.fill('[name="total-l3"]', "1,67")
    check("a corrected amount restores the unit price", value("unit_price-l3"), "1,99")
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


def amounts_as_on_the_server(page):
    """The script reads and refuses the same amounts as the server; MoneyTests.swift checks the server with this table."""
    page.goto("http://sample.test/receipts/review")
    for row in pathlib.Path(__file__).with_name("amounts.txt").read_text().splitlines():
        currency, text, expected = row.split("|")
        page.select_option("[name=currency]", currency)
        read = page.evaluate("text => amounts.cents(text)", text)
        check(f"amount {text!r} in {currency}", "refused" if read is None else str(read), expected)
    page.goto("http://sample.test/receipts/review")
    page.select_option("[name=currency]", "CHF")
    page.fill('[name="total-l10"]', "CHF 1.29")
    check("balance with the code of the currency", page.inner_text(".balance-text"), "Zeilen und Summe stimmen überein")
    page.fill('[name="quantity-l8"]', "6")
    page.fill('[name="unit_price-l8"]', "Fr. 0.27")
    check("a unit price with a currency sign changes the amount", page.input_value('[name="total-l8"]'), "1,62")


def split_of_a_return(page):
    """Splitting a line with a negative amount keeps the sign of both parts, whatever the sign of the unit price."""
    page.goto("http://sample.test/receipts/review")
    page.fill('[name="total-l8"]', "-1,50")
    check("the unit price has no minus sign", page.input_value('[name="unit_price-l8"]'), "0,25")
    page.click('[data-line="l8"] summary'); page.click('[data-line="l8"] [data-split]')
    parts = page.input_value('[name="total-l8"]'), page.input_value('[data-line="new-1"] [data-field=total]')
    check("both parts are negative", parts, ("-1,25", "-0,25"))


def unread_amount(page):
    """An amount that was not read is an empty field. The difference is unknown until the amount is typed."""
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
    check("the marks that everything was checked are shown at first", are_shown(), [True, True])
    page.fill("[name=total]", "99,99")
    check("the marks are hidden while there is a difference", are_shown(), [False, False])
    page.fill("[name=total]", "")
    check("balance without a total", page.inner_text(".balance-text"), "Die Summe fehlt noch")
    page.fill("[name=total]", total)
    check("the marks are shown again after restoring the total", are_shown(), [True, True])


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


def currency(page):
    """Changing the currency changes the currency sign of every amount."""
    page.goto("http://sample.test/receipts/review")
    page.select_option("[name=currency]", "CHF")
    check("difference in francs", page.inner_text(".balance-text").replace("\u00a0", " "), "Zu viel: 0,20 CHF")
    check("sums in francs", page.inner_text("[data-total-sum]")[-3:], "CHF")


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
