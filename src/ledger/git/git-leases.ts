import { DexsyncError } from '../../errors.js';
import { isHolder } from '../holder.js';
import type { DamagedLease, FoundLease, Holder, Lease, LeaseKey, Leases } from '../lease.js';
import { fateOfHolder, type LeaseTiming, leaseStateOf, lostLease, newHolder } from '../lease-life.js';
import { fileNameFor, leaseName } from '../lease-name.js';
import type { Branch, Tip } from './branch.js';
import type { Edit } from './repository.js';

/** A push takes long, so heartbeats are rare: every 30 s, and a lifetime of 2 minutes. */
const BEAT_EVERY = 30_000;
const LIFETIME = 120_000;
/** Milliseconds between two looks of whoever waits, or writes. */
const LOOK_EVERY = 3000;

/** A process that stood still for so many milliseconds makes sure of its leases before it writes. */
const SUSPENDED = 5000;

const FOLDER = 'locks';
/** How the place of a lease begins where it is kept here. */
const PLACE = 'git:';

/** What stands in the file of a lease. Its holder counts the heartbeats: nobody else's clock is trusted. */
type Content = Holder & { readonly beats: number; readonly beatAt: string };

/** The leases of this process, by their files. */
export type HeldLeases = Map<string, Content>;

const pathOf = (key: LeaseKey): string => `${serviceFolder(key.service)}/${leaseName(key)}.json`;
const serviceFolder = (service: string): string => `${FOLDER}/${fileNameFor(service)}`;

/**
 * The next heartbeat of all leases of this process, which goes with whatever it writes. Throws LEASE_LOST where one of them
 * is not in the state that the commit will be based on: so nothing is written that comes after the write of who took it.
 */
export async function renewLeases(held: HeldLeases, tip: Tip, { clock }: LeaseTiming): Promise<Edit[]> {
  const edits: Edit[] = [];
  for (const [path, own] of held) {
    const found = await readLease(tip, path);
    if (!isContent(found) || found.token !== own.token) throw lostTo(own, found, clock);
    edits.push(editOf(path, { ...own, beats: found.beats + 1, beatAt: clock().toISOString() }));
  }
  return edits;
}

const editOf = (path: string, content: Content): Edit => ({ path, text: `${JSON.stringify(content, undefined, 2)}\n` });

/** Its holder is known to nobody but this process, which gave it up. */
function lostTo(own: Content, found: unknown, clock: () => Date): DexsyncError {
  const by = isContent(found) ? foundLease(found, 'held', 0, '') : undefined;
  return lostLease(own, by, clock, 'it was removed');
}

async function readLease(tip: Tip, path: string): Promise<unknown> {
  if (!tip.has(path)) return undefined;
  const [text = ''] = await tip.read([path]);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isContent = (value: unknown): value is Content =>
  isHolder(value) &&
  Number.isSafeInteger((value as Partial<Content>).beats) &&
  typeof (value as Partial<Content>).beatAt === 'string';

const foundLease = (content: Content, state: FoundLease['state'], silentFor: number, path: string): FoundLease => ({
  state,
  holder: content,
  heartbeatAt: new Date(content.beatAt),
  silentFor,
  place: `${PLACE}${path}#${content.token}`,
  lookAgainIn: LOOK_EVERY,
});

/** What this process saw of a lease, and since when it is so. */
interface Watched {
  readonly token: string;
  readonly beats: number;
  readonly since: number;
  /** It was seen to beat. */
  readonly alive: boolean;
}

/** Leases as files of the branch: whoever has a state of it pushed that holds its lease has it. */
export function gitLeases(branch: Branch, held: HeldLeases, given: LeaseTiming): Leases {
  const timing = { beatEvery: BEAT_EVERY, lifetime: LIFETIME, ...given };
  const watched = new Map<string, Watched>();
  const judge = async (path: string, content: unknown): Promise<FoundLease | undefined> => {
    if (content === undefined) return undefined;
    if (!isContent(content)) throw damagedLease(path);
    const seen = watch(watched, path, content);
    const silentFor = performance.now() - seen.since;
    const state = leaseStateOf(await fateOfHolder(content, timing), content, silentFor);
    const found = foundLease(content, state, silentFor, path);
    const age = timing.clock().getTime() - found.heartbeatAt.getTime();
    const mayBeGone = state === 'held' && !seen.alive && age > content.lifetime;
    return mayBeGone ? { ...found, silentFor: age, expiresIn: content.lifetime - silentFor } : found;
  };
  const find = async (key: LeaseKey): Promise<FoundLease | undefined> => {
    const path = pathOf(key);
    return judge(path, await readLease(await branch.refresh(), path));
  };
  return {
    async take(claim) {
      const path = pathOf(claim);
      const holder = await newHolder(claim, timing);
      for (;;) {
        const by = await find(claim);
        if (by?.state === 'held') return { is: 'held', by };
        if (!(await place(path, holder, by, branch, timing.clock))) continue;
        held.set(path, { ...holder, beats: 0, beatAt: '' });
        return { is: 'taken', lease: holdLease(path, holder, { branch, held, timing }) };
      }
    },
    find,
    async list(service) {
      const tip = await branch.refresh();
      const found = tip
        .under(`${serviceFolder(service)}/`)
        .map(async (path) =>
          judge(path, await readLease(tip, path)).catch(
            (): DamagedLease => ({ state: 'damaged', place: `${PLACE}${path}#` }),
          ),
        );
      return (await Promise.all(found)).filter((one) => one !== undefined);
    },
    async remove(given) {
      if (!given.startsWith(PLACE)) return;
      const [path = '', token = ''] = given.slice(PLACE.length).split('#');
      await branch.change({ subject: `Lock ${path} released by force`, edits: (tip) => removal(path, token, tip) });
    },
  };
}

function watch(watched: Map<string, Watched>, path: string, { token, beats }: Content): Watched {
  const before = watched.get(path);
  if (before?.token === token && before.beats === beats) return before;
  const seen = { token, beats, since: performance.now(), alive: before?.token === token };
  watched.set(path, seen);
  return seen;
}

/** Whether this holder has it now: it stands in the place of nothing, or of the very lease that was judged. */
async function place(
  path: string,
  holder: Holder,
  seen: FoundLease | undefined,
  branch: Branch,
  clock: () => Date,
): Promise<boolean> {
  const { command, user, host, environment, service } = holder;
  const what = holder.workspace === undefined ? `login ${holder.login}` : `workspace ${holder.workspace}`;
  let taken = false;
  await branch.change({
    subject: `${environment} (${service}): "${command}" of ${user} on ${host} locks ${what}`,
    async edits(tip) {
      const found = await readLease(tip, path);
      const token = isContent(found) ? found.token : undefined;
      taken = token === holder.token || (found === undefined ? seen === undefined : token === seen?.holder.token);
      if (!taken || token === holder.token) return [];
      return [editOf(path, { ...holder, beats: 0, beatAt: clock().toISOString() })];
    },
  });
  return taken;
}

async function removal(path: string, token: string, tip: Tip): Promise<Edit[]> {
  const found = await readLease(tip, path);
  const isIt = found !== undefined && (token === '' ? !isContent(found) : isContent(found) && found.token === token);
  return isIt ? [{ path, text: null }] : [];
}

const damagedLease = (path: string): DexsyncError =>
  new DexsyncError('LEASE_DAMAGED', `The lock ${path} of the ledger's branch cannot be read.`, {
    hint: 'If no other dexsync works in this environment, remove it with `dexsync lock release --force`.',
  });

interface Holding {
  readonly branch: Branch;
  readonly held: HeldLeases;
  readonly timing: LeaseTiming & { readonly beatEvery: number };
}

function holdLease(path: string, holder: Holder, { branch, held, timing }: Holding): Lease {
  const { clock, beatEvery } = timing;
  let confirmed = momentOf(clock);
  let looked = confirmed;
  let ticked = confirmed;
  let isLost = false;
  let beating: Promise<void> | undefined;
  // Writing nothing writes the heartbeats of all leases.
  const renew = async (): Promise<void> => {
    const moment = momentOf(clock);
    await branch.change({
      subject: `${holder.environment} (${holder.service}): "${holder.command}" of ${holder.user} goes on`,
      edits: (tip) => renewLeases(held, tip, timing),
    });
    confirmed = moment;
  };
  const beat = (): Promise<void> => {
    beating ??= renew().finally(() => {
      beating = undefined;
    });
    return beating;
  };
  // What fails is made up for by the next, unless it found out that the lease was lost.
  const learn = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      isLost ||= error instanceof DexsyncError && error.code === 'LEASE_LOST';
    });
  };
  const look = async (): Promise<unknown> => renewLeases(held, await branch.refresh(), timing);
  const beats = setInterval(() => learn(beat()), beatEvery).unref();
  const ticks = setInterval(() => {
    if (ageOf(ticked, clock) < SUSPENDED) ticked = momentOf(clock);
  }, SUSPENDED / 5).unref();
  return {
    async check() {
      const wasSuspended = ageOf(ticked, clock) > SUSPENDED;
      // Others may be about to take over, or may have done so long ago.
      if (isLost || wasSuspended || ageOf(confirmed, clock) > holder.lifetime / 2) {
        await beat();
        ticked = momentOf(clock);
      } else if (ageOf(looked, clock) > LOOK_EVERY) {
        // It would take longer than most writes: what it finds keeps the next one back.
        looked = momentOf(clock);
        learn(look());
      }
    },
    async release() {
      clearInterval(beats);
      clearInterval(ticks);
      held.delete(path);
      await branch
        .change({
          subject: `${holder.environment} (${holder.service}): "${holder.command}" of ${holder.user} on ${holder.host} ends`,
          edits: (tip) => removal(path, holder.token, tip),
        })
        // What cannot be removed expires.
        .catch(() => undefined);
    },
  };
}

/** A moment by both clocks: one stands still while a machine sleeps, the other may be set. */
interface Moment {
  readonly at: number;
  readonly ticks: number;
}

const momentOf = (clock: () => Date): Moment => ({ at: clock().getTime(), ticks: performance.now() });

const ageOf = ({ at, ticks }: Moment, clock: () => Date): number =>
  Math.max(Math.abs(clock().getTime() - at), performance.now() - ticks);
