import { createHash } from 'node:crypto';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Event } from '#core/stream/event.js';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import { isOfRollout } from '#delivery/fleet/store-rollout.js';
import { createWakeSignal } from '#delivery/watch/wake-signal.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { withSharing } from '#project/once.js';
import { openConfig } from '#project/project.js';
import { listPlans, type OpenPlans } from '../operations/list-plans.js';
import { type EnvironmentStatus, type Status, status } from '../operations/status.js';
import { fleetStatus } from '../operations/steer-fleet.js';

/** What the page shows of all workspaces, as the ledger knew it at one time. */
export interface Known extends Pick<Status, 'stack' | 'environments' | 'fleets'> {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The saved plans of the environments that have any. */
  readonly plans: readonly OpenPlans[];
  /** The rollout of each fleet that has one. */
  readonly rollouts: readonly RolloutStatus[];
  /** Why nothing newer is known. */
  readonly problem?: string;
}

/** What the page knows, kept in memory and read again at an interval: no request of a browser reads the ledger for it. */
export interface Knowledge {
  readonly now: () => Known;
  /** What follows from what is known: found out once for all who ask with the same key, until it is read again. */
  readonly derived: <T>(key: string, find: (known: Known) => T) => T;
  /** Another text whenever something else is known. */
  readonly version: () => string;
  /** Reads again at once, and resolves when that is known. */
  readonly refresh: () => Promise<void>;
  /** Lets pages that are open come again, for what the server knows and the ledger does not. */
  readonly touch: () => void;
  /** Calls `listener` whenever something else is known; the returned function ends that. */
  readonly onChange: (listener: () => void) => () => void;
  /** Resolves once the signal of the host has ended the reading. */
  readonly ended: Promise<void>;
}

/** A ledger that takes long is read less often: reading takes at most a fifth of the time. */
const SHARE = 5;

/** Begins to read. Throws what the first reading throws; later ones leave what is known, with the problem. */
export async function openKnowledge(options: ProjectOptions, outer: Host, interval: number): Promise<Knowledge> {
  const host = { ...outer, emit: onceEach(outer.emit) };
  const bell = createWakeSignal(host.signal);
  const listeners = new Set<() => void>();
  const waiting: (() => void)[] = [];
  let known = await readKnown(options, host);
  let version = versionOf(known);
  let touched = 0;
  const tellAll = (): void => {
    for (const tell of listeners) tell();
  };
  const readAgain = async (): Promise<void> => {
    const asked = waiting.splice(0);
    const next = await readKnown(options, host).catch((error: unknown): Known => {
      const hint = error instanceof DexsyncError && error.hint !== undefined ? ` ${error.hint}` : '';
      return { ...known, problem: `${reasonOf(error)}${hint}` };
    });
    const before = version;
    [known, version] = [next, versionOf(next)];
    if (version !== before) tellAll();
    for (const done of asked) done();
  };
  const keepReading = async (): Promise<void> => {
    for (let took = 0; (await bell.wait(Math.max(interval, took * SHARE))) !== 'stopped'; ) {
      const begun = host.clock().getTime();
      await readAgain();
      took = host.clock().getTime() - begun;
    }
    for (const done of waiting) done();
  };
  return {
    now: () => known,
    derived: derivedFrom(() => known),
    version: () => `${version}.${touched}`,
    touch() {
      touched += 1;
      tellAll();
    },
    refresh: () =>
      new Promise((done) => {
        waiting.push(done);
        bell.ring();
      }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ended: keepReading(),
  };
}

const versionOf = ({ at: _, ...content }: Known): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 12);

/** Number of things to keep; one more, and none of them is kept. */
const MOST_KEPT = 200;

function derivedFrom(now: () => Known): Knowledge['derived'] {
  let of: Known | undefined;
  const kept = new Map<string, unknown>();
  return <T>(key: string, find: (known: Known) => T): T => {
    const known = now();
    if (of !== known || kept.size > MOST_KEPT) kept.clear();
    of = known;
    if (!kept.has(key)) kept.set(key, find(known));
    return kept.get(key) as T;
  };
}

/** Passes a finding on only once, although each reading has it again. */
function onceEach(emit: Host['emit']): Host['emit'] {
  const seen = new Set<string>();
  return (event: Event) => {
    const text = JSON.stringify(event);
    if (seen.has(text)) return;
    seen.add(text);
    emit(event);
  };
}

const readKnown = (options: ProjectOptions, outer: Host): Promise<Known> =>
  withSharing(outer, async (host) => {
    const { stack, environments: all, fleets } = await status(options, host);
    const plans: OpenPlans[] = [];
    const environments: EnvironmentStatus[] = [];
    for (const one of all) {
      const own = one.plans.waiting === 0 ? undefined : await plansOf(one, options, host);
      if (own !== undefined && own.plans.length > 0) plans.push(own);
      environments.push(own === undefined ? one : { ...one, plans: countsOf(own) });
    }
    const { fleets: configured = {} } = await openConfig(options, host);
    const rollouts = await Promise.all(Object.keys(configured).map((fleet) => rolloutOf(fleet, options, host)));
    const at = host.clock().toISOString();
    return { at, stack, environments, fleets, plans, rollouts: rollouts.filter((one) => one !== undefined) };
  });

/** The saved plans of an environment without those of rollouts, which are shown and reviewed with their rollout. */
async function plansOf({ environment }: EnvironmentStatus, options: ProjectOptions, host: Host): Promise<OpenPlans> {
  const { plans, ...rest } = await listPlans({ ...options, environment }, host);
  return { ...rest, plans: plans.filter(({ name }) => !isOfRollout(name)) };
}

function countsOf({ plans }: OpenPlans): EnvironmentStatus['plans'] {
  const judged = plans.flatMap((plan) => ('approvedBy' in plan ? [plan] : []));
  return {
    waiting: plans.length,
    approved: judged.filter(({ approvedBy }) => approvedBy.length > 0).length,
    rejected: judged.filter(({ rejectedBy }) => rejectedBy.length > 0).length,
  };
}

/** The rollout of a fleet; undefined if it has none, or if its ledger cannot be read, which its environments say. */
const rolloutOf = (fleet: string, options: ProjectOptions, host: Host): Promise<RolloutStatus | undefined> =>
  fleetStatus({ fleet, ...omitUndefined({ config: options.config, dataFolder: options.dataFolder }) }, host).catch(
    (error: unknown) => {
      if (error instanceof DexsyncError) return undefined;
      throw error;
    },
  );
