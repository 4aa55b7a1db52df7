#!/bin/sh
# On a pull request of somebody trusted: plans, and saves what is to be reviewed. 0: no changes; 2: changes; 4: something is blocked.
set -eu
npx dexsync plan --out plan.json --detailed-exitcode --output md=plan.md --output html=plan.html "$@"
