"""Every page of the running product, filled with two years of a household: axe finds nothing, nothing scrolls sideways."""

import re

import pytest

from conftest import DESKTOP, PHONE
from draw_receipts import draw_all
from person import Person
from server import psql

LOOKS = {
    "phone-light-de": ("light", "de", PHONE),
    "phone-dark-en": ("dark", "en", PHONE),
    "desktop-dark-de": ("dark", "de", DESKTOP),
    "desktop-light-en": ("light", "en", DESKTOP),
}
BOOKED = "SELECT id FROM receipt WHERE stage = 'confirmed' ORDER BY purchase_day DESC, id LIMIT 1"
WAITING = "SELECT id FROM receipt WHERE stage = 'review' LIMIT 1"
PRODUCT = "SELECT product_id FROM price GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"
GROUP = "SELECT id FROM comparison_group LIMIT 1"
# The route of each page, and the query for what stands in its braces.
SIGNED_OUT = {"/sign-in": None, "/help/phones": None, "/setup/{token}": "link", "/join/{token}": "link"}
SIGNED_IN = {
    "/": None, "/settings": None, "/settings/account": None, "/settings/household": None, "/receipts": None,
    "/receipts/discarded": None, "/receipts/new": None, "/receipts/joins/new": None, "/products": None, "/matching": None,
    "/compare": None, "/compare/groups/new": None, "/import": None, "/receipts/{receipt}": BOOKED,
    "/receipts/{receipt}/review": WAITING, "/receipts/{receipt}/splits/new": WAITING, "/products/{product}": PRODUCT,
    "/products/{product}/merge": PRODUCT, "/compare/groups/{group}": GROUP,
}
# The page of a receipt that is being read, one that is not there, and one that comes in another shape by its query.
MORE = {
    "/receipts/{receipt} reading": "SELECT id FROM receipt WHERE stage = 'reading' LIMIT 1",
    "/not/there": None, "/products?search=zzzz": None, "/receipts?search=zzzz": None,
}
# No pages, and the one that needs a file first: the main job looks at it.
OTHER = {
    "/healthz", "/readyz", "/help/phones/ca.crt", "/export.csv", "/receipts/{receipt}/events", "/import/{file}",
    "/receipts/{receipt}/pages/{page}/display", "/receipts/{receipt}/pages/{page}/preview",
}


@pytest.fixture(scope="module")
def demo(server, chromium, tmp_path_factory):
    """The server with the drawn household and two receipts more: one waits for a person, one for the reader."""
    printed = server.run("demo")
    email, password = (re.search(rf"{word}\s+(\S+)", printed)[1] for word in ("e-mail", "password"))
    anna = Person(chromium.new_page(), server.url, [])
    anna.sign_in(email, password)
    for picture in draw_all(tmp_path_factory.mktemp("receipts"))[:2]:
        anna.wait_until_read(anna.upload_one(picture))
    psql(server.database, "-c", f"UPDATE receipt SET stage = 'reading' WHERE id = ({WAITING})")
    anna.page.close()
    return server, email, password


@pytest.fixture(scope="module", params=LOOKS)
def viewer(request, demo, chromium):
    """A browser with a look of its own, signed in and signed out."""
    server, email, password = demo
    scheme, language, device = LOOKS[request.param]
    psql(server.database, "-c", f"UPDATE person SET language = '{language}'")
    options = {"locale": "de-AT" if language == "de" else "en-GB", "color_scheme": scheme, "reduced_motion": "reduce"}
    contexts = [chromium.new_context(**device, **options) for _ in range(2)]
    anna, guest = (Person(context.new_page(), server.url, []) for context in contexts)
    anna.sign_in(email, password)
    yield server, anna.page, guest.page, scheme, language
    for context in contexts:
        context.close()


@pytest.mark.parametrize("route", [*SIGNED_OUT, *SIGNED_IN, *MORE])
def test_a_page_is_sound(viewer, route, look):
    server, signed_in, signed_out, scheme, language = viewer
    page = signed_out if route in SIGNED_OUT else signed_in
    path, query = route.split()[0], {**SIGNED_OUT, **SIGNED_IN, **MORE}[route]
    if query == "link":
        path = server.setup_link(another=True) if "setup" in route else invitation(signed_in, server)
    elif query:
        path = re.sub(r"{\w+}", psql(server.database, "-At", "-c", query), path)
    answer = page.goto(path if "://" in path else server.url + path)
    assert answer.status == (404 if route == "/not/there" else 200)
    assert page.get_attribute("html", "lang") == language
    look(page, f"{route} {language}", [scheme])


def invitation(page, server):
    page.goto(server.url + "/settings/household")
    page.click('form[action="/settings/invitations"] button')
    return page.input_value("#invitation-link")


def test_every_page_of_the_product_is_looked_at(server):
    table = [line.split() for line in server.run("routes").splitlines()]
    routes = {path for method, path, *_ in table if method == "GET"}
    assert routes == set(SIGNED_OUT) | set(SIGNED_IN) | OTHER
