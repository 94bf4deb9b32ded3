"""The parts of bin/bench that measure wines: the import of a large catalogue, and live scans."""

import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import threading
import time
import urllib.parse

import bench

PROJECT = pathlib.Path(__file__).parents[2]
ROWS = int(os.environ.get("BENCH_WINES", "500000"))
MENU = pathlib.Path(os.environ.get("ALLESTEURER_TEST_DATA") or PROJECT / "../shared") / "wine/menu_en_red.png"
# The long side of a frame, in pixels.
FRAME = 1280
HOST = f"http://127.0.0.1:{bench.PORT}"


class Peak:
    """Records the peak memory of processes while a block runs, in megabytes."""

    def __init__(self, pids):
        self.pids, self.value, self.ended = pids, 0.0, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self):
        while not self.ended.is_set():
            self.value = max(self.value, bench.resident(self.pids()))
            self.ended.wait(0.1)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


def table(path):
    """Writes a table of ROWS wines with the columns of an import."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("producer,name,vintage,country,region,colour,grapes,price,points,critic,note\n")
        for row in range(ROWS):
            wine = row // 5
            file.write(
                f"Weingut {wine % 30011:x},Ried {wine:x},{2015 + row % 5},Österreich,Wachau,white,Riesling,{10 + row % 90},"
                f"{80 + row % 20},AB,Steinobst und Kräuter {row}\n")


def upload(server, path, field, file, media_type):
    head = f'--cut\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{server.token(path)}\r\n--cut\r\n'
    head += f'Content-Disposition: form-data; name="{field}"; filename="{file.name}"\r\nContent-Type: {media_type}\r\n\r\n'
    tail = b"\r\n--cut--\r\n"
    connection = http.client.HTTPConnection("127.0.0.1", bench.PORT, timeout=600)
    connection.putrequest("POST", path)
    for name, value in (
        ("Cookie", server.cookie_value), ("Origin", HOST), ("Sec-Fetch-Site", "same-origin"),
        ("Content-Type", "multipart/form-data; boundary=cut"), ("Content-Length", str(len(head.encode()) + file.stat().st_size + len(tail))),
    ):
        connection.putheader(name, value)
    connection.endheaders(head.encode())
    with open(file, "rb") as content:
        while chunk := content.read(1 << 18):
            connection.send(chunk)
    connection.send(tail)
    answer = connection.getresponse()
    answer.read()
    return answer.status, answer.headers.get("Location")


def import_table(server):
    file = bench.SCRATCH / "wines.csv"
    table(file)
    before = bench.resident([server.process.pid])
    begin, spent = time.monotonic(), bench.cpu(server.process.pid) + bench.cpu(bench.POSTMASTER)
    with Peak(lambda: [server.process.pid]) as peak:
        status, href = upload(server, "/wine-import", "file", file, "text/csv")
        if status != 303:
            raise SystemExit(f"The table failed with status {status}")
        shown = server.ask("GET", href)[1]
        hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', shown[shown.index("/confirmation"):])
        fields = dict(hidden) | {"csrf": server.token(href)}
        status, _ = server.ask("POST", f"{href}/confirmation", urllib.parse.urlencode(fields))
    seconds = time.monotonic() - begin
    spent = (bench.cpu(server.process.pid) + bench.cpu(bench.POSTMASTER) - spent) / 1000
    stored = bench.sql("SELECT count(*) FROM wine")
    print(f"{file.stat().st_size >> 20} MB with {ROWS} wines, {stored} stored: {spent:.1f} s CPU of server and database")
    bench.check_limit("import, from the upload to the end", seconds, 60, "s")
    bench.check_limit("memory that the import takes", peak.value - before, 100, "MB")


def frame():
    """Returns the picture of the wine list in the size of the camera frames that the page sends."""
    code = (
        "import sys; from PIL import Image; picture = Image.open(sys.argv[1]).convert('RGB'); "
        "picture.thumbnail((int(sys.argv[3]),) * 2); picture.save(sys.argv[2], quality=85)")
    path = bench.SCRATCH / "frame.jpg"
    subprocess.run([PROJECT / "var/drawer-python/bin/python", "-c", code, MENU, path, str(FRAME)], check=True)
    return path.read_bytes()


def key(server):
    """Creates an API key with read access."""
    fields = {"csrf": server.token("/settings/keys"), "name": "bench", "scope-read": "1", "days": "365"}
    _, text = server.ask("POST", "/settings/keys", urllib.parse.urlencode(fields))
    found = re.search(r"at_[A-Za-z0-9_-]{20,}", text)
    if not found:
        raise SystemExit("no key was shown")
    return found[0]


def send(secret, picture):
    connection = http.client.HTTPConnection("127.0.0.1", bench.PORT, timeout=120)
    try:
        connection.request("POST", "/v1/wines/scan?live=true", picture, {"X-API-Key": secret, "Content-Type": "image/jpeg"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def cpu_by_part(server):
    """CPU milliseconds of the server, of its readers and of the database."""
    with open(f"/proc/{server.process.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) * bench.MS_PER_TICK
    return own, bench.cpu(server.process.pid) - own, bench.cpu(bench.POSTMASTER)


def live(server):
    if not MENU.exists():
        print(f"live: skipped, there is no {MENU.name}")
        return
    picture, secret = frame(), key(server)
    # The first frame starts the reader and builds the index.
    status, body = send(secret, picture)
    if status != 200:
        raise SystemExit(f"The frame failed with status {status}: {body[:300]}")
    spent = []
    for _ in range(8):
        time.sleep(0.5)
        before = cpu_by_part(server)
        status, body = send(secret, picture)
        if status == 200:
            spent.append([after - start for after, start in zip(cpu_by_part(server), before)])
    tesseract = tesseract_cpu()
    entries = len(json.loads(body)["entries"]) if status == 200 else 0
    print(f"a frame of {FRAME} px with {entries} entries; Tesseract with default options takes {tesseract:.0f} ms CPU")
    parts = ", ".join(f"{name} {statistics.median(part):.0f}" for name, part in zip(("server", "reader", "database"), zip(*spent)))
    print(f"medians in ms CPU: {parts}")
    bench.check_limit("a frame, server, readers and database", statistics.median(map(sum, spent)), 500, "ms CPU")
    phones(server, secret, picture, 1, 0.5)
    phones(server, secret, picture, 20, 0)


def tesseract_cpu():
    """CPU milliseconds of Tesseract with default options for the same frame, for comparison."""
    before = os.times()
    subprocess.run(
        ["tesseract", bench.SCRATCH / "frame.jpg", "-", "-l", "deu"], env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return (after.children_user + after.children_system - before.children_user - before.children_system) * 1000


def phones(server, secret, picture, count, pause):
    """Sends frames of `count` phones for ten seconds, and measures pages and memory at the same time."""
    ended, answers = threading.Event(), []

    def run():
        while not ended.is_set():
            answers.append(send(secret, picture)[0])
            ended.wait(pause or 0.1)

    threads = [threading.Thread(target=run) for _ in range(count)]
    times = []
    with Peak(lambda: bench.family(server.process.pid)) as peak:
        for thread in threads:
            thread.start()
        until = time.monotonic() + 10
        while time.monotonic() < until:
            begin = time.monotonic()
            server.ask("GET", "/receipts")
            times.append((time.monotonic() - begin) * 1000)
            time.sleep(0.2)
        ended.set()
        for thread in threads:
            thread.join()
    other = [status for status in answers if status not in (200, 429)]
    print(f"{count} phones: {answers.count(200)} frames read, {answers.count(429)} answered 429, {len(other)} other answers")
    if count == 1:
        bench.check_limit("a page while a phone scans, median", statistics.median(times), 50, "ms")
    else:
        bench.check_limit("memory of server and readers", peak.value, 700, "MB")
        bench.check_limit("frames with other answers", len(other), 0, "")


def run(server):
    import_table(server)
    live(server)
