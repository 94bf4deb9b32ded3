# The Python environment of Tests/Drawer, which draws receipts for measurements.
# shellcheck shell=bash

# Installs the Python packages of Tests/Drawer in var/drawer-python, with the versions in its requirements, unless they
# are installed already.
need_drawer() {
    local wanted=Tests/Drawer/requirements.txt there=var/drawer-python/requirements.txt
    cmp -s "$wanted" "$there" && return 0
    say "Installing the Python packages that draw receipts …"
    rm -rf var/drawer-python
    python3 -m venv var/drawer-python
    var/drawer-python/bin/pip install -q --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$there"
}
