#!/usr/bin/env bash
# usage: compose-secrets.sh GIVEN MADE
# Run by the service `secrets` of docker-compose.yml. For each of postgres, owner and app it writes MADE/NAME/password and,
# for the two roles, MADE/NAME/url. What is in GIVEN/NAME_password or GIVEN/NAME_url is used; a password that is missing
# is made once and kept. Each MADE/NAME is a volume of its own, so that a service sees only its own secrets.
set -euo pipefail
given=$1 made=$2
# The services read the files as users of their own; the volumes are mounted nowhere else.
umask 022

# write FILE TEXT: the file is complete whenever it is there.
write() {
    printf %s "$2" >"$1.new"
    mv "$1.new" "$1"
}

# The text of a file without the newline that editors add at its end.
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
        # Within quotes libpq wants a backslash before quotes and backslashes.
        quoted=$(sed "s/[\\\\']/\\\\&/g" "$folder/password")
        write "$folder/url" "host=db dbname=allesteurer user=allesteurer_$name password='$quoted'"
    fi
done
