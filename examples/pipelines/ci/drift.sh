#!/bin/sh
# Every night: 2 if somebody changed what this stack applied.
set -eu
npx dexsync drift --output md=drift.md "$@"
