"""Expenses on a phone: entering one takes at most three taps and two fields. An expense is split between three members
and settled."""

import pytest
from playwright.sync_api import expect

from conftest import PHONE


def household(server, person, **options):
    """Sets up Anna's household, which Paul and Eva join."""
    number = len(server.households)
    server.households.append(number)
    anna, paul, eva = (person(server, **options) for _ in range(3))
    link = server.setup_link(another=number > 0)
    anna.enter(link, "Anna Berger", f"anna{number}@kosten.at", household=f"Haus {number}")
    paul.enter(anna.invite(), "Paul Huber", f"paul{number}@kosten.at")
    eva.enter(anna.invite(), "Eva Gruber", f"eva{number}@kosten.at")
    return anna, paul, eva


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("language", ["de-AT", "en-GB"])
def test_an_expense_is_entered_and_split_between_three_members(server, person, check_page, scripts, language):
    options = {**PHONE, "locale": language, "java_script_enabled": scripts}
    anna, paul, eva = household(server, person, **options)
    page = anna.page
    if not scripts:
        # axe cannot run without scripts. The test with scripts checks the same pages.
        check_page = lambda *_: None
    anna.go("/")
    taps = 0

    def tap(selector):
        nonlocal taps
        # Unlike a click, a tap does not wait for the next page.
        with page.expect_navigation():
            page.locator(selector).first.tap()
        taps += 1

    tap('main a[href="/expenses"]')
    page.fill("form.quick [name=amount]", "75")
    page.fill("form.quick [name=what]", "Pizzeria")
    if scripts:
        expect(page.locator("form.quick [data-suggestion]")).to_contain_text("·")
    tap("form.quick button.main")
    assert taps <= 3
    expect(page.locator(".notice.good")).to_be_visible()
    expect(page.locator(".entries")).to_contain_text("Pizzeria")
    check_page(page, "expenses list", ("light", "dark"))

    page.locator(".entries a", has_text="Pizzeria").click()
    check_page(page, "expense")
    split = page.locator('main a[href$="/split"]').bounding_box()
    assert split["y"] + split["height"] < page.viewport_size["height"], "splitting needs no scrolling"
    page.click('main a[href$="/split"]')
    check_page(page, "split", ("light", "dark"))
    page.click('main button[value="split"]')
    page.wait_for_url("**/balances")
    check_page(page, "balances", ("light", "dark"))
    transfers = page.locator('section[aria-labelledby="open"] form button')
    expect(transfers.first).to_be_visible()
    row = page.locator('section[aria-labelledby="open"] .item:has(form)').first
    names, button = row.locator(".title").bounding_box(), row.locator("button").bounding_box()
    assert button["y"] >= names["y"] + names["height"], "the names have the whole width"
    for _ in range(transfers.count()):
        transfers.first.click()
        page.wait_for_load_state()
    expect(page.locator('section[aria-labelledby="open"] form')).to_have_count(0)
    check_page(eva.go("/balances"), "balances settled")
    check_page(paul.go("/expenses"), "expenses insight", ("light", "dark"))


STATEMENT = """Buchungstag;Empfänger;Verwendungszweck;Betrag;Währung
02.11.2026;PIZZERIA ROMA;Karte;-75,00;EUR
03.11.2026;Netflix;Abo;-12,99;EUR
04.11.2026;Bäckerei;;-3,20;EUR
"""


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("language", ["de-AT", "en-GB"])
def test_a_bank_file_is_imported_once_and_undone(server, person, check_page, scripts, language):
    options = {**PHONE, "locale": language, "java_script_enabled": scripts}
    anna, _, _ = household(server, person, **options)
    page = anna.page
    if not scripts:
        check_page = lambda *_: None
    anna.go("/expenses/new")
    page.fill("main [name=amount]", "75")
    page.fill("main [name=what]", "Pizzeria Roma")
    page.fill("main [name=day]", "2026-11-01")
    page.locator("main form button.main").first.click()

    def upload(text):
        anna.go("/bank-files")
        page.set_input_files("main [name=file]", {"name": "konto.csv", "mimeType": "text/csv", "buffer": text.encode()})
        page.click("main form button.main")
        page.wait_for_load_state()

    upload(STATEMENT)
    expect(page.locator("section[aria-labelledby=matched] select")).to_have_value("join")
    expect(page.locator("section[aria-labelledby=new] select")).to_have_count(2)
    check_page(page, "bank preview", ("light", "dark"))
    page.click('main form[action$="/confirmation"] button.main')
    expect(page.locator(".notice.good")).to_be_visible()
    check_page(page, "bank files", ("light", "dark"))
    upload(STATEMENT)
    # The file names no account, so its known lines can be imported again, but only if the person says so.
    expect(page.locator("section[aria-labelledby=new], section[aria-labelledby=matched]")).to_have_count(0)
    expect(page.locator("details.several")).not_to_have_attribute("open", "")
    assert set(page.locator("details.several select").evaluate_all("all => all.map(one => one.value)")) == {"skip"}
    expect(page.locator('form[action$="/confirmation"] .button.main')).to_have_count(0)
    check_page(page, "bank preview without new lines")
    anna.go("/bank-files")
    check_page(page, "waiting bank files", ("light", "dark"))
    page.click('section[aria-labelledby=waiting] a.button')
    expect(page.locator("details.several")).to_be_visible()
    anna.go("/bank-files")
    page.click('section[aria-labelledby=waiting] form button')
    expect(page.locator(".notice.good")).to_be_visible()
    expect(page.locator("section[aria-labelledby=waiting]")).to_have_count(0)
    page.click('section[aria-labelledby=done] form button')
    expect(page.locator(".notice.good")).to_be_visible()
    upload("Wann;Wo;Wieviel\n04.11.2026;Kino;-9,00\n")
    check_page(page, "bank columns", ("light", "dark"))
    # `check_page` removes all but two options of the same shape before axe runs, so the page is loaded again.
    page.reload()
    page.select_option("[name=column-0]", "day")
    page.select_option("[name=column-1]", "payee")
    page.select_option("[name=column-2]", "amount")
    page.click("main form button.main")
    expect(page.locator("section[aria-labelledby=new]")).to_contain_text("Kino")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("language", ["de-AT", "en-GB"])
def test_a_payment_that_is_entered_after_the_import_is_matched_with_one_tap(server, person, check_page, scripts, language):
    options = {**PHONE, "locale": language, "java_script_enabled": scripts}
    anna, _, _ = household(server, person, **options)
    page = anna.page
    if not scripts:
        check_page = lambda *_: None
    anna.go("/bank-files")
    page.set_input_files("main [name=file]", {"name": "konto.csv", "mimeType": "text/csv", "buffer": STATEMENT.encode()})
    page.click("main form button.main")
    page.click('main form[action$="/confirmation"] button.main')
    expect(page.locator(".notice.good")).to_be_visible()
    anna.go("/expenses/new")
    page.fill("main [name=amount]", "75")
    page.fill("main [name=what]", "Pizzeria Roma")
    page.fill("main [name=day]", "2026-11-01")
    page.locator("main form button.main").first.click()
    page.locator(".entries a", has_text="Pizzeria Roma").first.click()
    expect(page.locator(".notice.doubt form")).to_have_count(1)
    check_page(page, "expense with a pair", ("light", "dark"))
    pairs = page.locator("section[aria-labelledby=pairs]")
    anna.go("/bank-files")
    check_page(page, "bank files with a pair", ("light", "dark"))
    anna.go("/bank-files")
    pairs.locator("form button").first.click()
    expect(page.locator(".notice.good")).to_be_visible()
    expect(pairs).to_have_count(0)
    page.click(".notice.good form button")
    expect(pairs.locator("form")).to_have_count(1)
    pairs.locator("form button").last.click()
    expect(page.locator(".notice.good")).to_be_visible()
    expect(pairs).to_have_count(0)


def test_amounts_stay_hidden_until_they_are_shown_again(server, person):
    anna, _, _ = household(server, person, **PHONE)
    anna.go("/expenses/list")
    anna.page.click("form.hide-amounts button")
    for path in ("/expenses", "/budgets", "/balances", "/"):
        expect(anna.go(path).locator("html.amounts-hidden")).to_have_count(1)
    # The overview has a button that shows the amounts again.
    anna.page.click("form.hide-amounts button")
    assert anna.path == "/"
    expect(anna.page.locator("html.amounts-hidden")).to_have_count(0)
