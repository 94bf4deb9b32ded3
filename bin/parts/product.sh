# Building the product and calling it.
# shellcheck shell=bash

# The standard library is linked in: the runner need not reach the toolchain's folder, and the server starts faster.
release_flags=(-c release --static-swift-stdlib)

build_product() {
    say "Building …"
    swift build "${release_flags[@]}" 9>&-
    release=$project
    binaries=$(swift build "${release_flags[@]}" --show-bin-path)
    if ! as_runner test -x "$binaries/allesteurer"; then copy_release; fi
}

# For a project folder that the runner cannot reach: what it needs lies beside the data.
copy_release() {
    release=$home/release
    rm -rf "$release"
    mkdir -p "$release"
    cp "$binaries/allesteurer" "$binaries/allesteurer-reader" "$release/"
    cp -r Views Public Migrations "$release/"
    chmod -R go+rX "$release"
    binaries=$release
}

# Sets `settings`, the environment of the product: what it needs, and the words given. A setting that stands in the
# caller's own environment, as a value or as a file, takes the place of ours.
product_settings() {
    local setting name
    # Without OMP_THREAD_LIMIT Tesseract's threads spin: a page takes half a minute. It is read when the library is loaded.
    # Without MALLOC_MMAP_THRESHOLD_ glibc raises that bound by itself and keeps 19 MiB for each thread that hashed a password.
    settings=("PATH=$PATH" LC_ALL=C.UTF-8 "SWIFT_BACKTRACE=$SWIFT_BACKTRACE" OMP_THREAD_LIMIT=1 MALLOC_MMAP_THRESHOLD_=1048576)
    for setting in "$@" \
        "ALLESTEURER_DATABASE_URL=$(cluster_url allesteurer_app)" \
        "ALLESTEURER_VIEWS=$release/Views" \
        "ALLESTEURER_PUBLIC=$release/Public" \
        "ALLESTEURER_MIGRATIONS=$release/Migrations" \
        "ALLESTEURER_READER=$binaries/allesteurer-reader"; do
        name=${setting%%=*}
        if ! [ -v "$name" ] && ! [ -v "${name}_FILE" ]; then settings+=("$setting"); fi
    done
    if [ -n "${TZ:-}" ]; then settings+=("TZ=$TZ"); fi
    for name in "${!ALLESTEURER_@}"; do
        # Those of the tests and scripts are no settings of the product.
        case $name in
            ALLESTEURER_TEST_* | ALLESTEURER_BACKUP_* | ALLESTEURER_BINARIES | ALLESTEURER_SETUP_LINK) ;;
            *) settings+=("$name=${!name}") ;;
        esac
    done
}

# Runs a subcommand to its end as the app's role.
product() {
    (cd "$release" && as_runner env -i "${settings[@]}" "$binaries/allesteurer" "$@") 9>&-
}

# The same for those that need the owner's role too.
product_as_owner() {
    local settings=("${settings[@]}" "ALLESTEURER_OWNER_DATABASE_URL=$(cluster_url allesteurer_owner)")
    product "$@"
}
