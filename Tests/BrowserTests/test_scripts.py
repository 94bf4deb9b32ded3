"""Runs the scripts of Public/js on the sample pages, which are filled templates; `check_scripts.py` calls the checks."""

import pathlib, subprocess, sys

# Seconds, much longer than needed, because a busy machine may delay the checks.
TIME_LIMIT = 800


def run_program(name):
    program = pathlib.Path(__file__).parent / name
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=TIME_LIMIT)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_scripts_work_on_the_sample_pages():
    run_program("check_scripts.py")


def test_every_page_has_a_sample_that_its_template_renders():
    run_program("render_samples.py")
