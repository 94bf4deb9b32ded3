# Debian packages, in groups by purpose.
# shellcheck shell=bash

# The packages that the Swift toolchain needs: linker, C and C++ headers, and the libraries that its programs load.
packages_swift=(binutils libc6-dev libcurl4 libncurses6 libsqlite3-0 libstdc++-12-dev libxml2 pkg-config)
packages_build=(
    "${packages_swift[@]}"
    libpq-dev libssl-dev libargon2-dev zlib1g-dev
    libtesseract-dev libleptonica-dev libturbojpeg0-dev libjpeg-dev libpng-dev libwebp-dev libheif-dev libzxing-dev
    libseccomp-dev
    # libtesseract-dev depends on one of these packages. The first one is preferred; apt would choose the one with NSS.
    "libcurl4-openssl-dev|libcurl4-gnutls-dev|libcurl4-nss-dev"
)
# ca-certificates: webhooks and the mailbox verify certificates.
packages_run=(postgresql-15 tesseract-ocr-deu tesseract-ocr-osd poppler-utils openssl ca-certificates)
packages_engine=(python3 python3-venv)
packages_lan=(qrencode)
packages_browser=("chromium-headless-shell|chromium" python3 python3-venv)
packages_bench=(nginx-light wrk python3)
packages_reading=(
    tesseract-ocr libheif-examples python3 python3-venv fonts-dejavu-core fonts-liberation fonts-hack fonts-inconsolata
    fonts-anonymous-pro fonts-courier-prime fonts-noto-mono fonts-freefont-ttf fonts-ocr-b
)

# has_package A|B|C: succeeds if one of the packages is installed.
has_package() {
    local name
    for name in ${1//|/ }; do
        if [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null || true)" = installed ]; then return 0; fi
    done
    return 1
}

# need_packages GROUP…: installs the missing packages of the groups above, as root or with sudo.
need_packages() {
    local group name missing=() root=()
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        warn "This is not Debian: install the equivalents of the packages in bin/parts/packages.sh yourself."
        return 0
    fi
    for group in "$@"; do
        local -n names="packages_$group"
        for name in "${names[@]}"; do
            has_package "$name" || missing+=("${name%%|*}")
        done
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "Installing Debian packages: ${missing[*]}"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "Root is required: apt-get install --no-install-recommends ${missing[*]}"
        root=(sudo)
    fi
    # Prevents Debian from creating and starting a cluster that uses TCP. Only at the first installation of PostgreSQL, so
    # that an existing configuration is not changed.
    local settings=/etc/postgresql-common/createcluster.d/allesteurer.conf placed=
    if [ ! -e /etc/postgresql-common ] && [[ " ${missing[*]} " == *" postgresql-15 "* ]]; then
        "${root[@]}" mkdir -p "${settings%/*}"
        echo "create_main_cluster = false" | "${root[@]}" tee "$settings" >/dev/null
        placed=yes
    fi
    local log status=0
    log=$(mktemp)
    { "${root[@]}" apt-get update -qq &&
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            -o DPkg::Lock::Timeout=300 "${missing[@]}"; } >"$log" 2>&1 </dev/null || status=$?
    if [ -n "$placed" ]; then "${root[@]}" rm -f "$settings"; fi
    if [ "$status" != 0 ]; then
        # Removes the folders if they are empty, so that the next attempt places the file again.
        if [ -n "$placed" ]; then "${root[@]}" rmdir -p --ignore-fail-on-non-empty "${settings%/*}" || true; fi
        tail -n 20 "$log" >&2
        rm -f "$log"
        die "apt-get could not install the packages."
    fi
    rm -f "$log"
}

# Fails without Swift 6.3 or newer. Call it after need_packages, which installs the libraries that `swift` needs.
need_swift() {
    command -v swift >/dev/null ||
        die "Swift 6.3 is missing: install the toolchain for Debian 12 from https://www.swift.org/install and put its usr/bin on PATH."
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [ "$(printf '%s\n' 6.3 "$version" | sort -V | head -n 1)" = 6.3 ] ||
        die "Swift 6.3 or newer is needed; this is ${version:-unknown}."
}
