import { DexsyncError, EXIT, type ExitCode } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { RoundCause, WatchEvent } from '#core/stream/watch-event.js';
import { type Notifier, openNotifier } from '#delivery/notify/notifier.js';
import { environmentPlace, seenInEnvironment } from '#delivery/notify/seen.js';
import { followFolder } from '#delivery/watch/follow-folder.js';
import { followRef } from '#delivery/watch/follow-ref.js';
import type { FollowCallbacks, Followed } from '#delivery/watch/followed.js';
import { type ProjectStamp, readProjectStamp } from '#delivery/watch/project-stamp.js';
import { type NextRound, nextRound, type Schedule } from '#delivery/watch/schedule.js';
import { createWakeSignal, type WakeSignal } from '#delivery/watch/wake-signal.js';
import { dataFolder, isProduction, resolveEnvironment } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import type { Host } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { failedRound, type Round, type RoundOptions, watchRound } from './watch-round.js';

/** The environment to watch, how often, and what may be applied. */
export interface WatchOptions extends RoundOptions {
  /** Milliseconds between rounds; by default long enough for a quarter of the daily quota to suffice. */
  readonly interval?: number;
  /** A git ref to follow instead of the folder, and milliseconds between two checks of it. */
  readonly ref?: string;
  readonly every?: number;
  /** The port of metrics and health on this machine; none by default. */
  readonly port?: number;
  /** Whether somebody agreed to changes of a production workspace without being asked each time. */
  readonly consent: 'given' | 'none';
}

/**
 * Keeps one environment in line with its manifests until the signal of the host: plans again after each change and each
 * interval, and applies what the policy allows. Reports a round that fails, and continues with the next one. Throws
 * only if it cannot begin. Returns 130 if steps of an apply were left when it was stopped.
 */
export async function watch(options: WatchOptions, given: Host): Promise<ExitCode> {
  // Waits for other holders of the lock without limit unless the user sets one: a watch has time.
  const host = { patience: Number.POSITIVE_INFINITY, ...given };
  const config = await openConfig(options, host);
  const environment = agreedEnvironment(config, options, host);
  const bell = createWakeSignal(host.signal);
  const followed = await follow(options, config, host, {
    onChange: bell.ring,
    onProblem: (diagnostic) => host.emit({ type: 'diagnostic', diagnostic }),
  });
  try {
    const monitoring = await monitor(options, environment, host);
    const notifier = openNotifier(config, host);
    try {
      return await rounds({ options, environment, followed, bell, notifier, ...monitoring });
    } finally {
      await notifier.close();
      await monitoring.close();
    }
  } finally {
    await followed.close();
  }
}

function agreedEnvironment(config: Config, { environment, policy, consent }: WatchOptions, host: Host): string {
  const chosen = resolveEnvironment(config, environment, host.variables, policy === 'none' ? 'read' : 'write');
  if (policy === 'none' || consent === 'given' || !isProduction(chosen)) return chosen.name;
  throw new DexsyncError(
    'CONFIRMATION_NEEDED',
    `Environment "${chosen.name}" is production: \`watch\` changes nothing there without confirmation.`,
    { hint: 'Add `--yes`, which holds for every round, or watch with `--policy none`.' },
  );
}

function follow(options: WatchOptions, config: Config, host: Host, following: FollowCallbacks): Promise<Followed> {
  const { ref, every = 30_000, prune } = options;
  const submodules = prune === 'yes' ? 'refused' : 'reported';
  const own = { options: { config: config.path }, cwd: host.cwd };
  if (ref === undefined) return followFolder(config.folder, own, following);
  return followRef({ ref, config: config.path, data: dataFolder(config), every, submodules }, host, following);
}

interface Monitoring {
  /** The host, with its events counted too. */
  readonly host: Host;
  readonly url?: string;
  close(): Promise<void>;
}

/** Serves metrics and health, whose modules are loaded only for that. */
async function monitor({ port }: WatchOptions, environment: string, host: Host): Promise<Monitoring> {
  if (port === undefined) return { host, close: async () => undefined };
  const [{ openMetrics }, { openHealth }, { serveMonitor }] = await Promise.all([
    import('#delivery/watch/metrics.js'),
    import('#delivery/watch/health.js'),
    import('#delivery/watch/monitor.js'),
  ]);
  const now = (): number => host.clock().getTime();
  const [metrics, health] = [openMetrics(environment, host.version, now), openHealth(now)];
  const { url, close } = await serveMonitor(port, metrics, health);
  const emit: Host['emit'] = (event) => {
    metrics.event(event);
    health.event(event);
    host.emit(event);
  };
  return { host: { ...host, emit }, url, close };
}

interface WatchContext {
  readonly options: WatchOptions;
  readonly environment: string;
  readonly followed: Followed;
  readonly bell: WakeSignal;
  readonly host: Host;
  readonly url?: string;
  readonly notifier: Notifier;
}

/** Facts that a round leaves to the next one. */
interface Memory extends Omit<Schedule, 'now' | 'failure'> {
  /** The stamp of the project that was planned last. */
  readonly stamp: ProjectStamp | undefined;
}

async function rounds(watching: WatchContext): Promise<ExitCode> {
  const { host } = watching;
  emitStart(watching);
  const { interval } = watching.options;
  let memory: Memory = { interval, cost: 1, remaining: null, reset: undefined, failures: 0, stamp: undefined };
  let because: RoundCause = 'start';
  let code: ExitCode = EXIT.done;
  let number = 0;
  while (!host.signal.aborted) {
    number += 1;
    const begun = host.clock().getTime();
    const { round, stamp } = await oneRound(watching, number, because);
    const now = host.clock().getTime();
    memory = remember(memory, round, stamp);
    const next = nextRound({ ...memory, now, ...omitUndefined({ failure: round.failure }) });
    const at = host.signal.aborted ? {} : { next: new Date(next.at).toISOString() };
    if (host.signal.aborted && round.end.error?.code === 'INTERRUPTED') break;
    emitWatch(host, { is: 'round-ended', round: number, seconds: (now - begun) / 1000, ...round.end, ...at });
    noteRound(round, watching);
    if (round.left === 'interrupted') code = EXIT.interrupted;
    because = await waitForNextRound(watching, next, memory);
  }
  emitWatch(host, { is: 'stopped', rounds: number });
  return code;
}

function noteRound({ look }: Round, { environment, notifier }: WatchContext): void {
  if (look !== undefined) notifier.see(environmentPlace(environment), seenInEnvironment(environment, look));
}

const emitWatch = (host: Host, event: WatchEvent): void => host.emit({ type: 'watch', event });

function emitStart({ options: { policy, interval }, environment, followed, host, url }: WatchContext): void {
  emitWatch(host, {
    ...{ is: 'started', environment, policy, follows: followed.name },
    ...(interval === undefined ? {} : { interval: interval / 1000 }),
    ...omitUndefined({ url }),
  });
}

interface OneRound {
  readonly round: Round;
  readonly stamp: ProjectStamp | undefined;
}

/** Runs a round on the project as it is now. */
async function oneRound(watching: WatchContext, number: number, because: RoundCause): Promise<OneRound> {
  const { options, followed, host } = watching;
  try {
    const { options: project, cwd, commit } = await followed.checkOut();
    emitWatch(host, { is: 'round', round: number, because, ...omitUndefined({ commit }) });
    const [given, here] = [
      { ...options, ...project },
      { ...host, cwd },
    ];
    const stamp = await readProjectStamp(given, here);
    const exclude = [...(options.exclude ?? []), ...stamp.always];
    const isUnchanged = async (): Promise<boolean> => (await readProjectStamp(given, here)).digest === stamp.digest;
    const narrowed = exclude.length === 0 ? given : { ...given, exclude };
    return { round: await watchRound({ ...narrowed, isUnchanged }, here), stamp };
  } catch (error) {
    return { round: failedRound(error), stamp: undefined };
  }
}

/** Keeps the cost and the quota of the round before if this one did not find them out. */
function remember(memory: Memory, { end, failure, cost, reset }: Round, stamp: ProjectStamp | undefined): Memory {
  return {
    ...memory,
    stamp,
    cost: cost ?? memory.cost,
    remaining: end.requests.remaining ?? memory.remaining,
    reset: reset === undefined || Number.isNaN(Date.parse(reset)) ? memory.reset : Date.parse(reset),
    failures: failure === undefined ? 0 : memory.failures + 1,
  };
}

/** Waits for the next round, or for a change of the project. */
async function waitForNextRound(watching: WatchContext, next: NextRound, { stamp }: Memory): Promise<RoundCause> {
  const { bell, host } = watching;
  for (;;) {
    if ((await bell.wait(next.at - host.clock().getTime())) !== 'rung') return next.because;
    if ((await presentDigest(watching)) !== stamp?.digest) return 'change';
  }
}

/** Returns undefined if the project cannot be read, which the next round reports. */
async function presentDigest({ options, followed, host }: WatchContext): Promise<string | undefined> {
  const taken = await followed.checkOut().catch(() => undefined);
  if (taken === undefined) return undefined;
  return (await readProjectStamp({ ...options, ...taken.options }, { ...host, cwd: taken.cwd })).digest;
}
