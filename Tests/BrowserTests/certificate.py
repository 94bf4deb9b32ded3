"""A private certificate authority and a certificate for a name, made with the commands of `bin/run --lan`."""

import subprocess

from server import PROJECT


def make_certificate(folder, name):
    script = f"""
        source bin/parts/base.sh
        source bin/parts/cluster.sh
        source bin/parts/certificate.sh
        runner=$(id -un)
        hostname() {{ echo {name}; }}
        need_certificate "$1"
    """
    subprocess.run(["bash", "-c", script, "bash", str(folder)], cwd=PROJECT, check=True)
    return folder
