"""Runs the scripts of Public/js while other tabs, lost connections and replaced pages disturb them; the checks are in
`check_script_events.py`."""

import pathlib, subprocess, sys


def test_the_scripts_handle_events():
    folder = pathlib.Path(__file__).parent
    ran = subprocess.run([sys.executable, folder / "check_script_events.py"], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
