"""Starts the server for a test, with its own database and port, and stops it afterwards."""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import random
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("ALLESTEURER_BINARIES", PROJECT / ".build/release"))
# Seconds, much longer than needed, because a busy machine may delay the server.
START_WITHIN = 120
STOP_WITHIN = 60
POSTGRES = pathlib.Path(os.environ.get("POSTGRES_BIN", "/usr/lib/postgresql/15/bin"))


def database_url(role, database):
    """Returns the URL of the test cluster for a role and a database."""
    parts = urllib.parse.urlsplit(os.environ["ALLESTEURER_TEST_DATABASE_URL"])
    query = dict(urllib.parse.parse_qsl(parts.query)) | {"user": role}
    # An empty host means the socket. `urlunsplit` would drop it.
    return f"postgresql:///{database}?{urllib.parse.urlencode(query, quote_via=urllib.parse.quote)}"


def psql(database, *arguments):
    """Runs psql as the superuser and returns its output."""
    command = [POSTGRES / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database_url("postgres", database)]
    deadline = time.monotonic() + 60
    while True:
        done = subprocess.run([*command, *arguments], stdout=subprocess.PIPE, text=True)
        # The exit status 2 means a lost connection: bin/sync-histories kills PostgreSQL.
        if done.returncode != 2 or time.monotonic() > deadline:
            done.check_returncode()
            return done.stdout.strip()
        time.sleep(0.2)


def routes():
    """The route table of the built program: method, pattern, access and handler of each route."""
    environment = {"ALLESTEURER_DATABASE_URL": "postgresql:///unused", "ALLESTEURER_READER": str(BINARIES / "allesteurer-reader")}
    table = subprocess.run(
        [BINARIES / "allesteurer", "routes"], cwd=PROJECT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return [line.split() for line in table.stdout.splitlines()]


class Server:
    """`allesteurer serve` with a new, migrated database. `name` is the host name for browsers."""

    def __init__(self, database, name="127.0.0.1", tls=None):
        # Each process of pytest-xdist has its own databases.
        self.database = f"{database}_{os.environ['PYTEST_XDIST_WORKER']}" if "PYTEST_XDIST_WORKER" in os.environ else database
        self.name, self.tls = name, tls
        self.port = free_port()
        self.url = f"{'https' if tls else 'http'}://{name}:{self.port}"
        self.process = None
        self.households = []
        # Settings added by a test, without their prefix.
        self.extra_settings = {}
        # With the lock, one process creates the roles and the migrated database; the others copy that database.
        with open(PROJECT / "var/browser.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            template = self.migrated_database()
            psql("postgres", "-c", f'DROP DATABASE IF EXISTS "{self.database}" WITH (FORCE)')
            psql("postgres", "-c", f'CREATE DATABASE "{self.database}" OWNER allesteurer_owner TEMPLATE "{template}"')

    def migrated_database(self):
        """The name of a database with all migrations. It is created if it does not exist."""
        files = sorted((PROJECT / "Migrations").glob("*.sql"))
        template = "browser_" + hashlib.md5(b"".join(file.read_bytes() for file in files)).hexdigest()
        if psql("postgres", "-At", "-c", f"SELECT 1 FROM pg_database WHERE datname = '{template}'"):
            return template
        psql("postgres", "-f", str(PROJECT / "bin/parts/roles.sql"))
        psql("postgres", "-c", f'DROP DATABASE IF EXISTS "{template}_begun" WITH (FORCE)')
        psql("postgres", "-c", f'CREATE DATABASE "{template}_begun" OWNER allesteurer_owner TEMPLATE allesteurer')
        database, self.database = self.database, f"{template}_begun"
        self.run("migrate")
        self.database = database
        psql("postgres", "-c", f'ALTER DATABASE "{template}_begun" RENAME TO "{template}"')
        return template

    @property
    def environment(self):
        inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        settings = {
            "LISTEN": f"127.0.0.1:{self.port}",
            "BASE_URL": self.url,
            "DATABASE_URL": database_url("allesteurer_app", self.database),
            "OWNER_DATABASE_URL": database_url("allesteurer_owner", self.database),
            "READER": BINARIES / "allesteurer-reader",
            "LOOPS": 2,
            "LOG": "warning",
            # A test sends as many requests in seconds as a client does in an hour.
            "API_RATE": 1_000_000,
        }
        if self.tls:
            settings |= {"TLS_CERT": self.tls / "server.crt", "TLS_KEY": self.tls / "server.key"}
        settings |= self.extra_settings
        own = {f"ALLESTEURER_{name}": str(value) for name, value in settings.items()}
        return inherited | own | {"OMP_THREAD_LIMIT": "1", "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8"}

    def run(self, *arguments):
        """Runs a subcommand and returns its standard output without the final newline."""
        environment = self.environment
        command = [BINARIES / "allesteurer", *arguments]
        done = subprocess.run(command, cwd=PROJECT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.rstrip("\n")

    def setup_link(self, another=False):
        """The link that sets up the first household, or another one."""
        return self.run("setup-link", *["--another"] if another else [])

    def start(self):
        environment = {name: value for name, value in self.environment.items() if "OWNER" not in name}
        self.process = subprocess.Popen([BINARIES / "allesteurer", "serve"], cwd=PROJECT, env=environment)
        deadline = time.monotonic() + START_WITHIN
        while not self.is_healthy():
            if self.process.poll() is not None:
                raise RuntimeError(f"serve ended with {self.process.returncode}")
            if time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"serve did not answer /healthz within {START_WITHIN} s")
            time.sleep(0.05)
        return self

    def is_healthy(self):
        scheme = "https" if self.tls else "http"
        request = urllib.request.Request(f"{scheme}://127.0.0.1:{self.port}/healthz")
        request.add_header("Host", f"{self.name}:{self.port}")
        unverified = ssl._create_unverified_context() if self.tls else None
        try:
            with urllib.request.urlopen(request, timeout=2, context=unverified) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def replace_database(self):
        """Replaces the server's database with an empty one."""
        old = self.database
        name, _, number = old.partition("_n")
        self.database = f"{name}_n{int(number or 0) + 1}"
        psql("postgres", "-c", f'DROP DATABASE IF EXISTS "{self.database}" WITH (FORCE)')
        psql("postgres", "-c", f'CREATE DATABASE "{self.database}" OWNER allesteurer_owner TEMPLATE allesteurer')
        psql("postgres", "-c", f'DROP DATABASE "{old}" WITH (FORCE)')

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_WITHIN)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise RuntimeError(f"serve did not stop within {STOP_WITHIN} s")
            if self.process.returncode != 0:
                raise RuntimeError(f"serve did not stop gracefully: {self.process.returncode}")


def free_port():
    """An unused port from 11000 to 19999. Linux uses ports from 32768 up for outgoing connections, which could occupy such
    a port before the server starts or while it restarts. Browsers refuse some ports up to 10080, and bin/kill-test uses
    ports from 20000 up."""
    while True:
        # Uses the random numbers of the system, because tests may seed the generator of `random`.
        port = random.SystemRandom().randrange(11_000, 20_000)
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
