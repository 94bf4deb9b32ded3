# Functions for paths, users and messages. Every command sources this file first, so it uses only programs that every
# Debian has.
# shellcheck shell=bash
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
caller=$PWD
cd "$project"
export LC_ALL=C.UTF-8
# Disables Swift's crash reporter, which can hang and keep the terminal open.
export SWIFT_BACKTRACE=enable=no

say() { printf '%s\n' "$@" || true; }
warn() { printf '%s\n' "$@" >&2 || true; }
die() { warn "$*"; exit 1; }

# from_caller PATH: makes a path of the command line absolute. It is relative to the caller's working directory.
from_caller() { case $1 in /*) printf %s "$1" ;; *) printf %s "$caller/$1" ;; esac; }

# usage STATUS: prints the comment at the top of the command, and exits.
usage() {
    sed -n -e 1d -e '/^# shellcheck/q' -e 's/^# //p' "$(from_caller "$0")"
    exit "$1"
}

is_number() { [[ $1 =~ ^[0-9]{1,9}$ ]]; }

# Positional parameters are those of the command that sources this file.
case ${1:-} in -h | --help) usage 0 ;; esac

# Sets `runner`, the user that runs PostgreSQL and the server: the current user, or the system user `allesteurer` if the
# current user is root, because PostgreSQL refuses root and the server processes untrusted files.
if [ "$(id -u)" = 0 ]; then runner=allesteurer; else runner=$(id -un); fi

need_runner() {
    if [ "$(id -u)" = 0 ] && ! id -u "$runner" >/dev/null 2>&1; then
        useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$runner"
        say "Created the system user $runner, which runs PostgreSQL and the server."
    fi
}

# Arguments of setpriv that drop the privileges of root; empty for other users.
drop=()
if [ "$(id -u)" = 0 ]; then
    drop=(--reuid="$runner" --regid="$runner" --clear-groups --inh-caps=-all --no-new-privs)
fi

# Runs a command as the runner, in the foreground.
as_runner() {
    if [ ${#drop[@]} -gt 0 ]; then setpriv "${drop[@]}" -- "$@"; else "$@"; fi
}

# Replaces the shell by a command that runs as the runner in a separate session. So Ctrl-C reaches only the script, which
# stops its processes in the right order. If the script is killed, the kernel sends SIGNAL to the command. Call it as
# `start_in_background SIGNAL COMMAND… &`; `$!` is then the process id of the command.
start_in_background() {
    local signal=$1
    shift
    exec setsid setpriv --pdeathsig "$signal" "${drop[@]}" -- "$@"
}

# Sets `home`, the folder for all data: var/, or /var/lib/allesteurer/… if the runner cannot access var/ (for example if
# root uses a project below a home folder of mode 700). Then var/home is a link to it.
find_home() {
    need_runner
    mkdir -p "$project/var"
    if [ -L "$project/var/home" ]; then
        home=$(readlink -f "$project/var/home")
    elif as_runner test -x "$project/var"; then
        home=$project/var
    else
        home=/var/lib/allesteurer/$(printf %s "$project" | sha256sum | cut -c1-12)
        mkdir -p "$home"
        chmod 755 "${home%/*}" "$home"
        ln -s "$home" "$project/var/home"
        say "The user $runner cannot access $project: data is kept in $home."
    fi
    mkdir -p "$home"
}

# Fails if another bin/run, bin/demo, bin/allesteurer, bin/backup or bin/restore uses the same data. The lock is held until the script
# and all its processes have ended.
lock_data() {
    exec 9>"$project/var/lock"
    flock -n 9 || die "bin/run, bin/demo, bin/allesteurer, bin/backup or bin/restore is already running in $project."
}
