"""Matching new printed names with products on a phone takes few taps, on pages with few words, and can be undone."""

import random
import re

from conftest import PHONE
from person import Person
from server import psql
from test_pages import GROUP, PRODUCT

# Adds 163 lines with new names to a receipt of the demo household. Two of the names differ by one letter.
NEW_NAMES = """
WITH at AS (SELECT r.household_id, r.id FROM receipt r WHERE r.stage = 'confirmed' AND r.store_id IS NOT NULL
    ORDER BY r.purchase_day DESC, r.id LIMIT 1)
INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key, total_minor)
SELECT at.household_id, gen_random_uuid(), at.id, 1000 + n, 'item', upper(name), name, 199
FROM at, unnest(string_to_array('{names}', ',')) WITH ORDINALITY AS given (name, n)
"""
# The number of words that a person sees.
WORDS = """() => {
    for (const hidden of document.querySelectorAll(".visually-hidden")) hidden.remove();
    return document.body.innerText.trim().split(/\\s+/).length;
}"""


def names():
    """Returns names that do not resemble each other, except the last two. The random names end with a number, so that no
    two are equal."""
    generator = random.Random(7)
    letters = lambda: "".join(generator.choice("bcdfgjkpqvwxz") for _ in range(9))
    return [f"{letters()} {n}x" for n in range(161)] + ["qzbbu wxsauce", "qzbbq wxsauce"]


def waiting(page):
    found = page.locator('.tabs a[href="/matching"] .count')
    return int(found.inner_text()) if found.count() else 0


def test_new_names_are_matched_in_few_taps(server, chromium):
    printed = server.run("demo")
    email, password = (re.search(rf"{word}\s+(\S+)", printed)[1] for word in ("e-mail", "password"))
    context = chromium.new_context(**PHONE, locale="de-AT")
    anna = Person(context.new_page(), server.url, [])
    page = anna.page
    anna.sign_in(email, password)
    product, group = (psql(server.database, "-At", "-c", query) for query in (PRODUCT, GROUP))
    paths = ["/compare", f"/compare/groups/{group}", f"/products/{product}", "/matching"]
    for language in ("de", "en"):
        psql(server.database, "-c", f"UPDATE person SET language = '{language}'")
        for path in paths:
            anna.go(path)
            words = page.evaluate(WORDS)
            assert words <= 250, f"{path} has {words} words in {language}"
    before = waiting(page)
    psql(server.database, "-c", NEW_NAMES.format(names=",".join(names())))
    taps = 0

    def tap(target):
        nonlocal taps
        # Unlike a click, a tap does not wait for the next page.
        with page.expect_navigation():
            target.first.tap()
        taps += 1

    anna.go("/products")
    assert waiting(page) == before + 163
    tap(page.locator('.tabs a[href="/matching"]'))
    tap(page.locator('form[action="/matching/new-products"] button'))
    page.locator(".notice.good").wait_for()
    # The buttons of a new page ignore taps at first (`double_tap_guard` in `script_checks/all_pages.py`).
    page.wait_for_timeout(600)
    # The two similar names that remain become one product.
    pair = page.locator(".name-card", has_text="QZBBU")
    assert pair.count() == 1 and "QZBBQ" in pair.inner_text()
    tap(pair.locator(".choice-one"))
    assert page.locator(".name-card", has_text="QZBBU").count() == 0
    assert taps <= 4
    left = waiting(page)
    assert left <= before
    matched = int(psql(server.database, "-At", "-c", "SELECT count(*) FROM product_alias WHERE batch_id IS NOT NULL"))
    assert matched >= 163
    # One tap undoes the match of the pair, and another tap undoes the matches of all other names.
    for _ in range(2):
        tap(page.locator('form[action^="/matching/batches/"] button'))
        page.locator(".notice.good").wait_for()
    assert waiting(page) == before + 163
    context.close()
