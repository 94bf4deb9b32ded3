# Builds the product and runs it.
# shellcheck shell=bash
# shellcheck source=bin/parts/second-engine.sh
source bin/parts/second-engine.sh

# The standard library is linked statically, so that the runner needs no access to the toolchain and the server starts
# faster.
release_flags=(-c release --static-swift-stdlib)
# The working directory of subcommands; the folder of the release if empty.
working_folder=

build_product() {
    say "Building …"
    swift build "${release_flags[@]}" 9>&-
    release=$project
    binaries=$(swift build "${release_flags[@]}" --show-bin-path)
    need_second_engine
    if ! as_runner test -x "$binaries/allesteurer"; then copy_release; fi
}

# Exports ALLESTEURER_BINARIES, the folder with executables. If it is not set, builds the debug build.
need_debug_build() {
    if [ -z "${ALLESTEURER_BINARIES:-}" ]; then
        need_swift
        swift build
        ALLESTEURER_BINARIES=$(swift build --show-bin-path)
    fi
    export ALLESTEURER_BINARIES
}

# Copies the product to the data folder. Called if the runner cannot access the project.
copy_release() {
    release=$home/release
    rm -rf "$release"
    mkdir -p "$release"
    cp "$binaries/allesteurer" "$binaries/allesteurer-reader" "$release/"
    cp -r Views Public Migrations "$release/"
    if [ "$second_engine" = "$project/var/second-engine" ]; then
        cp -r "$second_engine" "$release/"
        second_engine=$release/second-engine
    fi
    chmod -R go+rX "$release"
    binaries=$release
}

# product_settings SETTING…: sets `settings`, the environment of the product: the required settings and the arguments. A
# setting in the caller's environment, as a value or as a file, takes precedence.
product_settings() {
    local setting name
    # OMP_THREAD_LIMIT, which libgomp reads when it is loaded: without it, the threads of Tesseract busy-wait, and a
    # page takes half a minute. MALLOC_MMAP_THRESHOLD_: without it, glibc raises the threshold and keeps 19 MiB for each
    # thread that has hashed a password.
    settings=("PATH=$PATH" LC_ALL=C.UTF-8 "SWIFT_BACKTRACE=$SWIFT_BACKTRACE" OMP_THREAD_LIMIT=1 MALLOC_MMAP_THRESHOLD_=1048576)
    for setting in "$@" \
        "ALLESTEURER_DATABASE_URL=$(cluster_url allesteurer_app)" \
        "ALLESTEURER_VIEWS=$release/Views" \
        "ALLESTEURER_PUBLIC=$release/Public" \
        "ALLESTEURER_MIGRATIONS=$release/Migrations" \
        "ALLESTEURER_READER=$binaries/allesteurer-reader" \
        "ALLESTEURER_SECOND_ENGINE=${second_engine:-}"; do
        name=${setting%%=*}
        if ! [ -v "$name" ] && ! [ -v "${name}_FILE" ]; then settings+=("$setting"); fi
    done
    if [ -n "${TZ:-}" ]; then settings+=("TZ=$TZ"); fi
    for name in "${!ALLESTEURER_@}"; do
        # Excludes settings of tests and scripts.
        case $name in
            ALLESTEURER_TEST_* | ALLESTEURER_BACKUP_LIMIT | ALLESTEURER_BINARIES | ALLESTEURER_SETUP_LINK) ;;
            *) settings+=("$name=${!name}") ;;
        esac
    done
}

# Replaces the environment of this shell with `settings`. Call it in a subshell. The settings are not arguments of `env`,
# because they can contain passwords, and every user of the machine can read the arguments of a process.
use_settings() {
    local name
    for name in $(compgen -e); do export -n "$name"; done
    export "${settings[@]}"
}

# product ARGUMENTS…: runs a subcommand of the program, with the database role of the app.
product() {
    (cd "${working_folder:-$release}" && use_settings && as_runner "$binaries/allesteurer" "$@") 9>&-
}

# product_as_owner ARGUMENTS…: runs a subcommand that also needs the database role of the owner, or scratch databases.
product_as_owner() {
    local settings=("${settings[@]}" "ALLESTEURER_OWNER_DATABASE_URL=$(cluster_url allesteurer_owner)")
    if ! [ -v ALLESTEURER_SCRATCH_DATABASE_URL ] && ! [ -v ALLESTEURER_SCRATCH_DATABASE_URL_FILE ]; then
        settings+=("ALLESTEURER_SCRATCH_DATABASE_URL=$(cluster_url postgres postgres)")
    fi
    product "$@"
}

# Sets up everything that `product` needs, with the data of bin/run. If bin/run is running, uses its cluster. Otherwise,
# starts the cluster, which then runs until the script ends.
open_data() {
    find_home
    if ! cluster_join "$home"; then
        lock_data
        trap cluster_stop EXIT
        trap 'exit 130' INT
        trap 'exit 143' TERM HUP
    fi
    build_product
    if [ -z "$cluster_socket" ]; then cluster_start "$home" durable; fi
    # The address at which bin/run served last.
    product_settings "ALLESTEURER_BASE_URL=$(cat "$home/address" 2>/dev/null || echo http://127.0.0.1:8080)"
}
