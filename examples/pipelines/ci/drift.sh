#!/bin/sh
# Every night: 2 if somebody changed what this stack applied.
set -eu
PATH="node_modules/.bin:$PATH"
dexsync drift --output md=drift.md "$@"
