#!/bin/sh
# For a review: plans, and saves what is to be reviewed. 0: no changes; 2: changes; 4: something is blocked.
set -eu
PATH="node_modules/.bin:$PATH"
dexsync plan --out plan.json --detailed-exitcode --output md=plan.md --output html=plan.html "$@"
