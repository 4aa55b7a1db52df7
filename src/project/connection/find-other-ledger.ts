import { isAbsolute, join, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DexsyncError } from '#base/errors.js';
import type { Loss } from '#ledger/head.js';
import { isMoved } from '#ledger/journal-name.js';
import { type KnownHeads, type NotedHead, notedHeads } from '#ledger/machine-head.js';
import { dataFolder } from '../config/environment.js';
import { type LedgerSettings, ledgerSettings, namedLedger } from '../config/ledger-settings.js';
import type { Config } from '../config/load-config.js';
import type { Host } from '../host.js';
import { once } from '../once.js';
import { withLedgerAt } from './backend-of.js';
import { refuseWrite } from './login-lease.js';
import { machineFolder } from './machine-folder.js';

/** An environment whose configured ledger does not know its workspace. */
export interface EmptyLedger {
  readonly config: Config;
  readonly environment: string;
  /** The identity of the workspace. */
  readonly identity: string;
  /** The place of the configured ledger. */
  readonly place: string;
}

/** An open ledger of the same workspace. */
interface OpenLedger {
  readonly journal: string;
  readonly place: string;
  /** The value of `--from`. */
  readonly from: string;
}

/**
 * Finds another ledger of a workspace whose configured ledger is empty: an open one in the project's folder or in the
 * default ledger branch of its remote, or one that this machine saw elsewhere. To use the empty one, the user accepts
 * the newest journal of the other by its name.
 */
export async function findOtherLedger(empty: EmptyLedger, host: Host): Promise<Loss | undefined> {
  const other = (await openInProject(empty, host)) ?? (await seenElsewhere(empty, host));
  if (other === undefined) return undefined;
  const { journal, place, from } = other;
  const error = new DexsyncError(
    'LEDGER_ELSEWHERE',
    `The ledger of environment "${empty.environment}", in ${empty.place}, is empty, but workspace ${empty.identity} has an open one in ${place}, with the journal ${journal}.`,
    {
      hint: `Set \`ledger\` in the configuration to that place, or move it with \`dexsync ledger move --from ${from}\`. To begin an empty one all the same, run \`dexsync ledger accept ${journal}\`.`,
    },
  );
  return { journal, error };
}

async function openInProject(
  { config, environment, identity }: EmptyLedger,
  host: Host,
): Promise<OpenLedger | undefined> {
  const configured = ledgerSettings(config, environment, host.variables);
  for (const from of ['file', 'git']) {
    const settings = namedLedger(from, config, environment, host.variables);
    if (isDeepStrictEqual(settings, configured)) continue;
    // A place that cannot be reached or is not a ledger was never used here.
    const found = await lastAt(settings, identity, config, host).catch(() => undefined);
    if (found?.journal !== undefined && !isMoved(found.journal))
      return { journal: found.journal, place: found.place, from };
  }
  return undefined;
}

async function lastAt(settings: LedgerSettings, identity: string, config: Config, host: Host) {
  if (settings.is === 'git') {
    const { isBranch } = await import('#ledger/git/remote.js');
    const { remote, branch } = settings;
    const asked = once(host, ['branch', remote, branch], () => isBranch(settings, config.folder, host.variables));
    if (!(await asked)) return undefined;
  }
  return withLedgerAt(settings, config, host, async ({ journals, place }) => ({
    journal: (await journals(identity, refuseWrite).recent()).at(-1),
    place,
  }));
}

/**
 * Finds a ledger that this machine saw elsewhere. Clones have file ledgers of their own: a file ledger counts only if
 * this project itself used it in another folder.
 */
async function seenElsewhere(
  { config, environment, identity, place }: EmptyLedger,
  host: Host,
): Promise<OpenLedger | undefined> {
  const configured = ledgerSettings(config, environment, host.variables);
  const isOther = (head: NotedHead): boolean =>
    configured.is !== 'file' ||
    !isAbsolute(head.place) ||
    (head.isOurs && !head.place.startsWith(join(configured.folder, sep)));
  const known = once(host, ['noted heads'], (): KnownHeads => new Map());
  const noted = await notedHeads(identity, { state: await machineFolder(host), data: dataFolder(config), known });
  const found = noted.find((head) => head.place !== place && !isMoved(head.journal) && isOther(head));
  return found === undefined ? undefined : { ...found, from: 'PLACE' };
}
