#!/bin/sh
# Make sure that there is a Chromium for the browser tests: the system's package without a window
# (the same engine, a quarter less work), one that is there, or else Playwright's own build. $1 is
# the folder of the environment's programs.
set -eu
there() { command -v "$1" >/dev/null 2>&1; }
if there chromium-headless-shell; then exit 0; fi
if there apt-get && [ "$(id -u)" = 0 ]; then
    apt-get update -qq || true
    for name in chromium-headless-shell chromium; do
        if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$name" >/dev/null; then exit 0; fi
    done
fi
for name in chromium chromium-browser google-chrome; do
    if there "$name"; then exit 0; fi
done
exec "$1/python" -m playwright install chromium
