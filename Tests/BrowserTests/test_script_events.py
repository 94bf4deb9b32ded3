"""Runs the scripts of Public/js while other tabs, lost connections and replaced pages disturb them; the checks are in
`check_script_events.py` and `check_wine_script.py`."""

import pathlib, subprocess, sys

import pytest


@pytest.mark.parametrize("name", ["check_script_events.py", "check_wine_script.py"])
def test_the_scripts_handle_events(name):
    folder = pathlib.Path(__file__).parent
    ran = subprocess.run([sys.executable, folder / name], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
