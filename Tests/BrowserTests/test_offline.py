"""The app on a phone without a connection, and its installation. Signing out deletes the data on the phone."""

import json
import re
import shutil

from playwright.sync_api import expect

from offline import household, ready
from person import RECEIPT, until
from server import PROJECT


def wait_until_version_is_known(page):
    """Waits until the page has received the version of its server, which is the first message of its stream. A tab repeats
    its recent messages after a message with `missed`."""
    page.evaluate("""() => new Promise((done) => {
        const channel = new BroadcastChannel("changes");
        channel.onmessage = ({ data }) => { if (data.missed === undefined) { channel.close(); done(); } };
        channel.postMessage({ missed: performance.now() });
    })""")


def test_signing_out_deletes_all_data_and_a_lost_session_deletes_the_offline_data(server, person):
    anna = person(server)
    email = household(server, anna)
    page = anna.page
    ready(page)
    kept = "async () => (await indexedDB.databases()).some(d => d.name === 'allesteurer') ? [await queue.kept('data') ?? null, (await queue.all()).length] : [null, 0]"
    assert page.evaluate(kept)[0]["owner"]
    page.context.clear_cookies(name="__Host-session")
    page.goto(server.url + "/sign-in")
    until(page, "async () => !(await queue.kept('data'))")
    anna.sign_in(email)
    ready(page)
    page.evaluate("async () => { await queue.add(new File([new Uint8Array(9)], 'x.jpg', { type: 'image/jpeg' })); }")
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.message), dialog.accept()))
    anna.sign_out()
    assert len(questions) == 1 and "nicht gesendet" in questions[0]
    assert page.evaluate(kept) == [None, 0]
    assert page.evaluate("async () => [(await caches.keys()).length, (await navigator.serviceWorker.getRegistrations()).length]") == [0, 0]


def test_a_second_member_in_the_browser_finds_no_data_of_the_first(server, person):
    anna = person(server)
    household(server, anna)
    ready(anna.page)
    anna.page.evaluate("async () => { await queue.add(new File([new Uint8Array(9)], 'x.jpg', { type: 'image/jpeg' })); await queue.keep('data', { secret: true }); }")
    anna.page.context.clear_cookies()
    household(server, anna)
    # The page stores the second member as its owner after it has deleted the data of the first member.
    until(anna.page, "async () => (await queue.kept('owner')) === queue.owner")
    ready(anna.page)
    assert anna.page.evaluate("async () => [(await queue.all()).length, (await queue.kept('data')).secret ?? null]") == [0, None]


def test_an_open_page_loads_the_new_version_after_an_upgrade(server, person, tmp_path):
    anna = person(server)
    household(server, anna)
    page = anna.page
    ready(page)
    wait_until_version_is_known(page)
    before = page.get_attribute("link[rel=stylesheet]", "href")
    cache = page.evaluate("caches.keys()")
    public = tmp_path / "Public"
    shutil.copytree(PROJECT / "Public", public)
    with open(public / "css/tokens.css", "a") as css:
        css.write("\n:root { --of-the-new-version: 1; }\n")
    server.extra_settings = {"PUBLIC": public}
    server.stop()
    server.start()
    try:
        # The open tab says that it has an old version.
        page.wait_for_selector("[data-news]:visible:has-text('aktualisiert')")
        anna.go("/products")
        assert page.get_attribute("link[rel=stylesheet]", "href") != before
        assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--of-the-new-version')") == "1"
        page.evaluate("navigator.serviceWorker.getRegistration().then(r => r.update())")
        until(page, "async old => { const now = await caches.keys(); return now.length === 1 && now[0] !== old; }", arg=cache[0])
        page.context.set_offline(True)
        server.stop()
        page.goto(server.url + "/products")
        assert page.inner_text("h1") == "Keine Verbindung"
        assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--of-the-new-version')") == "1"
    finally:
        server.extra_settings = {}
        server.stop()
        server.start()


def test_without_a_connection_the_offline_data_is_shown_with_its_date(server, person, check_page):
    printed = server.run("demo")
    email, password = (re.search(rf"{word}\s+(\S+)", printed)[1] for word in ("e-mail", "password"))
    anna = person(server)
    anna.sign_in(email, password)
    page = anna.page
    ready(page)
    size = page.evaluate("async () => JSON.stringify(await queue.kept('data')).length")
    assert size < 1_000_000
    outside = []
    page.on("request", lambda request: None if request.url.startswith((server.url, "blob:", "data:")) else outside.append(request.url))
    page.context.set_offline(True)
    server.stop()
    try:
        page.goto(server.url + "/compare")
        page.wait_for_selector("[data-prices]:visible")
        assert page.locator("[data-as-of]").first.inner_text() and page.is_visible("text=Stand:")
        assert page.locator("[data-receipts] li").count() > 10
        count = page.locator("[data-prices] li").count()
        page.fill("#price-search", "butter")
        found = page.locator("[data-prices] .title").all_inner_texts()
        assert 0 < len(found) < count and "butter" in " ".join(found).lower()
        page.locator("[data-prices] summary").first.click()
        assert page.locator("[data-prices] td .money").first.inner_text()
        page.locator("[data-receipts] summary").first.click()
        check_page(page, "offline data", ("light", "dark"))
        assert outside == []
    finally:
        server.start()


def test_without_a_connection_the_search_finds_the_best_wines_and_those_that_the_member_saved(server, person, tmp_path, check_page):
    anna = person(server)
    household(server, anna)
    page = anna.go("/wine-import")
    table = tmp_path / "wines.csv"
    rows = [f"Weingut {n};Riesling Lage {n};white;{99 - n // 300};AB" for n in range(5_100)] + ["Keller;Mosel Spätlese;sweet;;"]
    table.write_text("producer;name;colour;points;critic\n" + "\n".join(rows))
    page.set_input_files("#file", str(table))
    page.click("form[action='/wine-import'] button")
    page.wait_for_selector("table")
    page.click("form[action$='/confirmation'] button")
    page.wait_for_url("**/wines")
    anna.go("/wines?search=Mosel%20Sp%C3%A4tlese")
    page.click(".wines a")
    page.check("input[name=saved]")
    page.click("form[action$='/mark'] .button.main")
    page.wait_for_load_state()
    # Marks the offline data as outdated, so that the next page loads it again.
    page.evaluate("queue.keep('change', queue.identifier())")
    anna.go("/wines")
    ready(page)
    # The outdated data may already have 5,000 wines, but it lacks the saved wine.
    until(page, """async () => {
        const wines = (await queue.kept('data')).wines ?? [];
        return wines.length === 5000 && JSON.stringify(wines[0]).includes('Spätlese');
    }""")
    assert page.evaluate("async () => JSON.stringify(await queue.kept('data')).length") < 1_000_000
    page.context.set_offline(True)
    server.stop()
    try:
        page.goto(server.url + "/wines")
        rows = page.locator("[data-wines] li")
        rows.first.wait_for()
        # The saved wine comes first, although it has no score. The others follow by score.
        assert "Spätlese" in rows.nth(0).inner_text() and "99" in rows.nth(1).inner_text()
        page.fill("#wine-search", "spatlese keller")
        expect(rows).to_have_count(1)
        page.fill("#wine-search", "lage 4321")
        expect(rows).to_have_count(1)
        assert "Weingut 4321" in rows.inner_text()
        check_page(page, "offline wines", ("light", "dark"))
        # The wines with the lowest scores are not kept.
        page.fill("#wine-search", "lage 5099")
        expect(rows).to_have_count(0)
        assert page.is_visible("[data-no-wine]")
    finally:
        server.start()


def test_offline_data_is_loaded_again_after_a_page_was_left_during_the_load(server, person):
    anna = person(server)
    # Without the stream of changes, whose messages would replace the mark below.
    anna.page.add_init_script("delete globalThis.EventSource")
    household(server, anna)
    page = anna.page
    ready(page)
    page.evaluate("queue.keep('change', 'later')")
    requests = []

    def route_request(route):
        # The first request is never answered. It is not released by `unroute`, which would send it before the page is left.
        requests.append(route)
        if len(requests) > 1:
            route.continue_()

    page.route("**/offline/data", route_request)
    with page.expect_request("**/offline/data"):
        page.goto(server.url + "/receipts")
    with page.expect_response("**/offline/data"):
        page.goto(server.url + "/receipts")
    until(page, "async () => (await queue.kept('data')).change === 'later'")


def test_the_app_can_be_installed(server, person):
    """The conditions under which browsers offer to install an app: manifest, icons, screenshots and service worker."""
    anna = person(server)
    household(server, anna)
    page = anna.page
    ready(page)
    manifest = page.request.get(server.url + page.get_attribute("link[rel=manifest]", "href"))
    assert manifest.headers["content-type"] == "application/manifest+json"
    app = json.loads(manifest.text())
    assert {"id", "name", "short_name", "lang", "start_url", "scope", "theme_color", "background_color"} <= app.keys()
    assert app["display"] == "standalone"
    icons = {(icon["sizes"], icon["purpose"]) for icon in app["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("192x192", "maskable"), ("512x512", "maskable")} <= icons
    for picture in app["icons"] + app["screenshots"] + [icon for shortcut in app["shortcuts"] for icon in shortcut["icons"]]:
        answer = page.request.get(server.url + picture["src"])
        assert (answer.status, answer.headers["content-type"]) == (200, picture["type"]), picture["src"]
        if picture["type"] == "image/png":
            width, height = (int.from_bytes(answer.body()[at:at + 4]) for at in (16, 20))
            assert picture["sizes"] == f"{width}x{height}", picture["src"]
    forms = {screenshot["form_factor"] for screenshot in app["screenshots"]}
    assert forms == {"narrow", "wide"}
    for path in [app["start_url"], *(shortcut["url"] for shortcut in app["shortcuts"])]:
        assert page.request.get(server.url + path).status == 200
    client = page.context.new_cdp_session(page)
    report = client.send("Page.getAppManifest")
    assert report["errors"] == []
    assert client.send("Page.getInstallabilityErrors")["installabilityErrors"] in ([], [{"errorId": "in-incognito", "errorArguments": []}])
    target = app["share_target"]
    assert (target["action"], target["method"], target["enctype"]) == ("/receipts/shared", "POST", "multipart/form-data")


def test_the_shortcut_of_the_app_focuses_a_large_camera_button(server, person, receipts):
    anna = person(server)
    household(server, anna)
    page = anna.page
    manifest = page.request.get(server.url + page.get_attribute("link[rel=manifest]", "href")).json()
    anna.go(manifest["shortcuts"][0]["url"])
    camera = page.locator("[capture]")
    expect(camera).to_be_focused()
    assert camera.bounding_box()["height"] >= page.viewport_size["height"] / 3
    with page.expect_file_chooser() as chooser:
        camera.tap()
    chooser.value.set_files(receipts[0])
    page.wait_for_url(RECEIPT)
