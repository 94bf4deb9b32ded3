# Backups: one file in pg_dump's custom format, which is checked before it is restored. `postgres_tool` runs a program
# for the cluster of bin/run or in the service `db` of the compose file. Files are passed by standard input and output.
# shellcheck shell=bash

# Maximum number of entries in a backup. Backups of bin/backup have fewer than 1000.
most_entries=2000
# Maximum unpacked size in bytes. Without --compose, the free space on the disk is a limit too.
most_bytes=${ALLESTEURER_BACKUP_LIMIT:-100000000000}
unset ALLESTEURER_BACKUP_LIMIT
[[ $most_bytes =~ ^[0-9]{1,18}$ ]] || die "ALLESTEURER_BACKUP_LIMIT must be a number of bytes."

# postgres_tool COMMAND ARGUMENTS…
postgres_tool() {
    if [ "$target" = compose ]; then
        docker compose exec -T db "$@"
    else
        "$postgres_bin/$1" -h "$cluster_socket" "${@:2}"
    fi
}

# is_in_compose SERVICE: whether the service of the compose file is running.
is_in_compose() { [ -n "$(docker compose ps --status running -q "$1")" ]; }

# Without this check, a stopped database would make every backup look damaged.
need_compose_database() { is_in_compose db || die "The database is not running: docker compose up -d db"; }

# psql_as ROLE DATABASE ARGUMENTS…
psql_as() {
    postgres_tool psql -X -q -v ON_ERROR_STOP=1 -U "$1" -d "$2" -c 'SET client_min_messages = warning' "${@:3}" </dev/null
}

# unpack_in_container ARGUMENTS…: runs pg_restore in the container of the database. pg_restore may end before it has
# read the whole file. Some container engines report this as a failed transfer, so the shell then reads the rest.
unpack_in_container() {
    # shellcheck disable=SC2016  # for the shell in the container
    docker compose exec -T db sh -c 'pg_restore "$@"; status=$?; cat >/dev/null; exit $status' pg_restore "$@" <"$file"
}

# read_backup ARGUMENTS…: runs pg_restore without a database.
read_backup() {
    if [ "$target" = compose ]; then unpack_in_container "$@"; else
        (ulimit -v 4000000 && exec "$postgres_bin/pg_restore" "$@" <"$file")
    fi
}

# write_backup ARGUMENTS…: runs pg_restore into a database.
write_backup() {
    if [ "$target" = compose ]; then unpack_in_container "$@"; else postgres_tool pg_restore "$@" <"$file"; fi
}

refuse() { die "$name $1; nothing was changed."; }

# Checks the file without writing anything: its format, completeness and size, and that it has only entries of the types
# that backups of bin/backup have.
inspect_backup() {
    # Refuses other archive formats, which may contain paths and links.
    [ "$(head -c 5 "$file" | tr -d '\0')" = PGDMP ] || refuse "is not a backup"
    local entries foreign
    entries=$(read_backup --list 2>/dev/null | grep -v '^;' | head -n $((most_entries + 1))) || refuse "is damaged"
    [ "$(wc -l <<<"$entries")" -le "$most_entries" ] || refuse "has more entries than a backup"
    foreign=$(sed -E 's/^[0-9]+; [0-9]+ [0-9]+ //' <<<"$entries" |
        grep -vE '^(TABLE|TABLE DATA|CONSTRAINT|FK CONSTRAINT|INDEX|FUNCTION|POLICY|ROW SECURITY|ACL) (public|-) ' || true)
    [ -z "$foreign" ] || refuse "contains an entry that backups do not have (${foreign%%$'\n'*})"

    local room=$most_bytes free bytes
    if [ "$target" = local ]; then
        free=$(df --output=avail -B1 "$home" | tail -n 1)
        [ "$free" -ge "$room" ] || room=$free
    fi
    # Unpacks the file once without storing it. This detects damage, and small files that unpack to huge ones.
    bytes=$({ read_backup -f - 2>/dev/null && touch "$scratch/whole"; } | head -c $((room + 1)) | wc -c) || true
    [ "$bytes" -le "$room" ] || refuse "is larger than $((room / 1000000)) MB when unpacked"
    [ -e "$scratch/whole" ] || refuse "is damaged"
}

# new_database NAME: creates an empty database with the privileges of bin/parts/roles.sql.
new_database() {
    psql_as postgres postgres -c "DROP DATABASE IF EXISTS $1" -c "CREATE DATABASE $1 OWNER allesteurer_owner
        TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'"
    psql_as postgres "$1" -c 'REVOKE ALL ON SCHEMA public FROM PUBLIC' \
        -c 'GRANT ALL ON SCHEMA public TO allesteurer_owner' -c 'GRANT USAGE ON SCHEMA public TO allesteurer_app'
}

# Prints the schema as text, without the migration dates and the random key of each dump.
schema_of() {
    postgres_tool pg_dump -U postgres -d "$1" --schema-only --exclude-table=schema_migration </dev/null |
        grep -vE '^\\(un)?restrict '
}

# Checks that the restored database has only migrations of this program, unaltered, and exactly the tables, functions
# and policies that these migrations create.
check_schema() {
    local number checksum script
    new_database allesteurer_reference
    while IFS='|' read -r number checksum; do
        script=$(compgen -G "Migrations/$(printf %04d "$number")_*.sql") ||
            refuse "was written by a newer version of AllesTeurer: upgrade first"
        [ "$(sha256sum <"$script" | cut -d' ' -f1)" = "$checksum" ] || refuse "is from another program (migration $number)"
        postgres_tool psql -X -q -1 -v ON_ERROR_STOP=1 -U allesteurer_owner -d allesteurer_reference <"$script" >/dev/null
    done < <(psql_as allesteurer_owner allesteurer_restored -At \
        -c "SELECT number, encode(checksum, 'hex') FROM schema_migration ORDER BY number")
    # Not `diff <(…) <(…)`, which would compare two empty schemas if pg_dump failed.
    schema_of allesteurer_reference >"$scratch/reference.sql" && schema_of allesteurer_restored >"$scratch/restored.sql" ||
        refuse "cannot be checked"
    cmp -s "$scratch/reference.sql" "$scratch/restored.sql" || refuse "has tables or rules that AllesTeurer does not have"
}
