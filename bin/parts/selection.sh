# Finds and runs tests by name, for bin/test.
# shellcheck shell=bash

flags=() names=()
swift_filters=() browser_files=() browser_words=() with_kill_test=

# Sets `names` and `flags` from the arguments of bin/test. The first argument that begins with - and all after it are
# flags.
sort_arguments() {
    local name
    while [ $# -gt 0 ] && [[ $1 != -* ]]; do
        names+=("$1")
        shift
    done
    flags=("$@")
    for name in "${names[@]}"; do find_named_tests "$name"; done
}

# find_named_tests NAME: adds the tests with this name to those to be run. Exits with a message if there are none.
find_named_tests() {
    # Not `grep -q`, which ends at the first match: with pipefail, the broken pipe would count as a failure.
    local name=$1 found=
    if [ "$name" = kill-test ]; then
        with_kill_test=yes
        return
    fi
    local file=$project/Tests/BrowserTests/${name##*/}
    file=${file%.py}.py
    if [[ ${file##*/} == test_*.py ]] && [ -f "$file" ]; then
        browser_files+=("$file")
        return
    fi
    if grep -h '^def test_' "$project"/Tests/BrowserTests/test_*.py | grep -F -- "$name" >/dev/null; then
        browser_words+=("$name")
        found=yes
    fi
    local identifier
    while IFS= read -r identifier; do
        # `swift test --filter` takes a regular expression.
        swift_filters+=("$(sed 's/[][\.*^$+?(){}|/]/\\&/g' <<<"$identifier")")
        found=yes
    done < <(swift_identifiers "$name")
    [ -n "$found" ] || die "No test has \"$name\" in its name; see Tests/."
}

# swift_identifiers NAME: prints filters for `swift test --filter`: NAME itself if it is part of the name of a target,
# suite or function; otherwise the functions and suites that have NAME in their display name, as in @Test("NAME").
swift_identifiers() {
    local name=$1
    if [ -d "$project/Tests/$name" ] || grep -rhE --include='*.swift' '(struct|class|enum|extension|func) ' \
        "$project/Tests" | grep -F -- "$name" >/dev/null; then
        printf '%s\n' "$name"
        return
    fi
    find "$project/Tests" -name '*.swift' -exec awk -v name="$name" '
        # The display name is on the line of the attribute or on the next one, before the declaration.
        index($0, name) && /^ *(@(Test|Suite)\()?"/ { found = 1 }
        found && match($0, /(func|struct) [^(:{]*/) {
            identifier = substr($0, RSTART, RLENGTH)
            sub(/^[a-z]+ /, "", identifier)
            gsub(/`| +$/, "", identifier)
            print identifier
            found = 0
        }' {} + | sort -u
}

run_named_tests() {
    local filters=() filter
    for filter in "${swift_filters[@]}"; do filters+=(--filter "$filter"); done
    if [ ${#filters[@]} -gt 0 ]; then
        timed "build" build_tests || return 0
        : >"$project/var/test.log"
        timed "Swift tests" run_swift_selection named "${filters[@]}"
    else
        timed "build" build_program || return 0
    fi
    if [ ${#browser_files[@]} -gt 0 ]; then timed "browser tests" run_browser_tests "${browser_files[@]}"; fi
    if [ ${#browser_words[@]} -gt 0 ]; then
        local words
        words=$(printf ' or %s' "${browser_words[@]}")
        timed "browser tests" run_browser_tests -k "${words# or }" "$project/Tests/BrowserTests"
    fi
    if [ -n "$with_kill_test" ]; then timed "kill test" run_kill_test; fi
    if [ $((passed + failed + skipped)) = 0 ]; then
        warn "No test ran."
        failed=1
    fi
}
