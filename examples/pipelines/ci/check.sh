#!/bin/sh
# On every push: needs no workspace and no secret. Checks the manifests as each environment reads them.
set -eu
PATH="node_modules/.bin:$PATH"
unset DEXSYNC_ENV
dexsync validate "$@"
dexsync fmt --check
