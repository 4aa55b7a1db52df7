#!/bin/sh
# After the merge: plans again, since the main branch may have moved, and applies if the new plan is the reviewed one. Plans of
# changes that were merged before, and whose jobs did not run yet, are applied first.
set -eu
PATH="node_modules/.bin:$PATH"
for plan in .dexsync/plans/*.json; do
  test ! -f "$plan" || set -- "$@" --as-reviewed "$plan"
done
dexsync apply "$@" --as-reviewed plan.json --yes --wait 600 --output md=apply.md
