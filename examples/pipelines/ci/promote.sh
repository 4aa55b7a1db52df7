#!/bin/sh
# Plans for the environment TO what RELEASE changes there: r41, "previous" to go back, or the newest that the gates let through.
set -eu
PATH="node_modules/.bin:$PATH"
test -z "${RELEASE:-}" || set -- --release "$RELEASE" "$@"
# With `reviews`, the ledger has the plan too: there people approve it, from their own clones.
! grep -q '^reviews:' sync.config.yaml || set -- --out "ledger:$TO-$(date -u +%Y%m%d-%H%M%S)" "$@"
dexsync promote --to "$TO" --out plan.json --output md=plan.md --output html=plan.html "$@"
