import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import { closedGates, OWN_GATES, type SeenFacts } from '#core/engine/gates.js';
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
import { holdOf, leftBehind, numbersOf, stageFacts } from './stage-facts.js';

/** Where releases are judged. */
export interface ChainPlace {
  readonly config: Config;
  /** As the ledger of the stage has them. */
  readonly releases: DocumentStore;
  readonly host: Host;
}

/** How a release came up: somebody named it, or it is the newest one. */
type Choice = 'named' | 'automatic';

/** What judges releases on their way to a stage. */
interface Judge {
  readonly judge: (release: Release, choice: Choice) => Promise<Judged>;
  /** The number of the release that the stage has; 0 if it has none of the chain. */
  readonly current: number;
}

/** Reads the ledgers of a stage and of the one before it; sends no request. */
async function judgeFor(stage: FedStage, { config, releases, host }: ChainPlace): Promise<Judge> {
  const { environment, before, source, gates } = stage;
  let there: Promise<StageHistory | undefined> | undefined;
  const { promotions: here, seen } = (await historyOf(environment, config, host)) ?? { promotions: [], seen: {} };
  const production = config.environments[environment]?.production === true;
  const judge: Judge['judge'] = async (release, choice) => {
    const notes = await readNotes(releases, release);
    there ??= historyOf(before, config, host);
    const { promotions, seen: seenBefore } = (await there) ?? {};
    const back = choice === 'named' ? undefined : leftBehind(release, here, notes, environment);
    const facts = {
      ...{ release: releaseName(release), source: release.source, number: release.number, note: release.note ?? '' },
      ...{ createdAt: release.at, production, now: host.clock().toISOString() },
      before: { ...stageFacts(release, before, promotions, notes), ...seenBefore },
      target: { environment, ...seen },
      ...omitUndefined({ hold: holdOf(notes, environment), leftBehind: back }),
    };
    return { release, closed: closedGates(facts, gates) };
  };
  return { judge, current: numbersOf(here, source)[0] ?? 0 };
}

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

/** The release to promote, what it overrides, and the newer ones that wait. */
export interface ChosenRelease extends Judged {
  readonly waiting: readonly Judged[];
}

/**
 * Chooses the newest release of the chain that passes the gates of a stage, but for those that are overridden; none that
 * is older than what the stage has. Throws GATES_CLOSED.
 */
export async function chooseRelease(
  stage: FedStage,
  overridden: readonly string[],
  place: ChainPlace,
): Promise<ChosenRelease> {
  refuseUnknownGates(stage, overridden);
  const { judge, current } = await judgeFor(stage, place);
  const waiting: Judged[] = [];
  for (const key of (await releaseKeys(place.releases)).toReversed()) {
    if (key.source !== stage.source || key.number < current) continue;
    const judged = await judge(await readRelease(place.releases, key), 'automatic');
    if (isOpen(judged, overridden)) return { ...judged, waiting };
    waiting.push(judged);
  }
  throw waiting[0] === undefined ? noRelease(stage) : gatesClosed(waiting[0], stage, overridden);
}

/** Judges a release that somebody named. Throws GATES_CLOSED. */
export async function passGates(
  release: Release,
  stage: FedStage,
  overridden: readonly string[],
  place: ChainPlace,
): Promise<Judged> {
  refuseUnknownGates(stage, overridden);
  const { judge } = await judgeFor(stage, place);
  const judged = await judge(release, 'named');
  if (isOpen(judged, overridden)) return judged;
  throw gatesClosed(judged, stage, overridden);
}

/** Judges the newest release of the chain; undefined if the stage has it, or if there is none. */
export async function judgeNewest(stage: FedStage, place: ChainPlace): Promise<Judged | undefined> {
  const { judge, current } = await judgeFor(stage, place);
  const newest = (await releaseKeys(place.releases)).findLast(({ source }) => source === stage.source);
  return newest === undefined || newest.number <= current
    ? undefined
    : judge(await readRelease(place.releases, newest), 'automatic');
}

const isOpen = ({ closed }: Judged, overridden: readonly string[]): boolean =>
  closed.every(({ gate }) => overridden.includes(gate));

function refuseUnknownGates({ environment, gates }: FedStage, overridden: readonly string[]): void {
  const known = [...OWN_GATES, ...gates.map(({ name }) => name)];
  const unknown = overridden.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new DexsyncError('USAGE', `Environment "${environment}" has no gate "${unknown}".`, {
    hint: `It has ${known.map((name) => `"${name}"`).join(', ')}.`,
  });
}

function gatesClosed({ release, closed }: Judged, { environment }: FedStage, overridden: readonly string[]) {
  const left = closed.filter(({ gate }) => !overridden.includes(gate));
  const options = left.map(({ gate }) => `--override ${shellWord(gate)}`).join(' ');
  return new DexsyncError(
    'GATES_CLOSED',
    `${releaseName(release)} may not go to environment "${environment}" yet: ${closedText({ closed: left })}`,
    { hint: `Promote it once they are open; \`${options} --reason TEXT\` promotes it anyway.` },
  );
}

const noRelease = ({ source, environment }: FedStage): DexsyncError =>
  new DexsyncError('USAGE', `There is no release of environment "${source}" to promote to "${environment}".`, {
    hint: `Create one with \`dexsync release create ${source}\`.`,
  });
