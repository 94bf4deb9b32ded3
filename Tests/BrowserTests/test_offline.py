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
from conftest import PHONE, WAIT_MS
from person import Person, RECEIPT, until
from server import PROJECT, psql
from waiting import wait_until

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
        context.set_default_timeout(WAIT_MS)
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


def wait_until_version_is_known(page):
    """Waits until the page has received the version of its server, which is the first message of its stream. The page
    passes recent messages on to a page that asks for them."""
    page.evaluate("""() => new Promise((done) => {
        const channel = new BroadcastChannel("changes");
        channel.onmessage = ({ data }) => { if (data.missed === undefined) { channel.close(); done(); } };
        channel.postMessage({ missed: performance.now() });
    })""")


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
        until(page, """async () => {
            const pictures = [...document.querySelectorAll('[data-photo] img')];
            return pictures.length === 3 && pictures.every(i => i.complete && i.naturalWidth);
        }""")
        check_page(page, "offline with photos", ("light", "dark"))
        kill(tmp_path / "profile")
    server.start()
    with phone(server) as anna:
        anna.go("/receipts")
        expect(anna.page.locator("[data-waiting] [data-photo]")).to_have_count(0)
        until(anna.page, "async () => (await queue.all()).length === 0")
        assert receipts(server, email) == "3|3"
        # Sends the same photo twice, as if the phone had been killed before the answer arrived. The result is one receipt.
        sent = anna.page.evaluate("""async () => {
            const bytes = crypto.getRandomValues(new Uint8Array(5000));
            bytes.set([255, 216, 255, 192, 0, 11, 8, 0, 200, 0, 100, 1, 1, 17, 0]);
            const photo = new File([bytes], "twice.jpg", { type: "image/jpeg" });
            const id = queue.identifier();
            // Sends it again if a timer of the page or the service worker was faster, because only the sender gets the answer.
            const send = async () => {
                for (let attempt = 0; attempt < 50; attempt++) {
                    await queue.add(photo, { id });
                    const receipt = (await queue.flush()).get(id);
                    if (receipt) return receipt.href;
                    await new Promise((done) => setTimeout(done, 100));
                }
            };
            return [await send(), await send()];
        }""")
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
    """Kills Chromium without letting it write anything, as a phone's system kills apps. Waits until its processes have
    ended, because the next browser locks the same files."""
    def processes():
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"--user-data-dir={profile}".encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                    yield int(folder.name)

    for process in processes():
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    wait_until(lambda: not any(processes()), "Chromium was not killed")


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


def test_leaving_the_household_asks_before_waiting_photos_are_lost(server, person):
    anna = person(server)
    household(server, anna)
    page = anna.page
    ready(page)
    page.evaluate("async () => { await queue.add(new File([new Uint8Array(9)], 'x.jpg', { type: 'image/jpeg' })); }")
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.message), dialog.accept()))
    for path, form, password in (
        ("/settings/account", "/settings/account/removal", "#leave-current"),
        ("/settings/household/deletion", "/settings/household/deletion", "#current"),
    ):
        anna.go(path)
        if page.locator("#household").count():
            page.fill("#household", "Haus Berger")
        page.fill(password, "falsch falsch 1")
        with page.expect_navigation():
            page.click(f'form[action="{form}"] button')
        # A wrong password deletes nothing.
        assert page.locator(f"{password}-error").is_visible()
        assert page.evaluate("async () => (await queue.all()).length") == 1
    assert len(questions) == 2 and all("nicht gesendet" in question for question in questions)


def test_a_second_member_in_the_browser_finds_no_data_of_the_first(server, person):
    anna = person(server)
    household(server, anna)
    ready(anna.page)
    anna.page.evaluate("async () => { await queue.add(new File([new Uint8Array(9)], 'x.jpg', { type: 'image/jpeg' })); await queue.keep('data', { secret: true }); }")
    anna.page.context.clear_cookies()
    household(server, anna)
    # The page stores its owner after it has deleted the data of the first one.
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
    # Without the stream of changes, whose messages would replace the mark below.
    anna.page.add_init_script("delete globalThis.EventSource")
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
    page.evaluate("""async () => {
        const photo = () => {
            const bytes = crypto.getRandomValues(new Uint8Array(5000));
            bytes.set([255, 216, 255, 192, 0, 11, 8, 0, 200, 0, 100, 1, 1, 17, 0]);
            return new File([bytes], "photo.jpg", { type: "image/jpeg" });
        };
        // The server answers 400 to this identifier.
        await queue.add(photo(), { id: "broken" });
        await new Promise((done) => setTimeout(done, 10));
        await queue.add(photo());
        await queue.flush();
    }""")
    # The page also sends waiting photos when it begins, and may send one of them first.
    until(page, "async () => (await queue.all()).map((entry) => entry.id).join() === 'broken'")
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
