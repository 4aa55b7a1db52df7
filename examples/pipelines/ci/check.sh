#!/bin/sh
# On every push: needs no workspace and no secret.
set -eu
npx dexsync validate "$@"
npx dexsync fmt --check
