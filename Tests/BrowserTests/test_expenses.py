"""Expenses on a phone: one without paper in three taps and two fields, and a bill that is split in three and settled."""

import pytest
from playwright.sync_api import expect

from conftest import PHONE


def household(server, person, **options):
    """Anna's household with Paul and Eva."""
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
def test_an_expense_without_paper_and_a_bill_split_in_three(server, person, look, scripts, language):
    options = {**PHONE, "locale": language, "java_script_enabled": scripts}
    anna, paul, eva = household(server, person, **options)
    page = anna.page
    if not scripts:
        # axe is a script; the pages are the same ones.
        look = lambda *_: None
    anna.go("/")
    taps = 0

    def tap(selector):
        nonlocal taps
        page.locator(selector).first.tap()
        page.wait_for_load_state()
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
    look(page, "expenses list", ("light", "dark"))

    page.locator(".entries a", has_text="Pizzeria").click()
    look(page, "expense")
    page.click('main a[href$="/split"]')
    look(page, "split", ("light", "dark"))
    page.click('main button[value="split"]')
    page.wait_for_url("**/balances")
    look(page, "balances", ("light", "dark"))
    transfers = page.locator('section[aria-labelledby="open"] form button')
    expect(transfers.first).to_be_visible()
    for _ in range(transfers.count()):
        transfers.first.click()
        page.wait_for_load_state()
    expect(page.locator('section[aria-labelledby="open"] form')).to_have_count(0)
    look(eva.go("/balances"), "balances settled")
    look(paul.go("/expenses"), "expenses insight", ("light", "dark"))
