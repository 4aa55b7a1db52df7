#!/bin/sh
# Every night: what people changed becomes one change to review, and "$@" (`node ci/github.mjs`) opens it or brings it up to date.
# Merged, the manifests say it; closed, the next apply sets it back. 2: somebody has to decide what no manifest can say, see drift.md.
set -eu
PATH="node_modules/.bin:$PATH"
branch="dexsync-drift-$DEXSYNC_ENV"
code=0
dexsync drift --children --output md=drift.md || code=$?
test "$code" = 0 || test "$code" = 2 || exit "$code"
test "$code" = 0 || dexsync pull --only-drift
if git diff --quiet; then
  "$@" settle "$branch"
  git push --quiet --delete origin "$branch" 2>/dev/null || true # it was settled before
  exit "$code"
fi
git -c user.name=dexsync -c user.email=dexsync@localhost commit --quiet --all --message "What people changed in $DEXSYNC_ENV"
digest() { git show "$1" | git patch-id --stable | cut -d ' ' -f 1; }
commit=$(git rev-parse HEAD)
# The branch stays as it is while people change nothing else: what was closed stays closed.
if git fetch --quiet --depth=2 origin "$branch" && test "$(digest HEAD)" = "$(digest FETCH_HEAD)"; then
  commit=$(git rev-parse FETCH_HEAD)
else
  git push --quiet --force origin "HEAD:refs/heads/$branch"
fi
"$@" propose "$branch" "$commit"
