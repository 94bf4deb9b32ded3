# A private PostgreSQL 15 cluster: Unix socket only, no TCP, no passwords. Only the runner (see base.sh) has access to the
# folder of the socket. Peer authentication admits the runner, and root if root started the cluster.
# shellcheck shell=bash

postgres_bin=${POSTGRES_BIN:-/usr/lib/postgresql/15/bin}
cluster_pid=
cluster_socket=

# cluster_start FOLDER durable|throwaway: creates the cluster FOLDER/postgres if it is missing, starts it and waits
# until it answers. Durable clusters sync to disk, so acknowledged writes survive a power failure. Throw-away clusters
# do not.
cluster_start() {
    local folder=$1 kind=$2 data=$1/postgres log=$1/postgres.log
    local options=(-c listen_addresses= -c unix_socket_permissions=0700)
    if [ "$kind" = throwaway ]; then
        options+=(-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=300
            -c max_wal_size=256MB)
    else
        options+=(-c fsync=on -c synchronous_commit=on -c full_page_writes=on)
    fi
    [ -x "$postgres_bin/postgres" ] || die "PostgreSQL 15 was not found in $postgres_bin (set POSTGRES_BIN)."
    if [ ! -e "$data" ]; then
        cluster_create "$data"
    elif [ "$(stat -c %U "$data")" != "$runner" ]; then
        die "$data belongs to $(stat -c %U "$data"), not to $runner: run this as the same user as the first time."
    fi
    cluster_access "$data"

    # The path of a socket may have at most 107 bytes.
    cluster_socket=$folder/socket
    if [ "$(printf %s "$cluster_socket/.s.PGSQL.5432" | LC_ALL=C wc -c)" -gt 107 ]; then
        cluster_socket=$(mktemp -d /tmp/allesteurer-socket.XXXXXX)
    fi
    mkdir -p "$cluster_socket"
    owned_by_runner "$cluster_socket"

    if [ -f "$log" ] && [ "$(stat -c %s "$log")" -gt 10000000 ]; then mv "$log" "$log.1"; fi
    touch "$log"
    owned_by_runner "$log"
    (cd / && start_in_background INT "$postgres_bin/postgres" -D "$data" -k "$cluster_socket" "${options[@]}") \
        >>"$log" 2>&1 </dev/null &
    cluster_pid=$!
    until "$postgres_bin/pg_isready" -q -h "$cluster_socket"; do
        if ! kill -0 "$cluster_pid" 2>/dev/null; then
            cluster_pid=
            tail -n 15 "$log" >&2
            die "PostgreSQL did not start."
        fi
        sleep 0.05
    done
    if [ "$kind" = durable ]; then cluster_roles; fi
}

# Disconnects all clients, stops the server that cluster_start started, and waits for its end.
cluster_stop() {
    [ -n "$cluster_pid" ] || return 0
    kill -INT "$cluster_pid" 2>/dev/null || true
    wait "$cluster_pid" 2>/dev/null || true
    cluster_pid=
    case $cluster_socket in /tmp/allesteurer-socket.*) rm -rf "$cluster_socket" ;; esac
}

# cluster_join FOLDER: uses the cluster in FOLDER if another command is running it; otherwise fails, and leaves
# `cluster_socket` empty. After a kill, postmaster.pid can name a process of another program.
cluster_join() {
    local pidfile=$1/postgres/postmaster.pid socket
    [ -f "$pidfile" ] && kill -0 "$(head -n 1 "$pidfile")" 2>/dev/null || return 1
    # A cluster that is starting has not written its socket yet.
    socket=$(sed -n 5p "$pidfile")
    [ -n "$socket" ] && "$postgres_bin/pg_isready" -q -h "$socket" || return 1
    cluster_socket=$socket
}

# cluster_url ROLE [DATABASE]: the connection URL, with the socket's folder percent-encoded.
cluster_url() {
    local path=$cluster_socket encoded="" character i
    local LC_ALL=C
    for ((i = 0; i < ${#path}; i++)); do
        character=${path:i:1}
        case $character in
        [a-zA-Z0-9/._-]) encoded+=$character ;;
        *) printf -v character '%%%02X' "'$character"; encoded+=%${character: -2} ;;
        esac
    done
    printf 'postgresql:///%s?host=%s&user=%s' "${2:-allesteurer}" "$encoded" "$1"
}

# cluster_create FOLDER: creates a cluster under another name and renames it when it is complete, so that an interrupted
# first start leaves no incomplete cluster.
cluster_create() {
    local data=$1 new=$1.new
    rm -rf "$new"
    mkdir "$new"
    owned_by_runner "$new"
    (cd / && as_runner "$postgres_bin/initdb" --pgdata="$new" --username=postgres --auth=peer --encoding=UTF8 \
        --locale=C.UTF-8 --data-checksums --no-sync --no-instructions) >/dev/null
    sync -f "$new"
    mv "$new" "$data"
}

# cluster_access FOLDER: writes the access rules. Called at each start, because the user may have another name or the folder
# may have been moved.
cluster_access() {
    local data=$1 user
    echo "local all all peer map=runner" >"$data/pg_hba.conf"
    for user in "$runner" "$(id -un)"; do
        printf 'runner "%s" %s\n' "$user" postgres "$user" allesteurer_owner "$user" allesteurer_app
    done | sort -u >"$data/pg_ident.conf"
}

cluster_roles() {
    psql_as_superuser postgres -f "$project/bin/parts/roles.sql"
}

# psql_as_superuser DATABASE ARGUMENTS…
psql_as_superuser() {
    local database=$1
    shift
    PGOPTIONS=-cclient_min_messages=warning "$postgres_bin/psql" -X -q -v ON_ERROR_STOP=1 -h "$cluster_socket" -U postgres -d "$database" "$@"
}

owned_by_runner() {
    chmod go= "$1"
    if [ "$(id -u)" = 0 ]; then chown "$runner:" "$1"; fi
}
