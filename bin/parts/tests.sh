# Running the tests and counting them.
# shellcheck shell=bash

passed=0 failed=0 skipped=0
reasons=

# A PostgreSQL for the tests, thrown away when the script ends, and the environment in which they find it.
start_test_cluster() {
    need_runner
    mkdir -p "$project/var"
    scratch=$(mktemp -d /tmp/allesteurer-test.XXXXXX)
    trap 'cluster_stop; rm -rf "$scratch"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    owned_by_runner "$scratch"
    cluster_start "$scratch" throwaway
    ALLESTEURER_TEST_DATABASE_URL=$(cluster_url postgres postgres)
    ALLESTEURER_TEST_DATA=$(readlink -f "${ALLESTEURER_TEST_DATA:-../shared}" || true)
    export ALLESTEURER_TEST_DATABASE_URL ALLESTEURER_TEST_DATA OMP_THREAD_LIMIT=1
}

run_swift_tests() {
    if ! swift build --build-tests "${flags[@]}"; then
        warn "The tests do not build: that counts as one failure."
        failed=$((failed + 1))
        return
    fi
    : >"$project/var/test.log"
    run_swift_selection rest --skip ReaderTests
    # By themselves: their readers would take the cores from tests that wait for PostgreSQL, and the memory of other
    # tests' processes would count as theirs.
    run_swift_selection reader --filter ReaderTests
}

# run_swift_selection NAME SELECTION…
run_swift_selection() {
    local report=$scratch/report-$1 status=0
    shift
    # What began and what went well stands in the log only.
    swift test --skip-build --disable-xctest "${flags[@]}" "$@" --xunit-output "$report.xml" 2>&1 |
        tee -a "$project/var/test.log" | grep -vE '^(◇ |✔ Suite |✔ Test [^r]|✔ Test r[^u])' || status=${PIPESTATUS[0]}
    # Written only when the tests came to their end.
    if [ -s "$report.xml" ]; then
        count_report "$report.xml"
        if [ "$status" != 0 ] && [ "$failed" = 0 ]; then
            warn "swift test ended with status $status although no test failed."
            failed=1
        fi
    else
        warn "The test process ended early (status $status): its tests count as one failure."
        failed=$((failed + 1))
    fi
}

# A real Chromium, driven by Playwright, and the executables that were built with the tests.
run_browser_tests() {
    local folder=$project/Tests/BrowserTests report=$scratch/browser.xml
    if ! (need_packages browser && need_browser_environment); then
        skip_browser_tests "$folder"
        return
    fi
    say "" "Tests in a browser …"
    ALLESTEURER_BINARIES=$(swift build "${flags[@]}" --show-bin-path) PYTHONDONTWRITEBYTECODE=1 \
        "$project/var/python/bin/python" -m pytest -q -p no:cacheprovider --junitxml="$report" "$folder" \
        2>"$project/var/browser.log" || true
    if [ -s "$report" ]; then
        count_report "$report"
    else
        warn "The browser tests did not run to their end: they count as one failure."
        failed=$((failed + 1))
    fi
}

# A few kills of everything during uploads; bin/kill-test by itself does it often.
run_kill_test() {
    [ -x "$project/var/python/bin/python" ] || return 0
    say "" "Killing server, reader and PostgreSQL during uploads …"
    if ALLESTEURER_BINARIES=$(swift build "${flags[@]}" --show-bin-path) KILL_TEST_WAITING=3 bin/kill-test 3 2 1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

# Counts what could not be tried, a whole table as one test.
skip_browser_tests() {
    local count
    count=$(cat "$1"/test_*.py | grep -c '^def test_')
    skipped=$((skipped + count))
    for _ in $(seq "$count"); do reasons+="Chromium or Playwright cannot be installed here"$'\n'; done
}

# Playwright and what goes with it, at the versions the requirements name, kept in var/python until those change.
need_browser_environment() {
    local wanted=$project/Tests/BrowserTests/requirements.txt there=$project/var/python/requirements.txt
    cmp -s "$wanted" "$there" && return 0
    say "Installing Python packages of the browser tests …"
    rm -rf "$project/var/python"
    python3 -m venv "$project/var/python" &&
        "$project/var/python/bin/pip" install -q --disable-pip-version-check -r "$wanted" &&
        cp "$wanted" "$there"
}

# Adds a JUnit report's cases to the totals; a case with several failures is one failed test.
count_report() {
    local counts
    counts=$(sed 's/<testcase/\n<testcase/g' "$1" | awk '
        /^<testcase/ { close_case(); open = 1; result = "passed" }
        /<(failure|error)[ >]/ { if (open) result = "failed" }
        /<skipped/ { if (open && result != "failed") result = "skipped" }
        END { close_case(); print n["passed"] + 0, n["failed"] + 0, n["skipped"] + 0 }
        function close_case() { if (open) n[result]++; open = 0 }')
    local p f s
    read -r p f s <<<"$counts"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    reasons+=$(tr '\n' ' ' <"$1" | grep -oE '<skipped[^>]*>([^<]*</skipped>)?' |
        sed -E 's/.*message="([^"]*)".*/\1/; s/<[^>]*>//g; s/&quot;/"/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g; s/^ +| +$//g' || true)$'\n'
}

print_totals() {
    if [ "$skipped" -gt 0 ]; then
        say "" "Skipped, and why:"
        grep -v '^$' <<<"$reasons" | sort | uniq -c | sort -rn || true
    fi
    say "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}
