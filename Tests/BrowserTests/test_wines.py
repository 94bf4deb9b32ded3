"""Wine lists in the browser: import, search, scan, badges and wine pages; and the live camera with a drawn video."""

import contextlib

import pytest
from PIL import Image, ImageDraw, ImageFont

from browser import CHROMIUM
from conftest import PHONE
from person import READING_MS, Person
from server import PROJECT, psql

MENU = PROJECT / "../shared/wine/menu_en_red.png"
needs_menu = pytest.mark.skipif(not MENU.exists(), reason="there is no picture of a wine list")
CATALOGUE = """producer;name;vintage;country;region;colour;points;critic;drink from;drink until;price
Roco;Gravel Road Pinot Noir;;USA;Willamette Valley;red;93;AB;2020;2090;28
La Crema;Pinot Noir;;USA;Monterey;red;88;AB;2020;2090;19
Elouan;Pinot Noir;;USA;Oregon;red;86;AB;;;15
Alta Vista;Estate Malbec;2017;Argentina;Mendoza;red;91;AB;2020;2090;14
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
def test_a_photo_of_a_wine_list_gets_badges_and_its_wines_have_pages(server, person, check_page, tmp_path, language):
    anna = anna_with_wines(server, person, tmp_path, locale=language)
    page = anna.page
    page.fill("[data-search]", "Alta Vista Estate Malbec")
    page.keyboard.press("Enter")
    page.wait_for_url("**/wines?search=*")
    assert "Alta Vista" in page.locator(".wines a").first.inner_text()
    anna.go("/wines/scan")
    page.locator("input[name=files]").last.set_input_files(str(MENU))
    page.wait_for_selector("[data-list]", timeout=READING_MS)
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
    check_page(page, "wine list", ("light", "dark"))
    page.click("button[formaction='/wines/scan/list?points=90']")
    page.wait_for_url("**/wines/scan/list?points=90")
    page.locator("[data-entry] .title a").first.click()
    page.wait_for_url("**/wines/*-*")
    check_page(page, "wine", ("light", "dark"))


@needs_menu
def test_a_list_is_scanned_and_filtered_without_scripts(server, person, tmp_path):
    anna = anna_with_wines(server, person, tmp_path, java_script_enabled=False)
    page = anna.go("/wines/scan")
    page.locator("input[name=files]").last.set_input_files(str(MENU))
    page.click("form[action='/wines/scan'] button", timeout=READING_MS)
    page.wait_for_selector("[data-list]", timeout=READING_MS)
    assert page.locator("[data-entry]").count() > 0
    page.click("button[formaction='/wines/scan/list?sort=score']")
    page.wait_for_url("**/wines/scan/list?sort=score")
    assert page.locator("[data-entry]").count() > 0


def test_a_page_without_permission_for_the_camera_says_so(server, person, tmp_path):
    page = anna_with_wines(server, person, tmp_path).go("/wines/scan")
    page.evaluate("""() => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    }""")
    page.click("[data-start]")
    page.wait_for_function("document.querySelector('.live [data-status]').textContent.length > 20")
    assert page.locator("input[name=files]").count() == 2


def draw_video(path, page, drops, size=(720, 912)):
    """Draws a YUV4MPEG2 video of the page with five frames per second. `drops` are the pixels by which each frame is shifted
    down."""
    width, height = size
    with open(path, "wb") as video:
        video.write(f"YUV4MPEG2 W{width} H{height} F5:1 Ip A1:1 C420jpeg\n".encode())
        for drop in drops:
            frame = Image.new("RGB", size, "white")
            frame.paste(page, (20, drop))
            light, blue, red = frame.convert("YCbCr").split()
            half = (width // 2, height // 2)
            video.write(b"FRAME\n" + light.tobytes() + blue.resize(half).tobytes() + red.resize(half).tobytes())


@contextlib.contextmanager
def phone_with_camera(server, chromium, anna, video, errors):
    """Anna's phone, whose camera shows the video."""
    browser = chromium.browser_type.launch(
        executable_path=CHROMIUM,
        args=["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
              f"--use-file-for-fake-video-capture={video}"])
    context = browser.new_context(**PHONE, locale="de-AT", permissions=["camera"])
    context.add_cookies(anna.page.context.cookies())
    phone = Person(context.new_page(), server.url, errors)
    page = phone.go("/wines/scan")
    page.click("[data-start]")
    yield page
    browser.close()


@needs_menu
def test_a_running_camera_gets_badges_and_nothing_is_stored(server, chromium, person, tmp_path):
    anna = anna_with_wines(server, person, tmp_path)
    video = tmp_path / "list.y4m"
    draw_video(video, Image.open(MENU).convert("RGB").resize((680, 852)), range(20))
    errors = []
    with phone_with_camera(server, chromium, anna, video, errors) as page:
        check_live_badges(server, page)
    # Frames that come too early are refused, and the browser logs that.
    assert [error for error in errors if "429" not in error] == []


def check_live_badges(server, page):
    badges = page.locator(".live .badges a")
    badges.first.wait_for(timeout=READING_MS)
    # Reads both in one call, because the next frame replaces the badges.
    picture, tops = page.evaluate("""() => [
        document.querySelector('.live .viewer').getBoundingClientRect(),
        [...document.querySelectorAll('.live .badges a')].map((badge) => badge.getBoundingClientRect().top),
    ]""")
    assert all(picture["top"] - 40 <= top <= picture["bottom"] + 40 for top in tops)
    known = page.locator(".live [data-entries] a")
    known.first.wait_for()
    assert known.first.get_attribute("href").startswith("/wines/")
    page.click("[data-stop]")
    assert psql(server.database, "-At", "-c", "SELECT count(*) FROM wine_scan").strip() == "0"
    assert int(psql(server.database, "-At", "-c", "SELECT sum(count) FROM wine_counter WHERE name = 'frames'").strip()) > 0


# The printed lines of a list, which begin with the wines of the catalogue, and the distance between them in pixels.
LINES = ["Roco Gravel Road Pinot Noir", "La Crema Pinot Noir Monterey", "Elouan Pinot Noir Oregon", "Alta Vista Estate Malbec"]
PITCH = 140

# The badges of wines and how far each is from the middle of its line, in pixels of the video. The black square at the left
# edge of the frame shows how far the page has moved.
DISTANCES = """([lines, pitch]) => {
    const video = document.querySelector('.live video'), frame = video.getBoundingClientRect();
    const canvas = Object.assign(document.createElement('canvas'), { width: video.videoWidth, height: video.videoHeight });
    const context = canvas.getContext('2d');
    context.drawImage(video, 0, 0);
    const column = context.getImageData(30, 0, 1, canvas.height).data;
    let drop = 0;
    while (drop < canvas.height && column[4 * drop] > 100) drop++;
    return [...document.querySelectorAll('.live .badges a')].flatMap((badge) => {
        const line = lines.findIndex((text) => badge.getAttribute('aria-label').startsWith(text.split(' Pinot')[0]));
        const box = badge.querySelector('.mark').getBoundingClientRect();
        const middle = ((box.top + box.bottom) / 2 - frame.top) * canvas.height / frame.height;
        return line < 0 ? [] : [{ line, distance: Math.abs(middle - (drop + 130 + line * pitch)) }];
    });
}"""


def test_badges_stay_on_their_wines_while_the_list_moves(server, chromium, person, tmp_path):
    anna = anna_with_wines(server, person, tmp_path)
    sheet = Image.new("RGB", (680, 820), "white")
    draw = ImageDraw.Draw(sheet)
    draw.rectangle((0, 0, 24, 24), fill="black")
    face = ImageFont.load_default(28)
    for number, line in enumerate(LINES):
        # The catalogue has another vintage of the last wine.
        text = f"{line} 2019" if line == LINES[-1] else line
        draw.text((60, 130 + number * PITCH), text, fill="black", font=face, anchor="lm")
        draw.text((660, 130 + number * PITCH), f"{30 + number},00", fill="black", font=face, anchor="rm")
    video = tmp_path / "moving.y4m"
    wave = list(range(0, 60, 3))
    draw_video(video, sheet, wave + wave[::-1])
    with phone_with_camera(server, chromium, anna, video, []) as page:
        page.locator(".live [data-entries] a").nth(3).wait_for(timeout=READING_MS)
        found = []
        for _ in range(12):
            page.wait_for_timeout(350)
            found += page.evaluate(DISTANCES, [LINES, PITCH])
        assert {one["line"] for one in found} == {0, 1, 2, 3}
        # The page moves by 60 pixels, so badges that did not move with the page would be farther from their lines.
        distances = sorted(one["distance"] for one in found)
        assert distances[len(distances) * 9 // 10] < 25, distances
        assert page.locator(".live .badges a[aria-label^='Alta Vista'] .vintage").text_content() == "2017"
        badge = page.locator(".live .badges a[aria-label^='Alta Vista']").bounding_box()
        page.mouse.click(badge["x"] + badge["width"] / 2, badge["y"] + badge["height"] / 2)
        page.wait_for_url("**/wines/*-*")
        assert "Estate Malbec" in page.locator("h1").inner_text()
