#!/bin/sh
# Plans for the environment TO what RELEASE changes there: r41, "previous" to go back, or the newest that the gates let through.
set -eu
PATH="node_modules/.bin:$PATH"
test -z "${RELEASE:-}" || set -- --release "$RELEASE" "$@"
dexsync promote --to "$TO" --out plan.json --output md=plan.md --output html=plan.html "$@"
