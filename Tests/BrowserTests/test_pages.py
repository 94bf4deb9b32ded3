"""Checks every page with a demo household of two years: axe has no findings, and no page scrolls sideways."""

import functools
import re
import subprocess

import pytest

from conftest import AXE, DESKTOP, PHONE
from draw_receipts import draw_all
from person import Person
from server import psql, routes
from waiting import wait_until

VIEWERS = {
    "phone-light-de": ("light", "de", PHONE),
    "phone-dark-en": ("dark", "en", PHONE),
    "desktop-dark-de": ("dark", "de", DESKTOP),
    "desktop-light-en": ("light", "en", DESKTOP),
}
CONFIRMED = "SELECT id FROM receipt WHERE stage = 'confirmed' ORDER BY purchase_day DESC, id LIMIT 1"
WAITING = "SELECT id FROM receipt WHERE stage = 'review' LIMIT 1"
UPLOADS = "SELECT '?receipts=' || string_agg(id::text, ',') FROM receipt WHERE stage <> 'confirmed'"
PRODUCT = "SELECT product_id FROM price GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"
EXPENSE = "SELECT id FROM expense WHERE kind = 'expense' ORDER BY day DESC, id LIMIT 1"
GROUP = "SELECT id FROM comparison_group LIMIT 1"
WINE = "SELECT id FROM wine LIMIT 1"
# Four vintages of a wine with scores, marks and bottles, a saved wine list, and an uploaded table that is not imported yet.
WINES = """
WITH h AS (SELECT id AS household, (SELECT person_id FROM membership LIMIT 1) AS person FROM household LIMIT 1),
w AS (INSERT INTO wine (household_id, id, producer, name, vintage, country, region, colour, grapes, release_minor,
        release_currency, drink_from, drink_until, family_key, points)
    SELECT household, gen_random_uuid(), 'Weingut Muster', 'Grüner Veltliner Ried Steinleiten', v, 'Österreich', 'Wachau',
        'white', '{Grüner Veltliner}', 2490, 'EUR', v + 2, v + 7, 'weingut muster gruner veltliner ried steinleiten', v - 1929
    FROM h, unnest(ARRAY[2019, 2020, 2021, 2023]) AS v RETURNING household_id, id, vintage),
s AS (INSERT INTO wine_score SELECT household_id, id, 'AB', vintage - 1929, 'Apfel, weißer Pfeffer, salzig.', '2024-05-01' FROM w),
m AS (INSERT INTO wine_mark (household_id, wine_id, person_id, is_saved, is_tasted, is_wanted, points, note)
    SELECT household, w.id, person, true, true, true, 92, 'Zum Geburtstag.' FROM w, h),
b AS (INSERT INTO wine_bottle (household_id, id, wine_id, count, place, bought_on, price_minor, currency)
    SELECT household_id, gen_random_uuid(), id, 6, 'Regal links', '2025-01-02', 1990, 'EUR' FROM w),
c AS (INSERT INTO wine_catalogue (household_id) SELECT household FROM h),
l AS (INSERT INTO wine_scan (household_id, id, person_id, place, day, entries)
    SELECT household, gen_random_uuid(), person, 'Zum Anker', '2026-10-01', jsonb_build_object('pages', '[[900, 1200]]'::jsonb,
        'entries', (SELECT jsonb_agg(jsonb_build_object('text', t, 'name', t, 'page', 0, 'box', '[10, 10, 400, 30]'::jsonb,
            'textBox', '[10, 10, 300, 30]'::jsonb, 'sure', '[900, 0, 900, 900, 0, 0, 0, 0]'::jsonb, 'vintage', 2021,
            'prices', '[{"amount": 650, "serving": "glass", "size": 125, "sure": 900}, {"amount": 3900, "serving": "bottle", "size": 750, "sure": 900}]'::jsonb))
            FROM unnest(ARRAY['Weingut Muster Grüner Veltliner Ried Steinleiten 2021', 'Blaues Wunder']) AS t))
    FROM h RETURNING household_id, id),
g AS (INSERT INTO wine_sighting SELECT l.household_id, l.id, 0, w.id, 750, 3900, 'EUR' FROM l, w WHERE vintage = 2021),
t AS (INSERT INTO wine_table (household_id, id, person_id, name) SELECT household, gen_random_uuid(), person, 'weine.csv' FROM h
    RETURNING household_id, id)
INSERT INTO wine_table_chunk SELECT household_id, id, 0, convert_to(E'name;producer;vintage;points\\nRiesling;Muster;2020;91\\n;;;\\n', 'UTF8') FROM t
"""
# Routes that are not tested here: those without a page, and previews of imports, which need a file and are checked by
# test_main_job and test_expenses.
UNTESTED = {
    "/healthz", "/readyz", "/expenses/suggestion", "/expenses/export",
    "/help/phones/ca.crt", "/export.csv", "/names.csv", "/receipts/{receipt}/events", "/receipts/events",
    "/import/{file}", "/uploads/{upload}", "/bank-files/{bank}", "/bank-files/{bank}/columns",
    "/wines/export.csv", "/wines/scan/list", "/metrics", "/service-worker.js", "/offline/member", "/offline/data", "/changes/events",
    "/receipts/{receipt}/pages/{page}/display", "/receipts/{receipt}/pages/{page}/preview",
}
# Pages without parameters in their path. Routes of the API have no pages.
WITHOUT_PARAMETERS = {path: access for method, path, access, *_ in routes()
         if method == "GET" and "{" not in path and path not in UNTESTED and not path.startswith("/api/")}
# For each route: the SQL query for the value between its braces or for its query string, "link" for a one-time link, or
# None if the path is complete.
SIGNED_OUT = dict.fromkeys(path for path, access in WITHOUT_PARAMETERS.items() if access == "visitor") | {
    "/setup/{token}": "link", "/join/{token}": "link", "/reset/{token}": "link"}
SIGNED_IN = dict.fromkeys(path for path, access in WITHOUT_PARAMETERS.items() if access != "visitor") | {
    "/settings/stores/{store}": "SELECT id FROM store ORDER BY id LIMIT 1",
    "/settings/categories/{category}": "SELECT id FROM category ORDER BY id LIMIT 1", "/receipts/uploads": UPLOADS,
    "/receipts/{receipt}": CONFIRMED, "/receipts/{receipt}/history": CONFIRMED, "/receipts/{receipt}/expense": CONFIRMED,
    "/receipts/{receipt}/review": WAITING, "/receipts/{receipt}/splits/new": WAITING,
    "/products/{product}": PRODUCT, "/products/{product}/edit": PRODUCT,
    "/expenses/{expense}": EXPENSE, "/expenses/{expense}/split": EXPENSE, "/budgets/{budget}": "SELECT id FROM budget LIMIT 1",
    "/rules/{rule}": "SELECT id FROM expense_rule LIMIT 1", "/goals/{goal}": "SELECT id FROM savings_goal LIMIT 1",
    "/recurring/{recurring}": "SELECT id FROM recurring_expense LIMIT 1",
    "/settings/webhooks/{webhook}": "SELECT id FROM webhook LIMIT 1",
    "/wines/{wine}": WINE, "/wines/{wine}/edit": WINE, "/wines/{wine}/merge": WINE,
    "/wines/{wine}/receipt-lines": WINE, "/wine-scans/{scan}": "SELECT id FROM wine_scan LIMIT 1",
    "/wine-import/{table}": "SELECT id FROM wine_table LIMIT 1",
    "/products/{product}/merge": PRODUCT, "/compare/groups/{group}": GROUP, "/compare/groups/{group}/edit": GROUP,
}
# Other states: a receipt that is being read, a page that does not exist, and lists without a match.
OTHER_STATES = {
    "/receipts/{receipt} reading": "SELECT id FROM receipt WHERE stage = 'reading' LIMIT 1",
    "/not/there": None, "/products?search=zzzz": None, "/receipts?search=zzzz": None,
    "/wines?search=zzzz": None, "/expenses/list?search=zzzz": None, "/expenses?period=year": None,
}

@pytest.fixture(scope="module")
def demo(server, chromium, tmp_path_factory):
    """A server with the demo household and two more receipts, one in review and one being read."""
    printed = server.run("demo")
    email, password = (re.search(rf"{word}\s+(\S+)", printed)[1] for word in ("e-mail", "password"))
    anna = Person(chromium.new_page(), server.url, [])
    anna.sign_in(email, password)
    for picture in draw_all(tmp_path_factory.mktemp("receipts"))[:2]:
        anna.wait_until_read(anna.upload_one(picture))
    psql(server.database, "-c", f"UPDATE receipt SET stage = 'reading' WHERE id = ({WAITING})")
    anna.page.goto(server.url + "/settings/webhooks")
    anna.page.fill("#url", "https://example.invalid/receipts")
    anna.page.click("form[action='/settings/webhooks'] button")
    anna.page.wait_for_selector("#key")
    psql(server.database, "-c", """INSERT INTO webhook_delivery
        (household_id, id, webhook_id, event, subject, body, attempts, tried_at, error, dead_at)
        SELECT household_id, gen_random_uuid(), id, 'receipt.confirmed', 'x', '{}', 8, now(), 'timed out', now() FROM webhook""")
    psql(server.database, "-c", WINES)
    anna.page.close()
    server.email = email
    return server, email, password


@pytest.fixture(scope="module", params=VIEWERS)
def viewer(request, demo, chromium):
    """Two browsers with the same language, colour scheme and size, one signed in and one signed out."""
    server, email, password = demo
    scheme, language, device = VIEWERS[request.param]
    psql(server.database, "-c", f"UPDATE person SET language = '{language}'")
    options = {"locale": "de-AT" if language == "de" else "en-GB", "color_scheme": scheme, "reduced_motion": "reduce"}
    contexts = [chromium.new_context(**device, **options) for _ in range(2)]
    for context in contexts:
        # Adds axe to every page, which is faster than sending the script to each of them.
        context.add_init_script(AXE)
    anna, guest = (Person(context.new_page(), server.url, []) for context in contexts)
    anna.sign_in(email, password)
    yield server, anna.page, guest.page, scheme, language
    for context in contexts:
        context.close()


@pytest.mark.parametrize("route", [*SIGNED_OUT, *SIGNED_IN, *OTHER_STATES])
def test_a_page_passes_the_checks(viewer, route, check_page):
    server, signed_in, signed_out, scheme, language = viewer
    page = signed_out if route in SIGNED_OUT else signed_in
    path, query = route.split()[0], {**SIGNED_OUT, **SIGNED_IN, **OTHER_STATES}[route]
    if query == "link":
        path = link(route, signed_in, server)
    elif query:
        found = identifier(server.database, query)
        path = path + found if found.startswith("?") else re.sub(r"{\w+}", found, path)
    answer = page.goto(path if "://" in path else server.url + path)
    assert answer.status == (404 if route == "/not/there" else 200)
    assert page.get_attribute("html", "lang") == language
    check_page(page, f"{route} {language}", [scheme])


# Visible controls, navigation links and summaries, except in the forms of a receipt or an expense and in the API reference, and
# except summaries of open details.
PRINTED_CONTROLS = """[...document.querySelectorAll("button, input, select, textarea, summary, nav a, .back")].filter(control =>
    control.checkVisibility({visibilityProperty: true}) && !control.closest("[hidden], .visually-hidden, .review-form, .printed-form, .reference, [open] > summary"))
    .map(control => control.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("path", ["/receipts", "/expenses/list", "/products"])
def test_lists_have_two_columns_on_a_desktop_and_one_on_a_phone(viewer, path):
    server, page, *_ = viewer
    page.goto(server.url + path)
    rows = page.locator("ul.rows.pairs", has=page.locator("li:nth-child(3)")).first.locator(":scope > li")
    (x1, y1), (x2, y2), (x3, y3) = rows.evaluate_all(
        "rows => rows.slice(0, 3).map(row => row.getBoundingClientRect()).map(({x, y}) => [x, y])")
    if page.viewport_size["width"] >= 960:
        assert y1 == y2 < y3 and x1 == x3 < x2
    else:
        assert x1 == x2 == x3 and y1 < y2 < y3


def test_printed_pages_have_no_controls_and_no_empty_sheets(viewer, tmp_path):
    server, page, _, scheme, language = viewer
    if (scheme, language) != ("light", "de"):
        return
    page.emulate_media(media="print")
    findings = []
    for route, query in SIGNED_IN.items():
        path = re.sub(r"{\w+}", identifier(server.database, query), route) if query and "{" in route else route
        page.goto(server.url + path)
        findings += [f"{route}: {control}" for control in page.evaluate(PRINTED_CONTROLS)]
        if route in ("/", "/products", "/compare", "/products/{product}", "/compare/groups/{group}", "/receipts", "/expenses"):
            page.pdf(path=tmp_path / "page.pdf", format="A4")
            text = subprocess.run(["pdftotext", tmp_path / "page.pdf", "-"], check=True, stdout=subprocess.PIPE, text=True).stdout
            findings += [f"{route}: sheet {number} is empty" for number, sheet in enumerate(text.split("\f")[:-1], 1) if not sheet.strip()]
    page.emulate_media(media="null")
    assert findings == []


@functools.cache
def identifier(database, query):
    """The result of a query, which must not change during the tests."""
    return psql(database, "-At", "-c", query)


def link(route, page, server):
    """A one-time link: to set up a household, to set a new password, or to join."""
    if route.startswith("/setup"):
        return server.setup_link(another=True)
    if route.startswith("/reset"):
        return server.run("reset-link", server.email)
    return invitation(page, server)


def send(page, server, path, form, **fields):
    """Sends a form of the page with values that a browser would not send, and returns the answer."""
    page.goto(server.url + path)
    with page.expect_navigation() as sent:
        page.evaluate("""([selector, fields]) => {
            const form = document.querySelector(selector);
            for (const [name, value] of Object.entries(fields)) {
                form.elements[name].removeAttribute("maxlength");
                form.elements[name].value = value;
            }
            form.submit();
        }""", [form, fields])
    return sent.value


def test_the_refusal_of_a_wrong_token_passes_the_checks(viewer, check_page):
    server, page, _, scheme, language = viewer
    assert send(page, server, "/settings", 'main form[action="/sign-out"]', csrf="x").status == 403
    check_page(page, f"403 {language}", [scheme])


def test_the_refusal_of_a_large_form_passes_the_checks(viewer, check_page):
    server, page, _, scheme, language = viewer
    answer = send(page, server, "/settings/household", 'form[action="/settings/household"]', household="x" * 70_000)
    assert answer.status == 413
    check_page(page, f"413 {language}", [scheme])


def test_the_answer_to_many_guesses_passes_the_checks(viewer, check_page):
    server, _, page, scheme, language = viewer
    psql(server.database, "-c", "DELETE FROM sign_in_failure", "-c", """INSERT INTO sign_in_failure
        VALUES (sha256('name nobody@example.org'), 30, now() + interval '1 hour')""")
    answer = send(page, server, "/sign-in", "form.card", email="nobody@example.org", password="not the one")
    assert answer.status == 429
    check_page(page, f"429 {language}", [scheme])


def test_the_page_of_a_database_outage_passes_the_checks(viewer, check_page):
    server, page, _, scheme, language = viewer
    allow = f'ALTER DATABASE "{server.database}" ALLOW_CONNECTIONS'
    psql("postgres", "-c", f"{allow} false", "-c", f"""SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = '{server.database}' AND pid <> pg_backend_pid()""")
    try:
        assert page.goto(server.url + "/products").status == 503
        check_page(page, f"503 {language}", [scheme])
    finally:
        psql("postgres", "-c", f"{allow} true")
    wait_until(
        lambda: page.goto(server.url + "/products").status == 200, "the pages did not recover",
        pause=lambda seconds: page.wait_for_timeout(1000 * seconds))


@pytest.mark.parametrize("reason", ["crashed", "timeout", "damaged"])
def test_the_page_of_a_failed_reading_passes_the_checks(viewer, check_page, reason):
    server, page, _, scheme, language = viewer
    receipt = identifier(server.database, WAITING)
    changed = "verdict = '{}', reasons = '{{{}}}'"
    before = psql(server.database, "-At", "-F", "|", "-c", f"SELECT verdict, reasons FROM receipt WHERE id = '{receipt}'")
    psql(server.database, "-c", f"UPDATE receipt SET {changed.format('unreadable', reason)} WHERE id = '{receipt}'")
    try:
        assert page.goto(f"{server.url}/receipts/{receipt}/review").status == 200
        check_page(page, f"{reason} {language}", [scheme])
    finally:
        verdict, reasons = before.split("|", 1)
        psql(server.database, "-c", f"UPDATE receipt SET verdict = '{verdict}', reasons = '{reasons}' WHERE id = '{receipt}'")


def test_the_page_of_a_second_reading_passes_the_checks(viewer, check_page):
    server, page, _, scheme, language = viewer
    receipt = psql(server.database, "-At", "-c", OTHER_STATES["/receipts/{receipt} reading"])
    psql(server.database, "-c", f"""INSERT INTO job (id, kind, household_id, subject_id, not_before, attempts)
        SELECT gen_random_uuid(), 'read', household_id, id, now() + interval '1 day', 2 FROM receipt
        WHERE id = '{receipt}'""")
    try:
        assert page.goto(f"{server.url}/receipts/{receipt}").status == 200
        assert page.locator(".notice.doubt").count() == 1
        check_page(page, f"second try {language}", [scheme])
    finally:
        psql(server.database, "-c", "DELETE FROM job")


def invitation(page, server):
    page.goto(server.url + "/settings/household")
    page.click('form[action="/settings/invitations"] button')
    return page.input_value("#invitation-link")


def test_every_page_is_in_the_list(server):
    table = [line.split() for line in server.run("routes").splitlines()]
    routes = {path for method, path, *_ in table if method == "GET" and not path.startswith("/api/")}
    assert routes == set(SIGNED_OUT) | set(SIGNED_IN) | UNTESTED
