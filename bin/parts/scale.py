"""bin/bench scale: CPU of server and database per page, in a household of many years, with few and many rows of other
households."""

import contextlib
import os
import pathlib
import statistics
import subprocess
import time
import urllib.parse

import bench
from bench import PORT, POSTGRES, POSTMASTER, SOCKET, cpu, sql, wrk

PARTS = pathlib.Path(__file__).parent
# Numbers of rows of the table price, of all households together, at which the pages are measured.
SIZES = [int(size) for size in os.environ.get("BENCH_SIZES", "200000 10000000").split()]
# Limits of database CPU per request, in milliseconds. The limit of the server is the same for every page.
LIMITS = {"overview": 8, "compare": 8, "products": 6, "search": 6, "product": 3, "receipts": 3}
SERVER_LIMIT = 1.5
CONFIRM_LIMIT = 15
# The maximum ratio of the highest to the lowest cost of a page, over all sizes, before and after ANALYZE.
MAXIMUM_RATIO = 1.5


def load(script, **values):
    """Runs an SQL script with these values of psql's variables."""
    command = [POSTGRES / "psql", "-Xq", "-h", SOCKET, "-U", "postgres", "-d", "allesteurer"]
    for name, value in values.items():
        command += ["-v", f"{name}={value}"]
    begin = time.monotonic()
    subprocess.run([*command, "-f", PARTS / script], check=True, stdout=subprocess.DEVNULL)
    print(f"{script}: {time.monotonic() - begin:.0f} s", flush=True)


def roll_up():
    """Computes the roll-ups with the statements of the migration that created them."""
    migrations = PARTS.parent.parent / "Migrations"
    found = next((path for path in sorted(migrations.glob("*_price_roll_ups.sql"))), None)
    if found is None:
        return
    begin = time.monotonic()
    text = found.read_text().replace("DROP TABLE price_month;", "")
    sql("BEGIN; DROP TABLE store_price, product_price, spending_day; SET ROLE allesteurer_owner;" + text + "COMMIT")
    sql("""DELETE FROM spending_month; INSERT INTO spending_month
        SELECT household_id, date_trunc('month', day)::date, category_id, sum(amount_minor) FROM spending_day
        GROUP BY 1, 2, 3""")
    print(f"{found.name}: {time.monotonic() - begin:.0f} s", flush=True)


def reset_statistics():
    """Resets the planner's statistics to those of a database that was never analysed or vacuumed."""
    sql("""SET allow_system_table_mods = on;
        DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace);
        UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')""")


def page(server, path, seconds=3):
    """CPU milliseconds of server and database for one request."""
    wrk(PORT, path, 1, [server.cookie])
    costs = []
    for _ in range(3):
        before = cpu(server.process.pid), cpu(POSTMASTER)
        requests = wrk(PORT, path, seconds, [server.cookie])
        costs.append([(b - a) / requests for a, b in zip(before, (cpu(server.process.pid), cpu(POSTMASTER)))])
    return [statistics.median(column) for column in zip(*costs)]


def confirm(server, rounds=20, unmeasured=8):
    """CPU milliseconds of server and database for confirming a receipt of 40 lines. The first requests are not measured,
    because the connections prepare their statements."""
    costs = []
    for number in range(unmeasured + rounds):
        sql(f"""WITH h AS (SELECT m.household_id AS id, m.person_id AS person FROM membership m
                JOIN person p ON p.id = m.person_id WHERE p.login = '{bench.LOGIN}'),
            s AS (SELECT s.household_id, s.id, s.chain FROM store s, h
                WHERE s.household_id = h.id AND s.town LIKE 'Ort %' ORDER BY s.town LIMIT 1 OFFSET {number % 12}),
            r AS (INSERT INTO receipt (household_id, id, stage, verdict, store_id, purchase_day, total_minor, person_id)
                SELECT h.id, gen_random_uuid(), 'review', 'proven', s.id, current_date, 4000, h.person FROM h, s
                RETURNING household_id, id),
            a AS (SELECT a.alias_key, a.printed_name, row_number() OVER (ORDER BY a.id) AS n FROM product_alias a, s
                WHERE a.household_id = s.household_id AND a.chain = s.chain AND a.alias_key LIKE 'artikel nummer %'
                LIMIT 40 OFFSET {number})
            INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key, total_minor,
                unit_price_thousandths)
            SELECT r.household_id, gen_random_uuid(), r.id, a.n - 1 - {number}, 'item', a.printed_name, a.alias_key, 100, 100000
            FROM r, a""")
        token = server.token("/receipts")
        before = cpu(server.process.pid), cpu(POSTMASTER)
        status, text = server.ask("POST", "/receipts/confirmations", urllib.parse.urlencode({"csrf": token}))
        if status != 303:
            raise SystemExit(f"Confirming failed with status {status}: {text[:500]}")
        costs.append([b - a for a, b in zip(before, (cpu(server.process.pid), cpu(POSTMASTER)))])
    if sql("SELECT count(*) FROM receipt WHERE stage = 'review' AND verdict = 'proven'") != "0":
        raise SystemExit("Not every receipt was confirmed.")
    return [statistics.mean(column) for column in zip(*costs[unmeasured:])]


def pages():
    product = sql(f"""SELECT p.product_id FROM price p JOIN membership m USING (household_id)
        JOIN person o ON o.id = m.person_id WHERE o.login = '{bench.LOGIN}' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1""")
    return {"overview": "/", "compare": "/compare", "products": "/products", "search": "/products?search=nummer+77",
            "product": f"/products/{product}", "receipts": "/receipts"}


@contextlib.contextmanager
def server_with(state, password):
    """A server with a session of the demo household's owner, on fresh or on analysed planner statistics."""
    if state == "fresh":
        reset_statistics()
    else:
        sql("VACUUM ANALYZE")
    server = bench.Server()
    try:
        if server.sign_in(bench.LOGIN, password)[0] != 303:
            raise SystemExit("Signing in failed.")
        yield server
    finally:
        server.stop()


MONEY_LIMITS = {"dashboard": 8, "list of a month": 3, "budgets": 5}


def money(password):
    """CPU of the pages of expenses and budgets."""
    load("scale-money.sql")
    month = sql("SELECT to_char(current_date - interval '1 month', 'YYYY-MM')")
    paths = {"dashboard": "/expenses", "list of a month": f"/expenses/list?month={month}", "budgets": "/budgets"}
    for state in ("fresh", "analysed"):
        with server_with(state, password) as server:
            for name, path in paths.items():
                ours, backends = page(server, path)
                print(f"  {name}, {state}: server {ours:.2f} ms, database {backends:.2f} ms", flush=True)
                bench.check_limit(f"{name}, database, {state}", backends, MONEY_LIMITS[name], "ms")


def run(password):
    costs = {}
    for index, size in enumerate(SIZES):
        if index == 0:
            load("scale-own.sql")
        load("scale-others.sql", prices=size)
        roll_up()
        for state in ("fresh", "analysed"):
            with server_with(state, password) as server:
                total, own = sql(f"""SELECT count(*), count(*) FILTER (WHERE household_id IN (SELECT m.household_id
                    FROM membership m JOIN person o ON o.id = m.person_id WHERE o.login = '{bench.LOGIN}')) FROM price
                    """).split("|")
                print(f"{total} prices, {own} in the household, {state}", flush=True)
                for name, path in pages().items():
                    ours, backends = page(server, path)
                    costs.setdefault(name, []).append(backends)
                    print(f"  {name}: server {ours:.2f} ms, database {backends:.2f} ms", flush=True)
                    bench.check_limit(f"{name}, database, {total} {state}", backends, LIMITS[name], "ms")
                    bench.check_limit(f"{name}, server, {total} {state}", ours, SERVER_LIMIT, "ms")
                ours, backends = confirm(server)
                costs.setdefault("confirming", []).append(backends)
                print(f"  confirming 40 lines: server {ours:.2f} ms, database {backends:.2f} ms", flush=True)
                bench.check_limit(f"confirming, database, {total} {state}", backends, CONFIRM_LIMIT, "ms")
    for name, values in costs.items():
        # Adds 0.2 ms to both costs, because small differences are caused by the clock and by other processes.
        bench.check_limit(f"{name}, highest to lowest", (max(values) + 0.2) / (min(values) + 0.2), MAXIMUM_RATIO, "×")
