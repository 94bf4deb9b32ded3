"""Runs the scripts of Public/js together with other tabs, lost connections and replaced pages. `check_script_events.py` and
`check_wine_script.py` call the checks."""

import pytest

from test_scripts import run_program


@pytest.mark.parametrize("name", ["check_script_events.py", "check_wine_script.py"])
def test_the_scripts_handle_events(name):
    run_program(name)
