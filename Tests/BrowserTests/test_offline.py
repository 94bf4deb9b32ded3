"""The app on a phone without a connection. Each photo arrives exactly once; signing out deletes the data on the phone."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal

import pytest
from PIL import Image
from playwright.sync_api import Error, expect

from browser import CHROMIUM
from conftest import PHONE
from person import Person, RECEIPT, until
from server import PROJECT, psql

OPTIONS = {"executable_path": CHROMIUM, "args": ["--no-sandbox"]}


def photo(folder, name):
    """A photo of noise, which differs each time and is small enough for an upload in one part."""
    Image.frombytes("L", (300, 300), os.urandom(90_000)).save(folder / name, "JPEG")
    return folder / name


@pytest.fixture
def phone(chromium, tmp_path):
    """A browser with its own profile, which can be killed and started again."""
    engine, errors = chromium.browser_type, []

    @contextlib.contextmanager
    def start(server):
        context = engine.launch_persistent_context(tmp_path / "profile", **OPTIONS, **PHONE, locale="de-AT")
        context.set_default_timeout(30_000)
        yield Person(context.pages[0], server.url, errors)
        with contextlib.suppress(Error):
            context.close()

    return start


def ready(page):
    """Waits until the service worker controls this page and the offline data is stored."""
    until(page, """async () => {
        if (!navigator.serviceWorker.controller) return false;
        return Boolean(await queue.kept("data"));
    }""")


def household(server, anna):
    link = server.setup_link(another=bool(server.households))
    server.households.append(1)
    anna.enter(link, "Anna Berger", f"anna{len(server.households)}@example.at", household="Haus Berger")
    return f"anna{len(server.households)}@example.at"


def receipts(server, email):
    """The number of a member's receipts, and of different files among them, as "3|3"."""
    return psql(server.database, "-At", "-c", f"""SELECT count(*), count(DISTINCT f.digest) FROM receipt r
        JOIN receipt_file f ON f.household_id = r.household_id AND f.receipt_id = r.id
        JOIN person p ON p.id = r.person_id WHERE p.login = '{email}'""")


def test_three_photos_without_reception_are_three_receipts_after_the_browser_was_killed(server, phone, tmp_path, check_page):
    with phone(server) as anna:
        email = household(server, anna)
        ready(anna.page)
        # Closes the browser properly once, because a killed Chromium may lose the cookies of the last 30 seconds.
    server.stop()
    with phone(server) as anna:
        page = anna.page
        page.context.set_offline(True)
        page.goto(server.url + "/receipts/new")
        assert page.inner_text("h1") == "Keine Verbindung"
        page.set_input_files("input[multiple]", [photo(tmp_path, f"bon-{n}.jpg") for n in range(3)])
        rows = page.locator("[data-waiting] [data-photo]")
        expect(rows).to_have_count(3)
        assert page.evaluate("[...document.querySelectorAll('[data-photo] img')].every(i => i.complete && i.naturalWidth)")
        check_page(page, "offline with photos", ("light", "dark"))
        kill(tmp_path / "profile")
    server.start()
    with phone(server) as anna:
        anna.go("/receipts")
        expect(anna.page.locator("[data-waiting] [data-photo]")).to_have_count(0)
        until(anna.page, "async () => (await queue.all()).length === 0")
        assert receipts(server, email) == "3|3"
        # Sends the same photo twice, as if the phone had been killed before the answer arrived. The result is one receipt.
        twice_sent = anna.page.evaluate("""async () => {
            const bytes = crypto.getRandomValues(new Uint8Array(5000));
            bytes.set([255, 216, 255, 192, 0, 11, 8, 0, 200, 0, 100, 1, 1, 17, 0]);
            return (await queue.add(new File([bytes], "twice.jpg", { type: "image/jpeg" }))).id;
        }""")
        sent = anna.page.evaluate("""async (id) => {
            const [entry] = (await queue.all()).filter((entry) => entry.id === id);
            const first = (await queue.flush()).get(id)?.href;
            await queue.add(new File([entry.blob], entry.name, { type: entry.blob.type }), { id });
            return [first, (await queue.flush()).get(id)?.href];
        }""", twice_sent)
        assert sent[0] and sent[0] == sent[1]
        assert receipts(server, email) == "4|4"


def test_a_photo_is_kept_if_the_connection_returns_while_the_camera_is_open(server, phone, tmp_path):
    with phone(server) as anna:
        household(server, anna)
        page = anna.page
        ready(page)
        server.stop()
        try:
            page.context.set_offline(True)
            page.goto(server.url + "/receipts/new")
            assert page.inner_text("h1") == "Keine Verbindung"
            page.evaluate("globalThis.isSamePage = true")
            with page.expect_file_chooser() as chooser:
                page.locator("label.picker").nth(1).click()
            # The phone has reception again, so the page would load itself again.
            page.evaluate("dispatchEvent(new Event('online'))")
            chooser.value.set_files([photo(tmp_path, "bon.jpg")])
            expect(page.locator("[data-waiting] [data-photo]")).to_have_count(1)
            assert page.evaluate("globalThis.isSamePage")
            # On a device without free space, the page shows a message, which stays when the connection returns.
            page.evaluate("() => { queue.add = async () => { throw new Error('no space'); }; }")
            assert page.locator("[data-unsaved]").is_hidden()
            page.set_input_files("input[multiple]", [photo(tmp_path, "voll.jpg")])
            expect(page.locator("[data-unsaved]")).to_be_visible()
            page.evaluate("dispatchEvent(new Event('online'))")
            assert page.evaluate("globalThis.isSamePage")
        finally:
            server.start()


def kill(profile):
    """Kills Chromium without letting it write anything, as a phone's system kills apps."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"--user-data-dir={profile}".encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)


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
    ready(anna.page)
    assert anna.page.evaluate("async () => [(await queue.all()).length, (await queue.kept('data')).secret ?? null]") == [0, None]


def test_an_open_page_loads_the_new_version_after_an_upgrade(server, person, tmp_path):
    anna = person(server)
    household(server, anna)
    page = anna.page
    ready(page)
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
    page.wait_for_url("**/wines", timeout=60_000)
    anna.go("/wines?search=Mosel%20Sp%C3%A4tlese")
    page.click(".wines a")
    page.check("input[name=saved]")
    page.click("form[action$='/mark'] .button.main")
    page.wait_for_load_state()
    # Marks the offline data as outdated, so that the next page loads it again.
    page.evaluate("queue.keep('change', queue.identifier())")
    anna.go("/wines")
    ready(page)
    # The older data may have 5,000 wines already, but not the saved one.
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
    household(server, anna)
    page = anna.page
    ready(page)
    page.evaluate("queue.keep('change', 'later')")
    requests = []

    def route_request(route):
        # The first request stays unanswered. `unroute` would send it to the server before the page is left.
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


def test_a_photo_stays_stored_while_another_tab_is_sending_it(server, person, tmp_path):
    anna = person(server)
    email = household(server, anna)
    page = anna.go("/")
    ready(page)
    # As if another tab held the locks of all photos.
    page.evaluate("""() => {
        const request = navigator.locks.request.bind(navigator.locks);
        navigator.locks.request = (name, ...rest) => name.startsWith("upload ") ? Promise.resolve(null) : request(name, ...rest);
    }""")
    page.set_input_files("body > input[capture]", photo(tmp_path, "camera.jpg"))
    page.wait_for_selector(".busy .buttons")
    anna.go("/receipts")
    until(page, "async () => (await queue.all()).length === 0")
    assert receipts(server, email) == "1|1"


def test_a_photo_that_cannot_be_sent_does_not_block_the_others(server, person):
    anna = person(server)
    email = household(server, anna)
    page = anna.go("/receipts")
    ready(page)
    sent = page.evaluate("""async () => {
        const photo = () => {
            const bytes = crypto.getRandomValues(new Uint8Array(5000));
            bytes.set([255, 216, 255, 192, 0, 11, 8, 0, 200, 0, 100, 1, 1, 17, 0]);
            return new File([bytes], "photo.jpg", { type: "image/jpeg" });
        };
        // The server answers 400 to this identifier.
        await queue.add(photo(), { id: "broken" });
        await new Promise((done) => setTimeout(done, 10));
        const { id } = await queue.add(photo());
        return (await queue.flush()).has(id);
    }""")
    assert sent
    assert page.evaluate("async () => (await queue.all()).map((entry) => entry.id)") == ["broken"]
    assert receipts(server, email) == "1|1"


def test_a_photo_for_another_household_of_the_person_waits_until_that_household_is_open(server, person):
    anna = person(server)
    email = household(server, anna)
    page = anna.page
    ready(page)
    left = page.evaluate("""async () => {
        const none = "00000000-0000-0000-0000-000000000000";
        const photo = () => new File([crypto.getRandomValues(new Uint8Array(2000))], "photo.jpg", { type: "image/jpeg" });
        await queue.add(photo(), { id: "other household", belongsTo: `${none}.${queue.owner.split(".")[1]}` });
        await queue.add(photo(), { id: "other person", belongsTo: `${none}.${none}` });
        // As if the person had just switched from the other household.
        await queue.keep("owner", `${none}.${none}`);
        await queue.claim(queue.owner);
        await queue.flush();
        return (await queue.all()).map((entry) => entry.id);
    }""")
    assert left == ["other household"]
    assert receipts(server, email) == "0|0"


def test_a_shared_photo_waits_in_the_queue_and_arrives(server, person, tmp_path):
    anna = person(server)
    email = household(server, anna)
    page = anna.page
    ready(page)
    # Sends the form that a phone sends when another app shares a file with this app.
    page.evaluate("""() => {
        const form = Object.assign(document.createElement("form"), { method: "post", action: "/receipts/shared", enctype: "multipart/form-data", id: "share" });
        form.append(Object.assign(document.createElement("input"), { type: "file", name: "files" }));
        document.body.append(form);
    }""")
    page.set_input_files("#share input", photo(tmp_path, "shared.jpg"))
    page.evaluate("document.getElementById('share').submit()")
    page.wait_for_url("**/receipts/new")
    expect(page.locator(".queue .open:visible")).to_have_count(1)
    until(page, "async () => (await queue.all()).length === 0")
    assert receipts(server, email) == "1|1"
