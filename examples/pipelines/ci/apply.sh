#!/bin/sh
# After the merge: plans again, since the main branch may have moved, and applies if the new plan is the reviewed one.
set -eu
PATH="node_modules/.bin:$PATH"
dexsync apply --as-reviewed plan.json --yes --wait 600 --output md=apply.md "$@"
