import type { Shell } from './shell-line.js';

/**
 * The script that each shell evaluates once. It passes the line up to the cursor to `dexsync complete` as one text,
 * which is never evaluated, and inserts the answer unchanged: names of manifests may contain any character.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of dexsync for bash.
_dexsync() {
  local program=$1 line
  type -P -- "$program" >/dev/null || program=dexsync
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <("$program" complete bash -- "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
}
complete -o nospace -F _dexsync dexsync
`,
  zsh: `#compdef dexsync
# Completion of dexsync for zsh.
_dexsync() {
  local how value text
  local -a whole open
  while IFS=$'\\t' read -r how value text; do
    value=\${\${value//\\\\/\\\\\\\\}//:/\\\\:}
    if [[ $how == open ]]; then open+=("$value:$text"); else whole+=("$value:$text"); fi
  done < <(dexsync complete zsh -- "\${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX" 2>/dev/null)
  _describe -t values value whole -- open -S ''
}
if [[ \${funcstack[1]} == _dexsync ]]; then _dexsync "$@"; else compdef _dexsync dexsync; fi
`,
  fish: `# Completion of dexsync for fish.
function __dexsync_complete
  dexsync complete fish -- (commandline -cp | string collect) 2>/dev/null
end
complete -c dexsync -f -a '(__dexsync_complete)'
`,
};
