"""The files of the image, and the passwords that `docker compose up` creates on a new clone."""

import os
import pathlib
import re
import subprocess

import pytest

from server import PROJECT

FILES = ["postgres/password", "owner/password", "owner/url", "app/password", "app/url"]


def test_the_build_context_has_every_file_that_the_image_copies():
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (PROJECT / "Dockerfile").read_text(), re.M)
    sources = [pathlib.PurePath(source) for line in copied for source in line.split()]
    first, *patterns = (PROJECT / ".dockerignore").read_text().split()
    sent = [pathlib.PurePath(pattern[1:]) for pattern in patterns if pattern[0] == "!"]
    assert first == "*" and pathlib.PurePath("bin/parts/second-engine.sh") in sources
    for source in sources:
        assert (PROJECT / source).exists(), source
        assert any(source.is_relative_to(path) for path in sent), source


@pytest.fixture
def make(tmp_path):
    """A function that runs the script of the Compose service `secrets` and returns the contents of the files that it creates.
    `given` is a folder like secrets/, with files that the operator created."""
    given, made = tmp_path / "given", tmp_path / "made"
    given.mkdir()

    def run():
        subprocess.run([PROJECT / "bin/parts/compose-secrets.sh", given, made], check=True)
        assert sorted(str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()) == sorted(FILES)
        return {name: (made / name).read_text() for name in FILES}

    run.given = given
    return run


def test_missing_secrets_are_created_and_then_kept(make):
    first = make()
    passwords = [first[f"{name}/password"] for name in ("postgres", "owner", "app")]
    assert len(set(passwords)) == 3 and all(re.fullmatch("[0-9a-f]{48}", password) for password in passwords)
    assert first["app/url"] == f"host=db dbname=allesteurer user=allesteurer_app password='{passwords[2]}'"
    assert make() == first


def test_given_secrets_are_used(make):
    first = make()
    (make.given / "app_password").write_text("it's a \\ backslash\n")
    (make.given / "owner_url").write_text("postgresql://owner@elsewhere/allesteurer\n")
    second = make()
    assert second["app/password"] == "it's a \\ backslash"
    assert second["app/url"].endswith(r"password='it\'s a \\ backslash'")
    assert second["owner/url"] == "postgresql://owner@elsewhere/allesteurer"
    for name in ("postgres/password", "owner/password"):
        assert second[name] == first[name]


def test_each_service_gets_only_its_own_secrets():
    compose = (PROJECT / "docker-compose.yml").read_text()
    services = dict(re.findall(r"^  (\w+):\n((?:    .*\n|\n|  +#.*\n)+)", compose, re.M))
    mounts = {name: set(re.findall(r"secret-(\w+):/", text)) for name, text in services.items()}
    assert mounts["db"] == {"postgres"} and mounts["app"] == {"app"} and mounts["migrate"] == {"owner", "app"}
    assert mounts["roles"] == mounts["secrets"] == {"postgres", "owner", "app"}
    assert mounts.keys() == {"db", "app", "migrate", "roles", "secrets"}


def test_a_clone_has_every_file_that_the_services_mount():
    mounted = set(re.findall(r"- \./([\w./-]+):", (PROJECT / "docker-compose.yml").read_text()))
    assert mounted == {"bin/parts/compose-secrets.sh", "bin/parts/roles.sql", "secrets"}
    assert [path for path in mounted if not (PROJECT / path).exists()] == []
    assert os.access(PROJECT / "bin/parts/compose-secrets.sh", os.X_OK)
