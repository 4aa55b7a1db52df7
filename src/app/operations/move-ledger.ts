import { isDeepStrictEqual } from 'node:util';
import { DexsyncError } from '#base/errors.js';
import { moveRollouts } from '#delivery/fleet/store-rollout.js';
import { arrivalFrom, hasArrived } from '#ledger/arrival.js';
import type { Backend } from '#ledger/backend.js';
import { copyJournals } from '#ledger/copy-journals.js';
import { moveDocuments, plansShelf, releasesShelf, rolloutsShelf } from '#ledger/document-store.js';
import { followHead } from '#ledger/head.js';
import { isMoved, movedNonce } from '#ledger/journal-name.js';
import { ledgerMovedError } from '#ledger/read-journal.js';
import { saveState } from '#ledger/read-state.js';
import { moveReleases } from '#ledger/stored-release.js';
import { rolloutKeys } from '#ledger/stored-rollout.js';
import { type Environment, resolveEnvironment } from '#project/config/environment.js';
import { ledgerSettings, namedLedger } from '#project/config/ledger-settings.js';
import type { Config } from '#project/config/load-config.js';
import { fleetEnvironments } from '#project/config/select-environments.js';
import { withLedgerAt } from '#project/connection/backend-of.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, loginKey, withConnection } from '#project/connection/connection.js';
import { type Gate, openGate } from '#project/connection/login-lease.js';
import { type LedgerEvent, recordLedgerEvent } from '#project/connection/record-ledger-event.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { type LeaseContext, withRolloutLease } from './rollout-record.js';

/** Where the ledger is now; the configuration says where it goes. */
export interface MoveLedgerOptions extends ProjectOptions {
  /** `file`, `file:FOLDER`, `git`, `git:REMOTE#BRANCH`, or the URL of a database. */
  readonly from: string;
}

/** The result of a move. */
export interface MovedLedger {
  readonly environment: string;
  readonly workspace: string;
  readonly from: string;
  readonly to: string;
  /** Applies in the new place, and how many of them were copied now. */
  readonly applies: number;
  readonly copied: number;
  /** Number of saved plans that were moved too. */
  readonly plans: number;
  /** Number of releases that were moved too: of this environment, and of sources that the project does not name. */
  readonly releases: number;
  /** Number of rollouts that were moved too, with their plans: of fleets of this environment, and of those that the project does not name. */
  readonly rollouts: number;
}

/**
 * Copies the ledger of a workspace to the place in the configuration, reads the copy again, and closes the old one for
 * good: commands that still have the old configuration are refused. Locks both places meanwhile, the old one before the
 * login, which would end the session of anyone at work there. An interrupted move resumes where it stopped. Throws
 * LEDGER_DAMAGED if the new place has other applies, and LOCKED while a process works on a rollout that is moved.
 */
export async function moveLedger({ from, ...options }: MoveLedgerOptions, host: Host): Promise<MovedLedger> {
  const config = await openConfig(options, host);
  const recorded = gatherFacts('ledger move', options, config, host);
  const environment = resolveEnvironment(config, options.environment, host.variables, 'write');
  const [old, now] = [
    namedLedger(from, config, environment.name, host.variables),
    ledgerSettings(config, environment.name, host.variables),
  ];
  if (isDeepStrictEqual(old, now)) throw samePlace();
  const { stack } = config;
  const others = Object.keys(config.environments).filter((one) => one !== environment.name);
  const otherFleets = await fleetsWithout(environment.name, config, host);
  const isShared = old.is === 'file' && now.is === 'file';
  return withLedgerAt(old, config, host, async (backend) => {
    const kept = await rolloutKeys(backend.documents(rolloutsShelf(stack)));
    const fleets = [...new Set(kept.map(({ fleet }) => fleet))].filter((fleet) => !otherFleets.includes(fleet));
    const moving: Moving = { stack, recorded, isMeant: (source) => !others.includes(source), fleets };
    return withFleetsLocked(fleets, { config, stack: backend, host }, () =>
      withOldLocked(backend, { environment, isShared }, host, (gate) =>
        withConnection(config, { ...options, access: 'record' }, host, async (connection) => {
          await gate?.enter(connection.workspace.identity);
          return moveJournals(backend, gate?.mayWrite ?? connection.kept.mayWrite, moving, connection, host);
        }),
      ),
    );
  });
}

/** The fleets of the configuration that an environment is not in. */
async function fleetsWithout(environment: string, config: Config, host: Host): Promise<string[]> {
  const without: string[] = [];
  for (const fleet of Object.keys(config.fleets ?? {})) {
    const inFleet = await fleetEnvironments(fleet, config, host.clock()).catch(noneIfUnknown);
    if (!inFleet.includes(environment)) without.push(fleet);
  }
  return without;
}

/** A fleet may select no environment at present. */
function noneIfUnknown(error: unknown): readonly string[] {
  if (error instanceof DexsyncError && error.code === 'UNKNOWN_NAME') return [];
  throw error;
}

/** Keeps others from working on rollouts of fleets meanwhile. Throws LOCKED. */
const withFleetsLocked = <T>(
  [fleet, ...others]: readonly string[],
  context: LeaseContext,
  use: () => Promise<T>,
): Promise<T> =>
  fleet === undefined ? use() : withRolloutLease(fleet, context, () => withFleetsLocked(others, context, use));

/** Locks the old place against commands that still use it; two places as files share their locks. */
async function withOldLocked<T>(
  { leases }: Backend,
  { environment, isShared }: { readonly environment: Environment; readonly isShared: boolean },
  host: Host,
  use: (gate: Gate | undefined) => Promise<T>,
): Promise<T> {
  if (isShared) return use(undefined);
  const gate = await openGate(
    { ...loginKey(environment), environment: environment.name, access: 'record' },
    leases,
    host,
  );
  try {
    return await use(gate);
  } finally {
    await gate.close();
  }
}

interface Moving extends Pick<LedgerEvent, 'stack' | 'recorded'> {
  /** Whether the releases of a source are moved. */
  readonly isMeant: (source: string) => boolean;
  /** The fleets whose rollouts are moved. */
  readonly fleets: readonly string[];
}

async function moveJournals(
  old: Backend,
  mayWrite: () => Promise<void>,
  { isMeant, fleets, ...of }: Moving,
  connection: Connection,
  host: Host,
): Promise<MovedLedger> {
  const { environment, workspace, kept } = connection;
  const source = old.journals(workspace.identity, mayWrite);
  await followHead(source);
  const names = await source.names();
  const last = names.at(-1);
  const moved = { environment, workspace: workspace.name, from: old.place, to: kept.place };
  const target = kept.journals;
  const shelf = plansShelf(of.stack, environment);
  const moveRest = async (): Promise<Pick<MovedLedger, 'plans' | 'releases' | 'rollouts'>> => ({
    rollouts: await moveRollouts(old, kept, of.stack, (fleet) => fleets.includes(fleet)),
    plans: await moveDocuments(old.documents(shelf), kept.plans, shelf),
    releases: await moveReleases(old.documents(releasesShelf(of.stack)), kept.releases, of.stack, isMeant),
  });
  if (last === undefined) {
    const rest = await moveRest();
    if (Object.values(rest).every((count) => count === 0)) throw nothingThere(workspace, old.place);
    return { ...moved, applies: 0, copied: 0, ...rest };
  }
  if (isMoved(last)) {
    // The move was interrupted after all was done.
    const there = await target.names();
    if (there.length === 0 || !names.every((name) => isMoved(name) || there.includes(name)))
      throw await ledgerMovedError(source, last);
    return { ...moved, applies: there.length, copied: 0, ...(await moveRest()) };
  }
  const isThere = await hasArrived(names, source, target, old.place);
  const copied = isThere ? 0 : await copyJournals(names, source, target, copiedBy(host));
  const rest = await moveRest();
  // Entered after all copied journals, even if the ledger was moved away from this place before.
  if (!isThere) await recordLedgerEvent(target, { ...of, reason: arrivalFrom(old.place) }, connection, host);
  await saveState(target);
  await recordLedgerEvent(source, { ...of, reason: `moved to ${kept.place}`, nonceOf: movedNonce }, connection, host);
  return { ...moved, applies: names.length, copied, ...rest };
}

/** Reports how many applies were copied so far. */
const copiedBy =
  ({ emit }: Pick<Host, 'emit'>) =>
  (count: number): void =>
    emit({ type: 'read', what: 'applies', count });

const samePlace = (): DexsyncError =>
  new DexsyncError('USAGE', '`--from` names the place where the ledger is already, according to the configuration.', {
    hint: 'First set `ledger` in the configuration to the new place, then name the old one with `--from`.',
  });

const nothingThere = ({ name }: Connection['workspace'], place: string): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `There is no ledger of workspace "${name}" in ${place}.`, {
    hint: 'Name the place that was used so far: `file`, `file:FOLDER`, `git:REMOTE#BRANCH`, or the URL of a database.',
  });
