"""Fixtures of the browser tests: servers with their own databases, a real Chromium, receipts, and checks of a page.

The tests run in several processes. Tests of one module run in one process, one after another, because they share its
server; the tests of test_pages.py run in one process per viewer (a size of window, with or without touch).
"""

import os
import pathlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from browser import CHROMIUM
from certificate import make_certificate
from draw_receipts import draw_all
from person import Person
from server import Server

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 900}, "has_touch": False}
NARROW = 320
SECURE_NAME = "house.test"
REAL = ["rr_rewe_01.jpg", "ebon_rewe_1.pdf", "rr_aldi_01.jpg"]
# The default of 5 seconds is too short on a busy machine.
WAIT_MS = 120_000
expect.set_options(timeout=WAIT_MS)
AXE = Axe().axe_script
# Without details of passed checks, because collecting them takes longer than the checks.
RULES = {"rules": {"target-size": {"enabled": True}}, "resultTypes": ["violations"]}
RUN_AXE = """rules => axe.run(document, rules).then(({violations}) =>
    violations.map(({id, nodes}) => [id, nodes.map(node => node.html.slice(0, 160))]))"""


def pytest_collection_modifyitems(items):
    """Puts tests that share a server into one group, because pytest-xdist runs the tests of a group in one process."""
    for item in items:
        viewer = item.callspec.params.get("viewer", "") if hasattr(item, "callspec") else ""
        item.add_marker(pytest.mark.xdist_group(f"{item.module.__name__} {viewer}"))


def pytest_terminal_summary(terminalreporter):
    """Prints the time of each file, including its fixtures."""
    seconds = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "duration"):
                file = report.nodeid.split("::")[0].rsplit("/")[-1]
                seconds[file] = seconds.get(file, 0) + report.duration
    for file in sorted(seconds, key=seconds.get, reverse=True):
        terminalreporter.write_line(f"{seconds[file]:6.0f} s  {file}")


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        # Chromium's sandbox does not work for root or in containers. The tests open only pages of their own server.
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", f"--host-resolver-rules=MAP {SECURE_NAME} 127.0.0.1"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(request):
    server = Server(f"browser_{pathlib.Path(request.module.__file__).stem}").start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def secure_server(request, tmp_path_factory):
    """A server with TLS and a name other than localhost, as for phones in the network."""
    tls = make_certificate(tmp_path_factory.mktemp("tls"), SECURE_NAME.split(".")[0])
    server = Server(f"secure_{pathlib.Path(request.module.__file__).stem}", SECURE_NAME, tls).start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def receipts(tmp_path_factory):
    """Three real receipts if all of them exist; otherwise drawn ones."""
    folder = pathlib.Path(os.environ.get("ALLESTEURER_TEST_DATA") or "../shared") / "receipts/images"
    real = [folder / name for name in REAL]
    return real if all(path.exists() for path in real) else draw_all(tmp_path_factory.mktemp("receipts"))


@pytest.fixture
def person(chromium):
    """Opens browsers. Errors on their pages make the test fail."""
    contexts, errors = [], []

    def open_browser(server, **options):
        options = {"locale": "de-AT", "ignore_https_errors": server.tls is not None} | PHONE | options
        context = chromium.new_context(**options)
        context.set_default_timeout(WAIT_MS)
        contexts.append(context)
        return Person(context.new_page(), server.url, errors)

    yield open_browser
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def check_page():
    """A function that checks the layout and accessibility of a page. The test fails at its end if any page has findings."""
    findings = []

    def check_page(page, name, schemes=("light",)):
        # A click waits only until the next page begins to load.
        page.wait_for_load_state()
        for scheme in schemes:
            photograph(page, name, scheme)
        page.emulate_media(color_scheme=schemes[0], reduced_motion="reduce")
        findings.extend(f"{name}: {found}" for found in sideways(page) + small_targets(page))
        for scheme in schemes:
            if scheme != schemes[0]:
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            findings.extend(f"{name} ({scheme}): {found}" for found in axe(page))

    yield check_page
    assert findings == []


# Keeps only two of the rows with the same shape: the same elements, classes and attributes, and text in the same
# positions. axe reports the same findings for each of them, and its time grows with the square of their number. Returns
# the ids that occur more than once, because axe cannot find the ids of removed rows.
TWO_OF_EACH_SHAPE = """() => {
    const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    const compared = ["class", "role", "type", "scope", "tabindex"];
    const shape = node => node.nodeType === Node.TEXT_NODE ? (node.data.trim() && "text")
        : node.nodeType !== Node.ELEMENT_NODE ? ""
        : `<${node.localName} ${[...node.attributes].map(({name, value}) =>
            compared.includes(name) || name.startsWith("aria-") && !/-[0-9a-f]{4}-|\\s/.test(value) && value.length < 6
                ? `${name}=${value}` : value.trim() ? name : `${name}=`).sort()}>${[...node.childNodes].map(shape).join("")}</>`;
    for (const list of document.querySelectorAll("ul, ol, tbody, select, datalist, .chart, .page")) {
        const seen = new Map();
        for (const child of [...list.children]) {
            const count = (seen.get(shape(child)) ?? 0) + 1;
            seen.set(shape(child), count);
            if (count > 2) child.remove();
        }
    }
    return twice;
}"""


def axe(page):
    """The findings of axe, an accessibility checker.

    The window is taller than the page, so that no element is partly covered by a bar at the window's edge.
    """
    twice = page.evaluate(TWO_OF_EACH_SHAPE)
    size = page.viewport_size
    height = page.evaluate("document.body.scrollHeight")
    resize(page, size["width"], max(size["height"], 2 * height))
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE)
    violations = page.evaluate(RUN_AXE, RULES)
    if violations:
        # After a change of the colour scheme, some elements briefly have their old colours.
        page.wait_for_timeout(500)
        violations = page.evaluate(RUN_AXE, RULES)
    resize(page, **size)
    found = [f"{id}: {node}" for id, nodes in violations for node in nodes]
    return found + [f"the id {id} is used more than once" for id in twice]


def resize(page, width, height):
    """Changes the size of the window. The page gets the new size asynchronously, so this waits for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height])


def sideways(page):
    """A finding if the page scrolls sideways on the narrowest screen."""
    size = page.viewport_size
    resize(page, NARROW, size["height"])
    width = page.evaluate("document.documentElement.scrollWidth")
    resize(page, **size)
    return [f"{width} px wide on a screen of {NARROW} px"] if width > NARROW else []


# Links within a sentence and boxes inside a label may be smaller than 24 pixels.
SMALL_TARGETS = """() => [...document.querySelectorAll("main :is(a[href], button, select, summary, input:not([type=hidden]))")].filter(target => {
    const box = target.getBoundingClientRect();
    const isSentence = [...target.parentElement.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 3);
    return target.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !target.closest("label, .visually-hidden, [aria-hidden]")
        && !isSentence && Math.min(box.width, box.height) > 2 && Math.min(box.width, box.height) < 23.5;
}).map(target => target.outerHTML.slice(0, 120))"""


def small_targets(page):
    """Findings for links and controls smaller than 24 pixels. axe accepts small ones with space around them."""
    return [f"small target: {target}" for target in page.evaluate(SMALL_TARGETS)]


def photograph(page, name, scheme):
    """Saves a screenshot in the folder ALLESTEURER_TEST_PICTURES, if it is set. People look at the screenshots."""
    if folder := os.environ.get("ALLESTEURER_TEST_PICTURES"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        file = f"{name.strip('/').replace('/', '-') or 'overview'}-{page.viewport_size['width']}-{scheme}.png"
        page.screenshot(path=pathlib.Path(folder) / file, full_page=True)
