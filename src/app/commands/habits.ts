import type { Command } from 'commander';
import { withParents } from './completion/expected.js';

/** Options that users of other tools try, by name without dashes, and what to use here. */
export const OPTION_HABITS: Readonly<Record<string, string>> = {
  'auto-approve': '`dexsync apply --yes` applies without asking.',
  chdir: '`--config FILE` uses the sync.config.yaml of another folder.',
  context: '`--env NAME` chooses the environment.',
  debug: '`--trace` writes every request and answer to standard error.',
  destroy: '`dexsync destroy` deletes everything that this stack owns.',
  'dry-run': '`dexsync plan` is the dry run: it shows what `dexsync apply` would do.',
  force: '`--allow GUARD` overrides one guard; each refusal names the guard.',
  input: 'Without a terminal dexsync never asks; `dexsync apply --yes` confirms in advance.',
  json: 'The help of each command that can print JSON lists `--json`.',
  lock: 'dexsync always takes the lock; `--wait SECONDS` waits until it is free.',
  'lock-timeout': '`--wait SECONDS` waits for another dexsync that uses the environment.',
  namespace: '`--env NAME` chooses the environment.',
  o: '`--json` prints JSON; `dexsync plan --out FILE` saves a plan.',
  out: '`dexsync plan --out FILE` saves a plan; `dexsync apply FILE` applies it.',
  output: '`--json` prints JSON; `dexsync get KIND -o yaml` prints manifests.',
  profile: '`--env NAME` chooses the environment; its profile is in sync.config.yaml.',
  refresh: 'Every plan reads the workspace; `dexsync drift` shows what changed there.',
  'refresh-only': '`dexsync drift` shows what changed in the workspace since the last apply.',
  target: '`--only KIND/NAME` limits a plan to this manifest and what it refers to.',
  v: '`dexsync --version` prints the version; `--trace` shows every request and answer.',
  V: '`dexsync --version` prints the version.',
  var: 'Commands that read manifests take `--var NAME=VALUE`.',
  'var-file': 'Commands that read manifests take `--var-file FILE`.',
  verbose: '`--trace` writes every request and answer to standard error.',
  workspace: '`--env NAME` chooses the environment, and with it the workspace.',
};

const WRITE_MANIFESTS = '`dexsync pull` writes live objects as manifests';
const APPLY = '`dexsync apply` makes the workspace match the manifests.';
const PLAN = '`dexsync plan` shows the differences between the manifests and the workspace.';
const ENVIRONMENTS =
  '`dexsync env list` shows the environments of sync.config.yaml; `--env NAME` chooses one, `dexsync env check NAME` tests it.';

/** Options that need another hint for one command, by that command and the option. */
export const COMMAND_OPTION_HABITS: Readonly<Record<string, string>> = {
  'destroy auto-approve': '`dexsync destroy --yes --confirm "NAME OF THE WORKSPACE"` deletes without asking.',
};

/** Commands that users of other tools try, by the words after `dexsync`, and what to use here. */
export const COMMAND_HABITS: Readonly<Record<string, string>> = {
  'api-resources': '`dexsync kinds` lists what manifests can describe.',
  check: '`dexsync validate` checks manifests, `dexsync plan check FILE` a saved plan.',
  console: '`dexsync explain KIND` lists fields, `dexsync api PATH` sends any request.',
  create: APPLY,
  delete:
    'Remove the manifest and run `dexsync apply --prune`; `dexsync destroy` deletes everything that this stack owns.',
  deploy: APPLY,
  download: '`dexsync exports run NAME --out DIR` downloads the files of an export.',
  edit: 'Edit the manifest files and run `dexsync apply`; `dexsync pull` writes what was changed in the workspace into them.',
  dump: `${WRITE_MANIFESTS}.`,
  export: `${WRITE_MANIFESTS}; \`dexsync exports run NAME --out DIR\` runs an export definition.`,
  'exports list': '`dexsync get ExportDefinition` lists export definitions.',
  'extracts list': '`dexsync get ExtractDefinition` lists extract definitions.',
  'force-unlock': '`dexsync lock release --force` takes the lock from its holder.',
  format: '`dexsync fmt` formats manifests.',
  lint: '`dexsync validate` checks configuration, manifests and source files.',
  list: '`dexsync get KIND` lists live objects, `dexsync kinds` the kinds.',
  log: '`dexsync history` lists what was applied.',
  login: 'Each command logs in by itself; `dexsync env check` tests the login.',
  logs: '`dexsync history` lists what was applied.',
  ls: '`dexsync get KIND` lists live objects, `dexsync kinds` the kinds.',
  mv: 'Give the manifest its new name and `metadata.renamedFrom` the old one, then run `dexsync apply`.',
  new: '`dexsync init FOLDER` creates a project.',
  preview: PLAN,
  providers: '`dexsync kinds` lists what manifests can describe.',
  push: APPLY,
  refresh: 'Every plan reads the workspace; `dexsync drift` shows what changed there.',
  remove: 'Remove the manifest and run `dexsync apply --prune`; `dexsync forget KIND/NAME` only gives up ownership.',
  'reservations list': '`dexsync get NumberReservation` lists reservations.',
  rm: 'Remove the manifest and run `dexsync apply --prune`; `dexsync forget KIND/NAME` only gives up ownership.',
  rollback: 'Apply the earlier manifests; `dexsync history` shows the git commit of each apply.',
  run: '`dexsync apply` applies the manifests; `dexsync exports run NAME --out DIR` runs an export.',
  state:
    '`dexsync get KIND` lists live objects, `dexsync history` what was applied, `dexsync orphans` what no stack owns; ' +
    '`dexsync forget KIND/NAME` gives up ownership.',
  sync: APPLY,
  taint: '`dexsync apply --replace KIND/NAME` recreates an object.',
  test: '`dexsync validate` checks configuration, manifests and source files; `dexsync plan` shows the differences.',
  undo: 'Apply the earlier manifests; `dexsync history` shows the git commit of each apply.',
  untaint: 'Nothing to undo: `dexsync apply --replace KIND/NAME` works for one apply only.',
  unlock: '`dexsync lock release` removes locks that were left behind.',
  up: APPLY,
  update: APPLY,
  upload: '`dexsync import FILE --definition NAME` imports a file.',
  version: '`dexsync --version` prints the version.',
  whoami: '`dexsync env check` shows the user, the workspace and what can be done there.',
  'workspace list': ENVIRONMENTS,
  'workspace new': ENVIRONMENTS,
  'workspace select': ENVIRONMENTS,
  'workspace show': ENVIRONMENTS,
};

/** A hint for a command line that could not be parsed. `path`: the name of the command that refused it. */
export function habitHint(command: Command, path: readonly string[], args: readonly string[]): string | undefined {
  for (const arg of args) {
    if (arg === '--') return undefined;
    const hint = arg.startsWith('-') ? optionHint(command, arg) : entryOf(COMMAND_HABITS, [...path, arg].join(' '));
    if (hint !== undefined) return hint;
  }
  return undefined;
}

function optionHint(command: Command, arg: string): string | undefined {
  const [, dashes = '', name = ''] = /^(--?)([^=]+)/.exec(arg) ?? [];
  const ours = flagsOf(command);
  if (ours.has(`${dashes}${name}`)) return undefined;
  if (ours.has(`--${name}`)) return `Long options have two dashes: \`--${name}\`.`;
  return entryOf(COMMAND_OPTION_HABITS, `${command.name()} ${name}`) ?? entryOf(OPTION_HABITS, name);
}

const flagsOf = (command: Command): ReadonlySet<string | undefined> =>
  new Set([
    '-h',
    '--help',
    ...withParents(command).flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])),
  ]);

const entryOf = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
