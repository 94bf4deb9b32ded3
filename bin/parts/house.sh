# Where things lie and who runs them; every command sources this first.
# bash and coreutils only: on a bare machine nothing else is there yet.
# shellcheck shell=bash
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
caller=$PWD
cd "$project"
export LC_ALL=C.UTF-8
# The crash reporter can hang for ever and keep the terminal; a service is better off without it.
export SWIFT_BACKTRACE=enable=no

say() { printf '%s\n' "$@" || true; }
warn() { printf '%s\n' "$@" >&2 || true; }
die() { warn "$*"; exit 1; }

# A path given on the command line, as seen from where the command was called.
from_caller() { case $1 in /*) printf %s "$1" ;; *) printf %s "$caller/$1" ;; esac; }

# Root's own rights are for installing. What stays running, PostgreSQL (which refuses root) and the server (which takes
# files from strangers), runs as the system user `allesteurer`; an ordinary user runs everything as itself.
if [ "$(id -u)" = 0 ]; then runner=allesteurer; else runner=$(id -un); fi

need_runner() {
    if [ "$(id -u)" = 0 ] && ! id -u "$runner" >/dev/null 2>&1; then
        useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$runner"
        say "Created the system user $runner, which runs PostgreSQL and the server."
    fi
}

# The words before a command that give up root's rights, or none for an ordinary user.
drop=()
if [ "$(id -u)" = 0 ]; then
    drop=(--reuid="$runner" --regid="$runner" --clear-groups --inh-caps=-all --no-new-privs)
fi

# Runs a command as the runner, in the foreground.
as_runner() {
    if [ ${#drop[@]} -gt 0 ]; then setpriv "${drop[@]}" -- "$@"; else "$@"; fi
}

# Becomes a command as the runner, in a session of its own, so that Ctrl-C reaches only the script, which then stops
# things in their order. If the script dies without a word, the command gets the signal named first.
# Call it as `start_in_background SIGNAL … &`; `$!` is then the command itself.
start_in_background() {
    local signal=$1
    shift
    exec setsid setpriv --pdeathsig "$signal" "${drop[@]}" -- "$@"
}

# Prepares `home`, the folder of everything that is kept: var/, or, where the runner cannot reach that (a project under a
# home folder of mode 700, used by root), /var/lib/allesteurer/…, with var/home as the way there.
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
        say "$project cannot be reached by the user $runner: data is kept in $home."
    fi
    mkdir -p "$home"
}

# Refuses to go on while another bin/run, bin/demo or bin/restore changes the same house. Held until the script and all it started ended.
lock_house() {
    exec 9>"$project/var/lock"
    flock -n 9 || die "bin/run is already running in $project."
}
