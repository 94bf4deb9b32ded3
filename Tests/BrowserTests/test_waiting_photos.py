"""Photos that wait on a phone until it has a connection. Each photo arrives exactly once."""

import contextlib
import os
import pathlib
import signal

import pytest
from PIL import Image
from playwright.sync_api import Error, expect

from browser import CHROMIUM
from conftest import PHONE, WAIT_MS
from offline import household, ready
from person import Person, until
from server import psql
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
    # The page also sends waiting photos after it was loaded, possibly before `flush` does.
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
