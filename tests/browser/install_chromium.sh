#!/bin/sh
# Make sure that there is a Chromium for the browser tests: one that is there, else the system's
# package, else Playwright's own build. $1 is the folder of the environment's programs.
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; then exit 0; fi
fi
exec "$1/python" -m playwright install chromium
