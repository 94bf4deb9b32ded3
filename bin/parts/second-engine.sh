# Downloads the second engine: ONNX Runtime and the model of PP-OCRv6 (docs/decisions/0014-second-engine.md).
# shellcheck shell=bash

# fetch_second_engine FOLDER PYTHON: downloads both wheels, checks them against the hashes in requirements.txt, and
# copies the library, the trimmed model and their licences into the folder.
fetch_second_engine() {
    local folder=$1 python=$2 parts wheels
    parts=$(dirname "${BASH_SOURCE[0]}")/second-engine
    wheels=$(mktemp -d)
    rm -rf "$folder"
    mkdir -p "$folder"
    # Always downloads the wheels for Python 3.11: only the library and the model in them are used, not Python.
    if "$python" -m pip download -q --disable-pip-version-check --require-hashes --no-deps --only-binary :all: \
        --platform "manylinux_2_28_$(uname -m)" --implementation cp --python-version 311 \
        -r "$parts/requirements.txt" -d "$wheels" && "$python" "$parts/unpack.py" "$wheels" "$folder"; then
        chmod -R a+rX "$folder"
        # Copied last, to mark the folder as complete.
        cp "$parts/requirements.txt" "$folder/requirements.txt"
    else
        rm -rf "$folder"
    fi
    rm -rf "$wheels"
    [ -e "$folder/requirements.txt" ]
}

# Sets `second_engine` to the folder of the second engine, which is downloaded once and kept in var/; empty if the
# download fails. ALLESTEURER_SECOND_ENGINE in the environment, even if empty, takes precedence.
need_second_engine() {
    local folder=$project/var/second-engine tools
    if [ -v ALLESTEURER_SECOND_ENGINE ]; then
        second_engine=$ALLESTEURER_SECOND_ENGINE
        return 0
    fi
    second_engine=$folder
    cmp -s "$project/bin/parts/second-engine/requirements.txt" "$folder/requirements.txt" && return 0
    say "Downloading the second engine (55 MB, once) …"
    tools=$(mktemp -d)
    if ! { (need_packages engine) && python3 -m venv "$tools" && fetch_second_engine "$folder" "$tools/bin/python"; }; then
        warn "The second engine could not be downloaded: only Tesseract reads receipts, so fewer are proven."
        second_engine=
    fi
    rm -rf "$tools"
}
