"""The measurements of bin/bench. Its arguments are the command that starts the server; BENCH_… are its settings."""

import http.client
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import time
import urllib.parse

SCRATCH = pathlib.Path(os.environ["BENCH_SCRATCH"])
PORT = int(os.environ["BENCH_PORT"])
POSTMASTER = int(os.environ["BENCH_POSTMASTER"])
POSTGRES = pathlib.Path(os.environ["BENCH_POSTGRES"])
SOCKET = os.environ["BENCH_SOCKET"]
MS_PER_TICK = 1000 / os.sysconf("SC_CLK_TCK")
LOGIN = "demo@example.org"
missed = []


def check_limit(name, value, limit, unit):
    """Prints a figure, and records its name if it exceeds the limit."""
    is_met = value <= limit
    if not is_met:
        missed.append(name)
    print(f"  {'ok    ' if is_met else 'MISSED'} {name}: {value:.3f} {unit} (limit {limit:.3f})", flush=True)


# Processes


def children(pid):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return found


def family(pid):
    """The process and all its descendants."""
    return [pid] + [other for child in children(pid) for other in family(child)]


def cpu(pid):
    """CPU milliseconds of a process and its descendants, including ended ones."""
    total = 0
    for member in family(pid):
        try:
            fields = pathlib.Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(int(field) for field in fields[11:15])
    return total * MS_PER_TICK


def resident(pids):
    """Resident memory in megabytes. Shared memory is counted in each process."""
    total = 0
    for pid in pids:
        try:
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        total += sum(int(kib) for kib in re.findall(r"VmRSS:\s+(\d+)", status))
    return total / 1024


def wrk(port, path, seconds, headers=()):
    """Sends requests with wrk. Returns their number. Exits if a status is not 2xx."""
    flags = [word for header in headers for word in ("-H", header)]
    command = ["wrk", "-t1", "-c4", f"-d{seconds}s", *flags, f"http://127.0.0.1:{port}{path}"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        sys.exit(f"{path} had unexpected answers:\n{output}")
    return int(re.search(r"(\d+) requests in", output)[1])


def sql(statement):
    command = [POSTGRES / "psql", "-XAtq", "-h", SOCKET, "-U", "postgres", "-d", "allesteurer", "-c", statement]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class Server:
    """`allesteurer serve`, and a client that is signed in to the demo household."""

    def __init__(self):
        begin = time.monotonic()
        self.process = subprocess.Popen(sys.argv[1:])
        self.cookies = {}
        while True:
            try:
                if self.ask("GET", "/sign-in")[0] == 200:
                    break
            except OSError:
                if self.process.poll() is not None:
                    sys.exit("The server ended unexpectedly.")
                time.sleep(0.001)
        self.start = (time.monotonic() - begin) * 1000
        self.start_cpu = cpu(self.process.pid)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)

    @property
    def cookie_value(self):
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    @property
    def cookie(self):
        """The whole header line."""
        return f"Cookie: {self.cookie_value}"

    def ask(self, method, path, body=None, media_type="application/x-www-form-urlencoded"):
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=600)
        headers = {"Cookie": self.cookie_value} if self.cookies else {}
        if body is not None:
            headers |= {"Content-Type": media_type, "Origin": f"http://127.0.0.1:{PORT}", "Sec-Fetch-Site": "same-origin"}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        for field in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = field.partition(";")[0].partition("=")
            self.cookies[name] = value
        connection.close()
        return answer.status, text

    def token(self, path):
        status, text = self.ask("GET", path)
        found = re.search(r'name="csrf" value="([^"]*)"', text)
        if status != 200 or not found:
            sys.exit(f"{path} answered {status} without a form")
        return found[1]

    def sign_in(self, email, password):
        """Submits the form and returns the status and the milliseconds of the answer."""
        self.cookies = {}
        fields = {"csrf": self.token("/sign-in"), "email": email, "password": password, "next": "/"}
        begin = time.monotonic()
        status, _ = self.ask("POST", "/sign-in", urllib.parse.urlencode(fields))
        return status, (time.monotonic() - begin) * 1000

    def upload(self, name, content):
        head = 'Content-Disposition: form-data; name='
        parts = f'--cut\r\n{head}"csrf"\r\n\r\n{self.token("/receipts/new")}\r\n--cut\r\n{head}"files"; filename="{name}"\r\n'
        body = f"{parts}Content-Type: image/jpeg\r\n\r\n".encode() + content + b"\r\n--cut--\r\n"
        status, text = self.ask("POST", "/receipts", body, "multipart/form-data; boundary=cut")
        if status >= 400:
            sys.exit(f"The upload failed with status {status}: {text[:300]}")


# The measurements


def static_files(server):
    folder = SCRATCH / "public"
    port = PORT + 1 if PORT < 65000 else PORT - 1
    configuration = SCRATCH / "nginx.conf"
    user = f"user {os.environ['BENCH_RUNNER']};" if os.getuid() == 0 else ""
    configuration.write_text(
        f"""{user} daemon off; worker_processes 2; pid {SCRATCH}/nginx.pid; error_log {SCRATCH}/nginx.log;
        events {{ worker_connections 768; }}
        http {{ sendfile on; tcp_nopush on; access_log off; gzip on; gzip_types text/plain; include /etc/nginx/mime.types;
        client_body_temp_path {SCRATCH}; proxy_temp_path {SCRATCH}; fastcgi_temp_path {SCRATCH};
        uwsgi_temp_path {SCRATCH}; scgi_temp_path {SCRATCH};
        server {{ listen 127.0.0.1:{port}; root {folder}; }} }}"""
    )
    # The workers of nginx run as the runner, who owns the folder.
    nginx = subprocess.Popen(["nginx", "-c", configuration, "-p", SCRATCH, "-e", SCRATCH / "nginx.log"])
    time.sleep(0.5)
    try:
        for headers, name in (((), "identity"), (("Accept-Encoding: gzip",), "gzip")):
            for kib in (1, 64):
                ours, theirs = [], []
                for _ in range(3):
                    for pid, at, path, figures in (
                        (server.process.pid, PORT, f"/static/{kib}.txt", ours),
                        (nginx.pid, port, f"/{kib}.txt", theirs),
                    ):
                        before = cpu(pid)
                        figures.append((wrk(at, path, 2, headers), cpu(pid) - before))
                ours, theirs = (sum(cpu_ms for _, cpu_ms in runs) / sum(requests for requests, _ in runs) for runs in (ours, theirs))
                print(f"{kib} KiB {name}: server {ours * 1000:.1f} µs, nginx {theirs * 1000:.1f} µs CPU per request")
                if name == "identity":
                    check_limit(f"static {kib} KiB", ours / theirs, 1.5, "× nginx")
    finally:
        nginx.terminate()
        nginx.wait()


def statements(server, path):
    """Returns the SQL statements of one request for the page with the values of their parameters, from PostgreSQL's log."""
    log = SCRATCH / "postgres.log"
    for name, value in (("log_statement", "'all'"), ("log_line_prefix", "'%p '")):
        sql(f"ALTER SYSTEM SET {name} = {value}")
    sql("SELECT pg_reload_conf()")
    time.sleep(0.3)
    server.ask("GET", path)
    time.sleep(0.3)
    begin = log.stat().st_size
    server.ask("GET", path)
    time.sleep(0.3)
    with log.open("rb") as file:
        file.seek(begin)
        text = file.read().decode()
    sql("ALTER SYSTEM RESET log_statement")
    sql("SELECT pg_reload_conf()")
    found = []
    for entry in re.split(r"\n(?=\d+ )", text.strip()):
        entry = re.sub(r"^\d+ ", "", entry)
        if match := re.match(r"LOG:  (?:execute [^:]*|statement): (.*)", entry, re.S):
            found.append((match[1], {}))
        elif (match := re.match(r"DETAIL:  parameters: (.*)", entry, re.S)) and found:
            values = re.findall(r"\$(\d+) = (NULL|'(?:[^']|'')*')", match[1])
            found[-1][1].update({int(n): None if v == "NULL" else v[1:-1].replace("''", "'") for n, v in values})
    return found


def pgbench(found, seconds):
    """Runs the statements with pgbench. Returns the CPU milliseconds of pgbench and its backends for one run of them."""
    lines, values = ["\\startpipeline"], []
    for index, (statement, parameters) in enumerate(found):
        for number, value in sorted(parameters.items(), reverse=True):
            name = f"v{index}_{number}"
            statement = re.sub(rf"\${number}(?!\d)", "NULL" if value is None else f":{name}", statement)
            if value is not None:
                values += ["-D", f"{name}={value}"]
        lines.append(" ".join(re.sub(r"--[^\n]*", "", statement).split()).rstrip(";") + ";")
    lines.append("\\endpipeline")
    script = SCRATCH / "page.sql"
    script.write_text("\n".join(lines) + "\n")
    command = [POSTGRES / "pgbench", "-n", "-M", "prepared", "-c4", "-j1", f"-T{seconds}", "-h", SOCKET]
    command += ["-U", "allesteurer_app", "-f", script, *values, "allesteurer"]
    before = cpu(POSTMASTER), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    time.sleep(0.2)
    after = cpu(POSTMASTER), resource.getrusage(resource.RUSAGE_CHILDREN)
    count = re.search(r"actually processed: (\d+)", done.stdout)
    if done.returncode != 0 or not count:
        sys.exit(f"pgbench failed:\n{done.stderr[:2000]}")
    client = sum(getattr(after[1], f) - getattr(before[1], f) for f in ("ru_utime", "ru_stime")) * 1000
    return (after[0] - before[0] + client) / int(count[1])


def pages(server):
    product, count = sql("SELECT product_id, count(*) FROM price GROUP BY 1 ORDER BY 2 DESC LIMIT 1").split("|")
    # Extends the prices of the product that the demo household bought most often to 200 purchases over more years.
    columns = """household_id, product_id, store_id, regular_thousandths, paid_thousandths, base_thousandths, base_unit,
        quantity_thousandths, unit, is_offer, currency"""
    sql(f"""INSERT INTO price (id, day, source, {columns})
        SELECT gen_random_uuid(), day - 730 * age, 'manual', {columns}
        FROM price, generate_series(1, {200 // int(count) + 1}) age
        WHERE product_id = '{product}' ORDER BY age LIMIT {max(0, 200 - int(count))}""")
    sql("VACUUM ANALYZE price")
    count = sql(f"SELECT count(*) FROM price WHERE product_id = '{product}'")
    for name, path in (("receipts list", "/receipts"), (f"product page, {count} prices", f"/products/{product}")):
        found = statements(server, path)
        wrk(PORT, path, 1, [server.cookie])
        ours, theirs = [], []
        for _ in range(3):
            before = cpu(server.process.pid), cpu(POSTMASTER)
            requests = wrk(PORT, path, 3, [server.cookie])
            ours.append([(b - a) / requests for a, b in zip(before, (cpu(server.process.pid), cpu(POSTMASTER)))])
            theirs.append(pgbench(found, 3))
        own, backends = (statistics.median(column) for column in zip(*ours))
        theirs = statistics.median(theirs)
        print(f"{name}: server {own:.3f} + backends {backends:.3f} ms, pgbench with {len(found)} statements {theirs:.3f} ms")
        check_limit(name, own + backends, 2 * theirs + 0.2, "ms CPU")
        before, requests = cpu(server.process.pid), wrk(PORT, path, 2, [server.cookie, "Accept-Encoding: gzip"])
        print(f"  with gzip: server {(cpu(server.process.pid) - before) / requests:.3f} ms")


def draw(number):
    """Draws a receipt and returns it as a picture."""
    rows = ["SPAR", "Hauptstr. 1, 1010 Wien", "", f"VOLLMILCH 1L        1,{50 + number}", "BAUERNBROT          3,49",
            "-" * 26, f"SUMME EUR           {4 + (99 + number) // 100},{(99 + number) % 100:02}", "", f"1{number}.10.2025  17:42"]
    text = "BT /F 12 Tf 14 TL 20 270 Td " + " ".join(f"({row}) Tj T*" for row in rows) + " ET"
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 240 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
               f"<</Length {len(text)}>>stream\n{text}\nendstream", "<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold>>"]
    body = "%PDF-1.4\n" + "".join(f"{i} 0 obj{o}endobj\n" for i, o in enumerate(objects, 1)) + "trailer<</Root 1 0 R>>\n"
    command = ["pdftoppm", "-jpeg", "-r", "300", "-singlefile", "-"]
    return subprocess.run(command, input=body.encode("latin-1"), check=True, capture_output=True).stdout


def memory(server, password):
    done = 0
    while done < 10_000:
        for path in ("/", "/receipts", "/products", "/compare"):
            done += wrk(PORT, path, 1, [server.cookie])
    print(f"After {done} pages: server {resident([server.process.pid]):.1f} MB", flush=True)
    for _ in range(20):
        status, _ = server.sign_in(LOGIN, password)
        if status != 303:
            sys.exit(f"Signing in failed with status {status}")
    print(f"and 20 sign-ins: {resident([server.process.pid]):.1f} MB", flush=True)
    for number in range(5):
        server.upload(f"{number}.jpg", draw(number))
    deadline, peak = time.monotonic() + 180, 0
    while sql("SELECT count(*) FROM job") != "0" and time.monotonic() < deadline:
        peak = max(peak, resident(family(server.process.pid)))
        time.sleep(0.2)
    time.sleep(1)
    readers = family(server.process.pid)[1:]
    print(f"and 5 uploads ({sql('SELECT count(*) FROM job')} unread); peak while reading {peak:.1f} MB")
    alone = resident([server.process.pid])
    check_limit("memory of the server", alone, 60, "MB")
    check_limit("memory with the reader", alone + resident(readers), 120, "MB")


def sign_in_times(server):
    known, unknown = [], []
    for number in range(10):
        for email, times in ((LOGIN, known), (f"nobody{number}@example.org", unknown)):
            # Resets the throttle, whose delays are not measured here.
            sql("DELETE FROM sign_in_failure")
            times.append(server.sign_in(email, "a wrong password")[1])
    for name, times in (("known", known), ("unknown", unknown)):
        print(f"Wrong password, {name} name: median {statistics.median(times):.1f} ms, {min(times):.1f} to {max(times):.1f}")


def main():
    password = re.search(r"password\s+(\S+)", (SCRATCH / "demo").read_text())[1]
    if (part := os.environ["BENCH_PARTS"].split()) in (["scale"], ["money"]):
        import scale

        (scale.run if part == ["scale"] else scale.money)(password)
        finish()
    if part == ["sync"]:
        import sync_bench

        sync_bench.run()
        finish()
    if part == ["archives"]:
        import archive_bench

        archive_bench.run()
        finish()
    starts, spent = [], []
    for _ in range(5):
        server = Server()
        starts.append(server.start)
        spent.append(server.start_cpu)
        server.stop()
    # On a busy machine, the server waits for a core most of the time, so its CPU time is printed too.
    print(f"Start: {statistics.median(spent):.0f} ms CPU")
    check_limit("first 200 after start, median of 5", statistics.median(starts), 300, "ms")
    server = Server()
    try:
        status, _ = server.sign_in(LOGIN, password)
        if status != 303:
            sys.exit(f"Signing in failed with status {status}")
        if os.environ["BENCH_PARTS"].split() == ["wines"]:
            import wine_server

            wine_server.run(server)
            finish()
        parts = {"static": static_files, "pages": pages, "memory": lambda s: memory(s, password), "sign-in": sign_in_times}
        for name, part in parts.items():
            if name in (os.environ["BENCH_PARTS"].split() or parts):
                part(server)
    finally:
        server.stop()
    finish()


def finish():
    print(f"Missed: {', '.join(missed)}" if missed else "All limits are met.")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    # The modules of other parts import this one as `bench`.
    sys.modules["bench"] = sys.modules["__main__"]
    main()
