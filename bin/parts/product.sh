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

# Sets `settings`, the environment of the product; what stands in the caller's own environment wins.
product_settings() {
    settings=(
        "PATH=$PATH" "LC_ALL=C.UTF-8" "SWIFT_BACKTRACE=$SWIFT_BACKTRACE"
        # Without it Tesseract's threads spin: a page takes half a minute. It is read when the library is loaded.
        "OMP_THREAD_LIMIT=1"
        "ALLESTEURER_DATABASE_URL=$(cluster_url allesteurer_app)"
        "ALLESTEURER_VIEWS=$release/Views"
        "ALLESTEURER_PUBLIC=$release/Public"
        "ALLESTEURER_READER=$binaries/allesteurer-reader"
        "$@"
    )
    local name
    for name in "${!ALLESTEURER_@}"; do
        # Those of the tests are no settings of the product, which refuses what it does not know.
        case $name in ALLESTEURER_TEST_*) ;; *) settings+=("$name=${!name}") ;; esac
    done
}

# Runs a subcommand to its end as the app's role.
product() {
    (cd "$release" && as_runner env -i "${settings[@]}" "$binaries/allesteurer" "$@") 9>&-
}

# Brings the schema up to date as the owner's role.
migrate_product() {
    local settings=("${settings[@]}" "ALLESTEURER_OWNER_DATABASE_URL=$(cluster_url allesteurer_owner)"
        "ALLESTEURER_MIGRATIONS=$release/Migrations")
    product migrate
}
