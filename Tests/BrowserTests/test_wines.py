"""Wine lists in the browser: import, search, scan, badges and wine pages; and the live camera with a drawn video."""

import os

import pytest
from PIL import Image

from conftest import PHONE
from person import Person
from server import PROJECT, psql

MENU = PROJECT / "../shared/wine/menu_en_red.png"
needs_menu = pytest.mark.skipif(not MENU.exists(), reason="there is no picture of a wine list")
CATALOGUE = """producer;name;country;region;colour;points;critic;drink from;drink until;price
Roco;Gravel Road Pinot Noir;USA;Willamette Valley;red;93;AB;2020;2090;28
La Crema;Pinot Noir;USA;Monterey;red;88;AB;2020;2090;19
Elouan;Pinot Noir;USA;Oregon;red;86;AB;;;15
Alta Vista;Estate Malbec;Argentina;Mendoza;red;91;AB;2020;2090;14
"""


def anna_with_wines(server, person, tmp_path, **options):
    """Signs Anna up, and imports the wines above through the pages."""
    number = len(server.households)
    server.households.append(number)
    anna = person(server, **options)
    anna.enter(server.setup_link(another=number > 0), "Anna Berger", f"anna{number}@wein.at", household=f"Haus {number}")
    table = tmp_path / "wines.csv"
    table.write_text(CATALOGUE)
    page = anna.go("/wine-import")
    page.set_input_files("#file", str(table))
    page.click("form[action='/wine-import'] button")
    page.wait_for_selector("table")
    page.click("form[action$='/confirmation'] button")
    page.wait_for_url("**/wines")
    return anna


@needs_menu
@pytest.mark.parametrize("language", ["de-AT", "en-GB"])
def test_a_photo_of_a_list_gets_badges_that_lead_to_sheets(server, person, look, tmp_path, language):
    anna = anna_with_wines(server, person, tmp_path, locale=language)
    page = anna.page
    page.fill("[data-search]", "Alta Vista Estate Malbec")
    page.keyboard.press("Enter")
    page.wait_for_url("**/wines?search=*")
    assert "Alta Vista" in page.locator(".wines a").first.inner_text()
    anna.go("/wines/scan")
    page.locator("input[name=files]").last.set_input_files(str(MENU))
    page.wait_for_selector("[data-list]", timeout=60_000)
    viewer = page.locator(".viewer[data-page='0']")
    viewer.wait_for(state="visible")
    badges = viewer.locator(".badges a")
    badges.first.wait_for()
    assert badges.count() == page.locator("[data-entry]").count() > 0
    # Every badge is on the picture.
    picture = viewer.bounding_box()
    for box in (badge.bounding_box() for badge in badges.all()):
        assert picture["x"] - 40 <= box["x"] <= picture["x"] + picture["width"]
        assert picture["y"] - 40 <= box["y"] <= picture["y"] + picture["height"] + 40
    look(page, "wine list", ("light", "dark"))
    page.click("button[formaction='/wines/scan/list?points=90']")
    page.wait_for_url("**/wines/scan/list?points=90")
    page.locator("[data-entry] .title a").first.click()
    page.wait_for_url("**/wines/*-*")
    look(page, "wine", ("light", "dark"))


@needs_menu
def test_a_list_is_scanned_and_filtered_without_scripts(server, person, tmp_path):
    anna = anna_with_wines(server, person, tmp_path, java_script_enabled=False)
    page = anna.go("/wines/scan")
    page.locator("input[name=files]").last.set_input_files(str(MENU))
    page.click("form[action='/wines/scan'] button")
    page.wait_for_selector("[data-list]")
    assert page.locator("[data-entry]").count() > 0
    page.click("button[formaction='/wines/scan/list?sort=score']")
    page.wait_for_url("**/wines/scan/list?sort=score")
    assert page.locator("[data-entry]").count() > 0


def test_a_camera_that_is_refused_is_explained(server, person, tmp_path):
    page = anna_with_wines(server, person, tmp_path).go("/wines/scan")
    page.evaluate("""() => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    }""")
    page.click("[data-start]")
    page.wait_for_function("document.querySelector('.live [data-status]').textContent.length > 20")
    assert page.locator("input[name=files]").count() == 2


def draw_video(path, picture, frames=20, size=(720, 912)):
    """Draws a video of the picture that moves down slowly, as YUV4MPEG2."""
    width, height = size
    page = Image.open(picture).convert("RGB").resize((width - 40, height - 60))
    with open(path, "wb") as video:
        video.write(f"YUV4MPEG2 W{width} H{height} F5:1 Ip A1:1 C420jpeg\n".encode())
        for number in range(frames):
            frame = Image.new("RGB", size, "white")
            frame.paste(page, (20, number))
            light, blue, red = frame.convert("YCbCr").split()
            half = (width // 2, height // 2)
            video.write(b"FRAME\n" + light.tobytes() + blue.resize(half).tobytes() + red.resize(half).tobytes())


@needs_menu
def test_a_running_camera_gets_badges_and_nothing_is_stored(server, chromium, person, tmp_path):
    anna = anna_with_wines(server, person, tmp_path)
    video = tmp_path / "list.y4m"
    draw_video(video, MENU)
    browser = chromium.browser_type.launch(
        executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
        args=["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
              f"--use-file-for-fake-video-capture={video}"])
    context = browser.new_context(**PHONE, locale="de-AT", permissions=["camera"])
    context.add_cookies(anna.page.context.cookies())
    errors = []
    phone = Person(context.new_page(), server.url, errors)
    page = phone.go("/wines/scan")
    page.click("[data-start]")
    badges = page.locator(".live .badges a")
    badges.first.wait_for(timeout=120_000)
    picture = page.locator(".live .viewer").bounding_box()
    for box in (badge.bounding_box() for badge in badges.all()):
        assert picture["y"] - 40 <= box["y"] <= picture["y"] + picture["height"] + 40
    known = page.locator(".live [data-entries] a")
    known.first.wait_for()
    assert known.first.get_attribute("href").startswith("/wines/")
    page.click("[data-stop]")
    assert psql(server.database, "-At", "-c", "SELECT count(*) FROM wine_scan").strip() == "0"
    assert int(psql(server.database, "-At", "-c", "SELECT sum(count) FROM wine_counter WHERE name = 'frames'").strip()) > 0
    browser.close()
    # Frames that come too early are refused, and the browser logs that.
    assert [error for error in errors if "429" not in error] == []
