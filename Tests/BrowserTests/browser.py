"""The program file of Chromium."""

import os
import shutil

# The headless shell needs half of the CPU time of the whole browser, and has the same engine.
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
