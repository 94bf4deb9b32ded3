# Runs the tests, measures the time of the parts and counts the results.
# shellcheck shell=bash

passed=0 failed=0 skipped=0
reasons=
times=()
cores=
# The process of the kill test while it runs at the same time as the browser tests.
kill_test=

# timed PART COMMAND…: runs a command in this shell, records its time, and returns its status.
timed() {
    local part=$1 began=${EPOCHREALTIME/./} status=0
    shift
    "$@" || status=$?
    times+=("$(((${EPOCHREALTIME/./} - began) / 100000)) $part")
    return "$status"
}

# Starts a PostgreSQL server for the tests, and exports the settings to connect to it. The server is removed when the
# script ends.
start_test_cluster() {
    need_runner
    mkdir -p "$project/var"
    scratch=$(mktemp -d "$(test_cluster_parent)/allesteurer-test.XXXXXX")
    trap '[ -z "$kill_test" ] || kill "$kill_test" 2>/dev/null; cluster_stop; rm -rf "$scratch"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    owned_by_runner "$scratch"
    cluster_start "$scratch" throwaway
    ALLESTEURER_TEST_DATABASE_URL=$(cluster_url postgres postgres)
    ALLESTEURER_TEST_DATA=$(readlink -f "${ALLESTEURER_TEST_DATA:-../shared}" || true)
    # Counted first, because nproc prints at most OMP_THREAD_LIMIT.
    cores=$(nproc)
    export ALLESTEURER_TEST_DATABASE_URL ALLESTEURER_TEST_DATA OMP_THREAD_LIMIT=1
    # Without this limit, Swift Testing starts all tests at once. They would wait for processors, and exceed their time
    # limits.
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$((cores + 4))
    export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH
}

# Prints the folder for the cluster of the tests: a folder in memory if enough is free, otherwise /tmp. Each test has a
# database of some 300 files. Creating and dropping it takes 400 ms of CPU time on ext4, 30 ms in memory.
test_cluster_parent() {
    local room available folder process
    # Removes the folders of killed runs. A run that takes hours, such as bin/sync-histories, keeps its folder.
    while IFS= read -r folder; do
        process=$(head -n 1 "$folder/postgres/postmaster.pid" 2>/dev/null || true)
        if [ -z "$process" ] || [ ! -e "/proc/$process" ]; then rm -rf "$folder" 2>/dev/null || true; fi
    done < <(find /dev/shm -maxdepth 1 -name 'allesteurer-test.*' -mmin +720 2>/dev/null)
    room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1 || true)
    available=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
    if [ -w /dev/shm ] && [ "${room:-0}" -gt 2000000 ] && [ "${available:-0}" -gt 3000000 ]; then
        echo /dev/shm
    else
        echo /tmp
    fi
}

build_tests() {
    if ! swift build --build-tests "${flags[@]}"; then
        warn "The tests cannot be built: this counts as one failure."
        failed=$((failed + 1))
        return 1
    fi
}

# Builds the two executables without the Swift tests, for the browser tests.
build_program() {
    if ! swift build "${flags[@]}"; then
        warn "The program cannot be built: this counts as one failure."
        failed=$((failed + 1))
        return 1
    fi
}

run_swift_tests() {
    : >"$project/var/test.log"
    timed "Swift tests" run_swift_selection rest --skip 'ReaderTests|WineScanTests'
    # The reader tests run alone, because readers would delay the other tests, and the memory checks would include the
    # processes of other tests.
    timed "reader tests" run_swift_selection reader --filter 'ReaderTests|WineScanTests'
}

# run_swift_selection NAME SELECTION…
run_swift_selection() {
    local report=$scratch/report-$1 status=0
    shift
    # Prints only failures and skipped tests; the log has all lines.
    swift test --skip-build --disable-xctest "${flags[@]}" "$@" --xunit-output "$report.xml" 2>&1 |
        tee -a "$project/var/test.log" | grep -vE '^(◇ |✔ Suite |✔ Test [^r]|✔ Test r[^u])' || status=${PIPESTATUS[0]}
    # The report is written only if the tests ran to their end.
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

# run_browser_tests [PYTEST ARGUMENTS…]: runs the browser tests in Chromium, driven by Playwright, with the built
# executables.
run_browser_tests() {
    local folder=$project/Tests/BrowserTests report=$scratch/browser.xml processes
    if ! (need_packages browser && need_browser_environment); then
        skip_browser_tests "$folder"
        return
    fi
    if [ $# = 0 ]; then set -- "$folder"; fi
    # Chromium and a server together need less than a core, because they also wait for each other.
    processes=$((cores + 1))
    if [ "$processes" -gt 4 ]; then processes=4; fi
    say "" "Browser tests …"
    ALLESTEURER_BINARIES=$(swift build "${flags[@]}" --show-bin-path) PYTHONDONTWRITEBYTECODE=1 \
        "$project/var/python/bin/python" -m pytest -q -p no:cacheprovider --numprocesses="$processes" --dist=loadgroup --timeout=900 \
        --durations=10 --durations-min=5 --junitxml="$report" "$@" 2>"$project/var/browser.log" || true
    if [ -s "$report" ]; then
        count_report "$report"
        rm -f "$report"
    else
        warn "The browser tests did not run to their end: they count as one failure."
        failed=$((failed + 1))
    fi
}

# Runs the kill test at the same time as the browser tests, because it mostly waits.
run_browser_and_kill_tests() {
    local log=$scratch/kill-test.log status=0
    # The browser tests and the kill test use the same Python environment.
    (need_packages browser && need_browser_environment) || true
    if can_run_kill_test; then
        exec_kill_test >"$log" 2>&1 &
        kill_test=$!
    else
        skipped=$((skipped + 1))
        reasons+="The Python packages of the kill test cannot be installed here"$'\n'
    fi
    run_browser_tests
    if [ -n "$kill_test" ]; then
        wait "$kill_test" || status=$?
        kill_test=
        cat "$log"
        count_kill_test "$status"
    fi
}

# Whether the kill test has its environment.
can_run_kill_test() { [ -x "$project/var/python/bin/python" ]; }

# Runs bin/kill-test briefly. Replaces the current process: must be called in a subshell.
exec_kill_test() {
    say "" "Killing server, reader and PostgreSQL during uploads …"
    ALLESTEURER_BINARIES=$(swift build "${flags[@]}" --show-bin-path)
    export ALLESTEURER_BINARIES KILL_TEST_WAITING=3
    exec bin/kill-test 3 2 1
}

run_kill_test() {
    local status=0
    can_run_kill_test || return 0
    (exec_kill_test) || status=$?
    count_kill_test "$status"
}

# count_kill_test STATUS: counts the result of the kill test.
count_kill_test() {
    if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# Counts the browser tests as skipped. A parametrized test counts once.
skip_browser_tests() {
    local count
    count=$(cat "$1"/test_*.py | grep -c '^def test_')
    skipped=$((skipped + count))
    for _ in $(seq "$count"); do reasons+="Chromium or Playwright cannot be installed here"$'\n'; done
}

# Installs Playwright and pytest in var/python, with the versions in requirements.txt, unless they are installed
# already.
need_browser_environment() {
    local wanted=$project/Tests/BrowserTests/requirements.txt there=$project/var/python/requirements.txt
    cmp -s "$wanted" "$there" && return 0
    say "Installing Python packages of the browser tests …"
    rm -rf "$project/var/python"
    python3 -m venv "$project/var/python" &&
        "$project/var/python/bin/pip" install -q --disable-pip-version-check -r "$wanted" &&
        cp "$wanted" "$there"
}

# Installs schemathesis in var/schemathesis, with the versions and hashes in requirements.txt, unless it is installed
# already.
need_schemathesis() {
    local wanted=$project/bin/parts/schemathesis/requirements.txt there=$project/var/schemathesis
    cmp -s "$wanted" "$there/requirements.txt" && return 0
    say "Installing schemathesis …"
    rm -rf "$there"
    python3 -m venv "$there" &&
        timeout 300 "$there/bin/pip" install -q --disable-pip-version-check --require-hashes --only-binary :all: -r "$wanted" &&
        cp "$wanted" "$there/requirements.txt"
}

# Adds the cases of a JUnit report to the totals. A case with several failures is one failed test.
count_report() {
    local counts
    counts=$(sed 's/<testcase/\n<testcase/g' "$1" | awk '
        /^<testcase/ { close_case(); open = 1; result = "passed" }
        /<(failure|error)[ >]/ { if (open) result = "failed" }
        /<skipped/ { if (open && result != "failed") result = "skipped" }
        END { close_case(); print n["passed"] + 0, n["failed"] + 0, n["skipped"] + 0 }
        function close_case() { if (open) n[result]++; open = 0 }')
    local new_passed new_failed new_skipped
    read -r new_passed new_failed new_skipped <<<"$counts"
    passed=$((passed + new_passed)) failed=$((failed + new_failed)) skipped=$((skipped + new_skipped))
    reasons+=$(tr '\n' ' ' <"$1" | grep -oE '<skipped[^>]*>([^<]*</skipped>)?' |
        sed -E 's/.*message="([^"]*)".*/\1/; s/<[^>]*>//g; s/&quot;/"/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g; s/^ +| +$//g' || true)$'\n'
}

print_times() {
    local entry total=0
    say ""
    for entry in "${times[@]}"; do
        print_time "${entry%% *}" "${entry#* }"
        total=$((total + ${entry%% *}))
    done
    print_time "$total" "total"
}

# print_time TENTHS PART
print_time() { printf '%3d min %02d.%d s  %s\n' $(($1 / 600)) $(($1 / 10 % 60)) $(($1 % 10)) "$2"; }

print_totals() {
    if [ "$skipped" -gt 0 ]; then
        say "" "Skipped, with reasons:"
        grep -v '^$' <<<"$reasons" | sort | uniq -c | sort -rn || true
    fi
    say "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}
