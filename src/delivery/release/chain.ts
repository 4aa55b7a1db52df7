import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import { type ClosedGate, closedGates, OWN_GATES, type SeenFacts } from '#core/engine/gates.js';
import { type Release, releaseName } from '#core/model/release.js';
import type { DocumentStore } from '#ledger/document-store.js';
import { type HistoryEntry, readEntry } from '#ledger/history/history-entry.js';
import { isSeenSince, type LastSeen } from '#ledger/last-seen.js';
import { readNotes } from '#ledger/release-notes.js';
import { readRelease, releaseKeys } from '#ledger/stored-release.js';
import type { Config } from '#project/config/load-config.js';
import { type EnvironmentJournals, withJournals } from '#project/connection/environment-journals.js';
import type { Host } from '#project/host.js';
import { closedText, type FedStage, type Judged } from './fed-stage.js';
import { type Promotion, promotionsIn } from './promotions.js';
import { holdOf, newerThan, numbersOf, stageFacts, wentBackFrom } from './stage-facts.js';

/** Where releases are judged. */
export interface ChainPlace {
  readonly config: Config;
  /** As the ledger of the stage has them. */
  readonly releases: DocumentStore;
  readonly host: Host;
}

/** How a release came up: somebody named it, or it is the newest one. */
type Choice = 'named' | 'automatic';

/** The gates that a release does not pass, by the environment to which it would go. */
type ClosedByEnvironment = ReadonlyMap<string, readonly ClosedGate[]>;

/** What judges releases on their way to a stage. */
interface Judge {
  readonly judge: (release: Release, choice: Choice) => Promise<ClosedByEnvironment>;
  /** The number of the release of the chain that an environment has; 0 if it has none. */
  readonly currentOf: (environment: string) => number;
  /** The environments that have all of a release, and nothing newer or older since. */
  readonly having: (release: Release) => ReadonlySet<string>;
}

const NOTHING: StageHistory = { promotions: [], seen: {} };

/** Reads the ledgers of a stage and of the one before it; sends no request. */
async function judgeFor(stage: FedStage, { config, releases, host }: ChainPlace): Promise<Judge> {
  const { environments, fleet, before, source, gates } = stage;
  const here = new Map<string, StageHistory>();
  for (const name of environments) {
    const found = historyOf(name, config, host);
    // The plan of an environment of a fleet says what is wrong with it, and the others do not wait for that.
    here.set(name, (await (fleet === undefined ? found : found.catch(unlessOther))) ?? NOTHING);
  }
  const promotionsTo = (name: string): readonly Promotion[] => here.get(name)?.promotions ?? [];
  let there: Promise<StageHistory | undefined> | undefined;
  const judge: Judge['judge'] = async (release, choice) => {
    const notes = await readNotes(releases, release);
    there ??= historyOf(before, config, host);
    const { promotions, seen: seenBefore } = (await there) ?? {};
    const shared = {
      ...{ release: releaseName(release), source: release.source, number: release.number, note: release.note ?? '' },
      ...{ createdAt: release.at, now: host.clock().toISOString() },
      before: { ...stageFacts(release, before, promotions, notes), ...seenBefore },
    };
    const namesOf = (environment: string): readonly [string, ...string[]] =>
      fleet === undefined ? [environment] : [environment, fleet];
    // What one environment of a fleet went back from does not go to the others by itself.
    const back = environments
      .map((name) => wentBackFrom(release, promotionsTo(name), notes, namesOf(name)))
      .find((one) => one !== undefined);
    const closedFor = (environment: string): readonly ClosedGate[] => {
      const names = namesOf(environment);
      const kept = newerThan(release, promotionsTo(environment), environment) ?? back;
      const facts = {
        ...{ ...shared, production: config.environments[environment]?.production === true },
        target: { environment, ...here.get(environment)?.seen },
        ...omitUndefined({ hold: holdOf(notes, names), leftBehind: choice === 'named' ? undefined : kept }),
      };
      return closedGates(facts, gates);
    };
    return new Map(environments.map((name) => [name, closedFor(name)]));
  };
  return {
    judge,
    currentOf: (name) => numbersOf(promotionsTo(name), source)[0] ?? 0,
    having: (release) => new Set(environments.filter((name) => isWhole(promotionsTo(name)[0], release))),
  };
}

function unlessOther(error: unknown): undefined {
  if (!(error instanceof DexsyncError)) throw error;
  return undefined;
}

const isWhole = (newest: Promotion | undefined, release: Release): boolean =>
  newest?.name === releaseName(release) && newest.open === 0 && !newest.partial;

/** What the ledger knows of a stage. */
interface StageHistory {
  /** The newest first. */
  readonly promotions: readonly Promotion[];
  readonly seen: SeenFacts;
}

/** Reads the ledger of a stage; undefined if its workspace is not known here. */
const historyOf = (environment: string, config: Config, host: Host): Promise<StageHistory | undefined> => {
  const read = async ({ journals, lastSeen }: EnvironmentJournals): Promise<StageHistory> => {
    const promotions: Promotion[] = [];
    for await (const promotion of promotionsIn(journals)) promotions.push(promotion);
    const newest = journals.at(-1);
    const last = newest && (await readEntry(newest))?.entry;
    return { promotions, seen: seenSince(last, await lastSeen()) };
  };
  return withJournals<StageHistory | undefined>(config, environment, host, read, async () => undefined);
};

/** What was seen after the last apply. */
const seenSince = (last: HistoryEntry | undefined, seen: LastSeen | undefined): SeenFacts =>
  seen === undefined || !isSeenSince(seen, last) ? {} : { drifted: seen.drifted, seenAt: seen.at };

/** The release to promote, and what it overrides. */
export interface PassedRelease extends Judged {
  /** Why it may not go to some environments of a fleet. */
  readonly kept: ReadonlyMap<string, DexsyncError>;
  /** The environments that have it already. */
  readonly having: ReadonlySet<string>;
}

/** The release to promote, and the newer ones that wait. */
export interface ChosenRelease extends PassedRelease {
  readonly waiting: readonly Judged[];
}

/**
 * Chooses the newest release of the chain that passes the gates of a stage, but for those that are overridden; none that
 * is older than what the stage has. In a fleet, it passes if one environment may have it. Throws GATES_CLOSED.
 */
export async function chooseRelease(
  stage: FedStage,
  overridden: readonly string[],
  place: ChainPlace,
): Promise<ChosenRelease> {
  refuseUnknownGates(stage, overridden);
  const { judge, currentOf, having } = await judgeFor(stage, place);
  const oldest = Math.min(...stage.environments.map(currentOf));
  const waiting: Judged[] = [];
  for (const key of (await releaseKeys(place.releases)).toReversed()) {
    if (key.source !== stage.source || key.number < oldest) continue;
    const release = await readRelease(place.releases, key);
    const closed = await judge(release, 'automatic');
    const passed = passedWhere(release, closed, overridden);
    if (passed !== undefined) return { ...passed, having: having(release), waiting };
    waiting.push({ release, closed: firstOf(closed) });
  }
  throw waiting[0] === undefined ? noRelease(stage) : gatesClosed(waiting[0], stage.title, overridden);
}

/** Judges a release that somebody named. Throws GATES_CLOSED. */
export async function passGates(
  release: Release,
  stage: FedStage,
  overridden: readonly string[],
  place: ChainPlace,
): Promise<PassedRelease> {
  refuseUnknownGates(stage, overridden);
  const { judge, having } = await judgeFor(stage, place);
  const closed = await judge(release, 'named');
  const passed = passedWhere(release, closed, overridden);
  if (passed !== undefined) return { ...passed, having: having(release) };
  throw gatesClosed({ release, closed: firstOf(closed) }, stage.title, overridden);
}

/** Judges the newest release of the chain for each environment of a stage that does not have it; empty if there is none. */
export async function judgeNewest(stage: FedStage, place: ChainPlace): Promise<ReadonlyMap<string, Judged>> {
  const newest = (await releaseKeys(place.releases)).findLast(({ source }) => source === stage.source);
  if (newest === undefined) return new Map();
  const { judge, currentOf } = await judgeFor(stage, place);
  const release = await readRelease(place.releases, newest);
  const closed = [...(await judge(release, 'automatic'))].filter(([name]) => currentOf(name) < newest.number);
  return new Map(closed.map(([name, gates]) => [name, { release, closed: gates }]));
}

const firstOf = (closed: ClosedByEnvironment): readonly ClosedGate[] => [...closed.values()][0] ?? [];

/** A release as it may go to one environment at least; undefined if it may go to none. */
function passedWhere(
  release: Release,
  closed: ClosedByEnvironment,
  overridden: readonly string[],
): Omit<PassedRelease, 'having'> | undefined {
  const isOpen = (gates: readonly ClosedGate[]): boolean => gates.every(({ gate }) => overridden.includes(gate));
  const first = [...closed.values()].find(isOpen);
  if (first === undefined) return undefined;
  const kept = [...closed].flatMap(([name, gates]): [string, DexsyncError][] =>
    isOpen(gates) ? [] : [[name, gatesClosed({ release, closed: gates }, undefined, overridden)]],
  );
  return { release, closed: first, kept: new Map(kept) };
}

function refuseUnknownGates({ title, gates }: FedStage, overridden: readonly string[]): void {
  const known = [...OWN_GATES, ...gates.map(({ name }) => name)];
  const unknown = overridden.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new DexsyncError('USAGE', `There is no gate "${unknown}" before ${title}.`, {
    hint: `There are ${known.map((name) => `"${name}"`).join(', ')}.`,
  });
}

/** `where`: to which environment or fleet; undefined where the reader knows. */
function gatesClosed({ release, closed }: Judged, where: string | undefined, overridden: readonly string[]) {
  const left = closed.filter(({ gate }) => !overridden.includes(gate));
  const options = left.map(({ gate }) => `--override ${shellWord(gate)}`).join(' ');
  return new DexsyncError(
    'GATES_CLOSED',
    `${releaseName(release)} may not go ${where === undefined ? 'there' : `to ${where}`} yet: ${closedText({ closed: left })}`,
    { hint: `Promote it once they are open; a plan with \`${options} --reason TEXT\` promotes it anyway.` },
  );
}

const noRelease = ({ source, title }: FedStage): DexsyncError =>
  new DexsyncError('USAGE', `There is no release of environment "${source}" to promote to ${title}.`, {
    hint: `Create one with \`dexsync release create ${source}\`.`,
  });
