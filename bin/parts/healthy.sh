#!/bin/bash
# The health check of the container, in pure bash. Succeeds if /healthz answers 200. With TLS, which bash does not
# support, succeeds if the server accepts a connection.
set -eu
exec 3<>"/dev/tcp/127.0.0.1/${ALLESTEURER_LISTEN##*:}"
if [ -n "${ALLESTEURER_TLS_CERT:-}${ALLESTEURER_TLS_CERT_FILE:-}" ]; then exit 0; fi
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 4 line <&3
[[ $line == "HTTP/1.1 200 "* ]]
