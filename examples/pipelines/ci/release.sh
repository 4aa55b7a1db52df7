#!/bin/sh
# After an apply: what the environment has now becomes a release, unless the newest one has the same.
set -eu
PATH="node_modules/.bin:$PATH"
dexsync release create "$@"
