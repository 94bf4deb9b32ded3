#!/usr/bin/env bash
# usage: compose-secrets.sh GIVEN MADE
# Run by the service `secrets` of docker-compose.yml. For each of postgres, owner and app it writes MADE/NAME/password
# and, for owner and app, MADE/NAME/url. It uses GIVEN/NAME_password and GIVEN/NAME_url if they exist. A missing
# password is generated once and kept. Each MADE/NAME is a separate volume, so that a service sees only its own secrets.
set -euo pipefail
given=$1 made=$2
# Other users may read the files, because the services run as different users. The volumes are mounted by these services
# only.
umask 022

# write FILE TEXT: writes a file atomically.
write() {
    printf %s "$2" >"$1.new"
    mv "$1.new" "$1"
}

# text FILE: prints a file without the newline that editors add at the end.
text() { printf %s "$(cat "$1")"; }

for name in postgres owner app; do
    folder=$made/$name
    mkdir -p "$folder"
    if [ -s "$given/${name}_password" ]; then
        write "$folder/password" "$(text "$given/${name}_password")"
    elif [ ! -s "$folder/password" ]; then
        write "$folder/password" "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
    fi
    [ "$name" != postgres ] || continue
    if [ -s "$given/${name}_url" ]; then
        write "$folder/url" "$(text "$given/${name}_url")"
    else
        # Within quotes, libpq needs a backslash before quotes and backslashes.
        quoted=$(sed "s/[\\\\']/\\\\&/g" "$folder/password")
        write "$folder/url" "host=db dbname=allesteurer user=allesteurer_$name password='$quoted'"
    fi
done
