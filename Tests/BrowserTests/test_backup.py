"""bin/backup and bin/restore with a PostgreSQL of their own. A backup restores everything, and other files are refused."""

import contextlib
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import zipfile

import pytest

from conftest import DESKTOP
from person import Person
from server import POSTGRES, PROJECT, Server, database_url, psql


class Installation:
    """A copy of the files that the commands need, with its own PostgreSQL."""

    def __init__(self, folder):
        self.folder = folder
        folder.chmod(0o755)
        for name in ("bin", "Migrations"):
            shutil.copytree(PROJECT / name, folder / name)

    def call(self, *command, **settings):
        """Runs a command. Returns its exit status and output."""
        done = subprocess.run(
            [str(part) for part in command], cwd=self.folder, env=os.environ | settings, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def restore(self, *arguments, **settings):
        return self.call("bin/restore", *arguments, **settings)

    def delete_cluster(self):
        shutil.rmtree(self.folder / "var/postgres")

    @contextlib.contextmanager
    def database(self):
        """Runs the PostgreSQL of this installation. Yields the URL for the app's role."""
        script = """source bin/parts/base.sh; source bin/parts/packages.sh; source bin/parts/cluster.sh
            find_home; cluster_start "$home" durable; trap cluster_stop EXIT; cluster_url allesteurer_app; echo; read -r _"""
        with subprocess.Popen(
            ["bash", "-c", script, "bin/here"], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True) as process:
            yield process.stdout.readline().strip()
            process.stdin.close()

    def counts(self):
        with self.database() as url:
            query = "SELECT (SELECT count(*) FROM receipt), (SELECT count(*) FROM price)"
            owner = url.replace("allesteurer_app", "postgres")
            return subprocess.run(
                [POSTGRES / "psql", "-XAtq", "-d", owner, "-c", query], check=True, stdout=subprocess.PIPE, text=True
            ).stdout.strip()


@pytest.fixture(scope="module")
def source():
    """A server, not started, whose database has the demo household."""
    server = Server("backup_source")
    server.printed = server.run("demo")
    return server


@pytest.fixture(scope="module")
def installation(source):
    """An installation with the restored demo household."""
    # pytest's folders are not readable for PostgreSQL's user.
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="allesteurer-data.") as folder:
        installation = Installation(pathlib.Path(folder))
        status, output = installation.restore(dump(source.database, installation.folder / "first.dump"))
        assert status == 0, output
        yield installation


def dump(database, file, form="custom"):
    command = [POSTGRES / "pg_dump", "-d", database_url("postgres", database), f"--format={form}", f"--file={file}"]
    subprocess.run(command, check=True)
    return file


def test_four_pages_are_the_same_after_a_restore(source, installation, chromium):
    status, output = installation.call("bin/backup", "kept.dump")
    assert status == 0, output
    kept, digest = installation.folder / "kept.dump", re.search("[0-9a-f]{64}", output)[0]
    assert kept.stat().st_mode & 0o077 == 0
    before = installation.counts()
    installation.delete_cluster()
    status, output = installation.restore(kept, "0" * 64)
    assert status != 0 and "does not have this SHA-256" in output
    status, output = installation.restore(kept, digest)
    assert status == 0, output
    assert installation.counts() == before
    pages = ["/", "/receipts", "/products", "/compare"]
    day = None
    # Repeats if the date changes in the meantime, because the pages depend on it.
    while day != datetime.date.today():
        day = datetime.date.today()
        texts = [page_texts(server, source.printed, chromium, pages) for server in run_servers(source, installation)]
    assert texts[0] == texts[1]


def run_servers(source, installation):
    """Runs and yields first a server with the original database, and then one with the restored database."""
    source.start()
    yield source
    source.stop()
    with installation.database() as url:
        restored = ServerWithDatabase(source, url).start()
        yield restored
        restored.stop()


class ServerWithDatabase(Server):
    """A copy of a server, on the same port, with another database."""

    def __init__(self, server, url):
        self.__dict__ |= server.__dict__
        self.other_url = url

    @property
    def environment(self):
        return super().environment | {"ALLESTEURER_DATABASE_URL": self.other_url}


def page_texts(server, printed, chromium, paths):
    """Signs in the demo user, whose credentials were `printed`, and returns the text of each page."""
    email, password = (re.search(rf"{word}\s+(\S+)", printed)[1] for word in ("e-mail", "password"))
    context = chromium.new_context(**DESKTOP, locale="de-AT")
    anna = Person(context.new_page(), server.url, [])
    anna.sign_in(email, password)
    texts = [anna.go(path).inner_text("main") for path in paths]
    context.close()
    return texts


# For each change: the statement, and a part of the message that refuses a backup made after the change.
CHANGES = {
    "has a newer migration": ("INSERT INTO schema_migration (number, name, checksum) VALUES (9999, 'later', '')", "newer version"),
    "has another checksum": ("UPDATE schema_migration SET checksum = 'x' WHERE number = 3", "another program"),
    "lacks a policy": ("DROP POLICY tenant ON receipt", "that AllesTeurer does not have"),
    "has another function": ("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'", "that AllesTeurer does not have"),
    "has an extension": ("CREATE EXTENSION pg_trgm", "contains an entry that backups do not have"),
    "has another schema": ("CREATE SCHEMA other", "contains an entry that backups do not have"),
    "has a view": ("CREATE VIEW v AS SELECT 1", "contains an entry that backups do not have"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_backup_that_this_program_did_not_write_is_refused(source, installation, change, tmp_path):
    statement, words = CHANGES[change]
    altered = f"{source.database}_altered"
    psql("postgres", "-c", f'DROP DATABASE IF EXISTS "{altered}" WITH (FORCE)')
    psql("postgres", "-c", f'CREATE DATABASE "{altered}" TEMPLATE "{source.database}"')
    psql(altered, "-c", statement)
    before = installation.counts()
    status, output = installation.restore(dump(altered, tmp_path / "altered.dump"))
    assert status != 0 and words in output and "nothing was changed" in output, output
    assert installation.counts() == before


def cut_off(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 6 // 10])


def flip_byte(file):
    content = bytearray(file.read_bytes())
    content[len(content) * 7 // 10] ^= 0xFF
    file.write_bytes(content)


def write_archive_with_paths(file):
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../../../tmp/escaped", "x")


def replace_with_link(file):
    file.unlink()
    file.symlink_to("/etc/passwd")


# Functions that damage a backup.
DAMAGES = {"empty": lambda file: file.write_bytes(b""), "text": lambda file: file.write_text("DROP TABLE receipt;"),
           "cut off": cut_off, "a changed byte": flip_byte, "a ZIP file with paths": write_archive_with_paths,
           "a link to another file": replace_with_link,
           "only a header": lambda file: file.write_bytes(b"PGDMP\x01\x0e\x00\x04\x08\x01\x01")}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_not_a_complete_backup_is_refused(source, installation, damage, tmp_path):
    file = dump(source.database, tmp_path / "damaged.dump")
    DAMAGES[damage](file)
    before = installation.counts()
    status, output = installation.restore(file)
    assert status != 0 and "nothing was changed" in output, output
    assert installation.counts() == before
    assert not pathlib.Path("/tmp/escaped").exists()


def test_a_backup_and_its_folder_are_on_disk_when_the_command_ends(installation):
    """Without a sync of its folder, a file can be missing after a power failure."""
    tools = installation.folder / "tools"
    tools.mkdir()
    log = tools / "calls"
    for name in ("sync", "mv"):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\necho "{name} $1" >>"{log}"\nexec "{shutil.which(name)}" "$@"\n')
        tool.chmod(0o755)
    status, output = installation.call("bin/backup", "durable.dump", PATH=f"{tools}:{os.environ['PATH']}")
    assert status == 0, output
    calls = log.read_text().splitlines()[-3:]
    file = installation.folder / "durable.dump"
    assert calls == [f"sync {file}.part", f"mv {file}.part", f"sync {file.parent}"]


def test_a_backup_that_is_too_large_when_unpacked_is_refused(source, installation, tmp_path):
    file = dump(source.database, tmp_path / "large.dump")
    status, output = installation.restore(file, ALLESTEURER_BACKUP_LIMIT="1000000")
    assert status != 0 and "is larger than 1 MB when unpacked" in output, output


def test_a_restoration_removes_the_database_that_a_killed_restoration_left(source, installation, tmp_path):
    """A restoration that is killed after it replaced the database leaves the old database under another name."""
    with installation.database() as url:
        subprocess.run(
            [POSTGRES / "psql", "-XAtq", "-d", url.replace("allesteurer_app", "postgres"), "-c",
             "CREATE DATABASE allesteurer_before_restore"], check=True)
    before = installation.counts()
    status, output = installation.restore(dump(source.database, tmp_path / "again.dump"))
    assert status == 0, output
    assert installation.counts() == before


def test_dumps_in_other_formats_are_refused(source, installation, tmp_path):
    for form in ("tar", "plain"):
        status, output = installation.restore(dump(source.database, tmp_path / form, form))
        assert status != 0 and "is not a backup" in output, output
