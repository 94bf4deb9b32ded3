"""The commands in bin/: usage, arguments, settings and files that stay after a failure."""

import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import pytest

from server import PROJECT
from waiting import wait_until

COMMANDS = sorted(path.name for path in (PROJECT / "bin").iterdir() if path.is_file())
# Arguments that a command must refuse before it installs, builds or starts anything.
WRONG = [
    "allesteurer", "allesteurer --unknown", "backup", "backup --unknown", "backup a b", "bench unknown", "bench scale sync",
    "ci x", "coverage x", "demo x", "demo --again x", "format x", "format --check x", "fuzz name x", "fuzz-api x",
    "fuzz-api 1 x", "kill-test x", "kill-test 1 2 3 4", "kill-test sync 1 2", "packages unknown", "restore",
    "restore --unknown", "restore a b c", "run x", "run --lan x", "sync-histories", "sync-histories x"]


@pytest.fixture
def checkout():
    """A folder with a copy of the commands. Its path has spaces."""
    # pytest's folders are not readable for PostgreSQL's user.
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="allesteurer commands.") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        shutil.copytree(PROJECT / "bin", folder / "bin")
        yield folder


def call(checkout, command, *arguments):
    """Runs a command from another folder, by a relative path. Only the programs of the base system are on PATH."""
    folder = pathlib.Path("/usr/share")
    return subprocess.run(
        [os.path.relpath(checkout / "bin" / command, folder), *arguments], cwd=folder,
        env={"PATH": "/usr/bin:/bin"}, stdin=subprocess.DEVNULL, capture_output=True, text=True)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_prints_its_usage(checkout, command):
    for option in ("-h", "--help"):
        done = call(checkout, command, option)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"usage: bin/{command}") and "shellcheck" not in done.stdout
    assert not (checkout / "var").exists()


@pytest.mark.parametrize("line", WRONG)
def test_wrong_arguments_are_refused_with_the_usage(checkout, line):
    command, *arguments = line.split()
    done = call(checkout, command, *arguments)
    assert done.returncode == 2 and done.stdout.startswith(f"usage: bin/{command}"), done.stdout + done.stderr
    assert not (checkout / "var").exists()


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/bash\n" + text)
    path.chmod(0o755)


def test_settings_are_not_on_a_command_line(checkout, tmp_path):
    """`env` and `setpriv` are replaced by programs that write their arguments to a file."""
    log, programs = tmp_path / "log", tmp_path / "programs"
    for name in ("env", "setpriv"):
        write_program(programs / name, f'echo {name} "$@" >>"{log}"; exec /usr/bin/{name} "$@"\n')
    write_program(programs / "allesteurer", 'printf "%s\\n" "$@"; /usr/bin/env\n')
    script = f"""source bin/parts/base.sh; source bin/parts/packages.sh; source bin/parts/cluster.sh
        source bin/parts/product.sh; drop=(--no-new-privs)
        release=$project binaries="{programs}" cluster_socket=/nowhere second_engine=
        product_settings; product_as_owner keys "two words" """
    settings = {"PATH": f"{programs}:/usr/bin:/bin", "ALLESTEURER_BACKUP_KEY": "a secret = with spaces", "OTHER": "x"}
    done = subprocess.run(
        ["bash", "-c", script, "bin/here"], cwd=checkout, env=settings, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[:2] == ["keys", "two words"] and "ALLESTEURER_BACKUP_KEY=a secret = with spaces" in lines
    names = {line.split("=")[0] for line in lines[2:]}
    assert {"ALLESTEURER_DATABASE_URL", "ALLESTEURER_OWNER_DATABASE_URL", "OMP_THREAD_LIMIT"} <= names and "OTHER" not in names
    assert "setpriv" in log.read_text() and "secret" not in log.read_text()


@pytest.mark.parametrize("running, words", [("", "The database is not running"), ("db app", "The server is running")])
def test_with_compose_the_database_must_run_and_the_server_must_not(checkout, tmp_path, running, words):
    # `docker compose ps --status running -q SERVICE` prints the id of a running container.
    write_program(tmp_path / "docker", f'case " {running} " in *" ${{@: -1}} "*) echo 1234 ;; esac\n')
    backup = tmp_path / "kept.dump"
    backup.touch()
    done = subprocess.run(
        [checkout / "bin/restore", "--compose", backup], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True,
        text=True)
    assert done.returncode == 1 and words in done.stderr, done.stdout + done.stderr


def test_a_restore_that_cannot_start_does_not_run_psql(checkout, tmp_path):
    """While the cluster of this folder is not started, psql would connect to another PostgreSQL of this machine."""
    programs, called = tmp_path / "programs", tmp_path / "called"
    write_program(programs / "psql", f'touch "{called}"\n')
    (checkout / "var").mkdir()
    backup = tmp_path / "kept.dump"
    backup.touch()
    with open(checkout / "var/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            [checkout / "bin/restore", backup], env=os.environ | {"POSTGRES_BIN": str(programs)}, capture_output=True,
            text=True)
    assert done.returncode == 1 and "is already running" in done.stderr, done.stdout + done.stderr
    assert not called.exists()


def test_a_backup_that_cannot_start_keeps_the_file_of_a_running_one(checkout, tmp_path):
    (checkout / "var/postgres").mkdir(parents=True)
    (tmp_path / "kept.dump.part").write_text("part")
    with open(checkout / "var/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run([checkout / "bin/backup", "kept.dump"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "is already running" in done.stderr, done.stdout + done.stderr
    assert (tmp_path / "kept.dump.part").read_text() == "part"


@pytest.mark.parametrize("socket, status, joined", [("/nowhere", 2, False), ("", 0, False), ("/nowhere", 0, True)])
def test_only_a_cluster_that_answers_is_joined(checkout, tmp_path, socket, status, joined):
    """postmaster.pid of a killed cluster can contain the id of another process, here of this test. While a cluster starts,
    the file does not name its socket."""
    write_program(tmp_path / "pg_isready", f"exit {status}\n")
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres/postmaster.pid").write_text(f"{os.getpid()}\n\n\n\n{socket}\n")
    script = """source bin/parts/base.sh; source bin/parts/cluster.sh
        if cluster_join "$FOLDER"; then echo "joined $cluster_socket"; else echo "not joined $cluster_socket"; fi"""
    done = subprocess.run(
        ["bash", "-c", script], cwd=checkout, env=os.environ | {"POSTGRES_BIN": str(tmp_path), "FOLDER": str(tmp_path)},
        capture_output=True, text=True, check=True)
    assert done.stdout == ("joined /nowhere\n" if joined else "not joined \n")


@pytest.mark.parametrize("end", ["failed", "stopped"])
def test_an_unfinished_backup_leaves_no_file(checkout, tmp_path, end):
    """The programs of PostgreSQL are replaced, and postmaster.pid names this process, as if the cluster were running."""
    programs, started = tmp_path / "programs", tmp_path / "started"
    write_program(programs / "pg_isready", "exit 0\n")
    write_program(programs / "pg_dump", f'echo part; touch "{started}"; ' + ("exit 1" if end == "failed" else "exec sleep 100"))
    cluster = checkout / "var/postgres"
    cluster.mkdir(parents=True)
    (cluster / "postmaster.pid").write_text(f"{os.getpid()}\n\n\n\n/nowhere\n")
    process = subprocess.Popen(
        [checkout / "bin/backup", "kept.dump"], cwd=tmp_path, env=os.environ | {"POSTGRES_BIN": str(programs)},
        start_new_session=True)
    wait_until(lambda: started.exists() or process.poll() is not None, "pg_dump did not start")
    assert started.exists(), "bin/backup ended before pg_dump started"
    if end == "stopped":
        assert (tmp_path / "kept.dump.part").exists()
        os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(timeout=60) != 0
    assert [path.name for path in tmp_path.glob("kept.dump*")] == []
